"""What a bot says of its own accord after its move: reproaches and thanks, proposals, and small talk."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final, TypeAlias

from games.api import Promise, Remark, Seat, Spoken
from games.kit.promises import list_open
from games.subdivision.bot.bargaining import NEVER_MIND, Speech
from games.subdivision.bot.features import Features, RatedPlacement, get_neighbours, list_names, list_squares
from games.subdivision.bot.pledges import forbids
from games.subdivision.bot.relations import concerns
from games.subdivision.bot.situation import (
    COMPLAINTS,
    MAX_SAID,
    PLACED,
    PROPOSALS,
    Agreed,
    Situation,
    intent_of,
)
from games.subdivision.bot.small_talk import chat, gloat
from games.subdivision.rules.promises import MAX_TURNS

WISHES: Final = 4
"""The number of its best squares that a bot talks about."""
EXCHANGES: Final = 3
"""The number of proposals at the table below which it proposes more often."""
MIN_TURNS_LEFT: Final = 2
"""The fewest pyramids that somebody must have left to be asked: a promise for one is not worth the words."""
PATIENCE: Final = 2
"""How many proposals it makes to a person who answers none."""
MAX_COMPLAINTS: Final = 3
"""How often it complains of a 1 near a 3, once to each seat."""
KEEN: Final = 40
"""How often, in percent, it proposes something when there is a square to talk about."""

REPROACHED: Final = 2
"""The number of rounds within which it reproaches somebody for a broken promise."""
THANKS: Final = frozenset({"thanksKept", "thanksSpared"})
HALVES: Final = frozenset({"askHalf", "askHalfTruce"})
OFFERS: Final = {"swap": "yesSwap", "counter": "yesSwap", "truce": "yesTruce", "peace": "yesSpare"}
"""By intent of an offer in which each side has its half to promise, that of the yes to it."""

Make: TypeAlias = Callable[[Situation], Remark | None]
"""Makes a proposal; None if there is no occasion for it."""


def comment(
    situation: Situation, before: Features, move: RatedPlacement, broken: Sequence[Promise]
) -> Speech | None:
    """What it says after this move, which broke these promises, if it has nothing more pressing to say."""
    remark = (
        settle(situation, "kept")
        or _notice_plan(situation)
        or _reproach_crowding(situation)
        or _lament(situation)
        or _ask_for_half(situation, {seat for promise in broken for seat in promise.to})
        or gloat(situation, before, move)
    )
    if remark is not None:
        return Speech(remark)
    speech = _propose(situation)
    if speech is not None:
        return speech
    remark = chat(situation, before, move)
    return None if remark is None else Speech(remark)


# --- settling accounts ---


def list_broken(situation: Situation, move: RatedPlacement, legal: Sequence[RatedPlacement]) -> list[Promise]:
    """Its promises that the move breaks; none that every legal placement would."""
    broken = []
    for promise in list_open(situation.observation.promises, situation.seat):
        ones, others = forbids(promise, situation.board)
        harms = [(ones if each.pips == 1 else others) >> each.square & 1 for each in (move, *legal)]
        if harms[0] and not all(harms):
            broken.append(promise)
    return broken


def admit(situation: Situation, broken: Sequence[Promise]) -> Remark | None:
    """What it says about a promise that it has just broken, unless others may not know of it."""
    for promise in broken:
        if not promise.to or promise.private:
            continue
        if promise.kind == "leave_square":
            return situation.word("admit", to=promise.to[0], square=str(promise.terms["square"]))
        if promise.kind == "avoid_crowding":
            return situation.word("admitCrowding", to=promise.to[0])
    return None


def settle(situation: Situation, judgement: str) -> Remark | None:
    """A reproach or thanks for what has just happened, the latest first: it thanks nobody twice."""
    for promise in reversed(situation.observation.promises):
        if situation.seat not in promise.to or promise.judgement != judgement:
            continue
        is_kept, to = promise.judgement == "kept", promise.by
        age = situation.relations.ages.get(promise.id, 0)
        if promise.excused or age >= (1 if is_kept else REPROACHED) * situation.seats:
            continue
        if is_kept and not situation.is_in_mood(situation.temper.warmth // 3, promise.id):
            continue
        if is_kept and situation.has_told(THANKS, to):
            continue
        leaves = promise.kind == "leave_square" and not promise.private
        if leaves:
            intent, args = ("thanksKept" if is_kept else "brokeLeave"), {"square": promise.terms["square"]}
        else:
            intent, args = ("thanksSpared" if is_kept else "brokeWord"), {}
        said = sum(
            intent_of(said.key) == intent and said.addressee == to and args.items() <= said.args.items()
            for said in situation.said
        )
        same = [
            other
            for other in situation.observation.promises
            if (other.by, other.judgement) == (to, promise.judgement)
            and situation.seat in other.to
            and (other.kind == "leave_square" and not other.private) == leaves
            and (not leaves or other.terms["square"] == promise.terms["square"])
        ]
        if said < len(same):
            return situation.word(intent, to=to, **args)
    return None


def _notice_plan(situation: Situation) -> Remark | None:
    """What the first bot says of a pyramid that somebody had promised to build just there."""
    for promise in reversed(situation.observation.promises):
        if (promise.kind, promise.judgement, promise.private) != ("build_at", "kept", False):
            continue
        age, square = situation.relations.ages.get(promise.id, 0), str(promise.terms["square"])
        is_noticed = any(
            intent_of(said.key) == "sawPlan" and said.addressee == promise.by for said in situation.remarks
        )
        if concerns(promise, situation.seat) and age < situation.seats and not is_noticed:
            return situation.word("sawPlan", to=promise.by, square=square)
    return None


def _ask_for_half(situation: Situation, wronged: Collection[Seat]) -> Remark | None:
    """Asks for the other half of a trade in which it has promised its own, once the other has moved since.

    It asks nothing of seats that it has just wronged.
    """
    for seat in situation.others:
        if seat in wronged or situation.has_told(HALVES, seat) or not situation.count_left(seat):
            continue
        agreed = _find_agreement(situation, seat)
        if agreed is None:
            continue
        trade, yes = agreed
        has_moved = any(
            line.key == PLACED and line.args["seat"] == seat and line.at > yes.at
            for line in situation.observation.lines
        )
        if not has_moved:
            continue
        if intent_of(yes.key) == "yesSwap":
            remark = _ask_for_square_due(situation, seat, str(trade.args["square"]))
        else:
            remark = _ask_for_peace_due(situation, seat, trade)
        if remark is not None:
            return remark
    return None


def _find_agreement(situation: Situation, seat: Seat) -> tuple[Spoken, Spoken] | None:
    """The last trade that a seat has offered, and the bot's yes to it; a person offers peace to all."""
    offer: Spoken | None = None
    agreed: tuple[Spoken, Spoken] | None = None
    for said in situation.remarks:
        intent = intent_of(said.key)
        if said.seat == seat and intent in OFFERS and said.addressee in (None, situation.seat):
            offer = said
        elif said.seat == situation.seat and said.addressee == seat and offer is not None:
            if intent == OFFERS[intent_of(offer.key)]:
                agreed = offer, said
            offer = None
    return agreed


