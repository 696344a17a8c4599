"""Makes the manual's pictures: real games on the pages of the server, as Chromium shows them.

    python docs/pictures/pictures.py [NAME ...]
    python docs/pictures/pictures.py --check

The first command makes all pictures, or those of the names; it needs Pillow, `.[test]`, Chromium
and chromium-driver.  The picture of GoGui needs Xvfb, xdotool, ImageMagick and GoGui, whose command
is GOGUI or `gogui`.  The second command prints a line if the pages have changed since the pictures
were made.
"""

import argparse
import hashlib
import io
import json
import os
import runpy
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from base64 import b64encode
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
DIGESTS = HERE / "pictures.json"
LARGEST, LARGEST_MOVING = 120_000, 1_000_000  # bytes of a picture
OLDER = "pictures older than the page: run python docs/pictures/pictures.py"
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
PERSON = {"player": "person", "settings": {}}
FORBIDDEN_GAME = "H8 H9 G9 J9 L9 J8 L7 J7 F11 G10 J10 J6 J5 K8 K10 K7"
GOGUI_SECONDS = 5  # for GoGui to show the effect of a command
NO_CLOCK = {"per_move": None, "per_game": None, "increment": 0}
NAMES = "PB[alphabeta]PW[level 8]RE[B+]"
TOURNAMENT = ("level 8=alphabeta,level=8", "alphabeta 2k=alphabeta,nodes=2000",
              "level 7=alphabeta,level=7", "level 6=alphabeta,level=6")
OTHER_GAMES = (  # name, size, levels of the two players, seed
    ("Caro", 15, 7, 6, 2), ("Pente", 19, 6, 5, 2), ("Qubic", None, 5, 4, 1),
    ("Renju", 15, 7, 6, 2), ("Keryo-Pente", 19, 6, 5, 2), ("Gomoku", 15, 9, 8, 3))


def digest():
    """Return a digest of the scripts, styles and texts of the pages."""
    found = hashlib.sha256()
    for folder in ("arena/static", "classroom/pages", "web/static"):
        for path in sorted((TOP / "gtp_engine" / folder).rglob("*")):
            if path.is_file() and path.parent.name != "texts":  # the pictures are in English
                found.update(f"{path.name}\n".encode() + path.read_bytes())
    return found.hexdigest()[:16]


def older():
    """Return the names of the pictures that were made from other pages than those of today."""
    return [name for name, made in json.loads(DIGESTS.read_text()).items() if made != digest()]


def seat(level):
    """Return the settings of a seat of that level."""
    return {"player": "alphabeta", "settings": {"level": str(level)}}


