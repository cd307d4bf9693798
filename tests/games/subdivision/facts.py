"""What makes a remark of Subdivision's bots true of the state it was said in.

`TRUE` has a condition for each intent, and `CLAIMS` for each turn of phrase, so that a new wording is checked
for what it says. A saying is checked with all wordings of its intent, since any of them could have been said.
`MAY_LIE` are intents about what a bot means to do: there, only what they say of the board is checked.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias

from games.api import Seat
from games.kit.promises import MAX_OPEN, max_made
from games.subdivision import texts
from games.subdivision.bot.situation import intent_of
from games.subdivision.bot.voices import WORDINGS
from games.subdivision.rules.board import placements, square_at
from games.subdivision.rules.scoring import MAX_LOST
from tests.games.subdivision.reference import (
    reference_groups,
    reference_near,
    reference_neighbours,
    reference_score,
)
from tests.games.talking_table import Saying

TEXT: Final[Mapping[str, str]] = json.loads(Path(texts.__file__).with_name("en.json").read_text())["remarks"]
CONSENT: Final = frozenset({"yesLeave", "agreed"})


# --- what makes a remark true ---


class Facts:
    """A saying's state, read with the reference rules."""

    def __init__(self, saying: Saying) -> None:
        self.saying, state = saying, saying.state
        self.args: Mapping[str, Any] = saying.spoken.args
        self.by, self.size = int(saying.spoken.seat), state.board.size
        self.parks = set(state.board.parks)
        self.pieces = {
            square: (int(piece.seat), int(piece.pips))
            for square, piece in enumerate(state.board.squares)
            if piece is not None
        }
        self.to: int | None = saying.spoken.addressee

    def square(self, name: str = "square") -> int:
        square = square_at(self.args[name], self.size)
        assert square is not None
        return square

    def free(self, name: str = "square") -> bool:
        return self.square(name) not in self.pieces and self.square(name) not in self.parks

    def three(self, seat: int | None, name: str = "square") -> bool:
        return self.pieces.get(self.square(name)) == (seat, 3)

    def one_near(self, seat: int | None) -> bool:
        return any(self.pieces.get(near) == (seat, 1) for near in reference_near(self.size, self.square()))

    def has_cost(self, seat: int | None, three: int | None = None) -> bool:
        """Whether a 1 of this seat has cost the 3 a point: replays the log, which may begin in mid-game."""
        three = self.square() if three is None else three
        near = reference_near(self.size, three)
        placed = [line.args for line in self.saying.lines if line.key == "subdivision.placed"]
        squares = [square_at(str(args["square"]), self.size) for args in placed]
        ones = sum(self.pieces.get(square, (0, 0))[1] == 1 and square not in squares for square in near)
        is_built, cost = three not in squares, False
        for args, square in zip(placed, squares, strict=True):
            is_built = is_built or square == three
            if args["pips"] == 1 and square in near:
                cost = cost or (is_built and args["seat"] == seat and 1 <= ones <= MAX_LOST)
                ones += 1
        return cost

    def has_wronged(self, seat: int) -> bool:
        """Whether this seat has broken its word to the speaker, or has cost a 3 of the speaker's a point."""
        threes = [square for square, piece in self.pieces.items() if piece == (self.by, 3)]
        return self.broken(seat, self.by) or any(self.has_cost(seat, three) for three in threes)

    def is_last(self, seat: int | None) -> bool:
        return not any(self.saying.state.stash.left[self.by if seat is None else seat])

    def has_neighbour(self) -> bool:
        """Whether the pyramid on the square is side by side with another one of its seat."""
        seat = self.pieces[self.square()][0]
        beside = reference_neighbours(self.size, self.square())
        return any(self.pieces.get(square, (None, 0))[0] == seat for square in beside)

    @property
    def totals(self) -> list[int]:
        options, state = self.saying.state.options, self.saying.state
        seats = len(state.stash.left)
        return reference_score(
            self.size, self.parks, self.pieces, seats, options.private_parks, options.park_ring
        )

    def lead(self, seat: int) -> int:
        return self.totals[seat] - self.totals[self.by]

    @property
    def is_under_way(self) -> bool:
        """Whether half of all pyramids are built: before, nobody speaks of who leads."""
        return len(self.pieces) >= sum(map(sum, self.saying.state.stash.left))

    def leads_by(self, seat: int | None) -> bool:
        return seat is not None and self.lead(seat) == self.args["points"] >= 3 and self.is_under_way

    def best_other(self) -> int:
        return max(self.lead(seat) for seat in range(len(self.totals)) if seat != self.by)

    def promised(
        self, by: int | None, to: int | None, kind: str, judgement: str | None = "any", **terms: Any
    ) -> bool:
        return any(
            promise.by == by
            and to in promise.to
            and promise.kind.startswith(kind)
            and judgement in ("any", promise.judgement)
            and all(promise.terms.get(name) == value for name, value in terms.items())
            for promise in self.saying.promises
        )

    def left_to(self, by: int | None, to: int | None, judgement: str | None = "any") -> bool:
        return self.promised(by, to, "leave_square", judgement, square=self.args["square"])

    def broken(self, by: int | None, to: int | None) -> bool:
        return self.promised(by, to, "", "broken")

    def heard(self, *intents: str, **args: Any) -> bool:
        """Whether the addressee has said something to the speaker, or to all, for one of these intents."""
        return any(
            said.seat == self.to
            and said.addressee in (self.by, None)
            and intent_of(said.key) in intents
            and args.items() <= said.args.items()
            for said in self.saying.before
        )

    def said(self, *intents: str) -> bool:
        """Whether the speaker has said something to the addressee for one of these intents."""
        return any(
            said.seat == self.by and said.addressee == self.to and intent_of(said.key) in intents
            for said in self.saying.before
        )

    def has_plan(self, judgement: str | None) -> bool:
        """Whether the addressee has promised the speaker, or all, to build on the square."""
        return any(
            promise.by == self.to
            and (not promise.to or self.by in promise.to)
            and (promise.kind, promise.judgement) == ("build_at", judgement)
            and promise.terms["square"] == self.args["square"]
            for promise in self.saying.promises
        )

    def has_built_last(self) -> bool:
        last = self.saying.state.board.last
        return last is not None and self.pieces[last][0] == self.by

    def has_harmed(self) -> bool:
        """Whether the last pyramid has cost a 3 of the addressee's a point."""
        last = self.saying.state.board.last
        if last is None or self.pieces[last][1] != 1:
            return False
        for three in reference_near(self.size, last):
            near = [self.pieces.get(square) for square in reference_near(self.size, three)]
            ones = sum(piece is not None and piece[1] == 1 for piece in near)
            if self.pieces.get(three) == (self.to, 3) and 2 <= ones <= MAX_LOST + 1:
                return True
        return False

    def can_build(self) -> bool:
        state = self.saying.state
        fitting = placements(state.board, Seat(self.by), state.stash.left[self.by])
        return any(self.square() in squares for _, squares in fitting)

    def count_joined(self) -> int:
        rest = {square: piece for square, piece in self.pieces.items() if square != self.square()}
        groups = reference_groups(self.size, self.pieces, self.by)
        whole = next(group for group in groups if self.square() in group)
        return sum(group < whole for group in reference_groups(self.size, rest, self.by))