def _ask_for_square_due(situation: Situation, seat: Seat, name: str) -> Remark | None:
    has_given = any(
        promise.by == situation.seat and promise.kind == "leave_square" and seat in promise.to
        for promise in situation.list_pledges(situation.seat)
    )
    was_given = any(
        promise.by == seat
        and promise.kind == "leave_square"
        and promise.terms["square"] == name
        and concerns(promise, situation.seat)
        for promise in situation.observation.promises
    )
    if not has_given or was_given or not situation.is_free(situation.read_square(name)):
        return None
    return situation.word("askHalf", to=seat, square=name)


def _ask_for_peace_due(situation: Situation, seat: Seat, trade: Spoken) -> Remark | None:
    was_given = any(
        promise.by == seat and promise.kind == "avoid_crowding" and concerns(promise, situation.seat)
        for promise in situation.observation.promises
    )
    if was_given or not situation.spares(situation.seat, seat) or not situation.position.left[seat][0]:
        return None
    exposed = situation.find_exposed(situation.seat)
    name = trade.args.get("square", None if exposed is None else situation.name(exposed))
    return None if name is None else situation.word("askHalfTruce", to=seat, square=name)


def reproach_deal(situation: Situation) -> Remark | None:
    """A reproach to a person who said "Agreed." and then did otherwise."""
    for agreed in situation.list_agreed():
        seat, name = agreed.seat, agreed.square
        if agreed.is_spared:
            reproached = situation.has_told(frozenset({"brokeSpare", "brokeWord"}), seat)
            if not reproached and _has_crowded_since(situation, agreed):
                return situation.word("brokeSpare", to=seat, square=name)
            continue
        piece = situation.board.squares[situation.read_square(name)]
        reproached = situation.has_told(frozenset({"brokeDeal", "brokeLeave"}), seat, square=name)
        if piece is not None and piece.seat == seat and not reproached:
            return situation.word("brokeDeal", to=seat, square=name)
    return None


