"""Choices of hardware for a run: hours, dollars and energy, deadlines, offers in time, and virtual machines."""

from dataclasses import replace
from decimal import Decimal
from math import inf

import pytest

from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.trained import Layout, Recompute, StatedRun
from gpuplanner.domain.reports.training import assumed_words
from gpuplanner.domain.training import answer
from gpuplanner.domain.training.choices import (
    Asked,
    Choice,
    best_choice,
    cheapest_way,
    choice_of,
    cost_usd,
    network_costs,
    notes_of,
    sizes_of,
    virtual_of,
    with_usual_batch,
    worth_showing,
)
from gpuplanner.domain.training.memory import Memory
from gpuplanner.domain.training.run import MeasuredRun, finish_of
from gpuplanner.files.system.resources import model_of_catalogue
from gpuplanner.files.system.training import trained_answer
from tests.domain.reports.reported_results import FITTING
from tests.domain.training.stated_run import ASKED, CHIP, CHOICE, FACTORS, HOUR, RUN, STATED, answered, done

TERM = Offer(
    offer_id="t",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=1,
    rate_usd_per_gpu_hour=Decimal(1),
    upfront_usd=Decimal(10),
)


# --- Choices


def test_a_choice_has_the_hours_dollars_and_energy_of_its_run() -> None:
    result = choice_of(RUN, ASKED, FACTORS, (HOUR,))
    finish = finish_of(RUN, 1e11, FACTORS)
    assert finish is not None and result.finish == finish and result.offer is HOUR
    assert result.usd == pytest.approx(16 * 3 * 1.25 * finish.hours)
    assert (result.usd_low, result.usd_high) == pytest.approx(
        (16 * 3 * 0.9 * finish.hours, 16 * 3 * 1.75 * finish.hours)
    )
    assert result.kwh == pytest.approx(0.9 * 16 * 1.25 * finish.hours)
    assert (result.meets_deadline, result.remedy, result.why) == (None, None, "")
    assert choice_of(RUN, replace(ASKED, kw={}), FACTORS, (HOUR,)).kwh is None
    plain = choice_of(RUN, ASKED, FACTORS, ())
    assert (plain.offer, plain.usd, plain.usd_low, plain.finish) == (None, None, None, finish)


def test_a_deadline_is_kept_with_an_offer_that_is_there_in_time() -> None:
    finish = finish_of(RUN, 1e11, FACTORS)
    assert finish is not None
    slow = replace(HOUR, offer_id="s", lead_time_hours=10.0)
    for offers, hours, meets in (
        ((HOUR,), finish.whole_hours, True),
        ((HOUR,), finish.whole_hours - 0.1, False),
        ((slow,), finish.whole_hours + 10, True),
        ((slow,), finish.whole_hours + 9, False),
        ((), finish.whole_hours, True),
        ((), finish.whole_hours - 0.1, False),
    ):
        result = choice_of(RUN, replace(ASKED, deadline_h=hours), FACTORS, offers)
        assert result.meets_deadline is meets
        assert (result.usd is None) is (not offers)
    red = replace(RUN, chip=replace(CHIP, memory_gb=1.0))
    assert choice_of(red, replace(ASKED, deadline_h=1e9), FACTORS, (HOUR,)).meets_deadline is False


