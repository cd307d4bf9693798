"""The table of the reference So Long Sucker (reference.py): its state, and what can be read from it."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field

KINDS = ("capture", "return", "tribute")
BASE = {4: 7, 5: 6, 6: 5}
NOBODY = -1


@dataclass
class Options:
    """The options of 2a with their defaults; `rounds` is 1 to 10."""

    blind_ally: bool = True
    blackmail: bool = True
    rounds: int = 1
    chip_adjust: str = "fromBase"  # or cumulative, off
    first_player: str = "random"  # or lastOut, rotate
    blackmail_faces: str = "private"  # or public
    self_blackmail: bool = False
    dead_cards: str = "void"  # or keepCapture


@dataclass
class Card:
    """A blackmail card that somebody has taken, naming the colour `token`. Immutable."""

    number: int
    kind: str
    owner: int
    token: int


@dataclass
class Game:
    """The whole state, public and secret. `chips[holder][colour]` and `killed[colour]` are counts."""

    seats: int
    options: Options
    round: int
    first: int
    started_with: list[int]
    rows: list[list[int]]
    deck: list[str]
    chips: list[list[int]]
    stack: list[int]
    alive: list[bool]
    killed: list[int]
    points: list[int]
    """Rounds won, including this one once it is over."""
    phase: str = "move"
    piles: list[list[int]] = field(default_factory=list)
    cards: list[Card] = field(default_factory=list)
    """The cards that are held."""
    played: list[Card] = field(default_factory=list)
    void: list[Card] = field(default_factory=list)
    taken: int = 0
    """The number of cards taken from the stack."""
    eliminated: list[int] = field(default_factory=list)
    eligible: list[int] = field(default_factory=list)
    """In CHOOSE_NEXT: the seats that may be given the move."""
    captor: int = NOBODY
    captured: int = NOBODY
    """In KILL: the seat that kills, and the index of the pile."""
    refused: list[int] = field(default_factory=list)
    award_to: int | None = None
    """In RESCUE: the seat that takes a card if the seat in need is rescued (SLS-21)."""
    pleads: bool = False
    """In RESCUE: the seat in need is asked as well, because it may hold a card that helps (SLS-23)."""
    bound: bool = False
    """In MOVE: the holder was rescued, so it must place a chip, and must keep one to do so."""
    round_winners: list[int] = field(default_factory=list)


def start(seats: int, options: Options, rows: list[list[int]], deck: list[str], first: int) -> Game:
    """Begins round 1: `rows` left to right, `deck` top first. Raises ValueError if either is invalid."""
    return begin(seats, options, 1, first, [BASE[seats]] * seats, rows, deck, [0] * seats)


def begin(
    seats: int,
    options: Options,
    number: int,
    first: int,
    started_with: list[int],
    rows: list[list[int]],
    deck: list[str],
    points: list[int],
) -> Game:
    for seat in range(seats):
        others = [colour for colour in range(seats) if colour != seat] if options.blind_ally else []
        if sorted(rows[seat]) != others:
            raise ValueError(f"no row of seat {seat}: {rows[seat]}")
    if sorted(deck) != (sorted(KINDS * 2) if options.blackmail else []):
        raise ValueError(f"no blackmail stack: {deck}")
    chips = [[0] * seats for _ in range(seats)]
    for seat in range(seats):
        chips[seat][seat] = started_with[seat]
    return Game(
        seats=seats,
        options=options,
        round=number,
        first=first,
        started_with=list(started_with),
        rows=[list(row) for row in rows],
        deck=list(deck),
        chips=chips,
        stack=[first],
        alive=[True] * seats,
        killed=[0] * seats,
        points=list(points),
    )


def fresh(game: Game) -> Game:
    """A copy that shares no lists with the original."""
    after = copy(game)
    for name, value in vars(game).items():
        if isinstance(value, list):
            setattr(after, name, [list(inner) if type(inner) is list else inner for inner in value])
    return after


# --- reading a state ---


def holder(game: Game) -> int:
    """The seat that has the move, or had it when this phase began."""
    return game.stack[-1]


def living(game: Game) -> list[int]:
    return [seat for seat in range(game.seats) if game.alive[seat]]


def chips_of(game: Game, seat: int) -> int:
    return sum(game.chips[seat])


def prisoners(game: Game, seat: int) -> dict[int, int]:
    """The number of prisoners of each colour that this seat holds."""
    return {
        colour: game.chips[seat][colour]
        for colour in range(game.seats)
        if colour != seat and game.chips[seat][colour] > 0
    }


def waiting(game: Game) -> list[int]:
    """The seats that must act: one or, in RESCUE, every seat asked that has not refused (SLS-15)."""
    if game.phase in ("move", "choose"):
        return [holder(game)]
    if game.phase == "kill":
        return [game.captor]
    return unanswered(game) if game.phase == "rescue" else []


def asked(game: Game) -> list[int]:
    """In RESCUE: the living holders of prisoners and, if there are any, the seat in need if it pleads."""
    holders = [seat for seat in living(game) if prisoners(game, seat)]
    return sorted({*holders, holder(game)}) if holders and game.pleads else holders


def unanswered(game: Game) -> list[int]:
    return [seat for seat in asked(game) if seat not in game.refused]


def might_save_itself(game: Game) -> bool:
    """Returns whether the seat in need could, for all the others know, have a tribute that helps (SLS-23)."""
    played = [card.kind for card in game.played].count("tribute")
    for card in game.cards:
        seen = game.options.blackmail_faces == "public"
        perhaps = card.kind == "tribute" if seen else played < 2
        if card.owner == holder(game) and perhaps and prisoners(game, card.token):
            return True
    return False


def known_kinds(game: Game, viewer: int | None) -> dict[int, str]:
    """The kinds, by number, of the held cards whose face the viewer (None: a spectator) knows (SLS-18)."""
    known = {}
    for card in game.cards:
        if game.options.blackmail_faces == "public" or viewer in (card.owner, card.token):
            known[card.number] = card.kind
    return known


def ally(game: Game, seat: int) -> int:
    return game.rows[seat][-1]


def enemy(game: Game, seat: int) -> int:
    return game.rows[seat][0]


def outcome(game: Game) -> list[int] | None:
    """The winners of the match: those with the most rounds, if any (SLS-31); None while it is in progress."""
    if game.phase != "over":
        return None
    most = max(game.points)
    return [seat for seat in range(game.seats) if most > 0 and game.points[seat] == most]


def next_chips(game: Game) -> list[int]:
    """The number of chips with which each seat begins the next round (2d, SLS-30)."""
    number = []
    for seat in range(game.seats):
        before = game.started_with[seat] if game.options.chip_adjust == "cumulative" else BASE[game.seats]
        change = 0
        if game.options.blind_ally and game.options.chip_adjust != "off":
            for other in range(game.seats):
                if other != seat and enemy(game, other) == seat:
                    change += 1
                if other != seat and ally(game, other) == seat:
                    change -= 1
        number.append(max(1, before + change))
    return number


def next_first(game: Game) -> int | None:
    """The seat that begins the next round, or None if it is drawn at random (SLS-3)."""
    if game.options.first_player == "lastOut":
        return game.eliminated[-1]
    if game.options.first_player == "rotate":
        return (game.first + 1) % game.seats
    return None
