"""Solves small positions near the end of a round, to find out what a seat can force against all the others.

Only a seat's own row decides whether it wins, so the others are treated as one opponent. They may make any
move they are prompted for and rescue each other at will, but gifts they make out of turn are ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.sucker.bot import search_state
from games.sucker.bot.search_state import NEW_PILE, SearchState


class SearchLimitError(Exception):
    """The search has visited the maximum number of positions."""


def list_placements(state: SearchState) -> Iterator[SearchState]:
    """The placements of each of the mover's chips on each pile; identical piles are tried only once."""
    hand = state.hands[state.mover]
    indices = {pile: index for index, pile in enumerate(state.piles)}
    for colour, count in enumerate(hand):
        if count:
            yield search_state.place(state, colour, NEW_PILE)
            for pile, index in indices.items():
                yield search_state.place(state, colour, index)
                if pile[-1] == colour:
                    for card in state.cards:
                        if card.owner == state.mover and card.token == colour and card.kind == "capture":
                            yield search_state.place(state, colour, index, card.id)


def list_card_plays(state: SearchState) -> Iterator[SearchState]:
    """The return and tribute cards that the mover is known to hold and that move a chip."""
    seat = state.mover
    for card in state.cards:
        if card.owner == seat and card.kind == "return" and _can_return(state, card.token):
            yield search_state.play_card(state, card.id, None)
    for number, colour in search_state.list_payable(state, seat):
        yield search_state.play_card(state, number, colour)


def _can_return(state: SearchState, token: int) -> bool:
    """Whether the token's seat is alive and another seat holds one of its chips."""
    others = (hand[token] for seat, hand in enumerate(state.hands) if seat != token)
    return state.alive[token] and any(others)


def list_rescues(state: SearchState, seat: int) -> Iterator[SearchState]:
    """The ways in which a seat can save the mover."""
    if seat == state.mover:
        for number, colour in search_state.list_payable(state, seat):
            yield search_state.play_card(state, number, colour)
        return
    for colour, count in enumerate(state.hands[seat]):
        if colour != seat:
            for part in range(1, count + 1):
                yield search_state.transfer(state, seat, colour, part, state.mover)


def list_releases(state: SearchState, seat: int) -> Iterator[SearchState]:
    """The ways in which a seat can kill prisoners or give them to a seat other than the mover."""
    for colour, count in enumerate(state.hands[seat]):
        if colour != seat:
            for part in range(1, count + 1):
                yield search_state.transfer(state, seat, colour, part, None)
                for to, living in enumerate(state.alive):
                    if living and to not in (seat, state.mover):
                        yield search_state.transfer(state, seat, colour, part, to)


def list_moves(state: SearchState) -> Iterator[SearchState]:
    """The mover's moves when it is not in need of rescue."""
    match state.phase:
        case "turn":
            yield from list_card_plays(state)
            yield from list_placements(state)
        case "choose":
            for to in state.candidates:
                yield search_state.give_move(state, to)
        case "kill":
            for colour in sorted(set(state.piles[state.pile])):
                yield search_state.kill(state, colour)
        case "rescue" | "over":
            return


class EndgameSolver:
    """A solver for one seat with its `enemy` and `ally`; it visits at most `most` positions."""

    def __init__(self, seat: int, enemy: int | None, ally: int | None, most: int) -> None:
        self._seat, self._enemy, self._ally = seat, enemy, ally
        self._most = most
        self._results: dict[SearchState, bool] = {}

    def find_verdict(self, state: SearchState) -> bool | None:
        """Whether the round is already won or lost for the seat; None if it is still open."""
        if state.phase == "over":
            if state.mover == self._seat:
                return state.last_out != self._enemy
            return state.last_out == self._seat and state.mover == self._ally
        if not state.alive[self._seat]:
            return False
        if sum(state.alive) == 2:
            if self._enemy is not None and state.alive[self._enemy]:
                return False
            if self._ally is not None and state.alive[self._ally]:
                return True
        return None

    def can_win(self, state: SearchState) -> bool:
        """Whether the seat can force a win against all the others. Raises SearchLimitError."""
        verdict = self.find_verdict(state)
        if verdict is not None:
            return verdict
        if state.pile == NEW_PILE:
            state = state._replace(piles=tuple(sorted(state.piles)))
        known = self._results.get(state)
        if known is not None:
            return known
        if len(self._results) >= self._most:
            raise SearchLimitError
        self._results[state] = False  # counts the position; no line of play returns to it
        result = self._can_win_rescue(state) if state.phase == "rescue" else self._can_win_move(state)
        self._results[state] = result
        return result

    def _can_win_move(self, state: SearchState) -> bool:
        if state.mover != self._seat:
            return all(map(self.can_win, list_moves(state)))
        return any(map(self.can_win, list_moves(state))) or any(
            map(self.can_win, list_releases(state, self._seat))
        )

    def _can_win_rescue(self, state: SearchState) -> bool:
        """Whether the seat wins, whoever acts first: nothing the others can do may prevent it."""
        asked = search_state.list_rescuers(state)
        rescues = (after for seat in asked if seat != self._seat for after in list_rescues(state, seat))
        if not all(map(self.can_win, rescues)):
            return False
        if self._seat not in asked:
            return self.can_win(search_state.defeat_mover(state))
        if self.can_win(search_state.refuse(state, self._seat)) or any(
            map(self.can_win, list_rescues(state, self._seat))
        ):
            return True
        return any(map(self.can_win, list_releases(state, self._seat)))
