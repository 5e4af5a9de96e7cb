"""Demand part by part: who is there, how far it has grown and moved, and what the existing contracts leave of it."""

from calendar import monthrange
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import numpy as np

from tests.oracle.counted import counted_rows
from tests.oracle.policy import level_factor
from tests.oracle.serving import (
    MILLI_GPU_SECONDS,
    MONTH_S,
    SERVING_ORDER,
    Kind,
    alike_hours,
    binds,
    demand_rows,
    runs_at,
    serve_hours,
    split_streams,
)
from tests.oracle.slicing import fall_of, has_cycle_of_a_month
from tests.oracle.stated import LoggedRun, change_factor, parts_of, planned_hours
from tests.oracle.volatility import sigma_of_log

STEADY = 0.9
IDLE = ("development", "notebook")


class Demand:
    """Demand of a project in the pools given; planned runs are not in it. `stated` as in the simulator."""

    def __init__(
        self, project, pools, classes, assumptions, stated, joint=False, is_gap_missing=False, subtypes=None
    ):
        self.subtypes = subtypes or {}
        self.project, self.pools, self.classes = project, dict(pools), dict(classes)
        self.assumptions, self.stated, self.joint = assumptions, stated, joint
        self.hours, self.plan_from_s = project.window.hours, project.plan_window.end_s
        self.rows = demand_rows(project)
        self.missing = frozenset(self._gap_hours()) if is_gap_missing else frozenset()
        back = range(self.hours - 1, -1, -1)
        self.weekly = self._weights([(7 * (hour // 168), 1) for hour in back])
        self.monthly = self._weights(months_of_hours(self.hours, project.window.end_s))
        self.rows, self.began, self.ended = counted_rows(self.rows, self.hours, self.classes, stated.dates)
        for one in stated.planned:
            self.pools[one.key] = self.classes[one.key] = one.pool
            if not one.is_run:
                self.rows[one, one.model] = planned_hours(one, project.window)
        self.workloads = {workload.key: workload for workload, _ in self.rows}
        self.logged_runs = [run for key in stated.dates for run in self._run_of(key)]
        self.run_hours = {run: self.rows.pop((run.workload, run.model)) for run in self.logged_runs}
        apart = {run.key for run in self.logged_runs}
        self.cuts = [one.begins_s for one in stated.planned if not one.is_run]
        self.cuts += [at for key, days in stated.dates.items() if key not in apart for at in days]
        self.cuts += [change.at_s for change in stated.demand + stated.prices if not change.by]
        self._sigmas, self._cycles = {}, {}
        self.idle = {work.key for work in self.workloads.values() if self.is_idle_development(work)}

    def _weights(self, ages):
        """2^(-age / half-life) of every hour, adding up to 1; ages [(days, times that the hour counts)]."""
        half_life = self.assumptions.recency_half_life_days
        weights = []
        for hour, (age_days, times) in enumerate(ages):
            weight = times * (1.0 if half_life is None else 2 ** (-age_days / half_life))
            weights.append(0.0 if hour in self.missing else weight)
        return [weight / sum(weights) if any(weights) else 0.0 for weight in weights]

    def weights_of(self, members):
        """By whole weeks, or by whole months where the log of {(pool, model, only)} has a cycle of a month."""
        key = frozenset(members)
        if self.joint:
            key = frozenset((pool, *at) for _, *at in members for pool in SERVING_ORDER)
        if key not in self._cycles:
            logged = self.logged(key, lambda stream: not self.is_over(stream.kind))
            known = [gpus for hour, gpus in enumerate(logged) if hour not in self.missing]
            self._cycles[key] = has_cycle_of_a_month(np.array(known))
        is_aged = self.assumptions.recency_half_life_days is not None
        return self.monthly if is_aged and self._cycles[key] else self.weekly

    def is_over(self, kind):
        """Before the plan begins?"""
        return kind.days[1] is not None and kind.days[1] <= self.plan_from_s

    def _run_of(self, key):
        """[what is bought as a run]: of one known model, ends within 12 months, its mean is nearly its peak."""
        rows = [(row, hourly) for row, hourly in self.rows.items() if row[0].key == key]
        begins_s, ends_s = self.stated.dates[key]
        if len(rows) != 1 or rows[0][0][1] is None or ends_s is None or self.changes_of(key):
            return
        ((workload, model), hourly), first_s = rows[0], max(begins_s or 0, self.plan_from_s)
        if not first_s < ends_s <= self.plan_from_s + 12 * MONTH_S:
            return
        if float(np.dot(self.weekly, hourly)) >= STEADY * max(hourly) > 0:
            gpus = max(hourly) / MILLI_GPU_SECONDS
            yield LoggedRun(
                workload=workload,
                pool=self.pools[key],
                model=model,
                gpus=gpus,
                begins_s=begins_s,
                ends_s=ends_s,
            )

    def _gap_hours(self):
        """Hours of the lookback period without any job for 24 h or more, between hours with one."""
        busy = [hour for hour in range(self.hours) if any(hourly[hour] for hourly in self.rows.values())]
        for before, after in pairwise(busy):
            yield from range(before + 1, after) if after - before > 24 else ()

    # -- who is there -----------------------------------------------------------------------------------------

    def kind_of(self, workload, model):
        """What demand of a workload for a model has in common with others beside cluster, pool and model."""
        planned = workload in self.stated.planned
        days = (workload.begins_s, None) if planned else self.stated.dates.get(workload.key)
        if workload.key in self.ended:
            days = (None, self.plan_from_s)
        only = self.stated.only.get(workload.key)
        if only is not None and not binds(only, self.project, workload.cluster, model):
            only = None
        return Kind(days or (None, None), self.changes_of(workload.key), only, planned)

    def changes_of(self, key):
        """Places of the dated changes of a workload's demand."""
        named = ("all", key, self.classes[key])
        return tuple(place for place, change in enumerate(self.stated.demand) if change.what in named)

    def is_there(self, kind, at_s):
        begins, ends = kind.days
        return (begins is None or begins <= at_s) and (ends is None or at_s < ends)

    def is_ever_there(self, kind, from_s, to_s):
        """In some part of a span?"""
        begins, ends = kind.days
        return (begins is None or begins < to_s) and (ends is None or from_s < ends)

    def within_horizon(self, kind):
        return self.is_ever_there(
            kind, self.plan_from_s, self.plan_from_s + self.assumptions.horizon_months * MONTH_S
        )

    def in_month(self, kind, t):
        begin = self.plan_from_s + t * MONTH_S
        return self.is_ever_there(kind, begin, begin + MONTH_S)

    def split(self, contracts, all_to_main=False):
        """Streams, with the unknown demand split by the contracts given, as the plan begins."""
        running = [c for c in contracts if runs_at(c, self.plan_from_s)]
        there = lambda kind: self.is_there(kind, self.plan_from_s)  # noqa: E731
        return split_streams(self.project, self.pools, running, all_to_main, self.kind_of, self.rows, there)

    # -- how far it has moved ---------------------------------------------------------------------------------

    def growth(self, pool, t):
        """G_t = product over i = 1..t of (1 + g fade^(i-1))."""
        own = None if pool == "joint" else getattr(self.assumptions, f"growth_{pool}")
        g = self.assumptions.growth if own is None else own
        whole = 1.0
        for i in range(1, t + 1):
            whole *= 1 + g * self.assumptions.growth_fade ** (i - 1)
        return whole

    def sigma_of(self, pool, model, only=None):
        """Volatility of a pool and model: set by hand, else the log's own; the joint plan has that of what it pools."""
        own = None if self.joint or pool == "joint" else getattr(self.assumptions, f"sigma_{pool}")
        value = self.assumptions.sigma if own is None else own
        if value is not None:
            return value
        if (pool, model, only) not in self._sigmas:
            members = {(each, model, only) for each in (SERVING_ORDER if self.joint else (pool,))}
            hourly = self.logged(members)
            hourly = [gpus for hour, gpus in enumerate(hourly) if hour not in self.missing]
            hourly = hourly[-28 * 24 :] if fall_of(self, members) else hourly
            self._sigmas[pool, model, only] = sigma_of_log(hourly)[0]
        return self._sigmas[pool, model, only]

    def factors(self, streams, at_s, t, j):
        """How much of each stream's logged demand there is at an instant of month t on level j."""
        answer = []
        for stream in streams:
            factor = 0.0
            if self.is_there(stream.kind, at_s):
                factor = 1.0 if stream.kind.planned else self.growth(stream.pool, t)
                changes = [self.stated.demand[place] for place in stream.kind.changes]
                factor *= change_factor(changes, at_s, t, self.plan_from_s)
                factor *= level_factor(j, self.sigma_of(*stream.part) if j else 0.0)
            answer.append(factor)
        return tuple(answer)

    def in_log(self, stream):
        """A stream with the hours that the log has of it: without those that repeat a service back from its first."""
        hourly = [
            amount - sum(used[h] for key, used in stream.users.items() if h < self.began.get(key, 0))
            for h, amount in enumerate(stream.hourly)
        ]
        return replace(stream, hourly=hourly)

    def without_one_job(self, streams):
        """The streams without the largest job of each pool in training and burst and model; of equal ones the first
        job_id. A workload that the planner states keeps it."""
        largest = {}
        for stream in streams:
            if stream.pool in ("training", "burst") and stream.model_given:
                for job in self.project.jobs.largest:
                    if job.key in stream.users and job.gpu_model == stream.model:
                        mine = (-job.milli_gpu_seconds, job.job_id), stream, job
                        largest[stream.part] = min(
                            mine, largest.get(stream.part, mine), key=lambda one: one[0]
                        )
        answer = []
        for stream in streams:
            _, its, job = largest.get(stream.part, (None, None, None))
            if its is stream and not self.is_stated(stream.kind) and job.key not in self.idle:
                taken = job_hours(job, self.project.window)
                left = [had - used for had, used in zip(stream.hourly, taken, strict=True)]
                stream = replace(stream, hourly=left)
            answer.append(stream)
        return answer

    def without_idle_development(self, streams):
        """The streams without what `persistent_dev` names: it is no evidence, unless the planner states it."""
        return [
            stream if self.is_stated(stream.kind) else replace(stream, hourly=less(stream, self.idle))
            for stream in streams
        ]

    def is_idle_development(self, workload):
        """Classed burst, development or a notebook, held over 24 h with activity under 10%, unmeasured over 72 h?"""
        if workload in self.stated.planned or self.classes[workload.key] != "burst":
            return False
        activity, longest_h = workload.activity, workload.longest_job_s / 3600
        is_held = longest_h > 72 if activity is None else longest_h > 24 and activity < 0.1
        return self.subtypes.get(workload.key, "") in IDLE and is_held

    def is_stated(self, kind):
        """Planned, or a workload that the planner says comes back."""
        return kind.planned or kind.days[0] is not None

    # -- sums over hours --------------------------------------------------------------------------------------

    def mean(self, hourly, members):
        """Mean over hours, weighted by recency."""
        return float(np.dot(self.weights_of(members), hourly))

    def logged(self, members, wanted=lambda stream: True):
        """GPUs by hour that the log has of {(pool, model, only)} and the plan too: who is over by then is not in it."""

        def is_wanted(stream):
            ends = stream.kind.days[1]
            return not stream.kind.planned and (ends is None or ends > self.plan_from_s) and wanted(stream)

        return self.hourly(members, lambda stream: float(is_wanted(stream)), map(self.in_log, self.streams))

    def hourly(self, members, factor_of, streams=None):
        gpus = np.zeros(self.hours)
        for stream in self.streams if streams is None else streams:
            factor = factor_of(stream) if stream.part in members else 0.0
            if factor:
                gpus = gpus + np.array(stream.hourly) * factor / MILLI_GPU_SECONDS
        return gpus


def less(stream, keys):
    """Amounts of a stream by hour without those of some workloads."""
    taken = [used for key, used in stream.users.items() if key in keys]
    return [amount - sum(used[h] for used in taken) for h, amount in enumerate(stream.hourly)]


def months_before(at, count):
    """By the calendar: from the second half of a month as long before the end of an earlier one."""

    def first_of(month):
        year, month = divmod(12 * at.year + at.month - 1 + month, 12)
        return datetime(year, month + 1, 1, tzinfo=UTC)

    if first_of(1) - at < at - first_of(0):
        return first_of(1 - count) - (first_of(1) - at)
    return first_of(-count) + (at - first_of(0))


def months_of_hours(hours, end_s):
    """[(age in days, times that the hour counts in a month of 730 h)], oldest first: whole calendar months, back from
    the end; a month that the log does not hold from its beginning counts 0 times."""
    answer, months, last = [], 0, datetime.fromtimestamp(end_s, UTC)
    while len(answer) < hours:
        begin, end = months_before(last, months + 1), months_before(last, months)
        count, age_days, months = round((end - begin) / timedelta(hours=1)), 730 / 24 * months, months + 1
        inner = [at for at in (begin + timedelta(hours=h) for h in range(count)) if is_between(at)]
        times = [250 / len(inner) if begin + timedelta(hours=h) in inner else 1 for h in range(count)]
        if len(answer) + count > hours:
            times = [0] * (hours - len(answer))
        answer = [(age_days, one) for one in times] + answer
    return answer


def is_between(at):
    """Neither in the first ten days of its month nor in the last ten?"""
    return 11 <= at.day <= monthrange(at.year, at.month)[1] - 10


def job_hours(job, window):
    """Milli-GPU-seconds of a job in each hour of the window."""
    starts = [window.start_s + hour * 3600 for hour in range(window.hours)]
    return [job.milli_gpus * max(0, min(job.end_s, at + 3600) - max(job.start_s, at)) for at in starts]


class Served:
    """Demand after contracts: what each stream leaves over in each part and level.

    contracts: with the ends that they have in the list. A state (contracts that run, factor of each stream) is served
    once; its arrays are by hour of those that differ, `weights_of` their shares of the window.
    """

    def __init__(self, demand, streams, contracts, cuts=()):
        self.demand, self.streams, self.contracts = demand, streams, contracts
        self.cuts = [*demand.cuts, *cuts, *(at for c in contracts for at in (c.start_s, c.end_s))]
        self._known, self._parts = {}, {}
        alike = alike_hours(streams, demand.hours)
        self.first = [first for first, _ in alike]
        self._alike, self._weights = [members for _, members in alike], {}
        self.place_of_hour = np.zeros(demand.hours, dtype=int)
        for place, (_, members) in enumerate(alike):
            self.place_of_hour[members] = place

    def parts(self, t):
        """[(from_s, to_s)] of month t."""
        if t not in self._parts:
            self._parts[t] = parts_of(t, self.demand.plan_from_s, self.cuts)
        return self._parts[t]

    def key(self, at_s, t, j, without=lambda contract: False):
        ids = tuple(c.contract_id for c in self.contracts if runs_at(c, at_s) and not without(c))
        return ids, self.demand.factors(self.streams, at_s, t, j)

    def state(self, key):
        """serve_hours of a state: (left by stream, served by contract, served by stream)."""
        if key not in self._known:
            running = [c for c in self.contracts if c.contract_id in key[0]]
            self._known[key] = serve_hours(self.streams, running, self.first, key[1])
        return self._known[key]

    def left(self, members, key):
        """R in GPUs of {(pool, model, only)} in one state."""
        return self._sum(self.state(key)[0], members)

    def served_gpus(self, members, key):
        """Mean GPUs that contracts serve of {(pool, model, only)} in one state."""
        return self.mean(self._sum(self.state(key)[2], members), members)

    def _sum(self, by_stream, members):
        mine = [gpus for stream, gpus in zip(self.streams, by_stream, strict=True) if stream.part in members]
        return sum(mine, np.zeros(len(self.first)))

    def weights_of(self, members):
        """Of the hours that differ, for {(pool, model, only)}."""
        key = frozenset(members)
        if key not in self._weights:
            weights = self.demand.weights_of(members)
            self._weights[key] = np.array([sum(weights[h] for h in hours) for hours in self._alike])
        return self._weights[key]

    def mean(self, gpus, members):
        return float(np.dot(self.weights_of(members), gpus))

    def by_hour(self, gpus):
        return gpus[self.place_of_hour]
