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
from filelock import FileLock

from gtp_engine.__main__ import main
from gtp_engine.arena.referee import ENDING_SIGNALS

FAST = {"test_clock", "test_declared", "test_english", "test_explain", "test_files", "test_gtp",
        "test_imports", "test_lattice", "test_opening_rules", "test_qubic_pipe", "test_records",
        "test_rules", "test_session", "test_sgf", "test_terminal", "test_tour", "test_tree"}
COSTLY = {"browser", "proved", "quiet", "passed", "reports"}  # fixtures that a worker makes once
GROUPS = {  # by module: the tests of a group run on one worker; both browsers take about as long
    "test_browser": "browser", "test_browser_cube": "browser", "test_browser_pages": "browser",
    "test_browser_review": "browser", "test_browser_training": "browser",
    "test_web_collection": "browser",
    "test_accessibility": "second browser", "test_browser_learn": "second browser",
    "test_browser_lesson": "second browser", "test_browser_puzzles": "second browser",
    "test_report": "second browser",
    "test_gomoku_proof": "proof", "test_imports": "imports", "test_kernel_wheels": "wheels"}
COMPILING = 600  # seconds that all kernels may take on a slow and busy machine
LEAN_BROWSER = ("disable-gpu", "disable-software-rasterizer", "disable-extensions",
                "process-per-site", "disable-site-isolation-trials",  # one process shows all pages
                "disable-features=BackForwardCache,MediaRouter,OptimizationHints,Translate",
                "force-prefers-reduced-motion")  # each frame of an animation is computed

# Children inherit that a signal is ignored, as under nohup or in the background, but no handler.
for each in ENDING_SIGNALS:
    if signal.getsignal(each) == signal.SIG_IGN:
        signal.signal(each, lambda number, frame: None)


TIERS = {  # how to run each, and the seconds that it takes on two cores
    "fast": ("pytest -m fast", "20 seconds"), "default": ("pytest", "4 minutes"),
    "all": ("pytest --all", "15 minutes")}


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run the tests of all tiers, as .ci/run")


def pytest_sessionstart(session):
    """Say which tier runs, how long it takes on two cores, and how to run the others."""
    if hasattr(session.config, "workerinput"):
        return
    options = session.config.option
    tier = "all" if options.all else "fast" if options.markexpr == "fast" else "default"
    command, seconds = TIERS[tier]
    others = ", ".join(f"`{command}` {seconds}" for name, (command, seconds) in TIERS.items()
                       if name != tier)
    session.config.get_terminal_writer().line(
        f"tests of the {tier} tier: `{command}` takes {seconds} on two cores (others: {others})")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers(config):
    """One more worker than cores: a test waits about as often as it computes."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep each group on one worker: its tests share a browser, or costly fixtures.

    Groups come first.  The mark xdist_group has no effect with pytest 9.2: pytest-xdist's issue
    1386.
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return GROUPS.get(Path(nodeid.partition("::")[0]).stem, nodeid)

    return Scheduling(config, log)


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(config, items):
    """Select the tests of the tier, mark the fast ones, and order all.

    The longest tests begin first, so that no worker is left alone with one in the end.
    """
    for item in items:
        if module_of(item) in FAST and item.get_closest_marker("slow") is None:
            item.add_marker("fast")
        elif "NUMBA_BOUNDSCHECK" not in os.environ:  # where each compiles what it needs
            item.fixturenames.insert(0, machine_code.__name__)
        if COSTLY.intersection(item.fixturenames) and module_of(item) not in GROUPS:
            raise pytest.UsageError(f"{item.module.__name__} needs a group in conftest.py")
    if not any("::" in word for word in config.args):
        chosen = whole(items) if config.option.all else default_tier(items)
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]
    items.sort(key=lambda item: item.get_closest_marker("first") is None)


def pytest_ignore_collect(collection_path, config):
    """Fast tests begin without importing the modules of the others."""
    if config.option.markexpr == "fast" and collection_path.suffix == ".py":
        return collection_path.stem not in FAST or None
    return None


def module_of(item):
    return item.module.__name__.removeprefix("tests.")


def whole(items):
    """The items that run with --all: no case that another one includes."""
    return {item for item in items if not item.get_closest_marker("part")}


def default_tier(items):
    """The items that run without --all: none that is thorough, and of those with few(n) only n
    cases, spread evenly over all."""
    chosen, cases = set(), {}
    for item in items:
        few = item.get_closest_marker("few")
        if item.get_closest_marker("thorough"):
            continue
        if few:
            cases.setdefault((few.args[0], item.module, item.originalname), []).append(item)
        else:
            chosen.add(item)
    for (n, *_), group in cases.items():
        step = max(1, (len(group) - 1) / max(1, n - 1))
        chosen.update(group[round(i * step)] for i in range(min(n, len(group))))
    return chosen


@pytest.fixture(scope="session")
def machine_code(tmp_path_factory):
    """All kernels are compiled, so that no test takes their time for a hang; the first worker
    compiles for all."""
    folder = tmp_path_factory.getbasetemp()
    done = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "compiled"
    with FileLock(f"{done}.lock"):
        if not done.exists():
            subprocess.run([sys.executable, "-m", "gtp_engine", "compile"], check=True,
                           capture_output=True, cwd=Path(__file__).parent.parent,
                           timeout=COMPILING)
            done.touch()


def children():
    """The children of this process.

    psutil reads the whole table of processes, twice for every test beside a browser; Linux lists
    the children of each thread.
    """
    threads = Path("/proc/self/task")
    try:
        return [psutil.Process(int(pid)) for thread in os.listdir(threads)
                for pid in (threads / thread / "children").read_text().split()]
    except (OSError, psutil.Error):  # one has ended meanwhile
        return psutil.Process(os.getpid()).children()


@pytest.fixture(autouse=True)
def no_child_outlives_its_test():
    """Whatever a test has started and not ended is ended after it; what the session has stays."""
    before = children()
    yield
    killed = []
    for child in children():
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
