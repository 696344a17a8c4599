"""Builds the packages that setup.cfg describes, without modules of an older checkout."""

import re
import shutil
from configparser import RawConfigParser
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class FreshBuild(build_py):
    """build_py copies into build/lib and deletes nothing there; wheels are made of that folder."""

    def run(self):
        """Build into an empty build/lib."""
        if not getattr(self, "editable_mode", False):
            shutil.rmtree(self.build_lib, ignore_errors=True)
        super().run()


def description():
    """README.md for package indexes: without pictures, with links to the site and the sources."""
    top = Path(__file__).resolve().parent
    settings = RawConfigParser()
    settings.read(str(top / "setup.cfg"), encoding="utf-8")
    urls = dict(line.split(" = ") for line in
                settings["metadata"]["project_urls"].strip().splitlines())
    text = (top / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"!\[[^]]*\]\([^)]*\)\n\n", "", text)
    text = re.sub(r"\]\(docs/([^)]*)\.md", rf"]({urls['Documentation']}/\1.html", text)
    return re.sub(r"\]\((?!https:)", f"]({urls['Source']}/", text)


setup(cmdclass={"build_py": FreshBuild}, long_description=description())
