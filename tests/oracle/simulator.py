"""The plan of MODEL, slowly: loops over hours, months, levels and slices; no code of the engine's.

One file a subject: rules (switches), stated (what the planner says), demand, volatility, groups, slicing, policy,
limits, layers, months, orders, verdicts, totals, steps, uncertainty; past and serving are of the log.

Readings taken where MODEL's sentence allows more than one (the engine's authors take theirs: here the two may
differ).

Demand
- "a first and a last day ... the mean, by days": instants, exact shares of the month; the end is exclusive, as of a
  contract. A month is cut where a workload begins or ends or a step falls, and u_k is the mean over its pieces.
- "by" a day, "evenly by month": month t < n has 1 + (f - 1) t / n, n = months until the first that begins on the
  day or later; from month n on f. Dated changes hold for planned work too; a class is the class, not the pool.
- "does not grow planned work": planned work moves with the level f_j, and is served by contracts of its cluster
  alone.
- The split of unknown models is made with the workloads that are there in some part of month 0; what comes later
  has the model of its cluster's main row. Changes and growth do not enter it.
- pools[].gpu_hours, mean_gpus: the log's hours as month 0 has them, the mean by its days where workloads come or go
  in it (so that layers cover them), planned ones too. p95, peak: of the log's hours in each piece of month 0, every
  piece's hours by its share of the month, since no day has the mean of two pieces. A workload's
  $ is by its GPU time as month 0 has it. A pool has a row when something is there in some month of the horizon. r_flex
  is one figure of all who ever are.
- "Only ... ineligible for it": for it, so what only some may serve is planned in slices of its own, apart from the
  rest of its pool and model (where every offer and contract that could serve it may, it is not). On a cluster it is
  served first within its pool; contracts of others are skipped. Where nobody who may sells by use, what is not signed
  is unserved, in doing nothing too.
- price x f: of the offer's model, whatever the pool's. Use has the mean by days of the month (of a pool that pays
  several models: by what it pays today); what is signed the price at the month's first instant, at which the offer of
  a term is chosen; an upfront payment moves with neither delta nor f. A change up to the plan's first day is in the
  rates; one inside month 0 is in the use layer of month 0 by its days. on_demand_equivalent is at the first day.
- sigma None: of the log's hours of the pool and model (planned work left out), flat weeks that end at the window's
  end; w counts whole weeks of the window; where q and c cannot both be positive the better of the two edges. The
  joint plan: of the pooled demand.

Slices
- "today's peak": of R, j = 0, month 0 (what contracts leave), so is "the next 12 months' peak"; "along j = 0 within
  H".
- b is the pool's own (not one for all); widths above the even ones are whole blocks, as they are sold: half up.
- "the days of the window": spans of 24 h back from its end. "Today's level of D(h; 0)": workloads there in some
  part of month 0 at factor 1 (no growth, no change).
- "counts as lived": a slice whose middle is reached in some hour with the stated work of month t and not without
  it; a workload with a first day given is stated. It may sign in month 0 as well.
- "A fall": of the log of those whom the plan has (who is over before it begins is not), and, where that fell, of what
  of it has no first or last day given and is not planned; nothing left: no fall.
  Under 60% strictly. A log shorter than 14 days is measured on all of it.
- "+ 30 t allows": T > 1 and the days alone are too few, whatever the reason would be otherwise.

Policy and offers
- A term in days is a term of its own beside that of as many months (they do not compete in r_T); terms ascend by
  months, then hours. With a lead in it, it serves 24 d h from the lead's end, but not past its last month. Its rest
  is used (E of the walk, chance that the demand lasts).
- r + upfront / hours of the term; a payment is spread in proportion to the hours served of each month.
- "starts, ends ... a term must lie inside": from the later of the month's first instant and plan_from + lead (free
  leads: the month's first instant) to the end of month t + T - 1 (or the days). Usage-priced: open in months that
  lie inside.
- valid_until: against max(month's first instant - lead, plan_from), through its day; commitments alone.
- A lead of whole months (4,380 h) fits month lead / 730 - 1 too, by the letter, and serves nothing of it.
- min_gpus: over all pools; the first in offer_id order is closed in month 0, and all is planned again.
- Limits of use: month by month, each slice busy at j = 0, from the highest down, inference first, takes of each
  offer its b_k x the share of GPU-hours on it; an offer without so much left is closed to it; slices without an
  offer cannot wait. Less unserved is better than any $ (expected GPU-hours first, then cost). Doing nothing: hour
  by hour, literally.
- max_provider_share: several offers of one provider in one slice count by the most expensive; contracts of greenfield
  plans are not counted; without a known plan $ no limit.
- budget: up to 12 months in order; a joint plan is held to it too.

Months, orders, totals
- Layers are whole months at rate + upfront / hours (no lead in them), a term in days for its hours, the rest in the
  use layer; so `plan` differs from comparison month 0 by leads and by workloads' growth alone.
- first order, chain by slice: reasons by the month first; all of the unbroken chain before the first `lead_time`
  are `bridge` (month 0's too); else what starts where one of the slice ends is `follows` unless its own reason is
  `lead_time` (so before contract_end and growth). `if_it_lasts` replaces any of them, after this.
- `lead_time`: month = the first that the lead allows (of whole months of lead also the first that is served).
- order_by before plan_from: order_by = plan_from, start = the later of its start and plan_from + lead.
- Verdicts share out first commitments of any reason, by the month they are signed for; a contract takes all that it
  can of the term with most GPUs before it looks at the next.
- Orders with another reason are rows of their own. liability at the price of the month signed, whole.
- liability_now: order_by <= plan_from + 730 h; neither has if_it_lasts.
- unserved "that doing nothing serves": in any of the comparison's months the sum over pools is larger than that of
  doing nothing without any `only` (what today's contracts or offers would serve is no saving where a limit forbids
  it). Then a step from or to doing nothing is unknown too where, in month 0, that also leaves more under the limits.
- do_nothing of a workload with `only`: at the offers open to it.
- Spot, "whose median job holds 8 GPUs or more for over 24 h": both medians; without the GPUs' the largest job's.
- savings_steps: demand without G (month 0 has none); pool of today = that of the pinned contract with most GPUs,
  else the class with most GPU-hours (tie: training, inference, burst); hand layers hold in every step.

Left out: all-in extras and OWNED offers (15), residency, mapped models, conformal widening of the band.
"""

