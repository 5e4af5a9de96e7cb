"""What is tried of a stated run and in which order, its knee, what would fit, and virtual machines, by hand."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.trained import Layout, Method, Recompute, Sharding, StatedRun
from gpuplanner.domain.training import answer, memory
from gpuplanner.domain.training import run as run_module
from gpuplanner.domain.training.answer import Answer, answer_of, knee_of, models_to_try
from gpuplanner.domain.training.choices import Asked, Choice, cheapest_way, choice_of, virtual_of
from gpuplanner.domain.training.memory import Memory, memory_of
from gpuplanner.domain.training.run import Chip, attention_flop
from tests.domain.training.test_steps_by_hand import ASKED, CHIP, FACTORS, HOUR, MIX, RUN, SMALL

STATED = StatedRun(model=SMALL, tokens=1e11, gpu_model="H100")
OTHER = replace(CHIP, name="H200", memory_gb=141.0)


def chip_of(name: str) -> tuple[Chip | None, int]:
    """H100 however it is written, and H200 in nodes of four."""
    return {"H100": (CHIP, 8), "h100 sxm": (CHIP, 8), "H200": (OTHER, 4)}.get(name, (None, 8))


def answered(stated: StatedRun = STATED, *names: str, offers: Any = (HOUR,)) -> Answer:
    return answer_of(stated, names or ("H100",), offers, chip_of, FACTORS, {"H100": 0.9}, 0)


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


@pytest.mark.parametrize(
    ("low", "high", "shares"),
    [
        (5.0, 20.0, (0.05, 0.2)),
        (20.0, 5.0, (0.05, 0.2)),
        (None, 20.0, (0.2, 0.2)),
        (0.0, None, (0.0, 0.0)),
        (None, None, None),
    ],
)
def test_virtual_machines_take_so_many_percent_longer(
    low: float | None, high: float | None, shares: tuple[float, float] | None
) -> None:
    of = answered(replace(STATED, virtual_low=low, virtual_high=high, gpus=16))
    assert of.asked.virtual == shares
    (choice,) = of.choices
    virtual = virtual_of(choice, of.asked)
    if shares is None or choice.finish is None or virtual is None:
        assert virtual is None and shares is None
        return
    hours = choice.finish.whole_hours
    assert (virtual.hours_low, virtual.hours_high) == pytest.approx([hours * (1 + share) for share in shares])
    assert (virtual.usd_low, virtual.usd_high) == pytest.approx([16 * 3 * hours * share for share in shares])
    unpriced = virtual_of(replace(choice, offer=None, usd=None), of.asked)
    assert unpriced is not None and unpriced.usd_low is unpriced.usd_high is None
    assert virtual_of(replace(choice, finish=None), of.asked) is None


def test_models_are_the_stated_those_of_prices_or_those_measured() -> None:
    free = replace(STATED, gpu_model="")
    offers = (HOUR, replace(HOUR, gpu_model="B200"), HOUR)
    assert models_to_try(STATED, offers, FACTORS, chip_of) == ("H100",)
    assert models_to_try(free, offers, FACTORS, chip_of) == ("B200", "H100")
    assert models_to_try(free, (), FACTORS, chip_of) == ("H100",)


# --- In which order, and the knee


CHOICE = choice_of(RUN, ASKED, FACTORS, (HOUR,))


def done(hours: float, gpus: int = 16, **facts: Any) -> Choice:
    assert CHOICE.finish is not None
    run = replace(CHOICE.fit.run, gpus=gpus)
    finish = replace(CHOICE.finish, hours=hours, whole_hours=hours)
    return replace(CHOICE, fit=replace(CHOICE.fit, run=run), finish=finish, **facts)


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


def test_what_surely_has_room_and_a_price_comes_before_what_may() -> None:
    red = replace(CHOICE, fit=replace(CHOICE.fit, memory=replace(CHOICE.fit.memory, state=900.0)))
    needed = CHOICE.fit.memory.gib

    def on(memory_gb: float) -> Choice:
        chip = replace(CHIP, memory_gb=memory_gb)
        return replace(CHOICE, fit=replace(CHOICE.fit, run=replace(RUN, chip=chip)))

    order = [on(needed), replace(CHOICE, meets_deadline=False), on(needed * 0.99), red]
    order[2:] = [replace(each, usd=at) for at, each in enumerate(order[2:])]
    jumbled = order[::-1]
    jumbled.sort(key=answer._in_order)
    assert jumbled == order
    assert answer._in_order(on(needed))[0] is False and answer._in_order(on(needed * 0.99))[0] is True
    assert answer._in_order(replace(CHOICE, finish=None))[0] is True
    assert answer._in_order(replace(CHOICE, usd=None))[2:4] == (True, 0.0)
    assert answer._in_order(replace(CHOICE, meets_deadline=True))[1] is False


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


# --- What would fit, and memory


def test_changes_come_in_their_order_each_with_those_before_it() -> None:
    """Of 64 GPUs in nodes of 8: eight doublings, eight to a layer, and stages as long as all of it is on the GPUs."""
    changed = list(memory._changed(replace(RUN, gpus=64, batch=64.0)))
    assert [name for name, _ in changed] == [
        "full_recomputation",
        *["more_gpus"] * 8,
        "tensor_parallel_8",
        *["pipeline"] * 3,
        "lora",
    ]
    runs = [run for _, run in changed]
    assert {run.layout.recompute for run in runs} == {Recompute.FULL}
    assert [(run.gpus, run.batch) for run in runs[1:9]] == [(64 * 2**at, 64.0 * 2**at) for at in range(1, 9)]
    assert [(run.layout.tp, run.layout.pp, run.layout.sharding) for run in runs[9:13]] == [
        (8, pp, Sharding.ZERO1) for pp in (1, 2, 4, 8)
    ]
    assert (runs[13].method, runs[13].gpus, runs[13].layout.tp) == (Method.LORA, 64, 1)
    few = [name for name, _ in memory._changed(replace(RUN, gpus=4, batch=99.0))]
    assert few[9:] == ["tensor_parallel_8", "lora"]  # four to a layer leave none for a second stage
    assert {run.batch for _, run in memory._changed(replace(RUN, gpus=4, batch=2000.0))} == {2000.0}
    split = [
        run.layout.tp
        for name, run in memory._changed(replace(RUN, layout=Layout(tp=16)))
        if name == "tensor_parallel_8"
    ]
    assert split == [16]
    assert [
        run.layout.tp for name, run in memory._changed(replace(RUN, gpus_per_node=4)) if name == "pipeline"
    ] == [4, 4]


def test_of_a_layer_that_is_gathered_experts_stay_apart() -> None:
    """8 GiB of parameters in 32 layers, all in experts: 16 / 16 of them, and 8 x a layer's share of a GPU."""
    for ep, layer in ((1, 0.25), (2, 0.125), (4, 0.0625)):
        layout = Layout(ep=ep)
        mixed = replace(RUN, model=MIX, layout=layout)
        assert memory_of(mixed).state / 1.05 == pytest.approx(8 + 8 * layer)
        hybrid = replace(mixed, layout=replace(layout, sharding=Sharding.HSDP))
        assert memory_of(hybrid).state / 1.05 == pytest.approx(16 + 8 * layer)  # over the 8 GPUs of a node
        assert memory_of(replace(hybrid, gpus=4)).state / 1.05 == pytest.approx(32 + 8 * layer)
        assert memory_of(replace(mixed, method=Method.LORA)).state / 1.05 == pytest.approx(1 + 4 * layer)


