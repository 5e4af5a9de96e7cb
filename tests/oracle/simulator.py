"""The plan of docs/formulas.md, slowly: loops over hours, months, levels and slices; no code of the engine's."""

import math
from types import SimpleNamespace

import numpy as np

from tests.oracle.offers import (
    cheapest,
    committed_by_term,
    first_month,
    is_eligible,
    pool_usage,
    same_model,
    workload_usage,
)
from tests.oracle.past import remaining_months, simulate_past
from tests.oracle.policy import level_factor, levels, middle_path, solve_slice
from tests.oracle.serving import (
    MILLI_GPU_SECONDS,
    MONTH_S,
    SERVING_ORDER,
    merit,
    runs_through,
    serve_month,
    split_streams,
)

DAY_S = 86_400


class Simulator:
    """One project, scenario and placement of workloads ({key: pool}); `plan()` answers with everything."""

    def __init__(self, project, scenario, pools, classes, joint=False):
        self.project, self.scenario, self.pools, self.classes = project, scenario, pools, classes
        self.window, self.hours = project.window, project.window.hours
        self.assumptions = project.assumptions_in(scenario)
        self.joint = joint
        self.existing = [] if scenario.greenfield else [c for c in project.contracts if c.is_committed]
        now = [c for c in self.existing if runs_through(c, self.window, 0)]
        self.streams = split_streams(project, pools, now, all_to_main=scenario.greenfield)
        if joint:
            self.existing = [_unpinned(c) for c in self.existing]
        self._served, self._states, self._residuals = {}, {}, {}
        half_life = self.assumptions.recency_half_life_days
        ages = [
            (self.hours - 1 - h) / 24 for h in range(self.hours)
        ]  # days from an hour's end to the window's end
        self.weights = [1.0] * self.hours if half_life is None else [2 ** (-age / half_life) for age in ages]

    # -- demand, month by month -------------------------------------------------------------------------------

    def mean(self, hourly):
        """Mean over hours, weighted by recency."""
        return sum(w * value for w, value in zip(self.weights, hourly, strict=True)) / sum(self.weights)

    def of_pool(self, name, group_pool):
        """growth, sigma or lambda; the joint pool's sigma and lambda are those without suffix."""
        plain = {"growth": "growth", "sigma": "sigma", "lambda": "lambda_"}[name]
        own = None if group_pool == "joint" else getattr(self.assumptions, f"{name}_{group_pool}")
        return getattr(self.assumptions, plain) if own is None else own

    def factor(self, t, j):
        """{pool: (1 + its growth)^t exp(j x its s)}."""
        factors = {}
        for pool in SERVING_ORDER:
            sigma = self.assumptions.sigma if self.joint else self.of_pool("sigma", pool)
            factors[pool] = (1 + self.of_pool("growth", pool)) ** t * level_factor(j, sigma)
        return factors

    def state(self, t, j):
        """All that tells (t, j) from another month and level: who runs, and how far demand has moved."""
        if (t, j) not in self._states:
            running = tuple(c.contract_id for c in self.existing if runs_through(c, self.window, t))
            self._states[t, j] = running, tuple(self.factor(t, j).items())
        return self._states[t, j]

    def month(self, t, j):
        """serve_month of (t, j) with the existing contracts that run through it."""
        ids, factors = key = self.state(t, j)
        if key not in self._served:
            running = [c for c in self.existing if c.contract_id in ids]
            self._served[key] = serve_month(self.streams, running, self.hours, dict(factors))
        return self._served[key]

    def residual(self, group, t, j):
        """R(h; t, j) in GPUs, by hour."""
        key = (group.pool, group.model, self.state(t, j))
        if key not in self._residuals:
            left = self.month(t, j)[0]
            self._residuals[key] = [
                sum(left[member][h] for member in group.members) for h in range(self.hours)
            ]
        return self._residuals[key]

    def demand(self, group):
        """D(h) in GPUs, by hour."""
        hourly = [0.0] * self.hours
        for stream in self.streams:
            if (stream.pool, stream.model) in group.members:
                hourly = [
                    have + more / MILLI_GPU_SECONDS for have, more in zip(hourly, stream.hourly, strict=True)
                ]
        return hourly

    # -- groups: a pool and model, or in the joint plan a model ------------------------------------------------

    def groups(self):
        """Every (pool, model) with demand, in the order in which offers with a maximum are given out."""
        members = {}
        for stream in self.streams:
            if sum(stream.hourly):
                key = ("joint" if self.joint else stream.pool, stream.model)
                members.setdefault(key, set()).add((stream.pool, stream.model))
        order = [*SERVING_ORDER, "joint"]
        keys = sorted(members, key=lambda key: (order.index(key[0]), key[1] is None, key[1] or ""))
        return [self._group(pool, model, members[pool, model]) for pool, model in keys]

    def _group(self, pool, model, members):
        group = SimpleNamespace(pool=pool, model=model, members=members)
        by_key = {workload.key: workload for workload in self.project.workloads}
        group.gpu_time = {}
        for stream in self.streams:
            if (stream.pool, stream.model) in members:
                for key, hourly in stream.users.items():
                    group.gpu_time[key] = group.gpu_time.get(key, 0) + sum(hourly)
        nodes = {p: False for p, _ in members}
        for key in group.gpu_time:
            nodes[self.pools[key]] |= (by_key[key].max_nodes or 1) > 1
        open_to = {
            p: [o for o in self.project.offers if is_eligible(o, p, model, several)]
            for p, several in nodes.items()
        }
        group.offers = [o for o in self.project.offers if all(o in offers for offers in open_to.values())]
        users = []
        for key, gpu_time in group.gpu_time.items():
            own = open_to[self.pools[key]]
            users.append((gpu_time, *workload_usage(by_key[key], self.pools[key], own, self.assumptions)))
        group.usage = pool_usage(users)
        on_demand = cheapest(group.offers, "STANDARD")
        group.on_demand_rate = None if on_demand is None else on_demand.rate
        group.hourly = self.demand(group)
        group.gpu_hours = sum(group.hourly)
        group.mean_gpus = group.gpu_hours / self.hours
        group.peak_gpus = max(group.hourly)
        group.p95_gpus = min(
            value
            for value in group.hourly
            if sum(other <= value for other in group.hourly) * 100 >= 95 * self.hours
        )
        return group

    # -- slices ------------------------------------------------------------------------------------------------

    def block(self, groups):
        """b: the planner's; above 512 slices the smallest power of two that keeps 512."""
        highest = max((max(self.residual(group, t, 0)) for group in groups for t in range(25)), default=0.0)
        block = self.assumptions.block
        if math.ceil(highest / block) > 512:
            block = 1
            while math.ceil(highest / block) > 512:
                block *= 2
        return block

    def busy(self, group, block):
        """(number of slices, u) where u(k, t, j) is u_k, k from 1."""
        highest = max(max(self.residual(group, t, 0)) for t in range(25))
        sum_of_weights = sum(self.weights)
        spread, known = {}, {}

        def u(k, t, j):
            state = self.state(t, j)
            if state not in spread:
                spread[state] = {}  # share of the hours by GPUs: equal hours are clipped once
                for weight, gpus in zip(self.weights, self.residual(group, t, j), strict=True):
                    spread[state][gpus] = spread[state].get(gpus, 0.0) + weight / sum_of_weights
            if (k, state) not in known:
                known[k, state] = sum(
                    share * min(max((gpus - (k - 1) * block) / block, 0.0), 1.0)
                    for gpus, share in spread[state].items()
                )
            return known[k, state]

        return math.ceil(highest / block - 1e-9), u  # digits of rounding are no slice

    def solve(self, groups, block):
        """Every slice of every group, in the order in which offers with a maximum are given out."""
        left = {o.offer_id: o.max_gpus for o in self.project.offers if o.max_gpus is not None}
        a = self.assumptions
        horizon = a.horizon_months
        longest = 1 if self.hours <= 168 else 10**9
        self.short_supply = set()
        for group in groups:
            count, u = self.busy(group, block)
            group.u, group.slices = u, []
            group.levels = levels(self.of_pool("sigma", group.pool))
            group.by_hand = None if self.joint else self.scenario.hand_layers.get((group.pool, group.model))
            if group.by_hand is not None:
                continue
            for k in range(1, count + 1):
                closed = frozenset(offer_id for offer_id, gpus in left.items() if gpus < block)
                value, choice = solve_slice(
                    lambda t, j, k=k, u=u: u(k, t, j),
                    lambda t, group=group, closed=closed: committed_by_term(group.offers, t, longest, closed),
                    group.usage.r_flex,
                    block,
                    horizon,
                    self.of_pool("lambda", group.pool),
                    a.delta,
                    a.wacc,
                    self.of_pool("sigma", group.pool),
                )
                path = middle_path(choice, horizon)
                for offer_id in {step[1].offer_id for step in path if step is not None}:
                    if offer_id in left:
                        left[offer_id] -= block
                self.short_supply |= closed
                group.slices.append(SimpleNamespace(k=k, value=value, choice=choice, path=path))

    # -- month 0 -----------------------------------------------------------------------------------------------

    def layers(self, group, block):
        """Layers of month 0: existing, terms longest first, usage."""
        layers = []
        _, _, served = self.month(0, 0)
        gpus = self.mean([sum(served[member][h] for member in group.members) for h in range(self.hours)])
        if gpus > 0:
            rate = self.existing_rate(group.model)
            layers.append(_layer(True, "COMMITTED", None, None, gpus, rate, 1.0))
        residual = self.residual(group, 0, 0)
        if group.by_hand is not None:
            return layers + self._hand_layers(group, block, residual)
        new, usage = {}, []
        for piece in group.slices:
            offer = piece.choice[0, 0]
            if offer is None:
                usage.append(group.u(piece.k, 0, 0))
            else:
                new.setdefault((-offer.term_months, offer.offer_id), (offer, []))[1].append(
                    group.u(piece.k, 0, 0)
                )
        for key in sorted(new):
            offer, busy = new[key]
            utilization = sum(busy) / len(busy)
            layers.append(
                _layer(
                    False,
                    "COMMITTED",
                    offer.term_months,
                    offer.offer_id,
                    block * len(busy),
                    offer.rate,
                    utilization,
                )
            )
        busy = [u for u in usage if u > 0]
        if busy:
            layers.append(self._usage_layer(group, block * len(busy), block * sum(busy)))
        return layers

    def _usage_layer(self, group, gpus, mean_gpus):
        use = group.usage
        layer = _layer(False, use.category, 0, use.offer_id, gpus, use.r_flex, mean_gpus / gpus)
        layer.usd_per_month = None if use.r_flex is None else 730 * use.r_flex * mean_gpus
        layer.spot_share = use.spot_share
        return layer

    def _hand_layers(self, group, block, residual):
        """The planner's committed layers from the bottom, the rest usage-priced."""
        layers, bottom = [], 0
        for hand in group.by_hand:
            if hand.gpus == 0:
                continue
            busy = self.mean([min(max(gpus - bottom, 0), hand.gpus) for gpus in residual]) / hand.gpus
            offer = hand_offer(group, hand, 0)
            offer_id, rate = (None, None) if offer is None else (offer.offer_id, offer.rate)
            layers.append(_layer(False, "COMMITTED", hand.term_months, offer_id, hand.gpus, rate, busy))
            bottom += hand.gpus
        rest = [max(gpus - bottom, 0.0) for gpus in residual]
        if any(rest):
            layers.append(self._usage_layer(group, block * math.ceil(max(rest) / block), self.mean(rest)))
        return layers

    def hand_in_month(self, group, t):
        """$ of a group set by hand in month t: every layer is signed again when its term ends, the rest is rented."""
        usd, bottom = 0.0, 0
        for hand in group.by_hand:
            signed = t // hand.term_months * hand.term_months
            rate = hand_offer(group, hand, signed).rate
            usd += 730 * hand.gpus * rate * (1 - self.assumptions.delta) ** signed
            bottom += hand.gpus
        rest = self.mean([max(gpus - bottom, 0.0) for gpus in self.residual(group, t, 0)])
        return usd + 730 * rest * group.usage.r_flex * (1 - self.assumptions.delta) ** t

    def existing_now(self):
        return [c for c in self.existing if runs_through(c, self.window, 0)]

    def existing_rate(self, model):
        """Mean rate, weighted by GPUs, of the model's contracts that run through month 0."""
        rows = [c for c in self.existing_now() if same_model(c.gpu_model, model)]
        if any(not c.rate for c in rows):
            return None
        return sum(c.gpus * c.rate for c in rows) / sum(c.gpus for c in rows)

    def idle_existing(self):
        """{model: (mean GPUs, $ a month)} that existing contracts are paid for and do not serve."""
        _, by_contract, _ = self.month(0, 0)
        idle = {}
        for model in {c.gpu_model for c in self.existing_now()}:
            rows = [c for c in self.existing_now() if c.gpu_model == model]
            gpus = sum(c.gpus - self.mean(by_contract[c.contract_id]) for c in rows)
            rate = self.existing_rate(model)
            idle[model] = (gpus, None if rate is None else 730 * gpus * rate)
        return idle

    def served_hours(self, contract):
        """GPU-hours that a contract serves in month 0, of the window's hours; 0 where it does not run through it."""
        return sum(self.month(0, 0)[1].get(contract.contract_id, [0.0]))

    # -- orders and verdicts -----------------------------------------------------------------------------------

    def missed_in(self, contract):
        """e(c): the month in which a contract is first missed."""
        return (contract.end_s - self.window.end_s) // MONTH_S

    def first_commitments(self, groups, block):
        """[(pool, model, month, offer, GPUs)], one per slice that ever commits along j = 0."""
        found = []
        for group in groups:
            for piece in group.slices:
                for t, step in enumerate(piece.path):
                    if step is not None:
                        found.append((group.pool, group.model, t, step[1], block))
                        break
            by_hand = group.by_hand or ()
            found += [(group.pool, group.model, 0, hand_offer(group, hand, 0), hand.gpus) for hand in by_hand]
        return found

    def orders(self, groups, block):
        """{(pool, model, offer_id, term, start): [GPUs, order_by, reason]} of the first 12 months."""
        orders = {}
        for pool, model, t, offer, gpus in self.first_commitments(groups, block):
            if t >= 12:
                continue
            lead_s = round(offer.lead_time_hours * 3600)
            ends = [
                c
                for c in self.existing
                if same_model(c.gpu_model, model)
                and c.end_s is not None
                and self.missed_in(c) == t
                and self.served_hours(c) > 0
            ]
            if t == 0:
                start, order_by, reason = self.window.end_s + lead_s, self.window.end_s, "now"
            elif ends:
                start = min(c.end_s for c in ends)
                order_by = min(c.end_s - max((c.notice_days or 0) * DAY_S, lead_s) for c in ends)
                reason = "contract_end"
            else:
                start = self.window.end_s + t * MONTH_S
                order_by = start - lead_s
                reason = "lead_time" if t == first_month(offer) else "growth"
            row = orders.setdefault(
                (pool, model, offer.offer_id, offer.term_months, start), [0, order_by, reason]
            )
            row[0] += gpus
        return orders

    def verdicts(self, groups, block):
        """{contract_id: (verdict, then_term_months, gpus, order_by)} of contracts that have not ended."""
        if self.scenario.greenfield:
            return {}
        left = {}
        for pool, model, t, offer, gpus in self.first_commitments(groups, block):
            key = (pool, model, t, offer)
            left[key] = left.get(key, 0) + gpus
        answer, sharing = {}, []
        for contract in self.project.contracts:
            if contract.end_s is not None and contract.end_s <= self.window.end_s:
                continue  # it has ended: no existing contract
            end, notice_s = contract.end_s, (contract.notice_days or 0) * DAY_S
            order_by = None if end is None else end - notice_s
            if not contract.is_committed:
                answer[contract.contract_id] = ("let_expire", 0, 0, order_by)
            elif end is None or end - self.window.end_s > 24 * MONTH_S:
                answer[contract.contract_id] = ("keep", 0, 0, order_by)
            else:
                sharing.append(contract)
        sharing.sort(key=lambda c: (self.missed_in(c), -self.served_hours(c), merit(c)))
        for contract in sharing:
            share = self._share(contract, left)
            end, notice_s = contract.end_s, (contract.notice_days or 0) * DAY_S
            if not share:
                answer[contract.contract_id] = ("let_expire", 0, 0, end - notice_s)
                continue
            by_term = {}
            for offer, gpus in share:
                by_term[offer.term_months] = by_term.get(offer.term_months, 0) + gpus
            term = min(by_term, key=lambda months: (-by_term[months], months))
            shorter = contract.term_months is not None and term < contract.term_months
            lead_s = max(round(offer.lead_time_hours * 3600) for offer, _ in share)
            gpus = sum(gpus for _, gpus in share)
            verdict = "shorten" if shorter else "renew"
            answer[contract.contract_id] = (verdict, term, gpus, end - max(notice_s, lead_s))
        return answer

    def _share(self, contract, left):
        """[(offer, GPUs)] that the contract takes from the commitments still there; `left` is used up."""
        missed = self.missed_in(contract)
        months = {missed, missed - 1, missed - 2} - ({0} if missed != 0 else set())
        room, share = contract.gpus, []
        while room > 0:
            usable = [
                key
                for key, gpus in left.items()
                if gpus > 0
                and key[2] in months
                and same_model(key[1], contract.gpu_model)
                and contract.pool in (None, key[0])
            ]
            if not usable:
                break
            by_term = {}
            for key in usable:
                by_term[key[3].term_months] = by_term.get(key[3].term_months, 0) + left[key]
            term = min(by_term, key=lambda months: (-by_term[months], months))
            of_term = [key for key in usable if key[3].term_months == term]
            key = min(of_term, key=lambda key: (SERVING_ORDER.index(key[0]), key[3].lead_time_hours, key[2]))
            taken = min(room, left[key])
            left[key] -= taken
            room -= taken
            share.append((key[3], taken))
        return share

    # -- money -------------------------------------------------------------------------------------------------

    def do_nothing(self, groups, t):
        """All contract rows that run through month t in full, and what they leave over on demand."""
        contracts = self.project.contracts
        if not hasattr(self, "_untyped"):
            now = [c for c in contracts if runs_through(c, self.window, 0)]
            self._untyped = split_streams(self.project, self.pools, now)
        running = [c for c in contracts if runs_through(c, self.window, t)]
        left, _, _ = serve_month(self._untyped, running, self.hours, self.factor(t, 0))
        usd = 0.0
        for contract in running:
            if not contract.rate:
                return None
            usd += 730 * contract.gpus * contract.rate
        for (pool, model), hourly in left.items():
            gpus = self.mean(hourly)
            if gpus > 0:
                rate = self.on_demand_rate(pool, model)
                if rate is None:
                    return None
                usd += 730 * gpus * rate * (1 - self.assumptions.delta) ** t
        return usd

    def on_demand_rate(self, pool, model):
        """Cheapest on-demand rate eligible for the pool and model."""
        keys = {key for s in self.streams if (s.pool, s.model) == (pool, model) for key in s.users}
        several = any((w.max_nodes or 1) > 1 for w in self.project.workloads if w.key in keys)
        best = cheapest([o for o in self.project.offers if is_eligible(o, pool, model, several)], "STANDARD")
        return None if best is None else best.rate

    def plan_in_month(self, groups, block, t):
        """The plan in month t along j = 0: existing contracts, what each slice is in, usage."""
        usd = 0.0
        for contract in self.existing:
            if runs_through(contract, self.window, t):
                if not contract.rate:
                    return None
                usd += 730 * contract.gpus * contract.rate
        for group in groups:
            if group.by_hand is not None:
                usd += self.hand_in_month(group, t)
            for piece in group.slices:
                step = piece.path[t]
                if step is None and group.usage.r_flex is None:
                    if group.u(piece.k, t, 0) > 0:
                        return None
                elif step is None:
                    price = group.usage.r_flex * (1 - self.assumptions.delta) ** t
                    usd += 730 * block * group.u(piece.k, t, 0) * price
                else:
                    signed, offer = step
                    usd += 730 * block * offer.rate * (1 - self.assumptions.delta) ** signed
        return usd

    def band(self, answer):
        """P10, P50, P90 of the monthly cost with the advice held fixed: 500 resamples of the last whole weeks."""
        weeks = self.hours // 168
        if weeks < 2 or answer.plan is None:
            return None, None, None
        fixed = total([usd for _, usd in answer.idle.values()])
        hourly = [0.0] * self.hours  # $ of usage by hour
        for group in answer.groups:
            for layer in group.layers:
                if layer.existing or layer.term_months:
                    fixed += layer.usd_per_month
            for piece in group.slices:
                if piece.choice[0, 0] is None:
                    below = (piece.k - 1) * answer.block
                    for h, gpus in enumerate(group.residual_now):
                        hourly[h] += group.usage.r_flex * min(max(gpus - below, 0.0), answer.block)
        first = self.hours - weeks * 168
        by_week = [sum(hourly[first + 168 * w : first + 168 * (w + 1)]) / 168 for w in range(weeks)]
        costs = sorted(
            fixed + 730 * sum(by_week[w] for w in drawn) / weeks
            for drawn in np.random.default_rng(0).integers(0, weeks, size=(500, weeks)).tolist()
        )
        return tuple(quantile(costs, share) for share in (0.1, 0.5, 0.9))

    def break_even(self, group):
        """{term: (offer_id, u*_T)}."""
        keep = (1 - self.of_pool("lambda", group.pool)) * (1 - self.assumptions.delta)
        answer = {}
        longest = 1 if self.hours <= 168 else 10**9
        for term, offer in committed_by_term(group.offers, 10**9, longest).items():
            mean = sum(keep**t for t in range(term)) / term
            r_flex = group.usage.r_flex
            answer[term] = (offer.offer_id, None if r_flex is None else offer.rate / (r_flex * mean))
        return answer

    def plan(self):
        """Everything; see the fields set below."""
        groups = self.groups()
        block = self.block(groups)
        self.solve(groups, block)
        for group in groups:
            group.layers = self.layers(group, block)
            group.residual_now = self.residual(group, 0, 0)
            usd = [layer.usd_per_month for layer in group.layers]
            group.usd_per_month = total(usd)
            group.break_even = self.break_even(group)
        answer = SimpleNamespace(groups=groups, block=block, idle=self.idle_existing())
        answer.plan = total([g.usd_per_month for g in groups] + [usd for _, usd in answer.idle.values()])
        if self.joint:
            return answer
        answer.orders, answer.verdicts = self.orders(groups, block), self.verdicts(groups, block)
        answer.workload_usd = {}
        for group in groups:
            whole = sum(group.gpu_time.values())
            for key, gpu_time in group.gpu_time.items():
                part = None if group.usd_per_month is None else group.usd_per_month * gpu_time / whole
                answer.workload_usd[key] = total([answer.workload_usd.get(key, 0.0), part])
        answer.totals = self._totals(answer)
        answer.band = self.band(answer)
        months = range(min(12, self.assumptions.horizon_months))
        answer.comparison = [
            (
                self.window.end_s + t * MONTH_S,
                self.do_nothing(groups, t),
                self.plan_in_month(groups, block, t),
            )
            for t in months
        ]
        return answer

    def _totals(self, answer):
        past = simulate_past(self.project, self.classes)
        totals = SimpleNamespace(plan=answer.plan, current=past.current, unused_now=past.unused_now)
        totals.do_nothing = self.do_nothing(answer.groups, 0)
        totals.savings = minus(totals.current, totals.plan)
        totals.savings_percent = ratio(totals.savings, totals.current, 100)
        totals.savings_vs_do_nothing = minus(totals.do_nothing, totals.plan)
        totals.on_demand_equivalent = total(
            [
                None if g.on_demand_rate is None else 730 * self.mean(g.hourly) * g.on_demand_rate
                for g in answer.groups
            ]
        )
        saved = minus(totals.on_demand_equivalent, totals.plan)
        totals.effective_savings_rate = ratio(saved, totals.on_demand_equivalent)
        totals.effective_utilization_now = past.effective_utilization_now
        new = [layer for g in answer.groups for layer in g.layers if not layer.existing]
        capacity = sum(c.gpus for c in self.existing_now())
        capacity += sum(layer.gpus if layer.term_months else layer.gpus * layer.utilization for layer in new)
        used = sum(g.mean_gpus for g in answer.groups)
        totals.effective_utilization_plan = used / capacity if capacity else None
        committed = [layer for layer in new if layer.term_months]
        unused = [
            None if x.usd_per_month is None else x.usd_per_month * (1 - x.utilization) for x in committed
        ]
        totals.unused_plan = total(unused + [usd for _, usd in answer.idle.values()])
        locked = [
            None if layer.usd_per_month is None else layer.usd_per_month * layer.term_months
            for layer in committed
        ]
        existing = [self._locked(c) for c in self.existing_now()]
        totals.lock_in = ratio(total(locked + existing), totals.plan)
        totals.lock_in_now = past.lock_in_now
        return totals

    def _locked(self, contract):
        """$ a month x remaining months of an existing contract; without an end its notice counts."""
        if not contract.rate:
            return None
        remaining = remaining_months(self.project, contract)
        return 730 * contract.gpus * contract.rate * remaining