from dataclasses import dataclass, field, replace
from types import SimpleNamespace

from tests.oracle import slicing
from tests.oracle.demand import Demand, Served
from tests.oracle.groups import groups_of
from tests.oracle.layers import idle_existing, layers_of
from tests.oracle.limits import drop_over_budget, prices, solve_all
from tests.oracle.months import do_nothing, of_slice, plan_in_month
from tests.oracle.offers import deals_in_month, supply_of
from tests.oracle.orders import orders_of
from tests.oracle.rules import rules_of, setting
from tests.oracle.serving import MONTH_S, runs_through
from tests.oracle.stated import Stated, pieces_of
from tests.oracle.totals import minus, total, totals_of, unserved_by_workload, workload_usd
from tests.oracle.verdicts import verdicts_of


@dataclass
class Beyond:
    """What the model knows and the engine's values cannot say yet (or may not: then it is nowhere else).

    rules: {--set name: value}; offers: {offer_id: {field: value}}; stated: days, planned work, changes, `only`;
    subtypes: {workload key: subtype}.
    """

    rules: dict = field(default_factory=dict)
    offers: dict = field(default_factory=dict)
    stated: Stated = field(default_factory=Stated)
    subtypes: dict = field(default_factory=dict)


def changed(offer, change):
    """An offer after a change of its model's prices."""
    same = offer.gpu_model.lower() == change.what.lower() and offer.rate
    return replace(offer, rate=offer.rate * change.factor) if same else offer


