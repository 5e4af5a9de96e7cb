"""Contracts: GPUs paid for over a term, used or not; their terms, rates, dates and order of use."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from math import inf
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.figures.use import CONTRACT_MONTH
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum, unexchanged
from gpuplanner.domain.model.book.extras import (
    ExtraAmounts,
    Extras,
    StatesExtras,
    counted_amount,
    extras_of,
    extras_sum,
    mean_extras,
    sla_hours,
    sla_usd,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S, Window, instant_s, months_on
from gpuplanner.lazy_dataclass import dataclass, fields, replace

# --- Wording of a term, in every medium: 1 month, 12 months, 45 days ------------------------------


def term_words(months: int, days: int | None = None) -> Message:
    """Return a term in words: 12 months, or 45 days. days: replaces the months unless None or 0.

    >>> str(term_words(1)), str(term_words(12, 0)), str(term_words(0, 45))
    ('1 month', '12 months', '45 days')
    """
    if days:
        return worded_count(days, "{days} day", "{days} days", days=whole(days))
    return worded_count(months, "{term} month", "{term} months", term=whole(months))


def term_adjective(months: int, days: int | None) -> Message:
    """Return a term as an adjective: 12-month, or 45-day if `days` is set.

    >>> str(term_adjective(12, None)), str(term_adjective(2, 45))
    ('12-month', '45-day')
    """
    return worded("{days}-day", days=whole(days)) if days else worded("{term}-month", term=whole(months))


def terms_words(terms: Iterable[tuple[int, int | None]]) -> Message:
    """Return different terms in one phrase, each once: 3 months or 90 days.

    terms: months and days of each, as for `term_words`. Errors: ValueError for an empty list.

    >>> str(terms_words([(3, 90), (3, 90)])), str(terms_words([(3, 90), (3, None)]))
    ('90 days', '3 months or 90 days')
    """
    different = {(0, days) if days else (months, 0) for months, days in terms}
    return joined(
        (term_words(*term) for term in sorted(different, key=lambda term: term[::-1])), worded(" or ")
    )


# --- A contract: GPUs paid for over a term, used or not ------------------------------------------

FAST_GBPS: Final = 400
"""Gb/s of a node; training on a slower network is as slow as on Ethernet."""


def network_of(interconnect: str | None, nic_gbps: float | None, rdma: bool | None) -> str | None:
    """Return the interconnect class of a network for training; stated speed and RDMA override the name.

    nic_gbps: Gb/s of a node. rdma: whether its ports have RDMA. None: not stated. Source:
    docs/formulas/hardware-fit.md.

    >>> network_of("infiniband", 200, None), network_of("ethernet", 3200, True), network_of("infiniband", 3200, None)
    ('ethernet', 'roce_400', 'infiniband')
    """
    is_native = interconnect in ("infiniband", "nvlink")
    if nic_gbps is not None and nic_gbps < FAST_GBPS:
        return "ethernet"
    is_less = rdma is False if is_native else nic_gbps is not None
    return "roce_400" if is_less else interconnect


RATE_FIELD: Final = "rate_usd_per_gpu_hour"
CONTRACT_TERMS: Final[Mapping[str, Text]] = {
    RATE_FIELD: worded("rate"),
    "milli_gpus": "GPUs",
    "start_s": worded("start"),
    "end_s": worded("end"),
    "notice_days": worded("notice"),
    "renews_months": worded("renewal"),
    "take_or_pay_percent": worded("take or pay"),
    "prepaid_usd": worded("prepaid"),
    "deposit_usd": worded("deposit"),
    "cancel_fee_usd": worded("cancellation fee"),
    "exchange_until_s": worded("last day to exchange it"),
    "sla_percent": worded("SLA"),
    "ramp": worded("GPUs by day"),
    "cluster": worded("cluster"),
}
"""Terms that the user may correct: fields of a contract with their labels, in the order of the editor."""
MORE_TERMS: Final = tuple(CONTRACT_TERMS)[5:]
"""Terms that most contracts do not state: numbers of 0 or more, percentages up to 100, a day, and texts."""

LARGEST_TERM: Final = 10**12
"""$, and seconds of a day."""
TEXT_TERMS: Final = ("ramp", "cluster")
Term = Decimal | float | int | str | None
"""Value of a term: exact for the rate and names in _usd, float for names in _percent, text for TEXT_TERMS, else int."""
UNDATED_S: Final = 0
"""Start of capacity without dates, as in a list of nodes: it exists since the start of the log."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contract(StatesExtras):
    """A contract in force or to come. Extras: `StatesExtras`, and staff in $ per GPU and month. None: not stated.

    milli_gpus: thousandths of a GPU (a commitment in GPU-hours need not be whole GPUs).
    rate_usd_per_gpu_hour: in `currency`; a missing rate means "quote needed", never free.
    start_s, end_s: epoch seconds UTC, end exclusive; an end of None: the contract has no end.
    egress_usd_per_gb: $ per GB.
    pool: the only pool that the contract serves; None: any.
    owner: the team responsible for idle GPUs.
    purchase_order: its number, where it differs from the id.
    grid_kg_co2_per_kwh: kg of CO2 per kWh at its site.
    nic_gbps, rdma: Gb/s of all ports of a node; whether they have RDMA (None: by interconnect).
    renews_months: length of a renewal without notice; None: not stated, 0: no renewal.
    bound_until_s: earliest possible end of a contract that renews, epoch seconds.
    prepaid_usd, deposit_usd: $ of the whole contract, paid at its start; the deposit is returned at its end.
    prepaid_until_s: end of the prepaid time, where the contract ends at another time than in its file.
    cancel_fee_usd: $ for an early end. exchange_until_s: last day to exchange its GPUs. Neither is used in figures.
    take_or_pay_percent: minimum of its GPU-hours paid each month, used or not; None: all.
    paid_share, used_share: paid and used share of its GPU-hours, 0..1 (`paid_for`; the used share only counts with
    take-or-pay). paid_shares: both shares in each plan month.
    ramp: GPUs from each day on, `DATE=GPUS;DATE=GPUS`. ramp_of: the whole contract of a part (`parts_of_ramp`);
    take-or-pay counts over all parts. currency: ISO code of the amounts. exchange: project currency per unit of it;
    None: no exchange rate, cost unknown. filed: terms from the file that the user replaced, as (field, text).
    notice_written: a notice that cannot be read as days, until the user states the days. commitment_usd_per_hour: a
    commitment in dollars (dollars.py), which counts as one unit at that rate. discount_percent: its discount on the
    on-demand rate by GPU model, `H100=40;H200=35`, `*` for all others. gpu_model_written, cluster_written: the spelling
    in the file, where it differs (spelling.py). slices: GPU ranges beyond contracts of a placed order, as in its
    plan; it serves its pool in all clusters, after their own contracts, until the user states its cluster or GPUs.
    """

    contract_id: str
    cluster: str
    gpu_model: str | None
    milli_gpus: int
    rate_usd_per_gpu_hour: Decimal | None
    start_s: int
    end_s: int | None = None
    provider: str | None = None
    pricing_category: PricingCategory | None = None
    term_months: int | None = None
    min_term_months: int | None = None
    notice_days: int | None = None
    region: str | None = None
    bare_metal: bool | None = None
    interconnect: str | None = None
    gpu_memory_gb: float | None = None
    egress_usd_per_gb: Decimal | None = None
    pool: Pool | None = None
    sla_percent: float | None = None
    owner: str | None = None
    renews_months: int | None = None
    grid_kg_co2_per_kwh: float | None = None
    nic_gbps: float | None = None
    rdma: bool | None = None
    staff_usd_per_gpu_month: Decimal | None = None
    prepaid_usd: Decimal | None = None
    prepaid_until_s: int | None = None
    deposit_usd: Decimal | None = None
    cancel_fee_usd: Decimal | None = None
    exchange_until_s: int | None = None
    take_or_pay_percent: float | None = None
    paid_share: float = 1.0
    used_share: float = 0.0
    paid_shares: tuple[tuple[float, float], ...] = ()
    ramp: str | None = None
    ramp_of: str | None = None
    gpu_model_written: str | None = None
    cluster_written: str | None = None
    currency: str = "USD"
    exchange: Decimal | None = Decimal(1)
    filed: tuple[tuple[str, str], ...] = ()
    country: str | None = None
    purchase_order: str | None = None
    bound_until_s: int | None = None
    notice_written: str | None = None
    commitment_usd_per_hour: Decimal | None = None
    discount_percent: str | None = None
    slices: tuple[tuple[float, float], ...] = ()

    def __post_init__(self) -> None:
        """Check the values.

        Errors: PlannerError bad_number for less than a thousandth of a GPU, end_before_start for an end at or before
        the start.
        """
        if self.milli_gpus < 1:
            problem = worded("gpus is {milli_gpus}", milli_gpus=significant(self.milli_gpus / 1000))
            raise PlannerError(self.contract_id, "bad_number", problem, worded("enter more than 0"))
        if self.end_s is not None and self.end_s <= self.start_s:
            problem = worded("it ends before it starts")
            raise PlannerError(self.contract_id, "end_before_start", problem, worded("correct the two dates"))

    @property
    def whole_id(self) -> str:
        """Id of the contract, or of the whole contract for a part of a ramp."""
        return self.ramp_of or self.contract_id

    @property
    def is_dollars(self) -> bool:
        """Whether it commits dollars per hour instead of GPUs."""
        return self.discount_percent is not None

    @property
    def usd_per_hour(self) -> float | None:
        """Committed $ per hour in the project's currency; None for a commitment of GPUs."""
        return counted_amount(self.commitment_usd_per_hour, self.exchange)

    @property
    def is_shared(self) -> bool:
        """Whether it serves all clusters, after their own contracts."""
        return self.is_dollars or bool(self.slices)

    @property
    def serves(self) -> bool:
        """Whether its GPUs can serve workloads; False for a commitment in dollars, which is served in parts."""
        return not self.is_dollars

    @property
    def network(self) -> str | None:
        """Interconnect class for training, see `network_of`."""
        return network_of(self.interconnect, self.nic_gbps, self.rdma)

    @property
    def gpus(self) -> float:
        """Number of GPUs."""
        return self.milli_gpus / 1000

    @property
    def rate(self) -> float | None:
        """Cost of a contracted GPU-hour, used or not: paid share of the bare rate, prepayment and extras.

        $ per GPU-hour; None if the rate or the prepayment is unknown.
        """
        bare, prepaid = self.bare_rate, self.prepaid_rate
        if prepaid is None or not (bare or prepaid):
            return None
        return (bare or 0.0) * self.paid_share + prepaid + extras_sum(self.extras)

    @property
    def full_rate(self) -> float | None:
        """Cost of a used GPU-hour, $: as `rate`, with the bare rate paid in full."""
        return None if self.rate is None else self.rate + (self.bare_rate or 0.0) * (1 - self.paid_share)

    @property
    def idle_share(self) -> float:
        """Paid share of the idle GPU-hours, 0..1; with take-or-pay, the minimum beyond the used hours."""
        unpaid = 1 - self.paid_share
        return 1 - unpaid / (1 - self.used_share) if unpaid and self.used_share < 1 else float(not unpaid)

    @property
    def idle_rate(self) -> float | None:
        """Cost of an idle GPU-hour, $. Law: used GPU-hours at `full_rate` plus idle GPU-hours at `idle_rate` equal all
        GPU-hours
        at `rate`.
        """
        more = (self.bare_rate or 0.0) * (self.idle_share - self.paid_share)
        return None if self.rate is None else self.rate + more

    @property
    def rates(self) -> dict[str, float | None]:
        """The three rates by name, see RATES."""
        return {key: getattr(self, key) for key in RATES}

    def paid_in(self, month: int) -> "Contract":
        """Return the contract with the paid and used shares of one plan month.

        month: from 0; later months than planned repeat the last. The contract itself where its use does not change the
        cost.
        """
        if not self.paid_shares:
            return self
        paid, used = self.paid_shares[min(month, len(self.paid_shares) - 1)]
        return replace(self, paid_share=paid, used_share=used, paid_shares=())

    @property
    def prepaid_s(self) -> int | None:
        """Seconds covered by the prepayment: start to end, otherwise the term; None without both."""
        until_s = self.end_s if self.prepaid_until_s is None else self.prepaid_until_s
        return (self.term_months or 0) * MONTH_S or None if until_s is None else until_s - self.start_s

    @property
    def prepaid_rate(self) -> float | None:
        """Prepayment per GPU-hour, $; 0 without one, None if its amount or its duration is unknown."""
        if self.prepaid_usd is None:
            return 0.0
        paid, span_s = self.prepaid, self.prepaid_s
        return None if paid is None or span_s is None else paid / (self.gpus * span_s / HOUR_S)

    @property
    def notice(self) -> int:
        """Days of notice; 0 if none is stated, or if the contract ends without notice."""
        return 0 if self.renews_months == 0 and self.end_s is not None else self.notice_days or 0

    @property
    def is_notice_unknown(self) -> bool:
        """Whether the notice is stated in words that give no days, so that no deadline is known."""
        ends_itself = self.renews_months == 0 and self.end_s is not None
        return (
            self.is_committed and bool(self.notice_written) and self.notice_days is None and not ends_itself
        )

    @property
    def may_renew(self) -> bool:
        """Whether it continues without a notice: a renewal is stated, or a notice without an end. Source:
        docs/formulas/policy.md, Whole decisions.
        """
        has_notice = self.end_s is None and self.notice_days is not None
        return self.is_committed and (has_notice or bool(self.renews_months))

    def renewed_s(self, end_s: int, times: int = 1) -> int:
        """Return the end after `times` renewals, epoch seconds.

        end_s: the first end. A renewal has `renews_months`, otherwise the term, otherwise a month, by the calendar: six
        months after 31 January is 31 July.
        """
        return months_on(end_s, times * (self.renews_months or self.term_months or 1))

    def renewed_until_s(self, end_s: int, until_s: int) -> int:
        """Return the end after as many renewals, at least one, as are needed to reach `until_s`; all epoch seconds."""
        ends = (self.renewed_s(end_s, times) for times in itertools.count(1))
        return next(ends_s for ends_s in ends if ends_s >= until_s)

    def ending(self, end_s: int | None) -> "Contract":
        """Return the contract with another end, epoch seconds; the prepayment still covers the same time."""
        if self.prepaid_usd is None or self.prepaid_until_s is not None:
            return replace(self, end_s=end_s)
        span_s = self.prepaid_s
        return replace(self, end_s=end_s, prepaid_until_s=None if span_s is None else self.start_s + span_s)

    @property
    def owed_rate(self) -> float | None:
        """Cost of a contracted GPU-hour that is due even if unused, $; without the prepayment."""
        percent = self.take_or_pay_percent
        return (
            None
            if self.rate is None
            else (self.bare_rate or 0.0) * (100 if percent is None else percent) / 100
        )

    @property
    def prepaid(self) -> float | None:
        """Prepayment in the project's currency, $; None if not stated."""
        return counted_amount(self.prepaid_usd, self.exchange)

    @property
    def deposit(self) -> float | None:
        """Deposit in the project's currency, $, returned at the end; None if not stated."""
        return counted_amount(self.deposit_usd, self.exchange)

    @property
    def cancel_fee(self) -> float | None:
        """Cancellation fee in the project's currency, $; None if not stated."""
        return counted_amount(self.cancel_fee_usd, self.exchange)

    def cash_on_days(self, from_s: int, to_s: int) -> float:
        """Return the payments on single days of a period, $: prepayment and deposit, less the returned deposit.

        from_s, to_s: epoch seconds, the second exclusive. Source: docs/formulas/cash.md.
        """
        deposit = self.deposit or 0.0
        begins = from_s <= self.start_s < to_s
        ends = self.end_s is not None and from_s <= self.end_s < to_s
        return self.prepaid_between(from_s, to_s) + deposit * (begins - ends)

    def prepaid_between(self, from_s: int, to_s: int) -> float:
        """Return the prepayments due in a period, $: at the start, and at the start of each renewal.

        from_s, to_s: epoch seconds, the second exclusive. Law: a renewal of the same length as the first term, by the
        calendar, is paid whole; other and shortened renewals by their length.
        """
        paid, span_s = self.prepaid or 0.0, self.prepaid_s
        usd = paid * (from_s <= self.start_s < to_s)
        if not paid or span_s is None:
            return usd
        term, ends_s = self.term_months or 0, self.start_s + span_s
        if is_open := span_s == term * MONTH_S:  # without an end, the term is counted in calendar months
            ends_s = months_on(self.start_s, term)
        stops_s, is_alike = self.end_s or inf, self.renewed_s(self.start_s) == ends_s
        begins = (self.start_s, 1) if is_open and is_alike else (ends_s, 0)  # from the 31st to the next 31st
        renewals = itertools.pairwise(self.renewed_s(begins[0], at) for at in itertools.count(begins[1]))
        for at_s, until_s in itertools.takewhile(lambda span: span[0] < min(stops_s, to_s), renewals):
            if at_s >= from_s:
                usd += paid * (min(until_s, stops_s) - at_s) / (until_s - at_s if is_alike else span_s)
        return usd

    @property
    def part_name(self) -> Text:
        """Its name in a sum, which selects the remedy for an unknown rate."""
        waits = self.exchange is None and bool(self.quoted_rate)
        return unexchanged(self.contract_id) if waits else self.contract_id

    @property
    def sla_hours_per_month(self) -> float | None:
        """Hours of downtime per month that its SLA allows; None without one."""
        return sla_hours(self.sla_percent)

    @property
    def sla_usd_per_month(self) -> float | None:
        """Cost of its GPUs during that downtime, $ per month; None without an SLA or a rate."""
        return sla_usd(self.sla_percent, self.gpus, self.bare_rate)

    @property
    def bare_rate(self) -> float | None:
        """The quoted rate in the project's currency, $ per GPU-hour.

        None if rate or exchange rate is unknown, or the rate is zero, which means that a quote is needed.
        """
        return counted_amount(self.quoted_rate, self.exchange)

    @property
    def extras(self) -> Extras:
        """Extras in addition to rate and prepayment, $ per GPU-hour by name; empty without both."""
        paid = (self.bare_rate or 0.0) + (self.prepaid_rate or 0.0)
        return extras_of(self, paid) if paid else {}

    @property
    def quoted_rate(self) -> Decimal | None:
        """$ per GPU-hour in its own currency; None if not stated or zero."""
        return self.rate_usd_per_gpu_hour or None

    @property
    def is_rate_stated(self) -> bool:
        """Whether the user stated the rate."""
        return bool(self.rate_usd_per_gpu_hour) and RATE_FIELD in dict(self.filed)

    @property
    def cost_per_month(self) -> float | None:
        """Cost per month of 730 h, used or not, in the project's currency; None without a rate."""
        return self.cost_of(HOURS_PER_MONTH)

    def cost_of(self, hours: float) -> float | None:
        """Return the cost of `hours` hours, $; None without a rate. Source: figures/use.py."""
        inputs = self.figure_inputs | {"month_hours": hours}
        return None if inputs["rate"] is None else float(CONTRACT_MONTH.value("cost_per_month", inputs))

    @property
    def figure_inputs(self) -> dict[str, float | None]:
        """Inputs of its monthly figures, by the keys of CONTRACT_MONTH."""
        return {"gpus": self.gpus, "month_hours": HOURS_PER_MONTH, "rate": self.rate}

    def overlaps(self, start_s: int, end_s: int) -> bool:
        """Return whether the contract runs at some time between two instants.

        start_s, end_s: epoch seconds, the second exclusive. A contract without an end never stops.
        """
        return self.start_s < end_s and (self.end_s is None or self.end_s > start_s)

    @property
    def is_committed(self) -> bool:
        """Whether it is paid whether used or not: COMMITTED, OWNED or without a category. On-demand rows are planned
        again.
        """
        return self.pricing_category is None or self.pricing_category.is_commitment

    @property
    def binding_hours(self) -> float:
        """Hours of the commitment: its term, otherwise start to end, otherwise infinity; 0 for on demand."""
        if not self.is_committed:
            return 0.0
        if self.term_months:
            return float(self.term_months * HOURS_PER_MONTH)
        return float("inf") if self.end_s is None else (self.end_s - self.start_s) / HOUR_S


