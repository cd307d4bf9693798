"""The environment gives a Config, or one sentence and an exit code (C1 and C2 of docs/SPEC.md)."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from structlog.testing import capture_logs

from hub import config
from hub.config import CannotStart, Exit, load
from hub.signing_secret import signing_secret

GOOD_SECRET = "0123456789abcdef0123456789abcdef"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("PARLEY_"):
            monkeypatch.delenv(name)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))


def refused(exit: Exit = Exit.USAGE, **settings: Any) -> str:
    with pytest.raises(CannotStart) as caught:
        load(**settings)
    assert caught.value.exit is exit
    advice = caught.value.advice
    assert "\n" not in advice
    return advice


def test_defaults(tmp_path: Path) -> None:
    settings = load()
    assert settings.redis_url is None
    assert settings.secret is None
    assert settings.data == tmp_path / ".local" / "share" / "parley"
    assert (settings.host, settings.port) == ("127.0.0.1", 8420)
    assert settings.public_url is None
    assert settings.origins == ()
    assert settings.ack == "everysec"
    assert settings.log_level == "info"
    assert settings.record_days == 90
    assert settings.forget_days == 90


def test_every_variable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    environment = {
        "REDIS_URL": "rediss://user:pass@store:6380/1",
        "SECRET": GOOD_SECRET,
        "DATA": str(tmp_path / "data"),
        "HOST": "::1",
        "PORT": "0",
        "HTTPS": "true",
        "PUBLIC_URL": "https://play.example.org/",
        "HUB_URL": "wss://10.0.0.7:8421/",
        "HUB_LABEL": "hub-1",
        "ORIGINS": "https://A.example, http://b.example:8080/,",
        "ACK": "fsync",
        "LOG_LEVEL": "debug",
        "RATE": "50",
        "SITE_RATE": "500",
        "CONNECTIONS": "20000",
        "NETWORK_CONNECTIONS": "300",
        "SOCKETS_PER_PLACE": "3",
        "SOCKETS_PER_PERSON": "9",
        "WATCHERS_PER_TABLE": "1000",
        "TALK_PER_SEAT": "3/10",
        "TALK_OF_SEATS": "9.5/50",
        "TALK_PER_WATCHER": "0.5/1",
        "TALK_OF_WATCHERS": "1000000/1000000",
        "ROOMS": "2000",
        "PERSON_ROOMS": "5",
        "METRICS_TOKEN": "for-prometheus-only",
        "WRONG_CODES": "500",
        "NETWORK_WRONG_CODES": "10",
        "RECORD_DAYS": "7",
        "ADMIN_TOKEN": "for-operators-only",
        "TOKEN_DAYS": "30",
        "FORGET_DAYS": "0",
        "PUSH": "false",
        "PUSH_CONTACT": "hub@example.org",
    }
    assert {name.lower() for name in environment} == set(config.Config.model_fields)
    for name, value in environment.items():
        monkeypatch.setenv(f"PARLEY_{name}", value)
    settings = load()
    assert settings.redis_url == "rediss://user:pass@store:6380/1"
    assert settings.data == tmp_path / "data"
    assert (settings.host, settings.port) == ("::1", 0)
    assert settings.public_url == "https://play.example.org"
    assert (settings.hub_url, settings.hub_label) == ("wss://10.0.0.7:8421", "hub-1")
    assert settings.https
    assert (settings.push, settings.push_contact) == (False, "hub@example.org")
    assert settings.local_url == "https://[::1]:0"
    assert settings.origins == ("https://a.example", "http://b.example:8080")
    assert (settings.ack, settings.log_level) == ("fsync", "debug")
    assert (settings.rate, settings.record_days, settings.token_days) == (50, 7, 30)
    assert (settings.connections, settings.network_connections) == (20_000, 300)
    sockets = settings.sockets_per_place, settings.sockets_per_person, settings.watchers_per_table
    assert sockets == (3, 9, 1000)
    assert (settings.talk_per_seat, settings.talk_of_seats) == ((3, 10), (9.5, 50))
    assert (settings.talk_per_watcher, settings.talk_of_watchers) == ((0.5, 1), (1e6, 1e6))
    assert (settings.rooms, settings.person_rooms) == (2000, 5)
    assert (settings.wrong_codes, settings.network_wrong_codes) == (500, 10)
    assert settings.metrics_token is not None
    assert settings.metrics_token.get_secret_value() == "for-prometheus-only"
    assert signing_secret(settings) == GOOD_SECRET.encode()


def test_arguments_override_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_PORT", "1")
    assert load(port=2).port == 2
    assert load(port=None).port == 1


def test_an_empty_variable_is_not_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in config.Config.model_fields:
        monkeypatch.setenv(f"PARLEY_{name.upper()}", "")
    assert load() == config.Config(data=tmp_path / ".local" / "share" / "parley")


@pytest.mark.parametrize("value", ["proxy.example.org", "10.1.2.3/8", "10.0.0.0/33", "*, 10.0.0.1"])
def test_trusted_proxies_are_addresses(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    """Uvicorn would ignore anything else."""
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", value)
    with pytest.raises(CannotStart, match="which is no address or network") as caught:
        load()
    assert caught.value.exit is Exit.USAGE


@pytest.mark.parametrize(
    ("value", "everybody"),
    [("", False), ("192.0.2.1, 2001:db8::/32", False), ("*", True), ("0.0.0.0/0", True), ("::/0", True)],
)
def test_proxies_that_may_be_trusted(monkeypatch: pytest.MonkeyPatch, value: str, everybody: bool) -> None:
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", value)
    load()
    assert config.trusts_everybody() is everybody


def test_it_is_frozen() -> None:
    settings = load()
    with pytest.raises(ValidationError):
        settings.port = 1


def test_it_does_not_show_its_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_SECRET", GOOD_SECRET)
    assert GOOD_SECRET not in f"{load()!r} {load()}"


# --- invalid settings ---

BAD = {
    "REDIS_URL": ("localhost:6379", "http://store", "redis", "redis+ring://store"),
    "SECRET": ("short", "0123456789abcdef0123456789abcde"),
    "HOST": ("a b", "http://host"),
    "PORT": ("x", "-1", "65536", "8420.5", "1e3"),
    "PUBLIC_URL": (
        *(
            "play.example.org",
            "ftp://x",
            "https://",
            "https://x/path",
            "https://x?q",
            "https://u@x",
            "https://x:y",
            "https://x:65536",
            "https://x;script-src",
            "https://x'y",
            "https://bücher.example",
            "https://[::1",
            "https://[fe80::1%eth0]",
            "https://x\\y",
            "https://x\ty",
        ),
    ),
    "ORIGINS": (
        "a.example",
        "https://a.example/path",
        "https://a.example,b",
        "https://a.example b.example",
        "http://a;script-src",
        "http://a;script-src 'unsafe-inline'",
        "https://a.example\nhttps://b.example",
        "https://*.example",
        "https://K.example",
        "*",
        "null",
    ),
    "ACK": ("yes", "EVERYSEC"),
    "LOG_LEVEL": ("loud", "INFO"),
    "RATE": ("0", "fast", "nan", "inf"),
    "SITE_RATE": ("0", "fast", "nan", "inf"),
    "SOCKETS_PER_PLACE": ("0", "many", "1000001"),
    "SOCKETS_PER_PERSON": ("0",),
    "WATCHERS_PER_TABLE": ("0", "1.5"),
    "TALK_PER_SEAT": ("2", "2/0", "0/10", "2/10/3", "a/b", "nan/1", "inf/1", "1/0.5", "/"),
    "TALK_OF_SEATS": ("8",),
    "TALK_PER_WATCHER": ("-1/5",),
    "TALK_OF_WATCHERS": ("5/2000000",),
    "METRICS_TOKEN": ("short", "é" * 20),
    "RECORD_DAYS": ("-1", "90d", "1.5", "36501"),
}


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in BAD.items() for value in values]
)
def test_a_bad_value_is_named_with_what_is_allowed(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"PARLEY_{name}", value)
    advice = refused()
    assert advice.startswith(f"PARLEY_{name} must be ")
    assert config.ALLOWED[name.lower()] in advice
    if name == "SECRET":
        assert value not in advice


def test_a_bad_option_is_named_as_an_option() -> None:
    assert refused(port="x").startswith("--port must be a whole number")


def test_every_variable_says_what_it_may_hold() -> None:
    assert set(config.ALLOWED) == set(config.Config.model_fields)


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("PARLEY_PROT", "PARLEY_PORT"),
        ("PARLEY_REDIS", "PARLEY_REDIS_URL"),
        ("PARLEY_ORIGIN", "PARLEY_ORIGINS"),
        ("PARLEY_PUBLICURL", "PARLEY_PUBLIC_URL"),
    ],
)
def test_an_unknown_variable_is_not_passed_over(
    monkeypatch: pytest.MonkeyPatch, name: str, meant: str
) -> None:
    monkeypatch.setenv(name, "1")
    assert refused() == f"{name} is not a setting of Parley: did you mean {meant}?"


def test_an_unknown_variable_like_none_lists_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLEY_ZZZZZZ", "1")
    advice = refused()
    assert all(f"PARLEY_{name.upper()}" in advice for name in config.Config.model_fields)


# --- the data folder ---


def test_the_data_folder_follows_xdg(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert load().data == tmp_path / "xdg" / "parley"
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert load().data == tmp_path / ".local" / "share" / "parley"


@pytest.mark.parametrize("home", ["", "relative", "/nonexistent/home", "file"])
def test_without_a_home_data_stays_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, home: str) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "file") if home == "file" else home)
    assert load().data == tmp_path / ".parley"


# --- the secret ---


def test_a_secret_is_created_once_and_readable_by_its_owner_only(tmp_path: Path) -> None:
    settings = load(data=tmp_path / "new" / "data")
    secret = signing_secret(settings)
    assert len(secret) == 32
    assert signing_secret(settings) == secret
    assert [path.name for path in settings.data.iterdir()] == ["secret"]
    assert stat.S_IMODE((settings.data / "secret").stat().st_mode) == 0o600
    assert stat.S_IMODE(settings.data.stat().st_mode) == 0o700
    assert signing_secret(load(data=tmp_path / "other")) != secret


@pytest.mark.parametrize("mode", [0o644, 0o640, 0o604, 0o666])
def test_a_secret_that_others_can_read_is_tightened(tmp_path: Path, mode: int) -> None:
    """C2"""
    secret = signing_secret(load(data=tmp_path))
    (tmp_path / "secret").chmod(mode)
    with capture_logs() as logs:
        assert signing_secret(load(data=tmp_path)) == secret
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600
    assert [(entry["log_level"], entry["mode"]) for entry in logs] == [("warning", f"{mode:04o}")]
    with capture_logs() as logs:
        assert signing_secret(load(data=tmp_path)) == secret
    assert logs == []


def test_a_secret_that_cannot_be_tightened_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of another user, or a file system that ignores modes."""

    def forbid(path: Path, mode: int) -> None:
        raise PermissionError(1, "Operation not permitted")

    def ignore(path: Path, mode: int) -> None:
        pass

    signing_secret(load(data=tmp_path))
    (tmp_path / "secret").chmod(0o644)
    for chmod in (forbid, ignore):
        monkeypatch.setattr(Path, "chmod", chmod)
        with pytest.raises(CannotStart, match=r"can read .*secret \(mode 0644\)") as caught:
            signing_secret(load(data=tmp_path))
        assert caught.value.exit is Exit.DATA
        assert "chmod 600" in caught.value.advice


