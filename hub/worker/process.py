"""The program of the bots' worker: thoughts come in by its standard input, decisions go out by its output.

It ends with its input: when the hub closes it, and when the hub is killed; on Linux even in the middle of a
thought. See hub/worker/bot_executor.py.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import signal
import sys
from typing import Final

NICE: Final = 5
"""The tables come first, where hub and worker share a processor."""


def main() -> None:
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # who asked is gone: so is its worker
    with contextlib.suppress(OSError):
        os.nice(NICE)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
    asked, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        try:
            bot, observation, level, dice = pickle.load(asked)
        except (EOFError, pickle.UnpicklingError):
            return
        try:
            answer = pickle.dumps((True, bot.decide(observation, level, dice)))
        except Exception:  # noqa: BLE001 - the hub decides it again, and logs what is wrong
            answer = pickle.dumps((False, None))
        answers.write(len(answer).to_bytes(4, "big") + answer)
        answers.flush()


if __name__ == "__main__":
    main()
