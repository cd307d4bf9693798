"""Tables of Share and Share Alike on two hubs with racing players, and checks of everything they are sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tests.chaos.race_players import Racers
from tests.chaos.reference_races import EACH, KINDS, Races, lot
from tests.chaos.soak_table import Command, Plan, Refused, SoakTable
from tests.chaos.table_soak import TableSoak
from tests.games.shares.reference_table import CARDS, COMPANIES, Offer, Options, start
from tests.harness.follower import Follower
from tests.harness.small_hub import ClientLine

OPTIONS: Final[Mapping[str, Any]] = {"openMarket": True, "rounds": "10", "timers": "off"}
"""Only windows fixed by the rules end by themselves."""
COUNTED: Final = frozenset(
    {"peek.began", "peek.ended", "shares.offered", "shares.countered", "shares.traded", "shares.exchanged"}
)
MARKS: Final = ("select", "lock", "unlock")


class RacingSoak(TableSoak["RacingTable"]):
    """Two hubs on one store with many tables open at once."""

    async def opened(self) -> RacingTable:
        """A table at its first selection, with a watcher."""
        seed = self.fate.randrange(2**32)
        room, followers, lines = await self.seated("shares", OPTIONS, watched=True)
        for line in lines:
            line.heard.clear()
        return RacingTable(room, followers, lines, seed)


class RacingTable(SoakTable):
    """A table of racers, checked against the reference rules."""

    def __init__(self, room: str, followers: Sequence[Follower], lines: list[ClientLine], seed: int) -> None:
        super().__init__(room, followers, lines, seed)
        people = followers[:-1]
        hands = [[held["card"] for held in person.sections["hand"]["cards"]] for person in people]
        dealt = {card for hand in hands for card in hand}
        deck = [card for card in CARDS if card not in dealt]  # nobody draws from it
        self.races = Races(start(Options(open_market=True, rounds=10), hands, deck), prompt="select:1")
        self.racers = Racers(self.races, self.fate)
        self._owned: list[list[int]] = []
        """The shares of each seat when the tick began."""
        self._one_left = False
        """Whether all seats but one had locked when the tick began."""

    # --- the reference version ---

    @property
    def most_offers(self) -> int:
        return EACH

    @property
    def over(self) -> bool:
        return self.races.over

    @property
    def expired(self) -> int:
        return self.races.ended.total()

    def pass_time(self, at: int) -> None:
        self.races.pass_time(at)

    def extend_for_absent(self, at: int) -> None:
        """Windows fixed by the rules are never extended (GEN-6)."""

    def next_end(self) -> int | None:
        return self.races.next_end()

    def ends(self) -> list[int]:
        return [] if self.races.end is None else [self.races.end]

    def planned(self, tick: int, at: int, span: int) -> Plan:
        self.races.tick = tick
        if self.races.prompt is None:
            self._learn()
        self._owned = [self.races.owned(seat) for seat in range(self.races.game.seats)]
        self._one_left = self.races.game.phase == "select" and self.races.game.locked.count(False) == 1
        return self.racers.plan(at, span)

    def decided(self, seat: int, command: Command, at: int) -> Refused | None:
        races, kind = self.races, str(command.move["move"])
        offer, end = races.offer(command.prompt), races.end
        refused = races.do(seat, command.prompt, command.move, at)
        if kind in MARKS:
            self._met_mark(kind, command.prompt, refused)
        elif kind == "stopPeeking":
            self._met_stop(command.prompt, refused)
            self.met["stop in the last second"] += refused is None and end is not None and end - at <= 1000
        elif kind == "accept":
            self._met_acceptance(seat, command.prompt, offer, refused)
        return refused

    def _met_mark(self, kind: str, prompt: str, refused: Refused | None) -> None:
        """Count commands that change a mark, or try to, in the tick in which the last seat may lock."""
        if not self._one_left:
            return
        self.met["races of marks"] += 1
        if refused is not None:
            late = self.races.closed.get(prompt, ("", -1))[1] == self.races.tick
            self.met[f"{kind} after the last lock" if late else f"{kind}: {refused[0]}"] += 1
        elif self.races.game.phase == "select":
            self.met[f"{kind} before the last lock"] += 1
        else:
            self.met["last lock"] += 1

    def _met_stop(self, prompt: str, refused: Refused | None) -> None:
        why, tick = self.races.closed.get(prompt, ("", -1))
        if refused is None:
            self.met["stop in time"] += 1
        elif tick == self.races.tick:
            self.met[f"stop after it {why}"] += 1
        self.met["races of looks"] += refused is None or tick == self.races.tick

    def _met_acceptance(self, seat: int, prompt: str, offer: Offer | None, refused: Refused | None) -> None:
        why, tick = self.races.gone.get(prompt, ("", -1))
        what = ""
        if refused is None:
            what = "accept"
        elif offer is None and tick == self.races.tick:
            what = f"accept: {why} before"
        elif offer is not None and seat == offer.to:
            had = all(held >= take for held, take in zip(self._owned[seat], offer.take, strict=True))
            what = "accept: gave it away before" if had else ""
        if what:
            self.met.update((what, "races of shares"))

    # --- checks ---

    def compare(self, new: Sequence[Sequence[list[Any]]]) -> None:
        races = self.races
        for viewer, lines in enumerate(new):
            line_counts = Counter(line[1] for line in lines if line[1] in COUNTED)
            assert line_counts == races.lines[viewer], (viewer, line_counts, races.lines[viewer])
            races.lines[viewer].clear()
        if races.over:
            assert all(follower.status == "finished" for follower in self.followers)
            return
        self._learn()
        for viewer, follower in enumerate(self.followers):
            self._public(follower)
            if viewer < races.game.seats:
                self._private(viewer, follower)
        marked = sum(map(len, races.game.marks))
        assert sum(sum(races.owned(seat)) for seat in range(races.game.seats)) == marked

    def _learn(self) -> None:
        """Learn the random results and the ids chosen by the hub: the first seat, the ids of the open prompt
        and of the offers."""
        races, sections = self.races, self.followers[0].sections
        if races.game.phase == "start":
            races.begins(sections["stage"]["start"])
        (prompt,) = (one for one in sections["prompts"]["prompts"] if one["kind"] in KINDS.values())
        assert races.prompt in (None, prompt["id"])
        assert prompt["id"] not in races.closed
        assert prompt["kind"] == KINDS[races.game.phase]
        races.prompt = prompt["id"]
        for seat, follower in enumerate(self.followers[:-1]):
            deals = follower.sections.get("deals", {"deals": []})["deals"]
            for deal, offer in zip(deals, races.known(seat), strict=True):
                assert races.ids.setdefault(deal["id"], offer.number) == offer.number
                assert deal["id"] not in races.gone
        assert sorted(races.ids.values()) == [offer.number for offer in races.game.offers]

    def _public(self, follower: Follower) -> None:
        races, sections = self.races, follower.sections
        game, stage, scene = races.game, sections["stage"], sections["scene"]
        assert (stage["round"], stage["active"]) == (
            game.round,
            None if game.phase == "select" else game.active,
        )
        assert scene["kind"] == KINDS[game.phase]
        asked = [one["seats"] for one in sections["prompts"]["prompts"] if one["id"] == races.prompt]
        assert asked == [races.responders()]
        players = sections["players"]
        assert (players["actions"], players["out"]) == (game.actions, game.out)
        assert players["cards"] == list(map(len, game.hands))
        assert sections.get("readiness", {}).get("locked") == (
            game.locked if game.phase == "select" else None
        )
        ends = [one["end"] for one in sections["windows"]["windows"] if one["id"] == races.prompt]
        assert ends == self.ends()
        peek = sections.get("peek")
        if peek is None or game.peeking is None:
            assert peek is game.peeking is None
        else:
            assert (peek["seat"], peek["other"], peek["what"]) == tuple(game.peeking)

    def _private(self, seat: int, follower: Follower) -> None:
        races, sections = self.races, follower.sections
        game = races.game
        assert {held["card"] for held in sections["hand"]["cards"]} == set(game.hands[seat])
        assert sections["tracker"] == self._tracker(seat)
        if game.phase == "select":
            draft = game.drafts[seat]
            company = None if draft is None else "ABCDE"[draft]
            assert sections["mark"] == {"company": company, "locked": game.locked[seat]}
        deals = sections.get("deals", {"deals": []})["deals"]
        shown = [(deal["by"], deal["to"], deal["give"], deal["wish"]) for deal in deals]
        assert shown == [(one.by, one.to, lot(one.give), lot(one.take)) for one in races.known(seat)]
        peek, peek_content = game.peeking, sections.get("peek_content", {})
        if peek is None or peek.viewer != seat:
            assert not peek_content
        elif peek.what == "hand":
            assert (set(peek_content["cards"]), peek_content["tracker"]) == (
                set(game.hands[peek.target]),
                None,
            )
        else:
            assert (peek_content["cards"], peek_content["tracker"]) == (None, self._tracker(peek.target))

    def _tracker(self, seat: int) -> dict[str, Any]:
        game = self.races.game
        marks = ["ABCDE"[company] for company in game.marks[seat]]
        assert len(game.delta[seat]) == COMPANIES
        return {"marks": marks, "traded": game.delta[seat], "holdings": self.races.owned(seat)}
