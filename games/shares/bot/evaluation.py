"""What towers are worth to a seat: prizes as they may come out, by the shares it may have of each.

A company wins 200 and 200 more for each company it ends above; so all that has to be guessed is how likely
each ends above each. The taller of two is the likelier to do so, and the surer the less is left to be played.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import erf, sqrt
from typing import Final, NamedTuple, TypeAlias

from games.kit.memo import memoize
from games.shares.bot.observation import Sizes, Table, step, tops
from games.shares.rules.pieces import ACTIONS, COMPANIES

NUMBER: Final = len(COMPANIES)
PLACES: Final = range(NUMBER)
STEP: Final = 200
"""What one place more is worth."""
FAR: Final = 130
"""No two towers differ by more."""
DRIFT: Final = 0.45
"""By how much the square of a difference of two towers varies with every action still to come."""
LAST_DRIFT: Final = 0.9
"""And in the last round, for which the high cards are kept."""
SHARP: Final = 2
"""How much more one minds the company of which one has the largest part than others."""
LEAST_SPREAD: Final = 0.05
PER_FLOOR: Final = 2.5
"""Pips of a floor, about."""


NOTHING: Final = 1e-6
"""Points so few are none."""

Way: TypeAlias = tuple[float, tuple[int, ...], Sizes]
"""What floors bring, in points; their towers; and how large all towers are then."""


class Lens(NamedTuple):
    """How a bot looks at towers and shares."""

    now: bool
    """As if it were over after this round."""
    taste: float
    """How much others are thought to prefer companies that win much; 0: not at all."""
    loyal: float
    """How much one's own marks to come go where one has shares."""


def _points(way: Way) -> float:
    return way[0]


# --- how likely one tower ends above another ---


@memoize
def above_by(spread: float, tie: str) -> tuple[float, ...]:
    """For each difference, from -FAR on, what part of a place it is worth (SSA-2)."""
    found = []
    for apart in range(-FAR, FAR + 1):
        more, less = _normal((apart + 0.5) / spread), _normal((apart - 0.5) / spread)
        found.append({"high": more, "low": less}.get(tie, (more + less) / 2))
    return tuple(found)


def _normal(x: float) -> float:
    return (1 + erf(x / sqrt(2))) / 2


def spread(here: Table, now: bool) -> float:
    """The standard deviation of what may still come to the difference of two towers."""
    actions = sum(here.actions[seat] for seat in here.others if here.can_act(seat))
    if here.kind in ("select", "lowball"):
        actions = ACTIONS * (here.seats - 1)
    final = here.left == 0
    varies = actions * (LAST_DRIFT if final else DRIFT)
    if not final and not now:
        rounds = ACTIONS * here.seats
        varies += rounds * (LAST_DRIFT + (here.left - 1) * DRIFT)
    return max(LEAST_SPREAD, sqrt(varies) * (PER_FLOOR if here.pips else 1))


# --- who has how many shares ---


def prizes(sizes: Sequence[int], above: Sequence[float]) -> list[float]:
    """What each company may be expected to win."""
    found = [float(STEP)] * NUMBER
    for one in PLACES:
        for other in range(one + 1, NUMBER):
            apart = sizes[one] - sizes[other]
            found[one] += STEP * above[FAR + apart]
            found[other] += STEP * above[FAR - apart]
    return found


def _tastes(wins: Sequence[float], taste: float) -> list[float]:
    """How a mark of somebody of whom nothing is known may go, in parts of one."""
    raw: list[float] = [win**taste for win in wins]
    return [one / sum(raw) for one in raw]


def _habits(here: Table, usual: Sequence[float]) -> list[list[float]]:
    """By seat, how a mark of it may go of which nothing is known, in parts of one.

    Who has shown its tracker goes on half as it was, and half as others do.
    """
    found = []
    for seat in range(here.seats):
        known = here.known[seat]
        if known is None:
            found.append([*usual])
        else:
            marks = known.tracker.marks
            found.append(
                [
                    (part + marks.count(company) / max(1, len(marks))) / 2
                    for company, part in zip(COMPANIES, usual, strict=True)
                ]
            )
    return found


def holdings(here: Table, habits: Sequence[Sequence[float]]) -> list[list[float]]:
    """By seat, the shares it has of each company, as far as one knows or guesses."""
    found = []
    unknown = [seat for seat in here.others if here.known[seat] is None]
    for seat in range(here.seats):
        known = here.known[seat]
        if seat == here.me:
            found.append([float(held) for held in here.own.holdings])
        elif known is not None:
            marks = here.marked - known.round
            row = zip(habits[seat], known.tracker.holdings, strict=True)
            found.append([held + marks * part for part, held in row])
        else:  # what one gave in trades, one of these has; what one got, one of them had
            row = zip(habits[seat], here.own.traded, strict=True)
            found.append([max(0.0, here.marked * part - more / len(unknown)) for part, more in row])
    return found


