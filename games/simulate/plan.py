"""The plan of a simulation: numbered games, built from command-line arguments.

Each game belongs to a side (A, or B of a comparison) and within it to one combination of option values, and
has its own seed; the levels rotate by one seat from game to game. All of this follows from the plan and the
game's number, so a game can be replayed anywhere at any time.
"""

from __future__ import annotations

import contextlib
import difflib
import sys
import typing
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from importlib import import_module
from itertools import product
from typing import Any, Final, NamedTuple

import msgspec

from games import GAMES
from games.api import Bot, Registration, Struct
from games.simulate.chance import Chance
from games.testing import random_play
from games.testing.random_play import AnyGame

SIDES: Final = ("A", "B")
MAX_SETTINGS: Final = 60
"""The most combinations of option values on one side that a chart can show and a run can distinguish."""
RANDOM: Final = "random"
"""The name of the bot that plays randomly, in any game."""
GAME_PARTS: Final = (
    "key",
    "title",
    "version",
    "seats",
    "minutes",
    "Options",
    "Move",
    "texts",
    "setup",
    "prompts",
)
ALL_VALUES: Final = "each"
"""Stands for every value of an option: all values of a list, both ends of a range."""


class Unusable(ValueError):
    """A plan that cannot be played; the message is one sentence for the user."""


class Setting(Struct, frozen=True):
    """One way to set up the table. `options` are those given by the user, as a client would send them."""

    seats: int
    options: Mapping[str, Any]


class Side(Struct, frozen=True):
    """One side of a plan: the levels at the table, and every combination of the given options."""

    levels: tuple[str, ...]
    settings: tuple[Setting, ...]

    @property
    def seats(self) -> int:
        return self.settings[0].seats


class Plan(Struct, frozen=True):
    """Everything the rows depend on. `game` is a key in the registry or `module:attribute`."""

    game: str
    bot: str | None
    sides: tuple[Side, ...]
    games: int
    """Games on each side."""
    seed: int
    limit: int
    """Events after which a game is abandoned."""

    @property
    def total(self) -> int:
        return self.games * len(self.sides)


class Match(NamedTuple):
    """One game to play."""

    number: int
    side: int
    variant: int
    """The index of the side's setting."""
    setting: Setting
    levels: tuple[str, ...]
    """By seat."""
    seed: bytes


def match(plan: Plan, number: int) -> Match:
    """Game `number` of the plan, counted from 0; the games of side B follow those of side A."""
    index, turn = divmod(number, plan.games)
    side = plan.sides[index]
    rotation, variant = divmod(turn, len(side.settings))
    setting = side.settings[variant]
    levels = tuple(side.levels[(seat + rotation) % len(side.levels)] for seat in range(setting.seats))
    return Match(number, index, variant, setting, levels, game_seed(plan.seed, number))


def game_seed(seed: int, number: int) -> bytes:
    """The seed of one game: SHA-256("simulate:<seed>:<number>")."""
    return sha256(b"simulate:%d:%d" % (seed, number)).digest()


# --- the game and its bot ---


def load(name: str, bot: str | None) -> Registration:
    """The game with this key or `module:attribute`, with its own bot or the given one. Raises Unusable."""
    if ":" not in name:
        if name not in GAMES:
            near = difflib.get_close_matches(name, GAMES, 1)
            games = f"this hub has {_list(GAMES)}; name others as module:ATTRIBUTE."
            hint = f"did you mean {near[0]}?" if near else games
            raise Unusable(f"There is no game {name}: {hint}")
        entry = GAMES[name]
        return entry if bot is None else Registration(entry.game, _bot(entry.game, bot))
    if bot is None:
        raise Unusable(f"{name} needs a bot to play it: --bot module:ATTRIBUTE, or --bot {RANDOM}.")
    game: AnyGame = _import_object(name, GAME_PARTS, "game")
    return Registration(game, _bot(game, bot))


def _bot(game: AnyGame, path: str) -> Bot[Any]:
    if path == RANDOM:
        return Chance(game.Move)
    bot: Bot[Any] = _import_object(path, ("levels", "decide"), "bot")
    return bot


