"""Configuration: the PARLEY_* environment variables as one frozen value. Only this file reads them."""

from __future__ import annotations

import difflib
import ipaddress
import os
import re
from collections.abc import Iterable, Mapping
from enum import IntEnum
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

PREFIX: Final = "PARLEY_"


class Exit(IntEnum):
    """Exit codes of the `parley` command (docs/OPERATIONS.md)."""

    OK = 0
    REFUSED = 1
    """`parley verify`: the record is not genuine. `parley doctor`: something is wrong."""
    USAGE = 2
    """A wrong argument, or an invalid PARLEY_* variable."""
    PORT = 3
    """The hub cannot listen on the address."""
    DATA = 4
    """The data folder or its store cannot be used: not writable, locked by another hub, damaged, hung, or
    on a full disk."""
    STORE = 5
    """The store is unreachable, or not set up as required."""
    SIGNED_ONLY = 6
    """`parley verify`: the signature is right, but no entry of the record could be recomputed."""
    DEFECT = 70
    """A defect in Parley itself (see the log), or in the game that `parley simulate` played."""
    STOPPED = 130
    """`parley simulate`: stopped with Ctrl-C, after reporting the games finished so far."""


class CannotStart(Exception):
    """The hub cannot run. `advice` is one sentence for the operator, `exit` the exit code."""

    def __init__(self, advice: str, exit: Exit) -> None:
        super().__init__(advice)
        self.advice = advice
        self.exit = exit


Ack: TypeAlias = Annotated[str, Field(pattern=r"^(everysec|fsync|replica(:[1-9])?)$")]
"""What a verdict waits for: `everysec`, `fsync`, or `replica:<k>`; `replica` is `replica:1`."""
LogLevel: TypeAlias = Literal["debug", "info", "warning", "error"]
_Positive: TypeAlias = Annotated[float, Field(gt=0, le=1_000_000)]
RateAndBurst: TypeAlias = Annotated[tuple[_Positive, Annotated[_Positive, Field(ge=1)]], NoDecode]
"""Actions per second, and actions at once, such as `2/10`."""


def count_replicas(ack: Ack) -> int:
    """How many replicas must have a commit before its verdict."""
    kind, _, count = ack.partition(":")
    return int(count or 1) if kind == "replica" else 0


