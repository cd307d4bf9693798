"""The suite every game passes: `conform(game)` raises `Broken` with what is wrong and how to see it again.

It plays many games by chance over all numbers of seats and pairs of options (`games.testing.random_play`),
and at each position tries what the contract promises. For secrets (G4) it takes two positions that a viewer
cannot tell apart, by `Game.resample`, and compares everything that viewer has, byte by byte.

    python -m games.testing.conformance games.almost.rules.game:ALMOST     # a digest of all that is seen

prints the same on every machine and for every PYTHONHASHSEED (G7). A game kept outside this repository may
call `conform` and `conform_bot` from its own tests.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final, TypeAlias

import msgspec

from games.api import Bot, Decision, Observation, Outcome, Seat, WindowId, open_prompts
from games.dice import Dice
from games.testing import random_play, visibility
from games.testing.positions import Broken, Case, Hidden, Inspection, everything, moves_of, require
from games.testing.random_play import AnyGame, Position

RESERVED: Final = frozenset(
    {"table", "presence", "prompts", "windows", "choices", "talk_policy", "note", "result"}
)
"""Section names that are the hub's own."""
_PLAIN: Final = msgspec.msgpack.Encoder()


def _named(fault: Exception) -> str:
    return str(fault) if isinstance(fault, Broken) else f"{type(fault).__name__}: {fault}"