def test_a_run_is_on_the_network_of_the_offer_that_costs_least() -> None:
    """On 100 Gb/s it takes about five times as long: cheaper by the hour alone is dearer."""
    slow = replace(HOUR, offer_id="s", nic_gbps=100.0, rate_usd_per_gpu_hour=Decimal(2))
    assert choice_of(RUN, ASKED, FACTORS, (HOUR, slow)).offer is HOUR
    cheap = replace(slow, rate_usd_per_gpu_hour=Decimal("0.1"))
    result = choice_of(RUN, ASKED, FACTORS, (HOUR, cheap))
    assert result.offer is cheap and result.run.nic_gbps == 100.0
    stated = choice_of(replace(RUN, nic_gbps=800.0), ASKED, FACTORS, (HOUR, slow))
    assert stated.offer is slow and stated.run.nic_gbps == 800.0
    one_node = choice_of(replace(RUN, gpus=8, batch=8.0), ASKED, FACTORS, (HOUR, slow))
    assert one_node.offer is slow and one_node.run.nic_gbps is None
    for rdma, word, expected in (
        (None, "ethernet", False),
        (None, "infiniband", True),
        (True, "ethernet", True),
        (False, "x", False),
    ):
        offer = replace(HOUR, rdma=rdma, interconnect=word, nic_gbps=800.0)
        assert choice_of(RUN, ASKED, FACTORS, (offer,)).run.is_rdma is expected
    assert not choice_of(replace(RUN, is_rdma=False), ASKED, FACTORS, (replace(HOUR, rdma=True),)).run.is_rdma


def test_a_run_that_does_not_fit_is_recomputed_unless_it_says_never() -> None:
    """8 GiB of state, 2 of a layer, 16 of activations and 1.4 of logits: 32.6 GiB with reserve; recomputed 17.5."""
    tight = replace(RUN, chip=replace(CHIP, memory_gb=18.0))
    result = choice_of(tight, ASKED, FACTORS, ())
    assert result.run.layout.recompute is Recompute.FULL and result.why == "" and result.remedy is None
    some = choice_of(replace(RUN, chip=replace(CHIP, memory_gb=27.0)), ASKED, FACTORS, ())
    assert some.run.layout.recompute is Recompute.SELECTIVE  # 25.9 GiB
    never = replace(tight, layout=Layout(recompute=Recompute.NEVER))
    refused = choice_of(never, ASKED, FACTORS, (), ())
    assert refused.fit.light is Light.RED and refused.run.layout.recompute is Recompute.NONE
    assert refused.remedy is not None and refused.remedy.change == "full_recomputation"
    stated = choice_of(replace(tight, layout=Layout(recompute=Recompute.FULL)), ASKED, FACTORS, (), ())
    assert stated.why == "" and stated.remedy is None
    hopeless = choice_of(replace(RUN, chip=replace(CHIP, memory_gb=0.1)), ASKED, FACTORS, ())
    assert (hopeless.fit.light, hopeless.remedy) == (Light.RED, None)


def test_a_precision_that_is_not_known_has_no_hours() -> None:
    result = choice_of(replace(RUN, precision="INT8"), replace(ASKED, deadline_h=1.0), FACTORS, (HOUR,))
    assert (result.finish, result.offer, result.usd, result.kwh, result.meets_deadline) == (None,) * 5
    assert notes_of(result) == (result.why,) and result.why
    borrowed = choice_of(replace(RUN, precision="FP8"), ASKED, FACTORS, ())
    assert borrowed.finish is not None and notes_of(borrowed) == (borrowed.finish.step.note,)
    assert notes_of(choice_of(RUN, ASKED, FACTORS, ())) == ()


def test_a_measured_run_has_its_own_hours_up_to_two_doublings() -> None:
    asked = replace(ASKED, measured=MeasuredRun(40.0, 16))
    texts = set()
    for gpus in (4, 16, 64, 128):
        result = choice_of(
            replace(RUN, gpus=gpus, batch=float(gpus), layout=Layout(recompute=Recompute.FULL)),
            asked,
            FACTORS,
            (),
        )
        assert result.finish is not None
        assert result.finish.hours == pytest.approx(
            40 * 16 / gpus / 0.83 ** {4: -2, 16: 0, 64: 2, 128: 3}[gpus]
        )
        assert (result.finish.hours_low, result.finish.hours_high) == asked.measured.band_on(gpus)
        texts.add((gpus == 128, str(result.why)))
    assert len(texts) == 2  # another text for three doublings
    assert network_costs(choice_of(RUN, asked, FACTORS, (HOUR,)), asked, FACTORS) == ()