def term_text(value: Term) -> str:
    """Return a term as text for `Contract.filed`; "" for None. Equal amounts give equal texts.

    >>> term_text(Decimal("2.50")), term_text(64_000), term_text(None)
    ('2.5', '64000', '')
    """
    if value is None:
        return ""
    return f"{value.normalize():f}" if isinstance(value, Decimal) else f"{value}"


def filed_term(contract: Contract, name: str) -> Term:
    """Return the value of a term in the file. name: in CONTRACT_TERMS."""
    text = dict(contract.filed).get(name)
    if text is None:
        value: Term = getattr(contract, name)
        return value
    if not text or name in TEXT_TERMS:
        return text if name == "cluster" else text or None
    if is_money(name):
        return Decimal(text)
    return float(text) if name.endswith("_percent") else int(text)


def is_money(name: str) -> bool:
    """Return whether a term is an amount of money."""
    return name == RATE_FIELD or name.endswith("_usd")


def with_terms(contract: Contract, terms: Mapping[str, Term]) -> Contract:
    """Return a contract with terms that the user states; the terms of the file are kept in `filed`.

    terms: by field. Law: stating the terms of the file restores the contract of the file. Errors: PlannerError as for a
    contract.
    """
    # the user's cluster name replaces that of the file
    if "cluster" in terms and contract.cluster_written is not None:
        contract = replace(contract, cluster=contract.cluster_written, cluster_written=None)
    if {"cluster", "milli_gpus"} & terms.keys():
        contract = replace(contract, slices=())
    written = {**{name: term_text(getattr(contract, name)) for name in terms}, **dict(contract.filed)}
    after = replace(contract, **terms)  # type: ignore[arg-type]
    filed = ((name, written[name]) for name in CONTRACT_TERMS if name in written)
    changed = tuple((name, text) for name, text in filed if term_text(getattr(after, name)) != text)
    return replace(after, filed=changed)