def test_a_lost_secret_is_replaced_with_a_warning(tmp_path: Path) -> None:
    """Every token is void then; the first start logs no warning."""
    with capture_logs() as logs:
        first = signing_secret(load(data=tmp_path))
        (tmp_path / "store" / "appendonlydir").mkdir(parents=True)
        assert signing_secret(load(data=tmp_path)) == first
    assert logs == []
    (tmp_path / "secret").unlink()
    with capture_logs() as logs:
        assert signing_secret(load(data=tmp_path)) != first
    assert [entry["log_level"] for entry in logs] == ["warning"]
    assert "every token and ticket is void" in logs[0]["event"]


def test_hubs_that_start_together_agree_on_it(tmp_path: Path) -> None:
    settings = load(data=tmp_path)
    together = threading.Barrier(8)
    secrets: list[bytes] = []

    def start() -> None:
        together.wait()
        secrets.append(signing_secret(settings))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(secrets) == 8
    assert len(set(secrets)) == 1


def test_many_hubs_need_a_secret_of_their_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PARLEY_REDIS_URL", "redis://store")
    with pytest.raises(CannotStart) as caught:
        signing_secret(load(data=tmp_path / "data"))
    assert caught.value.exit is Exit.USAGE
    assert "PARLEY_SECRET" in caught.value.advice
    assert "openssl rand -hex 32" in caught.value.advice
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("kept", [b"", b"abc", b"zz" * 32, b"\xff" * 64, b"ab" * 31])
def test_a_damaged_secret_is_not_replaced(tmp_path: Path, kept: bytes) -> None:
    (tmp_path / "secret").write_bytes(kept)
    with pytest.raises(CannotStart, match="is damaged: restore it from a backup") as caught:
        signing_secret(load(data=tmp_path))
    assert caught.value.exit is Exit.DATA
    assert (tmp_path / "secret").read_bytes() == kept


def test_a_data_folder_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for data in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/parley")):
        with pytest.raises(CannotStart, match="cannot be used") as caught:
            signing_secret(load(data=data))
        assert caught.value.exit is Exit.DATA
        assert str(data) in caught.value.advice
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "0", "::0"])
def test_a_hub_may_listen_everywhere_and_share_a_store(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    """Other hubs reach it at the address of its links, which is another one."""
    monkeypatch.setenv("PARLEY_REDIS_URL", "redis://store")
    assert load(host=host).listens_everywhere
    assert not load(host="127.0.0.1").listens_everywhere


@pytest.mark.parametrize("name", ["PARLEY_HUB_URL", "PARLEY_HUB_LABEL"])
def test_the_bundled_store_has_one_hub(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(name, {"PARLEY_HUB_URL": "wss://10.0.0.7:8421", "PARLEY_HUB_LABEL": "a"}[name])
    advice = refused()
    assert name in advice
    assert "PARLEY_REDIS_URL" in advice
