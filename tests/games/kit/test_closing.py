"""Each character's last line: about who won, in words that nobody has used (games/kit/closing.py)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from games import GAMES
from games.api import Millis, Outcome, Seat, Spoken, TalkPolicy
from games.dice import Dice
from games.kit.characters import CHARACTERS
from games.kit.closing import INTENTS, choose_closing
from games.kit.remarks import find_fault, hear
from games.kit.texts import kit_texts
from games.kit.wordings import KIT, Wordings, read_intent
from tests.games.almost.talking import GAME

TEXTS: Final = GAME.texts
GAMES_WITH_CLOSING: Final = ("almost", "shares", "sucker", "takeover")
SEATS: Final = len(CHARACTERS)
RESULTS: Final = {
    "closingAlone": (0,),
    "closingShared": (0, 3),
    "closingOther": (3,),
    "closingOthers": (2, 5),
    "closingNobody": (),
}
TRUE: Final[dict[str, Callable[[Seat, tuple[int, ...]], bool]]] = {
    "closingAlone": lambda seat, winners: winners == (seat,),
    "closingShared": lambda seat, winners: seat in winners and len(winners) > 1,
    "closingOther": lambda seat, winners: len(winners) == 1 and seat not in winners,
    "closingOthers": lambda seat, winners: len(winners) > 1 and seat not in winners,
    "closingNobody": lambda seat, winners: not winners,
}


def close(winners: tuple[int, ...]) -> list[Spoken]:
    """What all characters say, one after another: only one of them that nobody has won."""
    outcome = Outcome(tuple(map(Seat, winners)), (0,) * SEATS)
    said: list[Spoken] = []
    for number, character in enumerate(CHARACTERS):
        seat = Seat(number)
        remark = choose_closing(TEXTS, outcome, seat, character, said, Dice(b"close %d" % number))
        if not winners and said:
            assert remark is None
            continue
        assert remark is not None
        assert find_fault(TEXTS, TalkPolicy("open"), seat, SEATS, remark) is None
        said.append(hear(remark, seat, Millis(0)))
        assert choose_closing(TEXTS, outcome, seat, character, said, Dice(b"again")) is None
    return said


@pytest.mark.parametrize("intent", INTENTS)
def test_each_says_one_line_that_is_true_and_new(intent: str) -> None:
    said = close(RESULTS[intent])
    assert intent in {read_intent(one.key) for one in said}
    assert len({one.key for one in said}) == (SEATS if RESULTS[intent] else 1)
    for one in said:
        assert TRUE[read_intent(one.key)](one.seat, RESULTS[intent])
        assert "to" not in one.args or RESULTS[intent] == (one.args["to"],)
        assert one.args.get("seats", RESULTS[intent]) == RESULTS[intent]


def test_the_warm_and_the_bold_have_words_of_their_own() -> None:
    tones: dict[str, set[str]] = {character.key: set() for character in CHARACTERS}
    for number, character in enumerate(CHARACTERS):
        for stream in range(20):
            dice = Dice(b"tone %d" % stream)
            outcome = Outcome((Seat((number + 1) % SEATS),), (0,) * SEATS)
            remark = choose_closing(TEXTS, outcome, Seat(number), character, (), dice)
            assert remark is not None
            tones[character.key].add(remark.key.rpartition(".")[2][0])
    assert tones["amara"] == {"w"}
    assert tones["ravi"] == {"b"}
    assert tones["kwame"] == {"b"}
    assert all(tone.isdigit() for tone in tones["mateo"])


@pytest.mark.parametrize("game", GAMES_WITH_CLOSING)
def test_the_games_have_these_lines(game: str) -> None:
    texts = GAMES[game].game.texts
    assert Wordings(texts, KIT).keys() == set(INTENTS)
    assert not Wordings(texts).keys() & set(INTENTS)


@pytest.mark.parametrize("intent", INTENTS)
def test_the_wordings_of_an_intent_have_the_same_arguments(intent: str) -> None:
    assert len({TEXTS.remarks[key] for key in Wordings(TEXTS, KIT)[intent]} | {()}) <= 2
    if intent in ("closingOther", "closingOthers"):
        assert all(TEXTS.remarks[key] for key in Wordings(TEXTS, KIT)[intent])


def test_no_line_speaks_of_luck() -> None:
    """So Long Sucker has none."""
    lines = kit_texts("closing").catalogue["remarks"]
    assert [key for key, text in lines.items() if "luck" in text.lower()] == []
