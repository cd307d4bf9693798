"""Proves what a seat in So Long Sucker can force in a small position, by searching every continuation.

Only a seat's own row counts towards its win, so the search treats all the others as one opponent. It tries
all their moves, including gifts and kills out of turn; the seat itself acts only when it is asked. Cards that
nobody has taken yet are drawn in deck order, so a proof holds only if all of them are of the same kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterator
from itertools import product
from typing import Any, NamedTuple

from games.api import Choice, Millis, OneOf, PromptId, Range, Seat
from games.dice import Dice
from games.kit.moves import convert_move
from games.sucker.rules.game import SUCKER
from games.sucker.rules.values import SuckerMove, SuckerState

NOW = Millis(2_000)
IDLE = ("extend", "lastCall", "relent")
"""Moves that do not affect the result: more or less time, and taking back a refusal."""


class Option(NamedTuple):
    """A legal move."""

    seat: Seat
    prompt: PromptId
    move: SuckerMove


def options(state: SuckerState, seat: Seat) -> Iterator[Option]:
    """Yields all legal moves of a seat except the idle ones."""
    for prompt, choices in SUCKER.choices(state, seat).items():
        for choice in choices:
            if choice.move not in IDLE:
                yield from (Option(seat, prompt, move) for move in _moves(choice))


def _moves(choice: Choice) -> Iterator[SuckerMove]:
    domains: list[Any] = []
    for domain in choice.fields.values():
        assert isinstance(domain, OneOf | Range)
        domains.append(domain.of if isinstance(domain, OneOf) else range(domain.least, domain.most + 1))
    for values in product(*domains):
        fields = dict(zip(choice.fields, values, strict=True))
        move: SuckerMove = convert_move({"move": choice.move, **fields}, SUCKER.Move)
        yield move


def after(state: SuckerState, option: Option) -> SuckerState:
    assert SUCKER.check(state, option.seat, option.prompt, option.move, NOW) is None
    return SUCKER.apply(state, option.seat, option.prompt, option.move, NOW, Dice(b"proof")).state


def decided(state: SuckerState, seat: Seat) -> bool | None:
    """Returns True if the seat is sure to win the round, False if it is sure to lose, else None."""
    if state.stage.mover is None:
        return seat in state.match.results[-1].winners
    alive = {other for other, living in enumerate(state.stage.alive) if living}
    enemy, ally = state.rows[seat][0], state.rows[seat][-1]
    if seat not in alive or alive == {seat, enemy}:
        return False
    return True if alive == {seat, ally} else None


def asked(state: SuckerState, seat: Seat) -> bool:
    """Returns whether the table is waiting for the seat."""
    refused = state.need is not None and state.need.refused[seat]
    return state.timer is not None and seat in state.timer.concerns and not refused


def same(state: SuckerState) -> Hashable:
    """Returns a key that is the same for positions with the same possible futures.

    The order of the piles does not matter. In the trail of the move, only each living seat's last turn
    matters.
    """
    stage, need = state.stage, state.need
    piles = tuple(sorted(pile.chips for pile in state.piles))
    chosen = tuple(pile.chips for pile in state.piles if pile.id == stage.pile)
    last = {seat: place for place, seat in enumerate(state.trail) if stage.alive[seat]}
    way = tuple(sorted(last, key=last.__getitem__))
    fallen = stage.out[-1:]
    stage_key = (stage.phase, stage.mover, stage.alive, fallen, stage.next, stage.bound, chosen)
    answers = None if need is None or state.timer is None else (need, state.timer.concerns)
    return stage_key, state.hands.chips, piles, way, state.taken, answers


class Node(NamedTuple):
    verdict: bool | None
    due: bool
    """Whether the table is waiting for the seat."""
    own_results: list[Hashable]
    others: list[Hashable]


def _cornered(node: Node, lost: set[Hashable]) -> bool:
    """Returns whether the others can lead the seat into a lost position, or it must move into one itself."""
    if any(then in lost for then in node.others):
        return True
    return node.due and all(then in lost for then in node.own_results)


class TooMuch(Exception):
    """Raised when too many positions may follow."""


class Proof:
    """A search for one seat from one position. Raises TooMuch if more than `most` positions may follow."""

    def __init__(self, root: SuckerState, seat: Seat, most: int = 20_000) -> None:
        self.root, self.seat = root, seat
        self.nodes: dict[Hashable, Node] = {}
        waiting = [root]
        while waiting:
            state = waiting.pop()
            if same(state) not in self.nodes:
                waiting.extend(self._explored(state))
            if len(self.nodes) > most:
                raise TooMuch
        self._lost = self._spread(False, _cornered)

    def _explored(self, state: SuckerState) -> list[SuckerState]:
        verdict = decided(state, self.seat)
        node = Node(verdict, asked(state, self.seat), [], [])
        self.nodes[same(state)] = node
        if verdict is not None:
            return []
        states = []
        for seat in map(Seat, range(len(state.stage.alive))):
            for option in options(state, seat):
                then = after(state, option)
                (node.own_results if seat == self.seat else node.others).append(same(then))
                states.append(then)
        return states

    def _spread(self, verdict: bool, joins: Callable[[Node, set[Hashable]], bool]) -> set[Hashable]:
        """Returns all positions with this verdict, and the earlier ones that `joins` adds to them."""
        before: defaultdict[Hashable, list[Hashable]] = defaultdict(list)
        for name, node in self.nodes.items():
            for then in (*node.own_results, *node.others):
                before[then].append(name)
        names = {name for name, node in self.nodes.items() if node.verdict is verdict}
        waiting = list(names)
        while waiting:
            for name in before[waiting.pop()]:
                if name not in names and joins(self.nodes[name], names):
                    names.add(name)
                    waiting.append(name)
        return names

    def forces(self, option: Option | None = None, state: SuckerState | None = None) -> bool:
        """Returns whether the seat beats all the others together, after this move or (if None) by waiting.

        Starts from `state`, a later position, or from the root by default.
        """
        position = self.root if state is None else state
        return same(position if option is None else after(position, option)) not in self._lost
