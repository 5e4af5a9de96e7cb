"""What the text of an option says: each as a value, or a fault of usage that says what to write instead."""

import argparse
from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from pathlib import Path
from typing import Final

from gpuplanner.cli.arguments import UsageError, as_usage_error
from gpuplanner.domain.model import errors, places
from gpuplanner.domain.model.assumptions import AssumptionValue, check_share, parse_assumption, read_share
from gpuplanner.domain.model.book.exchange import ExchangeRate, check_code, check_rate
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import WHO, Only, who_meant
from gpuplanner.domain.model.gpu_family import SameKind, StatedSame
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.queue.waits import Target
from gpuplanner.lazy_re import lazy_re

SIZES_AT_MOST: Final = 200
_PART: Final = lazy_re(r",(?=\s*\w+=)")
"""Between fields: days of the week have commas of their own."""


def _pair(text: str, what: str) -> tuple[str, str]:
    """NAME=VALUE; the value may hold equals signs. Errors: UsageError."""
    name, equals, value = text.partition("=")
    if not equals or not name:
        raise UsageError(f"{what} {text!r} is not NAME=VALUE; write the name, an equals sign and the value")
    return name, value


def pseudonyms_of(words: argparse.Namespace) -> bool | Path:
    """What the call says of pseudonyms, as the readers take it.

    The file of the key, True for a key of this call alone, False for names as they are.
    """
    return Path(words.pseudonym_key) if words.pseudonym_key else bool(words.pseudonyms)


def parse_pools(texts: Sequence[str], option: str) -> dict[str, Pool]:
    """KEY=pool pairs. Errors: UsageError where a pool is not one of the three. Keys may hold '=' signs.

    option: as the message names it. Of two of one key the last counts.

    >>> parse_pools(["main/ml/chat=Inference"], "assign")
    {'main/ml/chat': <Pool.INFERENCE: 'inference'>}
    """
    answer = {}
    for text in texts:
        key, equals, pool = text.rpartition("=")
        if not equals or not key or pool.lower() not in set(Pool):
            raise UsageError(f"--{option} {text!r}: write KEY=training, KEY=inference or KEY=burst")
        answer[key] = Pool(pool.lower())
    return answer


def parse_mappings(texts: Sequence[str]) -> list[tuple[str, str, float, Pool | None]]:
    """[POOL:]MODEL=OTHER:RATIO: models of demand and offers, ratio, whose demand alone. Errors: UsageError.

    A ratio is a number or a fraction. Whether models are there is looked at later.

    >>> parse_mappings(["H100=H200:1.6", "burst:A100=A100 MIG 1g.10gb:1/4"])
    [('H100', 'H200', 1.6, None), ('A100', 'A100 MIG 1g.10gb', 0.25, <Pool.BURST: 'burst'>)]
    """
    answer = []
    for text in texts:
        pool = next((one for one in Pool if text.startswith(f"{one}:")), None)
        model, equals, rest = text.removeprefix(f"{pool}:").partition("=")
        other, colon, number = rest.rpartition(":")
        try:
            ratio = float(Fraction(number) if "/" in number else number)  # 1/7 of a slice
        except (ValueError, ZeroDivisionError, OverflowError):
            colon = ""
        if not (model and equals and other and colon):
            raise UsageError(f"--map-model {text!r}: write [POOL:]MODEL=OTHER:RATIO, such as H100=H200:1.6")
        answer.append((model, other, ratio, pool))
    return answer


def parse_same(text: str) -> StatedSame:
    """[model:|cluster:|workload:]THEIRS=OURS. Errors: UsageError. Of several equals signs the one in the middle.

    >>> parse_same("cluster:en=main").kind.value, parse_same("H100 SXM=H100").kind is None
    ('cluster', True)
    """
    kind, colon, rest = text.partition(":")
    if not (colon and kind.lower() in set(SameKind)):
        if colon and kind.isalpha():
            raise UsageError(
                f"--same {text!r}: {kind}: is not one of {', '.join(SameKind)}; where it is part of the name, "
                f"write model:{text}"
            )
        kind, rest = "", text
    parts = rest.split("=")
    middle = len(parts) // 2
    theirs, ours = "=".join(parts[:middle]).strip(), "=".join(parts[middle:]).strip()
    if len(parts) % 2 or not ours or (not theirs and kind.lower() != SameKind.CLUSTER):
        raise UsageError(
            f"--same {text!r}: write THEIRS=OURS, such as 'H100 SXM=H100' or cluster:en=main, or the name of a CSV "
            "with the columns kind,theirs,ours"
        )
    return StatedSame(SameKind(kind.lower()) if kind else None, theirs, ours)


