"""Programs of the command line that use all packages."""