def with_known_terms(fresh: Contract, before: Contract | None) -> Contract:
    """Return a contract from a new file with the user's terms, as long as the file repeats the terms they replaced."""
    if before is None or fresh.filed:
        return fresh
    known = {
        name: getattr(before, name) for name, text in before.filed if term_text(getattr(fresh, name)) == text
    }
    return with_terms(fresh, known) if known else fresh


RATES: Final = ("rate", "full_rate", "idle_rate")
"""Fields for the cost of a contracted, a used and an idle GPU-hour; also keys of CONTRACT."""
OF_A_RAMP: Final = ("milli_gpus", "start_s", "ramp")
"""Terms of a part that follow from its ramp."""
PAID_ONCE: Final = ("prepaid_usd", "deposit_usd", "cancel_fee_usd")


def last_of_ramp(ramp: Term) -> str:
    """Return the GPUs of the last step of a ramp, as text.

    >>> last_of_ramp("2026-11-01=8; 2027-02-01= 16")
    '16'
    """
    return f"{ramp}".rpartition("=")[2].strip()


def parts_of_ramp(contract: Contract) -> tuple[Contract, ...]:
    """Return one contract for each step of a ramp; the contract alone without a ramp.

    One-time payments belong to the first part. Errors: PlannerError bad_number or bad_time for a ramp that does not
    ascend to the contract's GPUs before its end.
    """
    parts: list[Contract] = []
    held, name, whole = 0, contract.contract_id, contract.milli_gpus
    is_typed = "ramp" in dict(contract.filed)
    if contract.ramp and not is_typed:  # the file's ramp, and so the GPUs and days of its parts
        contract = replace(contract, filed=tuple(term for term in contract.filed if term[0] not in OF_A_RAMP))

    def wrong(code: str) -> PlannerError:
        problem = worded("ramp is {text}", text=f"{contract.ramp!r:.60}")
        remedy = worded("write 2026-09-01=16;2026-12-01=48, ending with its GPUs, before its end")
        return PlannerError(name, code, problem, remedy)

    for step in contract.ramp.split(";") if contract.ramp else ():
        day, _, count = map(str.strip, step.partition("="))
        try:
            start_s, more = instant_s(day), round(float(count) * 1000) - held
        except (ValueError, OverflowError) as error:
            raise wrong("bad_time") from error
        if contract.end_s is not None and start_s >= contract.end_s:
            raise wrong("bad_time")
        if more <= 0 or (parts and start_s <= parts[-1].start_s):
            raise wrong("bad_number")
        terms: dict[str, Any] = {"milli_gpus": more, "start_s": start_s}
        part = with_terms(contract, terms) if is_typed else replace(contract, **terms)
        if parts:
            terms = {"contract_id": f"{name} from {day}", **dict.fromkeys(PAID_ONCE)}
            terms["filed"] = tuple(term for term in part.filed if term[0] not in PAID_ONCE)
            part = replace(part, **terms)
        parts.append(replace(part, ramp_of=name))
        held += more
    if parts and held != whole:
        raise wrong("bad_number")
    return tuple(parts) or (replace(contract, ramp_of=None),)


