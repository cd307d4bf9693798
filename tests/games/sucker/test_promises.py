"""Promises in So Long Sucker (R30): random ones against a second judge, and each kind by hand."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import pytest

from games.api import Judgement, Millis, OneOf, Outcome, Promise, Seat, Step
from games.kit.promises import judge, refuse, section, view_public
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import Hands, Stage
from games.sucker.rules.views import Cards, Piles, Rescue
from games.testing.promises import Moment, check_promises
from tests.games.sucker.table import B, G, R, Table, Y, rescue, set_up

GAMES = int(os.environ.get("PARLEY_PROMISE_GAMES", "40"))


# --- a second judge ---


def judge_slowly(promise: Promise, moments: Sequence[Moment]) -> Judgement:
    """Reads the round to its end, and compares what everybody saw before and after each event."""
    first = section(moments[0].view, "stage", Stage).round
    history = list(read_round(moments, first))
    look = {"pass_move": find_gift, "save": find_help, "spare_pile": find_capture, "spare_chips": find_kill}
    return look[promise.kind](promise, history) or "lapsed"


Event = tuple[Moment, Moment]


def read_round(moments: Sequence[Moment], number: int) -> Iterator[Event]:
    """The events of a round, each as what was seen before and after it."""
    for before, after in pairwise(moments):
        if section(before.view, "stage", Stage).round == number:
            yield before, after


def stage_of(moment: Moment) -> Stage:
    return section(moment.view, "stage", Stage)


def piles_of(moment: Moment) -> dict[int, tuple[int, ...]]:
    return {pile.id: pile.chips for pile in section(moment.view, "piles", Piles).piles}


def hand_of(moment: Moment, seat: int) -> tuple[int, ...]:
    return section(moment.view, "hands", Hands).chips[seat]


def told(moment: Moment, key: str, **args: int) -> bool:
    """Whether a line of this event has this key and these arguments."""
    return any(
        line.key == f"sucker.{key}" and args.items() <= dict(line.args).items() for line in moment.lines
    )


def both_alive(promise: Promise, moment: Moment) -> bool:
    alive = stage_of(moment).alive
    return alive[promise.by] and all(alive[seat] for seat in promise.to)


def find_gift(promise: Promise, history: Sequence[Event]) -> Judgement | None:
    by, (to,) = promise.by, promise.to
    for before, after in history:
        if not both_alive(promise, before):
            return None
        stage = stage_of(before)
        was_chosen = told(after, "gave", seat=by, other=to)
        if was_chosen or told(after, "only", seat=by, other=to):
            return "kept"
        had_choice = stage.phase == "choose" and stage.mover == by and to in stage.next
        if had_choice and stage_of(after).number != stage.number:
            return "broken"
    return None


def find_help(promise: Promise, history: Sequence[Event]) -> Judgement | None:
    """Follows each time that the seat is in need, from its first moment to its last."""
    by, (to,) = promise.by, promise.to
    for before, after in history:
        if not both_alive(promise, before):
            return None
        mine = [answer for answer in answers_for(before, to) if answer[0] == by]
        if not mine:
            continue
        ((_, _, has_refused),) = mine
        given = 0 if told(after, "tribute") else sum(hand_of(before, by)) - sum(hand_of(after, by))
        if given > 0 and sum(hand_of(after, to)) == given:
            return "kept"
        if not stage_of(after).alive[to]:
            return "broken"
        if sum(hand_of(after, to)):
            return "broken" if has_refused else None
        if by not in [answer[0] for answer in answers_for(after, to)]:
            return "broken"
    return None


def answers_for(moment: Moment, needy: int) -> list[tuple[int, int, bool]]:
    if "rescue" not in moment.view:
        return []
    shown = section(moment.view, "rescue", Rescue)
    return [(one.seat, one.prisoners, one.refused) for one in shown.answers] if shown.needy == needy else []


def find_capture(promise: Promise, history: Sequence[Event]) -> Judgement | None:
    """The seat places a chip in the first event in which it has the move, and its chips or a pile change."""
    by, number = promise.by, int(promise.terms["pile"])
    for before, after in history:
        if number not in piles_of(before) or not stage_of(before).alive[by]:
            return None
        if not (told(after, "opened", seat=by) or told(after, "placed", seat=by)):
            continue
        if told(after, "pileDied", pile=number):
            return "broken"
        stage = stage_of(after)
        takes_later = stage.phase == "kill" and stage.pile == number and stage.mover == by
        takes_at_once = number not in piles_of(after) and stage.mover == by
        if takes_later or takes_at_once:
            return "broken"
        return "kept" if is_tempted(before, by, number) else None
    return None


def is_tempted(moment: Moment, by: int, number: int) -> bool:
    """Whether the seat holds a chip like the highest one, and may take the pile with it: its own, a dead one,
    or one that a card of its own may name."""
    top = piles_of(moment)[number][-1]
    if not hand_of(moment, by)[top]:
        return False
    if by == top or not stage_of(moment).alive[top]:
        return True
    shown = section(moment.view, "cards", Cards).cards if "cards" in moment.view else ()
    played = [card for card in shown if card.status == "played" and card.kind == "capture"]
    held = [card for card in shown if card.status == "held" and (card.owner, card.token) == (by, top)]
    return any(card.kind == "capture" or (card.kind is None and len(played) < 2) for card in held)


def find_kill(promise: Promise, history: Sequence[Event]) -> Judgement | None:
    """Counts the dead: a capture kills one chip."""
    by, (to,) = promise.by, promise.to
    for before, after in history:
        if not both_alive(promise, before):
            return None
        gone = piles_of(before).keys() - piles_of(after).keys()
        if not gone:
            continue
        (number,) = gone
        died = dead_of(after, to) > dead_of(before, to)
        has_chip = to in piles_of(before)[number]
        if told(after, "pileDied", seat=by):
            if has_chip:
                return "broken"
        elif told(after, "killed", seat=by) and has_chip:
            return "broken" if died else "kept"
    return None


def dead_of(moment: Moment, colour: int) -> int:
    return section(moment.view, "hands", Hands).dead[colour]


@pytest.mark.parametrize("games", [14, pytest.param(GAMES, marks=pytest.mark.at_length)])
def test_random_promises_are_judged_as_by_a_second_judge(games: int) -> None:
    counts = check_promises(SUCKER, judge_slowly, games)
    assert counts.keys() == {
        f"{kind} {judgement}" for kind in SUCKER.promises.kinds for judgement in ("kept", "broken", "lapsed")
    }


# --- by hand ---


class Word:
    """A promise made at a table, and its judgement after what has happened since."""

    def __init__(self, table: Table, by: int, kind: str, *to: int, **terms: int) -> None:
        made = Promise("a", Seat(by), tuple(map(Seat, to)), kind, terms, Millis(0), 0)
        rules = SUCKER.promises
        assert refuse(rules, (), view_public(SUCKER, table.state), made, table.seats) is None
        self.table, self.state, self.promise = table, table.state, made
        self.lines = len(table.lines)

    @property
    def judgement(self) -> Judgement | None:
        """Takes in what has happened since it was last asked for: one event."""
        step = Step(self.table.state, tuple(self.table.lines[self.lines :]))
        over = isinstance(SUCKER.prompts(self.table.state), Outcome)
        ((self.promise,), _) = judge(SUCKER, (self.promise,), self.state, step, over=over)
        self.state, self.lines = self.table.state, len(self.table.lines)
        return self.promise.judgement


def choosing(**about: Any) -> Table:
    """R may give the move to B or G; Y's colour is in the pile."""
    table = set_up("2R", "2B", "2G", "2Y", piles=["Y"], mover=R, trail="Y", **about)
    table.place(R, "R", 0)
    return table


