"""Sentences about waits: what the log and a replay say, what a target costs, and how far to trust them."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from math import inf
from typing import Final

from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.decision_waits import month_words
from gpuplanner.domain.commitment.next_decision import NextDecision
from gpuplanner.domain.commitment.numbers import decision_number
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.titles import NOT_STATED
from gpuplanner.domain.figures.typed import (
    Written,
    amount,
    change,
    day,
    decimals,
    month_of_year,
    percent,
    whole,
    worded_whole,
)
from gpuplanner.domain.figures.waiting import WITH_ROOM
from gpuplanner.domain.message import NO_WORDS, Message, Text, capital, joined, worded, worded_count
from gpuplanner.domain.model.tables import POOL_TITLES, SERVING_ORDER, Pool
from gpuplanner.domain.model.window import DAYS
from gpuplanner.domain.queue.frontier import FrontierPoint, Gap, OfModel, TargetFound, are_apart
from gpuplanner.domain.queue.ground import Fewest
from gpuplanner.domain.queue.later_months import LaterWaits, MonthWait, with_waits
from gpuplanner.domain.queue.rows import Fragment, QueueRow, WaitsBy, shared_models
from gpuplanner.domain.queue.waiting import Waiting
from gpuplanner.domain.queue.waits import SECONDS_PER_HOUR, SHORT_S
from gpuplanner.lazy_dataclass import replace

OF_A_SAMPLE: Final = 0.95
"""A log of whose waiting so much had room shows not all who were there."""


OF_A_REPLAY: Final = worded(
    "Waits of logged jobs on today's GPUs and in the plan's first month, without growth."
)
OF_ITS_MONTHS: Final = worded("Waits of logged jobs on today's GPUs and on the plan's, without growth.")


MARK_TITLES: Final[Mapping[str, Message]] = {
    "today": worded("as many as today"),
    "agreed": worded("agrees with the log"),
    "shared": worded("as today for all pools"),
    "plan": worded("the plan"),
    "knee": worded("the knee"),
    "target": worded("the target"),
    "missed": worded("the target (logged waits exceed it)"),
}


def likely(point: FrontierPoint) -> Text:
    """Where its P90 would really lie, hours; empty where the log does not say."""
    if (span := point.corrected) is None:
        return ""
    low, high = decimals(span.low_h), decimals(span.high_h)
    return worded("{low} to {high}", low=low, high=high)


def marks_words(point: FrontierPoint) -> Text:
    """What a size is; empty for one in between."""
    called = {"today": "shared" if point.today.is_shared else "today"}
    called |= {"target": "missed"} if point.is_missed else {}
    return joined((MARK_TITLES[called.get(mark, mark)] for mark in point.marks), ", ")


def by_log(point: FrontierPoint) -> tuple[Message, ...]:
    """The range of a knee on which the log expects longer waits than today's, told beside its name; else none."""
    span, least_h = point.corrected, (point.today.p90_h or 0.0) + SHORT_S / SECONDS_PER_HOUR
    is_said = "knee" in point.marks and span is not None and span.low_h > least_h
    return (worded("{likely} h by the log", likely=likely(point)),) if is_said else ()


def name_of(row: WaitsBy) -> Text:
    """What a row is called; an hour of the week as its day and hour, a month in words."""
    if row.by == "hour_of_week":
        day, hour = divmod(int(row.name), 24)
        return joined((DAYS[day], f"{hour:02}:00"), " ")
    if row.by == "month":
        at = datetime.fromisoformat(f"{row.name}-15T12:00Z")
        return joined((month_of_year(int(at.timestamp())),))
    return POOL_TITLES[Pool(row.name)] if row.by == "pool" else row.name or NOT_STATED


STANDING: Final[Mapping[bool, Message]] = {
    True: worded("Sizes for all pools of a GPU model: GPUs, cost and waits"),
    False: worded("Sizes of one pool and GPU model: GPUs, cost and waits"),
}
"""What points are called, by whether they are `is_together`."""


def by_standing(points: Sequence[FrontierPoint]) -> list[tuple[Message, list[FrontierPoint]]]:
    """Points under the title of all pools together, and of one alone, as far as there are any."""
    parts = {
        title: [point for point in points if point.is_together is which] for which, title in STANDING.items()
    }
    return [(title, rows) for title, rows in parts.items() if rows]


def longest_wait(row: QueueRow | FrontierPoint) -> float:
    """What rows are sorted by: where no job of a pool ever starts, nobody waits longer."""
    return inf if row.waits.p90_h is None else row.waits.p90_h


