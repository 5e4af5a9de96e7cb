"""Fit of workloads: laws of the whole table, a case of each class by hand, the planner's needs, and offers."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain import edits
from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.audit.utilization.contention import contended_gpu_hours
from gpuplanner.domain.evaluation import fit_project
from gpuplanner.domain.fit.hardware import main_models, memory_of_model
from gpuplanner.domain.fit.needs import needs_of
from gpuplanner.domain.fit.offer_fit import offers_by_light, offers_for
from gpuplanner.domain.fit.other_hardware import interconnect_premium, network_cost
from gpuplanner.domain.fit.rules import Light, Need, eligible_offers, hardware_fit
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.hardware_needs import NeedsSet
from gpuplanner.domain.model.tables import POOLS, GpuModel, Pool, PricingCategory, Tables, TrainedNeed
from gpuplanner.files.system.resources import read_tables

RED, AMBER, GREEN = Light.RED, Light.AMBER, Light.GREEN
TRAIN, INFER, BURST = POOLS
HOUR = 3_600_000
TABLES = Tables(
    gpu_models=(
        GpuModel(name="H100", memory_gb=80, bandwidth_tb_per_s=None, tflops=None),
        GpuModel(name="H200", memory_gb=141, bandwidth_tb_per_s=None, tflops=None),
    )
)
FULL = {"bare_metal": True, "interconnect": "infiniband", "gpu_memory_gb": 141}


def fits_of(project, world, *pools):
    return fit_project(project, audit(project, world.classified(*pools)), TABLES)


def lights(fit):
    return {row.need: row.light for row in fit.rows}


def trained(world, contract=None, nodes=2, **facts):
    """One training workload alone on its cluster: 4 GPUs in 10 of 100 hours, at $2 on a contract of 8."""
    one = world.workload(
        "sft", max_nodes=nodes, max_milli_gpus=4000, longest_job_s=36_000, sample_name="sft", **facts
    )
    contracts = (contract,) if contract else ()
    return world.project(100, [one], [(0, 0, hour, 4 * HOUR) for hour in range(10)], contracts)


def test_training_on_what_it_asks_for_is_green(world):
    (fit,) = fits_of(trained(world, world.contract("c", 8, "2", **FULL)), world, TRAIN)
    assert lights(fit) == {"memory": GREEN, "interconnect": GREEN, "bare_metal": GREEN, "own_cluster": GREEN}
    assert fit.light is GREEN
    assert fit.rows[0].has == 141
    assert fit.rows[0].has_source == "c"


@pytest.mark.parametrize(
    ("change", "need", "light"),
    [
        ({"gpu_memory_gb": 79}, "memory", RED),
        ({"gpu_memory_gb": 80}, "memory", AMBER),
        ({"gpu_memory_gb": None}, "memory", AMBER),  # 80 by the table of GPU models
        ({"interconnect": "ethernet"}, "interconnect", RED),
        ({"interconnect": "roce"}, "interconnect", RED),
        ({"interconnect": "roce_400"}, "interconnect", AMBER),
        ({"interconnect": None}, "interconnect", AMBER),
        ({"bare_metal": False}, "bare_metal", RED),
        ({"bare_metal": None}, "bare_metal", AMBER),
    ],
)
def test_one_thing_amiss_is_the_light_of_the_workload(world, change, need, light):
    (fit,) = fits_of(trained(world, world.contract("c", 8, "2", **(FULL | change))), world, TRAIN)
    assert lights(fit)[need] is light
    assert fit.light is light
    assert [row.need for row in fit.rows if row.light is not GREEN] == [need]


def test_one_node_needs_no_network_and_forgives_virtual_machines(world):
    contract = world.contract("c", 8, "2", **(FULL | {"interconnect": "ethernet", "bare_metal": False}))
    (fit,) = fits_of(trained(world, contract, nodes=1), world, TRAIN)
    assert (lights(fit)["interconnect"], lights(fit)["bare_metal"]) == (GREEN, AMBER)
    assert fit.network is None


def test_several_contracts_are_as_good_as_the_worst_that_runs_at_the_end(world):
    good, bad = (
        world.contract("a", 8, "2", **FULL),
        world.contract("b", 8, "2", **(FULL | {"gpu_memory_gb": 40})),
    )
    project = trained(world, good)
    both = replace(project, contracts=(good, bad))
    (fit,) = fits_of(both, world, TRAIN)
    assert (fit.light, fit.rows[0].has_source) == (RED, "b")
    ended = replace(project, contracts=(good, replace(bad, end_s=project.window.start_s + 3600)))
    (fit,) = fits_of(ended, world, TRAIN)
    assert fit.light is GREEN


def test_without_a_contract_the_gpu_model_tells_its_memory_and_the_rest_is_unknown(world):
    (fit,) = fits_of(trained(world), world, TRAIN)
    assert fit.rows[0].has == 80
    assert fit.rows[0].has_source == "table of GPU models"
    assert fit.light is AMBER
    assert fit.hardware[0].contract_or_offer == ""


def test_memory_of_a_model():
    named, source = memory_of_model("A100-40GB", TABLES.gpu_models)
    assert named == 40 and "name" in str(source)
    tabled, source = memory_of_model("nvidia h200 sxm", TABLES.gpu_models)
    assert tabled == 141 and "table" in str(source)
    assert memory_of_model("H100X", TABLES.gpu_models) == (None, "unknown")
    assert memory_of_model(None, TABLES.gpu_models) == (None, "unknown")


def shared(world, gpus):
    """Training and inference on one cluster with so many GPUs; both want 4 in every hour, the third comes alone."""
    workloads = [world.workload(name) for name in ("chat", "late", "sft")]
    entries = [(place, 0, hour, 4 * HOUR) for place in (0, 2) for hour in range(10)]
    entries += [(1, 0, hour, 4 * HOUR) for hour in range(20, 30)]
    return world.project(100, workloads, entries, [world.contract("c", gpus, "2", **FULL)])


def test_contention_is_measured_where_training_met_too_few_gpus_beside_inference(world):
    project = shared(world, 6)
    past = audit(project, world.classified(INFER, TRAIN, TRAIN))
    assert contended_gpu_hours(project, (INFER, TRAIN, TRAIN), past.contention) == (0, 0, 40)
    fits = fit_project(project, past, TABLES)
    assert lights(fits[2])["own_cluster"] is RED
    assert lights(fits[1])["own_cluster"] is AMBER  # the same cluster, other hours
    assert "40 GPU-h" in str(next(row.reason for row in fits[2].rows if row.need == "own_cluster"))


def test_a_shared_cluster_with_gpus_enough_is_amber(world):
    fits = fits_of(shared(world, 8), world, INFER, TRAIN, TRAIN)
    assert {lights(fit).get("own_cluster") for fit in fits} == {None, AMBER}


def test_the_contended_hours_are_those_of_the_leak(world):
    past = audit(shared(world, 6), world.classified(INFER, TRAIN, TRAIN))
    (leak,) = (leak for leak in past.leaks if leak.code == "contention")
    assert "10 h with training and inference together" in str(leak.action)


def served(world, name, gpus, **contract):
    one = world.workload("chat", max_nodes=1, max_milli_gpus=gpus * 1000, sample_name=name)
    entries = [(0, 0, hour, gpus * HOUR) for hour in range(10)]
    facts = {"gpu_memory_gb": 80} | contract
    return world.project(100, [one], entries, [world.contract("c", 16, "2", **facts)])


@pytest.mark.parametrize(
    ("name", "gpus", "cache", "light"),
    [
        ("vllm-70b", 1, None, RED),  # 140 GB of weights alone do not fit in 80
        ("vllm-70b", 2, None, None),  # 87.5% without the cache: nobody knows
        ("vllm-70b", 2, 4.0, GREEN),  # 144 of 160 GB: exactly 90%
        ("vllm-70b", 2, 4.1, AMBER),
        ("vllm-70b", 2, 20.0, AMBER),
        ("vllm-70b", 2, 20.1, RED),
        ("vllm-75b", 2, None, AMBER),  # 150 GB of weights alone are over 90%
        ("chat", 1, None, None),
    ],
)
def test_weights_and_cache_beside_the_gpus_of_a_job(world, name, gpus, cache, light):
    project = served(world, name, gpus)
    if cache is not None:
        project = edits.needs.set_need(project, [project.workloads[0].key], "kv_cache_gb", cache)
    (fit,) = fits_of(project, world, INFER)
    assert lights(fit)["model_memory"] is light
    assert fit.light is max(light or GREEN, GREEN)


def test_inference_on_training_grade_hardware_is_amber(world):
    (fit,) = fits_of(served(world, "chat", 1, interconnect="infiniband"), world, INFER)
    assert (lights(fit)["training_grade"], fit.light) == (AMBER, AMBER)


@pytest.mark.parametrize(("months", "light"), [(1, AMBER), (None, AMBER)])
def test_burst_on_a_term_longer_than_its_active_time(world, months, light):
    one = world.workload("sweep")
    contract = world.contract("c", 8, "2", term_months=months)
    project = world.project(1000, [one], [(0, 0, hour, HOUR) for hour in range(729)], [contract])
    (fit,) = fits_of(project, world, BURST)
    assert (fit.light, fit.rows[0].needs) == (light, 729)
    longer = edits.needs.set_need(project, [one.key], "active_hours", 730)
    assert fits_of(longer, world, BURST)[0].light is (GREEN if months else AMBER)


@pytest.mark.parametrize("category", [PricingCategory.STANDARD, PricingCategory.DYNAMIC])
def test_burst_that_is_paid_by_use_is_released_when_done(world, category):
    contract = world.contract("c", 8, "2", pricing_category=category)  # without an end: it runs until let go
    project = world.project(100, [world.workload("sweep")], [(0, 0, 5, HOUR)], [contract])
    (fit,) = fits_of(project, world, BURST)
    assert (fit.light, fit.rows[0].has) == (GREEN, 0)


def test_hours_of_two_gpu_models_count_once(world):
    one = world.workload("sweep")
    entries = [(0, model, hour, HOUR) for model in (0, 1) for hour in range(5)] + [(0, 1, 9, HOUR)]
    project = world.project(100, [one], entries, [world.contract("c", 8, "2")])
    assert fits_of(project, world, BURST)[0].rows[0].needs == 6


CLASSES = st.sampled_from(POOLS)
STATED = st.fixed_dictionaries(
    {
        "gpu_memory_gb": st.sampled_from([None, 40.0, 79.0, 80.0, 140.0, 141.0, 192.0]),
        "bare_metal": st.sampled_from([None, True, False]),
        "interconnect": st.sampled_from([None, "ethernet", "roce", "roce_400", "infiniband", "nvlink"]),
        "term_months": st.sampled_from([None, 1, 12]),
    }
)
NODES = st.sampled_from([None, 1, 2, 16])


@given(CLASSES, STATED, NODES, st.sampled_from(["chat", "vllm-70b", "7b-int8"]))
def test_the_light_is_the_worst_of_the_rows(pool, stated, nodes, name):
    from tests.domain.audit.conftest import classified, make_contract, make_project, make_workload

    one = make_workload("w", max_nodes=nodes, max_milli_gpus=2000, sample_name=name)
    project = make_project(20, [one], [(0, 0, 3, 2 * HOUR)], [make_contract("c", 4, "2", **stated)])
    (fit,) = fit_project(project, audit(project, classified(pool)), TABLES)
    known = [row.light for row in fit.rows if row.light is not None]
    assert fit.light == (max(known) if known else None)
    assert all((row.light in (RED, AMBER)) == bool(row.reason) for row in fit.rows)


@given(CLASSES, STATED, NODES)
def test_an_offer_is_never_better_for_a_workload_than_for_its_pool(pool, stated, nodes):
    """The plan asks an offer what the pool needs; a workload asks the same and more."""
    from tests.domain.audit.conftest import classified, make_contract, make_offer, make_project, make_workload

    one = make_workload("w", max_nodes=nodes, max_milli_gpus=2000, sample_name="chat")
    offer = make_offer("o", "2", **(stated | {"term_months": stated["term_months"] or 0}))
    project = make_project(20, [one], [(0, 0, 3, 2 * HOUR)], [make_contract("c", 4, "2")], [offer])
    (fit,) = fit_project(project, audit(project, classified(pool)), TABLES)
    (found,) = offers_for(fit, project.offers)
    of_pool = hardware_fit(offer, Need(pool, "H100", (nodes or 1) > 1)).light
    assert (found.light or GREEN) >= of_pool
    if pool is TRAIN:
        assert found.light is of_pool


@given(
    st.sampled_from(
        [("nodes", 3), ("memory_gb_per_gpu", 40.0), ("interconnect", "ethernet"), ("bare_metal", False)]
    )
)
def test_setting_a_need_and_taking_it_back_is_where_it_was(need):
    from tests.domain.audit.conftest import classified, make_contract, make_project, make_workload

    name, value = need
    one = make_workload("w", max_nodes=2, max_milli_gpus=2000)
    project = make_project(20, [one], [(0, 0, 3, 2 * HOUR)], [make_contract("c", 4, "2")])
    past = audit(project, classified(TRAIN))
    changed = edits.needs.set_need(project, [one.key], name, value)
    back = edits.needs.clear_need(changed, [one.key], name)
    assert changed.needs == {one.key: NeedsSet(**{name: value})}
    assert back.needs == project.needs
    assert fit_project(back, past, TABLES) == fit_project(project, past, TABLES)
    assert fit_project(changed, past, TABLES)[0].needs[name].source == "planner"


def test_offers_of_other_models_are_not_asked_and_equal_needs_once(world):
    project = trained(world, world.contract("c", 8, "2", **FULL))
    offers = (
        world.offer("h", "2", **FULL),
        world.offer("other", "2", gpu_model="A100"),
        world.offer("e", "2", **(FULL | {"interconnect": "ethernet"})),
    )
    fits = fits_of(project, world, TRAIN)
    assert offers_by_light(fits, offers) == [{GREEN: ["h"], RED: ["e"]}]
    assert [one.offer_id for one in offers_for(fits[0], offers)] == ["h", "e"]


def test_an_offer_by_use_is_released_when_done(world):
    one = world.workload("sweep")
    project = world.project(100, [one], [(0, 0, 3, HOUR)], [world.contract("c", 8, "2")])
    (fit,) = fits_of(project, world, BURST)
    offers = (
        world.offer("month", "2", term_months=1, pricing_category=PricingCategory.COMMITTED),
        world.offer("use", "4"),
    )
    assert [(found.offer_id, found.light) for found in offers_for(fit, offers)] == [
        ("use", GREEN),
        ("month", AMBER),
    ]


def test_needs_of_a_class_that_it_is_not(world):
    one = world.workload("chat", max_nodes=2)
    assert "memory_gb_per_gpu" in needs_of(one, Pool.TRAINING, 1.0)
    assert "memory_gb_per_gpu" not in needs_of(one, Pool.INFERENCE, 1.0)


# 3 days on 16 GPUs; 7,300 GPU-hours in a window of one month, for $14,600: $2 a GPU-hour
RUN = Workload(
    key="c/o/w",
    name="w",
    cluster="c",
    owner="o",
    milli_gpu_seconds=7300 * 3_600_000,
    max_milli_gpus=16_000,
    longest_job_s=72 * 3600,
)


def test_over_ethernet_the_same_run_on_infiniband_takes_a_tenth():
    found = network_cost(RUN, ["ethernet"], 14_600.0, 1.0, Assumptions())
    assert found.has == "ethernet"
    assert (found.ethernet.run_hours, found.infiniband.run_hours) == (72, pytest.approx(7.2))
    assert (found.ethernet.run_gpu_hours, found.infiniband.run_gpu_hours) == (1152, pytest.approx(115.2))
    assert (found.ethernet.run_usd, found.infiniband.run_usd) == (pytest.approx(2304), pytest.approx(230.4))
    assert (found.ethernet.usd_per_month, found.infiniband.usd_per_month) == (14_600, pytest.approx(1460))


def test_on_infiniband_the_same_run_over_ethernet_takes_ten_times_as_long():
    found = network_cost(RUN, ["infiniband", "nvlink"], 14_600.0, 1.0, Assumptions())
    assert found.has == "infiniband"
    assert (found.infiniband.run_hours, found.ethernet.run_hours) == (72, 720)
    assert found.ethernet.run_usd == pytest.approx(23_040)


def test_steps_of_a_known_model_count_unless_the_planner_set_others():
    run = TrainedNeed(memory_gib=91.8, step_s=5.25, slow_step_s=35.5)
    found = network_cost(RUN, ["infiniband"], 14_600.0, 1.0, Assumptions(), run)
    assert (found.infiniband.step_s, found.ethernet.step_s) == (5.25, 35.5)
    assert found.ethernet.run_hours == pytest.approx(72 * 35.5 / 5.25)
    own = Assumptions(step_seconds_infiniband=5)
    assert network_cost(RUN, ["infiniband"], None, 1.0, own, run).ethernet.step_s == 40
    unknown = TrainedNeed(memory_gib=91.8)
    assert network_cost(RUN, ["infiniband"], None, 1.0, Assumptions(), unknown).ethernet.step_s == 40


def test_serving_pays_for_an_interconnect_by_the_same_gpu_with_and_without(world):
    """100 GPUs in a month at 3.10 and 2.60: $36,500."""
    held = world.contract("k", 100, "3.10", gpu_model="H100", interconnect="infiniband", term_months=12)

    def offer(rate, word, term=12, model="H100"):
        category = PricingCategory.COMMITTED if term else PricingCategory.STANDARD
        return Offer(
            offer_id=f"{rate}",
            gpu_model=model,
            pricing_category=category,
            term_months=term,
            rate_usd_per_gpu_hour=Decimal(rate),
            interconnect=word,
        )

    def premium(*offers, contract=held):
        found = interconnect_premium((contract,), "H100", offers, 73_000.0)
        return None if found is None else found.usd_per_month

    assert premium(offer("2.60", "ethernet")) == pytest.approx(36_500)
    assert premium(offer("3.10", "infiniband"), offer("2.60", "roce")) == pytest.approx(36_500)
    assert premium(offer("4.10", "infiniband", 0), offer("3.60", "ethernet", 0)) == pytest.approx(36_500)
    assert premium(offer("2.60", "ethernet", 0)) is None  # on demand is no pair of a term
    assert premium(offer("2.60", None), offer("2.00", "ethernet", model="A100")) is None
    assert premium(offer("2.60", "ethernet"), contract=replace(held, interconnect="ethernet")) is None


def test_the_seconds_are_assumptions():
    found = network_cost(RUN, ["ethernet"], None, 1.0, Assumptions(step_seconds_ethernet=8))
    assert found.infiniband.run_hours == 36
    assert (found.infiniband.run_usd, found.usd_per_gpu_hour) == (None, None)


@pytest.mark.parametrize("interconnects", [[None], ["roce_400"], ["infiniband", None]])
def test_where_nobody_knows_the_network_nothing_is_told(interconnects):
    found = network_cost(RUN, interconnects, 14_600.0, 1.0, Assumptions())
    assert (found.has, found.infiniband, found.ethernet) == (None, None, None)
    assert found.reason


def test_the_slowest_of_several_contracts_counts():
    assert network_cost(RUN, ["infiniband", "roce"], None, 1.0, Assumptions()).has == "ethernet"


@given(st.floats(0.1, 100), st.floats(0.1, 100), st.sampled_from(["ethernet", "infiniband"]))
def test_money_and_time_grow_alike_and_what_it_has_is_what_it_cost(fast, slow, has):
    assumptions = Assumptions(step_seconds_infiniband=fast, step_seconds_ethernet=slow)
    found = network_cost(RUN, [has], 14_600.0, 1.0, assumptions)
    own = found.infiniband if has == "infiniband" else found.ethernet
    assert (own.run_hours, own.usd_per_month) == (72, pytest.approx(14_600))
    assert found.ethernet.run_usd * fast == pytest.approx(found.infiniband.run_usd * slow)
    assert found.ethernet.run_hours * fast == pytest.approx(found.infiniband.run_hours * slow)


def test_a_known_model_takes_the_place_of_the_threshold_but_not_of_the_planners_own(world):
    asked = []

    def trained(billion, gpu_model, gpus, slow_gbps, name):
        asked.append((billion, gpu_model, gpus, slow_gbps, name))
        return TrainedNeed(memory_gib=60.0)

    workload = world.workload("llama-70b-ft", max_milli_gpus=16_000)
    held = world.contract("k", 16, "2", gpu_model="H100", nic_gbps=100)
    project = world.project(100, [workload], [(0, 0, hour, 4 * HOUR) for hour in range(10)], [held])
    found = audit(project, world.classified(TRAIN))
    (fit,) = fit_project(project, found, replace(TABLES, trained=trained))
    (row,) = [row for row in fit.rows if row.need == "memory"]
    assert (row.light, row.needs, row.source) == (GREEN, 60.0, "model")
    assert asked == [(70.0, "H100", 16.0, 100, "llama-70b-ft")]
    assert [row.light for row in fit_project(project, found, TABLES)[0].rows if row.need == "memory"] == [
        AMBER
    ]
    own = replace(project, needs={workload.key: NeedsSet(memory_gb_per_gpu=141)})
    (kept,) = fit_project(own, found, replace(TABLES, trained=trained))
    assert [row.light for row in kept.rows if row.need == "memory"] == [RED]


def test_the_main_model_is_that_of_most_gpu_time(world):
    """3 GPU-hours on H100 and 2 on A100, 1 and 2, and 4 of which nobody knows the model."""
    hours = [(0, 0, 3), (0, 1, 2), (1, 0, 1), (1, 1, 2), (2, -1, 4)]
    entries = [(place, model, hour, gpus * HOUR) for hour, (place, model, gpus) in enumerate(hours)]
    project = world.project(10, [world.workload(name) for name in ("a", "b", "c")], entries)
    assert main_models(project) == ["H100", "A100", None]


def test_elsewhere_and_the_premium_are_of_a_month(world):
    """10 GPU-hours in 73 of 730 hours are 100 a month.

    An L4 is 0.54 / 3.8 of an H100: at $0.54 the same work costs 100 x 3.8. Ethernet saves $0.50 an hour.
    """
    held = world.contract("k", 8, "3.10", interconnect="infiniband", term_months=12)
    offers = [
        world.offer("l4", "0.54", gpu_model="L4"),
        world.offer("eth", "2.60", pricing_category="COMMITTED", term_months=12, interconnect="ethernet"),
    ]
    workload = world.workload("yolo-detector-train", max_milli_gpus=2000, longest_job_s=19 * 3600)
    project = world.project(73, [workload], [(0, 0, hour, 2 * HOUR) for hour in range(5)], [held], offers)
    (trains,) = fit_project(project, audit(project, world.classified(TRAIN)), read_tables())
    (l4,) = [row for row in trains.elsewhere() if row.gpu_model == "L4"]
    assert l4.cost_per_month == pytest.approx(380)
    assert l4.gpu_hours_per_month == pytest.approx(100 * 3.8 / 0.54)
    assert l4.run_hours == pytest.approx(19 * 3.8 / 0.54)
    (serves,) = fit_project(project, audit(project, world.classified(INFER)), TABLES)
    assert serves.premium.usd_per_month == pytest.approx(100 * 0.5)


@pytest.mark.parametrize(("card_gib", "usable"), [(72.5, 72.5), (71.5, None), (88.5, None), (None, None)])
def test_a_card_holds_what_its_model_does_where_that_is_near_what_is_stated(world, card_gib, usable):
    """Within 10% of 80 GB: from 72 to 88."""
    need = TrainedNeed(memory_gib=60.0, card_gib=card_gib)
    workload = world.workload("llama-70b-ft", max_milli_gpus=16_000)
    project = world.project(100, [workload], [(0, 0, 0, 4 * HOUR)], [world.contract("k", 16, "2")])
    tables = replace(TABLES, trained=lambda *_: need)
    (fit,) = fit_project(project, audit(project, world.classified(TRAIN)), tables)
    assert [node.usable_gb for node in fit.hardware] == [usable]


def test_offers_of_a_mapped_model_are_at_the_rate_of_the_work_that_they_do(world):
    """An H200 at $5 does the work of two H100: $2.50. A virtual one and an A100, which nobody mapped, serve nothing."""
    offers = [
        world.offer("own", "3", **FULL),
        world.offer("h200", "5", gpu_model="H200", **FULL),
        world.offer("virtual", "1", gpu_model="H200", **FULL | {"bare_metal": False}),
        world.offer("a100", "1", gpu_model="A100", **FULL),
    ]
    need = Need(TRAIN, "H100", several_nodes=True)
    eligible = eligible_offers(offers, need, [ModelMapping("H100", "H200", 2.0)])
    assert [(offer.offer_id, offer.rate) for offer in eligible] == [("own", 3.0), ("h200", 2.5)]
    assert [offer.offer_id for offer in eligible_offers(offers, need)] == ["own"]