def _has_crowded_since(situation: Situation, agreed: Agreed) -> bool:
    """Whether the seat has placed a 1 near the 3, for as many turns as it could have promised not to."""
    board = situation.board
    near, names = get_neighbours(board.size).near, list_names(board.size)
    around = near[situation.read_square(agreed.square)]
    turns = [
        line.args
        for line in situation.observation.lines
        if line.key == PLACED and line.args["seat"] == agreed.seat and line.at > agreed.at
    ]
    return any(args["pips"] == 1 and around >> names[str(args["square"])] & 1 for args in turns[:MAX_TURNS])


def _reproach_crowding(situation: Situation) -> Remark | None:
    """A reproach for the newest 1 that costs it points, at once or not at all, with up to two of its 3s."""
    fresh = [
        crowding
        for crowding in situation.relations.crowdings
        if crowding.age < situation.seats - 1
        and crowding.costs
        and not _has_reproached(situation, crowding.seat, situation.name(crowding.square))
    ]
    if not fresh:
        return None
    newest = min(fresh, key=lambda crowding: crowding.age)
    complained = [said.addressee for said in situation.said if intent_of(said.key) in COMPLAINTS]
    hurt = [situation.name(crowding.square) for crowding in fresh if crowding.age == newest.age]
    if newest.seat in complained:
        again = situation.is_under_way and not situation.has_told(frozenset({"crowdedAgain"}), newest.seat)
        return situation.word("crowdedAgain", to=newest.seat, square=hurt[0]) if again else None
    if len(complained) >= MAX_COMPLAINTS:
        return None
    if len(hurt) > 1:
        return situation.word("crowdedBoth", to=newest.seat, square=hurt[0], second=hurt[1])
    return situation.word("crowdedMe", to=newest.seat, square=hurt[0])


def _has_reproached(situation: Situation, seat: Seat, name: str) -> bool:
    """Whether it has complained of this 3 to the seat, or taken an excuse for it."""
    return situation.has_told(COMPLAINTS | {"forgive"}, seat, square=name) or situation.has_told(
        frozenset({"crowdedBoth"}), seat, second=name
    )


def _lament(situation: Situation) -> Remark | None:
    """What it says when somebody has just built on a square that it has said it wants."""
    last = situation.board.last
    piece = None if last is None else situation.board.squares[last]
    if last is None or piece is None or piece.seat == situation.seat:
        return None
    name, blames = situation.name(last), frozenset({"brokeDeal", "brokeLeave", "tookIt"})
    if not situation.has_claimed(name) or situation.has_waived(name):
        return None
    return (
        None
        if situation.has_told(blames, piece.seat, square=name)
        else situation.word("tookIt", to=piece.seat, square=name)
    )


# --- proposing ---


def _propose(situation: Situation) -> Speech | None:
    """A proposal; in a duel, what helps one harms the other: it makes one in a game, and begs for nothing."""
    temper, proposals = situation.temper, _count_proposals(situation)
    chance = 10 + temper.chatter // 2
    if situation.is_duel:
        if any(intent_of(said.key) in PROPOSALS for said in situation.said):
            return None
    elif proposals < EXCHANGES:
        chance = 90
    elif any(_find_wish(situation, seat) is not None for seat in situation.others):
        chance = max(chance, KEEN)
    if 2 * len(situation.said) > MAX_SAID or not situation.happens(chance):
        return None
    weights: dict[Make, int] = {
        _call_in: 60,
        _ask_for_square: 40,
        _offer_trade: 20 + temper.warmth // 2,
        _ask_for_peace: 15,
        _offer_truce: 10 + temper.warmth // 4,
        _ask_for_help: 40 + temper.grudge // 2,
        _threaten: 0 if situation.character.is_substitute else temper.boldness // 2,
    }
    if situation.is_duel:
        weights |= {_call_in: 0, _ask_for_square: 0, _ask_for_peace: 0, _ask_for_help: 0}
        threes = list_squares(situation.position.threes[situation.seat])
        if not any(situation.features.count_ones_near(three) for three in threes):
            weights[_offer_truce] = 0  # the first 1 near a 3 is free
    while any(weights.values()):
        make = _draw(situation, weights)
        remark = make(situation)
        if remark is not None and not _is_worn(situation, remark):
            return Speech(remark)
        del weights[make]
    return None


