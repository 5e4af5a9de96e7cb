"""When an offer can begin, and what a log is too young to sign for."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.busy import Month, MonthState, Schedule, residual_at
from gpuplanner.domain.commitment.demand.model_demand import ModelDemand
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.quote_source import QuotedStart, answered_row, quoted_start
from gpuplanner.domain.model.cube import DAYS_PER_TERM_MONTH, ENOUGH_DAYS, WEEK_HOURS
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, day_of
from gpuplanner.lazy_dataclass import dataclass, replace

# --- When an offer can begin: leads, days from which and until which capacity is there, and quotes that end


def length_s(offer: Offer) -> int:
    """How long a commitment is: its term, or of a block without one for how long it is there; seconds."""
    hours = offer.term_hours
    if not hours and offer.starts_s is not None and offer.ends_s is not None:
        return offer.ends_s - offer.starts_s
    return round(hours * HOUR_S)


def is_block(offer: Offer) -> bool:
    """Whether a commitment is capacity of certain days, bought whole: there as long as its term, or without one."""
    if offer.starts_s is None or offer.ends_s is None or offer.ends_s <= offer.starts_s:
        return False
    return offer.ends_s - offer.starts_s == length_s(offer)


def is_by_calendar(offers: Sequence[Offer]) -> bool:
    """Whether GPUs are only reserved by calendar: there is a block or a term in days, and no offer by use.

    An offer by use without a rate counts: then the cost of use is unknown. False without offers.
    Source: docs/formulas/policy.md, Rules of offers.
    """
    by_use = any(not offer.pricing_category.is_commitment for offer in offers)
    return not by_use and any(is_block(offer) or offer.term_days for offer in offers)


FOR_EVER_S: Final = 2**62
BRIDGE_S: Final = 31 * DAY_S
"""What bridges the time until orders can be placed is no longer than a month."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Calendar:
    """The months of a plan. begin_s: when month 0 begins, epoch seconds; None: dates of offers do not matter.

    free_leads: leads of up to a month cost nothing, longer ones open with a month; has_exact_long_leads: on their day.
    wait_months: nothing is ordered
    before, so each lead counts from then on. asked_from_s: seconds from begin_s to the first day on which what vendors
    are asked for can be ordered; own_from_s: the same for what has a day of its own.
    """

    begin_s: int | None = None
    free_leads: bool = False
    has_exact_long_leads: bool = False
    wait_months: int = 0
    asked_from_s: int = 0
    own_from_s: int = 0

    @property
    def by_hand(self) -> "Calendar":
        """Of layers set by hand: they are held from the first day on, so no wait and no lead of up to a month counts.

        After a longer lead they begin on its day.

        The calendar itself does not change.
        """
        return replace(
            self, free_leads=True, has_exact_long_leads=True, wait_months=0, asked_from_s=0, own_from_s=0
        )

    def wait_s(self, offer: Offer, has_day: bool = False) -> int:
        """Before when nothing of an offer is ordered: seconds from the plan's first moment.

        has_day: for a day of its own. What is quoted, bridges the time for a month at most, or buys GPUs of our own
        waits for no reply. Source: docs/formulas/quotes.md, Requests for quote.
        """
        wait_s = self.wait_months * MONTH_S
        if length_s(offer) <= BRIDGE_S or is_owned(offer) or answered_row(offer) is not None:
            return wait_s
        return max(wait_s, self.own_from_s if has_day else self.asked_from_s)

    def soonest_s(self, offer: Offer, has_day: bool = False) -> int:
        """When a commitment can begin that is ordered as soon as the plan may: seconds from its first moment.

        has_day: as of `wait_s`. A lead of 2 h is 7,200.
        """
        lead = lead_s(offer)
        if self.free_leads and lead <= MONTH_S:
            lead = 0
        elif self.free_leads and not self.has_exact_long_leads:
            lead = -(-lead // MONTH_S) * MONTH_S
        return self.wait_s(offer, has_day) + lead

    def begins(self, offer: Offer, months: int) -> tuple[Ints, Bools]:
        """When a commitment of each month would begin, seconds from the plan's first moment, and whether it may.

        Shapes: both (months,). Source: docs/formulas/policy.md.
        """
        month_s = MONTH_S * np.arange(months, dtype=np.int64)
        begin_s = np.maximum(month_s, self.soonest_s(offer))
        if self.asked_from_s:  # the first day of a later month is a day of its own
            own_s = self.soonest_s(offer, has_day=True)
            own_s += MONTH_S if lead_s(offer) >= MONTH_S else 0  # what a lead decides waits
            begin_s = np.where(month_s >= own_s, month_s, begin_s)
        is_open = begin_s < month_s + MONTH_S
        if self.begin_s is None:
            return begin_s, is_open & (not is_block(offer))
        bound_s = max(length_s(offer), MONTH_S)
        if is_block(offer):
            starts_s, bound_s = (offer.starts_s or 0) - self.begin_s, length_s(offer)
            is_open &= (
                (month_s <= starts_s)
                & (starts_s < month_s + MONTH_S)
                & (starts_s >= self.soonest_s(offer, starts_s >= MONTH_S))
            )
            begin_s = np.where(is_open, starts_s, begin_s)
        quote = quoted_start(offer)
        if quote is not None:
            quoted = self._months_of(quote, offer, self.begin_s)
            # its term is paid from the day on that its order starts; what was wanted at once counts from the day of
            # the request: of the plan's months before it nothing can be had any more
            from_s = self.begin_s + month_s
            asked_s = np.maximum(from_s, quote.asked_s) if quote.is_at_once else from_s
            begin_s = np.maximum(begin_s, month_s + np.maximum(quote.offered_s - asked_s, 0))
            month = month_s // MONTH_S
            is_open &= (quoted.start <= month) & (month < quoted.stop) & (begin_s < month_s + MONTH_S)
        elif offer.starts_s is not None:
            is_open &= begin_s >= offer.starts_s - self.begin_s
        if offer.ends_s is not None and not is_block(offer):
            is_open &= begin_s + bound_s <= offer.ends_s - self.begin_s
        last_s = offer.last_order_s
        if last_s is not None:
            wait_s = self.wait_months * MONTH_S
            ahead_s = begin_s - lead_s(offer) if quote is None else wait_s
            order_s = self.begin_s + np.maximum(ahead_s, wait_s)
            is_open &= order_s - order_s % DAY_S <= last_s
        return begin_s, is_open

    def is_open_in(self, offer: Offer, month: int) -> bool:
        """Whether a commitment may begin in a month of the plan."""
        return bool(self.begins(offer, month + 1)[1][month])

    def last_start_s(self, offer: Offer) -> int:
        """After when a commitment cannot begin, since its order would be placed after the offer's last day.

        Seconds from the plan's first moment; FOR_EVER_S without a last day. A quote is ordered for its start while it
        holds.
        """
        if self.begin_s is None or offer.last_order_s is None or quoted_start(offer) is not None:
            return FOR_EVER_S
        return day_of(offer.last_order_s) + DAY_S - 1 + lead_s(offer) - self.begin_s

    def is_there(self, offer: Offer, at_s: int, length: int) -> bool:
        """Whether the capacity of an offer is there from a moment on for its length, and can be ordered for it.

        Seconds, from the plan's first moment. Of a quote only as a block: it is for the row of a request.
        """
        soonest = self.soonest_s(offer, has_day=True)
        if at_s < soonest:
            return False
        if self.begin_s is None:
            return not is_block(offer)
        start_s = self.begin_s + at_s
        if offer.starts_s != start_s if is_block(offer) else self.months_quoted_for(offer) is not None:
            return False
        if offer.starts_s is not None and start_s < offer.starts_s:
            return False
        if offer.ends_s is not None and start_s + length > offer.ends_s:
            return False
        return offer.is_open_on(start_s - soonest + self.wait_s(offer, has_day=True))

    def months_quoted_for(self, offer: Offer) -> range | None:
        """The months for which an offer that answers a request may be signed; None: any, it answers none.

        Those that the day touches that it was asked for, or the vendor's own where that is later: a month may begin or
        end inside it. Month 0 where that has gone by, none where it has for more than a month, and a later one where
        its lead is longer. What was wanted at once, on the day of the request, is for every month before it too.
        Source: docs/formulas/quotes.md, Quotes.
        """
        quote = None if self.begin_s is None else quoted_start(offer)
        if quote is None or self.begin_s is None:
            return None
        return self._months_of(quote, offer, self.begin_s)

    def _months_of(self, quote: QuotedStart, offer: Offer, begin_s: int) -> range:
        """The months for which an offer may be signed that is quoted so, of a plan that begins then."""
        if quote.offered_s + MONTH_S < begin_s:
            return range(0)
        soonest = self.soonest_s(offer) // MONTH_S
        first, last = (
            max((at_s - begin_s) // MONTH_S, soonest)
            for at_s in (quote.offered_s, quote.offered_s + DAY_S - 1)
        )
        return range(soonest if quote.is_at_once else first, last + 1)


def lead_s(offer: Offer) -> int:
    """Lead time in whole seconds.

    Rounded to the nearest second.
    """
    return round(offer.lead_time_hours * HOUR_S)


def month_placed(offer: Offer, start_s: int, months: int) -> int:
    """The month in which an order is placed that begins then, its lead before; no later than the last of so many.

    start_s: seconds from the plan's first moment. Source: docs/formulas/policy.md.
    """
    return min(max(start_s - lead_s(offer), 0) // MONTH_S, months - 1)


ANY_TIME: Final = Calendar()
"""Where no day is known: leads count from month 0, dates of offers do not matter."""


# --- Lived: what a log is too young to sign for. A fall closes long terms to a row, few days close them to a slice

DAY_H: Final = 24
FALLEN_DAYS: Final = 14
SILENT_DAYS: Final = 7
CYCLE_DAYS: Final = 31
FALLEN_PERCENT: Final = 60
LEAST_WEEKS: Final = 6
LONGEST_AFTER_A_FALL_MONTHS: Final = 3
LATELY_H: Final = 96
SILENCE_H: Final = 48
LEVEL_AGAIN_H: Final = 2 * FALLEN_DAYS * DAY_H
"""After a fall that is over volatility is that of so many hours."""
DAYS_A_MONTH: Final = 30
"""Days that a slice is granted for every month in which it may go on."""
ROUNDING_GPUS: Final = 1e-9
OPEN_FROM_MONTH: Final = -(-ENOUGH_DAYS // DAYS_A_MONTH)
"""From this month on no slice is too young for any term."""


@dataclass(frozen=True, slots=True)
class Fall:
    """How demand fell. share: of the mean of all hours that the last 14 days hold; is_silent: 7 days without any;
    is_over: the last 14 days hold 90% or more of the 14 before."""

    share: float
    is_silent: bool
    is_over: bool = False


def fall_of(demand: Floats | Ints) -> Fall | None:
    """The fall of what holds less than 60% of the mean of all hours in the last 14 days, or nothing in the last 7.

    demand: in each hour, in whole milli-GPU-seconds, shape (hours,); exact. What was as low before and came back is no
    fall, unless nothing ran in the last 7 days.
    """
    total, hours, stretch = int(demand.sum()), len(demand), FALLEN_DAYS * DAY_H
    last, before = demand[-stretch:], demand[-2 * stretch : -stretch]
    if not total:
        return None
    is_silent = not demand[-SILENT_DAYS * DAY_H :].any()
    held, whole = int(last.sum()) * hours, total * len(last)
    is_fallen = 100 * held < FALLEN_PERCENT * whole and not _came_back(demand, total)
    is_over = bool(len(before)) and 10 * last.sum() * len(before) >= 9 * before.sum() * stretch
    return Fall(held / whole, is_silent, is_over) if is_silent or is_fallen else None


def _came_back(demand: Floats | Ints, total: float) -> bool:
    """Whether 14 days as low as a fall ended before the last 14, with 14 days at or above the mean after them."""
    stretch, hours = FALLEN_DAYS * DAY_H, len(demand)
    if hours < 2 * stretch:
        return False
    so_far = np.concatenate(([0.0], np.cumsum(demand)))  # whole numbers below 2^53: exact
    held = (so_far[stretch:] - so_far[:-stretch]) * hours
    low = np.flatnonzero(100 * held[: hours - 2 * stretch + 1] < FALLEN_PERCENT * total * stretch)
    return bool(len(low)) and bool((held[low[0] + stretch :] >= total * stretch).any())


def has_cycle_of_a_month(demand: Floats | Ints) -> bool:
    """Whether at the end of one of the last 31 days the log until then had a low that was there before and came back.

    demand: as of `fall_of`; weeks without any count as low here. Such demand is weighed by whole months. Source:
    docs/formulas/demand.md, Slices.
    """
    stretch = FALLEN_DAYS * DAY_H
    ends = len(demand) - DAY_H * np.arange(CYCLE_DAYS)
    ends = ends[ends >= 2 * stretch]
    so_far = np.concatenate(([0.0], np.cumsum(demand)))  # whole numbers below 2^53: exact
    held = so_far[ends] - so_far[ends - stretch]
    low = ends[100 * held * ends < FALLEN_PERCENT * so_far[ends] * stretch]
    return any(_came_back(demand[:end], float(so_far[end])) for end in low.tolist())


def fall_left(logged: Floats, unstated: Floats) -> Fall | None:
    """The fall of what the planner said nothing of, where the whole log of the row fell: a date closes no term.

    Of the row's workloads that the plan has, in each hour, shape (hours,): all, and those that nobody dated.
    """
    return fall_of(unstated) if fall_of(logged) else None


def needed_days(lengths_s: Ints) -> Floats:
    """Days that a slice must have run for commitments of these lengths, seconds; of up to a month none.

    Ten days for each month, 45 at most; shape of `lengths_s`.

    >>> needed_days(MONTH_S * np.array([1, 3, 36])).tolist()
    [0.0, 30.0, 45.0]
    """
    days = np.minimum(DAYS_PER_TERM_MONTH * lengths_s / MONTH_S, ENOUGH_DAYS)
    return np.asarray(np.where(lengths_s > MONTH_S, days, 0.0), dtype=np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class Lived:
    """Days of the window on which each slice of a row ran, less what contracts that run at a month's end serve.

    Shapes: days (months, slices); longest_s (2, slices): what may be signed now, seconds: nothing without an hour in
    the last 96, a month in silence; less contracts at the end of months 0 and 1.
    kept (months, slices): which keep terms over 3 months after a fall; None without one; fall_goes_on: it is not over.
    """

    days: Ints
    longest_s: Ints
    kept: Bools | None = None
    fall_goes_on: bool = False

    def closed(self, lengths_s: Ints, begin: int) -> Bools:
        """What slices from `begin` on may not sign: shape (months, ways, slices).

        lengths_s: of the ways, (ways,); begin: the first slice that is asked about. True: closed. Without a fall months
        are the first two; from then on every slice has had the days that it needs. Ways of up to a month are closed
        only by the last 96 hours, and those and silence only in month 0. Source: docs/formulas/policy.md.
        """
        young = self.days[: OPEN_FROM_MONTH if self.kept is None else None, begin:]
        granted = young + DAYS_A_MONTH * np.arange(len(young))[:, None]
        closed = granted[:, None, :] < needed_days(lengths_s)[None, :, None]
        closed[0] |= lengths_s[:, None] > self.longest_s[0, begin:]
        if self.kept is not None:
            is_long = lengths_s > LONGEST_AFTER_A_FALL_MONTHS * MONTH_S
            closed |= is_long[:, None] & ~self.kept[:, None, begin:]
        return np.asarray(closed)

    @property
    def of_any_age(self) -> "Lived":
        """With only what a fall closes."""
        return replace(self, days=self.days + ENOUGH_DAYS, longest_s=np.full_like(self.longest_s, FOR_EVER_S))

    def if_it_lasts(self, month: int, length: int) -> Bools:
        """Slices to which a length in seconds is open in a month only since they may go on until then; (slices,).

        In month 1 also what did not run in the last 96 hours, over a month what is silent; all where a fall goes on.
        False everywhere in month 0.
        """
        if not month or self.fall_goes_on:
            return np.full(self.days.shape[1], month > 0)
        days = self.days[min(month, len(self.days) - 1)]
        young = days < needed_days(np.array([length], dtype=np.int64))[0]
        return np.asarray(
            young | (length > self.longest_s[1]) if month == 1 and len(self.longest_s) > 1 else young
        )


def lived_in(
    model: ModelDemand,
    evidence: ModelDemand,
    months: Sequence[Month],
    schedules: Sequence[Schedule],
    slicings: Sequence[Slicing],
    hours: int,
    missing: Bools | None,
    falls: Sequence[Fall | None],
) -> tuple[Lived, ...]:
    """Of each row of a model. months: those that are asked about; days end with the window's end.

    evidence: the demand that days are counted on; schedules: of each group; falls: of each row. A slice that was
    reached only with what the planner states has lived for ever. missing: hours that are no evidence, (hours,); None
    for none.
    """
    known_h = np.arange(hours) if missing is None else np.flatnonzero(~missing)
    middles = [slicing.edges[:-1] + slicing.widths / 2 - ROUNDING_GPUS for slicing in slicings]
    known: dict[tuple[ModelDemand, MonthState], Floats] = {}

    def gpus(of: ModelDemand, state: MonthState) -> Floats:
        if (of, state) not in known:
            known[of, state] = residual_at(of, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        return known[of, state]

    lived: dict[tuple[MonthState, MonthState], list[tuple[Ints, Ints, Bools]]] = {}
    of_months = []
    for month in months:
        pair = (_as_today(month, months[0], schedules, True), _as_today(month, months[0], schedules, False))
        if pair not in lived:
            whole, logged = gpus(model, pair[0]), gpus(model, pair[1])
            seen, unstated = gpus(evidence, pair[0]), gpus(evidence, pair[1])
            lived[pair] = [
                (
                    count_busy_days(each, seen[row], unstated[row]),
                    find_longest_term_s(each, whole[row][known_h], logged[row][known_h]),
                    _in_each_week(each, whole[row][known_h], logged[row][known_h]),
                )
                for row, each in enumerate(middles)
            ]
        of_months.append(lived[pair])
    return tuple(
        Lived(
            np.stack([of_rows[row][0] for of_rows in of_months]),
            np.stack([of_rows[row][1] for of_rows in of_months[:OPEN_FROM_MONTH]]),
            np.stack([of_rows[row][2] & fall.is_over for of_rows in of_months]) if fall else None,
            fall is not None and not fall.is_over,
        )
        for row, fall in enumerate(falls)
    )


def count_busy_days(middles: Floats, whole: Floats, logged: Floats) -> Ints:
    """On how many days, counted back from the last hour, each middle was reached in some hour; (slices,)."""
    stated = _reached_by_what_is_stated(middles, whole, logged)
    by_day = np.concatenate((np.zeros(-len(whole) % DAY_H), whole)).reshape(-1, DAY_H).max(axis=1)
    days = len(by_day) - np.searchsorted(np.sort(by_day), middles, side="left")
    return np.where(stated, ENOUGH_DAYS, days)


def find_longest_term_s(middles: Floats, whole: Floats, logged: Floats) -> Ints:
    """The longest term now, seconds, (slices,): none where a middle was reached in none of the last 96 hours, a month
    where in none of the last 48 or more, longer than between two hours before; all where it is stated."""
    longest_s = np.where(middles <= whole[-LATELY_H:].max(), FOR_EVER_S, 0)
    for place in np.flatnonzero((longest_s > 0) & (middles > whole[-SILENCE_H:].max())).tolist():
        ran = np.flatnonzero(whole >= middles[place])
        if len(whole) - ran[-1] > np.diff(ran).max(initial=0):
            longest_s[place] = MONTH_S
    longest_s[_reached_by_what_is_stated(middles, whole, logged)] = FOR_EVER_S
    return longest_s


def _in_each_week(middles: Floats, whole: Floats, logged: Floats) -> Bools:
    """Whether each middle was reached in each whole week, six at least, or by what is stated, (slices,)."""
    by_week = whole[len(whole) % WEEK_HOURS :].reshape(-1, WEEK_HOURS).max(axis=1)
    least = by_week.min() if len(by_week) >= LEAST_WEEKS else 0.0
    return np.asarray(_reached_by_what_is_stated(middles, whole, logged) | (middles <= least))


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
    """The contracts of a month's end and the demand of today that the log has, but what the planner states is there as
    it is then, or not."""
    flows = [{flow for flow, factor in state.factors if factor} for _, state in month]
    now = [{flow for flow, factor in state.factors if factor} for _, state in first]
    factors = tuple(
        (
            flow,
            float(with_stated and any(flow in piece for piece in flows))
            if schedules[flow.group].counts_as_lived
            else float(not schedules[flow.group].repeats and any(flow in piece for piece in now)),
        )
        for flow, _ in month[0][1].factors
    )
    return MonthState(month[-1][1].capacities, factors)
