"""When an offer can begin, and what a log is too young to sign for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.busy import Month, MonthState, Schedule, residual_at
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.domain.commitment.streams import ModelDemand
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_book import quoted_start
from gpuplanner.domain.model.window import DAY_S, HOUR_S, HOURS_PER_MONTH, MONTH_S

# --- When an offer can begin: leads, days from which and until which capacity is there, and quotes that end

FREE_LEADS: Final = "free"
"""The older rule: leads of up to a month cost nothing, longer ones open with a month."""


_ROUNDING_S: Final = 0.5


@dataclass(frozen=True, slots=True)
class Start:
    """How a term stands in the months that it is signed for: shares of a month, 0..1.

    late: of its first month, before it begins; early: of its last month, after it has ended (a term in days).
    In both the demand is paid by use.
    """

    late: float = 0.0
    early: float = 0.0


@dataclass(frozen=True, slots=True)
class Calendar:
    """The months of a plan. begin_s: when month 0 begins, epoch seconds; None: dates of offers do not matter.

    free_leads: the older rule. whole_months: what begins in a month is there for all of it. not_now: offers that may
    not begin in month 0, by offer_id; of these, those that are quoted for a row of a request begin in no other either.
    wait_months: nothing is ordered before, so each lead counts from then on.
    """

    begin_s: int | None = None
    free_leads: bool = False
    whole_months: bool = False
    not_now: frozenset[str] = frozenset()
    wait_months: int = 0

    @property
    def by_hand(self) -> "Calendar":
        """Of layers set by hand: they are held from the first day on, so no wait and no lead of up to a month counts.

        The calendar itself does not change.
        """
        return replace(self, free_leads=True, whole_months=True, wait_months=0)

    def start_in(self, offer: Offer, month: int) -> Start | None:
        """How a term of a commitment that is signed for a month stands in it; None where it cannot begin there.

        Source: docs/formulas.md, Policy.
        """
        quoted = self.months_quoted_for(offer)
        if month < self.first_month(offer) or (quoted is not None and month not in quoted):
            return None
        if offer.offer_id in self.not_now and (month == 0 or quoted is not None):
            return None
        lead_months = 0.0 if self.free_leads else self.wait_months + offer.lead_time_hours / HOURS_PER_MONTH
        late = min(max(lead_months - month, self._later_s(offer, month) / MONTH_S, 0.0), 1.0)
        if not self._is_there(offer, month, late):
            return None
        if self.whole_months:
            return Start()
        until = float(offer.term_months)
        if offer.term_days:
            until = min(late + offer.term_hours / HOURS_PER_MONTH, until)
        return Start(late, offer.term_months - until)

    def starts(self, offer: Offer, months: int) -> Iterator[tuple[slice, Start]]:
        """Every month below `months` in which a term can be signed, months alike together.

        months: how many, month 0 first. Slices of months come in order, do not overlap, and leave out months
        in which no term can begin.
        """
        first = self.first_month(offer)
        last = months if self._is_dated(offer) else min(first + 1, months)
        for month in range(first, last):
            start = self.start_in(offer, month)
            if start is not None:
                yield slice(month, month + 1), start
        if last < months:  # from the month after its lead on an offer without dates is always there
            yield slice(last, months), self.start_in(offer, last) or Start()

    def first_month(self, offer: Offer) -> int:
        """The first month that the lead time of an offer allows, none before the plan has waited.

        Month 0 where the lead ends inside it. Under the older rule a lead of up to a month is nothing, and a
        longer one is rounded up to whole months.

        >>> from gpuplanner.domain.model.book.offer import Offer
        >>> Calendar().first_month(Offer("a", "p", "H100", "Committed", None, 12, lead_time_hours=731.0))
        1
        """
        hours = offer.lead_time_hours
        if self.free_leads:
            return self.wait_months + (0 if hours <= HOURS_PER_MONTH else ceil(hours / HOURS_PER_MONTH))
        return self.wait_months + max(0, ceil(hours / HOURS_PER_MONTH) - 1)

    def months_quoted_for(self, offer: Offer) -> range | None:
        """The months for which an offer that answers a request may be signed; None: any, it answers none.

        Those that the day touches that it was asked for, or the vendor's own where that is later: a month may begin or
        end inside it. Month 0 where that has gone by, none where it has for more than a month, and a later one where
        its lead is longer. What was wanted at once, on the day of the request, is for every month before it too.
        Source: docs/formulas.md, Quotes.
        """
        quote = None if self.begin_s is None else quoted_start(offer)
        if quote is None or self.begin_s is None:
            return None
        if quote.offered_s + MONTH_S < self.begin_s:
            return range(0)
        soonest = self.first_month(offer)
        first, last = (
            max((at_s - self.begin_s) // MONTH_S, soonest)
            for at_s in (quote.offered_s, quote.offered_s + DAY_S - 1)
        )
        return range(soonest if quote.is_at_once else first, last + 1)

    def delay_s(self, offer: Offer, month: int) -> int:
        """Seconds from the beginning of the plan to that of a term signed for a month: with the month, or once its
        lead has passed and its capacity is there."""
        begin_s = self.begin_s or 0
        starts_s = offer.starts_s if self.begin_s is not None else None
        lead = self.wait_months * MONTH_S + lead_s(offer)
        return max(month * MONTH_S, lead, (starts_s or begin_s) - begin_s)

    def _later_s(self, offer: Offer, month: int) -> int:
        """Seconds of a month before a quote begins whose vendor starts later than was asked; 0 for all others.

        So its term is paid for from the day on that its order starts. What was wanted at once counts from the day of
        the request: of the plan's months before it nothing can be had any more.
        """
        quote = None if self.begin_s is None else quoted_start(offer)
        if quote is None or self.begin_s is None or quote.offered_s <= quote.asked_s:
            return 0
        from_s = self.begin_s + month * MONTH_S
        return max(0, quote.offered_s - (max(from_s, quote.asked_s) if quote.is_at_once else from_s))

    def _is_dated(self, offer: Offer) -> bool:
        """Whether months differ for an offer by more than its lead."""
        if not offer.starts is offer.ends is offer.valid_until is None:
            return True
        return self.months_quoted_for(offer) is not None

    def _is_there(self, offer: Offer, month: int, late: float) -> bool:
        """Whether all of a term lies in the days of its capacity, and its order before the offer ends.

        The term runs from where it begins in its month to the end of its last one, or for its days. A quote is ordered
        early, while it holds, for the month that it is for.
        """
        if self.begin_s is None or not self._is_dated(offer):
            return True
        month_s = self.begin_s + month * MONTH_S
        start_s, end_s = month_s + late * MONTH_S, float(month_s + offer.term_months * MONTH_S)
        if offer.term_days:
            end_s = min(start_s + offer.term_days * DAY_S, end_s)
        is_quoted = self.months_quoted_for(offer) is not None
        if not is_quoted and offer.starts_s is not None and start_s < offer.starts_s - _ROUNDING_S:
            return False
        if offer.ends_s is not None and end_s > offer.ends_s + _ROUNDING_S:
            return False
        from_s = self.begin_s + self.wait_months * MONTH_S
        order_by_s = from_s if is_quoted else max(month_s - lead_s(offer), from_s)
        return offer.is_open_on(order_by_s)


def lead_s(offer: Offer) -> int:
    """Lead time in whole seconds.

    Rounded to the nearest second.
    """
    return round(offer.lead_time_hours * HOUR_S)


ANY_TIME: Final = Calendar()
"""Where no day is known: leads count from month 0, dates of offers do not matter."""


# --- Lived: what a log is too young to sign for. A fall closes long terms to a row, few days close them to a slice

DAY_H: Final = 24
FALLEN_DAYS: Final = 14
SILENT_DAYS: Final = 7
FALLEN_PERCENT: Final = 60
LONGEST_AFTER_A_FALL_MONTHS: Final = 3
LATELY_H: Final = 96
DAYS_A_MONTH: Final = 30
"""Days that a slice is granted for every month in which it may go on."""
DAYS_PER_TERM_MONTH: Final = 10
ENOUGH_DAYS: Final = 45
ROUNDING_GPUS: Final = 1e-9
OPEN_FROM_MONTH: Final = -(-ENOUGH_DAYS // DAYS_A_MONTH)
"""From this month on no slice is too young for any term."""


@dataclass(frozen=True, slots=True)
class Fall:
    """How demand fell. share: of the mean of all hours that the last 14 days hold; is_silent: 7 days without any."""

    share: float
    is_silent: bool


def fall_of(demand: Floats | Ints) -> Fall | None:
    """The fall of what holds less than 60% of the mean of all hours in the last 14 days, or nothing in the last 7.

    demand: in each hour, in whole milli-GPU-seconds, shape (hours,); exact.
    """
    total, hours = int(demand.sum()), len(demand)
    last = demand[-FALLEN_DAYS * DAY_H :]
    if not total:
        return None
    is_silent = not demand[-SILENT_DAYS * DAY_H :].any()
    held, whole = int(last.sum()) * hours, total * len(last)
    return Fall(held / whole, is_silent) if is_silent or 100 * held < FALLEN_PERCENT * whole else None


def fall_left(logged: Floats, unstated: Floats) -> Fall | None:
    """The fall of what the planner said nothing of, where the whole log of the row fell: a date closes no term.

    Of the row's workloads that the plan has, in each hour, shape (hours,): all, and those that nobody dated.
    """
    return fall_of(unstated) if fall_of(logged) else None


def needed_days(term_months: int) -> int:
    """Days that a slice must have run for a term.

    Ten days for each month of a term, 45 at most.

    >>> needed_days(1), needed_days(3), needed_days(36)
    (10, 30, 45)
    """
    return min(DAYS_PER_TERM_MONTH * term_months, ENOUGH_DAYS)


@dataclass(frozen=True, slots=True, eq=False)
class Lived:
    """Days of the window on which each slice of a row ran, less what contracts that run through a month serve.

    Shapes: days (months, slices), of each of the first months; lately (slices,): in the last 96 hours.
    """

    days: Ints
    lately: Bools

    def closed(self, terms: Sequence[int], begin: int) -> Bools:
        """What slices from `begin` on may not sign: shape (months, terms, slices).

        begin: the first slice that is asked about. True: closed. Months are the first two; from then on every
        slice has had the days that it needs. Terms of one month are closed only by the last 96 hours, and
        those only in month 0.
        Source: docs/formulas.md, Policy.
        """
        needs = np.array([needed_days(term) for term in terms], dtype=np.int64)
        young = self.days[:OPEN_FROM_MONTH, begin:]
        granted = young + DAYS_A_MONTH * np.arange(len(young))[:, None]
        closed = granted[:, None, :] < needs[None, :, None]
        closed[:, np.array(terms, dtype=np.int64) == 1] = False
        closed[0, :, ~self.lately[begin:]] = True
        return np.asarray(closed)

    def if_it_lasts(self, month: int, term_months: int) -> Bools:
        """Slices that a term in a month is open to only since they may go on until then; shape (slices,).

        False everywhere in month 0, and for a term of one month: nothing is granted ahead there.
        """
        if term_months == 1 or not month:
            return np.zeros(len(self.lately), dtype=np.bool_)
        return np.asarray(self.days[month] < needed_days(term_months))


def lived_in(
    model: ModelDemand,
    months: Sequence[Month],
    schedules: Sequence[Schedule],
    slicings: Sequence[Slicing],
    hours: int,
) -> tuple[Lived, ...]:
    """Of each row of a model. months: those that are asked about; days end with the window's end.

    schedules: of each group. A slice that was reached only with what the planner states has lived for ever.
    """
    known: dict[MonthState, Floats] = {}

    def gpus(state: MonthState) -> Floats:
        if state not in known:
            known[state] = residual_at(model, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        return known[state]

    days: list[list[Ints]] = [[] for _ in slicings]
    lately: list[Bools] = []
    for number, month in enumerate(months):
        whole = gpus(_as_today(month, months[0], schedules, True))
        logged = gpus(_as_today(month, months[0], schedules, False))
        for row, slicing in enumerate(slicings):
            middles = slicing.edges[:-1] + slicing.widths / 2 - ROUNDING_GPUS
            stated = _reached_by_what_is_stated(middles, whole[row], logged[row])
            days[row].append(np.where(stated, ENOUGH_DAYS, _days_reached(middles, whole[row])))
            if number == 0:
                lately.append(stated | (middles <= float(whole[row][-LATELY_H:].max())))
    return tuple(Lived(np.stack(of_row), of_late) for of_row, of_late in zip(days, lately, strict=True))


def _days_reached(middles: Floats, gpus: Floats) -> Ints:
    """On how many days, counted back from the last hour, each middle was reached in some hour; (slices,)."""
    by_day = np.concatenate((np.zeros(-len(gpus) % DAY_H), gpus)).reshape(-1, DAY_H).max(axis=1)
    return np.asarray(len(by_day) - np.searchsorted(np.sort(by_day), middles, side="left"))


def _reached_by_what_is_stated(middles: Floats, whole: Floats, logged: Floats) -> Bools:
    """Whether some hour reaches each middle with what the planner states and not without it; (slices,)."""
    more = whole > logged
    if not more.any():
        return np.zeros(len(middles), dtype=np.bool_)
    high, low = whole[more], logged[more]
    return np.array(
        [bool(((high >= middle) & (low < middle)).any()) for middle in middles.tolist()], dtype=np.bool_
    )


def _as_today(month: Month, first: Month, schedules: Sequence[Schedule], with_stated: bool) -> MonthState:
    """The contracts of a month and the demand of today, but what the planner states is there as it is then, or not."""
    there = [{flow for flow, factor in state.factors if factor} for _, state in month]
    now = [{flow for flow, factor in state.factors if factor} for _, state in first]
    factors = tuple(
        (
            flow,
            float(with_stated and any(flow in piece for piece in there))
            if schedules[flow.group].counts_as_lived
            else float(any(flow in piece for piece in now)),
        )
        for flow, _ in month[0][1].factors
    )
    return MonthState(month[0][1].capacities, factors)