def _import_object(path: str, needed: Sequence[str], kind: str) -> Any:
    """The object at `module:attribute`; the current folder is searched too. Raises Unusable."""
    name, sign, attribute = path.partition(":")
    if not (sign and name and attribute):
        raise Unusable(f"{path} is not module:ATTRIBUTE.")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = import_module(name)
    except ModuleNotFoundError as error:
        raise Unusable(f"There is no module {error.name}, in this folder or elsewhere.") from error
    except (Exception, SystemExit) as fault:
        raise Unusable(f"{name} cannot be imported ({type(fault).__name__}: {fault}).") from fault
    if not hasattr(module, attribute):
        raise Unusable(f"{name} has no {attribute}.")
    value = getattr(module, attribute)
    lacking = [part for part in needed if not hasattr(value, part)]
    if lacking:
        raise Unusable(f"{path} is not a {kind}: it has no {_list(lacking)}.")
    return value


# --- from arguments to a plan ---


def plan(
    name: str,
    bot: str | None,
    *,
    games: int,
    seats: int | None,
    levels: str | None,
    options: Sequence[str],
    compare: str | None,
    seed: int,
    limit: int,
) -> Plan:
    """The plan for these arguments. Raises Unusable."""
    entry = load(name, bot)
    if games < 1 or limit < 1:
        raise Unusable("There must be at least one game (--games) of at least one event (--limit).")
    first = _side(entry, seats, levels, _words(options))
    sides = [first]
    if compare is not None:
        words = _words([compare])
        option_names = _option_names(entry.game)
        if "seats" in words and "seats" not in option_names:
            seats = _number(words.pop("seats"))
        if "levels" in words and "levels" not in option_names:
            levels = words.pop("levels").replace("/", ",")
        sides.append(_side(entry, seats, levels, {**_words(options), **words}))
    for side in sides:
        if len(side.settings) > games:
            raise Unusable(f"{games} games are too few for {len(side.settings)} combinations of options.")
    return Plan(name, bot, tuple(sides), games, seed, limit)


def _words(texts: Sequence[str]) -> dict[str, str]:
    """Splits `name=value` words at commas; the last value for a name wins."""
    words: dict[str, str] = {}
    for word in (part.strip() for text in texts for part in text.split(",")):
        if word:
            name, sign, value = word.partition("=")
            if not (sign and name and value):
                raise Unusable(f"{word} is not name=value, such as target=12 or target=8/10/12.")
            words[name.strip()] = value.strip()
    return words


def _number(text: str) -> int:
    if not text.isdecimal():
        raise Unusable(f"seats must be a whole number, not {text}.")
    return int(text)


def _side(entry: Registration, seats: int | None, levels: str | None, words: Mapping[str, str]) -> Side:
    game, bot = entry.game, entry.bot
    if seats is None:
        seats = min(max(4, game.seats[0]), game.seats[-1])
    if seats not in game.seats:
        raise Unusable(f"{game.title} takes {game.seats[0]} to {game.seats[-1]} seats, not {seats}.")
    names = bot.levels if levels is None else [name.strip() for name in levels.split(",")]
    for level in names:
        if level not in bot.levels:
            raise Unusable(f"There is no level {level or 'without a name'}: choose from {_list(bot.levels)}.")
    domains = [(name, _values(game, name, text)) for name, text in words.items()]
    option_names = [name for name, _ in domains]
    settings = []
    for values in _grid([domain for _, domain in domains]):
        options = dict(zip(option_names, values, strict=True))
        refusal = game.refuse_options(seats, msgspec.convert(options, game.Options))
        if refusal is not None:
            combination = format_options(options) or "its usual options"
            reason = f"{refusal.code} ({refusal.rule})"
            raise Unusable(f"{game.title} refuses {combination} with {seats} seats: {reason}.")
        settings.append(Setting(seats, options))
    return Side(tuple(names), tuple(settings))


