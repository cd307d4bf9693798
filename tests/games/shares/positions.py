"""Twenty positions of Share and Share Alike, each with a name and its sensible moves.

They are based on section 1g. A share is worth its company's prize divided by all shares claimed in it, so
having few co-owners is worth as much as a tall tower. Hearts raise your own tower when it is close to a
better rank; spades lower the tower above it. Kings and aces are kept for the end, and then everything is
spent. A hand is refilled when it is nearly empty. Seat 0 decides, based on what it may see. In `final`
positions nothing follows its action, so the exact scores under the rules decide which moves are right.

Moves are written in the format of `told`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, product
from typing import Any, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from games.api import Multiset, OneOf, PromptId, Range, Seat, Subset
from games.kit.moves import convert_move
from games.kit.tuples import replace_at
from games.shares.rules import scoring, turn_flow
from games.shares.rules.game import SHARES
from games.shares.rules.moves import (
    Add,
    Adjust,
    Discard,
    FromDiscard,
    Lock,
    OpenMarket,
    Play,
    Remove,
    SharesMove,
    Show,
    Spy,
    Swap,
    Take,
    Target,
)
from games.shares.rules.pieces import COMPANIES
from games.shares.rules.values import SharesState, Shown, Shows
from tests.games.hand_table import START
from tests.games.shares.table import Table, position

SEATS: Final = 4
PLAIN: Final = {
    "drawUp": "draw up",
    "endTurn": "end",
    "stopPeeking": "stop",
    "fromDeck": "deck",
    "closeMarket": "close",
    "showAll": "show all",
}
"""The moves that are written as just a name."""
CLOCK: Final = ("extend", "lastCall")


def told(state: SharesState, move: SharesMove | None) -> str:
    """A move in words; None means waiting."""
    match move:
        case None:
            return "wait"
        case Lock(company=company, card=card):
            return f"lock {company or card or 'it'}"
        case Play(card=card):
            return f"play {card}"
        case OpenMarket(card=card):
            return f"market {card}"
        case Discard(cards=cards):
            return " ".join(("discard", *turn_flow.sort_cards(cards)))
        case Add(tower=tower):
            return f"add {tower}"
        case Remove(tower=tower):
            return f"remove {tower}"
        case Spy(seat=seat, what=what):
            return f"spy {seat} {what}"
        case Adjust(by=by):
            return f"adjust {by:+}"
        case Target(seat=seat):
            return f"target {seat}"
        case Take(place=place) if state.peek is not None:
            return f"take {state.hands[state.peek.other][place]}"
        case Swap(seats=seats):
            return " ".join(("swap", *map(str, sorted(seats))))
        case FromDiscard(card=card):
            return f"pick {card}"
        case Show(to=to):
            return " ".join(("show", *map(str, to)))
        case _:
            tag = str(msgspec.to_builtins(move)["move"])
            return PLAIN.get(tag, tag)


class Option(NamedTuple):
    prompt: PromptId
    move: SharesMove


def options(state: SharesState, seat: Seat) -> Iterator[Option]:
    """The legal moves of a seat, except offers of its own and moves that only affect the clock."""
    for prompt, found in SHARES.choices(state, seat).items():
        for choice in found:
            domains = choice.fields.values()
            if choice.move not in CLOCK and not any(isinstance(domain, Multiset) for domain in domains):
                for values in product(*map(_values, domains)):
                    fields = dict(zip(choice.fields, values, strict=True))
                    move: SharesMove = convert_move({"move": choice.move, **fields}, SharesMove)
                    yield Option(prompt, move)


def _values(domain: Any) -> Iterator[Any]:
    match domain:
        case OneOf(of=of):
            yield from of
        case Range(least=least, most=most):
            yield from range(least, most + 1)
        case Subset(of=of, least=least, most=most):
            for size in range(least, most + 1):
                yield from combinations(of, size)
        case _:
            raise TypeError(f"cannot list the values of {domain}")


class Position(NamedTuple):
    """A position with its right moves; `why` gives the rule or the reason behind them.

    `marks` are whole trackers, by seat; `shown` says how many rounds of a seat's tracker everyone has seen.
    `lead` are the moves from seat 0's turn to the position, and `rolls` are the die rolls in them. `phase` is
    a phase of the next round, if the position is not a turn. `deal` is what seat 1, which has opened a market
    on its turn, gives and wants in an offer to seat 0.
    """

    name: str
    why: str
    right: tuple[str, ...]
    hands: tuple[str, str, str, str]
    built: tuple[int, ...] | tuple[str, ...]
    marks: tuple[str, ...]
    actions: tuple[int, int, int, int] = (3, 3, 3, 3)
    lead: tuple[str, ...] = ()
    rolls: tuple[int, ...] = ()
    discard: str = ""
    shown: Mapping[int, int] = {}
    phase: str = "turn"
    deal: tuple[str, str] | None = None
    final: bool = False
    options: Mapping[str, Any] = {}

    def seat(self, turn: int = 0) -> Seat:
        """The seat that decides, shifted by `turn`."""
        return Seat(turn % SEATS)

    def answers(self, turn: int = 0) -> frozenset[str]:
        """The right moves, with their companies and seats shifted by `turn`."""
        return frozenset(_turned(move, turn) for move in self.right)

    def state(self, turn: int = 0) -> SharesState:
        """The position with all seats and companies shifted by `turn`."""
        table = Table(state=self._start(turn))
        table.dice.roll(*self.rolls)
        if self.phase == "lowball":
            table.select(*(_company(marks[-1], turn) for marks in self._from(turn, self.marks)))
        for move in self.lead:
            _led(table, self.seat(turn), _turned(move, turn))
        if self.deal is not None:
            give, wish = ("".join(_company(one, turn) for one in side) for side in self.deal)
            broker = (1 + turn) % SEATS
            (royal,) = self.hands[1].split()
            table.do(broker, "turn", "openMarket", card=royal)
            table.offer(broker, turn % SEATS, give, wish)
        return table.state

    def _from(self, turn: int, by_seat: tuple[str, ...]) -> list[str]:
        return [by_seat[(seat - turn) % SEATS] for seat in range(SEATS)]

    def _start(self, turn: int) -> SharesState:
        marks = ["".join(_company(one, turn) for one in row) for row in self._from(turn, self.marks)]
        built = [floors if isinstance(floors, str) else "L" * floors for floors in self.built]
        rounds = len(marks[0]) - (self.phase == "lowball")
        state = position(
            *self._from(turn, self.hands),
            built=[built[(place - turn) % len(COMPANIES)] for place in range(len(COMPANIES))],
            discard=self.discard,
            actions=[self.actions[(seat - turn) % SEATS] for seat in range(SEATS)],
            marks=dict(enumerate(row[:rounds] for row in marks)),
            turn=(turn + (self.deal is not None)) % SEATS,
            round=rounds,
            **self.options,
        )
        for seat, count in self.shown.items():
            state = _with_shown(state, (seat + turn) % SEATS, count)
        return state if self.phase == "turn" else turn_flow.open_select(state, rounds + 1, START).state


def _company(letter: str, turn: int) -> str:
    return COMPANIES[(COMPANIES.index(msgspec.convert(letter, Any)) + turn) % len(COMPANIES)]


def _turned(move: str, turn: int) -> str:
    """The move with its companies and seats shifted by `turn`."""
    words = []
    for word in move.split():
        if word in COMPANIES:
            words.append(_company(word, turn))
        elif word.isdigit():
            words.append(str((int(word) + turn) % SEATS))
        else:
            words.append(word)
    if words[0] in ("swap", "show"):
        words[1:] = sorted(words[1:])
    return " ".join(words)


def _with_shown(state: SharesState, seat: int, count: int) -> SharesState:
    """The state as if the seat had shown everyone its tracker when it had this many marks."""
    marks = state.marks[seat]
    shown = Shown(count, scoring.tracker(marks[:count], turn_flow.NO_SHARES))
    shows = Shows(replace_at(state.shows.shown, seat, shown))
    return replace(state, shows=shows, marks=replace_at(state.marks, seat, marks[count:]))


def _led(table: Table, seat: Seat, words: str) -> None:
    (option,) = [one for one in options(table.state, seat) if told(table.state, one.move) == words]
    fields = msgspec.to_builtins(option.move)
    table.do(seat, option.prompt, fields.pop("move"), **fields)


LAST: Final = (1, 0, 0, 0)
"""Actions left when seat 0 has the last one of the round."""
ALL_KNOWN: Final = {"talk": "wholeTruth"}
OPEN: Final = {"talk": "wholeTruth", "openMarket": True}
MINE: Final = "AAAAAAAAACCCDDD"
"""Mostly A, and no B."""
MIXED: Final = ("BBBBBBAACCDDEEE", "BBBBBBACCDDDEEE", "BBBBAACCCDDEEEE")

POSITIONS: Final = (
    Position(
        "spade the rival above",
        "1g: play spades on the tower just above your own. If B loses a floor, A shares first place.",
        right=("remove B",),
        hands=("10S", "3H", "", ""),
        built=(5, 6, 3, 2, 1),
        marks=(MINE, *MIXED),
        actions=LAST,
        lead=("play 10S",),
        final=True,
    ),
    Position(
        "heart past the rival",
        "1g: play hearts on the tower you hold most of, where a change of rank is near.",
        right=("add A",),
        hands=("4H", "3H", "", ""),
        built=(5, 5, 3, 3, 1),
        marks=(MINE, *MIXED),
        actions=LAST,
        lead=("play 4H",),
        final=True,
    ),
    Position(
        "do not lower the tower you hold most of",
        "SSA-12: uses are optional. Only A has a floor, and without it A is no better than the others.",
        right=("done",),
        hands=("9S", "3H", "", ""),
        built=(1, 0, 0, 0, 0),
        marks=(MINE, *MIXED),
        actions=LAST,
        lead=("play 9S",),
        final=True,
    ),
    Position(
        "heart the tower nobody else is in",
        "1g: few co-owners. Others share A with you, but C is all yours: only you gain from a better place.",
        right=("add C",),
        hands=("4H", "3H", "", ""),
        built=(4, 5, 1, 2, 0),
        marks=("AAAAAAACCCCEEEE", "AAAAAABBBBBBDDD", "AAAAAABBBBBBDDD", "AAAAAABBBBBBDDD"),
        actions=LAST,
        lead=("play 4H",),
        shown={1: 15, 2: 15, 3: 15},
        final=True,
        options=ALL_KNOWN,
    ),
    Position(
        "look at the tracker of the leader",
        "1g: get information early and in mid-game. Seat 2 has shown the most shares in the tallest tower.",
        right=("spy 2 tracker",),
        hands=("7C 2H", "3H", "4H", "5H"),
        built=(6, 4, 2, 1, 1),
        marks=("BBCCDDEE", "DDEEEBCD", "AAAABAAB", "CDDEEBCD"),
        lead=("play 7C",),
        shown={1: 5, 2: 5, 3: 5},
        options=ALL_KNOWN,
    ),
    Position(
        "take the ace",
        "1g: aces and kings of hearts and spades are the swing cards.",
        right=("take AH",),
        hands=("5D 2C", "2S 3C 4D AH", "", "6C"),
        built=(5, 6, 3, 2, 1),
        marks=(MINE[1:], *(row[1:] for row in MIXED)),
        lead=("play 5D", "target 1"),
        rolls=(1,),
    ),
    Position(
        "swap a poor hand for the rich one",
        "1g: cards are fuel. Your own hand is empty, and seat 1 holds five cards.",
        right=("swap 0 1",),
        hands=("4D", "2H QH KH AH KS", "2C", "3C"),
        built=(5, 6, 3, 2, 1),
        marks=(MINE[3:], *(row[3:] for row in MIXED)),
        lead=("play 4D",),
        rolls=(2,),
    ),
    Position(
        "draw up",
        "1g: draw up with at most one card in hand.",
        right=("draw up",),
        hands=("4C", "3H 4H", "5H", "6H"),
        built=(3, 2, 2, 1, 1),
        marks=("AABBCC", "BCDEAB", "CDEABC", "DEABCD"),
    ),
    Position(
        "take the ace from the Discard Pile",
        "SSA-23: any card in the Discard Pile may be drawn. No card in the deck is better than this one.",
        right=("pick AH",),
        hands=("", "3H 4H", "5H", "6H"),
        built=(3, 2, 2, 1, 1),
        marks=("AAABBBCCC", "BCDEABCDE", "CDEABCDEA", "DEABCDEAB"),
        lead=("draw up",),
        discard="2C AH 3D",
    ),
    Position(
        "spend all in the last round",
        "1g: spend everything in the last rounds. The heart takes A past B; cards left over are worthless.",
        right=("play 3H",),
        hands=("3H 2C", "4H", "", ""),
        built=(5, 5, 3, 3, 1),
        marks=(MINE, *MIXED),
        actions=LAST,
    ),
    Position(
        "last round: take the prize at once",
        "One action is left, and three floors are needed: only the king adds three.",
        right=("play KH",),
        hands=("2H 9H KH", "4H", "", ""),
        built=(4, 6, 3, 2, 1),
        marks=(MINE, *MIXED),
        actions=LAST,
    ),
    Position(
        "save the king",
        "1g: kings and aces are best saved for the end; play the small cards now.",
        right=(
            "play 3H",
            "play 8H",
            "play 2C",
            "play 5C",
            "discard 2C",
            "discard 5C",
            "discard 2C 5C",
        ),
        hands=("3H 8H KH 2C 5C", "3S 4S 5S", "6S", "7S"),
        built=(2, 2, 1, 1, 1),
        marks=("AABC", "BCDE", "CDEA", "DEAB"),
    ),
    Position(
        "stop marking a company that is full",
        "1g: divide each prize by its claimed shares plus one. With 24 shares of A out, any other pays more.",
        right=("lock B", "lock C", "lock D", "lock E"),
        hands=("2H", "3H", "4H", "5H"),
        built=(6, 4, 3, 2, 1),
        marks=("AAABBCCDE", "AAAAAAABC", "AAAAAAABC", "AAAAAAABC"),
        phase="select",
        shown={1: 9, 2: 9, 3: 9},
        options=ALL_KNOWN,
    ),
    Position(
        "alone in the last company",
        "SSA-5, 1g: the only share in the last company pays 200; no other share is worth half as much.",
        right=("lock E",),
        hands=("2H", "3H", "4H", "5H"),
        built=(6, 5, 4, 3, 0),
        marks=("AAAAABBBBBCCCC", "AAAAABBBBBCCDD", "AAAAABBBBBCCDD", "AAAAABBBBBCCDD"),
        phase="select",
        shown={1: 14, 2: 14, 3: 14},
        options=ALL_KNOWN,
    ),
    Position(
        "bid low for the last word",
        "1g: swing cards are best played last in a round, and the highest card starts (SSA-25).",
        right=("lock 2C",),
        hands=("9H AH KS 2C 7D", "3H 4H 5H", "6H 7H", "8H"),
        built=(5, 6, 4, 3, 1),
        marks=(MINE, *MIXED),
        phase="lowball",
        options={"lowball": True},
    ),
    Position(
        "discard what is dead",
        "SSA-36: one action discards them all. Draw five cards next round, and play them in the last.",
        right=("discard 2C 3C 4C",),
        hands=("2C 3C 4C", "3H 4H", "5H", "6H"),
        built=(5, 6, 4, 3, 1),
        marks=(MINE[2:], *(row[2:] for row in MIXED)),
        actions=(1, 1, 1, 1),
    ),
    Position(
        "adjust to the free action",
        "SSA-16, SSA-18: five does nothing, six lets another seat roll; four plays the king for free.",
        right=("adjust -1",),
        hands=("KH 2C QD", "4H", "", ""),
        built=(4, 6, 3, 2, 1),
        marks=(MINE, *MIXED),
        actions=LAST,
        lead=("play QD",),
        rolls=(5,),
    ),
    Position(
        "take the fair trade",
        "1g: a share of A is worth 1000/23, one of E 200/9, and E can no longer catch up.",
        right=("accept",),
        hands=("2H", "KC", "", ""),
        built=(8, 6, 4, 3, 0),
        marks=("AABBBCCCDDDEEEE", "AAAAAAABBBCCCDD", "AAAAAAABBBCCDDE", "AAAAAAABBBCCEEE"),
        actions=(0, 1, 0, 0),
        shown={0: 15, 1: 15, 2: 15, 3: 15},
        deal=("A", "E"),
        options=OPEN,
    ),
    Position(
        "refuse the trade that feeds the leader",
        "1g: two shares of E are worth less than one of B, and seat 1 is already in the lead.",
        right=("decline",),
        hands=("2H", "KC", "", ""),
        built=(8, 6, 4, 3, 0),
        marks=("AABBBCCCDDDDEEE", "AAAAAAAABBCCCEE", "AAAAAAADDBCCDDE", "AAAAAAADDCCCEEE"),
        actions=(0, 1, 0, 0),
        shown={0: 15, 1: 15, 2: 15, 3: 15},
        deal=("EE", "B"),
        options=OPEN,
    ),
    Position(
        "take the floor that weighs most",
        "SSA-1: in pips, B and C are level at 5. Without its top floor, B has 2, less than A; C still has 3.",
        right=("remove B",),
        hands=("5S", "3H", "", ""),
        built=("L", "SSL", "LM", "S", ""),
        marks=(MINE, *MIXED),
        actions=LAST,
        lead=("play 5S",),
        final=True,
        options={"companyMetric": "pips"},
    ),
)
