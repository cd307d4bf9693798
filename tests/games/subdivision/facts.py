"""What makes a remark of Subdivision's bots true of the state it was said in.

`TRUE` has a condition for each intent. `MAY_LIE` are those that are about what a bot means to do: there, only
what they say of the board is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from games.api import Seat
from games.kit.promises import MAX_OPEN, max_made
from games.subdivision.bot.situation import intent_of
from games.subdivision.rules.board import placements, square_at
from tests.games.subdivision.reference import reference_groups, reference_near, reference_score
from tests.games.subdivision.talking import Scene

CONSENT: Final = frozenset(
    {"yesLeave", "yesSwap", "yesSpare", "yesTruce", "yield", "deliver", "deliverTruce", "agreed"}
)


# --- what makes a remark true ---


class Facts:
    """A scene's state, read with the reference rules."""

    def __init__(self, scene: Scene) -> None:
        self.scene, state = scene, scene.state
        self.args: Mapping[str, Any] = scene.said.args
        self.by, self.size = int(scene.said.seat), state.board.size
        self.parks = set(state.board.parks)
        self.pieces = {
            square: (int(piece.seat), int(piece.pips))
            for square, piece in enumerate(state.board.squares)
            if piece is not None
        }
        self.to: int | None = scene.said.addressee

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

    def loses(self) -> bool:
        near = [self.pieces.get(square, (0, 0))[1] for square in reference_near(self.size, self.square())]
        return near.count(1) > 1

    @property
    def totals(self) -> list[int]:
        options, state = self.scene.state.options, self.scene.state
        seats = len(state.stash.left)
        return reference_score(
            self.size, self.parks, self.pieces, seats, options.private_parks, options.park_ring
        )

    def lead(self, seat: int) -> int:
        return self.totals[seat] - self.totals[self.by]

    def leads_by(self, seat: int | None) -> bool:
        return seat is not None and self.lead(seat) == self.args["points"] > 0

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
            for promise in self.scene.promises
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
            for said in self.scene.before
        )

    def can_build(self) -> bool:
        state = self.scene.state
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
    "swap": lambda f: f.free() and f.free("mine"),
    "counter": lambda f: f.free() and f.free("mine"),
    "askSpare": lambda f: f.three(f.by),
    "truce": lambda f: f.three(f.by, "mine") and f.three(f.to),
    "hitLeader": lambda f: f.leads_by(f.args["enemy"]),
    "threat": lambda f: f.free() and f.free("reply"),
    "yesLeave": lambda f: f.left_to(f.by, f.to),
    "yesSwap": lambda f: f.left_to(f.by, f.to),
    "deliver": lambda f: f.left_to(f.by, f.to),
    "yield": lambda f: f.left_to(f.by, f.to),
    "yesSpare": lambda f: f.promised(f.by, f.to, "avoid_crowding") and f.three(f.to),
    "yesTruce": lambda f: f.promised(f.by, f.to, "avoid_crowding") and f.three(f.to),
    "deliverTruce": lambda f: f.promised(f.by, f.to, "avoid_crowding") and f.three(f.to),
    "yesHit": lambda f: f.lead(f.args["enemy"]) > 0,
    "noWant": lambda f: f.can_build(),
    "noAhead": lambda f: f.leads_by(f.to),
    "noBroke": lambda f: f.broken(f.to, f.by),
    "noCrowded": lambda f: f.three(f.by) and f.one_near(f.to),
    "noMany": lambda f: (
        sum(p.by == f.by and p.judgement is None for p in f.scene.promises) >= MAX_OPEN
        or sum(p.by == f.by for p in f.scene.promises) >= max_made(len(f.totals))
    ),
    "noneLeft": lambda f: not any(f.scene.state.stash.left[f.by]),
    "noLate": lambda f: not f.free(),
    "noOnes": lambda f: not f.scene.state.stash.left[f.by][0],
    "noPlain": lambda f: True,
    "noHit": lambda f: (
        not f.broken(f.args["enemy"], f.by)
        and not any(
            piece == (f.by, 3) and f.pieces.get(near) == (f.args["enemy"], 1)
            for square, piece in f.pieces.items()
            for near in reference_near(f.size, square)
        )
    ),
    "noHitAhead": lambda f: f.lead(f.args["enemy"]) <= 0,
    "defy": lambda f: f.free() and f.can_build(),
    "shrug": lambda f: f.free(),
    "insist": lambda f: f.promised(f.by, f.to, "reply", None, square=f.args["square"], reply=f.args["reply"]),
    "substitute": lambda f: f.scene.character.is_substitute,
    "thanksYes": lambda f: f.heard(*CONSENT),
    "thanksKept": lambda f: f.left_to(f.to, f.by, "kept"),
    "thanksSpared": lambda f: f.promised(f.to, f.by, "", "kept"),
    "brokeLeave": lambda f: f.left_to(f.to, f.by, "broken"),
    "brokeWord": lambda f: f.broken(f.to, f.by),
    "crowdedMe": lambda f: f.three(f.by) and f.one_near(f.to) and f.loses(),
    "sorry": lambda f: f.three(f.to) and f.one_near(f.by),
    "sorryAhead": lambda f: f.leads_by(f.to),
    "sorryBroke": lambda f: f.broken(f.by, f.to),
    "shameless": lambda f: f.broken(f.by, f.to),
    "admit": lambda f: f.left_to(f.by, f.to, "broken") and f.pieces[f.square()][0] == f.by,
    "ackLeave": lambda f: f.left_to(f.to, f.by),
    "ackSpare": lambda f: f.promised(f.to, f.by, "avoid", None, left=f.args["left"]),
    "ackQuiet": lambda f: f.promised(f.to, f.by, "") or f.heard("agreed", "peace"),
    "distrust": lambda f: f.broken(f.to, f.by),
    "pity": lambda f: f.heard("noDeal"),
    "welcome": lambda f: f.heard("praise", "niceMove", "wellPlayed"),
    "joined": lambda f: f.count_joined() == f.args["count"] > 1,
    "ahead": lambda f: -f.best_other() == f.args["points"] > 0,
    "behind": lambda f: f.best_other() == f.args["points"] > 0,
    "crowdedYou": lambda f: f.three(f.to) and f.one_near(f.by) and f.loses(),
    "praise": lambda f: f.pieces[f.square()][0] == f.to,
    "last": lambda f: not any(f.scene.state.stash.left[f.by]),
}
MAY_LIE: Final = frozenset({"swap", "counter", "truce", "threat", "shrug", "defy", "noWant"})


def check_truth(scene: Scene) -> None:
    assert TRUE[intent_of(scene.said.key)](Facts(scene)), scene
