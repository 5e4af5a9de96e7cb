"""GPU models that are tried for a stated run (`stated_run.py`), the order of choices, and the knee of a curve."""

from dataclasses import replace

import pytest

from gpuplanner.domain.model.trained import Layout
from gpuplanner.domain.training.answer import Answer, knee_of, models_to_try
from gpuplanner.domain.training.memory import Memory
from tests.domain.training.stated_run import ASKED, CHOICE, FACTORS, HOUR, STATED, answered, chip_of, done


def tried(of: Answer) -> dict[str, list[int]]:
    return {name: [choice.run.gpus for choice in every] for name, every in of.tried.items()}


# --- What is tried


def test_each_model_is_tried_once_on_whole_nodes() -> None:
    sizes = [8 * 2**at for at in range(12)]
    of = answered(STATED, "H100", "h100 sxm", "?", "H200")
    assert tried(of) == {"H100": sizes, "H200": [4, *sizes]} and of.unknown == ("?",)
    assert [chip.name for chip in of.chips] == ["H100", "H200"] and not of.is_undivided
    alone = answered(replace(STATED, gpus=48))
    assert tried(alone) == {"H100": [48]}
    assert {choice.offer for choice in alone.choices} == {HOUR}
    uneven = answered(replace(STATED, gpus=48, layout=Layout(tp=32)))
    assert tried(uneven) == {"H100": []} and uneven.is_undivided and uneven.best is None
    spelled = answered(STATED, offers=(replace(HOUR, gpu_model="h100 sxm"), replace(HOUR, gpu_model="?")))
    assert spelled.best is not None and spelled.best.offer is not None
    assert spelled.best.offer.gpu_model == "h100 sxm"


def test_a_measured_run_is_tried_two_doublings_around_it_and_where_it_is_stated() -> None:
    measured = replace(STATED, measured_h=100.0, measured_gpus=64)
    assert tried(answered(measured)) == {"H100": [16, 32, 64, 128, 256]}
    assert tried(answered(replace(measured, gpus=1024))) == {"H100": [1024]}
    asked = answered(measured).asked.measured
    assert asked is not None and (asked.hours, asked.gpus, asked.doubling) == (100.0, 64, 0.83)
    own = answered(replace(measured, measured_doubling=0.9)).asked.measured
    assert own is not None and own.doubling == 0.9
    for lacking in (
        replace(measured, measured_h=None),
        replace(measured, measured_gpus=None),
        replace(measured, gpu_model=""),
    ):
        assert answered(lacking).asked.measured is None


def test_models_are_the_stated_those_of_prices_or_those_measured() -> None:
    free = replace(STATED, gpu_model="")
    offers = (HOUR, replace(HOUR, gpu_model="B200"), HOUR)
    assert models_to_try(STATED, offers, FACTORS, chip_of) == ("H100",)
    assert models_to_try(free, offers, FACTORS, chip_of) == ("B200", "H100")
    assert models_to_try(free, (), FACTORS, chip_of) == ("H100",)


# --- In which order, and the knee


def test_of_each_model_the_best_comes_first_and_else_the_last_that_is_shown() -> None:
    late = [done(float(at), usd=float(at), meets_deadline=False) for at in range(6)]
    kept = [done(1.0, usd=9.0), done(1.0, usd=8.0)]
    of = Answer(
        stated=STATED,
        asked=ASKED,
        tried={"late": tuple(late), "kept": tuple(kept), "none": ()},
        choices=(),
        best=None,
        networks=(),
        unknown=(),
    )
    assert of.best_of_each == {"kept": kept[1], "late": late[3]}  # of four that are shown
    assert list(of.best_of_each) == ["kept", "late"]


@pytest.mark.parametrize(
    ("hours", "knee"),
    [
        ((100, 60, 40, 20), 16),  # of what a doubling could save, four fifths, then two thirds
        ((100, 62.5, 30), None),  # exactly three quarters is enough
        ((100, 70), 8),
        ((100, 50, 25), None),
        ((100,), None),
    ],
)
def test_the_knee_is_the_last_doubling_that_saved_three_quarters(
    hours: tuple[float, ...], knee: int | None
) -> None:
    curve = [done(float(each), 8 * 2**at) for at, each in enumerate(hours)]
    found = knee_of(curve)
    assert (None if found is None else found.run.gpus) == knee


def test_a_curve_is_of_numbers_on_which_it_fits_and_ends_at_the_first_batch() -> None:
    fits = [done(9.0, 8), done(5.0, 16)]
    large = replace(CHOICE.fit, memory=Memory(90.0, 1.0, 1.0, 4.0))
    left_out = [replace(done(8.0), fit=large), done(float("inf")), replace(CHOICE, finish=None)]
    other = done(3.0, 32)
    batched = replace(other, fit=replace(other.fit, run=replace(other.fit.run, batch=99.0)))
    of = Answer(
        stated=STATED,
        asked=ASKED,
        tried={"H100": (*left_out, *fits, batched)},
        choices=(),
        best=None,
        networks=(),
        unknown=(),
    )
    assert of.curve("H100") == tuple(fits) and of.curve("?") == ()
