"""Where a hub cannot listen, it says why and what to do."""

from __future__ import annotations

import errno
import os
import socket
from pathlib import Path

import pytest

from hub.config import CannotStart, Config, Exit
from hub.net.server import listen


def refusal(config: Config) -> str:
    with pytest.raises(CannotStart) as caught:
        listen(config).close()
    assert caught.value.exit is Exit.PORT
    return caught.value.advice


def test_a_port_in_use(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        config = Config(data=tmp_path, port=busy.getsockname()[1])
        assert "stop the program that uses it" in refusal(config)


def test_an_address_of_another_machine(tmp_path: Path) -> None:
    advice = refusal(Config(data=tmp_path, host="192.0.2.1", port=0))
    assert "choose an address of this machine" in advice
    assert "stop the program" not in advice


def test_a_port_for_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def forbid(listening: socket.socket, address: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    monkeypatch.setattr(socket.socket, "bind", forbid)  # whether a user may depends on the system
    advice = refusal(Config(data=tmp_path, port=80))
    assert "ports below 1024 are for root" in advice
    assert "stop the program" not in advice