class Outlook:
    """The prospects of a seat, of which each place of each tower is worth a part."""

    def __init__(self, here: Table, lens: Lens) -> None:
        self.here = here
        self.above = above_by(round(spread(here, lens.now) * 8) / 8 or LEAST_SPREAD, here.tie)
        self.wins = prizes(here.sizes, self.above)
        habits = _habits(here, _tastes(self.wins, lens.taste))
        self.rows = holdings(here, habits)
        to_come = here.left + (here.kind == "select")
        self.own = [float(held) for held in here.own.holdings]
        self.claimed = [
            sum(row[company] for row in self.rows)
            + to_come * sum(habits[seat][company] for seat in here.others)
            for company in PLACES
        ]
        """By others and oneself, without one's own marks to come."""
        later = max(0, to_come - (here.kind == "select"))
        liking = [win * (lens.loyal * held + 1) for win, held in zip(self.wins, self.own, strict=True)]
        self.later = [later * one / sum(liking) for one in liking]
        """One's own marks of later rounds."""
        self.parts = [
            (held + more) / max(1e-9, claimed + more)
            for held, more, claimed in zip(self.own, self.later, self.claimed, strict=True)
        ]
        """Of each company's prize, the part that is one's own."""

    def change(self, sizes: Sequence[int], company: int, size: int) -> float:
        """What it brings, in points, that a tower among these sizes comes to be of this size."""
        above, parts = self.above, self.parts
        mine, was, total = parts[company], sizes[company], 0.0
        for other in PLACES:
            if other != company:
                old, new = was - sizes[other], size - sizes[other]
                total += mine * (above[FAR + new] - above[FAR + old])
                total += parts[other] * (above[FAR - new] - above[FAR - old])
        return STEP * total

    def share(self, company: int) -> float:
        """What one share of a company is worth."""
        return self.wins[company] / max(1.0, self.claimed[company] + self.later[company])

    def standing(self, seat: int) -> float:
        """What a seat's shares are worth."""
        return sum(held * self.share(company) for company, held in enumerate(self.rows[seat]))

    # floors

    def uses(self, suit: str, count: int, thorough: bool) -> tuple[float, tuple[int, ...]]:
        """What so many hearts or spades bring at best, in points, and the towers for them; none, if less.

        `thorough`: all ways are tried, not just one by one and all on one tower.
        """
        sizes = self.here.sizes
        best: Way = (NOTHING, (), sizes)
        alone = [way for company in PLACES for way in self._alone(suit, count, (0.0, (), sizes), company)]
        found = [*alone]
        if thorough:
            ways = alone
            for _ in range(count - 1):
                ways = [more for way in ways for more in self._more(suit, way)]
                found.extend(ways)
        elif count > 1:
            way = max((way for way in alone if len(way[1]) == 1), key=_points, default=best)
            while len(way[1]) < count and (longer := self._more(suit, way)):
                way = max(longer, key=_points)
                found.append(way)
        best = max((best, *found), key=_points)
        return (best[0], best[1]) if best[1] else (0.0, ())

    def _alone(self, suit: str, count: int, way: Way, company: int) -> Iterator[Way]:
        """One floor of a company, two, and so on."""
        for _ in range(count):
            longer = self.longer_way(suit, way, company)
            if longer is None:
                return
            way = longer
            yield way

    def _more(self, suit: str, way: Way) -> list[Way]:
        """With a floor more."""
        return [longer for company in PLACES if (longer := self.longer_way(suit, way, company)) is not None]

    def longer_way(self, suit: str, way: Way, company: int) -> Way | None:
        points, towers, sizes = way
        size = self._resized(suit, towers, sizes[company], company)
        if size is None:
            return None
        after = [*sizes]
        after[company] = size
        return points + self.change(sizes, company, size), (*towers, company), after

    def _resized(self, suit: str, towers: tuple[int, ...], size: int, company: int) -> int | None:
        """A tower's size with a floor more or less, after these; None, where there is none."""
        if suit == "H":
            more = step(self.here, len(towers))
            return size + more if more else None
        floors = tops(self.here, company)
        gone = towers.count(company)
        return size - floors[gone] if gone < len(floors) else None

    # marks

    def mark(self, company: int, diluted: bool, focus: float) -> float:
        """What one more share of a company brings.

        `diluted`: one's own shares of it lose by being one more. `focus`: by how much more one of the company
        is worth of which one has the largest part, since that is the one that one raises.
        """
        held = self.own[company] + self.later[company]
        claimed = self.claimed[company] + self.later[company]
        gain = 1 / (claimed + 1)
        if diluted:
            gain = (held + 1) / (claimed + 1) - (held / claimed if claimed else 0.0)
        most = max(self.parts)
        return self.wins[company] * gain * (1 + focus * (self.parts[company] / most) ** SHARP)
