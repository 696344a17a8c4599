"""What holds for every test: its children hear signals, and none outlives it.

The browser is Chromium; where it is missing, its tests are skipped.
"""

import os
import shutil
import signal

import psutil
import pytest

from gtp_engine.arena.referee import ENDING_SIGNALS

FAST = {"test_clock", "test_explain", "test_gtp", "test_imports", "test_lattice", "test_qubic_pipe",
        "test_records", "test_rules", "test_session", "test_sgf", "test_terminal", "test_tree"}
COMPILED = {"test_analyze", "test_browser", "test_cache", "test_gogui", "test_gomocup",
            "test_kernels", "test_players", "test_qubic", "test_search", "test_solvers",
            "test_web", "test_wins", "test_yixin"}

# Children inherit that a signal is ignored, as under nohup or in the background, but no handler.
for each in ENDING_SIGNALS:
    if signal.getsignal(each) == signal.SIG_IGN:
        signal.signal(each, lambda number, frame: None)


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items):
    """Mark the fast tests, and order all.

    What takes longest is begun first, so that no worker is left alone with it in the end; what
    needs kernels comes last, so that it finds what `compile` has made.
    """
    def module(item):
        return item.module.__name__.removeprefix("tests.")

    for item in items:
        if module(item) in FAST and item.get_closest_marker("slow") is None:
            item.add_marker("fast")
    items.sort(key=lambda item: (item.get_closest_marker("first") is None,
                                 module(item) in COMPILED))


@pytest.fixture(autouse=True)
def no_child_outlives_its_test():
    """Whatever a test has started and not ended is ended after it."""
    yield
    killed = []
    for child in psutil.Process(os.getpid()).children(recursive=True):
        try:
            if not any("from multiprocessing" in word for word in child.cmdline()):  # its servers
                child.kill()
                killed.append(child)
        except psutil.Error:
            pass
    psutil.wait_procs(killed)


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    webdriver = pytest.importorskip("selenium.webdriver")
    program, driver = shutil.which("chromium"), shutil.which("chromedriver")
    if not program or not driver:
        pytest.skip("there is no chromium with its chromedriver")
    options = webdriver.ChromeOptions()
    options.binary_location = program
    for word in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "window-size=1200,900",
                 f"user-data-dir={tmp_path_factory.mktemp('browser')}"):
        options.add_argument(f"--{word}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield found
    found.quit()
