"""The energy of the past: by hand, job by job, and what it adds up to."""

import random
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.energy import (
    CONTRACT,
    EnergyRow,
    RatedPower,
    SiteEnergy,
    WindowEnergy,
    draw_inputs,
    drawn_shares,
    energy_of_sites,
    grid_factor,
    grid_of_offer,
    grid_of_region,
    model_names,
    rated_power,
    site_of,
    teams_of,
    times_known,
)
from gpuplanner.domain.model.gpu_family import Families, families_of
from gpuplanner.domain.model.places import Places, Site
from gpuplanner.domain.model.tables import GpuModel, Pool
from gpuplanner.files.system.resources import read_tables
from tests.domain.audit.conftest import (
    GPU_HOUR,
    START_S,
    classified,
    make_contract,
    make_offer,
    make_project,
    make_workload,
)
from tests.some_of import examples

OSLO = Site(
    site_id="eu-1",
    city="Oslo",
    country="Norway",
    latitude=60.0,
    longitude=11.0,
    grid_kg_co2_per_kwh=Decimal("0.03"),
)
BONN = Site(site_id="eu-2", city="Bonn", country="Germany", latitude=50.0, longitude=7.0)
SITES = (OSLO, BONN)
MONTH_H = 730

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


def grid(contract_id: str, region: str | None, kg: float | None = None) -> Any:
    factor = None if kg is None else Decimal(str(kg))
    return make_contract(contract_id, 1, "1", region=region, grid_kg_co2_per_kwh=factor)


@pytest.mark.parametrize(
    ("region", "site", "kg"),
    [
        ("eu-1", OSLO, 0.03),
        (" OSLO ", OSLO, 0.03),
        ("bonn", BONN, None),
        ("EU-2", BONN, None),
        ("Rome", None, None),
        ("", None, None),
        (None, None, None),
    ],
)
def test_a_region_names_a_site_by_its_id_or_city(
    region: str | None, site: Site | None, kg: float | None
) -> None:
    nameless = replace(BONN, site_id="", city="")
    assert site_of(region, (nameless, *SITES)) is site
    assert grid_of_region(region, SITES) == kg
    assert grid_factor(grid("k", region), SITES) == kg
    assert grid_factor(grid("k", region, 0.5), SITES) == 0.5
    assert grid_factor(grid("k", region, 0.0), SITES) == 0.0


@pytest.mark.parametrize(
    ("region", "kg"),
    [
        ("Oslo", 0.03),  # of its site
        ("Bonn", 0.4),  # of the contracts that name it
        ("us-1", None),  # 0.2 and 0.3
        ("us-2", 0.0),
        ("Rome", None),
        ("", None),
        (None, None),
    ],
)
def test_the_grid_of_an_offer_is_that_of_its_site_else_of_the_contracts_there(
    region: str | None, kg: float | None
) -> None:
    contracts = [
        grid("a", "BONN", 0.4),
        grid("b", "bonn", 0.4),
        grid("c", "Bonn"),
        grid("d", "us-1", 0.2),
        grid("e", "us-1", 0.3),
        grid("f", "us-2", 0.0),
        grid("g", None, 0.9),
        grid("h", "", 0.9),
        grid("i", "Oslo", 0.9),
    ]
    assert grid_of_offer(region, SITES, contracts) == kg


def row(name: str, kwh: float | None, kg: float | None, team: str = "") -> EnergyRow:
    drawn_kwh, drawn_kg_co2 = (None if amount is None else amount / 2 for amount in (kwh, kg))
    return EnergyRow(
        kind=CONTRACT,
        name=name,
        drawn_kwh=drawn_kwh,
        drawn_kg_co2=drawn_kg_co2,
        kwh_per_month=kwh,
        kg_co2_per_month=kg,
        team=team,
    )


