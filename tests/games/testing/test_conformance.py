"""Every game in the registry passes the suite, and the suite notices every planted fault."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Final

import pytest
from msgspec.structs import replace

import games
from games import GAMES
from games.almost.rules.game import Almost
from games.almost.rules.values import AlmostState, Score
from games.api import (
    Bound,
    Choice,
    Choices,
    Domain,
    Multiset,
    OneOf,
    PerSeat,
    Range,
    Registration,
    Seat,
    Section,
    Subset,
)
from games.dice import Dice
from games.kit import choices as kit_choices
from games.kit.memo import memoize
from games.subdivision.bot.bot import SubdivisionBot
from games.subdivision.rules.game import SUBDIVISION
from games.testing import conformance, positions, visibility
from games.testing.conformance import conform, conform_bot, conform_sharing, digest, digest_elsewhere
from games.testing.positions import Broken
from hub.wire.messages import HUB_SECTIONS, MAX_VIEW
from tests.games.testing import secret_passes


def beside(name: str) -> ModuleType:
    """Imports a module from this folder."""
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # annotations are looked up there
    spec.loader.exec_module(module)
    return module


leaky = beside("leaky")
sample_game = beside("sample_game")

ENTRIES = pytest.mark.parametrize("entry", GAMES.values(), ids=GAMES.keys())

FAULTS = {
    "BidInALine": "G4: a line shows",
    "DraftInALine": "silent: viewer",
    "RoomWideCounter": "silent: viewer",
    "PromptChangesWithADraft": "silent: viewer",
    "LongerRefusal": "G4: a refusal shows",
    "SectionLeaksLength": "G4: viewer|silent: viewer",
    "PrivateOfAnother": "G4: viewer|silent: viewer",
    "TalkPolicyTells": "G4: viewer|silent: viewer",
    "TalkPolicyDrifts": "talk_policy: viewer",
    "TouchesInSecret": "affected_seats: . is not named",
    "TouchesTooFew": "affected_seats: seat . changed prompts or windows",
    "WindowTells": "G4: viewer|silent: viewer",
    "ExpiryTells": "G4: a line shows",
    "UnmarkedField": "extra is marked neither",
    "Mutable": "notes can be changed in place",
    "ResampleForgets": "resample: never redraws secret",
    "ResampleTakesOwn": "resample: bids.draft is known to seat",
    "OffersTooMuch": "which is refused",
    "OffersTooLittle": "which is not refused",
    "WindowComesBack": "windows: ids were used again",
    "WindowStays": "expire: reveal:1 is still open",
    "Stuck": "no window is running",
    "Remembers": "replay: differs",
    "UndeclaredLine": "line almost.scored is not declared",
    "UndeclaredSection": "plans is not of the declared type",
    "TakesTheHubsName": "a name reserved for the hub",
    "UntitledOption": "options: mode lacks",
    "Huge": "bytes",
    "Ghost": "an unknown seat",
    "OutWithoutNotice": "out_seats: changes without the prompts",
    "OutAndAsked": "out_seats: .* is open to a seat that is out",
    "UnknownChoice": "an unknown move",
}

SAMPLE_FAULTS = {
    "DrawToAll": "G4: a line shows",
    "PeekStaysOpen": "G4: viewer",
    "PeekNamesNothing": "sections: no window peek",
    "RefusalKnowsTheDeck": "G4: a refusal shows",
    "PreviewKnowsTheDeck": "G4: a preview shows",
    "DeckInThePrompt": "G4: viewer",
    "BackInTheGame": "out_seats: a seat plays again while others are out",
    "OutByTheDeck": "G4: who is out shows",
    "DeckNeverDrawn": "resample: never redraws deck",
}


NEVER: Final = {"ResampleForgets": 8, "DeckNeverDrawn": 2}
"""Faults that are only noticed after all cases, with how many cases are enough."""

SHARE: Final = pytest.mark.parametrize(
    "share", [pytest.param(0.075, id="some"), pytest.param(1, id="all", marks=pytest.mark.at_length)]
)
"""The share of the cases that are played."""


@ENTRIES
@SHARE
def test_the_rules_keep_the_contract(entry: Registration, share: float) -> None:
    conform(entry.game, cases=round(40 * share))


LONG: Final = {"shares": 20, "sucker": 20}
"""Number of cases for games with many long rounds."""


@ENTRIES
@pytest.mark.at_length
@pytest.mark.usefixtures("brief_thought")
def test_the_bots_keep_the_contract(entry: Registration) -> None:
    """Every run plays one such game: `test_games_of_bots` in test_options.py."""
    conform_bot(entry.game, entry.bot, cases=LONG.get(entry.game.key, 60))


def memoizes(game: Path) -> bool:
    """Whether the rules in a game's folder use `games.kit.memo`."""
    return any("memoize" in file.read_text() for file in (*game.glob("rules.py"), *game.glob("rules/*.py")))


