"""Volume tiers by use: a tier that begins above the log's peak of its GPU model is not for that log."""

import numpy as np
import pytest

from gpuplanner.domain.fit.volume_tiers import within_tiers
from gpuplanner.domain.model.cube import cube_from_entries
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, Window
from tests.domain.fit.stated_offers import COMMITTED, DYNAMIC, offer


def project_of(h100: int, h200: int, *offers):
    """A log of so many GPUs of each model in its second hour, half of them in its first."""
    gpus = np.array([h100, h200, h100, h200])
    cube = cube_from_entries(
        2, ("H100", "H200"), np.zeros(4, int), np.array([0, 1, 0, 1]), np.array([1, 1, 0, 0]),
        gpus * np.array([2, 2, 1, 1]) * 500 * HOUR_S,
    )  # fmt: skip
    return Project(window=Window(0, 2), cube=cube, workloads=(), contracts=(), offers=offers)


TIERS = (
    offer("small", "0.82", max_gpus_per_order=63),
    offer("middle", "0.77", min_gpus=64, max_gpus_per_order=255),
    offer("spot", "0.30", DYNAMIC, min_gpus=64),
    offer("year", "0.60", COMMITTED, 12, min_gpus=64),
)


@pytest.mark.parametrize(
    ("h100", "h200", "kept"),
    [
        (63, 200, ["small", "year"]),
        (64, 0, ["small", "middle", "spot", "year"]),
        (100, 10, ["small", "middle", "spot", "year"]),
    ],
)
def test_a_tier_by_use_is_open_from_its_minimum_on(h100, h200, kept):
    assert [each.offer_id for each in within_tiers(project_of(h100, h200, *TIERS)).offers] == kept


def test_a_project_without_tiers_by_use_stays_as_it_is():
    project = project_of(1, 1, TIERS[0], TIERS[3])
    assert within_tiers(project) is project


@pytest.mark.parametrize(
    ("gpus", "sold"), [(23, [True, False]), (63, [True, False]), (64, [False, True]), (300, [False, False])]
)
def test_one_order_lies_inside_its_tier(gpus, sold):
    assert [each.sells(gpus) for each in TIERS[:2]] == sold
