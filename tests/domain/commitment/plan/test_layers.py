"""Peak and p95 of month 0: laws over months cut into parts, and by hand."""

from itertools import pairwise

import numpy as np
import pytest

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.plan.layers import added, p95_of, peak_of
from gpuplanner.domain.commitment.result import MonthPart
from gpuplanner.domain.model.window import MONTH_S


def part(share: float, gpus: Floats) -> MonthPart:
    """A part that no contract serves anything of."""
    return MonthPart(share, gpus, gpus)


def some_parts(seed: int, count: int) -> tuple[MonthPart, ...]:
    """Parts of whole seconds whose shares add up to 1, of 200 hours each; many hours are alike."""
    random = np.random.default_rng(seed)
    cuts = [0, *sorted(random.choice(MONTH_S - 1, count - 1, replace=False) + 1), MONTH_S]
    return tuple(
        part(float(end - begin) / MONTH_S, random.integers(0, 9, 200) * random.choice([0.0, 1.0, 0.3]))
        for begin, end in pairwise(cuts)
    )


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("seed", range(10))
def test_95_percent_of_the_hours_are_at_or_below_p95_and_none_smaller_would_do(seed: int, count: int) -> None:
    parts = some_parts(seed, count)
    p95 = p95_of(parts)
    assert 0 <= p95 <= peak_of(parts) == max(gpus.max() for _, gpus, _ in parts)
    assert sum(share * (gpus <= p95).mean() for share, gpus, _ in parts) >= 0.95 - 1e-12
    assert sum(share * (gpus < p95).mean() for share, gpus, _ in parts) < 0.95


@pytest.mark.parametrize("hours", [1, 19, 20, 100, 200, 8760])
def test_parts_that_are_alike_are_as_one(hours: int) -> None:
    gpus = np.random.default_rng(hours).permutation(hours).astype(float)
    cut = tuple(part(share, gpus) for share in (0.1, 0.2, 0.3, 0.4))
    assert (p95_of(cut), peak_of(cut)) == (p95_of((part(1.0, gpus),)), peak_of((part(1.0, gpus),)))


@pytest.mark.parametrize(("share", "p95"), [(0.04, 2.0), (0.05, 2.0), (0.06, 10.0), (0.5, 10.0)])
def test_what_is_there_for_less_than_a_twentieth_of_the_month_is_no_p95(share: float, p95: float) -> None:
    parts = (part(share, np.full(100, 10.0)), part(1 - share, np.full(100, 2.0)))
    assert (p95_of(parts), peak_of(parts)) == (p95, 10.0)


def test_rows_together_are_added_part_by_part() -> None:
    one = (part(0.5, np.array([1.0, 2.0])), part(0.5, np.array([3.0, 4.0])))
    ((first, early, _), (_, late, left)) = added([one, one])
    assert first == 0.5 and early.tolist() == [2.0, 4.0] and late.tolist() == left.tolist() == [6.0, 8.0]