def test_networks_are_usual_ones_up_to_that_of_the_node_and_the_stated() -> None:
    choice = choice_of(replace(RUN, nic_gbps=600.0), ASKED, FACTORS, (HOUR,))
    rows = network_costs(choice, ASKED, FACTORS)
    assert [row.nic_gbps for row in rows] == [100.0, 400.0, 600.0, 800.0, 1600.0, 3200.0]
    best = finish_of(RUN, 1e11, FACTORS)
    for row in rows:
        finish = finish_of(replace(RUN, nic_gbps=row.nic_gbps), 1e11, FACTORS)
        assert best is not None and finish is not None
        assert row.hours == pytest.approx(1.25 * (finish.hours - best.hours))
        assert row.times == pytest.approx(finish.hours / best.hours)
        assert row.usd == pytest.approx(1.25 * (finish.hours - best.hours) * 16 * 3)
        assert row.hidden_from_tokens == finish.step.hidden_from
    assert network_costs(choice_of(replace(RUN, gpus=8, batch=8.0), ASKED, FACTORS, ()), ASKED, FACTORS) == ()
    unknown = replace(RUN, chip=replace(CHIP, nic_gbps=None))
    assert network_costs(choice_of(unknown, ASKED, FACTORS, ()), ASKED, FACTORS) == ()
    assert network_costs(replace(choice, finish=None), ASKED, FACTORS) == ()
    assert {row.usd for row in network_costs(replace(choice, offer=None), ASKED, FACTORS)} == {None}
    for row, own in zip(rows, network_costs(choice, replace(ASKED, whole_run=1.5), FACTORS), strict=True):
        assert own.hours == pytest.approx(row.hours * 1.5 / 1.25)


def test_orders_end_and_blocks_hold_a_run_once() -> None:
    """A block of 30 days from its start to its end is had once: $1 x 720 h; 721 h need another."""
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
    assert block.term_hours == 720
    assert (cost_usd(block, 1, 720.0), cost_usd(block, 1, 721.0)) == (720.0, None)
    open_end = replace(block, ends=None, starts=None)
    assert (cost_usd(open_end, 2, 720.0), cost_usd(open_end, 2, 721.0)) == (1440.0, 2880.0)
    assert cost_usd(replace(open_end, term_days=None), 2, 10.0) is None
    now_s = 1_767_225_600  # 1 January 2026
    assert cheapest_way((block,), 1, 10.0, Asked(tokens=1e9, at_s=now_s + 29 * 86_400))[0] in (block, None)
    assert cheapest_way((block,), 1, 10.0, Asked(tokens=1e9, at_s=block.ends_s)) == (None, None)
    closed = replace(HOUR, valid_until="2026-01-10")
    assert cheapest_way((closed,), 1, 10.0, Asked(tokens=1e9, at_s=now_s)) == (closed, 30.0)
    assert cheapest_way((closed,), 1, 10.0, Asked(tokens=1e9, at_s=now_s + 30 * 86_400)) == (None, None)
    twin = replace(HOUR, offer_id="a")
    assert cheapest_way((HOUR, twin), 1, 10.0, Asked(tokens=1e9))[0] is twin
    month = Offer(
        offer_id="m",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=1,
        rate_usd_per_gpu_hour=Decimal(3),
    )
    assert cheapest_way((month, HOUR), 1, 730.0, Asked(tokens=1e9))[0] is HOUR  # as dear, and of no term


def test_sizes_double_up_to_the_largest_run() -> None:
    assert sizes_of(8, None) == tuple(8 * 2**at for at in range(12))
    assert with_usual_batch(RUN, None).batch == 2**22 / 4096
    assert with_usual_batch(RUN, 3.0).batch == 3.0
    wide = replace(RUN, gpus=2048, layout=Layout(micro_batch=2.0))
    assert with_usual_batch(wide, None).batch == 4096.0