def today_p90_h(waiting: Waiting) -> dict[Pool, float | None]:
    """P90 of each pool on today's GPUs, h: replayed as that of the plan is, so that the two differ by GPUs alone."""
    return {row.pool: row.waits.p90_h for row in waiting.today}


def wait_lines(waiting: Waiting, horizon: Horizon = Horizon.TWELVE_MONTHS) -> tuple[Text, ...]:
    """P90 of the pool that waits longest, the longest form first; none without submit times.

    Of today as the log has it; of a plan replayed, beside today replayed: the worst month of a period where its months
    are known, otherwise the first.
    """
    if not waiting.measured:
        return ()
    later = waiting.later
    if later is not None and (worst := later.worst_in(horizon)) is not None:
        return _worst_lines(later, worst)
    row = max(waiting.replayed if waiting.is_planned else waiting.measured, key=longest_wait)
    today = today_p90_h(waiting).get(row.pool)
    wait: Text | Written = decimals(row.waits.p90_h)
    pool = POOL_TITLES[row.pool]
    words = worded("P90 wait in the log, {pool}: {wait} h", pool=pool, wait=wait)
    if waiting.is_planned:
        wait = worded("{today} \u2192 {plan}", today=decimals(today), plan=wait)
        words = worded("P90 wait, {pool}, replayed: {wait} h", pool=pool, wait=wait)
    return (
        words,
        worded("P90 wait, {pool}: {wait} h", pool=pool, wait=wait),
        worded("P90 wait {wait} h", wait=wait),
    )


def _worst_lines(later: LaterWaits, worst: MonthWait) -> tuple[Text, ...]:
    """The wait of a pool in the worst month of a period, from when on and after which decision, the longest form first.

    Jobs that never start then come first, otherwise P90 beside that of today.
    """
    pool, today = POOL_TITLES[worst.wait.pool], later.today.get(worst.wait.pool)
    never = later.never_more(worst.wait)
    today_h = None if today is None else today.p90_h
    hours = worded("{today} \u2192 {plan}", today=decimals(today_h), plan=decimals(worst.wait.p90_h))
    wait: Text = worded("P90 wait, {pool}: {wait} h", pool=pool, wait=hours)
    if never > 0:
        wait = worded_whole(
            never, "{pool}: {count} job never starts", "{pool}: {count} jobs never start", pool=pool
        )
    shortest = wait if never > 0 else worded("P90 wait {wait} h", wait=hours)
    decision = worst.decision
    if decision is None and worst.month == 0:
        return (wait, shortest)
    from_month = worded("{wait} from {month}", wait=wait, month=month_words(worst.from_s, worst.month))
    if decision is None:
        return (from_month, wait, shortest)
    number = decision_number(decision.number)
    after = worded(
        "{wait}, after {contract} ends ({number})",
        wait=from_month,
        contract=decision.contract_id,
        number=number,
    )
    return (after, worded("{wait} ({number})", wait=from_month, number=number), from_month, wait, shortest)


def target_words(answer: TargetFound, frontier: Sequence[FrontierPoint] = ()) -> Message:
    """What a target costs, beside the plan, and that the log's own correction of its size says that it is missed."""
    missed = [
        worded("The log's own waits exceed it: P90 {likely} h.", likely=likely(point))
        for point in frontier
        if point.is_missed
    ]
    return joined((_target_words(answer), *missed), " ")


