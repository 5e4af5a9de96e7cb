"""A stated run: numbers as they are typed, what cannot be, and layouts that follow each other."""

from dataclasses import replace

import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.trained import (
    RUN_FIELDS,
    SEARCHED,
    Layout,
    Recompute,
    Sharding,
    StatedRun,
    TrainedModel,
    check_run,
    run_with,
    short_count,
    typed_number,
    value_in,
)

RUN = StatedRun(model=TrainedModel(name="m", parameters=8e9, active=8e9), tokens=1e12)
FIELD = {each.name: each for each in RUN_FIELDS}


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("tokens", "15T", 15e12),
        ("tokens", " 300 b ", 3e11),
        ("tokens", "1e12", 1e12),
        ("gpus", "1,024", 1024),
        ("tokens", "1,234,567.5K", 1_234_567_500),
        ("gpus", "", None),
        ("deadline_h", "720.5", 720.5),
        ("measured_doubling", "0.98", 0.98),
        ("measured_doubling", "83%", 0.83),
    ],
)
def test_numbers_are_read_as_planners_type_them(name: str, text: str, value: float | None) -> None:
    assert typed_number(FIELD[name], text) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [("tokens", ""), ("tokens", "many"), ("tokens", "0"), ("tokens", "-1T"), ("tokens", "nan"), ("tokens", "inf"),
     ("gpus", "1.5"), ("gpus", "20000000"), ("tp", "0"), ("deadline_h", "1e999"), ("measured_doubling", "98"),
     ("tokens", "1,5T"), ("storage_gb_per_s", "2,5"), ("tokens", "1,0000"), ("nic_gbps", "400e9"),
     ("storage_gb_per_s", "0,125"), ("tokens", "1234,567")],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_a_remedy(name: str, text: str) -> None:
    with pytest.raises(PlannerError) as refused:
        typed_number(FIELD[name], text)
    assert refused.value.where == FIELD[name].title and "enter a" in str(refused.value.remedy)


@pytest.mark.parametrize("name", FIELD)
def test_every_number_can_be_set_and_is_checked(name: str) -> None:
    assert value_in(run_with(RUN, name, 1), name) == 1
    assert check_run(run_with(RUN, name, 1)) == run_with(RUN, name, 1)
    with pytest.raises(PlannerError):
        check_run(run_with(RUN, name, -4))


def test_a_stage_has_a_layer_or_more_for_each_of_its_pieces() -> None:
    run = replace(RUN, model=replace(RUN.model, layers=32))
    for pp, interleave, lies in ((32, 1, True), (64, 1, False), (8, 4, True), (8, 5, False), (1, 100, True)):
        stated = run_with(run_with(run, "pp", pp), "interleave", interleave)
        assert stated.lies_on(64) is lies
    assert run_with(RUN, "pp", 64).lies_on(64)  # how many layers is not known
    assert not run_with(run, "tp", 3).lies_on(64)


def test_stages_keep_no_full_shards() -> None:
    whole = run_with(RUN, "sharding", Sharding.FSDP)
    assert run_with(whole, "pp", 4).layout == Layout(pp=4, sharding=Sharding.ZERO1)
    assert run_with(RUN, "pp", 4).layout == Layout(pp=4)
    assert run_with(run_with(RUN, "pp", 2), "sharding", Sharding.ZERO2).layout.sharding is Sharding.ZERO2


def test_a_part_of_the_layout_is_searched_until_it_is_set() -> None:
    assert RUN.free == set(SEARCHED) and value_in(RUN, "tp") is None
    one = run_with(RUN, "tp", 1)
    assert one.layout == RUN.layout and one.fixed == ("tp",) and value_in(one, "tp") == 1
    assert run_with(one, "tp", None) == RUN and one.free == set(SEARCHED) - {"tp"}
    assert run_with(RUN, "recompute", Recompute.NONE) == RUN
    assert "recompute" not in run_with(RUN, "recompute", Recompute.NEVER).free
    assert replace(RUN, layout=Layout(pp=2)).free == set(SEARCHED) - {"pp"}  # as older projects have it
    assert run_with(RUN, "interleave", 2).fixed == ()


@pytest.mark.parametrize("tokens", [1e12, 3.5e11, 2e6, 15e12, 512.0])
def test_what_is_said_of_tokens_reads_back(tokens: float) -> None:
    assert typed_number(FIELD["tokens"], short_count(tokens)) == tokens
    assert replace(RUN, tokens=tokens).called == f"m, {short_count(tokens)} tokens"


@pytest.mark.parametrize(
    ("value", "written"),
    [(999.0, "999"), (1e3, "1K"), (999e3, "999K"), (1e6, "1M"), (1e9, "1B"), (2.5e9, "2.5B"), (1e12, "1T")],
)
def test_a_number_is_written_with_the_largest_scale_that_it_reaches(value: float, written: str) -> None:
    assert short_count(value) == written


@pytest.mark.parametrize(
    ("gpus", "copies", "data_parallel"),
    # 8 x 2 = 16 GPUs hold the dense weights; a sequence is cut over 2 of these copies
    [(8, 1.0, 1.0), (16, 1.0, 1.0), (32, 2.0, 1.0), (64, 4.0, 2.0), (48, 3.0, 1.5)],
)
def test_gpus_hold_copies_of_weights_and_of_the_model(gpus: int, copies: float, data_parallel: float) -> None:
    layout = Layout(tp=8, pp=2, cp=2)
    assert (layout.copies(gpus), layout.data_parallel(gpus)) == (copies, data_parallel)


@pytest.mark.parametrize(
    ("share", "active", "parameters"),
    [
        (None, 2e9, 0.0),
        (1.0, 2e9, 0.0),
        (0.25, 2e9, 8e9),  # (8 - 2) / (1 - 0.25)
        (0.5, 6e9, 4e9),  # (8 - 6) / (1 - 0.5)
        (0.75, 2e9, 8e9),  # 24 of 8: all of them
    ],
)
def test_experts_have_what_a_token_leaves_out(share: float | None, active: float, parameters: float) -> None:
    model = TrainedModel(name="m", parameters=8e9, active=active, expert_share=share)
    assert model.expert_parameters == parameters and model.is_dense is (share is None)
