"""Twenty positions of So Long Sucker, each with a name and the moves that are right in it.

In each, R has to decide. A move is right if R then wins the round whatever the others do, even if they
cooperate; after every other move they can prevent it. A search proves this (`proof.py`). Most of the
positions turn on one thing: once two seats are left, R has won if the other is its ally, and has lost if
the other is its enemy. So of R, its ally and its enemy, the enemy must fall first.

Hands, piles and rows are written as in `table.py`. All blackmail cards have been played except those held
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
    """`row` is R's, enemy first and ally last; `lead` holds the moves from the set-up to the position."""

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
        """The seat that decides when the table is rotated by this many seats."""
        return Seat((R + turn) % SEATS)

    def answers(self, turn: int = 0) -> frozenset[str]:
        """The right moves when the table is rotated by this many seats."""
        return frozenset(_turned(move, turn) for move in self.right)

    def state(self, turn: int = 0) -> SuckerState:
        """The position with all seats and colours shifted by `turn`."""
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
    """The text with every colour shifted by `turn` seats."""
    there = LETTERS[:SEATS]
    return text.translate(str.maketrans(there, there[turn:] + there[:turn]))


def _dead(hands: Sequence[str], piles: Sequence[str]) -> str:
    """All chips that are neither in a hand nor on a pile."""
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
        "B has no chip and nobody holds a prisoner: given the move, it falls, and only the ally is left.",
        row="BYG",
        hands=("1R", "", "1G", ""),
        trail="G",
        out="Y",
        lead=("R: place R new",),
        right=("give B",),
    ),
    Position(
        "kill the prisoner that could save the enemy",
        "B has a tribute card that names R. When in need, it could demand the G chip that R holds.",
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
        "Having placed its prisoner, R can move again and then starve B. Given the move, G, its ally, falls.",
        row="BYG",
        hands=("1R 1B", "", "", ""),
        trail="G",
        out="Y",
        lead=("R: place B new",),
        right=("give R",),
    ),
    Position(
        "win by falling last",
        "Nobody has a chip. If B falls, R falls next and its ally survives; if G falls, B survives instead.",
        row="YBG",
        hands=("1R", "", "", ""),
        trail="B",
        out="Y",
        lead=("R: place R new",),
        right=("give B",),
    ),
    Position(
        "finish",
        "R and Y are left, without chips. The placed chip has a dead colour, so R may give either the move.",
        row="GYB",
        hands=("1G", "", "", ""),
        trail="Y",
        out="GB",
        lead=("R: place G new",),
        right=("give Y",),
    ),
    Position(
        "refuse the enemy",
        "Only R could save B. If it refuses, only its ally is left; killing B's chip is just as good.",
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
        "R has refused to save B, and G is still being asked. R can wait, or hand the chip to its ally.",
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
        "If G falls, R is alone with its enemy. If saved, G must place its chip, and then R starves B.",
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
        "Y is neutral, but R cannot win once only B is left: B must fall first.",
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
        "G must be saved. With a B chip it could capture the pile for B, so R may also kill that chip first.",
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
        "Saving the ally would leave R without a chip. If R keeps it, it gets the move and starves B.",
        row="YBG",
        hands=("1R 1G", "", "", ""),
        trail="B",
        out="Y",
        lead=("R: place R new", "R: give G"),
        right=("refuse",),
    ),
    Position(
        "tribute in one's own rescue",
        "B must hand over all chips of one colour: two Y chips outlast B's own chip; one R chip does not.",
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
        "A B chip on the pile would capture it for B, which has no chips. An R chip on a new pile starves B.",
        row="BYG",
        hands=("1R 1B", "", "1G", ""),
        piles=("RB",),
        trail="G",
        out="Y",
        right=("place R new", "place B new", "bury 1B"),
    ),
    Position(
        "take the capture",
        "With R's last chip anywhere else, B gets the move and gives it back to R, which has no chip left.",
        row="GBY",
        hands=("1R", "1B", "", ""),
        piles=("YBR",),
        trail="B",
        out="GY",
        right=("place R on 0",),
    ),
    Position(
        "avoid the forced move",
        "On pile 0, G, the ally, is next and falls. On pile 1, B is; on a new pile, R can choose B.",
        row="BYG",
        hands=("1R", "", "", ""),
        piles=("GB", "BG"),
        trail="G",
        out="Y",
        right=("place R new", "place R on 1"),
    ),
    Position(
        "force the move, and take a card",
        "B is next in any case. Forcing it on B's pile earns R the last card, a tribute to take B's chips.",
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
        "B has only G chips. The card returns them to G, the ally, and B falls when R gives it the move.",
        row="BYG",
        hands=("1R", "2G", "1G", ""),
        trail="G",
        out="Y",
        cards=((R, G, "return"),),
        right=("card",),
    ),
    Position(
        "capture by blackmail",
        "R has only a B chip. With the card, R captures the pile itself; without the card, B does.",
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
        "Two R chips let R move twice, and B has one chip. A B chip would only give the move back to R.",
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
        "B places its one chip and gives the move to G, which has none. R needs a prisoner to save its ally.",
        row="BYG",
        hands=("1R", "1B", "", ""),
        piles=("RGR",),
        trail="B",
        out="Y",
        lead=("R: place R on 0",),
        right=("kill R",),
    ),
)