def _target_words(answer: TargetFound) -> Message:
    """What a target costs by the replay alone."""
    asked, size = answer.asked, answer.found
    pool, most = POOL_TITLES[asked.pool], decimals(asked.p90_h)
    if size is None and asked.is_of_all:
        return worded("On every size, some {pool} jobs wait or move to on demand.", pool=pool)
    if size is None:
        return worded("No size keeps P90 of {pool} within {most} h.", pool=pool, most=most)
    gpus, model, usd = whole(size.gpus), size.gpu_model or "", amount(size.usd_per_month)
    where = worded("for {pool} alone", pool=pool)
    if size.is_together:
        where = worded("for all pools together")
    words = worded(
        "{gpus} {model} GPUs {where} keep P90 of {pool} within {most} h: {p90} h, {usd} per month at {rate} per "
        "GPU-hour.",
        gpus=gpus,
        model=model,
        where=where,
        pool=pool,
        most=most,
        p90=decimals(size.waits.p90_h),
        usd=usd,
        rate=amount(size.rate, 2),
    )
    if asked.is_of_all:
        words = worded(
            "With {gpus} {model} GPUs {where} no {pool} job waits or moves to on demand: {usd} per month at "
            "{rate} per GPU-hour.",
            gpus=gpus,
            model=model,
            where=where,
            pool=pool,
            usd=usd,
            rate=amount(size.rate, 2),
        )
    if answer.plan is None:
        return words
    gpus, p90 = whole(answer.plan.gpus), decimals(answer.plan.waits.p90_h)
    beside = worded(
        "The plan has {gpus}, P90 {p90} h; difference {usd} per month.",
        gpus=gpus,
        p90=p90,
        usd=change(answer.difference_usd_per_month),
    )
    if answer.is_plan_shared:
        beside = worded(
            "The plan has {gpus} for all pools that share them, P90 {p90} h. Other pools need more.",
            gpus=gpus,
            p90=p90,
        )
    return joined((words, beside), " ")


def _fragment(piece: Fragment) -> Message:
    """atlas H100: 900 GPU-h, $2,700."""
    pool = "" if piece.pool is None else POOL_TITLES[piece.pool]
    name = joined((part for part in (piece.cluster, piece.gpu_model, pool) if part), " ")
    return worded(
        "{name} {hours} GPU-h, {usd}", name=name, hours=whole(piece.gpu_hours), usd=amount(piece.usd)
    )


def idle_words(waiting: Waiting) -> tuple[Message, ...]:
    """What no waiting gang could reach, where, and what whole nodes cost in waiting."""
    parts = []
    if waiting.fragments:
        sets = joined(map(_fragment, waiting.fragments), "; ")
        parts.append(worded("Free, but too few for the next job: {sets}.", sets=sets))
    pairs = list(zip(waiting.replayed, waiting.loose, strict=False))
    differ = [
        worded(
            "{pool} {alone} h instead of {wait} h",
            pool=POOL_TITLES[loose.pool],
            alone=decimals(loose.waits.p90_h),
            wait=decimals(row.waits.p90_h),
        )
        for row, loose in pairs
        if str(decimals(row.waits.p90_h)) != str(decimals(loose.waits.p90_h))
    ]
    if differ:
        parts.append(worded("Without node fragmentation, P90 would be: {pools}.", pools=joined(differ, "; ")))
    elif pairs:
        parts.append(worded("Without node fragmentation, P90 would be the same."))
    return tuple(parts)


def _bend_words(knee: FrontierPoint) -> Message:
    """From which size to which a curve bends about as well as at its knee; no words where it alone does."""
    low, high = knee.bend or (knee.gpus, knee.gpus)
    words = worded("{low} to {high} bend about as well", low=whole(low), high=whole(high))
    return words if low < high else NO_WORDS


def size_words(waiting: Waiting) -> tuple[Message, ...]:
    """Where the knees of pools lie on GPUs that all pools of a model share, or that sizes are of one pool alone; none
    where no pools have a model in common.
    """
    shared, parts = [point for point in waiting.frontier if point.is_together], []
    if waiting.frontier and not shared and shared_models(waiting.by_model):
        return (worded("Sizes cover one pool. If pools share a GPU model, add --together."),)
    for model in dict.fromkeys(point.gpu_model for point in shared):
        pools = [
            worded(
                "{pool} {gpus} GPUs ({details})",
                pool=POOL_TITLES[point.pool],
                gpus=whole(point.gpus),
                details=joined(
                    filter(
                        None,
                        (
                            worded(
                                "P90 {p90} h, {usd} per month",
                                p90=decimals(point.waits.p90_h),
                                usd=amount(point.usd_per_month),
                            ),
                            _bend_words(point),
                        ),
                    ),
                    "; ",
                ),
            )
            for point in shared
            if point.gpu_model == model and "knee" in point.marks
        ]
        if pools:
            today = whole(next(point.today.gpus for point in shared if point.gpu_model == model))
            values = {"model": model or NOT_STATED, "pools": joined(pools, ", "), "today": today}
            parts.append(worded("{model}: {pools}; today has {today}", **values))
    words = worded("All pools of each GPU model together, at the knee: {models}.", models=joined(parts, ". "))
    return (words,) if parts else ()


def trust_words(waiting: Waiting) -> tuple[Message, ...]:
    """What to know of a replay, one sentence a line: its sizes together, and all else."""
    return (*size_words(waiting), *plan_words(waiting), *replay_words(waiting))


