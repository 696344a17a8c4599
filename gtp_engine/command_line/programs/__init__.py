"""Programs that use all packages."""