def since_log(contracts: Iterable[Contract], start_s: int, clusters: Iterable[str]) -> tuple[Contract, ...]:
    """Return contracts with start dates and clusters: those without dates start with the log.

    start_s: of the window, epoch seconds. clusters: of its workloads; the only one replaces an empty cluster.
    """
    names = set(clusters)
    only = names.pop() if len(names) == 1 else ""
    return tuple(
        replace(row, start_s=start_s, cluster=row.cluster or only) if row.start_s == UNDATED_S else row
        for row in contracts
    )


def paid_for(
    contracts: Sequence[Contract], held: npt.NDArray[Any], used: npt.NDArray[Any]
) -> npt.NDArray[np.float64]:
    """Return the GPU time that contracts pay for by month; all arrays have the shape (contracts, months) and one unit.

    held: contracted GPU time. used: used GPU time. A take-or-pay contract pays its used time or its minimum, whichever
    is larger. The parts of a ramp share one minimum: each pays for its used time, and all pay the same share of their
    idle time. Source: docs/formulas/contracts.md.
    """
    paid = held.astype(np.float64)
    parts: dict[str, list[int]] = {}
    for place, contract in enumerate(contracts):
        if contract.take_or_pay_percent is not None:
            parts.setdefault(contract.whole_id, []).append(place)
    for places in parts.values():
        least = (contracts[places[0]].take_or_pay_percent or 0.0) / 100
        idle = paid[places] - used[places]
        of_all, all_idle = paid[places].sum(axis=0), idle.sum(axis=0)
        beyond = np.maximum(of_all * least - (of_all - all_idle), 0.0)
        paid[places] = used[places] + idle * np.divide(
            beyond, all_idle, out=np.zeros(len(beyond)), where=all_idle > 0
        )
    return paid