def _grid(domains: Sequence[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    size = 1
    for domain in domains:
        size *= len(domain)
    if size > MAX_SETTINGS:
        raise Unusable(f"{size} combinations of options are more than {MAX_SETTINGS}: vary fewer at a time.")
    yield from product(*domains)


def _option_names(game: AnyGame) -> dict[str, str]:
    """The options' Python names, by the names that clients send."""
    return {field.encode_name: field.name for field in msgspec.structs.fields(game.Options)}


def _values(game: AnyGame, name: str, text: str) -> tuple[Any, ...]:
    """The values that `8/10/12` or `each` stands for."""
    names = _option_names(game)
    if name not in names:
        near = difflib.get_close_matches(name, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"the options are {_list(names)}."
        raise Unusable(f"{game.title} has no option {name}: {hint}")
    hint_type = typing.get_type_hints(game.Options, include_extras=True)[names[name]]
    samples = tuple(value for value in random_play.values(hint_type) if value is not None)
    if text == ALL_VALUES and ALL_VALUES not in samples:
        return samples
    values = [_value(game, name, word.strip(), samples) for word in text.split("/")]
    return tuple(dict.fromkeys(values))


def _value(game: AnyGame, name: str, text: str, samples: tuple[Any, ...]) -> Any:
    """The text itself if the option accepts it, otherwise its value parsed as JSON."""
    candidates: list[Any] = [text]
    with contextlib.suppress(msgspec.DecodeError):
        candidates.append(msgspec.json.decode(text))
    for value in candidates:
        try:
            msgspec.convert({name: value}, game.Options)
        except msgspec.ValidationError:
            continue
        return value
    if samples and all(isinstance(value, int) and not isinstance(value, bool) for value in samples):
        allowed = f"a whole number from {min(samples)} to {max(samples)}"
    else:
        allowed = f"one of {_list([format_option(value) for value in samples])}"
    raise Unusable(f"{name} must be {allowed}, not {text}.")


# --- plans as text ---


def _list(names: Any) -> str:
    return ", ".join(str(name) for name in names)


def format_option(value: Any) -> str:
    """An option's value as typed on the command line."""
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()


def format_options(options: Mapping[str, Any]) -> str:
    """Options as typed on the command line."""
    return ",".join(f"{name}={format_option(value)}" for name, value in options.items())


def list_varied_options(side: Side) -> dict[str, tuple[Any, ...]]:
    """The options with several values on this side, and those values."""
    names = side.settings[0].options
    values_by_name = {
        name: tuple(dict.fromkeys(setting.options[name] for setting in side.settings)) for name in names
    }
    return {name: values for name, values in values_by_name.items() if len(values) > 1}


def spread(side: Side) -> str:
    """All options on a side with all their values, as typed on the command line."""
    return ",".join(
        f"{name}={'/'.join(dict.fromkeys(format_option(setting.options[name]) for setting in side.settings))}"
        for name in side.settings[0].options
    )


def command(plan: Plan) -> str:
    """The command line that plays these games again."""
    side = plan.sides[0]
    words = ["parley", "simulate", plan.game]
    if plan.bot is not None:
        words += ["--bot", plan.bot]
    words += ["--games", str(plan.games), "--seats", str(side.seats), "--levels", ",".join(side.levels)]
    if side.settings[0].options:
        words += ["--options", spread(side)]
    words += ["--seed", str(plan.seed), "--limit", str(plan.limit)]
    if len(plan.sides) > 1:
        words += ["--compare", difference(plan) or f"seats={side.seats}"]
    return " ".join(words)


def difference(plan: Plan) -> str:
    """The changes from side A to side B, in the format of `--compare`."""
    first, second = plan.sides
    words = [f"seats={second.seats}"] if second.seats != first.seats else []
    if second.levels != first.levels:
        words.append(f"levels={'/'.join(second.levels)}")
    first_words = set(spread(first).split(","))
    words += [word for word in spread(second).split(",") if word and word not in first_words]
    return ",".join(words)


def side_title(plan: Plan, index: int) -> str:
    """The title of a side: its values for everything that differs between the sides."""
    first, second = plan.sides
    side = plan.sides[index]
    words = [f"{side.seats} seats"] if second.seats != first.seats else []
    if second.levels != first.levels:
        words.append("/".join(side.levels))
    side_words, other_words = spread(side).split(","), spread(plan.sides[1 - index]).split(",")
    differing = {word.partition("=")[0] for word in {*side_words} ^ {*other_words} if word}
    words += [word for word in side_words if word.partition("=")[0] in differing]
    if not words:
        words.append("as usual" if differing else "the same")
    return ", ".join(words)