def list_cases(game: AnyGame, count: int) -> Iterator[Case]:
    """Games to play: all numbers of seats, all pairs of options, all styles, round and round."""
    sets = list(random_play.pairwise(game))
    found = turn = 0
    while found < count and turn < 10 * count:
        seats = game.seats[turn % len(game.seats)]
        options = sets[turn % len(sets)]
        style = random_play.STYLES[(turn + turn // len(random_play.STYLES)) % len(random_play.STYLES)]
        if game.refuse_options(seats, msgspec.convert(options, game.Options)) is None:
            yield Case(seats, options, style, b"case %d" % turn)
            found += 1
        turn += 1


def conform(game: AnyGame, cases: int = 40, limit: int = 150, close: int = 8) -> None:
    """Play so many games, at most `limit` events each; look closely at about `close` positions of each.

    Raises Broken at the first fault.
    """
    _check_shape(game)
    hidden = Hidden(game)
    ended = False
    for case in list_cases(game, cases):
        options = msgspec.convert(case.options, game.Options)
        positions: list[Position] = []
        try:
            for position in random_play.play(game, case.seats, options, case.seed, case.style, limit):
                positions.append(position)
                Inspection(game, case, position).at_a_glance()
            _check_log(game, case, options, positions)
            for position in _some(positions, close, sum(case.seed)):
                Inspection(game, case, position).closely(hidden)
        except Exception as fault:
            where = f"{case}, after {len(positions)} positions"
            raise Broken(f"{game.key}: {_named(fault)} ({where})") from fault
        ended = ended or isinstance(game.prompts(positions[-1].state), Outcome)
    hidden.check()
    require(ended, f"{game.key}: no game came to an end")


def _some(positions: list[Position], close: int, offset: int) -> list[Position]:
    every = max(1, len(positions) // close)
    return [*positions[offset % every :: every], positions[-1]]


# --- the shape: types and texts ---


def _check_shape(game: AnyGame) -> None:
    moves = moves_of(game)
    require(all(kind.__struct_config__.tag_field == "move" for kind in moves.values()), "moves: tag field")
    require(game.silent <= set(moves), "silent: names a move there is not")
    require(not RESERVED & set(game.sections), "sections: a name of the hub's own")
    require(len(game.seats) > 0 and game.version >= 1, "seats or version")
    _, defs = msgspec.json.schema_components([game.Options])
    for name, about in defs[game.Options.__name__]["properties"].items():
        lacking = {"title", "description", "group", "source", "default"} - set(about)
        require(not lacking, f"options: {name} lacks {sorted(lacking)}")
    try:
        visibility.fields(game.State)
    except visibility.Unmarked as fault:
        raise Broken(f"state: {fault}") from fault


# --- the log: replay, and ids never used twice ---


def _check_log(game: AnyGame, case: Case, options: Any, positions: list[Position]) -> None:
    events = [position.event for position in positions]
    again = list(random_play.replay(game, case.seats, options, case.seed, events))
    require(_PLAIN.encode(again) == _PLAIN.encode(positions), "replay: it differs from play")
    closed: set[WindowId] = set()
    before: set[WindowId] = set()
    for position in positions:
        windows = {window.id for window in game.windows(position.state)}
        require(not closed & windows, f"windows: ids came back: {sorted(closed & windows)}")
        event = position.event
        if event.kind == "expire":
            require(event.window not in windows, f"expire: {event.window} is still there")
        closed |= before - windows
        before = windows


# --- bots ---


def conform_bot(game: AnyGame, bot: Bot[Any], cases: int | Iterable[Case] = 24, limit: int = 2_000) -> None:
    """Bots of every level play whole games, legally, to the end, and decide by what they may see alone.

    What they take their time over depends on what everybody sees. What slow ones see and do stays the same on
    its way to another process. Processes of different PYTHONHASHSEED decide the same, if they can import the
    bot. `cases`: so many games, or these.
    """
    questions: list[Question] = []
    require(bot.slow <= frozenset(bot.levels), f"{sorted(bot.slow)} are slow, but not all of them are levels")
    for index, case in enumerate(list_cases(game, cases) if isinstance(cases, int) else cases):
        try:
            levels = bot.levels[index % len(bot.levels) :] + bot.levels
            questions.extend(_play_bots(game, bot, case, levels, limit))
        except Exception as fault:
            raise Broken(f"{game.key}, bots: {_named(fault)} ({case})") from fault
    if _is_importable(type(bot).__module__):
        _check_hash_seeds(game, bot, questions[:: max(1, len(questions) // RECHECKED)])


def _is_importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # made at run time
        return False


RECHECKED: Final = 60
"""Decisions of bots that two other processes make again."""


Question: TypeAlias = tuple[Observation, str, bytes]
"""What a bot was asked: what it was shown, its level, and the seed of its dice."""


def _check_hash_seeds(game: AnyGame, bot: Bot[Any], questions: list[Question]) -> None:
    """A bot that goes through a set in the order of its hashes plays another game in every process (G7)."""
    one, other = (_answers_elsewhere(game, bot, questions, hash_seed) for hash_seed in ("1", "2"))
    for (_, level, _), this, that in zip(questions, one, other, strict=True):
        require(
            this == that,
            f"{game.key}, bots: a {level} bot decides {this} with one PYTHONHASHSEED and {that} "
            "with another: it depends on the order of a set",
        )


def _answers_elsewhere(
    game: AnyGame, bot: Bot[Any], questions: list[Question], hash_seed: str
) -> list[Decision[Any] | None]:
    """What another process decides, with this PYTHONHASHSEED."""
    done = subprocess.run(
        [sys.executable, "-m", "games.testing.conformance"],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        input=pickle.dumps((bot, questions)),
        capture_output=True,
        check=False,
    )
    require(done.returncode == 0, f"{game.key}, bots: not in another process: {done.stderr.decode()}")
    answers: list[Decision[Any] | None] = pickle.loads(done.stdout)
    return answers


def _decide_again() -> None:
    """What the bot on standard input decides, to standard output."""
    bot, questions = pickle.loads(sys.stdin.buffer.read())
    answers = [bot.decide(observation, level, Dice(seed)) for observation, level, seed in questions]
    sys.stdout.buffer.write(pickle.dumps(answers))


def _play_bots(
    game: AnyGame, bot: Bot[Any], case: Case, levels: tuple[str, ...], limit: int
) -> Iterator[Question]:
    dice, fate = Dice(case.seed), Dice(case.seed + b" fate")
    state = game.setup(case.seats, msgspec.convert(case.options, game.Options), random_play.START, dice).state
    at = random_play.START
    for moment in range(limit):
        if isinstance(game.prompts(state), Outcome):
            return
        order = fate.shuffle("seat", range(case.seats))
        for seat in map(Seat, order):
            level = levels[seat % len(levels)]
            stream = case.seed + b" bot %d" % moment
            observation = random_play.observation(game, state, seat, case.seats)
            decision = bot.decide(observation, level, Dice(stream))
            if level in bot.slow:
                _, *sent = pickle.loads(pickle.dumps((bot, observation, decision)))
                require(sent == [observation, decision], f"a {level} bot cannot be asked in another process")
            other = game.resample(state, seat, fate)
            again = bot.decide(random_play.observation(game, other, seat, case.seats), level, Dice(stream))
            require(decision == again, f"a {level} bot decides by what is hidden from it")
            yield observation, level, stream
            if decision is None:
                continue
            if decision.after is not None:
                alike = random_play.observation(game, game.resample(state, None, fate), seat, case.seats)
                again = bot.decide(alike, level, Dice(stream))
                require(
                    again is None or again.after == decision.after,
                    f"a {level} bot takes its time by what not everybody sees",
                )
            opened = {prompt.id for prompt in open_prompts(game.prompts(state), seat)}
            require(
                decision.prompt in opened, f"a {level} bot answers {decision.prompt}, which is not open to it"
            )
            refused = game.check(state, seat, decision.prompt, decision.move, at)
            require(refused is None, f"a {level} bot may not {decision.move}: {refused}")
            phrases = game.talk_policy(state, seat).phrases
            require(decision.phrase in (None, *phrases), f"a {level} bot may not say {decision.phrase}")
            state = game.apply(state, seat, decision.prompt, decision.move, at, dice).state
            break
        else:
            due = random_play.first_due(game.windows(state))
            if due is None:
                raise Broken("all bots wait, and no window runs")
            at = due[1]
            state = game.expire(state, due[0].id, at, dice).state
    raise Broken(f"no end after {limit} decisions")


# --- the same on every machine ---


def digest(game: AnyGame, cases: int = 8, limit: int = 60) -> str:
    """One number for all that happens and is seen in some games (G7)."""
    found = sha256()
    for case in list_cases(game, cases):
        options = msgspec.convert(case.options, game.Options)
        for position in random_play.play(game, case.seats, options, case.seed, case.style, limit):
            found.update(_PLAIN.encode(position))
            for viewer in (None, *map(Seat, range(case.seats))):
                found.update(everything(game, position.state, viewer))
    return found.hexdigest()


def load(path: str) -> AnyGame:
    """The game at `module:attribute`."""
    module, _, attribute = path.partition(":")
    game: AnyGame = getattr(import_module(module), attribute)
    return game


def digest_elsewhere(path: str, hash_seed: int) -> str:
    """The digest as another process finds it, with this PYTHONHASHSEED."""
    command = [sys.executable, "-m", "games.testing.conformance", path]
    environment = {"PYTHONHASHSEED": str(hash_seed)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    if sys.argv[1:]:
        print(digest(load(sys.argv[1])))
    else:
        _decide_again()
