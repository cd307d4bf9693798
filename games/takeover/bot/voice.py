"""What has been said, and how a bot finds words that nobody has used yet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final, cast
from zlib import crc32

from games.api import Argument, Character, Dice, Millis, Observation, Remark, Spoken
from games.kit.wordings import Wordings, read_intent
from games.takeover.rules.promises import IDLE, MERGED
from games.takeover.rules.values import Name, Propose
from games.takeover.texts import TEXTS

PREFIX: Final = "takeover."
WORDINGS: Final = Wordings(TEXTS)
RECENT: Final = 30
"""The number of last messages in which a bot looks for something to answer."""

OFFERED: Final = "takeover.offered"
DECLINED: Final = "offer.declined"
"""The lines about an offer and the no to it, which the two seats see."""

REQUESTS: Final = ("askSpare", "offerPact", "askSell", "offerSale", "askCover", "askPass")
"""The intents that ask others for something."""
REPLIES: Final = (
    *("yesSpare", "yesGuess", "noSpareGain", "noSparePlan", "noTrust", "noTrustOther"),
    *("offerPact", "yesPact", "sealPact", "noPact", "noPactReach"),
    *("yesCover", "noCoverReach", "noCoverGain", "noCoverBetter"),
    *("sellYes", "sellPrice", "sellNone", "sellKeep", "buy", "noBuy", "noThanks"),
    *("yesPass", "noPass", "noPassBehind"),
    *("noMore", "promised", "justCovered", "didCover"),
)
"""The intents that answer them."""
PROPOSALS: Final = frozenset({*REQUESTS, "sellYes", "sellPrice", "yesPact"})
"""The intents to which a person says yes or no."""
CLAIMS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("askSpare", "offerSale", "sellYes", "sellPrice", "sellKeep"), "coin"),
    "offerPact": "mine",
}
"""By what is said, the argument that names a company which its speaker wants to stay on top."""
ECHO: Final = 3
"""The number of messages during which a bot does not repeat in other words what another has said."""
FIRST_DEALS: Final = 4
"""The number of answered requests after which characters talk about other things as well."""
NO_DEAL: Final = frozenset(
    {
        *("moot", "tooLate", "noTrust", "noTrustOther", "noSpareGain", "noSparePlan", "justCovered"),
        *("noPact", "noPactReach", "noDealAfter", "noMore"),
    }
)
"""The intents with which a bot declines what it has itself proposed."""


def intent_of(key: str) -> str:
    """The intent of a remark, or a phrase without the game's prefix, such as `say.thanks`."""
    return read_intent(key) or key.removeprefix(PREFIX)


def find_words(
    observation: Observation, intent: str, args: Mapping[str, Argument], character: Character, dice: Dice
) -> Remark | None:
    """A line with this intent that nobody has said yet; None if all variants have been used.

    It prefers a variant that has not been used with other arguments either, and then what suits the
    character. Of the arguments, `to` is kept even if the text does not name that seat.
    """
    if _is_echo(observation, intent, args):
        return None
    used = {(message.key, list_shown(message.key, message.args)) for message in observation.messages}
    unused = [key for key in WORDINGS[intent] if (key, list_shown(key, args)) not in used]
    if not unused:
        return None
    times = Counter(message.key for message in observation.messages)
    fewest = min(times[key] for key in unused)
    rarest = [key for key in unused if times[key] == fewest]
    suitable = [key for key in rarest if _suits(key, character)] or rarest
    return Remark(suitable[dice.below("words", len(suitable))], args)


def list_shown(key: str, args: Mapping[str, Argument]) -> tuple[tuple[str, Argument], ...]:
    """The arguments that the text of a remark shows."""
    names = TEXTS.remarks.get(key) or ()
    return tuple(sorted((name, value) for name, value in args.items() if name in names))


def _suits(key: str, character: Character) -> bool:
    """Each character has half of the variants to itself, as it were: its own way to say things."""
    return crc32(f"{key} {character.key}".encode()) % 2 == 0


def _is_echo(observation: Observation, intent: str, args: Mapping[str, Argument]) -> bool:
    """Whether another seat has just said the same about the same company, to whomever."""
    about = {name: value for name, value in args.items() if name != "to"}
    return any(
        message.seat != observation.seat
        and intent_of(message.key) == intent
        and {name: value for name, value in message.args.items() if name != "to"} == about
        for message in observation.messages[-ECHO:]
    )


def is_pass_proposed(observation: Observation) -> bool:
    """Whether anybody has proposed in this game that all pass."""
    return any(intent_of(message.key) in ("askPass", "say.letUsPass") for message in observation.messages)


def is_said(observation: Observation, key: str) -> bool:
    """Whether anybody has said this phrase."""
    return any(message.key == key for message in observation.messages)


def is_bot(observation: Observation, seat: int) -> bool:
    """Whether a bot was heard in this seat last."""
    return next((said.bot for said in reversed(observation.messages) if said.seat == seat), False)


def has_heard_person(observation: Observation, seat: int) -> bool:
    """Whether a person has said something aloud in this seat: people who talk get more offers."""
    return any(said.seat == seat and said.to is None and not said.bot for said in observation.messages)


