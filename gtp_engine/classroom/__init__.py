"""Grading of a class: test files, submissions, leagues."""
