"""Needs: what a name says of a model, where each need is from, and that what nobody knows stays unknown."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.fit.needs import (
    LOG,
    NAME,
    PLANNER,
    RULE,
    UNKNOWN,
    AskedNeeds,
    Needed,
    holds_as_quoted,
    is_quoted_with,
    needs_of,
    number_of,
    served_gb,
    several_nodes,
    size_in_name,
)
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.hardware_needs import NEED_SPECS, NeedsSet, check_need, parse_need
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from tests.domain.audit.conftest import make_workload

QUOTE = Offer(
    offer_id="q",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    rate_usd_per_gpu_hour=Decimal(2),
    source="Quote RFQ-1 R1 at 99.5%",
    gpu_memory_gb=80.0,
    bare_metal=True,
    interconnect="roce",
)


@pytest.mark.parametrize(
    ("name", "billions", "width"),
    [
        ("vllm-llama-3.1-70b-instruct", 70, 2),
        ("Llama3_70B_chat", 70, 2),
        ("mixtral-8x7b", 56, 2),  # at most: experts share some
        ("tgi 7.5b fp8", 7.5, 1),
        ("qwen-72b-awq", 72, 0.5),
        ("bge-335m-endpoint", 0.335, 2),
        ("chat-prod", None, 2),
        ("run-2b3f9a1", None, 2),  # a hash says nothing
        ("phase-b", None, 2),
        ("serve-0b", None, 2),
        ("embed-int8", None, 1),
    ],
)
def test_the_size_of_a_model_is_read_from_its_name(name, billions, width):
    found = size_in_name(name)
    assert found.parameters_billion == billions
    assert found.bytes_per_parameter == width


def workload(name="x", **facts):
    return Workload(key=f"c/o/{name}", name=name, cluster="c", owner="o", sample_name=name, **facts)


def test_every_class_has_its_needs_each_with_a_source():
    for pool in POOLS:
        needs = needs_of(workload(), pool, 5.0)
        assert list(needs) == [spec.name for spec in NEED_SPECS if pool in spec.pools]
        assert all(needed.source in ("log", "name", "rule", "unknown") for needed in needs.values())


def test_what_nobody_knows_stays_unknown():
    needs = needs_of(workload(), Pool.INFERENCE, 5.0)
    assert served_gb(needs) == (None, None)
    assert needs["parameters_billion"].source == "unknown"
    assert needs["nodes"].value is None
    assert not several_nodes(needs)


def test_weights_are_known_by_the_name_and_the_cache_only_by_the_planner():
    named = workload("vllm-70b", max_milli_gpus=2000, max_nodes=1)
    assert served_gb(needs_of(named, Pool.INFERENCE, 5.0)) == (140.0, None)
    told = needs_of(named, Pool.INFERENCE, 5.0, NeedsSet(kv_cache_gb=4.0))
    assert served_gb(told) == (140.0, 144.0)
    assert str(told["parameters_billion"].source_words) == "from the name: 70b"
    assert told["kv_cache_gb"].source == "planner"


def test_the_planner_wins_over_log_and_name():
    one = workload("vllm-70b", max_nodes=4, max_milli_gpus=32000)
    inferred = needs_of(one, Pool.TRAINING, 5.0)
    assert (inferred["nodes"].value, number_of(inferred, "gpus_per_node")) == (4, 8)
    assert inferred["interconnect"].value == "infiniband"
    told = needs_of(one, Pool.TRAINING, 5.0, NeedsSet(nodes=1))
    assert not several_nodes(told)
    assert told["interconnect"].value is None


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("memory_gb_per_gpu", "40", 40.0),
        ("nodes", "4", 4),
        ("interconnect", "RoCE 400", "roce_400"),
        ("bare_metal", "no", False),
        ("own_cluster", "Yes", True),
        ("kv_cache_gb", "0", 0.0),
        ("active_hours", " ", None),
    ],
)
def test_a_need_is_read_as_it_was_typed(name, text, value):
    assert parse_need(name, text) == value
    assert type(parse_need(name, text)) is type(value)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("memory_gb_per_gpu", "0"),
        ("nodes", "1.5"),
        ("nodes", "many"),
        ("interconnect", "string"),
        ("bare_metal", "perhaps"),
        ("memory_gb_per_gpu", "nan"),
        ("kv_cache_gb", "inf"),
    ],
)
def test_a_need_that_cannot_be_is_refused_with_a_remedy(name, text):
    with pytest.raises(PlannerError, match=r"enter|use one of"):
        parse_need(name, text)


def test_an_unknown_need_is_refused():
    with pytest.raises(PlannerError, match="no such need"):
        check_need("colour", 3)


def test_a_flag_is_no_number():
    with pytest.raises(PlannerError):
        check_need("nodes", True)


def test_a_word_of_the_name_says_how_many_bytes_a_parameter_has() -> None:
    sizes = {
        word: size_in_name(f"llama-70b-{word}").bytes_per_parameter for word in ("fp32", "int8", "q4", "x")
    }
    assert sizes == {"fp32": 4.0, "int8": 1.0, "q4": 0.5, "x": 2.0}


# --- Needs


@pytest.mark.parametrize(
    ("name", "billions"), [("x-1b", 1.0), ("x-0.5b", 0.5), ("x-2x1b", 2.0), ("x-10m", 0.01), ("x-1m", None)]
)
def test_small_sizes_are_read_too(name: str, billions: float | None) -> None:
    assert size_in_name(name).parameters_billion == billions


def test_a_need_is_a_number_where_it_is_known_and_no_yes_or_no() -> None:
    needs = {"a": Needed(3, LOG), "b": Needed(True, LOG), "c": Needed(None, LOG), "d": Needed("roce", LOG)}
    assert [number_of(needs, name) for name in "abcde"] == [3.0, None, None, None, None]
    counts = [
        ({"nodes": Needed(count, LOG)}, is_several)
        for count, is_several in ((1, False), (2, True), (None, False))
    ]
    assert all(several_nodes(of) is is_several for of, is_several in counts) and not several_nodes({})


def test_needs_of_training_are_of_its_jobs_or_the_planners() -> None:
    """16 GPUs of its largest job, on two nodes and where nobody says on one."""
    spread, single = (
        make_workload("w", max_nodes=2, max_milli_gpus=16_000),
        make_workload("w", max_milli_gpus=16_000),
    )

    def found(work: Workload, name: str, **own: Any) -> tuple[Any, str]:
        needed = needs_of(work, Pool.TRAINING, 7.0, NeedsSet(**own))[name]
        return needed.value, needed.source

    assert found(spread, "gpus_per_node") == (8.0, LOG) and found(single, "gpus_per_node") == (16.0, LOG)
    assert found(replace(single, max_milli_gpus=0), "gpus_per_node") == (None, UNKNOWN)
    assert found(spread, "nodes") == (2, LOG) and found(single, "nodes") == (None, UNKNOWN)
    assert found(spread, "interconnect") == ("infiniband", RULE) and found(single, "interconnect") == (
        None,
        RULE,
    )
    assert found(replace(spread, max_nodes=1), "interconnect") == (None, RULE)
    assert found(spread, "memory_gb_per_gpu") == (80.0, RULE) and found(spread, "bare_metal") == (True, RULE)
    assert found(single, "interconnect", nodes=2) == ("infiniband", RULE)
    assert found(spread, "interconnect", nodes=1) == (None, RULE)
    assert found(spread, "interconnect", nodes=1, interconnect="roce") == ("roce", PLANNER)
    assert found(spread, "own_cluster", own_cluster=False) == (False, PLANNER)


def test_needs_of_serving_and_bursts() -> None:
    work = make_workload("fp8-13b-chat", max_nodes=2, max_milli_gpus=16_000)
    serves = needs_of(work, Pool.INFERENCE, 7.0)
    assert (serves["interconnect"].value, serves["interconnect"].source) == (None, RULE)
    assert needs_of(work, Pool.INFERENCE, 7.0, NeedsSet(interconnect="roce"))["interconnect"].value == "roce"
    assert (serves["parameters_billion"].value, serves["parameters_billion"].source) == (13.0, NAME)
    assert (serves["bytes_per_parameter"].value, serves["bytes_per_parameter"].source) == (1.0, NAME)
    named = needs_of(replace(work, sample_name="job-7b"), Pool.INFERENCE, 7.0)
    assert (named["parameters_billion"].value, named["bytes_per_parameter"].source) == (7.0, RULE)
    assert needs_of(work, Pool.BURST, 7.0)["active_hours"] == replace(
        Needed(7.0, LOG), note=needs_of(work, Pool.BURST, 0.0)["active_hours"].note
    )
    assert needs_of(work, Pool.INFERENCE, 7.0, NeedsSet(nodes=1))["interconnect"].source == RULE


@pytest.mark.parametrize(
    ("changes", "holds"),
    [
        ({}, True),
        ({"sla_percent": 99.5}, True),
        ({"sla_percent": 99.4}, False),
        ({"source": "Quote RFQ-1 R1 option"}, False),
        ({"source": "Quote RFQ-1 R1; plus VAT"}, False),
        ({"source": "Quote RFQ-1 R1; two sites"}, True),
        ({"source": None, "sla_percent": 1.0}, True),
    ],
)
def test_a_quote_holds_with_its_sla_and_without_an_open_remark(
    changes: dict[str, Any], *, holds: bool
) -> None:
    assert holds_as_quoted(replace(QUOTE, **changes)) is holds


@pytest.mark.parametrize(
    ("needs", "is_enough"),
    [
        (AskedNeeds(), True),
        (AskedNeeds("ethernet"), True),
        (AskedNeeds("infiniband"), False),
        (AskedNeeds(bare_metal=True), True),
        (AskedNeeds(memory_gb=80.0), True),
        (AskedNeeds(memory_gb=81.0), False),
    ],
)
def test_a_quote_is_no_less_than_what_is_needed(needs: AskedNeeds, *, is_enough: bool) -> None:
    assert is_quoted_with(QUOTE, needs) is is_enough
    assert is_quoted_with(replace(QUOTE, source=None), needs)
    bare = replace(QUOTE, bare_metal=None, gpu_memory_gb=None, interconnect=None)
    assert is_quoted_with(bare, AskedNeeds()) and not is_quoted_with(bare, AskedNeeds(bare_metal=True))
    assert not is_quoted_with(bare, AskedNeeds(memory_gb=1.0)) and not is_quoted_with(
        bare, AskedNeeds("ethernet")
    )


def test_what_serves_both_has_the_greater_of_each_need() -> None:
    both = AskedNeeds("roce", False, 40.0).beside(AskedNeeds("infiniband", True, None))
    assert both == AskedNeeds("infiniband", True, 40.0)
    assert AskedNeeds().beside(AskedNeeds()) == AskedNeeds()
    assert AskedNeeds("roce", memory_gb=10.0).beside(AskedNeeds(None, memory_gb=20.0)) == AskedNeeds(
        "roce", False, 20.0
    )
