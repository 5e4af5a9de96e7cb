"""Laws of the simulator on random worlds with every rule on or off, and the known answers that need many worlds."""

import math

import numpy as np
import pytest

from tests.oracle.limits import prices
from tests.oracle.months import of_slice
from tests.oracle.new_worlds import RULES, new_world
from tests.oracle.simulator import Simulator
from tests.oracle.steps import savings_steps
from tests.oracle.uncertainty import band, variance_of_level
from tests.oracle.volatility import WEEK_H, sigma_of_log
from tests.some_of import some_of


def sim_of(case):
    return Simulator(case.project, case.scenario, case.pools, case.classes, beyond=case.beyond)


@pytest.mark.parametrize("seed", range(300, 312))
def test_without_uncertainty_the_value_is_what_the_path_costs(seed):
    """With one level, no end of demand and no interest V(0, 0) of a slice is the sum of its months, paid whole."""
    case = new_world(seed, set(RULES) - {"sigma", "budget"})
    case.set(sigma=0.0, wacc=0.0, growth_fade=0.9, short_leads="priced", **{"lambda": 0.0})
    case.set(sigma_training=None, sigma_inference=None, sigma_burst=None)
    sim = sim_of(case)
    for group in sim.solved():
        use_price, sign_price = prices(sim, group)
        for piece in group.slices:
            missed, usd = piece.value[0][0][0], piece.value[0][1][0]
            if math.isinf(usd):
                continue
            paid = lost = 0.0
            for t, step in enumerate(piece.path):
                orders, use, unserved = of_slice(group, piece, t, use_price, sign_price)
                paid += orders + use
                lost += unserved
                if step is not None and step[1].upfront:
                    signed, deal = step
                    paid -= piece.gpus * deal.upfront * deal.served[t - signed] / sum(deal.served)
                    paid += piece.gpus * deal.upfront if t == signed else 0.0
            assert (missed, usd) == (pytest.approx(lost, abs=1e-6), pytest.approx(paid, abs=1e-6))


@pytest.mark.parametrize("seed", some_of(range(320, 332), quick=4))
def test_more_to_choose_from_never_costs_more(seed):
    """Opening all of max_gpus, terms and dates lowers the value of every slice (or leaves it)."""
    limits = {"most", "least", "use_most", "dates", "longest", "share", "fall", "lived", "budget"}
    open_, closed = new_world(seed, set(RULES) - limits), new_world(seed, set(RULES) - limits)
    for offer in closed.offers:
        if offer.offer_id.startswith("c"):
            closed.change_offer(offer.offer_id, max_gpus=2)
    closed.set(max_term_months=3, slices_lived=True, demand_fall_closes=True)
    for name in ("growth_fade", "short_leads"):
        for case in (open_, closed):
            case.set(**{name: 0.9 if name == "growth_fade" else "priced"})
    for one, other in zip(sim_of(open_).solved(), sim_of(closed).solved(), strict=True):
        for piece, limited in zip(one.slices, other.slices, strict=True):
            least, most = piece.value[0][1][0], limited.value[0][1][0]
            assert math.isinf(most) or least <= most + 1e-9 * abs(most)


@pytest.mark.parametrize("seed", some_of([340, 341, 342], quick=1))
def test_steps_of_savings_add_up(seed):
    case = new_world(seed, set(RULES) - {"use_most"})
    steps = savings_steps(case.project, case.scenario, case.pools, case.classes, case.beyond)
    answer = sim_of(case).plan()
    if None not in steps.values():
        assert sum(steps.values()) == pytest.approx(answer.plan - answer.totals.current)


@pytest.mark.long
@pytest.mark.parametrize(("walk", "noise"), [(0.1, 0.0), (0.2, 0.0), (0.0, 0.15), (0.0, 0.3), (0.0, 0.05)])
def test_bands_hold_what_comes(walk, noise):
    """Known answer 14 (the band without its conformal step): 500 logs of 26 weeks, what the next month costs by use."""
    random = np.random.default_rng(int(1000 * walk + 10 * noise) + 7)
    weeks, worlds, inside = 26, 500, 0
    half_life = 14 * 24
    ages = np.arange(weeks * WEEK_H)[::-1]
    hour_weights = (0.5 ** (ages / half_life)).tolist()
    week_weights = [sum(hour_weights[WEEK_H * w : WEEK_H * (w + 1)]) for w in range(weeks)]
    for _ in range(worlds):
        steps = random.normal(0, walk / math.sqrt(4.35), weeks + 5) if walk else np.zeros(weeks + 5)
        level = np.exp(np.cumsum(steps)) * np.exp(random.normal(0, noise, weeks + 5) if noise else 0.0)
        hourly = np.repeat(10 * level, WEEK_H)
        log, month = hourly[: weeks * WEEK_H], hourly[weeks * WEEK_H :][:730]
        sigma, c = sigma_of_log(log.tolist())
        variance = variance_of_level(sigma, c, 1, hour_weights, week_weights)
        low, _, high = band(
            lambda hours, f, _, log=log: f * float(np.mean(log[hours])),
            [WEEK_H * w for w in range(weeks)],
            week_weights,
            variance,
        )
        inside += low <= month.mean() <= high
    share = inside / worlds
    error = 2 * math.sqrt(0.8 * 0.2 / worlds)
    assert share >= 0.73 - error
    assert share <= 0.90 + error or noise == 0.05
