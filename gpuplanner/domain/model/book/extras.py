"""Extras: what a GPU-hour costs beside its rate, of an offer or a contract, and the rate that counts with them."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final, Protocol, TypeVar

from gpuplanner.domain.figures.order import ORDER, OWNED
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, replace

EXTRA_TITLES: Final[Mapping[str, Text]] = {
    "egress": worded("Egress"),
    "storage": worded("Storage"),
    "network": worded("Network"),
    "support": worded("Support"),
    "setup": ORDER["setup_per_gpu"].title,
    "staff": OWNED["staff_per_month"].title,
}
"""Every extra -> what it is called; in the order in which they are named."""

EXTRA_MONEY: Final = (
    "egress_usd_per_gb",
    "storage_usd_per_gpu_month",
    "network_usd_per_gpu_month",
    "setup_usd",
    "staff_usd_per_gpu_month",
)
"""Fields that hold an amount of money; support is a share of what they are beside."""

Extras = Mapping[str, float | None]
"""$ per GPU-hour by the keys of EXTRA_TITLES, of those that are stated; None where one has no price."""


def counted_amount(quoted: Decimal | None, exchange: Decimal | None) -> float | None:
    """A quoted amount in the money of the project; None where it or its rate of exchange is unknown, never 0.

    Units: those of the quoted amount; exchange is units of the project's money of one unit of it.

    >>> counted_amount(Decimal("2.50"), Decimal("1.08")), counted_amount(Decimal(2), None)
    (2.7, None)
    """
    if quoted is None or exchange is None:
        return None
    return float(quoted if exchange == 1 else quoted * exchange)


@dataclass(frozen=True, slots=True, kw_only=True)
class StatesExtras:
    """What offers and contracts state beside a rate. Units: $ per GPU and month of 730 h; support_percent of the rate
    and of what is paid upfront. sent_gb: GB that each GPU-hour sends out, as assumed; None: nobody said."""

    storage_usd_per_gpu_month: Decimal | None = None
    network_usd_per_gpu_month: Decimal | None = None
    support_percent: float | None = None
    sent_gb: float | None = None


class _Row(Protocol):
    """An offer or a contract."""

    @property
    def storage_usd_per_gpu_month(self) -> Decimal | None: ...
    @property
    def network_usd_per_gpu_month(self) -> Decimal | None: ...
    @property
    def staff_usd_per_gpu_month(self) -> Decimal | None: ...
    @property
    def egress_usd_per_gb(self) -> Decimal | None: ...
    @property
    def support_percent(self) -> float | None: ...
    @property
    def sent_gb(self) -> float | None: ...
    @property
    def exchange(self) -> Decimal | None: ...


def extras_of(row: _Row, rate: float, setup_usd: Decimal | None = None, term_hours: float = 0.0) -> Extras:
    """What a row states beside its rate, by the GPU-hour.

    rate: what support is a share of, $ per GPU-hour with what is paid upfront. setup_usd: $ a GPU, once, over the hours
    of the term; without a term it is left out. Source: docs/formulas/prices.md, Price book.
    """
    amounts: dict[str, float | None] = {}
    if row.sent_gb:
        price = counted_amount(row.egress_usd_per_gb, row.exchange)
        amounts["egress"] = None if price is None else price * row.sent_gb
    for name, quoted, hours in (
        ("storage", row.storage_usd_per_gpu_month, float(HOURS_PER_MONTH)),
        ("network", row.network_usd_per_gpu_month, float(HOURS_PER_MONTH)),
        ("setup", setup_usd, term_hours),
        ("staff", row.staff_usd_per_gpu_month, float(HOURS_PER_MONTH)),
    ):
        if quoted is not None and hours:
            amount = counted_amount(quoted, row.exchange)
            amounts[name] = None if amount is None else amount / hours
    if row.support_percent:
        amounts["support"] = row.support_percent / 100 * rate
    return amounts


def extras_sum(extras: Extras) -> float:
    """$ per GPU-hour of those whose price is known."""
    return sum(amount or 0.0 for amount in extras.values())


ExtraAmounts = tuple[tuple[str, float | None], ...]
"""Extras of several rows together, in the order of EXTRA_TITLES."""


def extras_in_all(parts: Iterable[tuple[Extras, float]]) -> ExtraAmounts:
    """Each extra of several rows, $: amounts per GPU-hour times GPU-hours; None where one has no price.

    >>> extras_in_all([({"egress": 0.25, "support": 0.3}, 10), ({"support": None}, 2), ({"setup": 1.0}, 0)])
    (('egress', 2.5), ('support', None))
    """
    amounts: dict[str, float | None] = {}
    for extras, gpu_hours in parts:
        for name, usd in extras.items() if gpu_hours else ():
            before = amounts.get(name, 0.0)
            amounts[name] = None if usd is None or before is None else before + usd * gpu_hours
    return tuple((name, amounts[name]) for name in EXTRA_TITLES if name in amounts)


def extras_over(parts: Iterable[tuple[Extras, float]], gpu_hours: float) -> ExtraAmounts:
    """The same by the GPU-hour of so many; nothing where there are none."""
    return tuple(
        (name, None if usd is None else usd / gpu_hours)
        for name, usd in extras_in_all(parts)
        if gpu_hours > 0
    )


def mean_extras(parts: Iterable[tuple[Extras, float]]) -> ExtraAmounts:
    """The same by the GPU-hour of all of them."""
    kept = list(parts)
    return extras_over(kept, sum(gpu_hours for _, gpu_hours in kept))


_Sending = TypeVar("_Sending", bound=StatesExtras)


def sending(rows: tuple[_Sending, ...], sent_gb: float | None) -> tuple[_Sending, ...]:
    """Offers or contracts whose GPU-hours send out so many GB; law: the very same tuple where nothing changes."""
    if all(row.sent_gb == sent_gb for row in rows):
        return rows
    return tuple(replace(row, sent_gb=sent_gb) for row in rows)


def at_share(row: Any, share: Decimal) -> dict[str, Any]:
    """The amounts of a row's extras over a share, as `replace` takes them: for the work of another GPU model."""
    stated = {name: getattr(row, name) for name in EXTRA_MONEY}
    return {name: amount / share for name, amount in stated.items() if amount is not None}


def without_price(row: _Row) -> bool:
    """Whether egress counts and a row states no price of it."""
    return bool(row.sent_gb) and row.egress_usd_per_gb is None


def sla_hours(percent: float | None) -> float | None:
    """Return the hours of downtime per month that an SLA allows; None without an SLA. percent: 0..100.

    >>> sla_hours(99.9), sla_hours(None)
    (0.73, None)
    """
    return None if percent is None else round((100 - percent) * HOURS_PER_MONTH, 9) / 100


def sla_usd(percent: float | None, gpus: float, rate: float | None) -> float | None:
    """Return the cost of GPUs during the downtime that an SLA allows, $ per month; None without SLA or rate.

    percent: of the SLA, 0..100. rate: $ per GPU-hour.
    """
    hours = sla_hours(percent)
    return None if hours is None or rate is None else gpus * rate * hours
