"""What has been said, and how a bot finds words that nobody has used yet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from games.api import Argument, Dice, Observation, Remark, Spoken
from games.kit.wordings import Meaning, UsedWords, Wordings, read_intent
from games.takeover.texts import TEXTS

WORDINGS: Final = Wordings(TEXTS)
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


def find_words(
    observation: Observation, intent: str, args: Mapping[str, Argument], dice: Dice
) -> Remark | None:
    """A remark with this intent that nobody has made yet; None if all its wordings have been used."""
    return UsedWords(observation.messages).choose(WORDINGS, [Meaning(intent, args)], dice)


def is_said(observation: Observation, key: str) -> bool:
    """Whether anybody has said this phrase."""
    return any(message.key == key for message in observation.messages)


def list_said(observation: Observation, intent: str, to: int | None = None) -> list[Spoken]:
    """What the seat itself has said with this intent, to one seat if given, oldest first."""
    return [
        message
        for message in observation.messages
        if message.seat == observation.seat
        and read_intent(message.key) == intent
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
        if read_intent(message.key) in REQUESTS:
            asked.add(message.seat)
    return deals >= FIRST_DEALS
