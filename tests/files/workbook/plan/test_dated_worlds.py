"""Books of random worlds in which the planner stated something of time, or of who may serve: the app's figures."""

from dataclasses import replace

import pytest

from tests.files.workbook.plan.test_dated_plans import (
    assert_is_the_apps,
    assert_recalculate,
    evaluated_in_parts,
    written,
)
from tests.files.workbook.recalculate import Recalculator
from tests.oracle.compare_worlds import rules_of_world
from tests.oracle.new_worlds import RULES, STATED, new_world
from tests.some_of import some_of

KNOWN = set(RULES)
SEEDS = [seed for seed in range(150) if set(rules_of_world(seed, KNOWN)) & set(STATED)]
RECALCULATED = 12
ENDS_ON_DEMAND = 20
"""A row on demand that renews: its own end cuts no month."""


def of_world(seed):
    case = new_world(seed, KNOWN)
    pools = case.pools | {work.key: work.pool for work in case.plan.planned}
    return evaluated_in_parts(
        replace(case.project, scenarios=(replace(case.plan, pools=pools),)), case.classifications
    )


@pytest.mark.long
@pytest.mark.parametrize("seed", [ENDS_ON_DEMAND, *some_of(SEEDS, 0)])
def test_a_random_world_is_the_apps(tmp_path, seed):
    evaluation = of_world(seed)
    assert_is_the_apps(written(evaluation, tmp_path), evaluation)


@pytest.mark.long
def test_random_worlds_recalculate(need_tool, tmp_path):
    calc = Recalculator(need_tool("soffice"), tmp_path / "soffice")
    assert_recalculate(calc, {f"seed {seed}": of_world(seed) for seed in SEEDS[:RECALCULATED]}, tmp_path)


def test_the_worlds_state_all_that_can_be_stated():
    assert {rule for seed in SEEDS for rule in rules_of_world(seed, KNOWN)} >= set(STATED)
