"""The board in a tab of a real browser, for the tests of what people do there."""

import json

import pytest

from tests.programs import until

axe = pytest.importorskip("selenium_axe_python")
ActionChains = pytest.importorskip("selenium.webdriver").ActionChains
StaleElementReferenceException = pytest.importorskip(
    "selenium.common.exceptions").StaleElementReferenceException

WIDTHS = {"desktop": (1280, 860), "phone": (375, 812), "landscape": (812, 375),
          "large": (2560, 1400)}
GAME = {"game": "Gomoku", "size": 15,
        "black": {"player": "person", "settings": {}},
        "white": {"player": "alphabeta", "settings": {"nodes": "300"}},
        "control": {"per_move": None, "per_game": None, "increment": 0}}
STONES = ".flat .point:is(.black, .white):not(.ghost)"
EVERY_RULE = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
    "rules": {"label-content-name-mismatch": {"enabled": True}}}
RULES_OF_COLOURS = {"runOnly": {"type": "rule", "values": [  # what a board or scheme changes
    "color-contrast", "link-in-text-block"]}}


class Tab:
    """The board in a tab of the browser."""

    def __init__(self, browser, address):
        self.browser = browser
        self.address = address
        self.show()

    def show(self, fragment=""):
        self.browser.get("about:blank")
        self.browser.get(f"{self.address}{fragment}")
        self.wait_for_game()

    def wait_for_game(self):
        """Wait until one is shown, after the page was loaded."""
        self.wait("document.getElementById('status').textContent.trim()")

    def ask(self, script, *arguments):
        return self.browser.execute_script(f"return {script}", *arguments)

    def wait(self, script, *arguments):
        """Wait until it holds; returns what it is then."""
        return until(lambda: self.ask(script, *arguments))

    def text(self, id):
        return self.ask("document.getElementById(arguments[0]).textContent", id)

    def click(self, selector):
        """Click as a person does, once it is shown: what is covered cannot be clicked.

        What is drawn anew in this moment is clicked again.
        """
        while True:
            found = self.wait(
                "(each => each?.checkVisibility() && (each.scrollIntoView({block: 'nearest'}),"
                " each))(document.querySelector(arguments[0]))", selector)
            try:
                return found.click()
            except StaleElementReferenceException:
                pass

    def press(self, *keys):
        ActionChains(self.browser).send_keys(*keys).perform()

    def new(self, **fields):
        """Begin a game through the form, whose fields are filled in from what was played last."""
        self.ask("localStorage.setItem('gtp_engine.newGame', arguments[0])",
                 json.dumps({**GAME, **fields}))
        before = self.ask("location.hash")
        self.click("#new-game")
        self.click("#dialog-ok")
        self.wait("location.hash !== arguments[0]", before)
        self.frame()

    def frame(self):
        """Wait until what the page knows is drawn."""
        self.browser.execute_async_script(
            "requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")

    def stones(self, colour=""):
        """The points with stones, of that colour."""
        return {int(place) for place in self.ask(
            "[...document.querySelectorAll(arguments[0])].map(e => e.dataset.point)",
            f"{STONES}.{colour}" if colour else STONES)}

    def play(self, place):
        """Put a stone there, and wait for the answer if there is one."""
        count = self.ask("document.querySelectorAll(arguments[0]).length", STONES)
        self.click(f".flat [data-place='{place}']")
        self.wait("document.querySelectorAll(arguments[0]).length > arguments[1]"
                  " && !document.getElementById('status').textContent.includes('thinking')",
                  STONES, count)

    def hover(self, x, y):
        """Move the mouse there, in pixels from the upper left corner."""
        self.browser.execute_cdp_cmd("Input.dispatchMouseEvent",
                                     {"type": "mouseMoved", "x": x, "y": y})

    def tap(self, x, y, to=None):
        """Touch the screen there, and leave it there or at another place."""
        ends = [(x, y), *([to] if to else [])]
        for kind, (across, down) in zip(("touchStart", "touchMove"), ends):
            self.browser.execute_cdp_cmd("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": across, "y": down}]})
        self.browser.execute_cdp_cmd("Input.dispatchTouchEvent",
                                     {"type": "touchEnd", "touchPoints": []})

    def finger(self, wanted=True):
        """From now on the screen is touched, or it is not."""
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": wanted})

    def box(self, selector):
        """Where an element is on the screen."""
        return self.ask("document.querySelector(arguments[0]).getBoundingClientRect().toJSON()",
                        selector)

    def console(self):
        """What the browser has complained about, but for a server that was ended."""
        return [line for line in self.browser.get_log("browser")
                if "ERR_CONNECTION_REFUSED" not in line["message"]]

    def over(self):
        return "wins" in self.text("status") or "Draw" in self.text("status")

    def width(self, kind):
        width, height = WIDTHS[kind]
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": kind == "phone"})

    def scheme(self, name):
        """Show it in light or dark; what else was said of media is forgotten."""
        self.media("prefers-color-scheme", name)

    def moving(self):
        """From now on, until another scheme is shown, things move."""
        self.media("prefers-reduced-motion", "no-preference")

    def media(self, feature, value):
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": feature, "value": value}]})

    def check_accessibility(self, boards=("wood",)):
        """axe-core has nothing to say of what is shown, on these boards, in light and dark."""
        found = axe.Axe(self.browser)
        found.inject()
        rules = EVERY_RULE
        for board in boards:
            self.ask("(document.documentElement.dataset.board = arguments[0])", board)
            for scheme in ("light", "dark"):
                self.scheme(scheme)
                options = json.dumps({**rules, "resultTypes": ["violations"]})
                violations = found.run(options=options)["violations"]
                assert violations == [], found.report(violations)
                rules = RULES_OF_COLOURS
