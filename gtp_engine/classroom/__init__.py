"""Grading for a class of students: test files, submissions, leagues and results."""
