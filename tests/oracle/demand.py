"""Demand month by month: who is there, how far it has grown and moved, and what the existing contracts leave of it."""

from tests.oracle.policy import level_factor
from tests.oracle.serving import (
    MILLI_GPU_SECONDS,
    SERVING_ORDER,
    Kind,
    alike_hours,
    binds,
    demand_rows,
    runs_through,
    serve_month,
    split_streams,
)
from tests.oracle.stated import change_factor, days_of, pieces_of, planned_hours
from tests.oracle.volatility import sigma_of_log

DAY_S = 86_400


class Demand:
    """Demand of a project in the pools given; `rules`, `stated` and `beyond` as in the simulator.

    window: of the log; plan: the same window moved to where the plan begins (months are counted from its end).
    """

    def __init__(self, project, pools, classes, assumptions, rules, stated, half_life, sigma, joint=False):
        self.project, self.pools, self.classes = project, dict(pools), dict(classes)
        self.assumptions, self.rules, self.stated = assumptions, rules, stated
        self.sigma, self.joint = sigma, joint
        self.window, self.plan = project.window, project.plan_window
        self.hours, self.plan_from_s = self.window.hours, self.plan.end_s
        ages = [
            (self.hours - 1 - h) / 24 for h in range(self.hours)
        ]  # days from an hour's end to the window's end
        self.weights = [1.0] * self.hours if half_life is None else [2 ** (-age / half_life) for age in ages]
        self.rows = demand_rows(project)
        for one in stated.planned:
            self.rows[one, one.model] = planned_hours(one, self.window)
            self.pools[one.key] = one.pool
            self.classes[one.key] = one.pool
        self.workloads = {workload.key: workload for workload, _ in self.rows}
        self.cuts = [at for one in stated.planned for at in days_of(one, self.plan_from_s)]
        self.cuts += [at for days in stated.dates.values() for at in days]
        self.cuts += [change.at_s for change in stated.demand if not change.by]
        self._sigmas = {}

    # -- who is there -----------------------------------------------------------------------------------------

    def kind_of(self, workload, model):
        """What demand of a workload for a model has in common with others beside cluster, pool and model."""
        planned = workload in self.stated.planned
        days = days_of(workload, self.plan_from_s) if planned else self.stated.dates.get(workload.key)
        changes = tuple(
            place
            for place, change in enumerate(self.stated.demand)
            if change.what in ("all", workload.key, self.classes[workload.key])
        )
        only = self.stated.only.get(workload.key)
        if only is not None and not binds(only, self.project, workload.cluster, model):
            only = None
        return Kind(days or (None, None), changes, only, planned)

    def is_there(self, kind, at_s):
        begins, ends = kind.days
        return (begins is None or begins <= at_s) and (ends is None or at_s < ends)

    def there_in_month(self, kind, t):
        """In some part of month t?"""
        return any(self.is_there(kind, at_s) for at_s, _ in self.pieces(t))

    def pieces(self, t):
        return pieces_of(t, self.plan_from_s, self.cuts)

    def split(self, contracts, all_to_main=False):
        """Streams, with the unknown demand split by the contracts given."""
        return split_streams(
            self.project,
            self.pools,
            contracts,
            all_to_main,
            self.kind_of,
            self.rows,
            lambda kind: self.there_in_month(kind, 0),
        )

    # -- how far it has moved ---------------------------------------------------------------------------------

    def growth(self, pool, t):
        """G_t = product over i = 1..t of (1 + g fade^(i-1))."""
        own = None if pool == "joint" else getattr(self.assumptions, f"growth_{pool}")
        g = self.assumptions.growth if own is None else own
        if self.rules.growth_fade == 1:
            return (1 + g) ** t
        whole = 1.0
        for i in range(1, t + 1):
            whole *= 1 + g * self.rules.growth_fade ** (i - 1)
        return whole

    def sigma_of(self, pool, model, only=None):
        """Volatility of a pool and model: set by hand, else the log's own; the joint plan has that of what it pools."""
        own = None if self.joint or pool == "joint" else getattr(self.assumptions, f"sigma_{pool}")
        value = self.sigma if own is None else own
        if value is not None:
            return value
        if (pool, model, only) not in self._sigmas:
            pools = SERVING_ORDER if self.joint else (pool,)
            hourly = self.of_group({(each, model, only) for each in pools}, logged=True)
            self._sigmas[pool, model, only] = sigma_of_log(hourly)[0]
        return self._sigmas[pool, model, only]

    def factors(self, streams, at_s, t, j):
        """How much of each stream's logged demand there is at an instant of month t on level j."""
        answer = []
        for stream in streams:
            if not self.is_there(stream.kind, at_s):
                answer.append(0.0)
                continue
            changes = [self.stated.demand[place] for place in stream.kind.changes]
            factor = 1.0 if stream.kind.planned else self.growth(stream.pool, t)
            factor *= change_factor(changes, at_s, t, self.plan_from_s) if changes else 1.0
            answer.append(factor * level_factor(j, self.sigma_of(*stream.part) if j else 0.0))
        return tuple(answer)

    def lived_factors(self, streams, t, stated):
        """Today's level of D(h; 0), with (or without) what the planner states to be there in month t."""
        return tuple(
            1.0
            if (stated and self.is_stated(s.kind) and self.there_in_month(s.kind, t))
            or (not self.is_stated(s.kind) and self.there_in_month(s.kind, 0))
            else 0.0
            for s in streams
        )

    def is_stated(self, kind):
        """Planned, or a workload that the planner says comes back."""
        return kind.planned or kind.days[0] is not None

    # -- sums over hours --------------------------------------------------------------------------------------

    def mean(self, hourly):
        """Mean over hours, weighted by recency."""
        return sum(w * value for w, value in zip(self.weights, hourly, strict=True)) / sum(self.weights)

    def of_group(self, members, logged=False, wanted=lambda stream: True, at_s=None):
        """D(h) in GPUs by hour of {(pool, model, only)}: as month 0 has them by its days, or at one instant of it,
        or (logged) all that the log has."""
        hourly = [0.0] * self.hours
        for stream in self.streams:
            if stream.part not in members or not wanted(stream):
                continue
            if logged:
                there = float(not stream.kind.planned)
            else:
                there = self.in_month_0(stream) if at_s is None else self.factors([stream], at_s, 0, 0)[0]
            hourly = [
                have + there * more / MILLI_GPU_SECONDS
                for have, more in zip(hourly, stream.hourly, strict=True)
            ]
        return hourly

    def in_month_0(self, stream):
        """How much of a stream's logged demand there is in month 0, by its days."""
        return sum(share * self.factors([stream], at_s, 0, 0)[0] for at_s, share in self.pieces(0))


