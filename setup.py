"""Builds the packages that setup.cfg describes, without modules of an older checkout."""

import shutil

from setuptools import setup
from setuptools.command.build_py import build_py


class FreshBuild(build_py):
    """build_py copies into build/lib and deletes nothing there; wheels are made of that folder."""

    def run(self):
        """Build into an empty build/lib."""
        if not getattr(self, "editable_mode", False):
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


setup(cmdclass={"build_py": FreshBuild})