def list_declined(observation: Observation) -> frozenset[Propose]:
    """This seat's offers that people who talk have declined: asked the same again, they feel unheard."""
    last: dict[Argument, Propose] = {}
    declined: set[Propose] = set()
    for line in observation.lines:
        if line.args.get("seat") != observation.seat:
            continue
        other = line.args.get("other")
        if line.key == OFFERED and isinstance(other, int):
            give, wish = (_list_names(line.args[name]) for name in ("give", "wish"))
            last[other] = Propose(other, tuple(cast(Name, name.rstrip("$")) for name in give), wish)
        elif line.key == DECLINED and isinstance(other, int) and has_heard_person(observation, other):
            declined.update({last[other]} if other in last else ())
    return frozenset(declined)


def _list_names(names: Argument) -> tuple[str, ...]:
    if not isinstance(names, Sequence):
        raise TypeError(f"no names: {names}")
    return tuple(map(str, names))


def has_claimed(observation: Observation, seat: int, coin: str) -> bool:
    """Whether a seat has said aloud that it has the stock of this company, or wants it spared."""
    return any(
        said.seat == seat and said.to is None and coin == said.args.get(CLAIMS.get(intent_of(said.key), ""))
        for said in observation.messages
    )


def has_declined_to_buy(observation: Observation, seat: int) -> bool:
    """Whether a seat has said aloud that a stock which was offered to it costs too much."""
    return any(
        said.seat == seat and said.to is None and intent_of(said.key) == "noThanks"
        for said in observation.messages
    )


def list_said(observation: Observation, intent: str, to: int | None = None) -> list[Spoken]:
    """What the seat itself has said with this intent, to one seat if given, oldest first."""
    return [
        message
        for message in observation.messages
        if message.seat == observation.seat
        and intent_of(message.key) == intent
        and (to is None or message.addressee == to)
    ]


def list_unanswered(observation: Observation) -> Iterator[Spoken]:
    """What others have recently said to this seat or to all and it has not replied to, oldest first.

    What was said a round ago, or two until there have been a few deals, is not answered any more.
    """
    recent = observation.messages[-RECENT:]
    turns = [line.at for line in observation.lines if line.key in MERGED | IDLE]
    span = observation.seats * (1 if has_begun_to_deal(observation) else 2)
    round_ago = turns[-span] if len(turns) >= span else Millis(-1)
    for number, message in enumerate(recent):
        if message.seat == observation.seat or message.addressee not in (None, observation.seat):
            continue
        if message.at < round_ago:
            continue
        if not any(
            later.seat == observation.seat and later.addressee == message.seat
            for later in recent[number + 1 :]
        ):
            yield message


def has_been_answered(observation: Observation, message: Spoken) -> bool:
    """Whether some bot has replied to what was said to the whole table."""
    later = observation.messages[observation.messages.index(message) + 1 :]
    return any(reply.bot and reply.addressee == message.seat for reply in later)


def find_proposal(observation: Observation, message: Spoken) -> Spoken | None:
    """What this seat has last asked of, or proposed to, the seat that now says yes or no to somebody.

    None if another seat has proposed something to it since, or if it has already said the same.
    """
    earlier = observation.messages[: observation.messages.index(message)]
    for said in reversed(earlier[-RECENT:]):
        if (said.seat, said.key) == (message.seat, message.key):
            return None
        if said.addressee == message.seat and intent_of(said.key) in PROPOSALS:
            return said if said.seat == observation.seat else None
    return None


def find_last_asked(observation: Observation, message: Spoken, kinds: Collection[str]) -> Spoken | None:
    """What whoever is spoken to had last said with one of these intents to the seat that now speaks."""
    earlier = observation.messages[: observation.messages.index(message)]
    asked = (
        said
        for said in reversed(earlier[-RECENT:])
        if said.addressee == message.seat and message.addressee in (None, said.seat)
        if intent_of(said.key) in kinds
    )
    return next(asked, None)


def has_lapsed(observation: Observation, proposal: Spoken, message: Spoken) -> bool:
    """Whether this answer came after this seat's next turn, for which its proposal was meant."""
    return any(
        line.key in MERGED | IDLE
        and line.args["seat"] == observation.seat
        and proposal.at < line.at <= message.at
        for line in observation.lines
    )


def _is_declined(observation: Observation, message: Spoken) -> bool:
    """Whether this seat has declined to deal in its reply to a yes."""
    later = observation.messages[observation.messages.index(message) + 1 :]
    replies = (said for said in later if (said.seat, said.addressee) == (observation.seat, message.seat))
    reply = next(replies, None)
    return reply is not None and intent_of(reply.key) in NO_DEAL


def find_deal(observation: Observation, seat: int, coin: str, by: int) -> Spoken | None:
    """The yes of a seat to a pact or plea of this one to spare this company, said by then.

    It counts only if this seat has not declined it.
    """
    for message in observation.messages:
        is_yes = message.seat == seat and message.key == "takeover.say.deal" and message.at <= by
        if is_yes and (proposal := find_proposal(observation, message)) is not None:
            name = {"offerPact": "mine", "askSpare": "coin"}.get(intent_of(proposal.key), "")
            if proposal.args.get(name) == coin and not _is_declined(observation, message):
                return message
    return None


def has_begun_to_deal(observation: Observation) -> bool:
    """Whether a few requests have been answered at this table."""
    asked: set[int] = set()
    deals = 0
    for message in observation.messages:
        if message.addressee in asked and intent_of(message.key) in REPLIES:
            asked.discard(message.addressee)
            deals += 1
        if intent_of(message.key) in REQUESTS:
            asked.add(message.seat)
    return deals >= FIRST_DEALS
