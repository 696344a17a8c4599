"""Programs of the command line that draw on all packages."""