class Simulator:
    """One project, scenario and placement of workloads ({key: pool}); `plan()` answers with everything."""

    def __init__(self, project, scenario, pools, classes, joint=False, beyond=None, spot=True):
        beyond = beyond or Beyond()
        self.project, self.scenario, self.beyond, self.joint = project, scenario, beyond, joint
        self.window, self.hours = project.window, project.window.hours
        self.assumptions = project.assumptions_in(scenario)
        self.rules, self.stated = rules_of(self.assumptions, beyond.rules), beyond.stated
        self.subtypes = beyond.subtypes
        self.block_set = setting(self.assumptions, beyond.rules, "block")
        self.offers = [supply_of(o, beyond.offers.get(o.offer_id, {})) for o in project.offers]
        begins_s = project.plan_window.end_s
        self.later_prices = [change for change in self.stated.prices if change.at_s > begins_s]
        for change in self.stated.prices:
            if change.at_s <= begins_s:
                self.offers = [changed(offer, change) for offer in self.offers]
        if not spot:
            self.offers = [o for o in self.offers if o.pricing_category != "DYNAMIC"]
        self.demand = Demand(
            project,
            pools,
            classes,
            self.assumptions,
            self.rules,
            self.stated,
            setting(self.assumptions, beyond.rules, "recency_half_life_days"),
            setting(self.assumptions, beyond.rules, "sigma"),
            joint,
        )
        self.pools, self.classes, self.known_deals = pools, classes, {}
        self.existing = [] if scenario.greenfield else [c for c in project.contracts if c.is_committed]
        plan = self.demand.plan
        streams = self.demand.split(
            [c for c in self.existing if runs_through(c, plan, 0)], all_to_main=scenario.greenfield
        )
        if joint:
            self.existing = [replace(c, pool=None) for c in self.existing]
        self.demand.streams = streams
        self.served = Served(self.demand, streams, self.existing)
        everything = list(project.contracts)
        self.untyped = Served(
            self.demand, self.demand.split([c for c in everything if runs_through(c, plan, 0)]), everything
        )

    def mean(self, hourly):
        """Mean over hours, weighted by recency."""
        return self.demand.mean(hourly)

    def of_pool(self, name, group_pool):
        """lambda; the joint pool's is that without suffix."""
        plain = {"lambda": "lambda_"}[name]
        own = None if group_pool == "joint" else getattr(self.assumptions, f"{name}_{group_pool}")
        return getattr(self.assumptions, plain) if own is None else own

    def existing_now(self):
        return [c for c in self.existing if runs_through(c, self.demand.plan, 0)]

    def path(self, t):
        """What all prices of today are in month t, but for dated changes."""
        return (1 - self.assumptions.delta) ** t

    def price_pieces(self, t):
        """Month t cut where prices change."""
        instants = [change.at_s for change in self.later_prices if not change.by]
        return pieces_of(t, self.demand.plan_from_s, instants)

    # -- the plan ----------------------------------------------------------------------------------------------

    def groups(self):
        """Every group, cut into slices."""
        groups = groups_of(self)
        one_for_all = None if self.rules.new_slices else slicing.old_block(self, groups)
        for group in groups:
            slicing.cut(self, group, one_for_all or slicing.block_of(self, group))
        return groups

    def solved(self):
        """Groups with the policy of every slice, under every limit."""
        groups = self.groups()
        solve_all(self, groups)
        share = self.rules.max_provider_share
        if share is not None:
            usd = self.usd_of(groups)
            if usd is not None:
                solve_all(self, groups, share * usd)
        return groups

    def usd_of(self, groups):
        """$ of month 0: sum of all layers and idle_existing."""
        layers = [layer.usd_per_month for group in groups for layer in layers_of(self, group)]
        return total(layers + [usd for _, usd in idle_existing(self).values()])

    def cost_of_slice(self, group, piece, t):
        orders, use, _ = of_slice(group, piece, t, *prices(self, group))
        return None if use is None else orders + use

    def break_even(self, group):
        """{months: (offer_id, u*_T)}: of terms in days and in months of the same T the cheaper."""
        keep = (1 - self.of_pool("lambda", group.pool)) * (1 - self.assumptions.delta)
        longest = 1 if self.hours <= 168 else 10**9
        if self.rules.max_term_months is not None:
            longest = min(longest, self.rules.max_term_months)
        if group.fell:
            longest = min(longest, slicing.LONGEST_AFTER_A_FALL)
        answer, best = {}, {}
        r_flex = group.usage.r_flex
        always = [replace(o, starts_s=None, ends_s=None, valid_until_s=None) for o in group.offers]
        for deal in deals_in_month(always, 10**6, longest, frozenset(), True, 0):
            mean = sum(keep**t for t in range(deal.months)) / deal.months
            even = None if r_flex is None else deal.all_in / (r_flex * mean)
            if deal.months not in answer or deal.all_in < best[deal.months]:
                answer[deal.months], best[deal.months] = (deal.offer.offer_id, even), deal.all_in
        return answer

    def months(self):
        return range(min(12, self.assumptions.horizon_months))

    def plan(self):
        """Everything; see the fields set below."""
        groups = self.solved()
        without_budget = {}
        if self.rules.budget_usd_per_month is not None:
            without_budget = {
                (*group.key, piece.k, t): self.cost_of_slice(group, piece, t)
                for group in groups
                for piece in group.slices
                for t in self.months()
            }
            drop_over_budget(self, groups, lambda t: plan_in_month(self, groups, t).usd, self.cost_of_slice)
        for group in groups:
            group.layers = layers_of(self, group)
            group.residual_now = self.residual_now(group)
            group.usd_per_month = total([layer.usd_per_month for layer in group.layers])
            group.break_even = self.break_even(group)
        answer = SimpleNamespace(groups=groups, idle=idle_existing(self), without_budget=without_budget)
        answer.plan = total([g.usd_per_month for g in groups] + [usd for _, usd in answer.idle.values()])
        if self.joint:
            return answer
        answer.orders, answer.verdicts = orders_of(self, groups), verdicts_of(self, groups)
        answer.workload_usd = workload_usd(groups)
        anybody = self.where_anybody_serves()
        answer.comparison = [self._month(groups, t, anybody) for t in self.months()]
        answer.totals = totals_of(self, answer)
        answer.unserved = unserved_by_workload(
            self, groups, [row.plan.unserved for row in answer.comparison], without_budget
        )
        answer.fallen = {group.key for group in groups if group.fell}
        return answer

    def residual_now(self, group):
        """R by hour of month 0 (where workloads come or go inside it: by its days)."""
        parts = self.served.residuals(group.members, 0)
        return [sum(share * hourly[h] for share, hourly in parts) for h in range(self.hours)]

    def where_anybody_serves(self):
        """The same world without `only`."""
        if not self.stated.only:
            return self
        beyond = replace(self.beyond, stated=replace(self.stated, only={}))
        return Simulator(self.project, self.scenario, self.pools, self.classes, beyond=beyond)

    def _month(self, groups, t, anybody):
        usd, lost = do_nothing(self, groups, t)
        return SimpleNamespace(
            start_s=self.demand.plan_from_s + t * MONTH_S,
            do_nothing=usd,
            do_nothing_unserved=lost,
            anybody_unserved=lost if anybody is self else do_nothing(anybody, groups, t)[1],
            plan=plan_in_month(self, groups, t),
        )


def simulate(project, scenario, pools, classes=None, beyond=None):
    """The plan of a scenario; pools and classes {workload key: name}. Adds the cost of separation."""
    answer = Simulator(project, scenario, pools, classes or pools, beyond=beyond).plan()
    joint = Simulator(project, scenario, pools, classes or pools, joint=True, beyond=beyond).plan()
    answer.joint_plan = joint.plan
    answer.cost_of_separation = minus(answer.plan, joint.plan)
    return answer
