"""Train a network for Gomoku on 7x7 from nothing by self-play, and play with it.

    python examples/train.py                      train for about five minutes on two cores
    python examples/train.py --match gomoku7.pt   play 200 games against the player flat

It needs the extra `tuning` (PyTorch).  The network sees the planes of `Boards.observe`.  It returns
a logit for each point and the value for the side to move, from -1 to 1.

In self-play each position gets a look ahead of one move: WIDTH moves are drawn by their logits, and
the network rates the positions after them (Danihelka et al. 2022, "Policy improvement by planning
with Gumbel").  The policy learns the improved distribution, the value learns TD(lambda) returns.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn
from torch.nn import functional

import gtp_engine

NAME, SIZE, FILE = "Gomoku", 7, "gomoku7.pt"
BOARDS, STEPS, WIDTH = 256, 32, 8  # games at a time, moves of a round, moves of a look ahead
EPOCHS, BATCH, RATE, TRUST = 1.5, 1024, 2e-3, 0.8  # TRUST is the lambda of TD(lambda)
CONFIDENCE = 10  # the weight of a value of 1 beside the logits


class Network(nn.Module):
    """A small convolutional network with a policy head and a value head."""

    def __init__(self, planes=4, channels=32, layers=4):
        super().__init__()
        sizes = [planes, *[channels] * layers]
        self.body = nn.Sequential(*[
            part for before, after in zip(sizes, sizes[1:])
            for part in (nn.Conv2d(before, after, 3, padding=1), nn.ReLU())])
        self.policy = nn.Conv2d(channels, 1, 1)
        self.value = nn.Sequential(nn.Linear(2 * channels, 64), nn.ReLU(), nn.Linear(64, 1))

    def forward(self, planes):
        """Return the logits, float[n, points], and the values, float[n]."""
        body = self.body(planes)
        pooled = torch.cat([body.mean((2, 3)), body.amax((2, 3))], 1)
        return self.policy(body).flatten(1), self.value(pooled).squeeze(1).tanh()


@torch.inference_mode()
def evaluate(network, boards):
    """Return the network's logits and values of boards, as arrays; small batches stay in caches."""
    batches = torch.from_numpy(boards.observe()).split(256)
    logits, values = zip(*map(network, batches))
    return torch.cat(logits).numpy(), torch.cat(values).numpy()


def look_ahead(network, boards, width, rng=None):
    """Rate `width` moves of each board by the network's values after them.

    Returns the chosen actions, the improved distributions and the values of the positions.  With
    `rng`, the moves are a sample; without it they are the most likely ones.
    """
    logits, values = evaluate(network, boards)
    logits = np.where(boards.mask, logits, -np.inf)
    logits -= logits.max(axis=1, keepdims=True)
    noise = 0 if rng is None else rng.gumbel(size=logits.shape)
    moves = np.argsort(-(logits + noise), axis=1)[:, :width]
    parents = np.repeat(np.arange(boards.n), moves.shape[1])
    legal = boards.mask[parents, moves.reshape(-1)]
    after = boards.select(parents)
    after.play(moves.reshape(-1), legal)
    # The value after a move is the opponent's; a game that is over is won or drawn by its mover.
    rated = np.where(after.done, (after.winner > 0) * 1.0, -evaluate(network, after)[1])
    rated = np.where(legal, rated, -1.0).reshape(moves.shape)
    complete = np.repeat(values[:, None], boards.points, axis=1)  # unrated moves: the own value
    np.put_along_axis(complete, moves, rated, axis=1)
    improved = logits + CONFIDENCE * complete
    scores = np.take_along_axis(improved + noise, moves, axis=1)
    chosen = np.take_along_axis(moves, scores.argmax(axis=1)[:, None], axis=1)[:, 0]
    policy = np.exp(improved - improved.max(axis=1, keepdims=True))
    policy /= policy.sum(axis=1, keepdims=True)
    return chosen, policy.astype(np.float32), rated.max(axis=1)


