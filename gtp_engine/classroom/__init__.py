"""A class of students: test files, submissions, leagues, and what is handed back."""
