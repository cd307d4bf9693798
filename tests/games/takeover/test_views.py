"""What seats and spectators of Takeover see, and what stays secret (section 7, G4)."""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from games.api import Seat
from games.takeover.rules.game import TAKEOVER
from games.takeover.rules.values import NAMES, Coin, TakeoverOptions, TakeoverState
from games.testing import random_play
from games.testing.positions import encode_everything, lines_to
from tests.games.takeover.table import PLAIN, Table, drafted, position


def viewers(state: TakeoverState) -> list[Seat | None]:
    return [None, *map(Seat, range(len(state.hands)))]


def test_g4_others_cannot_see_an_offer_or_how_it_ends() -> None:
    """Uninvolved seats and spectators see no change on proposal, counter, decline, withdrawal and expiry."""
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2", "a3"))
    outside: list[Seat | None] = [None, Seat(2), Seat(3)]
    quiet = {viewer: encode_everything(TAKEOVER, table.state, viewer) for viewer in outside}

    def same() -> None:
        for viewer in outside:
            assert encode_everything(TAKEOVER, table.state, viewer) == quiet[viewer]
            assert lines_to(table.lines, viewer) == lines_to((), viewer)

    offer = table.offer(0, 1, ["S3"], ["2+"])
    same()
    table.do(1, offer, "counter", give=["M2"], wish=["S3", "coin"])
    same()
    table.do(0, table.deals(0)[0], "decline")
    same()
    table.do(0, table.offer(0, 1, ["S3"]), "cancel")
    same()
    table.offer(0, 1, ["S3", "C1"])
    same()
    table.expire()
    same()


def test_g4_others_cannot_see_a_trade_or_merger_void_an_offer() -> None:
    """Two games differ only in offers between other seats, which are then ended by a trade and a merger."""
    ended = []
    for busy in (False, True):
        table = Table(state=position(PLAIN, "S3 S5 a3", "m2", "a2", "a4"))
        if busy:
            table.offer(0, 2, ["S5"])
            table.offer(0, 3, ["A3"], ["coin"])
            table.offer(0, 2 + 1 - 2, ["S3"], ["5+"])
            table.do(1, table.deals(1)[0], "decline")
        table.do(1, table.offer(0, 1, ["S3"]), "accept", coins=[])
        table.merge(0, "M4>C3", "A3")
        table.merge(1, "S3>S5")
        ended.append((encode_everything(TAKEOVER, table.state, None), lines_to(table.lines, None)))
    assert ended[0] == ended[1]


def test_g4_only_the_owner_learns_of_a_concealed_flip() -> None:
    seen = []
    for hands in (("c1", "S5", "m2"), ("c1", "s5", "m2"), ("c1", "m2", "S5")):
        table = Table(state=position(PLAIN, *hands))
        table.merge(0, "S3>S5")
        seen.append((encode_everything(TAKEOVER, table.state, Seat(0)), lines_to(table.lines, Seat(0))))
    assert seen[0] == seen[1] == seen[2]


def test_faces_and_open_show_the_flip() -> None:
    for show in ("faces", "open"):
        table = Table(state=position(PLAIN, "c1", "S5", "m2", holdings=show))
        table.merge(0, "S3>S5")
        assert table.told("takeover.flipped") == [{"seat": 1, "coin": "S5"}]


def test_5c_the_holdings_section() -> None:
    hands = ("S5 c1", "S3 a0 m2")
    concealed = Table(state=position(PLAIN, *hands)).public("holdings")
    assert (concealed.counts, concealed.faces, concealed.coins) == ((2, 3), None, None)
    faces = Table(state=position(PLAIN, *hands, holdings="faces")).public("holdings")
    assert faces.faces == (("1", "S"), ("0", "2", "S"))
    assert faces.coins is None
    shown = Table(state=position(PLAIN, *hands, holdings="open")).public("holdings")
    assert shown.coins[0] == (Coin("S5", True), Coin("C1", False))


def test_section_7_no_view_names_a_coin_that_only_others_know() -> None:
    """In random play, no view contains the name of a coin that only another seat knows."""
    for seed in range(12):
        options = TakeoverOptions(trading="off")
        style = random_play.STYLES[seed % 2]
        for place in random_play.play(TAKEOVER, 3, options, b"suits %d" % seed, style, 60):
            state = place.state
            if state.stage.phase not in ("draft", "flip"):
                continue
            board = {name for stack in state.grid for name in stack}
            assert board == set(NAMES)
            for viewer in viewers(state):
                public = {
                    name: section
                    for name, section in TAKEOVER.public(state).items()
                    if name not in ("board", "mergers")
                }
                own = {} if viewer is None else TAKEOVER.private(state, viewer)
                shown = msgspec.json.encode({**public, **own}).decode()
                mine = set() if viewer is None else {one.name for one in state.hands[viewer]}
                assert {name for name in NAMES if f'"{name}"' in shown} <= mine


def test_only_public_actions_bring_an_away_seat_back() -> None:
    """Other seats must not be able to tell that a seat that is away made an offer (TKO-22)."""
    table = Table(state=position(PLAIN, "S3 c1", "m2", "a2"))
    table.state = replace(
        table.state, time_control=replace(table.state.time_control, missed_in_a_row=(2, 0, 0))
    )
    table.do(0, table.offer(0, 1, ["S3"]), "cancel")
    assert table.state.time_control.missed_in_a_row[0] == 2
    table.do(0, table.offer(1, 0, ["M2"]), "accept", coins=[])  # a trade is public
    assert table.state.time_control.missed_in_a_row[0] == 0


def test_views_stay_within_bounds_with_every_possible_offer() -> None:
    """However many offers are open, no view outgrows its bound."""
    largest = 0
    for seats in range(2, 7):
        table = drafted(seats, holdings="open", exactPay=True, voluntaryCashOut=True)
        for seat in range(seats):
            own = [one.name for one in table.state.hands[seat]]
            table.do(seat, "flip", "lock", coins=own[::2])
        for to in range(seats):
            for by in (seat for seat in range(seats) if seat != to):
                own = [one.name for one in table.state.hands[by]]
                while table.check(by, "trade", "propose", to=to, give=own, wish=["coin"] * 12) is None:
                    table.offer(by, to, own, ["coin"] * 12)
            for seat in range(seats):
                largest = max(largest, len(encode_everything(TAKEOVER, table.state, Seat(seat))))
    assert largest < 14_000
