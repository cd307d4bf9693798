"""The position as a bot talks about it: what everybody can count, with the piles' public numbers."""

from __future__ import annotations

from typing import Final, NamedTuple

from games.sucker.bot.search_state import SearchState

MARGIN: Final = 2
"""How many chips above or below the average a seat is called strong or weak for."""


class Situation(NamedTuple):
    """A position; `piles` has the number of each pile, or None if the bot cannot know it yet."""

    seat: int
    state: SearchState
    piles: tuple[int | None, ...]

    def count_chips(self, seat: int) -> int:
        return sum(self.state.hands[seat])

    def can_capture(self, seat: int, pile: int) -> bool:
        """Whether the seat could capture the pile with a chip of its own colour, if it had the move."""
        return pile in self.piles and self._is_open_to(seat, self.piles.index(pile))

    def _is_open_to(self, seat: int, index: int) -> bool:
        chips = self.state.piles[index]
        return chips[-1] == seat and self.state.hands[seat][seat] > 0

    def height(self, pile: int) -> int:
        return len(self.state.piles[self.piles.index(pile)]) if pile in self.piles else 0

    def holds(self, pile: int, colour: int) -> bool:
        """Whether a chip of this colour is in the pile."""
        return pile in self.piles and colour in self.state.piles[self.piles.index(pile)]

    def find_top(self, pile: int) -> int | None:
        """The colour of the highest chip in a pile; None if it does not exist."""
        return self.state.piles[self.piles.index(pile)][-1] if pile in self.piles else None

    def list_saviours(self) -> tuple[int, ...]:
        """The seats that may still save the one in need."""
        if self.state.phase != "rescue":
            return ()
        return tuple(
            seat
            for seat, hand in enumerate(self.state.hands)
            if self.state.alive[seat]
            and seat != self.state.mover
            and sum(hand) > hand[seat]
            and not self.state.refused[seat]
        )

    def stands(self, pile: int) -> bool:
        """Whether the pile exists, and is not being captured."""
        is_captured = self.state.phase == "kill" and self.piles[self.state.pile] == pile
        return pile in self.piles and not is_captured

    def find_capture(self, seat: int, loser: int | None = None) -> int | None:
        """The number of the highest pile that the seat could capture; None if there is none.

        Of the piles that hold a chip of `loser`'s, if this is a seat: others cost that seat nothing.
        """
        heights = [
            (len(self.state.piles[index]), number)
            for index, number in enumerate(self.piles)
            if number is not None
            and self._is_open_to(seat, index)
            and (loser is None or loser in self.state.piles[index])
        ]
        return max(heights)[1] if heights else None

    def find_leader(self) -> int | None:
        """The living seat with the most chips, if there is only one."""
        counts = [self.count_chips(seat) if alive else -1 for seat, alive in enumerate(self.state.alive)]
        return counts.index(max(counts)) if counts.count(max(counts)) == 1 else None

    def is_rich(self, seat: int) -> bool:
        """Whether a seat has at least MARGIN chips more than the living seats have on average."""
        return self._compare(seat) >= MARGIN

    def is_poor(self, seat: int) -> bool:
        """Whether it has at least MARGIN chips less than they."""
        return self._compare(seat) <= -MARGIN

    def _compare(self, seat: int) -> float:
        counts = [self.count_chips(other) for other, alive in enumerate(self.state.alive) if alive]
        return self.count_chips(seat) - sum(counts) / len(counts)

    def list_rivals(self) -> tuple[int, ...]:
        """The other living seats."""
        return tuple(seat for seat, alive in enumerate(self.state.alive) if alive and seat != self.seat)


def follow(before: Situation, after: SearchState) -> Situation:
    """The situation after a move of one seat: a pile that is new has no number yet."""
    numbers: list[int | None] = list(before.piles)
    old, new = before.state.piles, after.piles
    if len(new) > len(old):
        numbers.append(None)
    elif len(new) < len(old):
        gone = next((index for index, chips in enumerate(new) if chips != old[index]), len(new))
        del numbers[gone]
    return Situation(before.seat, after, tuple(numbers))