def test_attention_counts_where_both_of_its_sizes_are_known() -> None:
    sizes = replace(SMALL, attention_layers=2, attention_width=3)
    assert attention_flop(replace(RUN, model=sizes)) == 6 * 2 * 3 * 4096
    for name in ("attention_layers", "attention_width"):
        assert attention_flop(replace(RUN, model=replace(sizes, **{name: None}))) == 0.0


def test_experts_keep_their_own_share_of_activations() -> None:
    """A layer keeps 14 and twice 12 values a token and hidden unit: 38 x 32 x 2^24 bytes are 19 GiB."""
    for layout, gib in (
        (Layout(), 38 * 32 / 64),
        (Layout(tp=2), (7 + 24) * 32 / 64),
        (Layout(recompute=Recompute.SELECTIVE), (38 - 13) * 32 / 64),
        (Layout(recompute=Recompute.FULL), (2 * 32 + 38) / 64),
        (Layout(recompute=Recompute.FULL, tp=2), (32 + 31) / 64),
    ):
        assert memory_of(replace(RUN, model=MIX, layout=layout)).activations / 1.05 == pytest.approx(gib)


@pytest.mark.parametrize(
    ("layout", "gpus", "parts"),
    [
        (Layout(ep=4, pp=4), 16, 0.0),  # nobody else has them
        (Layout(ep=4, pp=4), 32, 1 / 16),
        (Layout(ep=2, pp=2), 16, 1 / 8),  # a quarter, over the two copies of a node
        (Layout(tp=2, pp=2), 16, 1 / 8),  # no experts apart: cut as the rest is
        (Layout(tp=4, pp=4), 32, 1 / 16),
        (Layout(tp=4, pp=4), 16, 0.0),
    ],
)
def test_experts_cross_by_how_they_are_cut(layout: Layout, gpus: int, parts: float) -> None:
    mixed = replace(RUN, model=MIX, layout=layout, gpus=gpus)
    assert run_module._experts_moved(mixed, 8) == pytest.approx(parts * MIX.parameters)
    assert run_module._experts_moved(replace(mixed, model=SMALL), 8) == 0.0


