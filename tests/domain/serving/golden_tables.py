"""Random places, loads and replicas: placements, autoscaling and sizes, as golden tables."""

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.places import Places, ServedModel, WeekRates
from gpuplanner.domain.model.plan.planned_work import ALWAYS
from gpuplanner.domain.serving.autoscaling import Autoscaler, replay
from gpuplanner.domain.serving.load import Load, by_hour_of_week, load_of, typed_week
from gpuplanner.domain.serving.placement import egress_from_sites, placement_of
from gpuplanner.domain.serving.regions import regional
from gpuplanner.domain.serving.replicas import replicas_by_hour, replicas_for, terms_of
from gpuplanner.domain.serving.serving_gpus import serving_gpus
from gpuplanner.domain.serving.sizing import size_rows
from gpuplanner.files.system.resources import read_served_models, read_serving_tables
from tests.domain.serving.small_places import city, site, world
from tests.golden.tables import Table
from tests.shown import class_lines, refusal, shown, shown_fields

FOLDER: Final = "tables_serving"
COUNTRIES: Final = ("US", "DE", "NO", "AU")


def random_places(seed: int) -> Places:
    """Return a few cities and sites, some ways of which are measured, and rules of where data may be."""
    chance = random.Random(f"places {seed}")
    cities = [
        city(
            f"City {number}",
            chance.choice((0, 1, 5, 20.5, 300)),
            chance.choice(COUNTRIES),
            chance.uniform(-60, 60),
            chance.uniform(-180, 180),
        )
        for number in range(chance.randint(1, 6))
    ]
    sites = [
        site(
            f"s{number}",
            chance.choice(COUNTRIES),
            chance.uniform(-60, 60),
            chance.uniform(-180, 180),
            chance.choice((None, 500, 1000, 1000)),
            chance.random() < 0.4,
        )
        for number in range(chance.choice((1, 2, 3, 5, 17)))
    ]
    measured = [
        (f"City {chance.randrange(7)}", f"s{chance.randrange(6)}", chance.choice((5, 40, 79.5, 120)))
        for _ in range(chance.choice((0, 2, 5)))
    ]
    residency = [("DE", ("DE", "NO"))] if chance.random() < 0.4 else []
    return world(cities, sites, dict.fromkeys(measured), residency)


def places_lines(case: str) -> str:
    """Return the placement of random sites, and the regions of a load on them."""
    places = random_places(int(case))
    load = random_load(int(case))
    row = next(row for row in _rows(load, Assumptions()) if row.requests_per_s is not None)
    parts = (placement_of(places), egress_from_sites(Assumptions(), places, 1e9))
    regions = regional(places, load, row, terms_of(Assumptions()), rate=2.5, assumptions=Assumptions())
    return class_lines((parts, regions))


def random_load(seed: int) -> Load:
    """Return a typed week of requests."""
    chance = random.Random(f"load {seed}")
    hours = chance.choice((ALWAYS, tuple(range(8, 20)), tuple(range(24, 48))))
    week = typed_week(
        chance.choice((0.5, 20, 400)),
        chance.choice((None, 800, 12_000)),
        chance.choice((None, 200, 1500)),
        hours,
        chance.choice((None, 0.1, 0.3)),
        chance.choice(((), tuple(float(1 + hour % 7) for hour in range(168)))),
    )
    load = load_of(week, Assumptions())
    assert load is not None
    return load


def _rows(load: Load, assumptions: Assumptions, model: ServedModel | None = None) -> Any:
    tables = read_serving_tables()
    return size_rows(
        model or _model(0), load, serving_gpus(tables), terms_of(assumptions), tables.calibration
    )


def _model(number: int) -> ServedModel:
    models = read_served_models()
    return models[number % len(models)]


def size_lines(case: str) -> str:
    """Return the rows of a random model under a random load, each with what fits and how fast it is."""
    seed = int(case)
    chance = random.Random(f"size {seed}")
    assumptions = replace(
        Assumptions(),
        serving_ttft_p95_ms=chance.choice((None, 400.0, 1500.0)),
        serving_tpot_p95_ms=chance.choice((None, 25.0, 60.0)),
        serving_replicas_spare=chance.choice((None, 0, 2)),
        serving_replicas_least=chance.choice((0, 1, 3)),
    )
    model, load = _model(7 * seed), random_load(seed)
    rows = _rows(load, assumptions, model)
    lines = [f"{model.name}, {load.requests_per_month:g} requests, {shown(terms_of(assumptions, 30.0))}"]
    lines += [shown_fields(row) for row in rows[:: max(1, len(rows) // 6)]]
    return "\n".join(lines)


def replay_lines(_: str) -> str:
    """Return replays of short traffic under random autoscalers."""
    lines = []
    for seed in range(16):
        chance = random.Random(f"replay {seed}")
        rates = [chance.choice((0.0, 1.0, 4.0, 9.5, 30.0)) for _ in range(chance.randint(1, 6))]
        load = load_of(WeekRates((*rates, *(None,) * (168 - len(rates))), ""), Assumptions())
        scaler = Autoscaler(
            delay_s=chance.choice((0.0, 30.0)),
            start_s=chance.choice((0.0, 120.0, 4000.0)),
            cool_down_s=chance.choice((0.0, 300.0, 5000.0)),
            least=chance.choice((0, 1, 3)),
            spare=chance.choice((0, 1)),
            most=chance.choice((3, 8, 40)),
        )
        assert load is not None
        calls: list[Callable[[], Any]] = [
            lambda load=load, scaler=scaler: replay(load, 2.0, 0.9, scaler, 1.5),
            lambda load=load, scaler=scaler: replay(load, 0.5, 1.0, scaler),
            lambda load=load: replicas_by_hour(load, 2.0, 0.9),
            lambda load=load, rates=rates: [
                value for value in by_hour_of_week(load, rates) if value is not None
            ],
        ]
        lines += [f"{shown(rates)} {shown_fields(scaler)}", *(f"  {refusal(call)}" for call in calls)]
    lines.append(
        shown([replicas_for(rate, 2.0, 0.9) for rate in (0.0, 0.1, 1.8, 1.8 + 1e-12, 1.81, 3.6, 100.0)])
    )
    return "\n".join(lines)


TABLES: Final = {
    "places.txt": Table(text_of=places_lines, cases=tuple(map(str, range(14)))),
    "sizes.txt": Table(text_of=size_lines, cases=tuple(map(str, range(8)))),
    "replays.txt": Table(text_of=replay_lines, cases=("short traffic",)),
}
