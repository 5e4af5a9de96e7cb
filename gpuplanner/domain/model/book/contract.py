"""A contract: GPUs paid for over a term, used or not; which run when, and what a term is called."""

import itertools
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from math import inf
from typing import Any, Final

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
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import (
    DAY_S,
    HOUR_S,
    HOURS_PER_MONTH,
    MONTH_S,
    Window,
    instant_s,
    months_on,
)
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What a term is called, in every medium: 1 month, 12 months, 45 days -------------------------


def term_words(months: int, days: int | None = None) -> Message:
    """12 months; 45 days where a term is of days.

    >>> str(term_words(1)), str(term_words(12, 0)), str(term_words(0, 45))
    ('1 month', '12 months', '45 days')
    """
    if days:
        return worded_count(days, "{days} day", "{days} days", days=whole(days))
    return worded_count(months, "{term} month", "{term} months", term=whole(months))


def term_adjective(months: int, days: int | None) -> Message:
    """A term before its noun: 12-month; 45-day where it is of days.

    >>> str(term_adjective(12, None)), str(term_adjective(2, 45))
    ('12-month', '45-day')
    """
    return worded("{days}-day", days=whole(days)) if days else worded("{term}-month", term=whole(months))


def terms_words(terms: Iterable[tuple[int, int | None]]) -> Message:
    """Terms that stand in one row, each said once: 3 months or 90 days.

    terms: months and days of each, as `term_words` takes them. Errors: ValueError without one.

    >>> str(terms_words([(3, 90), (3, 90)])), str(terms_words([(3, 90), (3, None)]))
    ('90 days', '3 months or 90 days')
    """
    different = {(0, days) if days else (months, 0) for months, days in terms}
    return joined(
        (term_words(*term) for term in sorted(different, key=lambda term: term[::-1])), worded(" or ")
    )


# --- A contract: GPUs paid for over a term, used or not ------------------------------------------

FAST_GBPS: Final = 400
"""Of a node: less trains like Ethernet."""