def _is_worn(situation: Situation, remark: Remark) -> bool:
    """Whether it has made such a proposal in this game: once is enough of each kind."""
    return any(intent_of(said.key) == intent_of(remark.key) for said in situation.said)


def _draw(situation: Situation, weights: Mapping[Make, int]) -> Make:
    """One of them, with a probability in proportion to its weight. Raises ValueError if all are 0."""
    point = situation.dice.below("proposal", sum(weights.values()))
    for make, weight in weights.items():
        point -= weight
        if point < 0:
            return make
    raise ValueError("no weights")


def _count_proposals(situation: Situation) -> int:
    return sum(intent_of(said.key) in PROPOSALS for said in situation.remarks)


def _list_partners(situation: Situation) -> list[Seat]:
    """The seats that may answer, in random order, those it has nothing against first.

    It asks nothing of a seat that has broken its word to it, as long as it bears the grudge.
    """
    partners = [
        seat
        for seat in situation.others
        if situation.count_left(seat) >= MIN_TURNS_LEFT
        and not _ignores(situation, seat)
        and not _is_asked(situation, seat)
        and not (situation.dislikes[seat] > 0 and situation.list_promises(seat, "broken"))
    ]
    shuffled = situation.dice.shuffle("partner", partners)
    return sorted(shuffled, key=lambda seat: situation.dislikes[seat] > 0)


def _ignores(situation: Situation, seat: Seat) -> bool:
    """Whether a seat has answered none of the bot's last proposals, and no other bot either."""
    unanswered = 0
    for said in situation.observation.messages:
        if said.seat == seat:
            unanswered = 0
        elif said.seat == situation.seat and said.addressee == seat and intent_of(said.key) in PROPOSALS:
            unanswered += 1
    return unanswered >= PATIENCE


def _is_asked(situation: Situation, seat: Seat) -> bool:
    """Whether another bot has just proposed something to a seat that has not answered: one at a time."""
    for said in reversed(situation.remarks):
        if said.seat == seat:
            return False
        if said.seat != situation.seat and said.addressee == seat and intent_of(said.key) in PROPOSALS:
            return not any(
                line.key == PLACED and line.args["seat"] == seat and line.at > said.at
                for line in situation.observation.lines
            )
    return False


ABOUT_SQUARES: Final = frozenset(
    {"askLeave", "callIn", "swap", "counter", "threat", "yesLeave", "yesSwap", "deliver"}
)


def _is_new(situation: Situation, to: Seat, name: str) -> bool:
    """Whether it has not talked to this seat about this square."""
    return not any(
        situation.has_told(ABOUT_SQUARES, to, **{term: name}) for term in ("square", "mine", "reply")
    )


def _find_wish(situation: Situation, to: Seat) -> int | None:
    """A square that joins groups of its own, or one of its best beside them, if the other could take it."""
    sites = situation.find_sites(to)
    beside, rim = get_neighbours(situation.board.size).beside, 0
    for square in list_squares(situation.position.built[situation.seat]):
        rim |= beside[square]
    joining = [
        square for square in situation.wishes if situation.features.count_joined(square, situation.seat) > 1
    ]
    wishes = [
        square
        for square in (*joining, *situation.wishes[:WISHES])
        if (sites & rim) >> square & 1
        and _is_new(situation, to, situation.name(square))
        and not situation.has_waived(situation.name(square))
        and not situation.is_promised(to, situation.name(square))
    ]
    return wishes[0] if wishes else None


def _ask_for_square(situation: Situation) -> Remark | None:
    for seat in _list_partners(situation):
        wish = _find_wish(situation, seat)
        if wish is not None:
            return situation.word("askLeave", to=seat, square=situation.name(wish))
    return None


def _call_in(situation: Situation) -> Remark | None:
    """Asks somebody for a square in return for one that it left to them for nothing."""
    for promise in reversed(situation.observation.promises):
        if promise.by != situation.seat or (promise.kind, promise.judgement) != ("leave_square", "kept"):
            continue
        given = str(promise.terms["square"])
        for seat in promise.to:
            piece = situation.board.squares[situation.read_square(given)]
            is_free_gift = situation.has_told(frozenset({"yesLeave"}), seat, square=given)
            wish = _find_wish(situation, seat)
            took = piece is not None and piece.seat == seat
            if is_free_gift and took and wish is not None and seat in _list_partners(situation):
                return situation.word("callIn", to=seat, given=given, square=situation.name(wish))
    return None