def paid_and_used(contract: Contract, paid: float, used: float, held: float) -> tuple[float, float]:
    """Return the paid and the used share of a contract's GPU time; without GPU time it pays its minimum.

    paid, used, held: GPU time in one unit.
    """
    if not held:
        percent = contract.take_or_pay_percent
        return (1.0 if percent is None else percent / 100), 0.0
    return float(paid / held), float(used / held)


# --- Contracts over time: which run in a month, for how long, and in which order they serve -------


def month_start_s(window: Window, month: int) -> int:
    """Return the start of plan month t, epoch seconds: the window's end + 730 t h.

    Plan months have 730 h each and ignore the calendar; month 0 starts at the end of the window.
    """
    return window.end_s + month * MONTH_S


def runs_at(contract: Contract, at_s: int) -> bool:
    """Return whether a contract runs at an instant, epoch seconds; its end is exclusive."""
    return contract.start_s <= at_s and (contract.end_s is None or contract.end_s > at_s)


def in_force(contracts: Iterable[Contract], at_s: int) -> list[Contract]:
    """Return the contracts that run at an instant, epoch seconds, in the given order."""
    return [contract for contract in contracts if runs_at(contract, at_s)]


def renamed(contract: Contract, contract_id: str) -> Contract:
    """Return the contract under another id; faster than `replace`, for lists with many rows that are alike."""
    other = object.__new__(Contract)
    for name in _FIELD_NAMES:
        object.__setattr__(other, name, getattr(contract, name))
    object.__setattr__(other, "contract_id", contract_id)
    return other