def parse_price_case(text: str) -> PriceCase:
    """low, mid or high. Errors: UsageError.

    Case does not matter.
    """
    if text.lower() not in set(PriceCase):
        raise UsageError(f"--price-case {text!r}: write low, mid or high")
    return PriceCase(text.lower())


REPORTING_CURRENCY: Final = "reporting_currency"
"""A setting that is no assumption: what a person reads the amounts in."""


def parse_exchange(texts: Sequence[str]) -> tuple[ExchangeRate, ...]:
    """What --fx says, EUR=1.08@2026-10-01 each. Errors: UsageError.

    In the order of the call, one for each text.
    """
    rates = []
    for text in texts:
        code, value = _pair(text, "--fx")
        number, _, day = value.partition("@")
        try:
            rates.append(check_rate(ExchangeRate(check_code(code), Decimal(number), day)))
        except InvalidOperation:
            raise UsageError(f"--fx {text!r}: {number!r} is no number; write EUR=1.08@2026-10-01") from None
        except errors.PlannerError as error:
            raise UsageError(f"--fx {text!r}: {error.what}; {error.remedy}") from None
    return tuple(rates)


def reporting_currency(texts: Sequence[str]) -> str | None:
    """The code that --set reporting_currency names, the last one; None without it. Errors: UsageError.

    Case and blanks do not matter.
    """
    said = [value for name, value in (_pair(text, "--set") for text in texts) if name == REPORTING_CURRENCY]
    if not said:
        return None
    with as_usage_error(f"--set {REPORTING_CURRENCY}={said[-1]}"):
        return check_code(said[-1])