def _offer_trade(situation: Situation) -> Remark | None:
    """One of its best squares for one beside the other's pyramids that it does not need."""
    if not situation.may_promise:
        return None
    beside = get_neighbours(situation.board.size).beside
    for seat in _list_partners(situation):
        wish, rim = _find_wish(situation, seat), 0
        for square in list_squares(situation.position.built[seat]):
            rim |= beside[square]
        gifts = [
            square
            for square in list_squares(rim & situation.find_sites(seat))
            if square != wish
            and _is_new(situation, seat, situation.name(square))
            and not situation.has_claimed(situation.name(square))
            and not situation.list_owners(situation.name(square))
            and situation.price_square(square) <= NEVER_MIND
        ]
        if wish is not None and gifts:
            gift = gifts[situation.dice.below("gift", len(gifts))]
            return situation.word("swap", to=seat, mine=situation.name(wish), square=situation.name(gift))
    return None


def _ask_for_peace(situation: Situation) -> Remark | None:
    exposed = situation.find_exposed(situation.seat)
    if exposed is None:
        return None
    name = situation.name(exposed)
    for seat in _list_partners(situation):
        peaceful = situation.has_told(frozenset({"askSpare"}), seat, square=name)
        if situation.spares(seat, situation.seat):
            continue
        if situation.position.left[seat][0] and not peaceful:
            return situation.word("askSpare", to=seat, square=name)
    return None


def _offer_truce(situation: Situation) -> Remark | None:
    exposed = situation.find_exposed(situation.seat)
    if exposed is None or not situation.position.left[situation.seat][0] or not situation.may_promise:
        return None
    for seat in _list_partners(situation):
        theirs = situation.find_exposed(seat)
        if theirs is None or not situation.position.left[seat][0]:
            continue
        if situation.has_told(frozenset({"truce"}), seat, mine=situation.name(exposed)):
            continue
        if situation.attacks(seat) or situation.spares(seat, situation.seat):
            continue
        if situation.spares(situation.seat, seat):
            continue
        if situation.price_sparing(seat) <= NEVER_MIND:
            return situation.word(
                "truce", to=seat, mine=situation.name(exposed), square=situation.name(theirs)
            )
    return None


def _ask_for_help(situation: Situation) -> Remark | None:
    """Asks somebody else to crowd the leader, if the bot is behind and the leader has 3s to crowd."""
    totals = situation.position.totals
    enemy = max(situation.others, key=lambda seat: totals[seat])
    lead = situation.lead_of(enemy)
    if (
        not situation.is_telling(lead)
        or not situation.position.threes[enemy]
        or not situation.position.left[situation.seat][0]
    ):
        return None
    if situation.spares(situation.seat, enemy) or situation.has_told_no(enemy):
        return None
    for seat in _list_partners(situation):
        asked = any(
            intent_of(said.key) == "hitLeader" and said.args["enemy"] == enemy for said in situation.said
        )
        if seat != enemy and situation.position.left[seat][0] and not asked:
            return situation.word("hitLeader", to=seat, enemy=int(enemy), points=lead)
    return None


def _threaten(situation: Situation) -> Remark | None:
    """Threatens to place a 1 near a 3, or between two groups, if somebody takes a square that it wants."""
    partners = sorted(_list_partners(situation), key=lambda seat: situation.dislikes[seat] <= 0)
    for seat in partners:
        wish, reply = _find_wish(situation, seat), _find_harm(situation, seat)
        if wish is None or reply is None or wish == reply:
            continue
        if not situation.has_waived(situation.name(reply)):
            return situation.word("threat", to=seat, square=situation.name(wish), reply=situation.name(reply))
    return None


def _find_harm(situation: Situation, seat: Seat) -> int | None:
    """A square on which its pyramid would cost this seat points, or keep two groups of it apart."""
    features = situation.features
    sites = dict(situation.list_placements(situation.seat))
    for three in list_squares(situation.position.threes[seat]):
        if 1 <= features.count_ones_near(three) <= 3:
            for square in list_squares(sites.get(1, 0) & features.near[three]):
                if not situation.spares(situation.seat, seat):
                    return square
    for square in list_squares(sites.get(2, 0)):
        if features.count_joined(square, seat) > 1:
            return square
    return None
