"""A warning that would repeat many times a second, for as long as an outage lasts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

SUMMARY_SECONDS: Final = 10.0


class RepeatedWarning:
    """Logs the first of its warnings, then at most one every `SUMMARY_SECONDS`, and one line when it is over.

    `log` is a structlog logger, `time` a clock in seconds. The field `times` counts the warnings since the
    last line, and in the line at the end all of them.
    """

    def __init__(self, log: Any, event: str, over: str, time: Callable[[], float]) -> None:
        self._log = log
        self._event = event
        self._over = over
        self._time = time
        self._logged_at = 0.0
        self._unlogged = 0
        self._total = 0

    def warn(self, **details: object) -> None:
        """Counts one warning, and logs it if one is due."""
        self._total += 1
        self._unlogged += 1
        time = self._time()
        if self._total > 1 and time - self._logged_at < SUMMARY_SECONDS:
            return
        self._log.warning(self._event, times=self._unlogged, **details)
        self._logged_at = time
        self._unlogged = 0

    def end(self) -> None:
        """Logs that it is over, if there was a warning."""
        if self._total:
            self._log.info(self._over, times=self._total)
        self._total = self._unlogged = 0
