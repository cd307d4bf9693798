"""The suite every game must pass: `conform(game)` raises `Broken` with the fault and how to reproduce it.

It plays many random games with every number of seats and every pair of options (`games.testing.random_play`)
and checks the contract at each position. To test secrecy (G4), `Game.resample` makes a second position that a
viewer cannot tell apart from the first; everything that viewer sees must be the same, byte for byte.

    python -m games.testing.conformance games.almost.rules.game:ALMOST     # prints a digest of some games

The digest is the same on every machine and for every PYTHONHASHSEED (G7). A game outside this repository can
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

from games.api import Bot, Character, Decision, Observation, Outcome, Seat, WindowId, open_prompts
from games.dice import Dice
from games.kit.characters import cast_levels
from games.kit.remarks import find_fault
from games.kit.texts import argument_names
from games.testing import random_play, visibility
from games.testing.positions import Broken, Case, Hidden, Inspection, encode_everything, moves_of, require
from games.testing.random_play import AnyGame, Position

RESERVED: Final = frozenset(
    {
        *("table", "presence", "prompts", "windows", "choices", "talk_policy", "note", "result", "out_seats"),
        *("knocks", "watchers", "vote", "rematch", "promises"),
    }
)
"""Section names that belong to the hub."""
_PLAIN: Final = msgspec.msgpack.Encoder()


def _describe(fault: Exception) -> str:
    return str(fault) if isinstance(fault, Broken) else f"{type(fault).__name__}: {fault}"


def list_cases(game: AnyGame, count: int) -> Iterator[Case]:
    """Up to `count` games to play, cycling through numbers of seats, pairs of options and styles."""
    sets = list(random_play.pairwise(game))
    cases = turn = 0
    while cases < count and turn < 10 * count:
        seats = game.seats[turn % len(game.seats)]
        options = sets[turn % len(sets)]
        style = random_play.STYLES[(turn + turn // len(random_play.STYLES)) % len(random_play.STYLES)]
        if game.refuse_options(seats, msgspec.convert(options, game.Options)) is None:
            yield Case(seats, options, style, b"case %d" % turn)
            cases += 1
        turn += 1


def conform(game: AnyGame, cases: int = 40, limit: int = 150, close: int = 8) -> None:
    """Plays `cases` games of at most `limit` events and inspects about `close` positions of each closely.

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
                Inspection(game, case, position).check_quickly()
            _check_log(game, case, options, positions)
            for position in _sample(positions, close, sum(case.seed)):
                Inspection(game, case, position).check_closely(hidden)
        except Exception as fault:
            progress = f"{case}, after {len(positions)} positions"
            raise Broken(f"{game.key}: {_describe(fault)} ({progress})") from fault
        ended = ended or isinstance(game.prompts(positions[-1].state), Outcome)
    hidden.check()
    require(ended, f"{game.key}: no game came to an end")