def plan_words(waiting: Waiting) -> tuple[Message, ...]:
    """By GPU model: where the replay and the log differ, which size is better than the plan, and what each pays."""
    checks = (*waiting.asked, *better_checks(waiting))
    lines = (
        worded("{where}: {name}", where=check.subject, name=check.message)
        if check.subject
        else capital(check.message)
        for check in checks
    )
    others = ((*_gap_words(of), *_cost_words(of, waiting.on_demand)) for of in waiting.models)
    return (*_limit_words(waiting), *lines, *chain.from_iterable(others))


MOST_NAMED: Final = 5


def _limit_words(waiting: Waiting) -> Iterator[Message]:
    """Limits that no job has, and jobs that are larger than theirs."""
    if waiting.unmatched:
        names = "; ".join(", ".join(filter(None, limit.names)) for limit in waiting.unmatched)
        yield worded("No logged job has these limits: {names}. Check the names.", names=names)
    if count := len(waiting.larger):
        names = ", ".join(waiting.larger[:MOST_NAMED]) + ", \u2026" * (count > MOST_NAMED)
        yield worded_count(
            count,
            "{jobs} job exceeds its limit and never starts, whatever the size: {names}.",
            "{jobs} jobs exceed their limits and never start, whatever the size: {names}.",
            jobs=whole(count),
            names=names,
        )


def _gap(gap: Gap) -> Message:
    """Training P90 55.6 h (in the log 3.2 h)."""
    pool, share = POOL_TITLES[gap.pool], percent(gap.out_share)
    if not gap.is_long:
        return worded("{pool} moves {share} of GPU-hours to on demand (log: none)", pool=pool, share=share)
    replayed, log = decimals(gap.replayed_h), decimals(gap.log_h)
    return worded("{pool} P90 {replayed} h (log {log} h)", pool=pool, replayed=replayed, log=log)


def _gap_words(of: OfModel) -> Iterator[Message]:
    """Which pools the replay on today's GPUs shows otherwise than the log, why, and where it agrees."""
    is_short = any(gap.is_long and not gap.is_longer for gap in of.gaps)
    is_longer, hours = any(gap.is_longer for gap in of.gaps), whole(of.over_gpu_hours)
    replayed_h = {gap.pool: gap.replayed_h for gap in of.gaps}
    shared = [point for point in of.shared if are_apart(replayed_h[point.pool], point.waits.p90_h)]
    remarks = (
        (
            not of.today_gpus,
            worded("{model}: no contract serves these jobs.", model=of.gpu_model or NOT_STATED),
        ),
        (
            of.today_gpus,
            worded(
                "{model}: on today's {gpus} GPUs, cluster by cluster, the replay differs from the log: {pools}.",
                model=of.gpu_model or NOT_STATED,
                gpus=whole(of.today_gpus),
                pools=joined(map(_gap, of.gaps), "; "),
            ),
        ),
        (
            is_longer and of.over_gpu_hours,
            worded("{hours} logged GPU-hours ran outside contracts.", hours=hours),
        ),
        (is_longer and not of.over_gpu_hours, worded("The log's scheduler used another order.")),
        (
            shared,
            worded(
                "With all {gpus} GPUs shared from the first hour: {pools}.",
                gpus=whole(of.today_gpus),
                pools=joined(
                    (
                        worded(
                            "{pool} P90 {wait} h",
                            pool=POOL_TITLES[point.pool],
                            wait=decimals(point.waits.p90_h),
                        )
                        for point in shared
                    ),
                    "; ",
                ),
            ),
        ),
        (is_short, worded("Longer waits in the log: nodes down, or user and account limits.")),
        (
            of.agreed,
            worded(
                "Calibrated: on {gpus} GPUs no pool waits longer than logged.",
                gpus=whole(of.agreed[0].gpus if of.agreed else None),
            ),
        ),
        (not of.agreed, worded("On every size, replayed waits exceed the log's.")),
    )
    if of.gaps:
        yield joined((words for holds, words in remarks if holds), " ")


