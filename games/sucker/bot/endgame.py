"""What a seat can force near the end of a round: its moves against all others together, searched to the end.

Only the own row counts for the own win, so the others are taken as one player. They may do all that they are
asked for, and save each other with whatever they have; gifts out of turn are left aside.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.sucker.bot import search_state as scenes
from games.sucker.bot.search_state import NEW, Scene


class TooLarge(Exception):
    """More positions than were to be looked at."""


def placings(scene: Scene) -> Iterator[Scene]:
    """Every chip of the mover's on every pile: of piles that are alike, on one."""
    own = scene.hands[scene.mover]
    spots = {pile: index for index, pile in enumerate(scene.piles)}
    for colour, count in enumerate(own):
        if count:
            yield scenes.placed(scene, colour, NEW)
            for pile, index in spots.items():
                yield scenes.placed(scene, colour, index)
                if pile[-1] == colour:
                    for card in scene.cards:
                        if card.owner == scene.mover and card.token == colour and card.kind == "capture":
                            yield scenes.placed(scene, colour, index, card.id)


def plays(scene: Scene) -> Iterator[Scene]:
    """Cards of return and tribute that the mover is known to hold, where they move a chip."""
    seat = scene.mover
    for card in scene.cards:
        if card.owner == seat and card.kind == "return" and _returnable(scene, card.token):
            yield scenes.played(scene, card.id, None)
    for number, colour in scenes.payable(scene, seat):
        yield scenes.played(scene, number, colour)


def _returnable(scene: Scene, token: int) -> bool:
    """Whether anybody has a chip of a living seat's to give back."""
    others = (own[token] for seat, own in enumerate(scene.hands) if seat != token)
    return scene.alive[token] and any(others)


def rescues(scene: Scene, seat: int) -> Iterator[Scene]:
    """What a seat can do to save the mover."""
    if seat == scene.mover:
        for number, colour in scenes.payable(scene, seat):
            yield scenes.played(scene, number, colour)
        return
    for colour, count in enumerate(scene.hands[seat]):
        if colour != seat:
            for part in range(1, count + 1):
                yield scenes.handed(scene, seat, colour, part, scene.mover)


def partings(scene: Scene, seat: int) -> Iterator[Scene]:
    """Prisoners of a seat killed, or given to whom the move is not with."""
    for colour, count in enumerate(scene.hands[seat]):
        if colour != seat:
            for part in range(1, count + 1):
                yield scenes.handed(scene, seat, colour, part, None)
                for to, living in enumerate(scene.alive):
                    if living and to not in (seat, scene.mover):
                        yield scenes.handed(scene, seat, colour, part, to)


def follows(scene: Scene) -> Iterator[Scene]:
    """What the mover may do, where it is not in need."""
    match scene.where:
        case "turn":
            yield from plays(scene)
            yield from placings(scene)
        case "choose":
            for to in scene.next:
                yield scenes.given(scene, to)
        case "kill":
            for colour in sorted(set(scene.piles[scene.pile])):
                yield scenes.killed(scene, colour)
        case "rescue" | "over":
            return


class Endgame:
    """Of one seat: `enemy` and `ally` are its own. Raises TooLarge once it has looked at `most` positions."""

    def __init__(self, seat: int, enemy: int | None, ally: int | None, most: int) -> None:
        self._seat, self._enemy, self._ally = seat, enemy, ally
        self._most = most
        self._known: dict[Scene, bool] = {}

    def decided(self, scene: Scene) -> bool | None:
        """Whether the round is won or lost, whatever comes; None where it is open."""
        if scene.where == "over":
            if scene.mover == self._seat:
                return scene.fallen != self._enemy
            return scene.fallen == self._seat and scene.mover == self._ally
        if not scene.alive[self._seat]:
            return False
        if sum(scene.alive) == 2:
            if self._enemy is not None and scene.alive[self._enemy]:
                return False
            if self._ally is not None and scene.alive[self._ally]:
                return True
        return None

    def wins(self, scene: Scene) -> bool:
        """Whether the seat wins from here against all others together."""
        verdict = self.decided(scene)
        if verdict is not None:
            return verdict
        scene = scene._replace(piles=tuple(sorted(scene.piles))) if scene.pile == NEW else scene
        known = self._known.get(scene)
        if known is not None:
            return known
        if len(self._known) >= self._most:
            raise TooLarge
        self._known[scene] = False  # counted; nothing leads back here
        found = self._saves(scene) if scene.where == "rescue" else self._moves(scene)
        self._known[scene] = found
        return found

    def _moves(self, scene: Scene) -> bool:
        if scene.mover != self._seat:
            return all(map(self.wins, follows(scene)))
        return any(map(self.wins, follows(scene))) or any(map(self.wins, partings(scene, self._seat)))

    def _saves(self, scene: Scene) -> bool:
        """Whoever is asked may be the first to act, so nothing that others can do must lose."""
        able = scenes.asked(scene)
        saved = (one for seat in able if seat != self._seat for one in rescues(scene, seat))
        if not all(map(self.wins, saved)):
            return False
        if self._seat not in able:
            return self.wins(scenes.fell(scene))
        if self.wins(scenes.refused(scene, self._seat)) or any(map(self.wins, rescues(scene, self._seat))):
            return True
        return any(map(self.wins, partings(scene, self._seat)))
