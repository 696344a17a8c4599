"""The public Python API of the package; see docs/api/index.md."""