def _better_words(of: OfModel, order: Order | None) -> Message:
    """The size that costs less than the plan while nobody waits longer, and the order to drop."""
    size, plan = of.better[0], of.plan[0]
    pools = [
        worded(
            "{pool} P90 {size} h instead of {plan} h",
            pool=POOL_TITLES[size.pool],
            size=decimals(size.waits.p90_h),
            plan=decimals(plan.waits.p90_h),
        )
        for size, plan in zip(of.better, of.plan, strict=True)
        if round(size.waits.p90_h or 0.0, 1) != round(plan.waits.p90_h or 0.0, 1)
    ]
    words = worded(
        "In the replay, {gpus} shared GPUs cost less than the plan's {plan} and no pool waits longer: {usd} "
        "instead of {plan_usd} per month.",
        gpus=whole(size.gpus),
        plan=whole(plan.gpus),
        usd=amount(size.usd_per_month),
        plan_usd=amount(plan.usd_per_month),
    )
    words = joined((words, " ", joined(pools, "; "), "."), "") if pools else words
    if order is None:
        return words
    drop = worded(
        "To share GPUs, plan one pool and drop order {offer} ({gpus} GPUs for {pool} alone, {usd} per month).",
        offer=order.offer_id,
        gpus=whole(order.gpus),
        pool=POOL_TITLES[order.pool],
        usd=amount(order.cost_per_month),
    )
    return joined((words, drop), " ")


def better_checks(waiting: Waiting) -> tuple[Check, ...]:
    """That a plan is dominated, by GPU model: the size that is better, and the order to drop."""
    return tuple(
        Check(
            code="better_size",
            severity="amber",
            subject=of.gpu_model or NOT_STATED,
            message=_better_words(of, waiting.drop.get(of.gpu_model)),
            usd_per_month=of.saved_usd_per_month,
        )
        for of in waiting.models
        if of.better
    )


def with_waiting(evaluation: Evaluation, waiting: Waiting | None) -> Evaluation:
    """Return an evaluation with what a replay of its plan says: the waits of its decisions, and checks.

    waiting: of the evaluation's plan; None where nobody knows.
    """
    if waiting is None:
        return evaluation
    outlook = evaluation.outlook
    if outlook is None:
        return replace(evaluation, waits=better_checks(waiting))
    if waiting.later is not None:
        decisions = with_waits(outlook.next_decisions, waiting.later.decisions)
        outlook = replace(outlook, next_decisions=decisions)
    checks = (*better_checks(waiting), *longer_checks(outlook.next_decisions))
    return replace(evaluation, outlook=outlook, waits=checks)


def longer_checks(decisions: Sequence[NextDecision]) -> tuple[Check, ...]:
    """Return a check for each decision after which jobs of a pool wait over an hour longer, or never start; those
    that never start come first."""
    return tuple(
        Check(
            code="decision_waits",
            severity="amber",
            subject=decision.contract_id,
            message=worded(
                "{wait} (decision {number})",
                wait=decision.waits.text_without_range,
                number=decision_number(decision.number),
            ),
            usd_per_month=None,
            is_first=decision.waits.main.increase[0] > 0,
        )
        for decision in decisions
        if decision.waits is not None and decision.waits.is_much_longer
    )


DIFFERS: Final = 0.10
"""Of the plan's cost of a GPU model: from then on it is told why the replay costs more or less."""


def _cost_words(of: OfModel, on_demand: Mapping[str | None, float]) -> Iterator[Message]:
    """What the plan and its replay pay on demand, where these differ by more than 10% of the cost."""
    usd, plan = on_demand.get(of.gpu_model), of.plan[0] if of.plan else None
    if usd is None or plan is None or plan.usd_per_month is None:
        return
    more = (moved := plan.moved_usd_per_month) - usd
    if abs(more) > DIFFERS * (plan.usd_per_month - more):
        yield worded(
            "{model}: the plan pays {usd} per month on demand, its replay {moved} ({change}). "
            "The plan moves single hours, the replay whole jobs.",
            model=of.gpu_model or NOT_STATED,
            usd=amount(usd),
            moved=amount(moved),
            change=change(more),
        )


def holds_words(point: FrontierPoint) -> Text:
    """What the dollars of a size are; empty where they are unknown."""
    if point.usd_per_month is None:
        return ""
    moved, gpus = point.moved_usd_per_month, whole(point.gpus)
    given = {"gpus": gpus, "held": amount(point.usd_per_month - moved), "moved": amount(moved)}
    words = worded(
        "Commitments for {gpus} GPUs {held}, jobs the replay moves to on demand {moved}. Excludes the plan's "
        "on demand and separate pools.",
        **given,
    )
    if point.is_shared:
        words = worded(
            "Contracts and orders for {gpus} GPUs in separate pools {held}, jobs the replay moves to on demand "
            "{moved}, instead of the plan's on demand.",
            **given,
        )
    if point.apart_usd is None:
        return words
    apart = worded(
        "Separate pools cost {usd} compared with as many shared GPUs.", usd=change(point.apart_usd)
    )
    return joined((words, apart), " ")


