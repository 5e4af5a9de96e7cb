"""Needs: what a name says of a model, where each need is from, and that what nobody knows stays unknown."""

import pytest

from gpuplanner.domain.fit.needs import needs_of, number_of, served_gb, several_nodes, size_in_name
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import NEED_SPECS, NeedsSet, check_need, parse_need
from gpuplanner.domain.model.tables import POOLS, Pool


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
