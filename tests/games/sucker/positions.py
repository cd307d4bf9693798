"""Twenty positions of So Long Sucker, each with a name and the moves that are right in it.

R is to decide. A move is right if R then wins the round whatever the others do, even all together; after
every other move they can prevent it. A search proves this (`proof.py`). Most of the positions turn on one
thing: when two are left, R has won if the other is its ally, and has lost if the other is its enemy. So of
R, its ally and its enemy, the enemy must fall first.

Hands, piles and rows are written as in `table.py`. All blackmail cards have been played except those in hands
or `left` in the stack. Moves are written as `describe` writes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace

from games.api import Seat
from games.sucker.rules.values import (
    BASE,
    KINDS,
    GiveMove,
    Kill,
    KillPrisoners,
    Kind,
    Place,
    PlayCard,
    RescueWith,
    SuckerMove,
    SuckerState,
    Taken,
    Transfer,
)
from tests.games.sucker.proof import after, options
from tests.games.sucker.table import LETTERS, B, G, R, colours, counts, position, shown

SEATS: Final = 4
WAIT: Final = "wait"


def describe(move: SuckerMove | None) -> str:
    """A move in words; None means waiting."""
    match move:
        case None:
            return WAIT
        case Place(colour=colour, pile=pile, card=card):
            target = "new" if pile is None else f"on {pile}"
            return f"place {LETTERS[colour]} {target}" + ("" if card is None else " by card")
        case PlayCard(colour=colour):
            return "card" if colour is None else f"card {LETTERS[colour]}"
        case GiveMove(to=to):
            return f"give {LETTERS[to]}"
        case Kill(colour=colour):
            return f"kill {LETTERS[colour]}"
        case RescueWith(colour=colour, count=count):
            return f"rescue {count}{LETTERS[colour]}"
        case Transfer(colour=colour, count=count, to=to):
            return f"hand {count}{LETTERS[colour]} to {LETTERS[to]}"
        case KillPrisoners(colour=colour, count=count):
            return f"bury {count}{LETTERS[colour]}"
        case _:
            return type(move).__name__.lower()


class Position(NamedTuple):
    """`row` is R's, enemy first and ally last; `lead` are the moves from the set-up to the position."""

    name: str
    why: str
    row: str
    hands: tuple[str, str, str, str]
    right: tuple[str, ...]
    piles: tuple[str, ...] = ()
    mover: int = R
    trail: str = ""
    out: str = ""
    cards: tuple[tuple[int, int, Kind], ...] = ()
    left: tuple[Kind, ...] = ()
    lead: tuple[str, ...] = ()

    def seat(self, turn: int = 0) -> Seat:
        """The deciding seat when the table is turned by this many seats."""
        return Seat((R + turn) % SEATS)

    def answers(self, turn: int = 0) -> frozenset[str]:
        """The right moves at that table."""
        return frozenset(_turned(move, turn) for move in self.right)

    def state(self, turn: int = 0) -> SuckerState:
        """The position with all seats and colours moved on by `turn`."""
        hands = [_turned(self.hands[(seat - turn) % SEATS], turn) for seat in range(SEATS)]
        piles = [_turned(pile, turn) for pile in self.piles]
        spent = list(KINDS)
        for kind in (*(kind for _, _, kind in self.cards), *self.left):
            spent.remove(kind)
        start = position(
            *hands,
            piles=piles,
            mover=(self.mover + turn) % SEATS,
            trail=_turned(self.trail, turn),
            dead=_dead(hands, piles),
            out=_turned(self.out, turn),
            cards=[
                ((owner + turn) % SEATS, (token + turn) % SEATS, kind) for owner, token, kind in self.cards
            ],
            deck=[*spent, *self.left],
        )
        row, viewer = colours(_turned(self.row, turn)), self.seat(turn)
        state = replace(
            start,
            taken=(*start.taken, *(Taken(Seat(0), Seat(1), "played") for _ in spent)),
            rows=tuple(row if seat == viewer else other for seat, other in enumerate(start.rows)),
        )
        for move in self.lead:
            state = _led(state, _turned(move, turn))
        return state


