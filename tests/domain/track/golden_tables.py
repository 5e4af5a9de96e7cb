"""What came of random plans, as golden tables: steps from the plan to the actual cost, rows, quarters and contracts."""

import random
from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any, Final

from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, HOUR_S
from gpuplanner.domain.track.track import Track
from tests.domain.commitment.conftest import START_S, Load, contract, offer
from tests.domain.track.conftest import MONTH, planned, tracked
from tests.golden.tables import Table
from tests.shown import message_values, shown

FOLDER: Final = "tables_track"
SEEDS: Final = tuple(map(str, range(13)))
PLAN_S: Final = START_S + MONTH * HOUR_S


def random_gpus(chance: random.Random, hours: int) -> list[float]:
    """Return GPUs by hour: the same in all, by day and night, or of some days alone."""
    gpus = chance.choice((2.0, 4.0, 6.0, 12.0))
    kind = chance.choice(("level", "level", "nights", "days"))
    if kind == "nights":
        return [gpus if hour % 24 < 12 else gpus / 2 for hour in range(hours)]
    if kind == "days":
        return [gpus if hour // 24 % 7 < 4 else 0.0 for hour in range(hours)]
    return [gpus] * hours


def random_loads(chance: random.Random, hours: int, count: int, models: Sequence[str | None]) -> list[Load]:
    """Return workloads of all pools. models: that they may have; None: their jobs name none."""
    return [
        Load(
            pool=list(Pool)[number % 3],
            gpus=random_gpus(chance, hours),
            model=chance.choice(models),
            cluster=chance.choice(("c1", "c1", "c2")),
        )
        for number in range(count)
    ]


def random_contracts(chance: random.Random, *, is_unpriced: bool) -> list[Any]:
    """Return contracts of which some end early or are paid by use; is_unpriced: one may have no rate."""
    held = [contract("k1", chance.choice((2, 6)), 2.0, chance.choice((0.5, 1.5, 20)), MONTH)]
    if chance.random() < 0.7:
        ends = chance.choice((None, 1, 2.25))
        rate = None if is_unpriced else 1.5
        held.append(contract("k2", 3, rate, ends, MONTH, cluster="c2", gpu_model="A100"))
    if chance.random() < 0.4:
        dated = PLAN_S + chance.choice((10, 40)) * DAY_S
        held.append(contract("k3", 4, 1.75, 30, MONTH, start_s=dated, provider="Ada"))
    if chance.random() < 0.3:
        held.append(contract("k4", 2, 3.0, 20, MONTH, take_or_pay_percent=50.0))
    if chance.random() < 0.2:
        held.append(contract("k5", 2, 3.5, 20, MONTH, pricing_category=PricingCategory.STANDARD))
    return held


def random_offers(chance: random.Random, times: float = 1.0, *, is_unpriced: bool = False) -> list[Any]:
    """Return what is on offer, at so many times its rates; is_unpriced: an A100 is not."""
    offers = [offer("od", 0, round(4.0 * times, 4)), offer("y1", 12, round(2.5 * times, 4), provider="Ada")]
    if not is_unpriced:
        offers.append(offer("od-a", 0, round(3.0 * times, 4), gpu_model="A100"))
    if chance.random() < 0.5:
        offers.append(offer("m3", 3, round(3.1 * times, 4), lead_time_hours=chance.choice((0.0, 200.0))))
    if chance.random() < 0.3:
        spot = round(1.5 * times, 4)
        offers.append(offer("spot", 0, spot, pricing_category=PricingCategory.DYNAMIC))
    return offers


def random_scenario(chance: random.Random) -> Scenario:
    """Return a plan, now and then with a run that is still to come."""
    if chance.random() < 0.6:
        return Scenario(name="Plan A")
    run = PlannedWork(
        name="run",
        pool=Pool.TRAINING,
        gpu_model="H100",
        gpus=8.0,
        cluster="c1",
        team="team",
        begins_s=PLAN_S + chance.choice((0, 5, 45)) * DAY_S,
        length_hours=chance.choice((100, 900)),
        every_hours=chance.choice((None, 1200)),
    )
    return Scenario(name="Plan A", planned=(run,))


def random_track(seed: str) -> Track:
    """Return what came of a plan: a log of one to four months, beside contracts and prices where these are given."""
    chance = random.Random(f"track {seed}")
    count = chance.choice((1, 2, 3))
    is_unpriced = seed in ("3", "7")
    models = ("H100", "A100", None) if seed in ("0", "9") else ("H100", "H100", "A100")
    held = random_contracts(chance, is_unpriced=is_unpriced)
    plan = planned(
        random_loads(chance, MONTH, count, models),
        held,
        random_offers(chance, is_unpriced=is_unpriced),
        random_scenario(chance),
        growth=chance.choice((0.0, 0.03)),
        delta=chance.choice((0.0, 0.02)),
    )
    hours = chance.choice((700, 1460, 2400, 3000))
    came = random_loads(chance, hours, chance.choice((count, count, count + 1)), models)
    signed = [*held, contract("new", 2, 2.2, 30, MONTH, start_s=PLAN_S)] if chance.random() < 0.4 else held
    later = [replace(each, milli_gpus=each.milli_gpus + 1000) for each in signed]
    return tracked(
        plan,
        came,
        chance.choice((None, signed, later)),
        chance.choice((None, random_offers(chance, 1.1))),
        chance.choice((0, 0, 100, 800)),
    )


def fields_text(value: Any) -> str:
    """Return the fields of a row of a track, without their names."""
    return " ".join(shown(getattr(value, field.name)) for field in fields(value))


def track_text(seed: str) -> str:
    """Return what came of a random plan, row by row. seed: of the plan."""
    found = random_track(seed)
    causes = ("demand", "mix", "decision", "price", "rest")
    names = ("planned", "actual", "advice_now", "hindsight")
    lines = [" ".join(f"{name} {shown(getattr(found, name))}" for name in names)]
    lines.append(" ".join(f"{cause} {shown(found.moved(cause))}" for cause in causes))
    for rows in (found.rows, found.contracts, found.quarters, found.by_workload):
        lines += (f"{type(row).__name__} {fields_text(row)}" for row in rows)
    return "\n".join((*lines, *(f"note <{message_values(words)}>" for words in found.notes)))


TABLES: Final = {"tracks.txt": Table(text_of=track_text, cases=SEEDS)}
