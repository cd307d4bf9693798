"""In which order a bot hears promises and what was said at the same table time."""

from __future__ import annotations

from games.api import Millis, Promise, Seat, Spoken
from games.kit.promises import merge_heard
from games.kit.remarks import find_unanswered

ME, OTHER, THIRD = Seat(0), Seat(1), Seat(2)
AT = Millis(9_000)


def say(by: Seat, to: Seat, whispered_to: Seat | None = None) -> Spoken:
    return Spoken(by, whispered_to, "game.bot.ask.1", {"to": to}, AT, bot=True)


def promise(*, private: bool = False) -> Promise:
    return Promise("p", ME, (OTHER,), "spare", {}, AT, 1, private=private, bot=True)


def test_a_promise_answers_what_was_asked_at_the_same_time() -> None:
    """Table time stands still while bots think."""
    asked = say(OTHER, ME)
    heard = merge_heard((asked,), (promise(),), ME)
    assert [said.key for said in heard] == [asked.key, "promise.spare"]
    assert find_unanswered(heard, ME, AT) is None


def test_a_promise_comes_before_what_its_own_seat_says_about_it() -> None:
    asked, told, later = say(OTHER, ME), say(ME, OTHER), say(THIRD, ME)
    heard = merge_heard((asked, told, later), (promise(),), ME)
    assert [said.seat for said in heard] == [OTHER, ME, ME, THIRD]
    assert heard[1].key == "promise.spare"
    assert find_unanswered(heard, ME, AT) is later


def test_a_whisper_moves_no_promise_that_everybody_has_heard() -> None:
    whisper, later = say(ME, OTHER, OTHER), say(THIRD, ME)
    heard = merge_heard((whisper, later), (promise(),), ME)
    aloud = tuple(said for said in heard if said.to is None)
    assert aloud == merge_heard((later,), (promise(),), ME)
    private = merge_heard((whisper, later), (promise(private=True),), ME)
    assert [said.key for said in private[:1]] == ["promise.spare"]