def replay_words(waiting: Waiting) -> tuple[Message, ...]:
    """What stood idle in it, and how far to trust it."""
    rooms = [row for row in waiting.measured if row.waited_with_room is not None]
    room = joined(
        (
            worded("{pool} {share}", pool=POOL_TITLES[row.pool], share=percent(row.waited_with_room))
            for row in rooms
        ),
        ", ",
    )
    today = today_p90_h(waiting)
    is_longer = any((today.get(row.pool) or 0.0) > (row.waits.p90_h or 0.0) for row in waiting.measured)
    out_usd = sum(row.sent_out_usd or 0.0 for row in waiting.replayed)
    is_sample = bool(rooms) and all((row.waited_with_room or 0) >= OF_A_SAMPLE for row in rooms)
    submits, limits = percent(waiting.submit_known), percent(waiting.limit_known)
    remarks = (
        (True, worded("Distribution of waits for GPUs; single jobs may differ.")),
        (
            waiting.measured and not is_longer,
            worded("The longest replayed waits are too short; the log corrects ranges."),
        ),
        (
            out_usd,
            worded(
                "Jobs the replay moves to on demand cost {usd} in the lookback period, in no total.",
                usd=amount(out_usd),
            ),
        ),
        (waiting.is_planned, OF_A_REPLAY),
        # the waits of the later months say it better
        *((waiting.later is None or not waiting.later.months, words) for words in _of_fewest(waiting.fewest)),
        (
            not waiting.submit_known,
            worded("No submit times in the log: jobs are assumed to start without a wait."),
        ),
        (
            0 < waiting.submit_known < 1,
            worded(
                "{known} of jobs have submit times and logged waits. Others are assumed not to wait.",
                known=submits,
            ),
        ),
        (rooms, worded("Waits in the log with GPUs free: {rows}. {name}", rows=room, name=WITH_ROOM)),
        (is_sample, worded("Almost all waits had GPUs free: the log may be a sample. Compare only sizes.")),
        (
            limited := sum(limit.max_gpus is not None for limit in waiting.limits),
            worded("Limits in the replay: {many}.", many=whole(limited)),
        ),
        (waiting.is_fair, worded("Replay order: fair share, least use per share first.")),
        *((True, words) for words in _of_misses(waiting)),
        (
            waiting.is_capacity_guessed,
            worded(
                "No contract states the cluster size: assumed as GPUs used 99% of the time. Compare only sizes."
            ),
        ),
        (
            any(point.is_shared for point in waiting.frontier),
            worded("The plan's size is its own replay with shared GPUs."),
        ),
        (
            [row.waits.jobs for row in waiting.today] != [row.waits.jobs for row in waiting.replayed],
            worded("Today and the log are by class, the plan by pool."),
        ),
        (waiting.begins_cold, worded("The replay starts with all GPUs free.")),
        (
            waiting.limit_known < 1,
            worded("{known} of jobs state a time limit; others use actual run time.", known=limits),
        ),
        (
            waiting.never_fit,
            worded("Jobs that never start are not counted: {many}.", many=whole(len(waiting.never_fit))),
        ),
    )
    return (*idle_words(waiting), *(words for holds, words in remarks if holds))


def _of_fewest(fewest: Fewest | None) -> tuple[Message, ...]:
    """That a plan has fewer GPUs later than those on which its waits are."""
    if fewest is None:
        return ()
    return (
        worded(
            "The plan has {first} GPUs in month 1 and fewest ({least}) in the month from {day}. Then jobs may wait "
            "longer, unless on demand.",
            first=whole(fewest.first_gpus),
            least=whole(fewest.gpus),
            day=day(fewest.begins_s),
        ),
    )


def _of_misses(waiting: Waiting) -> list[Message]:
    """By how much the calibration missed the last quarter of the window."""
    return [
        worded(
            "{pool}: on the log's last quarter, the corrected P90 was {times} times the logged P90.",
            pool=POOL_TITLES[pool],
            times=decimals(waiting.calibrated[pool].miss),
        )
        for pool in SERVING_ORDER
        if pool in waiting.calibrated and waiting.calibrated[pool].miss is not None
    ]
