"""Checks of the past: each one on the smallest world in which it is true, and not where it is not."""

import re
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.log_checks import model_checks, place_checks, variants_asked
from gpuplanner.domain.audit.spend.on_demand_rates import on_demand_rate_of_model
from gpuplanner.domain.audit.spend.stranded import why_readings_differ
from gpuplanner.domain.figures.serving import WAY_MS
from gpuplanner.domain.figures.typed import way_ms
from gpuplanner.domain.figures.writing import ENGLISH
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.domain.model.places import NO_PLACES
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import gpu_families
from tests.domain.serving.small_places import city, site, world

# --- Checks of the past: each one on the smallest world in which it is true, and not where it is not

GPU_HOUR = 3_600_000
START_S = int(datetime(2026, 7, 1, tzinfo=UTC).timestamp())
HOURS = 730


def checks(world: Any, project: Any, confidence: float = 0.9) -> dict[tuple[str, str], Any]:
    classes = world.classified(*[Pool.BURST] * len(project.workloads), confidence=confidence)
    return {(check.code, check.subject): check for check in audit(project, classes).checks}


def quiet(world: Any, **facts: Any) -> Any:
    rows = [(0, 0, hour, 3 * GPU_HOUR) for hour in range(HOURS)]
    workload = world.workload("w", activity=0.5)
    return world.project(HOURS, [workload], rows, [world.contract("k", 4, "2", **facts)])


def test_a_sound_world_has_no_checks(world: Any) -> None:
    assert checks(world, quiet(world)) == {}


def test_low_use_names_the_contract_the_cluster_and_what_is_unused(world: Any) -> None:
    project = world.project(
        HOURS, [world.workload("w", activity=0.5)], [(0, 0, 0, GPU_HOUR)], [world.contract("k", 4, "2")]
    )
    found = checks(world, project)
    assert set(found) == {("below_40", "k"), ("below_40", "atlas")}
    assert found["below_40", "k"].severity == "amber"
    assert found["below_40", "k"].usd_per_month == (4 * HOURS - 1) * 2


def test_unknown_activity_pending_review_and_dates_inside_the_window(world: Any) -> None:
    project = quiet(world, start_s=START_S + 3600, end_s=START_S + (HOURS - 1) * 3600)
    unmeasured = replace(project, workloads=tuple(replace(one, activity=None) for one in project.workloads))
    found = checks(world, unmeasured, confidence=0.59)
    assert {code for code, _ in found} >= {
        "activity_unknown",
        "review_pending",
        "contract_starts_in_window",
        "contract_ended_in_window",
    }
    assert ("review_pending", "workloads") not in checks(world, unmeasured, confidence=0.60)


def test_a_missing_rate_asks_for_a_quote(world: Any) -> None:
    project = replace(quiet(world), contracts=(world.contract("k", 4, None),))
    assert ("quote_needed", "k") in checks(world, project)


def test_a_short_log_and_rows_that_look_alike_are_said(world: Any) -> None:
    short = world.project(24, [], [])
    assert ("short_log", "window") in checks(world, short)
    alike = FileIntake(
        path="jobs.csv",
        kind="jobs",
        format="mapped",
        rows_read=2,
        rows_accepted=2,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        issues=(Issue("possible_duplicate", 2, 3, ""),),
    )
    assert ("possible_duplicate", "jobs.csv") in checks(world, replace(quiet(world), intake=(alike,)))
    twice = FileIntake(
        path="nodes.txt",
        kind="nodes",
        format="sinfo",
        rows_read=1,
        rows_accepted=1,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        issues=(Issue("counted_twice", 1, None, "16 beside 24"),),
    )
    assert ("counted_twice", "nodes.txt") in checks(world, replace(quiet(world), intake=(twice,)))


