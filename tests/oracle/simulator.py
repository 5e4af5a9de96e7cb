"""The plan of MODEL, slowly: loops over parts of months, levels and slices; no code of the engine's.

One file a subject: stated (what the planner says), serving and demand (who is there, what contracts leave), volatility,
groups, slicing, offers and policy (the recursion), orders (the list), runs, limits, budget, months (sums over the
list), totals (with the layers), verdicts, unserved; past is of the log.

Readings taken where MODEL's sentence allows more than one (the engine's authors take theirs: here the two may differ).
- An upfront payment is made once an order, also of a term that renews, and spread over the order's hours.
- Whether an order costs more than the use of its span: rate x hours inside H + the whole upfront payment.
- Orders before one with a lead of 730 h or more are `bridge` also where that one is `if_it_lasts`.
- "Today's peak" is that of all parts of month 0; contracts that end at H end within it.
- A run's idle GPUs: contracts' less the raw peak of the log on its cluster, of its model, all pools.
- Dated prices: by use part by part (the policy: their mean over the month), what is signed at a month's first instant.
- Minima close one by one, the first month first, then the first by offer_id.
- A run's orders of equal $: use first, then the shorter offer. Runs of a pool lie on each other in order of key; what
  one pays by use is cut where an offer has fewer GPUs, the cheapest at the bottom.
- A budget moves an order to the month's end; what its offer does not allow then, or what would serve nobody, is gone.
- What GPU-hours cost without the budget that an order served: its $ / all GPU-hours that it serves.
- `unserved` lists no month past the horizon.
- A service that began repeats whole weeks from its first hour on, whole days where it is younger than a week.
- The chain of a slice is all of its orders: what comes after one that is `if_it_lasts` is so too, a gap between or not.
- A slice is busy from a share of 1e-12 of the hours on: less is rounding.
- An order for a contract whose notice was given is placed no earlier than the plan begins.
- The hours of a gap that is missing leave the means of a fall too; lived days count without the largest job of every
  pool and model at once.
- Current with the workloads of month 0: the log's hours of each part as long as the part is; runs by date.
Left out: bands, layers set by hand, all-in extras and OWNED offers (15),
residency, mapped models, ramps.
"""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

from tests.oracle import slicing
from tests.oracle.budget import keep_to_budget
from tests.oracle.cards import cards_of
from tests.oracle.demand import Demand, Served
from tests.oracle.groups import groups_of
from tests.oracle.limits import solve_all
from tests.oracle.months import do_nothing, pieces_of, plan_in_month, used_spans
from tests.oracle.offers import same_model, supply_of
from tests.oracle.orders import gpus_to_sign, is_now, orders_of
from tests.oracle.policy import better
from tests.oracle.runs import runs_of
from tests.oracle.savings import savings_steps
from tests.oracle.serving import MONTH_S, lasting
from tests.oracle.stated import Stated, change_factor
from tests.oracle.totals import idle_existing, layers_of, minus, total, totals_of
from tests.oracle.unserved import run_usd, unserved_of
from tests.oracle.verdicts import verdicts_of

DAY_S = 86_400


@dataclass
class Beyond:
    """What the planner states, and subtypes {workload key: subtype}: what is in no value of the project."""

    stated: Stated = field(default_factory=Stated)
    subtypes: dict = field(default_factory=dict)


def changed(offer, change):
    """An offer after a change of its model's prices."""
    same = offer.gpu_model.lower() == change.what.lower() and offer.rate
    return replace(offer, rate=offer.rate * change.factor) if same else offer


