"""Every pair of options: tables that cover them, played at random and by bots; and playthroughs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import combinations, zip_longest
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from games import GAMES
from games.api import Outcome, Registration
from games.testing import playthroughs, random_play
from games.testing.conformance import conform_bot
from games.testing.positions import Case, Inspection
from games.testing.random_play import STYLES, Table
from tests.games.tables import FREE, tables

KEYS = pytest.mark.parametrize("key", GAMES)
WITH_PLAYTHROUGHS: Final = ("shares", "subdivision", "sucker", "takeover")
"""Games whose playthroughs cover every value of every option."""


# --- tables that cover every pair ---


def pairs(table: Table) -> set[Any]:
    """Every pair of values at a table, from its options and its number of seats."""
    return set(combinations(sorted({**table.options, "seats": table.seats}.items()), 2))


def playable(entry: Registration, table: Table) -> bool:
    options = msgspec.convert(table.options, entry.game.Options)
    return entry.game.refuse_options(table.seats, options) is None


@KEYS
def test_every_two_values_meet(key: str) -> None:
    entry = GAMES[key]
    factors = {**random_play.domains(entry.game), "seats": tuple(entry.game.seats)}
    covered = tables(key)
    met = set().union(*map(pairs, covered))
    assert all(playable(entry, table) for table in covered)
    missing = {
        (one, other)
        for (a, these), (b, those) in combinations(sorted(factors.items()), 2)
        for one in ((a, value) for value in these)
        for other in ((b, value) for value in those)
    } - met
    assert not missing
    most = sorted(map(len, factors.values()))[-2:]
    assert len(covered) <= 2 * most[0] * most[1]


def test_tables_are_the_same_every_time() -> None:
    game: Any = GAMES["takeover"].game
    assert list(random_play.tables(game)) == list(random_play.tables(game)) == list(tables("takeover"))


def test_options_that_no_table_can_have_are_left_out() -> None:
    """Without a pattern, the host cannot draw parks, unless the table has none (SUB-13)."""
    tables = list(random_play.tables(GAMES["subdivision"].game))
    drawn = {(seats, options["set"]) for seats, options in tables if options["parks"] == "hostDraws"}
    assert drawn == {(4, "threeHouse")}


@KEYS
@pytest.mark.parametrize(
    "every", [pytest.param(5, id="some"), pytest.param(1, id="all", marks=pytest.mark.at_length)]
)
def test_games_by_chance(key: str, every: int) -> None:
    """Plays whole games at one in `every` tables, with the quick checks of the conformance suite."""
    game: Any = GAMES[key].game
    for turn, (seats, options) in [*enumerate(tables(key))][::every]:
        case = Case(seats, options, STYLES[turn % 2], b"table %d" % turn)
        chosen = msgspec.convert(options, game.Options)
        positions = list(random_play.play(game, seats, chosen, case.seed, case.style, 3_000))
        for position in (*positions[::8], positions[-1]):
            Inspection(game, case, position).check_quickly()
        assert isinstance(game.prompts(positions[-1].state), Outcome), case


@KEYS
@pytest.mark.parametrize(
    "is_every", [pytest.param(False, id="one"), pytest.param(True, id="all", marks=pytest.mark.at_length)]
)
@pytest.mark.usefixtures("brief_thought")
def test_games_of_bots(key: str, is_every: bool) -> None:
    """Bots of every level play a whole game, at one table or at every table."""
    entry = GAMES[key]
    cases = [Case(*table, STYLES[0], b"bots %d" % turn) for turn, table in enumerate(tables(key))]
    if not is_every:
        count = len(entry.bot.levels)
        cases = [next(case for case in cases if case.seats >= count)]  # the levels take seats in turn
    conform_bot(entry.game, entry.bot, cases)


# --- playthroughs ---

ECHO: Final = re.compile(r'"(private|timers)":("\w+"|null)')
"""Options that sections merely repeat."""


def body(lines: Iterable[str]) -> Iterator[str]:
    """The output of a playthrough, without its script and without anything that merely repeats an option."""
    return (ECHO.sub("", line) for line in lines if not line.startswith(("#", ">", "  options ")))


def differs(entry: Registration, text: str, options: dict[str, Any]) -> bool:
    """Whether a playthrough goes differently with other options, or cannot go on; plays no further."""
    played = body(playthroughs.render_lines(entry, with_options(text, options)))
    try:
        return any(one != other for one, other in zip_longest(played, body(text.splitlines())))
    except ValueError:
        return True


def settings(path: Path, game: Any) -> dict[str, Any]:
    """The options of a playthrough."""
    (shown,) = re.findall(r"^  options (\{.*\})$", path.read_text(), re.MULTILINE)
    values: dict[str, Any] = msgspec.json.decode(shown)
    assert set(values) == set(game.Options.__struct_encode_fields__)
    return values


def with_options(text: str, options: dict[str, Any]) -> str:
    head, rest = text[text.index("> game") :].split("\n", 1)
    words = [word for word in head.split() if not word.startswith("options=")]
    return "\n".join([" ".join([*words, f"options={msgspec.json.encode(options).decode()}"]), rest])


@cache
def played(key: str) -> tuple[tuple[Registration, Path], ...]:
    return tuple((entry, path) for entry, path in playthroughs.files() if entry.game.key == key)


def told_apart(key: str) -> Iterator[tuple[str, Any, Any]]:
    """Options, each with its value in some file and another value that changes the output or fails."""
    domains = values(key)
    found: set[tuple[str, Any, Any]] = set()
    for entry, path in played(key):
        text, options = path.read_text(), settings(path, entry.game)
        for name, telling in domains.items():
            for other in telling:
                change = (name, options[name], other)
                if other == options[name] or change in found:
                    continue
                if differs(entry, text, {**options, name: other}):
                    found.add(change)
    yield from found


def values(key: str) -> dict[str, tuple[Any, ...]]:
    """The values to try for every option; for free text, the values in the files."""
    game: Any = GAMES[key].game
    domains = random_play.domains(game)
    for name in game.Options.__struct_encode_fields__:
        if name not in domains:
            assert key in FREE, f"{name} has no values to tell apart"
            domains[name] = tuple(sorted({settings(path, game)[name] for _, path in played(key)}))
    return domains


@pytest.mark.parametrize("key", WITH_PLAYTHROUGHS)
def test_each_value_of_an_option_changes_some_playthrough(key: str) -> None:
    """For any two values, some file with the first changes if the second is used with the same moves.

    For free text, it is enough that some other text changes a file.
    """
    game: Any = GAMES[key].game
    changed = set(told_apart(key))
    expected = {
        (name, one, other)
        for name, telling in random_play.domains(game).items()
        for one in telling
        for other in telling
        if one != other
    }
    assert expected - changed == set()
    assert {name for name, _, _ in changed} == set(game.Options.__struct_encode_fields__)