def test_teams_and_sites_add_up_what_is_theirs() -> None:
    rows = (
        row("a", 10.0, 1.0, "ml"),
        row("b", 6.0, None, "ml"),
        row("c", 4.0, 2.0),
        row("d", 3.0, 1.0, "hr"),
    )
    of_teams = teams_of(WindowEnergy(workloads=rows))
    assert [(item.name, item.drawn_kwh, item.kwh_per_month, item.kg_co2_per_month) for item in of_teams] == [
        ("hr", 1.5, 3.0, 1.0),
        ("ml", 8.0, 16.0, None),
        ("nobody", 2.0, 4.0, 2.0),
    ]
    assert {item.kind for item in of_teams} == {"team"}
    contracts = [grid("a", "oslo"), grid("b", "Rome"), grid("c", "eu-1"), grid("d", None)]
    project = replace(make_project(1, [], [], contracts), places=Places(sites=SITES))
    assert energy_of_sites(project, WindowEnergy(contracts=rows)) == (SiteEnergy("eu-1", 14.0, 3.0),)
    unknown = WindowEnergy(contracts=(*rows[:2], replace(rows[2], kwh_per_month=None), rows[3]))
    assert energy_of_sites(project, unknown) == (SiteEnergy("eu-1", None, 3.0),)


@pytest.mark.parametrize(
    ("measured_share", "measured", "activity", "share"),
    [
        (None, None, None, 0.8),  # no activity is known
        (None, None, 0.5, 0.3 + 0.7 * 0.5),
        (1.0, 0.5, None, 0.3 + 0.7 * 0.5),
        (1.0, 0.0, None, 0.3),
        (0.0, None, 0.5, 0.8),
        (0.5, 1.0, 0.1, (1.0 + 0.8) / 2),
    ],
)
def test_jobs_draw_by_their_activity_else_what_is_assumed(
    measured_share: float | None, measured: float | None, activity: float | None, share: float
) -> None:
    """Idle GPUs draw 30% of rated power, busy ones all, those of unknown activity 80%."""
    workload = make_workload(
        "w", measured_share=measured_share, measured_activity=measured, activity=activity
    )
    assert drawn_shares([workload], 0.8) == [pytest.approx(share)]
    assert draw_inputs(workload, 0.8)["idle_share"] == 0.3
    assert drawn_shares([], 0.8) == []


def test_nothing_times_what_is_unknown_is_nothing() -> None:
    amounts, factors = np.array([0.0, 2.0, 0.0, 3.0]), np.array([np.nan, np.nan, 5.0, 5.0])
    assert times_known(amounts, factors).tolist() == [0.0, pytest.approx(np.nan, nan_ok=True), 0.0, 15.0]


def test_rated_power_is_of_the_variant_else_of_the_family_and_of_the_node_first() -> None:
    """500 W are 55% of a node's share of 0.909 kW."""
    models = (
        GpuModel(
            name="H100",
            memory_gb=80.0,
            bandwidth_tb_per_s=3.35,
            tflops=990.0,
            tdp_watts=700.0,
            node_kw_per_gpu=1.2,
            node_gpus=8,
        ),
        GpuModel(
            name="H100 PCIe",
            memory_gb=80.0,
            bandwidth_tb_per_s=2.0,
            tflops=756.0,
            tdp_watts=350.0,
            aliases=("-",),
        ),
        GpuModel(
            name="A100", memory_gb=80.0, bandwidth_tb_per_s=2.0, tflops=312.0, tdp_watts=500.0, node_gpus=4
        ),
        GpuModel(name="L4", memory_gb=24.0, bandwidth_tb_per_s=0.3, tflops=121.0),
    )
    models = (replace(models[0], variants="SXM=sxm;PCIe=pcie"), *models[1:])
    rated = rated_power(["H100", "H100 SXM", "h100 pcie", "A100", "L4", "X"], models, families_of(models))
    assert rated == {
        "H100": RatedPower(1.2, False),
        "H100 SXM": RatedPower(1.2, False),
        "h100 pcie": RatedPower(pytest.approx(0.35 / 0.55), True),
        "A100": RatedPower(pytest.approx(0.5 / 0.55), True),
    }


def test_gpu_models_are_those_of_log_contracts_and_offers() -> None:
    contracts = [make_contract("k", 1, "1", gpu_model=None), make_contract("l", 1, "1", gpu_model="L4")]
    project = make_project(1, [], [], contracts, [make_offer("o", "1", gpu_model="B200")], models=("H100",))
    assert model_names(project) == ["B200", "H100", "L4"]


def energy(project: Any, **powers: float) -> WindowEnergy:
    classes = classified(*[Pool.BURST] * len(project.workloads))
    return audit(project, classes, None, {name: RatedPower(kw, False) for name, kw in powers.items()}).energy