def simulate(project, scenario, pools, classes=None):
    """The plan of a scenario; pools and classes {workload key: name}. Adds the cost of separation."""
    answer = Simulator(project, scenario, pools, classes or pools).plan()
    joint = Simulator(project, scenario, pools, classes or pools, joint=True).plan()
    answer.joint_plan = joint.plan
    answer.cost_of_separation = minus(answer.plan, joint.plan)
    return answer


def hand_offer(group, hand, month):
    """The cheapest offer of a layer's term in a month, whatever the length of the log."""
    return committed_by_term(group.offers, month, 10**9).get(hand.term_months)


def quantile(ordered, share):
    """The share-quantile of ordered values, linear between two of them."""
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def total(amounts):
    """Sum; unknown when any amount is."""
    return None if None in amounts else sum(amounts)


def minus(one, other):
    """Difference; unknown when either is."""
    return None if one is None or other is None else one - other


def ratio(part, whole, scale=1):
    """Quotient; unknown when either is, or when there is nothing to divide by."""
    return None if part is None or not whole else scale * part / whole


def _unpinned(contract):
    from dataclasses import replace

    return replace(contract, pool=None)


def _layer(existing, category, term, offer_id, gpus, rate, utilization):
    return SimpleNamespace(
        existing=existing,
        pricing_category=category,
        term_months=term,
        offer_id=offer_id,
        gpus=gpus,
        rate_usd_per_gpu_hour=rate,
        utilization=utilization,
        usd_per_month=None if rate is None else 730 * gpus * rate,
        spot_share=0.0,
    )
