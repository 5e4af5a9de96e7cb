"""The energy of the past: by hand, job by job, and what it adds up to."""

import random
from dataclasses import replace

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.energy import RatedPower, rated_power
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.places import Places, Site
from gpuplanner.domain.model.tables import GpuModel, Pool
from gpuplanner.files.system.resources import read_tables
from tests.some_of import examples

GPU_HOUR = 3_600_000
POWERS = {"H100": RatedPower(1.0, False), "A100": RatedPower(0.5, True)}
HOURS = 10
MONTHS = HOURS / 730


def energy_of(world, project, powers=POWERS):
    found = world.classified(*([Pool.TRAINING] * len(project.workloads)))
    return audit(project, found, None, powers).energy


def close(value):
    return pytest.approx(value, rel=1e-12)


def test_by_hand(world):
    """4 GPUs are paid for 10 h at 0.4 kg; 2 of them run at 50% in the first 4 h; 6 are wanted in the last."""
    half = world.workload("half", measured_share=1.0, measured_activity=0.5)
    bare = world.workload("bare")
    entries = [*((0, 0, hour, 2 * GPU_HOUR) for hour in range(4)), (1, 0, 9, 6 * GPU_HOUR)]
    contract = world.contract("k", 4, "2", grid_kg_co2_per_kwh=0.4)
    found = energy_of(world, world.project(HOURS, [half, bare], entries, [contract]))
    in_use, overflow = 8 * 0.65 + 4 * 0.8, 2 * 0.8
    idle = (40 - 12) * 0.3
    (row,), (beyond,) = found.contracts, found.overflow
    assert row.in_use_kwh == close(in_use * 1.3 / MONTHS)
    assert row.idle_kwh == close(idle * 1.3 / MONTHS)
    assert beyond.kwh_per_month == close(overflow * 1.3 / MONTHS)
    assert found.kwh_per_month == close((in_use + idle + overflow) * 1.3 / MONTHS)
    assert found.kg_co2_per_month == close(0.4 * (in_use + idle + overflow) * 1.3 / MONTHS)
    assert found.peak_kw == close(6 * 0.8 * 1.3)
    kwh = [one.kwh_per_month for one in found.workloads]
    assert kwh == [close(8 * 0.65 * 1.3 / MONTHS), close(6 * 0.8 * 1.3 / MONTHS)]


def test_a_part_of_the_jobs_that_is_measured_counts_by_its_activity(world):
    mixed = world.workload("mixed", measured_share=0.25, measured_activity=1.0)
    found = energy_of(world, world.project(HOURS, [mixed], [(0, 0, 0, 4 * GPU_HOUR)]))
    assert found.kwh_per_month == close(4 * (0.25 * 1.0 + 0.75 * 0.8) * 1.3 / MONTHS)
    assert found.kg_co2_per_month is None  # nobody states a grid


def test_a_job_of_unknown_model_draws_as_what_served_it_else_as_its_clusters_gpus(world):
    contracts = [
        world.contract("big", 4, "2", gpu_model="H100", grid_kg_co2_per_kwh=0.5),
        world.contract("small", 1, "1", gpu_model="A100", grid_kg_co2_per_kwh=0.1),
    ]
    found = energy_of(world, world.project(1, [world.workload("w")], [(0, -1, 0, 7 * GPU_HOUR)], contracts))
    assert found.workloads[0].drawn_kwh == close(0.8 * (1 * 0.5 + 4 * 1.0 + 2 * 1.0) * 730)
    assert found.peak_kw == close(0.8 * 6.5 * 1.3)
    assert found.kg_co2_per_month is None  # of two grids nobody knows which the overflow has


def test_a_model_without_a_rated_power_makes_its_sums_unknown(world):
    entries = [(0, 0, 0, GPU_HOUR), (1, 1, 0, GPU_HOUR)]
    project = world.project(1, [world.workload("known"), world.workload("dark")], entries)
    found = energy_of(world, project, {"H100": POWERS["H100"]})
    assert [one.kwh_per_month is None for one in found.workloads] == [False, True]
    assert (found.kwh_per_month, found.peak_kw) == (None, None)


def test_a_contract_takes_the_grid_of_the_site_that_its_region_names(world):
    site = Site(
        site_id="eu-1", city="Oslo", country="Norway", latitude=60.0, longitude=11.0, grid_kg_co2_per_kwh=0.03
    )
    contract = world.contract("k", 4, "2", region=" oslo ")
    project = replace(world.project(1, [], [], [contract]), places=Places(sites=(site,)))
    found = energy_of(world, project)
    assert found.kg_co2_per_month == close(0.03 * 4 * 0.3 * 1.3 * 730)


def test_the_shipped_table():
    models = read_tables().gpu_models
    found = rated_power(["H100", "A100 80GB", "Quux"], models, Families(models))
    assert found["H100"] == RatedPower(1.275, False)
    assert found["A100 80GB"] == RatedPower(pytest.approx(0.4 / 0.55), True)
    assert "Quux" not in found
    (plain,) = rated_power(
        ["X"], [GpuModel(name="X", memory_gb=1, bandwidth_tb_per_s=1, tflops=1, tdp_watts=550)], Families(())
    ).values()
    assert plain.kw == pytest.approx(1.0)


@pytest.mark.parametrize("seed", range(examples(8)))
def test_it_adds_up_over_workloads_contracts_and_hours(world, seed):
    chance = random.Random(seed)
    hours = chance.randint(1, 6)
    workloads = [
        world.workload(
            f"w{at}", measured_share=chance.choice((None, chance.random())), measured_activity=chance.random()
        )
        for at in range(chance.randint(1, 3))
    ]
    entries = [
        (at, chance.choice((-1, 0, 1)), hour, chance.randint(0, 6 * GPU_HOUR))
        for at in range(len(workloads))
        for hour in range(hours)
    ]
    contracts = [
        world.contract(
            f"k{at}",
            chance.randint(1, 4),
            "1",
            gpu_model=chance.choice(("H100", "A100")),
            grid_kg_co2_per_kwh=0.2,
        )
        for at in range(chance.randint(1, 3))
    ]
    found = energy_of(world, world.project(hours, workloads, entries, contracts))
    idle = sum(row.idle_kwh for row in found.contracts)
    for key, rest in (("kwh_per_month", idle), ("kg_co2_per_month", 0.2 * idle)):
        whole = getattr(found, key)
        assert sum(getattr(row, key) for row in (*found.contracts, *found.overflow)) == pytest.approx(whole)
        assert sum(getattr(row, key) for row in found.workloads) + rest == pytest.approx(whole)
    assert found.kwh_per_month / 730 <= found.peak_kw * (
        1 + 1e-9
    )  # the mean hour is no larger than the largest