Truth: TypeAlias = Callable[[Facts], bool]
TRUE: Final[Mapping[str, Truth]] = {
    "askLeave": lambda f: f.free(),
    "callIn": lambda f: (
        f.free()
        and f.promised(f.by, f.to, "leave_square", "kept", square=f.args["given"])
        and f.pieces[f.square("given")][0] == f.to
    ),
    "swap": lambda f: f.free() and f.free("mine"),
    "counter": lambda f: f.free() and f.free("mine"),
    "askSpare": lambda f: f.three(f.by),
    "truce": lambda f: f.three(f.by, "mine") and f.three(f.to),
    "hitLeader": lambda f: f.leads_by(f.args["enemy"]),
    "threat": lambda f: f.free() and f.free("reply"),
    "yesLeave": lambda f: f.left_to(f.by, f.to, None),
    "yesSwap": lambda f: f.left_to(f.by, f.to, None),
    "deliver": lambda f: f.left_to(f.by, f.to, None),
    "yield": lambda f: f.left_to(f.by, f.to, None),
    "askWord": lambda f: f.free() and f.free("mine") and f.heard("agreed"),
    "askWordTruce": lambda f: f.heard("agreed"),
    "yesSpare": lambda f: f.promised(f.by, f.to, "avoid_crowding", None) and f.three(f.to),
    "yesTruce": lambda f: f.promised(f.by, f.to, "avoid_crowding", None) and f.three(f.to),
    "deliverTruce": lambda f: f.promised(f.by, f.to, "avoid_crowding", None) and f.three(f.to),
    "askHalf": lambda f: (
        f.free()
        and f.heard("swap", "counter", square=f.args["square"])
        and f.promised(f.by, f.to, "leave_square", None)
        and not f.left_to(f.to, f.by)
    ),
    "askHalfTruce": lambda f: (
        f.three(f.by)
        and f.heard("truce", "peace")
        and f.promised(f.by, f.to, "avoid_crowding", None)
        and not f.promised(f.to, f.by, "avoid_crowding")
    ),
    "reneged": lambda f: f.heard("askHalf", "askHalfTruce") or f.said("swap", "counter", "truce"),
    "spareBack": lambda f: (
        f.three(f.to)
        and f.promised(f.by, f.to, "avoid_crowding", None)
        and f.promised(f.to, f.by, "avoid_crowding", None)
    ),
    "yesHit": lambda f: f.lead(f.args["enemy"]) > 0,
    "yesHitCall": lambda f: (
        f.lead(f.args["enemy"]) == f.args["points"] > 0
        and f.totals[f.args["enemy"]] == max(f.totals)
        and f.saying.state.stash.left[f.by][0] > 0
    ),
    "noWant": lambda f: f.free() and f.can_build(),
    "noGiven": lambda f: f.free() and f.args["other"] != f.to and f.left_to(f.by, f.args["other"], None),
    "already": lambda f: f.promised(f.by, f.to, "", None),
    "noAhead": lambda f: f.leads_by(f.to),
    "noBroke": lambda f: f.broken(f.to, f.by),
    "noCrowded": lambda f: f.three(f.by) and f.has_cost(f.to),
    "noGrudge": lambda f: f.to is not None and f.has_wronged(f.to) and f.said("crowdedMe", "crowdedBoth"),
    "noMany": lambda f: (
        sum(p.by == f.by and p.judgement is None for p in f.saying.promises) >= MAX_OPEN
        or sum(p.by == f.by for p in f.saying.promises) >= max_made(len(f.totals))
    ),
    "noneLeft": lambda f: f.is_last(f.by),
    "builtThere": lambda f: f.pieces[f.square()][0] == f.by and f.saying.state.board.last == f.square(),
    "noOnes": lambda f: not f.saying.state.stash.left[f.by][0],
    "noPlain": lambda f: f.free(),
    "noSpare": lambda f: f.three(f.to) and f.saying.state.stash.left[f.by][0] > 0,
    "noSpareYet": lambda f: f.promised(f.to, f.by, "avoid_crowding", None),
    "noHitOnes": lambda f: not f.saying.state.stash.left[f.by][0],
    "noHit": lambda f: f.lead(f.args["enemy"]) > 0 and not f.has_wronged(f.args["enemy"]),
    "noHitAhead": lambda f: f.lead(f.args["enemy"]) <= 0,
    "noHitPeace": lambda f: f.promised(f.by, f.args["enemy"], "avoid_crowding", None),
    "noHitMe": lambda f: all(f.lead(seat) < 0 for seat in range(len(f.totals)) if seat != f.by),
    "early": lambda f: not f.is_under_way and f.lead(f.args["enemy"]) == f.best_other() == 1,
    "youLead": lambda f: (
        f.to is not None and f.totals.count(max(f.totals)) == 1 and f.totals[f.to] == max(f.totals)
    ),
    "youLevel": lambda f: (
        f.totals[f.by] < f.totals[f.to or 0] == f.totals[f.args["other"]] == max(f.totals)
        and f.args["other"] not in (f.by, f.to)
    ),
    "youAndMe": lambda f: f.to is not None and f.totals[f.to] == f.totals[f.by] == max(f.totals),
    "defy": lambda f: f.free() and f.can_build(),
    "shrug": lambda f: f.free(),
    "insist": lambda f: f.promised(f.by, f.to, "reply", None, square=f.args["square"], reply=f.args["reply"]),
    "substitute": lambda f: f.saying.character.is_substitute,
    "thanksYes": lambda f: f.heard(*CONSENT),
    "thanksPeace": lambda f: f.heard("yesSpare", "agreed"),
    "thanksKept": lambda f: f.left_to(f.to, f.by, "kept"),
    "thanksSpared": lambda f: f.promised(f.to, f.by, "", "kept"),
    "brokeLeave": lambda f: f.left_to(f.to, f.by, "broken"),
    "brokeWord": lambda f: f.broken(f.to, f.by),
    "brokeDeal": lambda f: f.heard("agreed") and f.pieces[f.square()][0] == f.to,
    "brokeSpare": lambda f: f.heard("agreed") and f.three(f.by) and f.one_near(f.to),
    "crowdedMe": lambda f: f.three(f.by) and f.has_cost(f.to),
    "crowdedBoth": lambda f: all(
        f.three(f.by, name) and f.has_cost(f.to, f.square(name)) for name in ("square", "second")
    ),
    "crowdedAgain": lambda f: (
        f.three(f.by) and f.has_cost(f.to) and f.said("crowdedMe", "crowdedBoth") and f.is_under_way
    ),
    "forgive": lambda f: f.heard("oops") and f.three(f.by) and f.has_cost(f.to),
    "tookIt": lambda f: f.pieces[f.square()][0] == f.to,
    "sorry": lambda f: f.three(f.to) and f.has_cost(f.by),
    "sorryAhead": lambda f: f.leads_by(f.to),
    "sorryBroke": lambda f: f.broken(f.by, f.to),
    "shameless": lambda f: f.broken(f.by, f.to),
    "innocent": lambda f: not f.broken(f.by, f.to),
    "admit": lambda f: f.left_to(f.by, f.to, "broken") and f.pieces[f.square()][0] == f.by,
    "admitCrowding": lambda f: f.promised(f.by, f.to, "avoid_crowding", "broken"),
    "ackLeave": lambda f: f.left_to(f.to, f.by),
    "ackSpare": lambda f: f.promised(f.to, f.by, "avoid", None),
    "ackQuiet": lambda f: f.promised(f.to, f.by, "") or f.heard("agreed", "peace"),
    "heardPlan": lambda f: f.has_plan(None),
    "sawPlan": lambda f: f.has_plan("kept") and f.pieces[f.square()][0] == f.to,
    "agreedTo": lambda f: f.heard("agreed"),
    "hurried": lambda f: f.heard("hurry") and f.saying.decision.answer is not None,
    "afterYou": lambda f: f.heard("hurry") and f.saying.state.stage.turn == f.to,
    "ouchWhat": lambda f: f.heard("ouch") and f.has_built_last() and not f.has_harmed(),
    "distrust": lambda f: f.broken(f.to, f.by),
    "pity": lambda f: f.heard("noDeal"),
    "welcome": lambda f: f.heard("praise", "niceMove", "wellPlayed"),
    "joined": lambda f: f.count_joined() == f.args["count"] > 1,
    "behind": lambda f: f.best_other() == f.args["points"] > 1 and f.is_under_way,
    "crowdedYou": lambda f: f.three(f.to) and f.has_cost(f.by),
    "praise": lambda f: f.pieces[f.square()][0] == f.to and f.has_neighbour(),
    "last": lambda f: f.is_last(f.by) and sum(map(sum, f.saying.state.stash.left)) > 1,
}
MAY_LIE: Final = frozenset({"swap", "counter", "truce", "threat", "shrug", "defy", "noWant", "askWord"})
CLAIMS: Final[Mapping[str, Truth]] = {
    r"next to|side by side": lambda f: False,
    r"\bopen\b(?! near)|still free": lambda f: f.free(),
    r"just built on \{square\}|sitting on \{square\}": lambda f: not f.free(),
    r"\bmy (\w+ )?3 on \{square\}": lambda f: f.three(f.by),
    r"\bmy 3 on \{mine\}": lambda f: f.three(f.by, "mine"),
    r"\byour (\w+ )?3 on \{square\}": lambda f: f.three(f.to),
    r"(loses|costs me|costs? my 3 on \{square\}|cost me) a point": lambda f: f.has_cost(f.to),
    r"One point off my": lambda f: f.has_cost(f.to),
    r"costs your 3|One point off your": lambda f: f.has_cost(f.by),
    r"\b1 of yours near|hasn’t forgotten your 1|put a 1 near|before your 1|there’s your 1": lambda f: (
        f.one_near(f.to)
    ),
    r"that 1 doing": lambda f: f.one_near(f.to),
    r"only a 1 near \{square\}": lambda f: f.one_near(f.by),
    r"no 1s left|placed all my 1s|out of 1s": lambda f: not f.saying.state.stash.left[f.by][0],
    r"We both have 1s": lambda f: all(f.saying.state.stash.left[seat or 0][0] for seat in (f.by, f.to)),
    r"crowd those 3s": lambda f: (f.args["enemy"], 3) in f.pieces.values(),
    r"no pyramids left|my last pyramid|built everything|out of pyramids|All built": lambda f: f.is_last(f.by),
    r"You’re .* ahead of me|[Yy]ou(’d| still)? lead me|more than I have, you": lambda f: (
        f.lead(f.to or 0) > 0
    ),
    r"\{enemy\} (is|leads) .*(ahead of|by)|behind \{enemy\} as well": (lambda f: f.lead(f.args["enemy"]) > 0),
    r"isn’t ahead of me|at least as many points as|I’m not behind": lambda f: f.lead(f.args["enemy"]) <= 0,
    r"has done nothing to me|no quarrel with|owes me nothing|has been nice to me": (
        lambda f: not f.has_wronged(f.args["enemy"])
    ),
    r"[Bb]roke(n)? (your|a) (word|promise)|broken promise\? No": (lambda f: f.broken(f.to, f.by)),
    r"I broke my word|I did promise": lambda f: f.broken(f.by, f.to),
    r"[Yy]ou have my word|I promise( you|\.|!| to)|I’ve (already )?promised you": (
        lambda f: f.promised(f.by, f.to, "", None)
    ),
    r"or one point|^One point\?|that one point|only one point": lambda f: f.best_other() == 1,
    r"(No new|your) group": lambda f: f.has_neighbour(),
    r"[Bb]oth of (us|you)|all of you": lambda f: True,
}
"""By pattern in the text of a wording, what must hold where it is said."""


@cache
def list_claims(intent: str) -> tuple[str, ...]:
    """The patterns in the wordings of an intent."""
    words = [TEXT[key] for key in WORDINGS[intent]]
    return tuple(pattern for pattern in CLAIMS if any(re.search(pattern, text) for text in words))


def check_truth(saying: Saying) -> None:
    facts, intent = Facts(saying), intent_of(saying.spoken.key)
    assert TRUE[intent](facts), saying
    for pattern in list_claims(intent):
        assert CLAIMS[pattern](facts), (pattern, saying)