def parse_bound(text: str, option: str) -> int:
    """A day or whole hour that an option names, epoch seconds. Errors: UsageError."""
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        raise UsageError(
            f"--{option} {text!r} is not an ISO time; write 2026-01-31 or 2026-01-31T05:00:00Z"
        ) from None
    at_s = (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    if at_s % HOUR_S:
        raise UsageError(f"--{option} {text!r} is not on a whole hour; write 2026-01-31T05:00:00Z")
    return int(at_s)


def is_work(text: str) -> bool:
    """Whether --planned names work itself, not a file of it."""
    return text.startswith("name=")


def parse_work(text: str, timezone: str | None) -> PlannedWork:
    """name=NAME,pool=POOL,gpu_model=MODEL,gpus=N and more: a row of a table of planned work. Errors: UsageError.

    timezone: of times without a zone.
    """
    from gpuplanner.files.lists.planned_work import PLANNED_COLUMNS, work_of
    from gpuplanner.files.tables.small_table import Row, RowError

    said = {name: value for name, _, value in (part.partition("=") for part in _PART.split(text))}
    if unknown := [name for name in said if name not in PLANNED_COLUMNS]:
        raise UsageError(
            f"--planned {text!r}: unknown {', '.join(unknown)}; write {', '.join(PLANNED_COLUMNS)}"
        )
    try:
        return work_of(Row(texts=said, timezone=timezone))
    except RowError as fault:
        raise UsageError(f"--planned {text!r}: {fault.what}; {fault.remedy}") from None


def parse_settings(texts: Sequence[str]) -> dict[str, AssumptionValue]:
    """NAME=VALUE assumptions, amounts in US dollars. Errors: UsageError: an unknown name, a value out of range.

    By --set name; of two of one name the last counts. reporting_currency is left out: it is no assumption.
    """
    answer = {}
    for text in texts:
        name, value = _pair(text, "--set")
        if name == REPORTING_CURRENCY:
            continue
        with as_usage_error(f"--set {name}"):
            answer[name] = parse_assumption(name, value)
    return answer


def parse_whole(text: str | None, option: str, most: int) -> int | None:
    """A whole number of 1 or more; None where the call says none. Errors: UsageError."""
    if text is None:
        return None
    if not text.isdecimal() or not 1 <= int(text) <= most:
        raise UsageError(f"{option} {text!r} is not a whole number; write 1 to {most:,}")
    return int(text)


def parse_rates(texts: Sequence[str]) -> dict[str, float]:
    """GPU=REQUESTS a second of one GPU; of two of one GPU model the last counts. Errors: UsageError.

    >>> parse_rates(["L4=1200"])
    {'L4': 1200.0}
    """
    try:
        return dict(places.rates_of(",".join(texts))) if texts else {}
    except errors.PlannerError as fault:
        raise UsageError(f"--rate {fault.where!r}: {fault.what}; {fault.remedy}") from None


def parse_prepaid(text: str | None) -> float | None:
    """US dollars that --max-prepaid says, 0 or more; None where it says nothing. Errors: UsageError.

    >>> parse_prepaid("250000"), parse_prepaid(None)
    (250000.0, None)
    """
    try:
        usd = None if text is None else float(text)
    except ValueError:
        usd = -1.0
    if usd is not None and not 0 <= usd < float("inf"):
        raise UsageError(f"--max-prepaid {text!r}: write an amount in US dollars, such as 250000")
    return usd


def parse_only(text: str) -> tuple[str, Only]:
    """KEY=provider:NAME, region:NAME or not:provider:NAME: the key, and who may serve it. Errors: UsageError.

    >>> key, who = parse_only("main/ml/chat=region:eu-north")
    >>> key, str(who)
    ('main/ml/chat', '[eu-north]')
    """
    for mark in WHO:
        key, equals, name = text.rpartition(f"={mark}")
        who = who_meant(mark + name) if equals and key else None
        if who is not None:
            return key, who
    known = ", ".join(f"KEY={mark}NAME" for mark in WHO)
    raise UsageError(f"--only {text!r}: write one of {known}; audit --json lists the keys")


def parse_share(text: str) -> tuple[Only, float | None]:
    """provider:NAME=40% or region:NAME=0.4: who, and the share, 0..1; none takes a limit back. Errors: UsageError.

    >>> who, share = parse_share("provider:CoreWeave=40%")
    >>> str(who), share
    ('CoreWeave', 0.4)
    """
    named, _, said = text.rpartition("=")
    who = who_meant(named)
    if who is None or not said.strip():
        raise UsageError(
            f"--share {text!r}: write provider:NAME=40%, region:NAME=0.4, or none in place of the share"
        )
    with as_usage_error(f"--share {text!r}"):
        share = read_share(said)
        return who, None if share is None else check_share(who, share)


_HOURS_OF: Final = {"": 1.0, "h": 1.0, "min": 1 / 60, "m": 1 / 60, "d": 24.0, "s": 1 / 3600}


def parse_target(text: str) -> Target:
    """POOL=HOURS or POOL=never, with a GPU model behind the pool where one is meant. Errors: UsageError.

    >>> parse_target("training=4h").p90_h, parse_target("burst/H100=30min").gpu_model
    (4.0, 'H100')
    """
    said, _, most = text.partition("=")
    pool, _, model = said.partition("/")
    is_of_all = most.strip().lower() == "never"
    found = lazy_re(r"(\d+(?:\.\d+)?)\s*([a-z]*)").fullmatch("0" if is_of_all else most.strip().lower())
    if pool.lower() not in set(Pool) or found is None or found[2] not in _HOURS_OF:
        raise UsageError(f"--target {text!r}: write training=4h, inference=never or burst/H100=30min")
    return Target(Pool(pool.lower()), float(found[1]) * _HOURS_OF[found[2]], model or None, is_of_all)


def parse_sizes(text: str) -> int:
    """Points of a frontier. Errors: UsageError."""
    if not text.isdecimal() or int(text) > SIZES_AT_MOST:
        raise UsageError(
            f"--sizes {text!r} is no whole number up to {SIZES_AT_MOST}; write 12, or 0 for none"
        )
    return int(text)
