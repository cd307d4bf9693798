"""So Long Sucker: time, rounds and matches, and what is seen."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from games.api import Millis, Outcome, Running, Seat
from games.dice import Dice
from games.sucker.rules import endings
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import KINDS, Result, SuckerOptions
from games.testing import random_play
from games.testing.positions import everything
from tests.games.sucker.table import B, G, R, Table, Y, colours, rescue, table

# --- time ---


def test_expiry_of_a_turn_opens_a_pile_of_the_own_colour() -> None:
    here = table("3R 5B", "3B", "2G", "4Y", piles=["Y"], mover=R)
    assert here.expire() == "turn:1"
    assert here.at == 76_000
    assert here.piles == ["Y", "R"]
    assert here.told("auto") == [{"seat": R}]
    here = table("1B 2G", "3B", "2G", "4Y", mover=R)
    here.expire()
    assert here.piles == ["G"]


def test_expiry_of_a_choice_is_the_nearest_with_a_chip_but_for_oneself() -> None:
    here = table("3R 1Y", "", "2G", "4Y", mover=R)
    here.place(R, "Y")
    assert here.state.stage.next == (R, B, G)
    here.expire()
    assert here.at == 46_000
    assert here.where == ("turn", G)
    here = table("1Y", "", "", "4Y", mover=R, trail="Y")
    here.place(R, "Y")
    here.expire()  # none of them has a chip: the nearest, who falls, and then the placer
    assert here.state.stage.out[0] == B


def test_expiry_of_a_kill_is_the_most_numerous_foreign_colour() -> None:
    here = table("3R", "3B", "2G", "4Y", piles=["GYYRRR"], mover=R)
    here.place(R, "R", 0)
    here.expire()
    assert here.at == 26_000
    assert here.dead == "1Y"


def test_gen_7_a_seat_that_is_away_is_refused_for_sooner() -> None:
    here = rescue()
    here.away(G)
    assert here.expire() == f"rescue:{here.state.stage.number}:away:2"
    assert here.at == 11_000
    assert [one.refused for one in here.public("rescue").answers] == [True, False]
    here.do(G, "rescue", "relent")  # it is back
    assert here.state.time_control.missed_in_a_row[G] == 0
    here.refuse(Y)
    assert here.where == ("rescue", B)


def test_gen_7_prisoners_handed_to_a_seat_that_is_away() -> None:
    here = rescue()
    here.away(R)
    here.at = Millis(here.at + 20_000)
    here.transfer(G, 1, "B", R)
    windows = SUCKER.windows(here.state)
    assert [one.kind for one in windows] == ["away", "rescue"]
    assert windows[0].clock == Running(Millis(here.at + 10_000))


# --- rounds ---


def played_out(here: Table) -> None:
    """Let time run until the round is over."""
    while here.state.stage.mover is not None:
        here.expire()


def test_a_match_of_rounds_shows_each_and_goes_on_when_all_are_ready() -> None:
    here = Table(4, rounds=2)
    rows, deck = here.state.rows, here.state.deck
    played_out(here)
    assert here.state.stage.phase == "review"
    (over,) = here.public("match").results
    assert over.rows == rows
    assert over.deck == deck
    assert here.told("loyalty")
    assert SUCKER.private(here.state, Seat(0)) == {}
    assert here.public("history").deeds[-1].what == "fall"
    here.do(1, "continue", "continue")
    assert here.public("readiness").done == (False, True, False, False)
    assert here.kinds(1) == []
    reviewed(here)
    assert here.state.stage.round == 2
    assert here.mine(0).row
    played_out(here)
    assert len(here.public("match").results) == 2
    assert here.outcome.scores == here.public("match").points


def reviewed(here: Table) -> None:
    """Let time run until the next round."""
    while here.state.stage.phase == "review":
        here.expire()


def test_gen_4_no_move_of_one_round_answers_the_next() -> None:
    here = table("1R", "", "", "", piles=["BG"], mover=R, out="GY", rounds=2)
    before = {prompt.id for prompt in table("3R 1B", "3B", "3G", "3Y", rounds=2).prompts}
    here.place(R, "R", 0)
    reviewed(here)
    here.deal("3R 1B", "3B", "3G", "3Y")
    assert "prisoners" in here.kinds(R)
    assert not before & {prompt.id for prompt in here.prompts}


def result_of(**about: Any) -> Result:
    found: Any = {
        "first": Seat(0),
        "chips": (7, 7, 7, 2),
        "survivor": Seat(1),
        "out": (Seat(0), Seat(3), Seat(2)),
        "winners": (Seat(1),),
        "rows": (),
        "deck": (),
        "change": (2, 0, 1, -3),
    }
    return Result(**{**found, **about})


@pytest.mark.parametrize(
    ("option", "chips"), [("fromBase", (9, 7, 8, 4)), ("cumulative", (9, 7, 8, 1)), ("off", (7, 7, 7, 7))]
)
def test_sls_30_chips_from_the_base_or_from_the_last_round(option: Any, chips: tuple[int, ...]) -> None:
    change = (0,) * 4 if option == "off" else (2, 0, 1, -3)
    assert endings.next_chips(SuckerOptions(chip_adjust=option), result_of(change=change)) == chips
    rows = tuple(map(colours, ("BYG", "YRG", "RBY", "BRG")))
    assert any(endings.change(rows, SuckerOptions(chip_adjust=option))) == (option != "off")


def test_sls_30_never_below_one() -> None:
    six = result_of(chips=(5,) * 6, change=(-5, 1, 1, 1, 1, 1))
    assert endings.next_chips(SuckerOptions(), six) == (1, 6, 6, 6, 6, 6)


@pytest.mark.parametrize("option", ["random", "lastOut", "rotate"])
def test_sls_3_who_begins_the_next_round(option: str) -> None:
    firsts = set()
    for number in range(12):
        here = Table(4, rounds=2, firstPlayer=option, blackmail=False)
        here.dice = Dice(b"first %d" % number)
        played_out(here)
        before, last = here.state.stage.first, here.state.stage.out[-1]
        reviewed(here)
        if option == "rotate":
            assert here.state.stage.first == (before + 1) % 4
        if option == "lastOut":
            assert here.state.stage.first == last
        firsts.add(here.state.stage.first)
    assert len(firsts) > 1 or option != "random"


def test_sls_31_the_most_points_win_together_and_none_wins_nothing() -> None:
    assert endings.outcome((1, 2, 2, 0)) == Outcome((Seat(1), Seat(2)), (1, 2, 2, 0))
    assert endings.outcome((0, 0, 0, 0)) == Outcome((), (0, 0, 0, 0))


# --- what is seen ---


def test_what_each_seat_can_still_win() -> None:
    here = table("3R", "3B", "3G", "3Y", rows=["BYG", "GYR", "RBY", "RBG"])
    mine = here.mine(R)
    assert (mine.enemy, mine.ally) == (B, G)
    assert (mine.over, mine.under) == ((G, Y), (G,))
    here = table("3R", "3B", "", "", rows=["BYG", "GYR", "RBY", "RBG"], out="YG")
    assert (here.mine(R).over, here.mine(R).under) == ((), ())  # only its enemy is left
    assert (here.mine(B).over, here.mine(B).under) == ((R,), (R,))
    assert (here.mine(G).over, here.mine(G).under) == ((), ())  # defeated
    plain = table("3R", "3B", "3G", "", out="Y", blindAlly=False).mine(R)
    assert (plain.over, plain.under) == ((B, G), ())


def test_previews_tell_what_will_happen() -> None:
    here = table("2R 1B", "3B", "3G 1B", "3Y", piles=["BGY", "GB"], mover=R, trail="G")
    forced = here.preview(R, "place", colour=R, pile=0)
    assert (forced.next, forced.forced, forced.card) == ((B,), True, B)
    assert [(one.seat, one.colour, one.count) for one in forced.gains] == [(R, R, -1)]
    capture = here.preview(R, "place", colour=B, pile=1)
    assert (capture.captor, capture.forced, capture.card) == (B, False, None)
    here = table("2R", "", "3G 1B", "3Y", piles=["BGY"], mover=R, trail="G")
    needy = here.preview(R, "place", colour=R, pile=0)
    assert (needy.needy, needy.rescuers, needy.back, needy.card) == (B, (G,), R, B)
    assert needy.falls == ()
    gift = here.preview(G, "transfer", colour=B, count=1, to=B)
    assert [(one.seat, one.colour, one.count) for one in gift.gains] == [(B, B, 1), (G, B, -1)]
    assert here.preview(G, "killPrisoners", colour=B, count=1).dies == (0, 1, 0, 0)
    last = table("1R", "", "", "", piles=["BG"], out="GY")
    end = last.preview(R, "place", colour=R, pile=0)
    assert (end.falls, end.ends, end.next) == ((B,), True, ())
    assert (
        SUCKER.preview(here.state, Seat(Y), msgspec.convert({"move": "place", "colour": Y}, SUCKER.Move))
        is None
    )


def test_preview_of_a_return_in_a_rescue_is_of_no_legal_move() -> None:
    cards: Any = [(B, Y, "return")]
    here = rescue(cards=cards)
    move = msgspec.convert({"move": "playCard", "card": 0}, SUCKER.Move)
    assert SUCKER.preview(here.state, Seat(B), move) is None


def test_talk_is_at_the_table_for_seats_alone() -> None:
    here = table("3R", "3B", "3G", "", out="Y")
    for seat in range(4):  # the defeated too
        talk_policy = SUCKER.talk_policy(here.state, Seat(seat))
        assert (talk_policy.mode, talk_policy.whispers, talk_policy.notes_locked) == ("open", False, False)
        assert talk_policy.phrases == SUCKER.texts.phrases
    assert SUCKER.talk_policy(here.state, None).mode == "closed"


def test_what_did_not_change_is_the_same_object() -> None:
    here = table("3R", "3B 2G", "3G", "3Y 1R", piles=["RBG"])
    before = {viewer: SUCKER.private(here.state, Seat(viewer)) for viewer in range(4)}
    choices = SUCKER.choices(here.state, Seat(R))
    public = SUCKER.public(here.state)
    here.transfer(B, 1, "G", Y)
    assert all(SUCKER.private(here.state, Seat(seat)) is before[seat] for seat in range(4))
    after = SUCKER.public(here.state)
    assert {name for name in public if after[name].data is not public[name].data} == {"hands"}
    assert SUCKER.windows(here.state) is SUCKER.windows(replace(here.state))
    again = Table(state=replace(here.state))
    assert SUCKER.prompts(again.state) is SUCKER.prompts(here.state)
    assert SUCKER.choices(again.state, Seat(R)) is SUCKER.choices(here.state, Seat(R))
    assert choices == SUCKER.choices(here.state, Seat(R))


def test_section_7_kinds_and_rows_are_nowhere_in_other_views() -> None:
    """Played by chance: no view names the kind of a card its viewer may not know, or the row of another."""
    held = 0
    for seed in range(30):
        options = SuckerOptions()
        for place in random_play.play(SUCKER, 4, options, b"seen %d" % seed, random_play.STYLES[0], 90):
            state = place.state
            if state.stage.mover is None:
                continue
            for viewer in (None, *map(Seat, range(4))):
                own = {} if viewer is None else SUCKER.private(state, viewer)
                sections = {
                    name: one for name, one in {**SUCKER.public(state), **own}.items() if name != "piles"
                }
                text = msgspec.json.encode(sections).decode()
                may = {
                    state.deck[number]
                    for number, card in enumerate(state.taken)
                    if card.status == "played"
                    or (card.status == "held" and viewer in (card.owner, card.token))
                }
                held += any(card.status == "held" for card in state.taken)
                assert {kind for kind in KINDS if f'"{kind}"' in text} <= may
                assert ('"row"' in text) == (viewer is not None)
                if viewer is not None:
                    assert Table(state=state).mine(viewer).row == state.rows[viewer]
    assert held > 100


def test_views_stay_small_however_long_a_match() -> None:
    largest = 0
    for seed in range(3):
        options = SuckerOptions(rounds=10, chip_adjust="cumulative", timers="fast")
        for place in random_play.play(SUCKER, 6, options, b"long %d" % seed, random_play.STYLES[0], 3_000):
            if place.state.stage.mover is None:
                largest = max(largest, len(everything(SUCKER, place.state, Seat(0))))
    assert 4_000 < largest < 12_000


def test_upgrade_takes_this_version_alone() -> None:
    state = Table(5).state
    packed = msgspec.msgpack.decode(msgspec.msgpack.encode(state))
    assert SUCKER.upgrade(SUCKER.version, packed) == state
    assert SUCKER.upgrade(0, packed) is None
