"""Environments of PettingZoo and Gymnasium: their own conformance tests, and the games in them."""

import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, render_test, seed_test

import gtp_engine
from gtp_engine.games import catalogue
from gtp_engine.library import env as environments
from gtp_engine.library.environments import vector as vectors
from gtp_engine.library.environments.state import rules_and_size
from tests.engine import PATIENCE

TOP = Path(__file__).parent.parent
NAMES = ["Tic-tac-toe", "Gomoku-7", "Pente-9", "Renju-9", "Gomoku-swap-6", "Qubic-3",
         "4-in-a-row-7x6"]
pytestmark = pytest.mark.filterwarnings("ignore:.*Box.*precision.*", "ignore:.*render_mode.*")

SIZES = [  # the name and size in a call, the game and its size
    ("Gomoku", None, ("Gomoku", 7)), ("gomoku-15", None, ("Gomoku", 15)),
    ("Gomoku", 9, ("Gomoku", 9)),
    ("Qubic-3", None, ("Qubic-3", 6)), ("4-in-a-row", None, ("4-in-a-row", 7)),
    ("4-in-a-row-7x6", None, ("4-in-a-row", (7, 6))), ("Gomoku-exact-15", 9, ("Gomoku-exact", 9)),
    ("Renju-15x9", None, ("Renju", (15, 9))), (catalogue.PENTE, None, ("Pente", 19))]