_FIELD_NAMES: Final = tuple(field.name for field in fields(Contract))


def line_of(contract: Contract, at_s: int | None) -> tuple[object, ...]:
    """Return a key that two lines of one contract, `A1` and `A1 (2)`, share if one starts when the other ends, at_s."""
    name = re.sub(r" \(\d+\)$", "", contract.contract_id)
    return name, contract.cluster, contract.gpu_model, contract.is_committed, at_s


def continued(contracts: Sequence[Contract]) -> dict[str, Contract]:
    """Return the next line of a contract whose lines follow each other, by the contract_id of the line before."""
    begins = {line_of(contract, contract.start_s): contract for contract in contracts}
    return {row.contract_id: begins[at] for row in contracts if (at := line_of(row, row.end_s)) in begins}


def hours_in(contract: Contract, from_s: int, to_s: int) -> float:
    """Return the hours of a period in which a contract runs. from_s, to_s: epoch seconds, the second exclusive."""
    ends_s = to_s if contract.end_s is None else min(contract.end_s, to_s)
    return max(0, ends_s - max(contract.start_s, from_s)) / HOUR_S


def usd_by_hour(contract: Contract, from_s: int, to_s: int) -> float | None:
    """Return the cost of a contract in a period without its prepayment, $; None without a rate. from_s, to_s: epoch
    seconds.
    """
    if contract.rate is None:
        return None
    return contract.gpus * (contract.rate - (contract.prepaid_rate or 0.0)) * hours_in(contract, from_s, to_s)