def test_prices_are_stale_ninety_days_before_the_windows_end(world: Any) -> None:
    end = datetime.fromtimestamp(START_S + HOURS * 3600, UTC).date()
    for age_days, is_stale in ((90, False), (91, True)):
        as_of = datetime.fromordinal(end.toordinal() - age_days).date().isoformat()
        project = replace(quiet(world), offers=(world.offer("o", "6.88", as_of=as_of),))
        assert (("stale_price", "offers") in checks(world, project)) is is_stale
    project = replace(quiet(world), offers=(world.offer("o", "6.88"),))
    assert ("stale_price", "offers") not in checks(world, project)


def test_prices_that_are_old_when_a_later_plan_begins_are_not_said_to_be_old_at_the_logs_end(
    world: Any,
) -> None:
    end_s = START_S + HOURS * 3600
    as_of = datetime.fromtimestamp(end_s - 40 * 86_400, UTC).date().isoformat()
    project = replace(
        quiet(world), offers=(world.offer("o", "6.88", as_of=as_of),), plan_from_s=end_s + 60 * 86_400
    )
    check = checks(world, project)["stale_price", "offers"]
    assert "90 days" in str(check.message) and "plan start" in str(check.message)


def test_a_cluster_that_no_contract_names_is_said(world: Any) -> None:
    project = quiet(world)
    elsewhere = replace(project, contracts=tuple(replace(one, cluster="cedar") for one in project.contracts))
    found = checks(world, elsewhere)
    assert found["cluster_without_contract", "atlas"].severity == "amber"
    assert ("cluster_without_contract", "atlas") not in checks(world, replace(project, contracts=()))


def test_gpu_time_without_a_model_is_counted_and_says_what_it_counts_as(world: Any) -> None:
    rows = [(0, -1, hour, 3 * GPU_HOUR) for hour in range(HOURS)]
    workload = world.workload("w", activity=0.5)
    project = world.project(HOURS, [workload], rows, [world.contract("k", 4, "2")])
    found = checks(world, project)["gpu_model_unstated", "atlas"]
    assert found.severity == "info"
    assert re.match(rf"{3 * HOURS:,.1f} GPU-hours \w+ 1 workload ", str(found.message))
    assert f"count as {project.contracts[0].gpu_model}" in str(found.message)


def test_a_model_that_nobody_prices_is_said_once_there_are_prices(world: Any) -> None:
    project = quiet(world)
    model = project.cube.gpu_models[0]
    assert ("gpu_model_unpriced", model) not in checks(world, project)
    other = replace(world.offer("o", "6.88"), gpu_model="H200")
    found = checks(world, replace(project, offers=(other,)))
    assert found["gpu_model_unpriced", model].severity == "amber"
    assert f"map to H200: --map-model {model}=H200:RATIO" in str(found["gpu_model_unpriced", model].message)
    mapped = replace(project, offers=(other,), mappings=(ModelMapping(model, "H200", 2.0),))
    assert ("gpu_model_unpriced", model) not in checks(world, mapped)
    assert on_demand_rate_of_model(mapped.offers, model, mapped.mappings) == 3.44
    for pool, is_told in ((Pool.BURST, False), (Pool.TRAINING, True)):  # all that ran is burst
        of_pool = replace(mapped, mappings=(ModelMapping(model, "H200", 2.0, pool),))
        assert (("gpu_model_unpriced", model) in checks(world, of_pool)) == is_told


def test_a_variant_is_proposed_at_what_it_calculates_and_a_slice_at_its_share_of_that(world: Any) -> None:
    """TFLOP/s of 16 bits, dense: H100 SXM 990, PCIe 756; 1g is a seventh of its GPU."""
    offers = [replace(world.offer(name, "2"), gpu_model=name) for name in ("H100 PCIe", "H100 1g.10gb")]
    asked = variants_asked(replace(quiet(world), offers=tuple(offers)), gpu_families())
    assert {one.offered: (one.gpu_model, one.ratio) for one in asked} == {
        "H100 PCIe": ("H100", 0.76),
        "H100 1g.10gb": ("H100", pytest.approx(1 / 7)),
    }