@pytest.mark.parametrize(("to", "judgement"), [(B, "kept"), (G, "broken")])
def test_the_move_is_given_to_the_seat_it_was_promised_to(to: int, judgement: str) -> None:
    table = choosing()
    word = Word(table, R, "pass_move", B)
    table.give(R, to)
    assert word.judgement == judgement


def test_a_choice_without_that_seat_decides_nothing() -> None:
    table = choosing()
    word = Word(table, R, "pass_move", Y)
    table.give(R, G)
    assert word.judgement is None


def test_the_clock_chooses_the_nearest_seat_and_keeps_or_breaks_the_promise() -> None:
    for to, judgement in ((B, "kept"), (G, "broken")):
        table = choosing()
        word = Word(table, R, "pass_move", to)
        table.expire()
        assert word.judgement == judgement


def test_keeping_the_move_breaks_the_promise_to_give_it() -> None:
    table = set_up("2R 1B", "2B", "2G", "2Y", piles=["Y"], mover=R, trail="Y")
    word = Word(table, R, "pass_move", G)
    table.place(R, "B", 0)
    assert word.judgement is None
    table.give(R, R)
    assert word.judgement == "broken"


def test_the_only_missing_colour_gets_the_move_as_promised() -> None:
    for to, judgement in ((G, "kept"), (B, None)):
        table = set_up("2R", "2B", "2G", "2Y", piles=["YB"], mover=R, trail="Y")
        word = Word(table, R, "pass_move", to)
        table.place(R, "R", 0)
        assert word.judgement == judgement


@pytest.mark.parametrize("answer", ["rescue", "transfer"])
def test_a_chip_given_in_need_keeps_the_promise(answer: str) -> None:
    table = rescue()
    word = Word(table, G, "save", B)
    if answer == "rescue":
        table.save(G, 1, "B")
    else:
        table.transfer(G, 1, "B", B)
    assert word.judgement == "kept"