def in_month(contracts: Iterable[Contract], window: Window, month: int) -> tuple[Contract, ...]:
    """Return the contracts that run in a plan month, in the given order, with the shares paid that month."""
    from_s = month_start_s(window, month)
    return tuple(row.paid_in(month) for row in contracts if row.overlaps(from_s, from_s + MONTH_S))


def usd_in_month(contracts: Iterable[Contract], window: Window, month: int) -> float | None:
    """Return the cost of contracts in a plan month, $, used or not, by their hours; None if one has no rate."""
    from_s = month_start_s(window, month)
    return known_sum(
        row.cost_of(hours_in(row, from_s, from_s + MONTH_S)) for row in in_month(contracts, window, month)
    )


def only_cluster_of(contracts: Iterable[Contract], gpu_model: str) -> str:
    """Return the only cluster with contracts of a GPU model, whose idle GPUs serve work planned on that model.

    "" for several clusters or none.
    """
    clusters = {contract.cluster for contract in contracts if contract.gpu_model == gpu_model}
    return clusters.pop() if len(clusters) == 1 else ""


def mean_gpus(contract: Contract, window: Window) -> float:
    """Return the mean number of a contract's GPUs over a window."""
    return contract.gpus * (hours_in(contract, window.start_s, window.end_s) / window.hours)


