"""What has been said, and how a bot finds words that nobody has used yet.

Each intent, such as `askSpare`, has several variants in the catalogue's remarks: `takeover.askSpare.1` and so
on. A bot never repeats a line of its own or of another, as far as it remembers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from games.api import Argument, Dice, Observation, Remark, Spoken
from games.takeover.texts import TEXTS

PREFIX: Final = "takeover."
RECENT: Final = 30
"""The number of last messages in which a bot looks for something to answer."""

REQUESTS: Final = ("askSpare", "offerPact", "askSell", "offerSale", "askCover", "askPass")
"""The intents that ask others for something."""
REPLIES: Final = (
    *("yesSpare", "noSpareGain", "noSparePlan", "noTrust", "offerPact", "yesPact", "sealPact", "noPact"),
    *("yesCover", "noCoverMine", "noCoverReach", "noCoverGain", "noCoverBetter"),
    *("sellYes", "sellPrice", "sellNone", "sellKeep", "buy", "noBuy", "tooDear", "yesPass", "noPass"),
)
"""The intents that answer them."""
FIRST_DEALS: Final = 4
"""The number of answered requests after which characters talk about other things as well."""


def _group_variants() -> dict[str, tuple[str, ...]]:
    variants: dict[str, tuple[str, ...]] = {}
    for key in TEXTS.remarks:
        variants[intent_of(key)] = (*variants.get(intent_of(key), ()), key)
    return variants


def intent_of(key: str) -> str:
    """The intent of a remark's key, or the phrase without the game's prefix, such as `say.thanks`."""
    bare = key.removeprefix(PREFIX)
    return bare if bare.startswith("say.") else bare.rpartition(".")[0]


VARIANTS: Final[Mapping[str, tuple[str, ...]]] = _group_variants()


def list_keys(intents: Iterable[str]) -> frozenset[str]:
    """The keys of all variants of these intents."""
    return frozenset(key for intent in intents for key in VARIANTS[intent])


def find_words(
    observation: Observation, intent: str, args: Mapping[str, Argument], dice: Dice
) -> Remark | None:
    """A line with this intent that nobody has said yet; None if all variants have been used.

    It prefers a variant that has not been used with other arguments either.
    """
    used = {message.key for message in observation.messages if message.args == args}
    unused = [key for key in VARIANTS[intent] if key not in used]
    if not unused:
        return None
    times = Counter(message.key for message in observation.messages)
    fewest = min(times[key] for key in unused)
    rarest = [key for key in unused if times[key] == fewest]
    return Remark(rarest[dice.below("words", len(rarest))], args)


def is_said(observation: Observation, key: str) -> bool:
    """Whether anybody has said this phrase."""
    return any(message.key == key for message in observation.messages)


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
    """What others have recently said to this seat or to all and it has not replied to, oldest first."""
    recent = observation.messages[-RECENT:]
    for number, message in enumerate(recent):
        if message.seat == observation.seat or message.addressee not in (None, observation.seat):
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


def has_begun_to_deal(observation: Observation) -> bool:
    """Whether a few requests have been answered at this table."""
    asked: set[int] = set()
    deals = 0
    for message in observation.messages:
        if message.addressee in asked:
            asked.discard(message.addressee)
            deals += 1
        if intent_of(message.key) in REQUESTS:
            asked.add(message.seat)
    return deals >= FIRST_DEALS