def test_metered_above_audit_is_explained() -> None:
    assert "idle ones cost more" in str(why_readings_differ(104_944.0, 98_639.0, None))
    assert not why_readings_differ(51_372.0, 193_272.0, None)
    assert not why_readings_differ(None, 1.0, None)
    assert "The audit estimate exceeds" in str(why_readings_differ(49_964.0, 193_017.0, 97_514.0)), (
        "audit above all that is idle"
    )
    assert not why_readings_differ(49_964.0, 97_514.0, 97_514.2)


# --- Checks of placement: over 80 ms and not at it, and countries that are served from nowhere ---


@pytest.mark.parametrize(("ms", "codes"), [("80.0", []), ("80.0001", ["transit_over_80_ms"])])
def test_over_80_ms_is_amber_and_exactly_80_is_not(ms, codes):
    checks = place_checks(world([city("A", 1)], [site("s", is_current=True)], [("A", "s", ms)]))
    assert [check.code for check in checks] == codes
    assert all(check.severity == "amber" and "80.0001 ms one way" in str(check.message) for check in checks)


def test_a_country_that_no_current_site_may_serve_is_red_also_beyond_the_top_cities():
    places = world(
        [city("A", 90, "US"), city("B", 10, "DE")],
        [site("s", "US", is_current=True), site("d", "DE")],
        residency=[("DE", ["DE"])],
    )
    (check,) = place_checks(places)
    assert (check.code, check.severity, check.subject) == ("residency_unserved", "red", "DE")


def test_nothing_is_said_without_users_or_sites():
    assert place_checks(NO_PLACES) == place_checks(world([city("A", 1)], [])) == ()


def test_no_number_over_80_is_written_as_80():
    ways = (80.0, 80.04, 80.04567, 79.99, 86.42, 80.0000000001)
    written = [str(way_ms(ms)) for ms in ways]
    assert written == ["80.0", "80.04", "80.05", "80.0", "86.4", "80.000000000100002"]
    assert written == [ENGLISH.of_unit(ms, WAY_MS.key) for ms in ways]
    assert str(way_ms(None)) == "\u2014"


@pytest.mark.parametrize(
    ("held", "subjects"), [(("A100 80GB",), ["A100"]), (("A100 80GB", "A100 40GB"), []), ((), [])]
)
def test_a_size_that_one_contract_has_is_taken_for_jobs_that_state_none(
    world: Any, held: tuple[str, ...], subjects: list[str]
) -> None:
    """Seven GPU-hours were logged on an A100 of no size."""
    contracts = [world.contract(f"k{at}", 8, "2", gpu_model=model) for at, model in enumerate(held)]
    models = ("A100 80GB", "A100 40GB")
    rows = [(0, 0, 0, GPU_HOUR), (0, 1, 0, GPU_HOUR)]
    project = world.project(HOURS, [world.workload("w")], rows, contracts, models=models)
    jobs = replace(project.jobs, models_written=(("atlas", "A100", 7 * GPU_HOUR),))
    taken = [
        check
        for check in model_checks(replace(project, jobs=jobs), gpu_families())
        if check.code == "gpu_size_taken"
    ]
    assert [check.subject for check in taken] == subjects
    assert [str(check.message.values["hours"]) for check in taken] == ["7.0"] * len(subjects)


# --- Checks of placement


def test_only_countries_of_users_that_no_current_site_serves_are_red() -> None:
    cities = [city("A", 60), city("B", 40, "DE")]
    without = world(cities, [site("s"), site("d", "DE")], residency=[("DE", ["DE"])])
    assert place_checks(without) == ()  # no site is current
    served = world(
        cities, [site("s", is_current=True), site("d", "DE", is_current=True)], residency=[("DE", ["DE"])]
    )
    assert place_checks(served) == ()