@pytest.mark.parametrize("name, size, expected", SIZES)
def test_names_and_sizes(name, size, expected):
    rules, found = rules_and_size(name, size)
    assert (rules.name, found) == expected


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.few(3)
def test_conformance_to_pettingzoo(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # on observations that are no pictures
        api_test(environments.pettingzoo(name), num_cycles=200)
        seed_test(lambda: environments.pettingzoo(name), num_cycles=20)


def test_rendering(capsys):
    render_test(lambda render_mode: environments.pettingzoo("Gomoku-7", render_mode=render_mode))
    assert "A B C D E F G" in capsys.readouterr().out
    picture = environments.gymnasium("Qubic", render_mode="rgb_array")
    picture.reset(seed=1)
    assert picture.render().shape == (160, 160, 3)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.few(3)
def test_conformance_to_gymnasium(name):
    """With the opponents, too; the checker passes illegal actions as well as legal ones."""
    rules, size = rules_and_size(name, None)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = gymnasium.make("gtp_engine/Board-v0", game=rules.name, size=size)
        check_env(made.unwrapped)
    played = gymnasium.make("gtp_engine/Board-v0", game=name, opponent="random")  # checks each step
    for seed in range(3):
        observation, info = played.reset(seed=seed)
        over = False
        while not over:
            assert (observation["action_mask"] == info["action_mask"]).all()
            action = played.action_space.sample(info["action_mask"])
            observation, reward, over, truncated, info = played.step(action)
            assert not truncated and (over or reward == 0)
        assert reward in (-1, 0, 1)


def test_the_game_of_two_agents():
    """Ann makes three in a row; the observations are those of the agent."""
    env = environments.pettingzoo("Tic-tac-toe")
    env.reset()
    for agent, action in zip(env.agent_iter(), (0, 3, 1, 4, 2)):
        observation = env.observe(agent)
        other = env.observe({"player_0": "player_1", "player_1": "player_0"}[agent])
        planes = observation["observation"]
        assert (planes[0] == other["observation"][1]).all()
        assert (planes[2].reshape(-1) == observation["action_mask"]).all()
        assert not other["action_mask"].any() and not other["observation"][2].any()
        assert (planes[3] == (agent == "player_0")).all()
        env.step(action)
    assert env.rewards == {"player_0": 1, "player_1": -1} and all(env.terminations.values())


def test_a_draw_and_an_illegal_action():
    env = environments.pettingzoo("Tic-tac-toe")
    env.reset()
    for action in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        env.step(action)
    assert env.rewards == {"player_0": 0, "player_1": 0} and all(env.terminations.values())
    env.reset()
    env.step(4)
    env.step(4)
    assert env.rewards == {"player_0": 0, "player_1": -1}


class First:
    """Plays the first legal point."""

    name = "first"

    def choose(self, game, limits):
        return game.legal_moves()[0]


OPPONENTS = ["random", "flat", 1, First(), gtp_engine.Engine("random", seed=1)]


@pytest.mark.parametrize("opponent", OPPONENTS, ids=["random", "flat", "level", "own", "engine"])
def test_opponents(opponent):
    """Each plays legal moves, and the same ones after the same seed."""
    env = gymnasium.make("gtp_engine/Gomoku7-v0", opponent=opponent)
    games = []
    for _ in range(2):
        env.reset(seed=5, options={"colour": "white"})
        assert env.unwrapped.game.moves and env.unwrapped.game.turn == "white"
        for action in (0, 1, 2):
            if env.unwrapped.game.mask()[action]:
                env.step(action)
        games.append(env.unwrapped.game.moves)
    assert games[0] == games[1] and len(games[0]) >= 3


REFUSED = [
    (lambda: environments.gymnasium("Go"), "no such game: Go "),
    (lambda: environments.gymnasium("Gomoku-99"), "Gomoku is played on sizes "),
    (lambda: environments.gymnasium(opponent=11), "no such level: 11 .available: 1 to 10."),
    (lambda: environments.gymnasium(opponent="x"), "no such player: x "),
    (lambda: environments.gymnasium(opponent=3.5), "not a player: 3.5"),
    (lambda: environments.gymnasium(colour="red"), "no such colour: red"),
    (lambda: environments.gymnasium(render_mode="x"), "no such render mode: x .available: ansi "),
    (lambda: environments.vector(opponent="flat"), "no such opponent of many games: 'flat'"),
    (lambda: environments.vector(num_envs=0), "the number of boards must be a whole number of 1"),
]


@pytest.mark.parametrize("call, reason", REFUSED)
def test_refusals(call, reason):
    with pytest.raises(ValueError, match=reason):
        call()


def test_display():
    assert [repr(env) for env in (
        environments.pettingzoo("Gomoku-9"), environments.gymnasium("Renju-9", opponent=3),
        environments.vector("Qubic", num_envs=2))] == [
            "<PettingZoo Gomoku 9x9>", "<BoardEnv Renju 9x9 against alphabeta>",
            "<BoardVectorEnv of 2 boards of Qubic 4x4x4>"]


def test_an_illegal_action_loses():
    env = environments.gymnasium("Tic-tac-toe", colour="black")
    env.reset(seed=1)
    env.step(4)
    _, reward, over, _, info = env.step(4)
    assert (reward, over, info["illegal_action"]) == (-1, True, True)
    with pytest.raises(ValueError, match="the game is over: call reset"):
        env.step(0)


def last_legal(boards):
    """An opponent of many games."""
    return boards.points - 1 - boards.mask[:, ::-1].argmax(axis=1)


@pytest.mark.parametrize("name, opponent", [
    ("Gomoku-6", "random"), ("Tic-tac-toe", last_legal), ("Gomoku-swap-6", "random"),
    ("Pente-7", "random"), ("Renju-7", last_legal)])
def test_many_games(name, opponent):
    """Each game of the vector environment is a game of the single one."""
    n, rng = 32, np.random.default_rng(1)
    envs = environments.vector(name, num_envs=n, opponent=opponent)
    assert envs.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    boards, kind = envs.boards, (envs.boards.rules, rules_and_size(name, None)[1])
    play, reset, games = boards.play, boards.reset, [gtp_engine.Game(*kind) for _ in range(n)]

    def played(actions, where):
        play(actions, where)
        for g in np.flatnonzero(where):
            games[g].play(int(actions[g]))

    def begun(where):
        reset(where)
        for g in np.flatnonzero(where):
            games[g] = gtp_engine.Game(*kind)

    boards.play, boards.reset = played, begun
    observations, infos = envs.reset(seed=3)
    assert {1, 2} == {*envs.colours.tolist()}
    rewards, over, finished = np.zeros(n), np.zeros(n, bool), 0
    for _ in range(60):
        assert envs.observation_space.contains(observations)
        for g, game in enumerate(games):
            own = envs.colours[g]
            planes = observations["observation"][g]
            assert (planes[0] == (game.array() == own)).all()
            assert (planes[1] == (game.array() == 3 - own)).all()
            if over[g]:
                assert game.outcome and not infos["action_mask"][g].any()
                winner = {None: 0, "black": 1, "white": 2}[game.outcome.winner]
                assert rewards[g] == (0 if not winner else 1 if winner == own else -1)
                finished += 1
            else:
                assert (infos["action_mask"][g] == game.mask()).all()
                assert {"black": 1, "white": 2}[game.turn] == own
        actions = [int(rng.choice(np.flatnonzero(mask))) if mask.any() else 0
                   for mask in infos["action_mask"]]
        observations, rewards, over, truncated, infos = envs.step(actions)
        assert not truncated.any() and not infos["illegal_action"].any()
    assert finished > n


def test_illegal_actions_in_many_games():
    envs = gymnasium.make_vec("gtp_engine/Tic-tac-toe-v0", num_envs=3, colour="black")
    assert isinstance(envs.unwrapped, vectors.BoardVectorEnv)
    envs.reset(seed=1)
    occupied = [int(np.flatnonzero(stones)[0]) if stones.any() else 4
                for stones in envs.step([4, 4, 4])[0]["observation"][:, 0]]
    _, rewards, over, _, infos = envs.step([occupied[0], 99, -1])
    assert rewards.tolist() == [-1] * 3 and over.all() and infos["illegal_action"].all()
    observations, rewards, over, *_ = envs.step([0, 0, 0])
    assert not rewards.any() and not over.any() and not observations["observation"][:, :2].any()


def test_environments_can_be_pickled():
    env = pickle.loads(pickle.dumps(environments.pettingzoo("Gomoku-7")))
    env.reset()
    env.step(3)


def test_every_registered_environment():
    ids = [each for each in gymnasium.registry if each.startswith("gtp_engine/")]
    assert len(ids) > 40 and "gtp_engine/Gomoku15-v0" in ids and "gtp_engine/Qubic-3-v0" in ids
    for each in ids:
        game = gymnasium.make(each).unwrapped.game
        assert each.startswith((f"gtp_engine/{game.name}", "gtp_engine/Board-v0"))


def test_a_missing_extra_is_one_line():
    """Without Gymnasium the module can be imported, and says what installs it."""
    code = ("import sys\nsys.modules['gymnasium'] = None\nimport gtp_engine\n"
            "for call in (gtp_engine.env.pettingzoo, gtp_engine.env.gymnasium):\n"
            "    try: call()\n    except ImportError as error: print(error)")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=TOP,
                         timeout=PATIENCE)
    assert out.stderr == ""
    assert out.stdout == 2 * (
        "an environment needs the package gymnasium, which is not installed: python -m pip install "
        "'.[env]' in the folder of the sources installs it\n")


def test_the_registry_is_filled_by_the_module():
    """`gymnasium.make` imports the module that comes before the colon."""
    code = ("import gymnasium\n"
            "env = gymnasium.make('gtp_engine.library.env:gtp_engine/Gomoku15-v0')\n"
            "print(env.action_space)")
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=TOP,
                         timeout=PATIENCE)
    assert (out.stdout, out.stderr) == ("Discrete(225)\n", "")


@pytest.mark.thorough
def test_training(tmp_path, monkeypatch):
    """The example trains, writes a file, and plays legal moves with it."""
    pytest.importorskip("torch")
    from examples import train
    messages = []
    for name, value in {"BOARDS": 16, "STEPS": 8, "BATCH": 32}.items():
        monkeypatch.setattr(train, name, value)
    train.train(2, tmp_path / "network.pt", report=messages.append)
    player = train.NetworkPlayer(tmp_path / "network.pt")
    assert messages and 0 <= train.match(player, games=2) <= 2
