"""What a seat observes of the table besides its game."""

from __future__ import annotations

from games.api import Seat
from hub.table.observation import observe
from hub.wire import messages as m
from tests.table.almost_rooms import RULES, act, done, running


def test_everybody_sees_which_seats_people_play() -> None:
    room = running("ann", "bea")
    for seat in range(4):
        assert observe(RULES, room, Seat(seat), {}).people == (0, 1)
    away = done(act(room, 1, m.FreeSeat(Seat(1))))
    assert observe(RULES, away, Seat(2), {}).people == (0,)