def test_a_chip_given_before_it_is_needed_is_no_rescue() -> None:
    table = set_up("2R", "1B", "3G 1B", "3Y 2R", piles=["Y"], mover=R, trail="G")
    word = Word(table, G, "save", B)
    table.transfer(G, 1, "B", B)
    assert word.judgement is None


def test_a_refusal_breaks_the_promise_only_once_it_is_final() -> None:
    table = rescue()
    word = Word(table, G, "save", B)
    table.refuse(G)
    assert word.judgement is None
    table.do(G, "rescue", "relent")
    assert word.judgement is None
    table.refuse(Y)
    assert word.judgement is None
    table.refuse(G)
    assert word.judgement == "broken"


def test_the_clock_refuses_and_breaks_the_promise() -> None:
    table = rescue()
    word = Word(table, G, "save", B)
    table.expire()
    assert word.judgement == "broken"


@pytest.mark.parametrize(("has_refused", "judgement"), [(True, "broken"), (False, "lapsed")])
def test_another_seat_saves_it_first(has_refused: bool, judgement: str) -> None:
    table = rescue()
    word = Word(table, G, "save", B)
    if has_refused:
        table.refuse(G)
        assert word.judgement is None
    table.save(Y, 1, "R")
    assert word.judgement == judgement


def test_a_seat_that_kills_its_prisoners_instead_breaks_the_promise() -> None:
    table = rescue()
    word = Word(table, G, "save", B)
    table.bury(G, 1, "B")
    assert word.judgement == "broken"


def test_a_promised_rescue_lapses_if_that_seat_falls_and_nobody_is_asked() -> None:
    table = set_up("2R", "", "3G", "3Y", piles=["Y"], mover=R, trail="G")
    word = Word(table, G, "save", B)
    table.place(R, "R", 0)
    assert word.judgement is None
    table.give(R, B)
    assert word.judgement == "lapsed"


@pytest.mark.parametrize(
    ("colour", "pile", "judgement"),
    [("R", 0, "broken"), ("R", 1, "kept"), ("B", 0, "kept"), ("B", 1, "kept")],
)
def test_a_pile_is_spared_by_the_next_chip(colour: str, pile: int, judgement: str) -> None:
    table = set_up("3R 1B", "2B", "2G", "2Y", piles=["YR", "GB"], mover=R, trail="Y")
    word = Word(table, R, "spare_pile", pile=0)
    table.place(R, colour, pile)
    assert word.judgement == judgement


@pytest.mark.parametrize(
    ("chips", "pile", "about", "judgement"),
    [
        ("3R", "RB", {}, "lapsed"),  # a chip of somebody else lies on top
        ("3R 1B", "RB", {}, "lapsed"),  # only B itself would capture with it
        ("2B", "BR", {}, "lapsed"),  # its own chip lies on top, but it has no other
        ("1R 1B", "BR", {}, "kept"),
        ("2R 1Y", "BY", {"out": "Y"}, "kept"),  # a dead chip would kill the pile
        ("2R", "BY", {"out": "Y"}, "lapsed"),
        ("2R 1B", "RB", {"cards": [(R, B, "capture")]}, "kept"),
        ("2R 1B", "RB", {"cards": [(R, B, "return")]}, "kept"),  # for all the others know
        ("2R 1B", "RB", {"cards": [(R, B, "return")], "blackmailFaces": "public"}, "lapsed"),
        ("2R 1B", "RB", {"cards": [(R, G, "capture")]}, "lapsed"),
        ("2R 1B", "RB", {"cards": [(G, B, "capture")]}, "lapsed"),
    ],
)
def test_a_promise_to_spare_a_pile_is_kept_only_if_it_could_have_been_broken(
    chips: str, pile: str, about: dict[str, Any], judgement: str
) -> None:
    others = ["2B", "2G", "" if "out" in about else "2Y"]
    table = set_up(chips, *others, piles=[pile, "G"], mover=R, trail="G", **about)
    word = Word(table, R, "spare_pile", pile=0)
    table.place(R, "B" if chips == "2B" else "R")
    assert word.judgement == judgement


def test_the_clock_starts_a_pile_and_spares_the_others() -> None:
    table = set_up("3R", "2B", "2G", "2Y", piles=["R"], mover=R, trail="Y")
    word = Word(table, R, "spare_pile", B, pile=0)
    table.expire()
    assert word.judgement == "kept"