def _sample(positions: list[Position], count: int, offset: int) -> list[Position]:
    """About `count` positions at regular intervals, and the last one."""
    interval = max(1, len(positions) // count)
    return [*positions[offset % interval :: interval], positions[-1]]


# --- types and texts ---


def _check_shape(game: AnyGame) -> None:
    moves = moves_of(game)
    require(all(kind.__struct_config__.tag_field == "move" for kind in moves.values()), "moves: tag field")
    require(game.silent <= set(moves), "silent: names an unknown move")
    require(not RESERVED & set(game.sections), "sections: a name reserved for the hub")
    require(len(game.seats) > 0 and game.version >= 1, "seats or version")
    _, defs = msgspec.json.schema_components([game.Options])
    for name, about in defs[game.Options.__name__]["properties"].items():
        lacking = {"group", "default"} - set(about)
        if game.texts.catalogue:
            lacking |= {"title", "about"} - set(game.texts.catalogue.get("options", {}).get(name, ()))
        require(not lacking, f"options: {name} lacks {sorted(lacking)}")
    if game.texts.catalogue:
        unknown = set(argument_names(game.texts.catalogue.get("goal", ""))) - set(
            defs[game.Options.__name__]["properties"]
        )
        require(not unknown, f"texts: the goal names {sorted(unknown)}, which are not options")
    try:
        visibility.fields(game.State)
    except visibility.Unmarked as fault:
        raise Broken(f"state: {fault}") from fault


# --- the log: a replay gives the same positions, window ids are never reused, who is out stays out ---


def _check_log(game: AnyGame, case: Case, options: Any, positions: list[Position]) -> None:
    events = [position.event for position in positions]
    replayed = list(random_play.replay(game, case.seats, options, case.seed, events))
    require(_PLAIN.encode(replayed) == _PLAIN.encode(positions), "replay: differs from the game as played")
    closed: set[WindowId] = set()
    previous: set[WindowId] = set()
    out: frozenset[Seat] = frozenset()
    prompts: object = None
    for position in positions:
        out_before, prompts_before = out, prompts
        out, prompts = game.out_seats(position.state), game.prompts(position.state)
        require(not out or out_before <= out, "out_seats: a seat plays again while others are out")
        require(prompts != prompts_before or out == out_before, "out_seats: changes without the prompts")
        windows = {window.id for window in game.windows(position.state)}
        require(not closed & windows, f"windows: ids were used again: {sorted(closed & windows)}")
        event = position.event
        if event.kind == "expire":
            require(event.window not in windows, f"expire: {event.window} is still open")
        closed |= previous - windows
        previous = windows


# --- bots ---


def conform_bot(game: AnyGame, bot: Bot[Any], cases: int | Iterable[Case] = 24, limit: int = 2_000) -> None:
    """Lets bots of every level play whole games; their moves must be legal and follow from what they may see.

    A bot's delay must depend only on what everybody sees. A slow bot, its observations and its decisions must
    survive pickling. If the bot can be imported, its decisions must not depend on PYTHONHASHSEED.
    `cases` is a number of games or the games themselves. Raises Broken at the first fault.
    """
    questions: list[Question] = []
    require(bot.slow <= frozenset(bot.levels), f"{sorted(bot.slow)} are slow, but not all of them are levels")
    for index, case in enumerate(list_cases(game, cases) if isinstance(cases, int) else cases):
        try:
            levels = bot.levels[index % len(bot.levels) :] + bot.levels
            questions.extend(_play_bots(game, bot, case, levels, limit))
        except Exception as fault:
            raise Broken(f"{game.key}, bots: {_describe(fault)} ({case})") from fault
    if _is_importable(type(bot).__module__):
        _check_hash_seeds(game, bot, questions[:: max(1, len(questions) // RECHECKED)])


def _is_importable(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ValueError:  # the module was created at run time
        return False


RECHECKED: Final = 120
"""The number of decisions that are repeated in two other processes."""


Question: TypeAlias = tuple[Observation, Character, bytes]
"""An observation, the bot's character, and the seed of its dice."""


def _check_hash_seeds(game: AnyGame, bot: Bot[Any], questions: list[Question]) -> None:
    """Raises Broken if decisions depend on PYTHONHASHSEED, for example on the order of a set (G7)."""
    first_answers, second_answers = (
        _answer_in_process(game, bot, questions, hash_seed) for hash_seed in ("1", "2")
    )
    for (_, character, _), first, second in zip(questions, first_answers, second_answers, strict=True):
        require(
            first == second,
            f"{game.key}, bots: the {character.level} bot decides {first} with one PYTHONHASHSEED and "
            f"{second} with another: it depends on the order of a set",
        )


def _answer_in_process(
    game: AnyGame, bot: Bot[Any], questions: list[Question], hash_seed: str
) -> list[Decision[Any] | None]:
    """The decisions made in another process with this PYTHONHASHSEED."""
    process = subprocess.run(
        [sys.executable, "-m", "games.testing.conformance"],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(sys.path)},
        input=pickle.dumps((bot, questions)),
        capture_output=True,
        check=False,
    )
    require(
        process.returncode == 0,
        f"{game.key}, bots: deciding in another process failed: {process.stderr.decode()}",
    )
    answers: list[Decision[Any] | None] = pickle.loads(process.stdout)
    return answers


def _decide_again() -> None:
    """Reads a bot and questions from standard input and writes the bot's decisions to standard output."""
    bot, questions = pickle.loads(sys.stdin.buffer.read())
    answers = [bot.decide(observation, character, Dice(seed)) for observation, character, seed in questions]
    sys.stdout.buffer.write(pickle.dumps(answers))


def _play_bots(
    game: AnyGame, bot: Bot[Any], case: Case, levels: tuple[str, ...], limit: int
) -> Iterator[Question]:
    dice, fate = Dice(case.seed), Dice(case.seed + b" fate")
    state = game.setup(case.seats, msgspec.convert(case.options, game.Options), random_play.START, dice).state
    at = random_play.START
    seated_levels = [levels[seat % len(levels)] for seat in range(case.seats)]
    characters = cast_levels(seated_levels, case.seed)
    for moment in range(limit):
        if isinstance(game.prompts(state), Outcome):
            return
        order = fate.shuffle("seat", range(case.seats))
        for seat in map(Seat, order):
            level = levels[seat % len(levels)]
            character = characters[seat]
            stream = case.seed + b" bot %d" % moment
            observation = random_play.observation(game, state, seat, case.seats)
            decision = bot.decide(observation, character, Dice(stream))
            if level in bot.slow:
                _check_pickling(bot, level, observation, decision)
            resampled = random_play.observation(game, game.resample(state, seat, fate), seat, case.seats)
            require(
                decision == bot.decide(resampled, character, Dice(stream)),
                f"the {level} bot's decision depends on something hidden from it",
            )
            yield observation, character, stream
            if decision is None:
                continue
            if decision.after is not None:
                resampled = random_play.observation(game, game.resample(state, None, fate), seat, case.seats)
                repeated = bot.decide(resampled, character, Dice(stream))
                require(
                    repeated is None or repeated.after == decision.after,
                    f"the {level} bot's delay depends on something that not everybody sees",
                )
            _check_remark(game, state, seat, case.seats, decision)
            if decision.answer is None:
                continue
            prompt, move = decision.answer
            open_ids = {prompt.id for prompt in open_prompts(game.prompts(state), seat)}
            require(
                prompt in open_ids,
                f"the {level} bot answers {prompt}, which is not open to it",
            )
            refusal = game.check(state, seat, prompt, move, at)
            require(refusal is None, f"the {level} bot may not {move}: {refusal}")
            state = game.apply(state, seat, prompt, move, at, dice).state
            break
        else:
            due = random_play.first_due(game.windows(state))
            if due is None:
                raise Broken("all bots are waiting, and no window is running")
            at = due[1]
            state = game.expire(state, due[0].id, at, dice).state
    raise Broken(f"the game has not ended after {limit} decisions")


def _check_remark(game: AnyGame, state: Any, seat: Seat, seats: int, decision: Decision[Any]) -> None:
    """Checks that the hub would let a bot say this (`games.kit.remarks`)."""
    require(
        (decision.prompt is None) == (decision.move is None),
        "a bot's decision has half a move: see `Decision`",
    )
    if decision.remark is not None:
        remark, policy = decision.remark, game.talk_policy(state, seat)
        fault = find_fault(game.texts, policy, seat, seats, remark)
        require(fault is None, f"a bot may not say {remark}: {fault}")


def _check_pickling(
    bot: Bot[Any], level: str, observation: Observation, decision: Decision[Any] | None
) -> None:
    """Checks that a slow bot can be sent to another process, with its observation and its decision."""
    try:
        _, *copies = pickle.loads(pickle.dumps((bot, observation, decision)))
    except (pickle.PickleError, TypeError, AttributeError) as fault:
        raise Broken(f"the {level} bot is slow, but pickle cannot send it to another process") from fault
    require(
        copies == [observation, decision],
        f"the {level} bot is slow, but pickle changes its observation or its decision",
    )


# --- the same objects ---

LEAST_KEPT: Final = 0.95
"""The share of the sections with unchanged values that must still be the same objects after a step."""


def conform_sharing(game: AnyGame, cases: int = 4, limit: int = 120) -> None:
    """Checks that unchanged values stay the same objects, so that the hub need not encode or compare them.

    The contract does not require it: it is for games that memoize, to be quick (see `games.kit.memo`). An
    equal state must show the same objects, and the next state mostly the same section objects. Raises Broken.
    """
    equal = same = 0
    for case in list_cases(game, cases):
        options = msgspec.convert(case.options, game.Options)
        before: dict[str, object] = {}
        for position in random_play.play(game, case.seats, options, case.seed, case.style, limit):
            sections = _section_data(game, position.state, case.seats)
            shown = sections | _collect_unsectioned(game, position.state, case.seats)
            copy = msgspec.structs.replace(position.state)
            again = _section_data(game, copy, case.seats) | _collect_unsectioned(game, copy, case.seats)
            for name, value in shown.items():
                require(
                    again[name] is value, f"{game.key}: {name} is not the same for an equal state ({case})"
                )
            kept = [name for name, data in sections.items() if before.get(name) == data]
            equal += len(kept)
            same += sum(before[name] is sections[name] for name in kept)
            before = sections
    require(same >= LEAST_KEPT * equal, f"{game.key}: only {same} of {equal} equal sections are the same")


def _section_data(game: AnyGame, state: Any, seats: int) -> dict[str, object]:
    """The data of every section, by audience and name."""
    audiences = [("all", game.public(state))]
    audiences.extend((f"seat {seat}", game.private(state, Seat(seat))) for seat in range(seats))
    return {
        f"{audience}: {name}": section.data
        for audience, shown in audiences
        for name, section in shown.items()
    }


def _collect_unsectioned(game: AnyGame, state: Any, seats: int) -> dict[str, object]:
    """Everything shown in addition to the sections until the game ends."""
    prompts = game.prompts(state)
    if isinstance(prompts, Outcome):
        return {}
    shown: dict[str, object] = {"prompts": prompts, "windows": game.windows(state)}
    for seat in map(Seat, range(seats)):
        shown[f"seat {seat}: choices"] = game.choices(state, seat)
        shown[f"seat {seat}: talk policy"] = game.talk_policy(state, seat)
    return shown


# --- the same on every machine ---


def digest(game: AnyGame, cases: int = 8, limit: int = 60) -> str:
    """A hash of every position of some games and of what every viewer sees there, in hexadecimal (G7)."""
    hash_so_far = sha256()
    for case in list_cases(game, cases):
        options = msgspec.convert(case.options, game.Options)
        for position in random_play.play(game, case.seats, options, case.seed, case.style, limit):
            hash_so_far.update(_PLAIN.encode(position))
            for viewer in (None, *map(Seat, range(case.seats))):
                hash_so_far.update(encode_everything(game, position.state, viewer))
    return hash_so_far.hexdigest()


def load(path: str) -> AnyGame:
    """The game at `module:attribute`."""
    module, _, attribute = path.partition(":")
    game: AnyGame = getattr(import_module(module), attribute)
    return game


def digest_elsewhere(path: str, hash_seed: int) -> str:
    """The digest that another process computes with this PYTHONHASHSEED."""
    command = [sys.executable, "-m", "games.testing.conformance", path]
    environment = {"PYTHONHASHSEED": str(hash_seed)}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


if __name__ == "__main__":
    if sys.argv[1:]:
        print(digest(load(sys.argv[1])))
    else:
        _decide_again()