@pytest.mark.parametrize(
    ("meets", "shown"),
    [
        ([None] * 8, 4),
        ([None] * 2, 2),
        ([False, False, False, True, True, True], 5),
        ([False] * 5 + [True, True, True], 7),
        ([True] * 8, 4),
        ([False] * 8, 4),
    ],
)
def test_rows_are_shown_until_one_after_the_deadline_is_kept(meets: list[bool | None], shown: int) -> None:
    rows = [replace(FITTING, meets_deadline=each, usd=float(at)) for at, each in enumerate(meets)]
    red = replace(FITTING, fit=replace(FITTING.fit, memory=replace(FITTING.fit.memory, state=900.0)))
    assert worth_showing([red, *rows]) == tuple(rows[:shown])
    assert worth_showing([red, red]) == (red,) and worth_showing([]) == ()


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


def test_what_surely_has_room_and_a_price_comes_before_what_may() -> None:
    red = replace(CHOICE, fit=replace(CHOICE.fit, memory=replace(CHOICE.fit.memory, state=900.0)))
    needed = CHOICE.fit.memory.gib

    def on(memory_gb: float) -> Choice:
        chip = replace(CHIP, memory_gb=memory_gb)
        return replace(CHOICE, fit=replace(CHOICE.fit, run=replace(RUN, chip=chip)))

    order = [on(needed), replace(CHOICE, meets_deadline=False), on(needed * 0.99), red]
    order[2:] = [replace(each, usd=at) for at, each in enumerate(order[2:])]
    jumbled = order[::-1]
    jumbled.sort(key=answer.choice_sort_key)
    assert jumbled == order
    assert (
        answer.choice_sort_key(on(needed))[0] is False
        and answer.choice_sort_key(on(needed * 0.99))[0] is True
    )
    assert answer.choice_sort_key(replace(CHOICE, finish=None))[0] is True
    assert answer.choice_sort_key(replace(CHOICE, usd=None))[2:4] == (True, 0.0)
    assert answer.choice_sort_key(replace(CHOICE, meets_deadline=True))[1] is False


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


@pytest.mark.parametrize(
    ("offer", "gpus", "hours", "usd"),
    [
        (HOUR, 10, 100.0, 3000.0),
        (replace(HOUR, unit_gpus=8), 10, 100.0, 4800.0),
        (replace(HOUR, unit_gpus=8, min_gpus=16), 10, 100.0, 4800.0),
        (replace(HOUR, min_gpus=11), 10, 100.0, None),
        (replace(HOUR, max_gpus=10), 10, 100.0, 3000.0),
        (replace(HOUR, max_gpus=9), 10, 100.0, None),
        (HOUR, 10, inf, None),
        (replace(HOUR, rate_usd_per_gpu_hour=None), 10, 100.0, None),
        (replace(HOUR, pricing_category=PricingCategory.DYNAMIC), 10, 100.0, None),
        (TERM, 10, 730.0, 7400.0),
        (TERM, 10, 731.0, 14_800.0),
        (replace(TERM, min_term_months=2), 10, 100.0, None),
        (replace(TERM, min_term_months=1), 10, 100.0, 7400.0),
    ],
)
def test_gpus_are_held_by_the_hour_or_for_whole_terms(
    offer: Offer, gpus: int, hours: float, usd: float | None
) -> None:
    assert cost_usd(offer, gpus, hours) == usd


def test_the_cheapest_way_is_there_in_time() -> None:
    slow = replace(TERM, offer_id="slow", lead_time_hours=50.0)
    assert cheapest_way((HOUR, TERM), 10, 100.0, Asked(tokens=1e9)) == (HOUR, 3000.0)
    assert cheapest_way((HOUR, TERM), 10, 700.0, Asked(tokens=1e9)) == (TERM, 7400.0)
    assert cheapest_way((slow,), 10, 100.0, Asked(tokens=1e9, deadline_h=150.0)) == (slow, 7400.0)
    assert cheapest_way((slow,), 10, 100.0, Asked(tokens=1e9, deadline_h=149.0)) == (None, None)
    assert sizes_of(8, 24) == (24,) and sizes_of(8, None)[:4] == (8, 16, 32, 64)