def test_the_peak_is_the_largest_hour_of_all_clusters() -> None:
    """Of 4 H100 at 1 kW (2 at work in the second hour: 1.6 and 0.6 kW) and 1 A100 at 0.5 kW in the third (0.4)."""
    entries = [(0, 0, 1, 2 * GPU_HOUR), (1, 1, 2, GPU_HOUR)]
    works = [make_workload("a"), make_workload("b", "bora")]
    contracts = [make_contract("k", 4, "1"), make_contract("l", 1, "1", cluster="bora", gpu_model="A100")]
    project = make_project(4, works, entries, contracts)
    result = energy(project, H100=1.0, A100=0.5)
    idle, busy, of_bora = 4 * 0.3, 2 * 0.8 + 2 * 0.3, (0.5 * 0.3, 0.5 * 0.8)
    assert result.drawn_peak_kw == pytest.approx(busy + of_bora[0])
    assert result.peak_s == START_S + 3600
    assert result.peak_kw == pytest.approx(1.3 * (busy + of_bora[0]))
    whole = 3 * idle + busy + 3 * of_bora[0] + of_bora[1]
    assert result.kwh_per_month == pytest.approx(1.3 * whole * MONTH_H / 4)
    rows = {item.name: item for item in result.contracts}
    assert rows["k"].drawn_kwh == pytest.approx((3 * idle + busy) * MONTH_H / 4)
    assert rows["k"].in_use_kwh == pytest.approx(1.3 * 1.6 * MONTH_H / 4)
    assert rows["l"].idle_kwh == pytest.approx(1.3 * 3 * of_bora[0] * MONTH_H / 4)
    assert [(item.called, item.team, item.drawn_kwh) for item in result.workloads] == [
        ("a", "team", pytest.approx(1.6 * MONTH_H / 4)),
        ("b", "team", pytest.approx(0.4 * MONTH_H / 4)),
    ]
    assert result.overflow == ()


def test_nothing_drawn_has_no_peak() -> None:
    result = energy(make_project(2, [], []))
    assert (result.kwh_per_month, result.drawn_peak_kw, result.peak_kw, result.peak_s) == (
        0.0,
        0.0,
        0.0,
        None,
    )


def test_a_model_without_a_rated_power_is_unknown_where_it_is_held_and_no_matter_where_it_is_not() -> None:
    works, entries = [make_workload("a")], [(0, 0, 0, 4 * GPU_HOUR)]
    dark = make_contract("l", 1, "1", gpu_model="A100")
    known = make_project(1, works, entries, [make_contract("k", 4, "1")])
    assert energy(known, H100=1.0).kwh_per_month == pytest.approx(1.3 * 3.2 * MONTH_H)
    mixed = energy(replace(known, contracts=(*known.contracts, dark)), H100=1.0)
    assert (mixed.kwh_per_month, mixed.drawn_peak_kw, mixed.peak_s) == (None, None, None)
    assert [item.kwh_per_month is None for item in mixed.contracts] == [
        item.name == "l" for item in mixed.contracts
    ]


def test_the_grid_that_is_stated_for_all_counts_before_those_of_contracts() -> None:
    """4 GPU-h at 80% of 1 kW, half of them overflow; two grids of two contracts leave that of overflow unknown."""
    contracts = [grid("k", None, 0.2), grid("l", None, 0.4)]
    project = make_project(1, [make_workload("a")], [(0, 0, 0, 4 * GPU_HOUR)], contracts)
    parted = energy(project, H100=1.0)
    assert [item.kg_co2_per_month for item in parted.overflow] == [None]
    assert [item.kg_co2_per_month for item in parted.contracts] == pytest.approx(
        [0.8 * 1.3 * kg * MONTH_H for kg in (0.2, 0.4)]
    )
    assert parted.workloads[0].kg_co2_per_month is None
    assumptions = replace(project.assumptions, grid_kg_co2_per_kwh=0.5)
    stated = energy(replace(project, assumptions=assumptions), H100=1.0)
    assert stated.kg_co2_per_month == pytest.approx(0.5 * 3.2 * 1.3 * MONTH_H)
    assert stated.overflow[0].kg_co2_per_month == pytest.approx(0.5 * 1.6 * 1.3 * MONTH_H)
    alike = replace(
        project, contracts=(contracts[0], replace(contracts[1], grid_kg_co2_per_kwh=Decimal("0.2")))
    )
    assert energy(alike, H100=1.0).kg_co2_per_month == pytest.approx(0.2 * 3.2 * 1.3 * MONTH_H)