class Config(BaseSettings):
    """All settings (see docs/OPERATIONS.md). Created by `load`."""

    model_config = SettingsConfigDict(
        env_ignore_empty=True,  # compose and unit files pass unset variables as empty ones
        env_prefix=PREFIX,
        frozen=True,
        extra="forbid",
        hide_input_in_errors=True,
    )

    redis_url: str | None = None
    """The URL of a Redis or Valkey server; None for the bundled store in the data folder."""
    secret: SecretStr | None = None
    """The secret that signs identities, tickets and records; None for one generated in the data folder."""
    data: Path
    host: str = "127.0.0.1"
    port: int = Field(default=8420, ge=0, le=65535)
    """The port to listen on; 0 means any free port."""
    https: bool = False
    """Whether to serve https, with a certificate of the hub's own (hub/certificate.py)."""
    public_url: str | None = None
    """The URL that browsers use, without a trailing slash; None to take it from each request."""
    hub_url: str | None = None
    """The URL at which the other hubs on the store reach this one; None for this machine's address and any
    free port (hub/net/links/address.py)."""
    hub_label: str | None = None
    """The name of this hub in the addresses of sockets, for a proxy's rules; None for a random one."""
    origins: Annotated[tuple[str, ...], NoDecode] = ()
    """Other origins whose pages may connect."""
    ack: Ack = "everysec"
    log_level: LogLevel = "info"
    rate: float = Field(default=25, gt=0, le=1_000_000)
    """Messages per second that one socket may send; twice as many in a burst."""
    site_rate: float = Field(default=1000, gt=0, le=1_000_000)
    """Messages per second that all sockets of one site may send; twice as many in a burst."""
    connections: int | None = Field(default=None, ge=1, le=1_000_000)
    """Connections this hub serves at once; None for as many as its descriptors allow."""
    network_connections: int = Field(default=1000, ge=1, le=1_000_000)
    """Connections that one network may have."""
    sockets_per_place: int = Field(default=8, ge=1, le=1_000_000)
    """Sockets that one person may have open for one seat, or for watching one table."""
    sockets_per_person: int = Field(default=32, ge=1, le=1_000_000)
    """Sockets that one person may have open on this hub."""
    watchers_per_table: int = Field(default=500, ge=1, le=1_000_000)
    """Sockets of watchers at one table."""
    talk_per_seat: RateAndBurst = (2, 10)
    """Messages that one seat may send to everybody, and the same again in whispers."""
    talk_of_seats: RateAndBurst = (8, 40)
    """Messages that all seats of a table together may send to everybody."""
    talk_per_watcher: RateAndBurst = (1, 5)
    """Messages that one person may send to the other watchers of a table."""
    talk_of_watchers: RateAndBurst = (5, 20)
    """Messages that all watchers of a table together may send."""
    rooms: int = Field(default=5000, ge=1, le=1_000_000)
    """Rooms this hub keeps awake at once; no site may create or wake more than a tenth of them."""
    person_rooms: int = Field(default=20, ge=1, le=1_000_000)
    """Rooms that one person may have awake before creating another."""
    metrics_token: SecretStr | None = None
    """The token Prometheus sends to read /metrics; None if only this machine may read it."""
    wrong_codes: int = Field(default=1000, ge=1, le=1_000_000)
    """Wrong private codes per hour, from everybody, before strangers' codes are refused."""
    network_wrong_codes: int = Field(default=30, ge=1, le=1_000_000)
    """Wrong codes per hour from one network before all of its codes are refused."""
    record_days: int = Field(default=90, ge=0, le=36_500)
    """How many days finished records are kept."""
    admin_token: SecretStr | None = None
    """The token that lets operators use /admin and `parley admin`; None turns both off."""
    token_days: int = Field(default=90, ge=2, le=36_500)
    """How many days a person's token is valid after its last use."""
    forget_days: int = Field(default=90, ge=0, le=36_500)
    """How many days after its last use a table is deleted; 0 means never."""

    push: bool = True
    """Whether the hub calls absent people back by Web Push, which connects to their browsers' services."""
    push_contact: str | None = None
    """The email address at which push services' operators reach the hub's."""

    @property
    def listens_everywhere(self) -> bool:
        """Whether the host is a wildcard, such as 0.0.0.0 or ::, at which no browser can reach the hub."""
        try:
            return ipaddress.ip_address(self.host).is_unspecified
        except ValueError:
            return self.host == "0"

    @property
    def local_url(self) -> str:
        """The hub's URL on its own machine."""
        return self.url_at(self.port)

    def url_at(self, port: int) -> str:
        """The hub's URL on its own machine if it listens on this port."""
        host = "127.0.0.1" if self.listens_everywhere else self.host
        return f"{self.scheme}://{f'[{host}]' if ':' in host else host}:{port}"

    @property
    def scheme(self) -> str:
        """The scheme that the hub itself speaks."""
        return "https" if self.https else "http"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return init_settings, env_settings

    @field_validator("talk_per_seat", "talk_of_seats", "talk_per_watcher", "talk_of_watchers", mode="before")
    @classmethod
    def _budget(cls, value: object) -> object:
        return value.split("/") if isinstance(value, str) else value

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, value: str | None) -> str | None:
        if value is not None:
            scheme, colon, _ = value.partition(":")
            if not colon or scheme.lower() not in STORE_SCHEMES:
                raise ValueError
        return value

    @field_validator("metrics_token", "admin_token")
    @classmethod
    def _token(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not (
            len(value.get_secret_value()) >= 16 and value.get_secret_value().isascii()
        ):
            raise ValueError
        return value

    @field_validator("secret")
    @classmethod
    def _check_length(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and len(value.get_secret_value().encode()) < 32:
            raise ValueError
        return value

    @field_validator("push_contact")
    @classmethod
    def _contact(cls, value: str | None) -> str | None:
        if value is not None and EMAIL.fullmatch(value) is None:
            raise ValueError
        return value

    @field_validator("host")
    @classmethod
    def _host(cls, value: str) -> str:
        if not value or any(letter.isspace() or letter == "/" for letter in value):
            raise ValueError
        return value

    @field_validator("public_url")
    @classmethod
    def _public(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if read_origin(value.rstrip("/")) is None:
            raise ValueError
        return value.rstrip("/")

    @field_validator("origins", mode="before")
    @classmethod
    def _origins(cls, value: object) -> object:
        if not isinstance(value, str):
            return value
        origins = tuple(read_origin(part.strip().rstrip("/")) for part in value.split(",") if part.strip())
        if None in origins:
            raise ValueError
        return origins

    @field_validator("hub_url")
    @classmethod
    def _hub(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme != "wss" or not parts.hostname or not parts.port or parts.path not in ("", "/"):
            raise ValueError
        return value.rstrip("/")

    @field_validator("hub_label")
    @classmethod
    def _label(cls, value: str | None) -> str | None:
        if value is not None and HUB_LABEL.fullmatch(value) is None:
            raise ValueError
        return value

    @field_validator("data")
    @classmethod
    def _data(cls, value: Path) -> Path:
        if not str(value) or "\0" in str(value):
            raise ValueError
        return value.expanduser().absolute()


STORE_SCHEMES: Final = (
    *("redis", "rediss", "unix", "redis+sentinel", "rediss+sentinel", "redis+cluster", "rediss+cluster"),
)
ORIGIN: Final = re.compile(
    r"https?://(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.I | re.A
)
"""An origin as browsers send it: names of other alphabets in their ASCII form (xn--...)."""

HUB_LABEL: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?", re.A)

EMAIL: Final = re.compile(r"[^@\s]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)+", re.I | re.A)

MANY: Final = "a whole number from 1 to 1000000"
TALK: Final = "messages per second and messages at once, such as 2/10"
ALLOWED: Final[Mapping[str, str]] = {
    "redis_url": "the address of a Redis or Valkey server, such as redis://localhost:6379/0 "
    f"(it may begin with {', '.join(scheme + '://' for scheme in STORE_SCHEMES)})",
    "secret": "at least 32 bytes of text that nobody can guess, such as the output of `openssl rand -hex 32`",
    "data": "a folder the hub may write to",
    "host": "a host name or an address to listen on, such as 127.0.0.1 or 0.0.0.0",
    "port": "a whole number from 0 to 65535 (0: any free port)",
    "https": "true or false",
    "public_url": "the address browsers use, such as https://play.example.org, without a path",
    "hub_url": "the address at which the other hubs on the store reach this one, such as wss://10.0.0.7:8421",
    "hub_label": "up to 32 small letters, digits and dashes, such as hub-1",
    "origins": "a comma-separated list of origins, such as https://a.example,https://b.example",
    "ack": "everysec, fsync, or replica:<k> with k from 1 to 9",
    "log_level": "debug, info, warning or error",
    "rate": "the number of messages per second that a socket may send, such as 25",
    "site_rate": "the number of messages per second that all sockets of a site may send, such as 1000",
    "connections": "the number of connections that this hub may serve at once, such as 20000",
    "network_connections": "the number of connections that one network may have, such as 1000",
    "sockets_per_place": MANY,
    "sockets_per_person": MANY,
    "watchers_per_table": MANY,
    "talk_per_seat": TALK,
    "talk_of_seats": TALK,
    "talk_per_watcher": TALK,
    "talk_of_watchers": TALK,
    "rooms": "the number of tables that this hub may have open at once, such as 5000",
    "person_rooms": "the number of tables that one person may have open, such as 20",
    "metrics_token": "at least 16 letters and digits, such as the output of `openssl rand -hex 16`",
    "wrong_codes": "a whole number of wrong codes per hour, such as 1000",
    "network_wrong_codes": "a whole number of wrong codes per hour, such as 30",
    "record_days": "a whole number of days from 0 to 36500",
    "admin_token": "at least 16 letters and digits, such as the output of `openssl rand -hex 16`",
    "token_days": "a whole number of days from 2 to 36500",
    "push": "true or false",
    "push_contact": "an email address, such as hub@example.org",
    "forget_days": "a whole number of days from 0 (never) to 36500",
}
"""The allowed values of each variable, for the error message."""


def load(**options: Any) -> Config:
    """The configuration from the command-line `options`, then the environment, then the defaults.

    Raises CannotStart (exit 2) with one sentence that names the variable and what it may hold.
    """
    _refuse_unknown(name for name in os.environ if name.startswith(PREFIX))
    options = {name: value for name, value in options.items() if value is not None}
    if "data" not in options and not os.environ.get(PREFIX + "DATA"):
        options["data"] = _default_data()
    try:
        config = Config(**options)
    except ValidationError as error:
        field = str(error.errors(include_input=False)[0]["loc"][0]).lower()
        name = f"--{field}" if field in options else PREFIX + field.upper()
        raise CannotStart(f"{name} must be {ALLOWED[field]}.", Exit.USAGE) from None
    _check_trusted_proxies()
    if config.redis_url is None and (config.hub_url or config.hub_label):
        name = "PARLEY_HUB_URL" if config.hub_url else "PARLEY_HUB_LABEL"
        raise CannotStart(
            f"{name} is for hubs that share a store, and this one has the bundled store to itself: set "
            f"PARLEY_REDIS_URL as well, or leave out {name}.",
            Exit.USAGE,
        )
    return config


def trusts_everybody() -> bool:
    """Whether FORWARDED_ALLOW_IPS, which uvicorn reads, trusts every client's X-Forwarded-For."""
    return any(part == "*" or part.endswith("/0") for part in _read_proxies())


def _read_proxies() -> list[str]:
    parts = os.environ.get("FORWARDED_ALLOW_IPS", "").split(",")
    return [part.strip() for part in parts if part.strip()]


def _check_trusted_proxies() -> None:
    """Raises CannotStart for what is no address or network; uvicorn would ignore it."""
    proxies = _read_proxies()
    for proxy in proxies if proxies != ["*"] else ():
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise CannotStart(
                f"FORWARDED_ALLOW_IPS names {proxy!r}, which is no address or network: give those of your "
                "proxies, separated by commas, such as 192.0.2.7,10.1.0.0/16.",
                Exit.USAGE,
            ) from None


def _default_data() -> Path:
    """The user's data folder according to the XDG rules, or `.parley` if there is no usable home."""
    xdg = os.environ.get("XDG_DATA_HOME", "")
    if os.path.isabs(xdg):
        return Path(xdg) / "parley"
    home = os.environ.get("HOME", "")
    if os.path.isabs(home) and os.path.isdir(home) and os.access(home, os.W_OK | os.X_OK):
        return Path(home) / ".local" / "share" / "parley"
    return Path(".parley")


def _refuse_unknown(names: Iterable[str]) -> None:
    settings = {field.upper() for field in Config.model_fields}
    for name in sorted(names):
        suffix = name.removeprefix(PREFIX).upper()
        if suffix in settings:
            continue
        close = difflib.get_close_matches(suffix, settings, n=1)
        listed = ", ".join(PREFIX + setting for setting in sorted(settings))
        hint = f"did you mean {PREFIX}{close[0]}?" if close else f"the settings are {listed}."
        raise CannotStart(f"{name} is not a setting of Parley: {hint}", Exit.USAGE)


def read_origin(url: str) -> str | None:
    """The URL in lower case, as browsers send it, if it is a bare http(s) origin.

    Nothing else is let through: origins become part of the Content-Security-Policy.
    """
    try:
        urlsplit(url).port  # noqa: B018 - raises for an invalid port or IPv6 address
    except ValueError:
        return None
    return url.lower() if ORIGIN.fullmatch(url) else None