class Simulator:
    """One project, scenario and placement of workloads ({key: pool}); `plan()` answers with everything."""

    same_model, better = staticmethod(same_model), staticmethod(better)
    used_spans = used_spans

    def __init__(self, project, scenario, pools, classes, joint=False, beyond=None, spot=True, even=False):
        beyond = beyond or Beyond()
        self.project, self.scenario, self.beyond, self.joint = project, scenario, beyond, joint
        self.even = even or joint  # of the two plans that separation compares
        self.hours, self.plan_from_s = project.window.hours, project.plan_window.end_s
        self.assumptions = project.assumptions_in(scenario)
        self.horizon = self.assumptions.horizon_months
        self.subtypes = beyond.subtypes
        rows = [lasting(c, self.plan_from_s, project.window.end_s, scenario) for c in project.contracts]
        planned = [self._placed(one, rows) for one in beyond.stated.planned]
        self.stated = replace(beyond.stated, planned=planned)
        self.offers = [supply_of(o) for o in project.offers]
        self.later_prices = [change for change in self.stated.prices if change.at_s > self.plan_from_s]
        for change in self.stated.prices:
            if change.at_s <= self.plan_from_s:
                self.offers = [changed(offer, change) for offer in self.offers]
        if not spot:
            self.offers = [o for o in self.offers if o.pricing_category != "DYNAMIC"]
        self.pools, self.classes, self.log_classes = pools, classes, classes
        self.rows = {c.contract_id: c for c in rows}
        self.existing = [] if scenario.greenfield else [c for c in rows if c.is_committed]
        self.demand = Demand(
            project=project,
            pools=pools,
            classes=classes,
            assumptions=self.assumptions,
            stated=self.stated,
            joint=self.even,
            is_gap_missing=scenario.is_gap_missing,
            subtypes=beyond.subtypes,
        )
        self.demand.streams = self.demand.split(self.existing, all_to_main=scenario.greenfield)
        if self.even:
            self.existing = [replace(c, pool=None) for c in self.existing]
        self.served = Served(self.demand, self.demand.streams, self.existing)
        logged = [self.demand.in_log(stream) for stream in self.demand.streams]
        self.logged = Served(self.demand, logged, self.existing)
        evidence = self.demand.without_one_job(self.demand.without_idle_development(logged))
        self.evidence = Served(self.demand, evidence, self.existing)
        every = [
            lasting(c, self.plan_from_s, project.window.end_s, scenario, does_nothing=True)
            for c in project.contracts
        ]
        self.nothing = Served(self.demand, self.demand.split(every), every)
        self.enough = {}

    def _placed(self, work, rows):
        """Planned work without a cluster is on the only one that has contracts of its model."""
        there = {
            c.cluster
            for c in rows
            if c.is_committed and same_model(c.gpu_model, work.model)
            if c.end_s is None or c.end_s > self.plan_from_s
        }
        return work if work.cluster or len(there) != 1 else replace(work, cluster=there.pop())

    # -- months and prices -------------------------------------------------------------------------------------

    def month_of(self, at_s):
        return (at_s - self.plan_from_s) // MONTH_S

    def month_span(self, t):
        return self.plan_from_s + t * MONTH_S, self.plan_from_s + (t + 1) * MONTH_S

    def months(self):
        return range(12)

    def path(self, t):
        """What all prices of today are in month t, but for dated changes."""
        return (1 - self.assumptions.delta) ** t

    def dated(self, model, at_s, t):
        """What dated changes make of the prices of a model's offers at an instant of month t."""
        changes = [change for change in self.later_prices if change.what.lower() == model.lower()]
        return change_factor(changes, at_s, t, self.plan_from_s)

    def price_of(self, offer, at_s, t):
        """What an offer's price by use of today is at an instant of month t."""
        return self.path(t) * self.dated(offer.gpu_model, at_s, t)

    def sign_price(self, t, offer):
        """What an offer's price of today is where what begins in month t is ordered a lead of whole months before."""
        return self.order_price(max(t - offer.lead_s // MONTH_S, 0), offer)

    def order_price(self, t, offer):
        """What an offer's price of today is where it is ordered in month t; fixed days or a last day keep it."""
        if offer.is_block or offer.valid_until_s is not None:
            return 1.0
        return self.path(t) * self.dated(offer.gpu_model, self.month_span(t)[0], t)

    def start_price(self, start_s, offer):
        """The same of an order that begins then, its lead after it was placed."""
        return self.order_price(max(self.month_of(start_s - offer.lead_s), 0), offer)

    def use_price_at(self, owner, at_s, t):
        """Over the models that a group's workloads pay today, by what they pay."""
        paid = getattr(owner, "paid_by_model", {})
        whole = sum(paid.values())
        if not self.later_prices or not whole:
            return self.path(t) * (self.dated(owner.model, at_s, t) if owner.is_run else 1.0)
        return self.path(t) * sum(usd / whole * self.dated(model, at_s, t) for model, usd in paid.items())

    def use_price(self, owner, t):
        """The mean over a month."""
        parts = self.served.parts(t)
        return sum((to_s - at_s) / MONTH_S * self.use_price_at(owner, at_s, t) for at_s, to_s in parts)

    def rented(self, owner, piece, t):
        """(r_flex, may it wait) of a slice in month t."""
        if not owner.limited:
            return owner.usage.r_flex, True
        usage, may_wait = owner.use[min(t, max(self.horizon, 12) - 1), piece.k]  # a run may end later
        return usage.r_flex, may_wait

    def lambda_of(self, group):
        """By pool and the share of its largest workload unless set; the joint pool's is that without either."""
        own = None if self.even else getattr(self.assumptions, f"lambda_{group.pool}")
        as_set = self.assumptions.lambda_ if own is None else own
        if as_set is not None:
            return as_set
        if self.even:
            return 0.01
        there = group.gpu_time_at_first if sum(group.gpu_time_at_first.values()) else group.gpu_time
        share = max(there.values(), default=1.0) / (sum(there.values()) or 1.0)
        return {"inference": 0.01, "training": 0.01 + 0.02 * share, "burst": 0.03 + 0.06 * share}[
            str(group.pool)
        ]

    def works(self):
        """What may be bought as a run: planned, and of the log."""
        return [*self.stated.planned, *self.demand.logged_runs]

    # -- the plan ----------------------------------------------------------------------------------------------

    def groups(self):
        """Every group, cut into slices."""
        groups = groups_of(self)
        for group in groups:
            slicing.cut(self, group)
        return groups

    def solved(self):
        """(groups, runs) with the policy and orders of every slice, under every limit."""
        groups, runs = self.groups(), runs_of(self)
        solve_all(self, groups, runs)
        share = self.assumptions.max_provider_share
        usd = None if share is None else plan_in_month(self, groups, runs, 0).usd
        if usd is not None:
            solve_all(self, groups, runs, share * usd)
        for _, piece in pieces_of(groups, runs):
            piece.before = [SimpleNamespace(**vars(order)) for order in piece.orders]
        if self.assumptions.budget_usd_per_month is not None:
            keep_to_budget(self, groups, runs)
        return groups, runs

    def plan(self):
        """Everything; see the fields set below."""
        groups, runs = self.solved()
        answer = SimpleNamespace(groups=groups, runs=runs)
        answer.comparison = [self._month(groups, runs, t) for t in self.months()]
        answer.plan = answer.comparison[0].plan.usd
        answer.orders = orders_of(self, groups, runs)
        signed = [row for row in answer.orders.values() if row.reason != "if_it_lasts"]
        is_known = answer.comparison[0].plan.use is not None  # else nobody knows what is signed
        now = [row.liability for row in signed if is_now(self, row)]
        answer.liability = sum(row.liability for row in signed) if is_known else None
        answer.liability_now = sum(now) if is_known else None
        answer.gpus_to_sign = gpus_to_sign(self, answer.orders)
        answer.layers = layers_of(self, groups, runs)
        answer.idle = idle_existing(self, answer.layers)
        answer.totals = totals_of(self, answer)
        answer.cards = cards_of(self, answer) if answer.plan is not None else None
        answer.verdicts = verdicts_of(self, groups, runs)
        answer.unserved = unserved_of(self, groups, runs)
        answer.planned_runs = {run.work.key: run_usd(self, run) for run in runs}
        return answer

    def _month(self, groups, runs, t):
        nothing = do_nothing(self, runs, t)
        return SimpleNamespace(
            start_s=self.month_span(t)[0],
            do_nothing=nothing.usd,
            do_nothing_unserved=nothing.unserved,
            nothing=nothing,
            plan=plan_in_month(self, groups, runs, t),
        )


def separation(project, scenario, pools, classes=None, beyond=None):
    """(month 0, twelve months) that separate pools cost more than one pool of a model; None where one is unknown."""
    apart, joint = (
        Simulator(project, scenario, pools, classes or pools, beyond=beyond, joint=is_joint, even=True)
        for is_joint in (False, True)
    )
    usd = []
    for sim in (apart, joint):
        groups, runs = sim.solved()
        usd.append([plan_in_month(sim, groups, runs, t).usd for t in range(12)])
    return tuple(minus(total(usd[0][:n]), total(usd[1][:n])) for n in (1, 12))


def simulate(project, scenario, pools, classes=None, beyond=None):
    """The plan of a scenario; pools and classes {workload key: name}."""
    return Simulator(project, scenario, pools, classes or pools, beyond=beyond).plan()


def savings(project, scenario, pools, classes=None, beyond=None):
    """{step: $ a month} of where the savings of that plan come from; None where one is unknown."""

    def make(of, spot=True):
        return Simulator(project, scenario, of, classes or pools, beyond=beyond, spot=spot)

    sim = make(pools)
    return savings_steps(sim.plan(), sim, make)