# --- Offers in time


def test_a_network_that_keeps_the_deadline_comes_before_a_cheaper_one() -> None:
    """On 100 Gb/s a node the run takes about five times as long, at a thirtieth of the rate."""
    slow = replace(HOUR, offer_id="s", nic_gbps=100.0, rate_usd_per_gpu_hour=Decimal("0.1"))
    assert CHOICE.finish is not None
    in_time = replace(ASKED, deadline_h=CHOICE.finish.hours * 1.5)
    for offers in ((HOUR, slow), (slow, HOUR)):
        assert choice_of(RUN, ASKED, FACTORS, offers).offer is slow
        kept = choice_of(RUN, in_time, FACTORS, offers)
        assert kept.offer is HOUR and kept.meets_deadline is True


def test_a_block_is_had_until_it_ends_and_not_for_longer() -> None:
    """30 days of January 2026, 720 h at $1: a run of 700 h fits, and not one of 735 on virtual machines."""
    begins_s = 1_767_225_600
    block = Offer(
        offer_id="b",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=0,
        rate_usd_per_gpu_hour=Decimal(1),
        term_days=30,
        starts="2026-01-01",
        ends="2026-01-31",
    )
    assert block.ends_s is not None and block.ends_s > begins_s
    assert cheapest_way((block,), 1, 10.0, Asked(tokens=1e9, at_s=begins_s))[0] is block
    assert cheapest_way((block,), 1, 10.0, Asked(tokens=1e9, at_s=block.ends_s)) == (None, None)
    assert cheapest_way((block,), 1, 10.0, Asked(tokens=1e9, at_s=block.ends_s + 1)) == (None, None)
    held = done(700.0, offer=block, usd=16 * 720.0)
    virtual = virtual_of(held, replace(ASKED, virtual=(0.0, 0.05)))
    assert virtual is not None and (virtual.usd_low, virtual.usd_high) == (0.0, None)
    unpriced = virtual_of(replace(held, usd=None), replace(ASKED, virtual=(0.0, 0.05)))
    assert unpriced is not None and unpriced.usd_low is unpriced.usd_high is None
