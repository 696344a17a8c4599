"""What holds for every test: its children hear signals, none outlives it, and none has to wait for
the compiler.

The browser is Chromium; where it is missing, its tests are skipped.
"""

import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from gtp_engine.__main__ import main
from gtp_engine.arena.referee import ENDING_SIGNALS

FAST = {"test_clock", "test_explain", "test_gtp", "test_imports", "test_lattice", "test_qubic_pipe",
        "test_opening_rules", "test_records", "test_rules", "test_session", "test_sgf",
        "test_terminal", "test_tree"}
COMPILING = 600  # seconds that all kernels may take on a slow and busy machine
LEAN_BROWSER = ("disable-gpu", "disable-software-rasterizer", "disable-extensions",
                "process-per-site", "disable-site-isolation-trials",  # one process shows all pages
                "disable-features=BackForwardCache,MediaRouter,OptimizationHints,Translate",
                "force-prefers-reduced-motion")  # each frame of an animation is computed

# Children inherit that a signal is ignored, as under nohup or in the background, but no handler.
for each in ENDING_SIGNALS:
    if signal.getsignal(each) == signal.SIG_IGN:
        signal.signal(each, lambda number, frame: None)


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items):
    """Mark the fast tests, and order all.

    What takes longest is begun first, so that no worker is left alone with it in the end.
    """
    def module(item):
        return item.module.__name__.removeprefix("tests.")

    for item in items:
        if module(item) in FAST and item.get_closest_marker("slow") is None:
            item.add_marker("fast")
        elif "NUMBA_BOUNDSCHECK" not in os.environ:  # where each compiles what it needs
            item.fixturenames.insert(0, machine_code.__name__)
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


@pytest.fixture(scope="session")
def machine_code():
    """All kernels are compiled, so that no test takes their time for a hang."""
    subprocess.run([sys.executable, "-m", "gtp_engine", "compile"], check=True,
                   capture_output=True, cwd=Path(__file__).parent.parent, timeout=COMPILING)


@pytest.fixture(autouse=True)
def no_child_outlives_its_test():
    """Whatever a test has started and not ended is ended after it; what the session has stays."""
    this = psutil.Process(os.getpid())
    before = this.children()
    yield
    killed = []
    for child in this.children():
        try:
            if child not in before and not any(
                    "from multiprocessing" in word for word in child.cmdline()):  # its servers
                killed += [*child.children(recursive=True), child]
        except psutil.Error:
            pass
    for child in killed:
        with suppress(psutil.Error):
            child.kill()
    psutil.wait_procs(killed)


@pytest.fixture
def no_bytecode(monkeypatch):
    """Processes keep no bytecode: the next ones would stumble over what a limit has cut off."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")


@pytest.fixture
def ours(capsys):
    """A function that does in this process what `python -m gtp_engine` does with such words; its
    exit status, and what it has said on standard output and standard error.

    Where a process of its own is not the point, this takes less.
    """
    def run(*words):
        try:
            status = main([*map(str, words)])
        except SystemExit as left:
            status = left.code
        return status, *capsys.readouterr()

    return run


@pytest.fixture
def stranger():
    """A user without rights and without an entry in the list of users."""
    from tests.school import Stranger
    if os.geteuid() != 0:
        pytest.skip("only root can be another user")
    if not shutil.which("setpriv") or not shutil.which("unshare"):
        pytest.skip("there is no setpriv or no unshare, which are in util-linux")
    found = Stranger()
    yield found
    found.end()


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    webdriver = pytest.importorskip("selenium.webdriver")
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not driver:
        pytest.skip("there is no chromium with its chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for word in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "window-size=1200,900",
                 *LEAN_BROWSER, f"user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield found
    found.quit()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A server of boards: tests begin games of their own on it."""
    from tests.web import Server  # what the server needs is slow to load, and few tests need it
    found = Server(tmp_path_factory.mktemp("data"))
    yield found
    found.end()


@pytest.fixture
def own_server(tmp_path):
    """A function that starts a server of this test alone."""
    from tests.web import Server
    servers = []

    def start(*words, folder=tmp_path / "data", **environment):
        servers.append(Server(folder, *words, **environment))
        return servers[-1]

    yield start
    for each in servers:
        if each.process.poll() is None:
            each.stop(signal.SIGKILL)


@pytest.fixture
def page(server):
    """A page of the server, without a browser."""
    found = server.page()
    yield found
    found.close()


@pytest.fixture
def tab(browser, server):
    """The board; nothing may be said on the console."""
    from tests.browser import Tab
    found = Tab(browser, server.address)
    found.width("desktop")
    found.scheme("light")
    yield found
    found.ask("localStorage.clear()")
    found.finger(False)
    while len(browser.window_handles) > 1:
        browser.switch_to.window(browser.window_handles[-1])
        browser.close()
        browser.switch_to.window(browser.window_handles[0])
    if browser.find_elements("css selector", "dialog[open]"):
        found.press("\ue00c")
    assert found.console() == []