def self_play(network, boards, rng):
    """Play STEPS moves on all boards; return planes, policies and TD(lambda) returns of each."""
    planes, policies, values, done, rewards = [], [], [], [], []
    for _ in range(STEPS):
        actions, policy, value = look_ahead(network, boards, WIDTH, rng)
        planes.append(boards.observe())
        boards.play(actions)
        policies.append(policy)
        values.append(value)
        done.append(boards.done.copy())
        rewards.append((boards.winner > 0) * 1.0)
        boards.reset(boards.done)
    values.append(look_ahead(network, boards, WIDTH, rng)[2])
    returns, target = [], values[STEPS]
    for t in reversed(range(STEPS)):
        later = -(TRUST * target + (1 - TRUST) * values[t + 1])
        target = np.where(done[t], rewards[t], later)
        returns.append(target.astype(np.float32))
    return [torch.from_numpy(np.concatenate(each)) for each in (planes, policies, returns[::-1])]


def train(rounds=70, file=FILE, seed=1, report=print):
    """Train a network by self-play and write it to a file."""
    torch.manual_seed(seed)
    rng, begun = np.random.default_rng(seed), time.monotonic()
    boards, network = gtp_engine.Boards(NAME, SIZE, n=BOARDS), Network()
    boards.play(boards.random_actions(rng))
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=1e-4)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=rounds)
    memory = []  # the last rounds
    for number in range(1, rounds + 1):
        memory = [*memory[-7:], self_play(network, boards, rng)]
        planes, policies, returns = (torch.cat(each) for each in zip(*memory))
        for _ in range(int(EPOCHS * BOARDS * STEPS / BATCH)):
            chosen = torch.from_numpy(rng.integers(len(planes), size=BATCH))
            turns, flip = int(rng.integers(4)), rng.random() < 0.5

            def turned(array, turns=turns, flip=flip):
                return torch.rot90(array.flip(-1) if flip else array, turns, (-2, -1))
            logits, values = network(turned(planes[chosen]))
            targets = turned(policies[chosen].reshape(-1, SIZE, SIZE)).flatten(1)
            loss = functional.cross_entropy(logits, targets) + functional.mse_loss(
                values, returns[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()
        if number % 10 == 0 or number == rounds:
            report(f"round {number} of {rounds}: loss {loss.item():.3f}, "
                   f"{time.monotonic() - begun:.0f} s")
    torch.save(network.state_dict(), file)
    return network


class NetworkPlayer:
    """A player: `gtp_engine.serve(NetworkPlayer())`, python:examples/train.py:NetworkPlayer."""

    name = "network"

    def __init__(self, file=FILE):
        """Load a file that `train` wrote.  Raises OSError if it cannot be read."""
        self.network = Network()
        self.network.load_state_dict(torch.load(file, weights_only=True))

    def choose(self, game, limits=None):
        """Return the action with the best value after it, and with the policy's favour."""
        boards = gtp_engine.Boards.from_games([game])
        return int(look_ahead(self.network, boards, boards.points)[0][0])


def match(player, games=200, seed=1):
    """Play against flat with its default settings, both colours in turn; return the points."""
    flat, points = gtp_engine.Engine("flat", seed=seed), 0.0
    for number in range(games):
        game, own = gtp_engine.Game(NAME, SIZE), ("black", "white")[number % 2]
        while not game.outcome:
            game.play(player.choose(game) if game.turn == own else flat.choose(game))
        points += 0.5 if game.outcome.winner is None else game.outcome.winner == own
    return points


def main():
    """Train, then play a match; or only play it."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=70, help="rounds of self-play")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--file", default=FILE, help="the file of the network")
    parser.add_argument("--games", type=int, default=200, help="games of the match")
    parser.add_argument("--match", metavar="FILE", help="play with this file, without training")
    options = parser.parse_args()
    if not options.match:
        train(options.rounds, options.file, options.seed)
    points = match(NetworkPlayer(options.match or options.file), options.games, options.seed)
    print(f"{points:g} points of {options.games} games against flat")


if __name__ == "__main__":
    main()