def network_of(interconnect: str | None, nic_gbps: float | None, rdma: bool | None) -> str | None:
    """The interconnect that a network trains like: Gb/s of a node and RDMA, where they are stated, before its word.

    Source: docs/formulas/hardware-fit.md.

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
"""What a planner may know better than the file: fields of a contract with their words, as its editor lists them."""
MORE_TERMS: Final = tuple(CONTRACT_TERMS)[5:]
"""Those that most contracts do not state: numbers of 0 or more, percentages up to 100, a day, and texts."""

IN_DOLLARS: Final = "$/h "
"""Before the GPU models of a commitment in dollars: it is no GPU of them."""

TEXT_TERMS: Final = ("ramp", "cluster")
Term = Decimal | float | int | str | None
"""What one of them is; what ends in _usd and the rate are exact, what ends in _percent is a float, a ramp is a text."""
UNDATED_S: Final = 0
"""The start of capacity whose dates nobody tells, as of a list of nodes: since the log begins."""


def sla_hours(percent: float | None) -> float | None:
    """Hours of a month that an SLA leaves open; None without one.

    >>> sla_hours(99.9), sla_hours(None)
    (0.73, None)
    """
    return None if percent is None else round((100 - percent) * HOURS_PER_MONTH, 9) / 100


def sla_usd(percent: float | None, gpus: float, rate: float | None) -> float | None:
    """$ of GPUs, at a rate per GPU-hour, in the hours of a month that an SLA leaves open; None where one is unknown."""
    hours = sla_hours(percent)
    return None if hours is None or rate is None else gpus * rate * hours


@dataclass(frozen=True, slots=True)
class Contract(StatesExtras):
    """What exists today. Extras: `StatesExtras`, beside them staff in $ per GPU and month.

    Units: milli_gpus thousandths of a GPU (a commitment in GPU-hours need not be whole GPUs); start_s and
    end_s epoch seconds UTC, end exclusive; egress in $ per GB. None means that the file did not say; a
    missing rate is "quote needed", never free. `pool` pins the contract: it then serves that pool only.
    grid_kg_co2_per_kwh: kg of CO2 of a kWh where it runs. owner: the team that answers for what nobody uses of it.
    purchase_order: its number where it stands beside an id.
    nic_gbps, rdma: Gb/s of all ports of a node; whether they have RDMA (None: by interconnect).
    renews_months: by how many it renews where no notice is given; None: it is not stated, 0: it does not.
    bound_until_s: of one that runs on by renewing, how long it binds at least. prepaid_usd, deposit_usd: $ of
    the whole contract, paid at its start; the second comes back at its end; prepaid_until_s: how far the first goes
    where it ends at another time than its file says. cancel_fee_usd: $ that end it early;
    exchange_until_s: until when its GPUs may be changed for others; both count in no figure. take_or_pay_percent: of
    its GPU-hours the share that a month pays even unused, None: all; paid_share, used_share: what is paid of them, and
    what is used, 0 to 1 (`paid_for`; where all is paid the second is no matter); paid_shares: both in each month of a
    plan.
    ramp: its GPUs from each day on, `DATE=GPUS;DATE=GPUS`; ramp_of: of a part of one (`parts_of_ramp`) the contract
    that it is of: what is take-or-pay counts over all its parts.
    currency: what its amounts are quoted in (ISO code);
    exchange: units of the money of the project of one unit of it, None where its rate is not stated: what is paid is
    unknown then. filed: what its file said of the terms that the planner changed since, by field and as text.
    notice_written: the words of a notice that nobody can read as days, until the planner states them.
    commitment_usd_per_hour: of a commitment in dollars (dollars.py), which counts as one unit at that rate;
    discount_percent: off the on-demand rate by GPU model, `H100=40;H200=35`, `*` for all others.
    gpu_model_written, cluster_written: as its file wrote them, where that is something else (spelling.py).
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

    def __post_init__(self) -> None:
        """Errors: PlannerError bad_number under a thousandth of a GPU, end_before_start where it ends before
        it begins.
        """
        if self.milli_gpus < 1:
            problem = worded("gpus is {milli_gpus}", milli_gpus=significant(self.milli_gpus / 1000))
            raise PlannerError(self.contract_id, "bad_number", problem, worded("enter more than 0"))
        if self.end_s is not None and self.end_s <= self.start_s:
            problem = worded("it ends before it starts")
            raise PlannerError(self.contract_id, "end_before_start", problem, worded("correct the two dates"))

    @property
    def whole_id(self) -> str:
        """The contract that it is, or is a part of."""
        return self.ramp_of or self.contract_id

    @property
    def is_dollars(self) -> bool:
        """Whether it commits dollars per hour, not GPUs."""
        return self.discount_percent is not None

    @property
    def usd_per_hour(self) -> float | None:
        """$ of an hour that it commits, x exchange; None where it commits GPUs."""
        return counted_amount(self.commitment_usd_per_hour, self.exchange)

    @property
    def serves(self) -> bool:
        """Whether its GPUs may serve somebody; dollars do so in parts."""
        return not self.is_dollars

    @property
    def network(self) -> str | None:
        """As `network_of` has it."""
        return network_of(self.interconnect, self.nic_gbps, self.rdma)

    @property
    def gpus(self) -> float:
        """GPUs, in units."""
        return self.milli_gpus / 1000

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour that it holds: the bare rate of what is paid, what is prepaid, and the extras. None where
        nobody knows what is paid.
        """
        bare, prepaid = self.bare_rate, self.prepaid_rate
        if prepaid is None or not (bare or prepaid):
            return None
        return (bare or 0.0) * self.paid_share + prepaid + extras_sum(self.extras)

    @property
    def full_rate(self) -> float | None:
        """The same of a GPU-hour that is used: all of it is paid."""
        return None if self.rate is None else self.rate + (self.bare_rate or 0.0) * (1 - self.paid_share)

    @property
    def idle_share(self) -> float:
        """Of its idle GPU-hours the share that is paid, 0 to 1: of take-or-pay what the minimum pays beyond what is
        used."""
        unpaid = 1 - self.paid_share
        return 1 - unpaid / (1 - self.used_share) if unpaid and self.used_share < 1 else float(not unpaid)

    @property
    def idle_rate(self) -> float | None:
        """The same of a GPU-hour that stands idle. Law: GPU-hours used at `full_rate` and idle at this come to what is
        paid at `rate`."""
        more = (self.bare_rate or 0.0) * (self.idle_share - self.paid_share)
        return None if self.rate is None else self.rate + more

    @property
    def rates(self) -> dict[str, float | None]:
        """RATES by their keys."""
        return {key: getattr(self, key) for key in RATES}

    def paid_in(self, month: int) -> "Contract":
        """As a month of a plan pays it, from 0 on, past the last as that; the very same where its use is no matter."""
        if not self.paid_shares:
            return self
        paid, used = self.paid_shares[min(month, len(self.paid_shares) - 1)]
        return replace(self, paid_share=paid, used_share=used, paid_shares=())

    @property
    def prepaid_s(self) -> int | None:
        """Seconds for which what is prepaid pays: from start to end, without one its term; None without either."""
        until_s = self.end_s if self.prepaid_until_s is None else self.prepaid_until_s
        return (self.term_months or 0) * MONTH_S or None if until_s is None else until_s - self.start_s

    @property
    def prepaid_rate(self) -> float | None:
        """$ per GPU-hour of what is prepaid; 0 where nothing is, None where nobody knows how much or for how long."""
        if self.prepaid_usd is None:
            return 0.0
        paid, span_s = self.prepaid, self.prepaid_s
        return None if paid is None or span_s is None else paid / (self.gpus * span_s / HOUR_S)

    @property
    def notice(self) -> int:
        """Days of notice to give; none stated counts as none, and what ends by itself needs none."""
        return 0 if self.renews_months == 0 and self.end_s is not None else self.notice_days or 0

    @property
    def is_notice_unknown(self) -> bool:
        """Whether it has a notice to give that nobody knows: no day to decide by can be told."""
        ends_itself = self.renews_months == 0 and self.end_s is not None
        return (
            self.is_committed and bool(self.notice_written) and self.notice_days is None and not ends_itself
        )

    @property
    def may_renew(self) -> bool:
        """Whether it runs on where no notice is given: it says by how many months it renews, or has no end and a
        notice. Source: docs/formulas/policy.md, Whole decisions."""
        has_notice = self.end_s is None and self.notice_days is not None
        return self.is_committed and (has_notice or bool(self.renews_months))

    def renewed_s(self, end_s: int, times: int = 1) -> int:
        """The end after so many renewals from one on, epoch seconds: by `renews_months`, else its term, else a month.

        By the calendar: with six months 31 January becomes 31 July.
        """
        return months_on(end_s, times * (self.renews_months or self.term_months or 1))

    def renewed_until_s(self, end_s: int, until_s: int) -> int:
        """The end after as many renewals, one at least, as reach a moment; all epoch seconds."""
        ends = (self.renewed_s(end_s, times) for times in itertools.count(1))
        return next(ends_s for ends_s in ends if ends_s >= until_s)

    def ending(self, end_s: int | None) -> "Contract":
        """The same with another end than its file has; what is prepaid goes as far as it did."""
        if self.prepaid_usd is None or self.prepaid_until_s is not None:
            return replace(self, end_s=end_s)
        span_s = self.prepaid_s
        return replace(self, end_s=end_s, prepaid_until_s=None if span_s is None else self.start_s + span_s)

    @property
    def owed_rate(self) -> float | None:
        """$ per GPU-hour that it holds that are due even if nothing is used; what is prepaid is due no more."""
        percent = self.take_or_pay_percent
        return (
            None
            if self.rate is None
            else (self.bare_rate or 0.0) * (100 if percent is None else percent) / 100
        )

    @property
    def prepaid(self) -> float | None:
        """$ paid at its start, which its cost spreads; None where none are stated."""
        return counted_amount(self.prepaid_usd, self.exchange)

    @property
    def deposit(self) -> float | None:
        """$ paid at its start that come back at its end; None where none are stated."""
        return counted_amount(self.deposit_usd, self.exchange)

    @property
    def cancel_fee(self) -> float | None:
        """$ that end it early; None where none is stated."""
        return counted_amount(self.cancel_fee_usd, self.exchange)

    def cash_on_days(self, from_s: int, to_s: int) -> float:
        """$ that are due on single days of a span, epoch seconds: prepaid and deposit, less what comes back at the end.

        Source: docs/formulas/cash.md.
        """
        deposit = self.deposit or 0.0
        begins = from_s <= self.start_s < to_s
        ends = self.end_s is not None and from_s <= self.end_s < to_s
        return self.prepaid_between(from_s, to_s) + deposit * (begins - ends)

    def prepaid_between(self, from_s: int, to_s: int) -> float:
        """$ that are prepaid in a span, epoch seconds: at its start, and for each renewal at that one's beginning.

        Law: a renewal as long as its first term, by the calendar, is paid whole; another, and one that is cut, by its
        length.
        """
        paid, span_s = self.prepaid or 0.0, self.prepaid_s
        usd = paid * (from_s <= self.start_s < to_s)
        if not paid or span_s is None:
            return usd
        term, ends_s = self.term_months or 0, self.start_s + span_s
        if is_open := span_s == term * MONTH_S:  # a mean month at its rate is one of the calendar here
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
        """Its id as a part of a sum: what to do where its rate is unknown hangs on it."""
        waits = self.exchange is None and bool(self.quoted_rate)
        return unexchanged(self.contract_id) if waits else self.contract_id

    @property
    def sla_hours_per_month(self) -> float | None:
        """Hours of a month that its SLA leaves open; None without one."""
        return sla_hours(self.sla_percent)

    @property
    def sla_usd_per_month(self) -> float | None:
        """$ of its GPUs in those hours; None without an SLA or a rate."""
        return sla_usd(self.sla_percent, self.gpus, self.bare_rate)

    @property
    def bare_rate(self) -> float | None:
        """$ per GPU-hour as a float: the quoted rate x exchange. None where either is unknown, or the rate is zero:
        that asks for a quote, it is not a gift.
        """
        return counted_amount(self.quoted_rate, self.exchange)

    @property
    def extras(self) -> Extras:
        """$ per GPU-hour beside the rate and what is prepaid; none without either."""
        paid = (self.bare_rate or 0.0) + (self.prepaid_rate or 0.0)
        return extras_of(self, paid) if paid else {}

    @property
    def quoted_rate(self) -> Decimal | None:
        """$ per GPU-hour in its own currency; None where nobody states it, or it is zero."""
        return self.rate_usd_per_gpu_hour or None

    @property
    def is_rate_stated(self) -> bool:
        """Whether the planner said the rate that counts."""
        return bool(self.rate_usd_per_gpu_hour) and RATE_FIELD in dict(self.filed)

    @property
    def cost_per_month(self) -> float | None:
        """What it costs in a month of 730 h, used or not; None where a quote is needed. In the money of the project."""
        return self.cost_of(HOURS_PER_MONTH)

    def cost_of(self, hours: float) -> float | None:
        """The same of as many hours. Source: figures/use.py."""
        inputs = self.figure_inputs | {"month_hours": hours}
        return None if inputs["rate"] is None else float(CONTRACT_MONTH.value("cost_per_month", inputs))

    @property
    def figure_inputs(self) -> dict[str, float | None]:
        """What its figures of a month are worked out from, by the keys of CONTRACT_MONTH."""
        return {"gpus": self.gpus, "month_hours": HOURS_PER_MONTH, "rate": self.rate}

    def overlaps(self, start_s: int, end_s: int) -> bool:
        """Whether any of it lies between two instants, the second exclusive.

        Epoch seconds. A contract without an end goes on for good.
        """
        return self.start_s < end_s and (self.end_s is None or self.end_s > start_s)

    @property
    def is_committed(self) -> bool:
        """Paid whatever we do: COMMITTED, OWNED, or no category stated. On-demand rows are planned afresh."""
        return self.pricing_category is None or self.pricing_category.is_commitment

    @property
    def binding_hours(self) -> float:
        """How long it binds: its term, else from start to end, else for good (inf); 0 where it is paid by use."""
        if not self.is_committed:
            return 0.0
        if self.term_months:
            return float(self.term_months * HOURS_PER_MONTH)
        return float("inf") if self.end_s is None else (self.end_s - self.start_s) / HOUR_S


def term_text(value: Term) -> str:
    """A term as `Contract.filed` keeps it; "" for none. Amounts are alike however they are written.

    >>> term_text(Decimal("2.50")), term_text(64_000), term_text(None)
    ('2.5', '64000', '')
    """
    return "" if value is None else f"{value.normalize():f}" if isinstance(value, Decimal) else f"{value}"


def filed_term(contract: Contract, name: str) -> Term:
    """What the file said of a term. name: one of CONTRACT_TERMS."""
    text = dict(contract.filed).get(name)
    if text is None:
        value: Term = getattr(contract, name)
        return value
    if not text or name in TEXT_TERMS:
        return text if name == "cluster" else text or None
    return Decimal(text) if is_money(name) else float(text) if name.endswith("_percent") else int(text)


def is_money(name: str) -> bool:
    """Whether a term is an amount of money."""
    return name == RATE_FIELD or name.endswith("_usd")


def with_terms(contract: Contract, terms: Mapping[str, Term]) -> Contract:
    """A contract with terms as the planner knows them, by field; what its file said is kept beside them.

    Law: with the terms of its file it is the contract of its file again. Errors: PlannerError as for a contract.
    """
    # the planner's name takes the file's place
    if "cluster" in terms and contract.cluster_written is not None:
        contract = replace(contract, cluster=contract.cluster_written, cluster_written=None)
    written = {**{name: term_text(getattr(contract, name)) for name in terms}, **dict(contract.filed)}
    after = replace(contract, **terms)  # type: ignore[arg-type]
    filed = ((name, written[name]) for name in CONTRACT_TERMS if name in written)
    changed = tuple((name, text) for name, text in filed if term_text(getattr(after, name)) != text)
    return replace(after, filed=changed)


def with_known_terms(fresh: Contract, before: Contract | None) -> Contract:
    """A contract of its file, with what the planner said of it as long as the file says what it said then."""
    if before is None or fresh.filed:
        return fresh
    known = {
        name: getattr(before, name) for name, text in before.filed if term_text(getattr(fresh, name)) == text
    }
    return with_terms(fresh, known) if known else fresh


RATES: Final = ("rate", "full_rate", "idle_rate")
"""What is paid of a GPU-hour that is held, one that is used, and one that stands idle: keys of CONTRACT too."""
OF_A_RAMP: Final = ("milli_gpus", "start_s", "ramp")
"""Terms of a part that its ramp tells."""
PAID_ONCE: Final = ("prepaid_usd", "deposit_usd", "cancel_fee_usd")


def last_of_ramp(ramp: Term) -> str:
    """The GPUs that a ramp holds from its last day on, as they are written.

    >>> last_of_ramp("2026-11-01=8; 2027-02-01= 16")
    '16'
    """
    return f"{ramp}".rpartition("=")[2].strip()


def parts_of_ramp(contract: Contract) -> tuple[Contract, ...]:
    """A contract whose GPUs come one after the other, as one for each day on which more come; else the contract.

    What is paid once is of the first. Errors: PlannerError bad_number, bad_time where a ramp does not ascend to its
    GPUs within its days.
    """
    parts: list[Contract] = []
    held, name, whole = 0, contract.contract_id, contract.milli_gpus
    is_typed = "ramp" in dict(contract.filed)
    if contract.ramp and not is_typed:  # as its file has it, so are the GPUs and days of its parts
        contract = replace(contract, filed=tuple(term for term in contract.filed if term[0] not in OF_A_RAMP))

    def wrong(code: str) -> PlannerError:
        problem = worded("ramp is {text}", text=f"{contract.ramp!r:.60}")
        return PlannerError(
            name, code, problem, worded("write 2026-09-01=16;2026-12-01=48, its GPUs last, before its end")
        )

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
    """The contracts, those without dates from the beginning of a log; without a cluster on its own, where it has one.

    start_s: of the window; clusters: of its workloads.
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
    """What contracts are paid for of what they hold by month, in its units; all shapes (contracts, months).

    held, used: GPU time. A month of a take-or-pay contract pays the larger of its share and what was used; what one
    holds and uses of a ramp is that of all its parts, of which each pays for what it uses and alike for what is idle.
    Source: docs/formulas/contracts.md.
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
    """The two shares of what a contract holds; what holds nothing pays its minimum."""
    if not held:
        percent = contract.take_or_pay_percent
        return (1.0 if percent is None else percent / 100), 0.0
    return float(paid / held), float(used / held)


# --- Existing contracts over time: which run through a month, how long they bind, in what order they serve


def month_start_s(window: Window, month: int) -> int:
    """Month t is [window end + 730 t h, window end + 730 (t + 1) h); epoch seconds.

    Months are of 730 h each, not of the calendar; month 0 begins where the window ends.
    """
    return window.end_s + month * MONTH_S


def runs_at(contract: Contract, at_s: int) -> bool:
    """Whether a contract runs at a moment. at_s: epoch seconds; its end is no moment of it."""
    return contract.start_s <= at_s and (contract.end_s is None or contract.end_s > at_s)


def in_force(contracts: Iterable[Contract], at_s: int) -> list[Contract]:
    """The contracts that run at a moment, epoch seconds, in given order."""
    return [contract for contract in contracts if runs_at(contract, at_s)]


def line_of(contract: Contract, at_s: int | None) -> tuple[object, ...]:
    """What lines of one contract, `A1` and `A1 (2)`, have in common where one begins as another ends, at_s."""
    name = re.sub(r" \(\d+\)$", "", contract.contract_id)
    return name, contract.cluster, contract.gpu_model, contract.is_committed, at_s


def continued(contracts: Sequence[Contract]) -> dict[str, Contract]:
    """A ramp that is kept in rows: by contract_id the next line of the same contract, which begins as this one ends."""
    begins = {line_of(contract, contract.start_s): contract for contract in contracts}
    return {row.contract_id: begins[at] for row in contracts if (at := line_of(row, row.end_s)) in begins}


def hours_in(contract: Contract, from_s: int, to_s: int) -> float:
    """Hours of a span in which a contract runs. from_s, to_s: epoch seconds, the second exclusive."""
    ends_s = to_s if contract.end_s is None else min(contract.end_s, to_s)
    return max(0, ends_s - max(contract.start_s, from_s)) / HOUR_S


def usd_by_hour(contract: Contract, from_s: int, to_s: int) -> float | None:
    """$ that a contract is paid for the hours of a span, what is prepaid apart; None without a rate. Epoch seconds."""
    if contract.rate is None:
        return None
    return contract.gpus * (contract.rate - (contract.prepaid_rate or 0.0)) * hours_in(contract, from_s, to_s)


def in_month(contracts: Iterable[Contract], window: Window, month: int) -> tuple[Contract, ...]:
    """The contracts that run at some time of a month, in given order, each as the month pays it."""
    from_s = month_start_s(window, month)
    return tuple(row.paid_in(month) for row in contracts if row.overlaps(from_s, from_s + MONTH_S))


def usd_in_month(contracts: Iterable[Contract], window: Window, month: int) -> float | None:
    """What contracts cost in a month, used or not, each for the hours that it runs; None where one has no rate."""
    from_s = month_start_s(window, month)
    return known_sum(
        row.cost_of(hours_in(row, from_s, from_s + MONTH_S)) for row in in_month(contracts, window, month)
    )


def only_cluster_of(contracts: Iterable[Contract], gpu_model: str) -> str:
    """Where contracts of a model are, if they are in one place: what idles there serves work that is planned on it.

    Empty where there is none, or several.
    """
    clusters = {contract.cluster for contract in contracts if contract.gpu_model == gpu_model}
    return clusters.pop() if len(clusters) == 1 else ""


def mean_gpus(contract: Contract, window: Window) -> float:
    """GPUs that a contract holds in a window, a mean over its hours."""
    return contract.gpus * (hours_in(contract, window.start_s, window.end_s) / window.hours)


def gpus_in_month(contracts: Iterable[Contract], window: Window, month: int) -> float:
    """GPUs that contracts hold in a month, a mean over its hours."""
    from_s = month_start_s(window, month)
    return sum(row.gpus * hours_in(row, from_s, from_s + MONTH_S) for row in contracts) / HOURS_PER_MONTH


def merit(contract: Contract) -> tuple[bool, float, str]:
    """Merit order: committed first, then lower rate in full (unknown last), then contract_id.

    A key for sorting. Source: docs/formulas/contracts.md.
    """
    return (not contract.is_committed, contract.full_rate or inf, contract.contract_id)


def turn_words(contract: Contract, before: Iterable[Contract], after: Iterable[Contract]) -> Text:
    """That contracts of its GPU model on its cluster serve in another order after than before; "" where they do not."""

    def served(contracts: Iterable[Contract]) -> list[str]:
        of = (contract.cluster, contract.gpu_model)
        peers = [contract for contract in contracts if (contract.cluster, contract.gpu_model) == of]
        return [peer.contract_id for peer in sorted(peers, key=merit)]

    if served(before) == served(after):
        return ""
    return worded(
        "At this rate contracts of {gpu_model} on {cluster} serve in a different order, which "
        "changes each contract's use and figures",
        gpu_model=contract.gpu_model or worded("unknown model"),
        cluster=contract.cluster,
    )


def remaining_months(contract: Contract, window: Window) -> float:
    """Months that a contract still binds: to its end or, without one, its notice.

    Months of 730 h; below 0 where it has ended. Notice counts from the window's end.
    """
    ends_s = None if contract.is_dollars and contract.bound_until_s is not None else contract.end_s
    until_s = contract.bound_until_s if ends_s is None else ends_s
    return (notice_s(contract) if until_s is None else until_s - window.end_s) / MONTH_S


def bound_usd(contract: Contract, window: Window) -> float | None:
    """$ of month 0 x months that a contract still binds; None without a rate."""
    usd = usd_in_month((contract,), window, 0)
    return None if usd is None else usd * remaining_months(contract, window)


def notice_s(contract: Contract) -> int:
    """The notice that is to be given, in seconds."""
    return contract.notice * DAY_S


def decided_by_s(contract: Contract, end_s: int) -> int:
    """The last second to decide that a contract ends at end_s (exclusive), both epoch seconds: its last day less the
    days of notice."""
    return end_s - notice_s(contract) - 1


def notice_by_s(contract: Contract, end_s: int | None) -> int | None:
    """The same of notice; None: no end, or no notice to give."""
    return None if end_s is None or not notice_s(contract) else decided_by_s(contract, end_s)


def mean_rate(rates: Sequence[float | None], weights: Sequence[float]) -> float | None:
    """$ per GPU-hour over contracts, weighted by GPU-hours; None where one has no rate, or there is none."""
    known = [rate for rate in rates if rate is not None]
    if len(known) < len(rates) or not any(weights):
        return None
    if min(known) == max(known):
        return known[0]  # not through a mean: no last digit goes astray
    return sum(rate * weight for rate, weight in zip(known, weights, strict=True)) / sum(weights)


def mean_rates_in_month(
    contracts: Iterable[Contract], window: Window, month: int
) -> tuple[float | None, float | None]:
    """$ per GPU-hour of what contracts serve in a month and of what of them stands idle, by the hours of each.

    Both the mean of what they hold, but where one is take-or-pay and not all of it is paid. Law: what is used and what
    is idle, at these, is what is paid. Source: docs/formulas/contracts.md.
    """
    from_s, running = month_start_s(window, month), in_month(contracts, window, month)
    held = [contract.gpus * hours_in(contract, from_s, from_s + MONTH_S) for contract in running]
    if all(contract.paid_share == 1 for contract in running):
        rate = mean_rate([contract.rate for contract in running], held)
        return rate, rate
    used = [amount * contract.used_share for contract, amount in zip(running, held, strict=True)]
    idle = [whole - part for whole, part in zip(held, used, strict=True)]
    serving = mean_rate([contract.full_rate for contract in running], used if any(used) else held)
    return serving, mean_rate([contract.idle_rate for contract in running], idle if any(idle) else held)


def mean_extras_in_month(contracts: Iterable[Contract], window: Window, month: int) -> ExtraAmounts:
    """What the extras in that mean rate come to, $ per GPU-hour by name."""
    from_s = month_start_s(window, month)
    return mean_extras(
        (contract.extras, contract.gpus * hours_in(contract, from_s, from_s + MONTH_S))
        for contract in in_month(contracts, window, month)
    )