class Studio:
    """A server with its games, and a browser that shows them.

    strong  the points of a long game that alphabeta wins with Black against level 8
    values  the value for Black after each of its moves, from -1 to 1
    """

    def __init__(self, folder):
        from selenium import webdriver

        from tests.browser import Tab
        from tests.conftest import LEAN_BROWSER
        from tests.web import Server
        self.folder, self.servers, self._tournament = folder, [], None
        self.strong = strong_game()
        self.values = values_of(self.strong)
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for word in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "hide-scrollbars",
                     "lang=en", "window-size=1280,900", *LEAN_BROWSER,
                     f"user-data-dir={folder / 'browser'}"):
            options.add_argument(f"--{word}")
        self.browser = webdriver.Chrome(
            options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
        self.tab_of = lambda server: Tab(self.browser, server.address)
        self.serve = lambda *words: self.servers.append(Server(*words)) or self.servers[-1]
        self.server = self.serve(folder / "data")
        self.tab = self.show(self.server)

    def close(self):
        """End the browser and the servers."""
        self.browser.quit()
        for server in self.servers:
            server.stop()

    def show(self, server):
        """Show the first page of a server in light, on a desktop."""
        tab = self.tab_of(server)
        tab.width("desktop")
        tab.scheme("light")
        return tab

    def game(self, points, black=PERSON, white=PERSON, name="Gomoku", size=15, server=None):
        """Enter a game on a server; return its part of the address."""
        page = (server or self.server).page()
        page.new(name, size)
        for point in points:
            page.play(point)
        if PERSON != black or PERSON != white:
            page.say("seats", black=black, white=white, control=NO_CLOCK)
            page.until("game", lambda state: state["seats"]["white"]["player"] == white["player"])
        page.close()
        return f"#game={page.state['id']}"

    def load(self, server, text):
        """Load an SGF into a server; return the page without a browser that has done it."""
        page = server.page()
        page.say("load", data=b64encode(text.encode()).decode())
        page.until("game")
        return page

    def at(self, count, opponent=8):
        """Show the strong game after some moves, as a game of a person with Black."""
        page = self.load(self.server, sgf(self.strong[:count], self.values))
        if opponent:
            page.say("seats", black=PERSON, white=seat(opponent), control=NO_CLOCK)
            page.until("game", lambda state: state["seats"]["white"]["player"] == "alphabeta")
            page.say("continue", playing=True)
        page.close()
        self.tab.show(f"#game={page.state['id']}")
        self.tab.frame()
        return self.tab

    @property
    def tournament(self):
        """The results of a tournament of Renju with the 26 openings."""
        if self._tournament is None:
            self._tournament = self.folder / "Renju.jsonl"
            subprocess.run([
                sys.executable, "-m", "gtp_engine", "tournament", *TOURNAMENT, "--game", "Renju",
                "--rounds", "5", "--openings", "renju26", "--seed", "7", "--games",
                str(self._tournament)], cwd=TOP, check=True, stdout=subprocess.DEVNULL)
        return self._tournament

    def shot(self):
        """Return the present view as bytes of a PNG, once the kernels are compiled."""
        self.tab.hover(2, 2)
        self.tab.wait("!document.getElementById('preparing').checkVisibility()")
        self.tab.wait("document.getAnimations().length === 0")
        self.tab.frame()
        return self.browser.get_screenshot_as_png()


def places(name, size, moves):
    """Return the points of moves as numbers of the page."""
    import gtp_engine
    game = gtp_engine.Game(name, size) if size else gtp_engine.Game(name)
    return [game.to_index(move) for move in moves]


def played(name, size, first, second, seed, openings="none"):
    """Return a game between two players of this package."""
    import gtp_engine
    return gtp_engine.match(first, second, games=1, name=name, size=size, seed=seed,
                            openings=openings)[0]


def strong_game():
    """Return the points of the first game of 40 to 60 moves that alphabeta wins."""
    for seed in range(1, 100):
        game = played("Gomoku", 15, "alphabeta,nodes=30000", "alphabeta,level=8", seed, "even")
        if game.winner == game.first == "alphabeta" and 40 <= len(game.moves) <= 60:
            return places("Gomoku", 15, game.moves)
    raise ValueError("no game is long enough")


def values_of(strong):
    """Return the values for Black after each move of a game that Black wins."""
    import gtp_engine
    game = gtp_engine.Game("Gomoku", 15)
    for place in strong:
        game.play(place)
    return [move.value_after if move.colour == "black" else -move.value_after
            for move in gtp_engine.Engine("alphabeta", nodes=20_000).review(game)]


def sgf(strong, values=(), names=""):
    """Return a game as SGF, with the values for Black if there are any."""
    letters = "abcdefghijklmno"
    moves = "".join(
        f";{'BW'[number % 2]}[{letters[place % 15]}{letters[14 - place // 15]}]"
        + ("" if value is None else f"V[{value:.3f}]")
        for number, (place, value) in enumerate(zip_longest(strong, values[:len(strong)])))
    return f"(;GM[4]FF[4]GN[Gomoku]SZ[15]{names}{moves})"


def board(studio):
    """A game in its middle, in both themes and on a phone."""
    studio.at(24)
    light = studio.shot()
    studio.tab.scheme("dark")
    dark = studio.shot()
    studio.tab.width("phone")
    return {"board.png": light, "board-dark.png": dark, "phone.png": studio.shot()}


def form(studio):
    """The form of a new game."""
    tab = studio.at(24)
    tab.ask("localStorage.setItem('gtp_engine.newGame', arguments[0])", json.dumps({
        "game": "Gomoku", "size": 15, "black": PERSON, "white": seat(5), "control": NO_CLOCK}))
    tab.click("#new-game")
    tab.wait("document.getElementById('dialog').open")
    picture = studio.shot()
    tab.click("#dialog-cancel")
    return {"form.png": picture}


def end(studio):
    """The end of a won game."""
    tab = studio.at(len(studio.strong) - 1)
    tab.click(f".flat [data-place='{studio.strong[-1]}']")
    tab.wait("document.getElementById('ending').checkVisibility()")
    return {"end.png": studio.shot()}


def cube(studio):
    """The cube of 4x4x4."""
    name, size, *levels, seed = next(row for row in OTHER_GAMES if row[0] == "Qubic")
    studio.tab.show(other_game(studio, name, size, *levels, seed))
    studio.tab.wait("document.querySelectorAll('.cube .won').length === 4")
    return {"cube.png": studio.shot()}


def other_game(studio, name, size, first, second, seed):
    """Enter a game between two levels; return its part of the address."""
    game = played(name, size, f"alphabeta,level={first}", f"alphabeta,level={second}", seed)
    return studio.game(places(name, size, game.moves), seat(first), seat(second), name,
                       size or 8)


def analysis(studio):
    """Values of moves, and the best lines."""
    tab = studio.at(26, opponent=None)
    tab.press("a")
    tab.wait("document.querySelectorAll('#best li').length === 5"
             " && document.querySelectorAll('.flat .hot').length > 5")
    time.sleep(8)  # the values of a deeper search
    picture = studio.shot()
    tab.press("a")
    return {"analysis.png": picture}


def proof(studio):
    """The earliest position of Black in the game for which a proof is quick."""
    import gtp_engine
    game = gtp_engine.Game("Gomoku", 15)
    engine = gtp_engine.Engine("alphabeta", nodes=30_000)
    for number, place in enumerate(studio.strong):
        if number % 2 == 0 and number > 20 and engine.solve(game, 3).result == "black":
            break
        game.play(place)
    tab = studio.at(number, opponent=None)
    tab.press("p")
    tab.wait("document.querySelector('#proof .why')")
    tab.click("#proof button")
    tab.wait("document.querySelectorAll('.flat .ghost').length > 2")
    return {"proof.png": studio.shot()}


def variations(studio):
    """A game with the comments and better lines of a review."""
    path = studio.folder / "strong.sgf"
    path.write_text(sgf(studio.strong, studio.values, NAMES))
    subprocess.run([sys.executable, "-m", "gtp_engine", "review", str(path), "--nodes", "20000",
                    "--output", str(studio.folder / "reviewed")], cwd=TOP, check=True,
                   stdout=subprocess.DEVNULL)
    tab = studio.show(studio.server)
    tab.click("#tab-file")
    before = tab.ask("location.hash")
    tab.browser.find_element("id", "file").send_keys(str(studio.folder / "reviewed" / path.name))
    tab.wait("location.hash !== arguments[0]", before)
    tab.click("#tab-moves")
    tab.wait("document.querySelector('.variation')")
    last = ("[...document.querySelectorAll('.variation')].findLast((each) => each.textContent"
            ".includes('This was better.'))")
    tab.ask(f"{last}.querySelector('.move').click()")
    tab.wait("document.getElementById('comment').value === 'This was better.'")
    tab.ask(f"{last}.scrollIntoView({{block: 'center'}})")
    return {"variations.png": studio.shot()}


def marks(studio):
    """The last moves, two candidates, and the diagonal that one of them extends."""
    tab = studio.at(24, opponent=None)
    page = studio.server.page()
    identity = tab.ask("location.hash").partition("=")[2]
    page.say("open", id=identity)
    page.until("game", lambda state: state["id"] == identity)
    strong = studio.strong
    for kind, point, text in (("square", strong[23], ""), ("label", strong[24], "A"),
                              ("label", strong[26], "B"), ("triangle", strong[22], ""),
                              ("triangle", strong[20], "")):
        page.say("mark", id=identity, kind=kind, point=point, text=text)
    page.say("arrow", id=identity, point=strong[20], to=strong[28])
    tab.wait("document.querySelectorAll('.flat .signed').length === 5")
    tab.wait("document.querySelectorAll('.flat .arrow').length === 1")
    page.close()
    tab.press("d")
    return {"marks.png": studio.shot()}


def proved(studio):
    """The proof of White's answers."""
    says = "document.getElementById('proved').textContent.includes(arguments[0])"
    studio.tab.show(studio.game((112, 97, 96, 80, 126)))
    studio.tab.click("#tab-analysis")
    studio.tab.wait(says, "White loses in at most 56 plies after every reply.")
    studio.tab.wait("document.querySelectorAll('.flat .hot.tone-lost').length === 220")
    return {"proved.png": studio.shot()}


def explorer(studio):
    """The next moves of a collection."""
    collection = studio.folder / "Renju.games"
    subprocess.run([sys.executable, "-m", "gtp_engine", "explore", "--index", str(collection),
                    str(studio.tournament)], cwd=TOP, check=True, stdout=subprocess.DEVNULL)
    server = studio.serve(studio.folder / "explored", "--collection", str(collection))
    studio.tab = tab = studio.show(server)
    tab.show(studio.game((112, 127), name="Renju", server=server))
    tab.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": 1600, "height": 900, "deviceScaleFactor": 1, "mobile": False})
    tab.click("#tab-explorer")
    tab.wait("document.querySelectorAll('#answers tbody tr').length > 4")
    picture = studio.shot()
    return {"explorer.png": picture}


def games(studio):
    """The list of games."""
    usual, studio.server = studio.server, studio.serve(studio.folder / "games")
    for row in OTHER_GAMES:
        other_game(studio, *row)
    studio.tab = studio.show(studio.server)
    studio.at(24)
    studio.tab.click("#show-games")
    studio.tab.wait("document.querySelectorAll('#games tbody tr').length > 6")
    studio.tab.wait("[...document.querySelectorAll('#games img')].every(e => e.naturalWidth)")
    picture, studio.server = studio.shot(), usual
    return {"games.png": picture}


def review(studio):
    """A review of the game, at White's decisive mistake, and the way there as a moving picture."""
    tab, strong, frames = studio.tab, studio.strong, []
    for count in (9, 17, 25, 33, 41, len(strong) - 1):
        studio.at(count - count % 2)
        frames.append(studio.shot())
    tab.click(f".flat [data-place='{strong[-1]}']")
    tab.wait("document.getElementById('ending').checkVisibility()")
    frames.append(studio.shot())
    tab.click("#end-review")
    tab.wait("document.getElementById('review-text').textContent.startsWith('Review complete')")
    frames.append(studio.shot())
    tab.click("#moments button")
    tab.wait("document.querySelectorAll('.flat .ghost').length > 0")
    picture = studio.shot()
    frames.append(picture)
    tab.click("#better")
    tab.wait("document.getElementById('better').ariaPressed === 'true'")
    frames.append(studio.shot())
    for _ in range(2):
        tab.ask("document.getElementById('next-mistake').click()")
        tab.frame()
        time.sleep(0.3)
        frames.append(studio.shot())
    return {"review.png": picture, "review.webp": frames}


def puzzle(studio):
    """A wrong move in a puzzle of Gomoku and its refutation, a cube, and a phone in the dark."""
    from tests.test_browser_puzzles import GHOSTS, REPLY, Shown
    tab, found = studio.tab, {}

    def show(game, kind):
        tab.ask("localStorage.setItem('gtp_engine.puzzles', arguments[0])",
                json.dumps({"game": game, "kind": kind}))
        tab.show()
        tab.click("#show-puzzles")
        tab.wait("document.getElementById('puzzle-task').textContent")
        return Shown(tab)

    shown = show("Gomoku", "threats")
    shown.solve()
    tab.click("#puzzle-next")
    tab.wait(f"{REPLY} === ''")
    shown = Shown(tab)
    right = shown.line[0]
    empty = [places("Gomoku", 15, [point])[0] for point in legal(shown)]
    shown.press(min((place for place in empty if place not in shown.line), key=lambda place: (
        abs(place // 15 - right // 15) + abs(place % 15 - right % 15))))
    tab.wait(f"{REPLY}.includes('Try again.')")
    tab.wait(f"{GHOSTS} > 1")
    found["puzzle.png"] = studio.shot()
    show("Qubic", "rows")
    tab.wait("document.querySelector('#puzzle-boards .cube')")
    found["puzzle-cube.png"] = studio.shot()
    tab.width("phone")
    shown = show("Renju", "fours")
    shown.press(shown.line[0])
    tab.wait(f"{REPLY}.startsWith('Correct. ')")
    tab.scheme("dark")
    found["puzzle-phone.png"] = studio.shot()
    return found


def legal(shown):
    """Return the empty points of a puzzle on 15x15 in GTP's letters."""
    points = [*shown.position.lattice.points]
    return [f"{LETTERS[place % 15]}{place // 15 + 1}" for place in (
        points.index(point) for point in shown.position.legal_moves())]


def tournament(studio):
    """The table and the ratings of a tournament."""
    server = studio.serve(studio.folder / "watched", str(studio.tournament))
    studio.tab = tab = studio.show(server)
    tab.click("#show-tournament")
    tab.wait("document.querySelectorAll('#ratings .curve').length === 4")
    picture = studio.shot()
    return {"tournament.png": picture}


def lesson(studio):
    """Spectators guess Black's move; most of them choose moves that the engine considers."""
    import gtp_engine
    folder = studio.folder / "lesson"
    teacher, others = studio.serve(folder), studio.serve(folder, "--watch-only")
    strong, count = studio.strong, 26
    game = gtp_engine.Game("Gomoku", 15)
    for place in strong[:count]:
        game.play(place)
    lines = gtp_engine.Engine("alphabeta").analyse(game, lines=5, nodes=100_000)
    right = strong[count]
    wrong = [place for place in (game.to_index(line.move) for line in lines)
             if place != right][:4]
    page = studio.load(teacher, sgf(strong, studio.values, NAMES))
    page.close()
    studio.tab = tab = studio.show(teacher)
    tab.show(f"#game={page.state['id']}")
    tab.click("#last")
    tab.wait("document.querySelectorAll('.flat .won').length === 5")
    for _ in range(len(strong) - count):
        before = len(tab.stones())
        tab.click("#previous")
        tab.wait("document.querySelectorAll('.flat .point:is(.black, .white):not(.ghost)').length"
                 " < arguments[0]", before)
    tab.click("#tab-file")
    tab.click("#lesson-begin")
    tab.wait("document.getElementById('lesson-ask').checkVisibility()")
    first = studio.browser.current_window_handle
    studio.browser.switch_to.new_window("tab")
    studio.tab = watcher = studio.show(others)
    watcher.show("#lesson")
    watcher.wait("document.getElementById('lesson').checkVisibility()")
    studio.browser.switch_to.window(first)
    tab.press("q")
    tab.wait("document.getElementById('lesson-show').checkVisibility()")
    studio.browser.switch_to.window(studio.browser.window_handles[-1])
    watcher.wait("document.querySelector('.flat .open-black')")
    watcher.click(f".flat [data-place='{right}']")
    watcher.wait("document.getElementById('lesson-text').textContent.includes('Your guess')")
    guess = studio.shot()
    pages = [others.page() for _ in range(24)]
    guesses = [*10 * [right], *6 * wrong[:1], *4 * wrong[1:2], *3 * wrong[2:3], *wrong[3:4]]
    for number, (page, place) in enumerate(zip(pages, guesses)):
        page.say("follow", ticket=f"other {number}")
        question = page.until("lesson", lambda message: message["asked"])["asked"]
        page.say("guess", number=question["number"], point=place)
        page.until("guessed")
    studio.browser.switch_to.window(first)
    studio.tab = tab
    tab.wait("document.getElementById('lesson-count').textContent.startsWith(arguments[0])",
             str(len(guesses) + 1))
    tab.click("#lesson-show")
    tab.wait("document.querySelectorAll('.flat .hot').length > 3")
    picture = studio.shot()
    for page in pages:
        page.close()
    studio.browser.switch_to.window(studio.browser.window_handles[-1])
    studio.browser.close()
    studio.browser.switch_to.window(first)
    return {"lesson.png": picture, "guess.png": guess}


def forbidden(studio):
    """The picture of the rules of Renju that the server draws."""
    studio.tab.ask("(location.hash = 'rules=Renju')")
    studio.tab.wait("document.querySelector('#rules-page img')")
    text = studio.tab.browser.execute_async_script(
        "fetch(document.querySelector('#rules-page img').src)"
        ".then((reply) => reply.text()).then(arguments[0])")
    return {"forbidden.svg": text}


def classroom(studio):
    """The results of a class: right, unfinished and broken submissions."""
    fakes = runpy.run_path(str(TOP / "course" / "fakes.py"))
    right = (TOP / "course" / "solution" / "gomoku.py").read_bytes()
    starter = (TOP / "course" / "starter" / "gomoku.py").read_bytes()
    readme = {"readme.txt": b"Gomoku\n"}
    submissions = {
        "Alvarez Maria": {"gomoku.py": right, **readme}, "Chen Wei": {"gomoku.py": right},
        "Diallo Awa": {"gomoku.py": right.replace(b"white", b"White"), **readme},
        "Eriksen Jonas": {"gomoku.py": starter, **readme},
        "Fischer Lena": {"gomoku.py": b"import numpie\n" + right, **readme},
        "Gupta Ravi": {"gomoku.py": right.replace(b"draw", b"tie"), **readme},
        "Horvat Ana": {"gomoku.py": b"def play(:\n" + right, **readme},
        "Ito Kenji": {"gomoku.py": right, ".git/HEAD": b"", **readme}}
    (studio.folder / "handed-in").mkdir()
    for name, files in submissions.items():
        fakes["as_tgz"](studio.folder / "handed-in" / f"{name}.tgz", files)
    results = studio.folder / "results"
    subprocess.run([
        sys.executable, "-m", "gtp_engine", "regress", "--submissions",
        str(studio.folder / "handed-in"), "--tests", "course/tests", "--course",
        "course/course.toml", "--results", str(results)], cwd=TOP, stdout=subprocess.DEVNULL)
    studio.browser.get((results / "index.html").as_uri())
    picture = studio.browser.get_screenshot_as_png()
    studio.tab.show()
    return {"classroom.png": picture}


def gogui(studio):
    """The points that Renju forbids Black, on the board of GoGui."""
    environment = dict(os.environ, DISPLAY=":57", _JAVA_OPTIONS=f"-Duser.home={studio.folder}")

    def xdotool(*words):
        return subprocess.run(["xdotool", *map(str, words)], env=environment, check=True,
                              capture_output=True, text=True).stdout

    def window(title):
        # Wait for the window with this title.
        return xdotool("search", "--sync", "--onlyvisible", "--name", title).split()[0]

    with ExitStack() as programs:
        for command in (["Xvfb", environment["DISPLAY"], "-wr", "-screen", "0", "985x590x24"],
                        [*shlex.split(os.environ.get("GOGUI", "gogui")), "-size", "15",
                         "-computer-none", "-program", f"{shlex.quote(sys.executable)} gomoku3.py "
                         "--game Renju --player alphabeta"]):
            program = programs.enter_context(subprocess.Popen(
                command, cwd=TOP, env=environment, stderr=subprocess.DEVNULL))
            programs.callback(program.terminate)
            time.sleep(GOGUI_SECONDS / 10)  # the screen is ready
        window("^Renju")
        time.sleep(GOGUI_SECONDS)  # the engine has answered the first commands
        for point in FORBIDDEN_GAME.split():
            column, row = LETTERS.index(point[0]), 15 - int(point[1:])
            xdotool("mousemove", 28 + 32 * column, 89 + 32 * row, "click", 1)
            time.sleep(GOGUI_SECONDS / 10)
        xdotool("key", "F8")
        xdotool("windowmove", "--sync", window("^Analyze"), 718, 0)
        xdotool("mousemove", 790, 128, "click", "--repeat", 2, "--delay", 100, 1)
        time.sleep(GOGUI_SECONDS)
        picture = subprocess.run(["import", "-window", "root", "png:-"], env=environment,
                                 check=True, stdout=subprocess.PIPE).stdout
    return {"gogui.png": picture}


MAKERS = (board, form, end, cube, analysis, proof, variations, marks, proved, explorer, games,
          review, puzzle, tournament, lesson, classroom, forbidden, gogui)


def still(data):
    """Return a PNG with a palette, of 256 colours unless it is too large."""
    from PIL import Image
    picture = Image.open(io.BytesIO(data)).convert("RGB")
    for colours in (256, 192, 128, 64):
        output = io.BytesIO()
        picture.quantize(colours, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
            output, "PNG", optimize=True)
        if output.tell() <= LARGEST:
            break
    return output.getvalue()


def moving(frames):
    """Return an animated WebP of the frames."""
    from PIL import Image
    pictures = [Image.open(io.BytesIO(data)).convert("RGB") for data in frames]
    output = io.BytesIO()
    pictures[0].save(output, "WEBP", save_all=True, append_images=pictures[1:], loop=0,
                     duration=[1000] * 6 + [2000] * (len(frames) - 6), lossless=True, quality=100,
                     method=4)
    return output.getvalue()


def save(found):
    """Write pictures and their digests."""
    digests = json.loads(DIGESTS.read_text()) if DIGESTS.exists() else {}
    for name, content in found.items():
        if name.endswith(".svg"):
            (HERE / name).write_text(content, encoding="utf-8")
            continue
        data, most = ((still(content), LARGEST) if name.endswith(".png")
                      else (moving(content), LARGEST_MOVING))
        if len(data) > most:
            print(f"{name} has {len(data):,} bytes", file=sys.stderr)
        (HERE / name).write_bytes(data)
        digests[name] = digest()
    DIGESTS.write_text(json.dumps(dict(sorted(digests.items())), indent=0) + "\n")


def main():
    """Make the pictures, or compare them with the pages of today."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="makers: all by default")
    parser.add_argument("--check", action="store_true", help="compare with the pages of today")
    options = parser.parse_args()
    if options.check:
        if older():
            print(OLDER)
        return
    sys.path.insert(0, str(TOP))
    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(Path(folder))
        try:
            for maker in MAKERS:
                if not options.names or maker.__name__ in options.names:
                    studio.tab = studio.show(studio.server)
                    save(maker(studio))
                    print(maker.__name__)
        finally:
            studio.close()


if __name__ == "__main__":
    main()