def gpus_in_month(contracts: Iterable[Contract], window: Window, month: int) -> float:
    """Return the mean number of contracted GPUs over a plan month."""
    from_s = month_start_s(window, month)
    return sum(row.gpus * hours_in(row, from_s, from_s + MONTH_S) for row in contracts) / HOURS_PER_MONTH


def merit(contract: Contract) -> tuple[bool, float, str]:
    """Return the sort key of the merit order: committed first, then lower full rate (unknown last), then contract_id.

    Source: docs/formulas/contracts.md.
    """
    return (not contract.is_committed, contract.full_rate or inf, contract.contract_id)


def turn_words(contract: Contract, before: Iterable[Contract], after: Iterable[Contract]) -> Text:
    """Return a warning that an edit changes the order in which contracts of this model and cluster serve; "" if it does
    not.

    before, after: all contracts before and after the edit.
    """

    def served(contracts: Iterable[Contract]) -> list[str]:
        of = (contract.cluster, contract.gpu_model)
        peers = [contract for contract in contracts if (contract.cluster, contract.gpu_model) == of]
        return [peer.contract_id for peer in sorted(peers, key=merit)]

    if served(before) == served(after):
        return ""
    return worded(
        "This rate changes the serving order of {model} contracts on {cluster}, and so their use and figures",
        model=contract.gpu_model or worded("unknown model"),
        cluster=contract.cluster,
    )


def mean_rate(rates: Sequence[float | None], weights: Sequence[float]) -> float | None:
    """Return the mean rate weighted by GPU-hours, $ per GPU-hour; None if a rate is unknown or all weights are 0.

    rates, weights: one per contract.
    """
    known = [rate for rate in rates if rate is not None]
    if len(known) < len(rates) or not any(weights):
        return None
    if min(known) == max(known):
        return known[0]  # not through a mean, so that the last digit is exact
    return sum(rate * weight for rate, weight in zip(known, weights, strict=True)) / sum(weights)


class MeanRates(NamedTuple):
    """Mean cost of a used and of an idle GPU-hour, $; None where a rate is unknown."""

    used: float | None
    idle: float | None


def mean_rates_in_month(contracts: Iterable[Contract], window: Window, month: int) -> MeanRates:
    """Return the mean cost in a plan month of a used and of an idle GPU-hour, $, weighted by hours.

    Both equal the mean rate unless a take-or-pay contract is not paid in full. Law: used GPU-hours at the first plus
    idle GPU-hours at the second equal the cost. Source: docs/formulas/contracts.md.
    """
    from_s, running = month_start_s(window, month), in_month(contracts, window, month)
    held = [contract.gpus * hours_in(contract, from_s, from_s + MONTH_S) for contract in running]
    if all(contract.paid_share == 1 for contract in running):
        rate = mean_rate([contract.rate for contract in running], held)
        return MeanRates(used=rate, idle=rate)
    used = [amount * contract.used_share for contract, amount in zip(running, held, strict=True)]
    idle = [whole - part for whole, part in zip(held, used, strict=True)]
    serving = mean_rate([contract.full_rate for contract in running], used if any(used) else held)
    unused = mean_rate([contract.idle_rate for contract in running], idle if any(idle) else held)
    return MeanRates(used=serving, idle=unused)


def mean_extras_in_month(contracts: Iterable[Contract], window: Window, month: int) -> ExtraAmounts:
    """Return the extras in that mean rate, $ per GPU-hour by name."""
    from_s = month_start_s(window, month)
    return mean_extras(
        (contract.extras, contract.gpus * hours_in(contract, from_s, from_s + MONTH_S))
        for contract in in_month(contracts, window, month)
    )
