"""Small projects to compare the engine with the oracle: a builder, and random ones from a seed."""

import math
import random
from dataclasses import replace
from decimal import Decimal

import numpy as np

from gpuplanner.domain.audit.audit import audit, audit_in_parts
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.pools import stands_on_board
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.cube import Workload, cube_from_entries
from gpuplanner.domain.model.intake import JobFacts, LargestJob
from gpuplanner.domain.model.plan.changes import DemandChange, PriceChange
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.project import Project, with_nodes
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import Window, iso_utc
from tests.oracle.simulator import Beyond

MONTH_S = 730 * 3600
START_S = 1_767_225_600  # 2026-01-01T00:00:00Z
GPU_HOUR = 3_600_000  # milli-GPU-seconds
PAID_ANYWAY = (
    PricingCategory.COMMITTED,
    PricingCategory.COMMITTED,
)  # twice: as likely as the others together


class Case:
    """A project in the making: demand in GPUs by hour; contract dates in months from the window's end."""

    def __init__(self, hours=200, **assumptions):
        self.window = Window(START_S, hours)
        self.beyond = Beyond()
        self.assumptions = Assumptions()
        self.set(**assumptions)
        self.demand, self.facts, self.pools, self.classes = {}, {}, {}, {}
        self.contracts, self.offers = [], []
        self.plan_from_s = None
        self.scenario = Scenario(name="Plan A")
        self.jobs = []
        self.nodes = {}

    def set(self, **values):
        """Assumptions by their --set name."""
        self.assumptions = self.assumptions.with_values(values)
        return self

    @property
    def stated(self):
        return self.beyond.stated

    @property
    def end_s(self):
        return self.window.end_s

    def workload(self, cluster, name, pool, hourly, model="H100", class_=None, **facts):
        """Demand of one workload: {model: GPUs by hour}, or GPUs by hour of one model (None: unknown)."""
        key = f"{cluster}/team/{name}"
        by_model = hourly if isinstance(hourly, dict) else {model: hourly}
        for of_model, gpus in by_model.items():
            steady = [gpus] * self.window.hours if isinstance(gpus, int | float) else list(gpus)
            self.demand[key, of_model] = [round(value * GPU_HOUR) for value in steady]
        subtype = facts.pop("subtype", None)
        if subtype:
            self.beyond.subtypes[key] = subtype
        self.facts[key] = {"name": name, "cluster": cluster, "owner": "team", "longest_job_s": 36_000} | facts
        self.pools[key] = Pool(pool)
        self.classes[key] = Pool(class_ or pool)
        return key

    def job(self, key, model, gpus, from_h, to_h):
        """The largest job of a workload and model: in these hours of the lookback period."""
        start_s = self.window.start_s
        self.jobs.append(
            LargestJob(
                key=key,
                gpu_model=model,
                job_id=f"j{len(self.jobs)}",
                milli_gpus=round(gpus * 1000),
                start_s=start_s + 3600 * from_h,
                end_s=start_s + 3600 * to_h,
            )
        )

    def contract(self, contract_id, cluster, gpus, rate, starts=-24.0, ends=None, model="H100", **fields):
        """A contract; rate None is "quote needed"."""
        end_s = self.window.end_s
        self.contracts.append(
            Contract(
                contract_id=contract_id,
                cluster=cluster,
                gpu_model=model,
                milli_gpus=round(gpus * 1000),
                rate_usd_per_gpu_hour=None if rate is None else Decimal(str(rate)),
                start_s=end_s + round(starts * MONTH_S),
                end_s=None if ends is None else end_s + round(ends * MONTH_S),
                **fields,
            )
        )

    def offer(self, offer_id, term, rate, model="H100", **fields):
        """term 0: on demand; "spot": spot; else committed for so many months."""
        category = {0: PricingCategory.STANDARD, "spot": PricingCategory.DYNAMIC}.get(
            term, PricingCategory.COMMITTED
        )
        months = 0 if term == "spot" else term
        price = None if rate is None else Decimal(str(rate))
        if fields.get("term_days"):
            months = math.ceil(24 * fields["term_days"] / 730)
        self.offers.append(
            Offer(
                offer_id=offer_id,
                gpu_model=model,
                pricing_category=category,
                term_months=months,
                rate_usd_per_gpu_hour=price,
            )
        )
        self.change_offer(offer_id, **fields)

    def change_offer(self, offer_id, **fields):
        """Other values of an offer's fields: starts_s, ends_s in epoch seconds, the rest as in the price file."""
        own = {}
        for name, value in fields.items():
            stated = name.removesuffix("_s") if name in ("starts_s", "ends_s") else name
            own[stated] = iso_utc(value) if stated != name and value is not None else value
            if stated == "upfront_usd" and value is not None:
                own[stated] = Decimal(str(value))
        self.offers = [replace(o, **own) if o.offer_id == offer_id else o for o in self.offers]

    def offers_of(self, model, flex, rates, **fields):
        """On demand at `flex` and one committed offer of each {term: rate}."""
        self.offer(f"od-{model}", 0, flex, model)
        for term, rate in rates.items():
            self.offer(f"c{term:02d}-{model}", term, rate, model, **fields)

    @property
    def project(self):
        """The project, as the files would have read it."""
        keys = sorted(self.facts)
        models = sorted({model for _, model in self.demand if model is not None})
        entries = [
            (keys.index(key), -1 if model is None else models.index(model), hour, amount)
            for (key, model), hourly in self.demand.items()
            for hour, amount in enumerate(hourly)
            if amount
        ]
        columns = np.array(entries, dtype=np.int64).reshape(-1, 4).T
        cube = cube_from_entries(
            self.window.hours, tuple(models), columns[0], columns[1], columns[2], columns[3]
        )
        workloads = []
        for key in keys:
            amounts = [sum(hourly) for (of, _), hourly in self.demand.items() if of == key]
            peak = max(max(hourly) for (of, _), hourly in self.demand.items() if of == key)
            workloads.append(
                Workload(
                    key=key,
                    jobs=1,
                    gpu_jobs=1,
                    milli_gpu_seconds=sum(amounts),
                    peak_milli_gpus=peak // 3600,
                    **self.facts[key],
                )
            )
        project = Project(
            window=self.window,
            cube=cube,
            workloads=tuple(workloads),
            contracts=tuple(sorted(self.contracts, key=lambda contract: contract.contract_id)),
            offers=tuple(sorted(self.offers, key=lambda offer: offer.offer_id)),
            assumptions=self.assumptions,
            plan_from_s=self.plan_from_s,
            scenarios=(self.scenario,),
            jobs=JobFacts(
                largest=tuple(sorted(self.jobs, key=lambda job: (-job.milli_gpu_seconds, job.job_id)))
            ),
        )
        return with_nodes(project, self.nodes)

    @property
    def plan(self):
        """The scenario with what the planner states."""
        stated = self.stated
        only = {key: Only(**{field: name}) for key, (field, name) in stated.only.items()}
        return replace(
            self.scenario,
            spells={key: Spell(*days) for key, days in stated.dates.items()},
            planned=tuple(sorted(map(planned_work, stated.planned), key=lambda work: work.key)),
            changes=tuple(self._change(change) for change in stated.demand if self._named(change)),
            price_changes=tuple(self._price_change(change) for change in stated.prices),
            only=only,
        )

    def _keys(self, change):
        classes = self.classes | {one.key: Pool(one.pool) for one in self.stated.planned}
        return tuple(sorted(key for key, of in classes.items() if change.what in (key, of)))

    def _named(self, change):
        """Is there somebody whom a change is of? The engine is told of no other."""
        return change.what == "all" or bool(self._keys(change))

    def _change(self, change):
        return DemandChange(
            target=change.what,
            keys=self._keys(change),
            factor=change.factor,
            from_s=change.at_s,
            by=change.by,
        )

    def _price_change(self, change):
        """A model is spelled as its offers spell it."""
        spelled = {offer.gpu_model.lower(): offer.gpu_model for offer in self.offers}
        return PriceChange(spelled[change.what.lower()], change.factor, change.at_s, change.by)

    @property
    def on_board(self):
        """(project, pool of each workload, audit) of what the engine plans: the log and what is planned."""
        project, plan = self.project, self.plan
        found = audit(project, self.classifications)
        parts = stands_on_board(project, plan)
        if parts is None:
            return project, self.pool_of_each, found
        pools = self.pools | {work.key: work.pool for work in plan.planned}
        whole = parts.put_in(project)
        return whole, tuple(pools[one.key] for one in whole.workloads), audit_in_parts(found, project, parts)

    @property
    def classifications(self):
        """Classes in the order of the workloads, as the planner's own, so that nothing is in review."""
        return tuple(
            Classification(
                pool=self.classes[key],
                subtype=self.beyond.subtypes.get(key, ""),
                confidence=1.0,
                reasons=("set",),
                runner_up=None,
                source="override",
            )
            for key in sorted(self.facts)
        )

    @property
    def pool_of_each(self):
        """Pools in the order of the workloads."""
        return tuple(self.pools[key] for key in sorted(self.facts))

    def under(self, **changes):
        """The same case with other fields of its scenario."""
        self.scenario = replace(self.scenario, **changes)
        return self