def test_the_best_choice_has_fewest_dollars_of_those_that_fit() -> None:
    """The run of 16 GPUs costs $4,000; of 125 h at $2.50 5% and 10% more are $5,250 and $5,500."""
    dear, late = replace(FITTING, usd=5000.0), replace(FITTING, usd=1.0, meets_deadline=False)
    tight = replace(FITTING, usd=2.0, fit=replace(FITTING.fit, memory=Memory(80.0, 10.0, 5.0, 2.0)))
    red = replace(FITTING, usd=3.0, fit=replace(FITTING.fit, memory=Memory(180.0, 10.0, 5.0, 2.0)))
    unpriced = replace(FITTING, usd=None)
    assert best_choice((dear, late, tight, red, unpriced, FITTING)) is FITTING
    assert (
        best_choice((late, red)) is None
        and best_choice((tight,)) is None  # 97 GiB on 80 may not fit: no advice
        and best_choice((unpriced,)) is unpriced
    )
    assert worth_showing((red, red)) == (red,) and worth_showing((red, FITTING, dear)) == (FITTING, dear)
    result = virtual_of(FITTING, Asked(tokens=1e9, virtual=(0.05, 0.1)))
    assert result is not None and (result.hours_low, result.hours_high) == pytest.approx((131.25, 137.5))
    assert (result.usd_low, result.usd_high) == pytest.approx((1250.0, 1500.0))
    assert virtual_of(FITTING, Asked(tokens=1e9)) is None


def test_what_is_measured_comes_before_what_is_assumed_at_equal_cost() -> None:
    assert FITTING.finish is not None
    step = replace(FITTING.finish.step, note="B200: 40% of peak assumed", is_assumed=True)
    assumed = replace(FITTING, finish=replace(FITTING.finish, step=step, hours=1.0))
    assert best_choice((assumed, FITTING)) is best_choice((FITTING, assumed)) is FITTING
    assert best_choice((replace(assumed, usd=3999.0), FITTING)) is not FITTING
    assert assumed_words(assumed) == "40% of peak assumed" and assumed_words(FITTING) == ""


def test_a_network_costs_the_hours_more_of_the_whole_run_at_the_rate_of_the_offer() -> None:
    """A node of 8 H100 has 8 x 400 Gb/s; 64 GPUs at $2.75 pay for each hour more on a slower one."""
    model = model_of_catalogue("Llama-3-8B")
    assert model is not None
    sold = (
        Offer(
            offer_id="h",
            gpu_model="H100",
            pricing_category=PricingCategory.STANDARD,
            term_months=0,
            rate_usd_per_gpu_hour=Decimal("2.75"),
        ),
    )
    answer = trained_answer(
        StatedRun(model=model, tokens=1e12, gpu_model="H100", gpus=64), sold, Assumptions(), (), 0
    )
    choice, rows = answer.choices[0], answer.networks
    assert choice.finish is not None and choice.run.node_gbps == 3200.0
    base = choice.finish.hours
    assert len(rows) > 2 and (rows[-1].nic_gbps, rows[-1].times, rows[-1].hours) == (3200.0, 1.0, 0.0)
    assert rows[0].hours > rows[1].hours > 0
    for row in rows:
        assert row.times == pytest.approx(1 + row.hours / (1.25 * base))
        assert row.usd == pytest.approx(row.hours * 64 * 2.75)
    low, high = choice.finish.hours_low, choice.finish.hours_high
    assert (low, high) == pytest.approx((base / 1.19, base / 0.79))
    unpriced = trained_answer(
        StatedRun(model=model, tokens=1e12, gpu_model="H100", gpus=64), (), Assumptions(), (), 0
    )
    assert [row.usd for row in unpriced.networks] == [None] * len(rows)