MEMOIZED: Final = [entry for key, entry in GAMES.items() if memoizes(Path(games.__file__).parent / key)]
"""The games in the registry whose rules memoize: at present all of them, but a new game need not."""


@pytest.mark.parametrize("entry", MEMOIZED, ids=lambda entry: entry.game.key)
def test_unchanged_parts_are_the_same_object(entry: Registration) -> None:
    """No game has to memoize anything; one whose rules do is meant to be quick, and has to be thorough."""
    conform_sharing(entry.game)


@pytest.mark.parametrize("file", ["rules.py", "rules/prompts.py"])
def test_a_game_memoizes_if_its_rules_do(tmp_path: Path, file: str) -> None:
    assert GAMES["almost"] in MEMOIZED
    for name in (file, "bot.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("from games.kit.memo import memoize\n")
    assert memoizes(tmp_path)
    (tmp_path / file).write_text("from games.api import Game\n")
    assert not memoizes(tmp_path)


class FreshChoices(Almost):
    def choices(self, state: AlmostState, seat: Seat) -> Choices:
        return dict(super().choices(state, seat))


class FreshSections(Almost):
    def public(self, state: AlmostState) -> dict[str, Section]:
        return {name: Section(replace(section.data)) for name, section in super().public(state).items()}


class FreshByTheClock(Almost):
    """A game that rebuilds its score whenever anything happens, but only once for each state."""

    def public(self, state: AlmostState) -> dict[str, Section]:
        return super().public(state) | {"score": Section(fresh_score(state.score, repr(state)))}


@memoize
def fresh_score(score: Score, situation: str) -> Score:
    return replace(score)


@pytest.mark.parametrize(
    ("game", "fault"),
    [
        (FreshChoices(), "seat 0: choices is not the same"),
        (FreshSections(), "all: stage is not the same"),
        (FreshByTheClock(), "equal sections are the same"),
    ],
)
def test_a_needlessly_new_object_is_noticed(game: Almost, fault: str) -> None:
    with pytest.raises(Broken, match=fault):
        conform_sharing(game, cases=2)


class Rooted(SubdivisionBot):
    """A bot whose memory cannot be pickled."""

    slow = frozenset({"easy"})

    def __init__(self) -> None:
        self.seen: Iterator[int] = iter(lambda: 0, 1)


def test_a_slow_bot_must_be_fit_to_be_sent() -> None:
    with pytest.raises(Broken, match="the easy bot is slow, but pickle cannot send it"):
        conform_bot(SUBDIVISION, Rooted(), cases=1)


def test_slow_are_levels() -> None:
    bot = SubdivisionBot()
    bot.slow = frozenset({"hard", "godlike"})
    with pytest.raises(Broken, match="godlike"):
        conform_bot(SUBDIVISION, bot, cases=1)


@ENTRIES
def test_g7_results_do_not_depend_on_the_hash_seed(entry: Registration) -> None:
    """The hash seed of the process that runs the tests is another one."""
    game = type(entry.game)
    path = f"{game.__module__}:{entry.game.key.upper()}"
    assert digest_elsewhere(path, 4242) == digest(entry.game)


@pytest.mark.parametrize("cases", [8, pytest.param(40, marks=pytest.mark.at_length)])
def test_another_game_keeps_the_contract_too(cases: int) -> None:
    """It has secrets that nobody knows, peeks, held clocks and lines for a single seat."""
    conform(sample_game.Sample(), cases=cases)


@pytest.mark.parametrize("fault", SAMPLE_FAULTS)
def test_a_fault_planted_in_another_game_is_noticed(fault: str) -> None:
    with pytest.raises(Broken, match=SAMPLE_FAULTS[fault]):
        conform(getattr(sample_game, fault)(), cases=NEVER.get(fault, 24))


@pytest.mark.parametrize(
    ("module", "sound", "faults"),
    [(leaky, leaky.Almost, FAULTS), (sample_game, sample_game.Sample, SAMPLE_FAULTS)],
    ids=["almost", "sample"],
)
def test_every_planted_fault_is_named(module: ModuleType, sound: type, faults: dict[str, str]) -> None:
    kinds = {name: kind for name, kind in vars(module).items() if isinstance(kind, type)}
    planted = {name for name, kind in kinds.items() if issubclass(kind, sound) and kind is not sound}
    assert planted == set(faults)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(fault: str) -> None:
    with pytest.raises(Broken, match=FAULTS[fault]):
        conform(getattr(leaky, fault)(), cases=NEVER.get(fault, 12))


def test_the_suite_knows_the_hubs_names_and_bounds() -> None:
    assert set(HUB_SECTIONS) == conformance.RESERVED
    assert MAX_VIEW == positions.MAX_BYTES + 2048  # the hub's sections


def test_fields_and_their_marks() -> None:
    marks = {field.name: field.visibility for field in visibility.fields(leaky.AlmostState)}
    assert marks["bids.draft"] == "owner"
    assert marks["bids.locked"] == "public"
    assert marks["time_control"] == "public"
    assert set(marks.values()) == {"public", "owner"}


@pytest.mark.parametrize("seats", [3, 4])
def test_moves_to_try_lie_inside_at_the_edge_and_outside(seats: int) -> None:
    domains: dict[str, Domain] = {
        "number": Range(2, 5),
        "to": OneOf((1, 3)),
        "cards": Subset(("a", "b", "c"), 1, 2),
        "plan": PerSeat(1, 4),
        "pay": Multiset(("a", "b", "c"), (2, 1, 1), (Bound((1, 2, 5), 3, 7),)),
    }
    dice = Dice(b"domains")
    for name, domain in domains.items():
        choice = Choice("go", {name: domain})
        tried = list(kit_choices.attempts({"go": [name]}, [choice], seats, dice))
        allowed = [kit_choices.allows([choice], move, seats) for move in tried]
        assert any(allowed)
        assert not all(allowed)
        for _ in range(50):
            assert kit_choices.contains(domain, kit_choices.sample_value(domain, seats, dice), seats)
    assert not kit_choices.contains(domains["number"], True, seats)
    assert not kit_choices.contains(domains["cards"], ["a", "a"], seats)
    assert not kit_choices.contains(domains["plan"], [1] * (seats + 1), seats)
    assert not kit_choices.allows([Choice("go")], {"move": "go", "extra": 1}, seats)


# --- silent moves that end a wait; bots ---


@pytest.mark.parametrize("late", [False, True], ids=["all have answered", "who was last"])
def test_a_silent_answer_may_end_the_wait_and_never_tell_who_was_last(late: bool) -> None:
    """Seats pass in secret, one by one; everybody sees when all have passed, but not in which order."""
    game = secret_passes.WhoPassesLast() if late else secret_passes.PassInSecret()
    if not late:
        conform(game, cases=24)
        return
    with pytest.raises(Broken, match=r"silent: viewer (None|.) sees who answered round:. last"):
        conform(game, cases=24)


def test_a_silent_answer_may_not_end_the_wait_for_others() -> None:
    with pytest.raises(Broken, match=r"silent: viewer (None|.) sees that seat . did"):
        conform(secret_passes.FirstPassCounts(), cases=24)


@pytest.mark.parametrize(
    ("bot", "fault"),
    [
        ("ByTheOrderOfASet", "the easy bot decides .* with one PYTHONHASHSEED"),
        ("HesitatesByItsCards", "delay depends on something that not everybody sees"),
    ],
)
def test_a_fault_planted_in_a_bot_is_noticed(bot: str, fault: str) -> None:
    with pytest.raises(Broken, match=fault):
        conform_bot(secret_passes.GAME, getattr(secret_passes, bot)(), cases=4)


def test_a_bot_may_take_its_time_by_what_everybody_sees() -> None:
    conform_bot(secret_passes.GAME, secret_passes.HesitatesByTheTable(), cases=4)


def test_choices_can_be_keys() -> None:
    one = Choice("go", {"to": OneOf((1, 3)), "number": Range(2, 5)})
    other = Choice("go", {"number": Range(2, 5), "to": OneOf((1, 3))})
    assert one == other
    assert len({(one,), (other,), (Choice("go"),)}) == 2