class Served:
    """Demand after contracts: what each stream leaves over in each month and level, cut into pieces."""

    def __init__(self, demand, streams, contracts):
        self.demand, self.streams, self.contracts = demand, streams, contracts
        self._known, self._hours, self._keys = {}, {}, {}
        self.first = alike_hours(streams, demand.hours)
        whole = sum(demand.weights)
        self.shares = {}  # of the window, by the first of hours that are alike
        for h, weight in zip(self.first, demand.weights, strict=True):
            self.shares[h] = self.shares.get(h, 0.0) + weight / whole

    def running(self, t):
        return tuple(c for c in self.contracts if runs_through(c, self.demand.plan, t))

    def keys(self, t, j):
        """[(share of the month, state)]: a state tells apart what is served differently."""
        if (t, j) not in self._keys:
            ids = tuple(c.contract_id for c in self.running(t))
            self._keys[t, j] = [
                (share, (ids, self.demand.factors(self.streams, at_s, t, j)))
                for at_s, share in self.demand.pieces(t)
            ]
        return self._keys[t, j]

    def state(self, key):
        """serve_month of a state: (left by stream, served by contract, served by stream)."""
        if key not in self._known:
            ids, factors = key
            running = [c for c in self.contracts if c.contract_id in ids]
            self._known[key] = serve_month(self.streams, running, self.demand.hours, factors, self.first)
        return self._known[key]

    def left(self, members, key):
        """R(h) in GPUs of {(pool, model, only)} in one state."""
        if (frozenset(members), key) not in self._hours:
            parts = [
                hourly
                for stream, hourly in zip(self.streams, self.state(key)[0], strict=True)
                if stream.part in members
            ]
            self._hours[frozenset(members), key] = [sum(column) for column in zip(*parts, strict=True)]
        return self._hours[frozenset(members), key]

    def residuals(self, members, t, j=0):
        """[(share of the month, R by hour)]."""
        return [(share, self.left(members, key)) for share, key in self.keys(t, j)]

    def lived(self, members, t, stated=True):
        """(state, R by hour) of today's level, less the contracts that run through month t."""
        ids = tuple(c.contract_id for c in self.running(t))
        key = ids, self.demand.lived_factors(self.streams, t, stated)
        return key, self.left(members, key)