@pytest.mark.parametrize("pile", ["BR", "R"])
def test_a_pile_that_somebody_elses_chip_captures_lapses(pile: str) -> None:
    """Whoever places the chip, the seat of its colour captures: that is none of its doing (SLS-7)."""
    table = set_up("3R", "2B 1R", "2G", "2Y", piles=[pile], mover=B, trail="Y")
    word = Word(table, R, "spare_pile", pile=0)
    table.place(B, "R", 0)
    if pile == "BR":
        assert word.judgement is None
        table.kill(R, "B")
    assert word.judgement == "lapsed"


def test_a_pile_that_dies_by_its_own_chip_is_not_spared() -> None:
    table = set_up("3R 1Y", "2B", "2G", "", piles=["BY"], mover=R, trail="G", out="Y")
    word = Word(table, R, "spare_pile", pile=0)
    kill = Word(table, R, "spare_chips", B)
    table.place(R, "Y", 0)
    assert (word.judgement, kill.judgement) == ("broken", "broken")


def test_a_capture_by_card_does_not_spare_the_pile() -> None:
    table = set_up("3R 1B", "2B", "2G", "2Y", piles=["GB"], mover=R, trail="Y", cards=[(R, B, "capture")])
    word = Word(table, R, "spare_pile", pile=0)
    table.place(R, "B", 0, card=0)
    assert word.judgement == "broken"


@pytest.mark.parametrize(("killed", "judgement"), [("B", "broken"), ("G", "kept"), ("R", "kept")])
def test_chips_are_spared_in_the_next_pile_that_has_some(killed: str, judgement: str) -> None:
    table = set_up("3R", "2B", "2G", "2Y", piles=["GR", "BGR"], mover=R, trail="Y")
    word = Word(table, R, "spare_chips", B)
    table.place(R, "R", 0)
    table.kill(R, "G")
    assert word.judgement is None
    table.place(R, "R", 1)
    assert word.judgement is None
    table.kill(R, killed)
    assert word.judgement == judgement


def test_the_clock_kills_the_most_common_colour_and_breaks_the_promise() -> None:
    table = set_up("3R", "2B", "2G", "2Y", piles=["BBGR"], mover=R, trail="Y")
    word = Word(table, R, "spare_chips", B)
    table.place(R, "R", 0)
    assert word.judgement is None
    table.expire()
    assert word.judgement == "broken"


def test_a_pile_of_one_colour_captured_by_card_leaves_no_choice_and_breaks_the_promise() -> None:
    table = set_up("3R 1B", "2B", "2G", "2Y", piles=["B"], mover=R, trail="Y", cards=[(R, B, "capture")])
    word = Word(table, R, "spare_chips", B)
    table.place(R, "B", 0, card=0)
    assert word.judgement == "broken"


@pytest.mark.parametrize("kind", ["pass_move", "save", "spare_chips"])
@pytest.mark.parametrize(("by", "to"), [(B, G), (G, B)])
def test_promises_by_and_to_a_defeated_seat_lapse(kind: str, by: int, to: int) -> None:
    table = set_up("2R", "", "3G", "3Y", piles=["Y"], mover=R, trail="G")
    word = Word(table, by, kind, to)
    table.place(R, "R", 0)
    assert word.judgement is None
    table.give(R, B)
    assert word.judgement == "lapsed"


def test_nothing_may_be_promised_by_or_to_a_defeated_seat_or_between_rounds() -> None:
    table = set_up("2R", "", "3G", "3Y", piles=["Y"], mover=R, trail="G", out="B", rounds=2)
    assert not SUCKER.promises.choices(view_public(SUCKER, table.state), Seat(B))
    for choice in SUCKER.promises.choices(view_public(SUCKER, table.state), Seat(R)):
        assert choice.fields.get("to", OneOf((G, Y))) == OneOf((G, Y))
    over = set_up("1R", "", "", "", piles=["Y"], mover=R, trail="G", out="GY", rounds=2)
    word = Word(over, R, "spare_pile", pile=0)
    over.place(R, "R")
    assert over.state.stage.phase == "review"
    assert word.judgement == "lapsed"
    assert not SUCKER.promises.choices(view_public(SUCKER, over.state), Seat(R))


def test_the_end_of_a_round_lapses_what_is_open() -> None:
    table = set_up("2R", "", "", "", piles=["G"], mover=R, trail="G", out="GY", rounds=2)
    words = [
        Word(table, R, "save", B),
        Word(table, R, "spare_chips", B),
        Word(table, B, "spare_pile", pile=0),
    ]
    table.place(R, "R", 0)
    assert table.state.stage.phase == "review"
    assert [word.judgement for word in words] == ["lapsed", "lapsed", "lapsed"]


def test_standing_counts_the_chips_in_hand_which_its_seat_shows() -> None:
    table = set_up("2R 1B", "", "3G", "3Y", piles=["YR", "RB"], mover=R, trail="G", out="B")
    assert SUCKER.promises.standing(view_public(SUCKER, table.state)) == (3, 0, 3, 3)