def _turned(text: str, turn: int) -> str:
    """The text with each colour replaced by the one `turn` seats further on."""
    there = LETTERS[:SEATS]
    return text.translate(str.maketrans(there, there[turn:] + there[:turn]))


def _dead(hands: Sequence[str], piles: Sequence[str]) -> str:
    """All chips that are nowhere else."""
    table = "".join(piles)
    return shown(
        [
            BASE[SEATS] - sum(counts(hand, SEATS)[colour] for hand in hands) - table.count(LETTERS[colour])
            for colour in range(SEATS)
        ]
    )


def _led(state: SuckerState, move: str) -> SuckerState:
    """The state after a move written like "G: give B"."""
    letter, _, words = move.partition(": ")
    (option,) = [one for one in options(state, Seat(LETTERS.index(letter))) if describe(one.move) == words]
    return after(state, option)


POSITIONS: Final = (
    Position(
        "starve the enemy",
        "It has no chip, and nobody a prisoner: with the move it falls, and only the ally is left.",
        row="BYG",
        hands=("1R", "", "1G", ""),
        trail="G",
        out="Y",
        lead=("R: place R new",),
        right=("give B",),
    ),
    Position(
        "kill the prisoner that could save the enemy",
        "B has a tribute card that names R, and could demand the chip of G when it is in need.",
        row="BYG",
        hands=("1R 1G", "", "1G", ""),
        trail="G",
        out="Y",
        cards=((B, R, "tribute"),),
        lead=("R: place R new",),
        right=("bury 1G", "hand 1G to G"),
    ),
    Position(
        "keep the move",
        "A prisoner of B lets R move again, and starve B; G, its ally, would fall first.",
        row="BYG",
        hands=("1R 1B", "", "", ""),
        trail="G",
        out="Y",
        lead=("R: place B new",),
        right=("give R",),
    ),
    Position(
        "win by falling last",
        "Nobody has a chip. If B falls, R falls next, and its ally survives; if G falls, B does.",
        row="YBG",
        hands=("1R", "", "", ""),
        trail="B",
        out="Y",
        lead=("R: place R new",),
        right=("give B",),
    ),
    Position(
        "finish",
        "Two are left. A chip of a dead colour gives the move to either, and neither has another.",
        row="GYB",
        hands=("1G", "", "", ""),
        trail="Y",
        out="GB",
        lead=("R: place G new",),
        right=("give Y",),
    ),
    Position(
        "refuse the enemy",
        "R alone could save B. If it does not, its ally is left; B's chip may as well die.",
        row="BYG",
        hands=("1R 1B", "", "1G", ""),
        mover=G,
        trail="R",
        out="Y",
        lead=("G: place G new", "G: give B"),
        right=("refuse", "bury 1B"),
    ),
    Position(
        "stand by the refusal",
        "R has refused to save B, and G is still asked. There is nothing to add; the chip is for the ally.",
        row="BYG",
        hands=("1R 1G", "", "1G 1R", ""),
        mover=G,
        trail="R",
        out="Y",
        lead=("G: place G new", "G: give B", "R: refuse"),
        right=(WAIT, "hand 1G to G"),
    ),
    Position(
        "rescue the ally",
        "If G falls, R is alone with its enemy. Saved, G must place its chip, and next R starves B.",
        row="BYG",
        hands=("1R 1G", "1B", "", ""),
        mover=B,
        trail="R",
        out="Y",
        lead=("B: place B new", "B: give G"),
        right=("rescue 1G", "hand 1G to G"),
    ),
    Position(
        "rescue the neutral while the enemy lives",
        "Y is nothing to R, but with B alone left R cannot win: B must fall first.",
        row="BYG",
        hands=("2R 1Y", "1B", "", ""),
        mover=B,
        trail="R",
        out="G",
        lead=("B: place B new", "B: give Y"),
        right=("rescue 1Y", "hand 1Y to Y"),
    ),
    Position(
        "rescue with the chip that does no harm",
        "G must be saved. A chip of B would let it feed B, who has one on top; that one may die first.",
        row="BYG",
        hands=("1R 1B 1G", "1B", "", ""),
        piles=("R",),
        mover=B,
        trail="R",
        out="Y",
        lead=("B: place B on 0",),
        right=("rescue 1G", "hand 1G to G", "bury 1B"),
    ),
    Position(
        "keep the last prisoner",
        "Even the ally is not worth it: R would be without a chip. With it R gets the move, and starves B.",
        row="YBG",
        hands=("1R 1G", "", "", ""),
        trail="B",
        out="Y",
        lead=("R: place R new", "R: give G"),
        right=("refuse",),
    ),
    Position(
        "tribute in one's own rescue",
        "B must hand over what it holds of a colour: two chips of Y outlast its own one, the one of R not.",
        row="GBY",
        hands=("", "2B 2Y 1R", "", ""),
        mover=B,
        trail="R",
        out="GY",
        cards=((R, B, "tribute"),),
        lead=("B: place B new",),
        right=("card Y",),
    ),
    Position(
        "do not feed the enemy",
        "A chip of B on that of B captures for B, who has nothing. R's own on a new pile starves it.",
        row="BYG",
        hands=("1R 1B", "", "1G", ""),
        piles=("RB",),
        trail="G",
        out="Y",
        right=("place R new", "place B new", "bury 1B"),
    ),
    Position(
        "take the capture",
        "R's last chip: anywhere else B moves, and gives the move back to R, who has none.",
        row="GBY",
        hands=("1R", "1B", "", ""),
        piles=("YBR",),
        trail="B",
        out="GY",
        right=("place R on 0",),
    ),
    Position(
        "avoid the forced move",
        "On the first pile G is next, the ally, and falls. On the other it is B, the enemy; or R chooses it.",
        row="BYG",
        hands=("1R", "", "", ""),
        piles=("GB", "BG"),
        trail="G",
        out="Y",
        right=("place R new", "place R on 1"),
    ),
    Position(
        "force the move, and take a card",
        "B is next in any case. On its pile that earns the last card, a tribute: B cannot keep its chips.",
        row="GBY",
        hands=("2R", "2Y", "", ""),
        piles=("B",),
        trail="B",
        out="GY",
        left=("tribute",),
        right=("place R on 0",),
    ),
    Position(
        "return what the enemy lives on",
        "B has nothing but chips of G. They go back to G, the ally, and B falls when R gives it the move.",
        row="BYG",
        hands=("1R", "2G", "1G", ""),
        trail="G",
        out="Y",
        cards=((R, G, "return"),),
        right=("card",),
    ),
    Position(
        "capture by blackmail",
        "R's only chip is B's. With the card R itself captures the pile; without, B does.",
        row="GBY",
        hands=("1B", "1B", "", ""),
        piles=("YGB",),
        trail="B",
        out="GY",
        cards=((R, B, "capture"),),
        right=("place B on 0 by card",),
    ),
    Position(
        "kill the other's chip",
        "Two of its own let R move twice, and B has one. A chip of B would only give the move back to R.",
        row="GBY",
        hands=("1R", "1B", "", ""),
        piles=("BR",),
        trail="B",
        out="GY",
        lead=("R: place R on 0",),
        right=("kill B",),
    ),
    Position(
        "kill one's own chip, not the ally's",
        "B has one chip, and gives the move to G, who has none: R needs a prisoner to save its ally.",
        row="BYG",
        hands=("1R", "1B", "", ""),
        piles=("RGR",),
        trail="B",
        out="Y",
        lead=("R: place R on 0",),
        right=("kill R",),
    ),
)