def planned_work(one):
    """Work that no log has, as the engine holds it."""
    cluster, team, name = one.key.split("/")
    return PlannedWork(
        name=name,
        pool=Pool(one.pool),
        gpu_model=one.model,
        gpus=one.gpus,
        cluster=cluster,
        team=team,
        begins_s=one.begins_s,
        ends_s=one.ends_s,
        hours=tuple(sorted(one.hours)),
        length_hours=one.length_hours,
        latest_finish_s=None,
        every_hours=one.every_hours,
    )


def wave(random_, hours, low, high):
    """Whole GPUs by hour: a day's rhythm between low and high, with noise."""
    shape = [random_.random() for _ in range(24)]
    return [round(low + (high - low) * (0.7 * shape[h % 24] + 0.3 * random_.random())) for h in range(hours)]


def random_case(seed, hours=192, horizon=14):
    """Two clusters, three pools, two models and unknown ones, contracts of every kind, offers with ties."""
    r = random.Random(seed)
    case = Case(
        hours,
        horizon_months=horizon,
        sigma=r.choice([0.0, 0.05, 0.1, 0.2]),
        growth=r.choice([0.0, 0.0, 0.02, -0.03]),
        delta=r.choice([0.0, 0.02, 0.05]),
        block=r.choice([1, 1, 2]),
        **{"lambda": r.choice([0.0, 0.01, 0.1]), "wacc": r.choice([0.0, 0.1])},
    )
    if r.random() < 0.5:
        case.assumptions = case.assumptions.with_values(
            {
                "growth_inference": r.choice([0.0, 0.03]),
                "sigma_training": r.choice([0.0, 0.15]),
                "lambda_burst": 0.2,
            }
        )
    if r.random() < 0.25:
        case.assumptions = case.assumptions.with_values({"recency_half_life_days": r.choice([2.0, 10.0])})
    for cluster in ("alpha", "beta"):
        for number in range(r.choice([2, 3])):
            pool = r.choice(["training", "inference", "burst"])
            model = r.choice(["H100", "H100", "A100", None])
            low = r.choice([0, 0, 1, 2])
            case.workload(
                cluster,
                f"w{number}",
                pool,
                wave(r, hours, low, low + r.choice([0, 2, 5])),
                model,
                class_=r.choice([pool, pool, "training", "inference"]),
                longest_job_s=r.choice([3600, 14_400, 20_000, 90_000]),
                max_nodes=r.choice([None, 1, 1]),
                activity=r.choice([0.5, 0.9]),
            )
    for number in range(r.choice([0, 1, 2, 3, 4])):
        starts, ends = r.choice(
            [(-9, 4.5), (-9, 5), (-0.1, 2.3), (-9, None), (-9, 30), (-9, -0.05), (0.5, 9), (-9, 0.5)]
        )
        case.contract(
            f"k{number}",
            r.choice(["alpha", "beta"]),
            r.choice([1, 2, 3, 0.5]),
            r.choice([1.5, 2.0, 2.0, 3.25]),
            starts,
            ends,
            model=r.choice(["H100", "A100"]),
            pool=r.choice([None, None, Pool.INFERENCE, Pool.TRAINING]),
            pricing_category=r.choice([None, PricingCategory.COMMITTED, PricingCategory.STANDARD]),
            term_months=r.choice([None, 6, 12]),
            notice_days=r.choice([None, 0, 45]),
        )
    for model, flex in (("H100", 5.0), ("A100", 3.0)):
        rates = {1: 0.8, 3: 0.7, 6: 0.62, 12: 0.5}
        for term in r.sample(sorted(rates), 3):
            rate = round(flex * rates[term] * r.choice([1, 1, 0.9]), 2)
            limits = {"max_gpus": r.choice([None, None, 3])} if term > 1 else {}
            case.offer(
                f"c{term}-{model}-a",
                term,
                rate,
                model,
                lead_time_hours=r.choice([0, 48, 730, 1500]),
                **limits,
            )
            if r.random() < 0.4:
                case.offer(f"c{term}-{model}-b", term, rate, model, min_term_months=r.choice([0, term, 24]))
        case.offer(f"od-{model}", 0, flex, model)
        if r.random() < 0.7:
            case.offer(f"spot-{model}", "spot", round(flex * 0.4, 2), model)
    if r.random() < 0.15:
        case.under(greenfield=True)
    return case


def edge_case(seed):
    """Months that end on the hour of a contract, GPUs in thousandths, red hardware, long leads, rates nobody offers."""
    r = random.Random(seed)
    hours = r.choice([30, 168, 169, 200])
    case = Case(
        hours,
        horizon_months=12,
        sigma=r.choice([0.0, 0.1]),
        growth=r.choice([0.0, 0.04]),
        delta=r.choice([0, 0.02]),
        block=r.choice([1, 2, 4]),
        training_checkpoints=r.random() < 0.5,
        spot_long_training=r.random() < 0.3,
        **{"lambda": r.choice([0.0, 0.02])},
    )
    clusters = ("alpha", "beta", "gamma")
    nodes = r.choice([1, 1, 3])
    for cluster in clusters[: r.choice([1, 2, 3])]:
        for number in range(r.choice([1, 2, 3])):
            pool = r.choice(["training", "inference", "burst"])
            models = r.sample(["H100", "A100", None], r.choice([1, 1, 2]))
            case.workload(
                cluster,
                f"w{number}",
                pool,
                {
                    m: [g * r.choice([1, 1, 0.5, 0.429]) for g in wave(r, hours, 0, r.choice([2, 4]))]
                    for m in models
                },
                class_=r.choice(["training", "inference", "burst"]),
                longest_job_s=r.choice([600, 14_400, 86_400, 86_401, 400_000]),
                max_nodes=nodes,
                activity=r.choice([None, 0.5]),
            )
    dates = [
        (-9, 3),
        (-9, 3),
        (-9, 3.3),
        (0, 6),
        (-9, 0),
        (-9, 1),
        (-9, 0.999),
        (-9, 24),
        (0, 1),
        (-9, None),
        (2, 9),
    ]
    for number in range(r.choice([0, 1, 2, 4, 6])):
        case.contract(
            f"k{number}",
            r.choice(clusters),
            r.choice([1, 2, 0.5, 0.429, 3]),
            r.choice([1.5, 2, 2, 2, 6]),
            *r.choice(dates),
            model=r.choice(["H100", "A100"]),
            pool=r.choice([None, None, *Pool]),
            pricing_category=r.choice(
                [None, *PAID_ANYWAY, PricingCategory.STANDARD, PricingCategory.DYNAMIC]
            ),
            term_months=r.choice([None, 1, 6, 12]),
            notice_days=r.choice([None, 30, 90]),
        )
    for model, flex in (("H100", 5.0), ("A100", 3.0)):
        for term in r.sample([1, 2, 3, 6, 12, 36], 3):
            for copy in range(r.choice([1, 2])):
                case.offer(
                    f"c{term}-{model}-{copy}",
                    term,
                    round(flex * r.choice([0.4, 0.5, 0.6, 0.7]), 2),
                    model,
                    lead_time_hours=r.choice([0, 48, 731, 1460, 1461, 5000]),
                    min_term_months=r.choice([0, 1, 6]),
                    **hardware(r),
                )
        if r.random() < 0.9:
            case.offer(f"od-{model}", 0, flex, model, **hardware(r))
            case.offer(f"od-dear-{model}", 0, flex + 0.5, model)
            case.offer(f"spot-{model}", "spot", round(flex * 0.4, 2), model, **hardware(r))
    return case.under(greenfield=r.random() < 0.15)


def hardware(random_):
    """Fields of an offer that the hardware fit looks at."""
    return {
        "gpu_memory_gb": random_.choice([None, 48, 80, 141]),
        "bare_metal": random_.choice([None, True, True, False]),
        "interconnect": random_.choice([None, "infiniband", "infiniband", "roce", "roce_400", "nvlink"]),
    }
