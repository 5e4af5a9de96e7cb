"""Terms that are sold by the day are told in days wherever layers are named, whatever tells them apart."""

from gpuplanner.domain.commitment.evidence.trace_layers import row_name, term_inputs
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.orders import FirstCommitment
from gpuplanner.domain.commitment.plan.verdicts import verdicts_of
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.screening import screening_of
from gpuplanner.domain.commitment.words.term_names import term_name
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import Window
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

QUARTER, YEAR = offer("d90", 3, 3.0, term_days=90), offer("y1", 12, 6.5)
GPUS = [6.5 + hour % 12 for hour in range(700)]


def _plan() -> PoolPlan:
    made = case([Load(Pool.INFERENCE, GPUS)], (), [offer("od", 0, 7.0), QUARTER, YEAR])
    (found,) = advise(made.project, made.project.scenarios[0], made.pools, audit()).pools
    return found


def test_rows_break_evens_and_screening_of_a_term_of_days_say_days() -> None:
    plan = _plan()
    assert [one.term_days for one in plan.layers if one.is_new] == [90]
    names = {months: str(term_name(plan, months)) for months in (3, 12, 24)}
    assert names == {3: "90 days", 12: "12 months", 24: "24 months"}
    assert str(row_name(plan, "3")).endswith(", 90 days")
    screening = screening_of(plan)
    assert screening is not None
    assert [(one.term_months, one.term_days) for one in screening.terms] == [(12, None), (3, 90)]
    assert [str(term_inputs(plan, one).title).split(", ")[1] for one in plan.break_even] == [
        "90 days",
        "12 months",
    ]


def test_a_verdict_says_the_days_of_what_follows() -> None:
    window = Window(1_767_225_600, 720)
    firsts = [FirstCommitment(Pool.INFERENCE, "H100", one, 0, 8.0) for one in (QUARTER, YEAR)]
    (verdict,) = verdicts_of([contract("k", 16, 3.0, 0.5, 720)], firsts, {}, window)
    assert verdict.shares == ((8.0, (3, 90)), (8.0, (12, None)))
    assert str(verdict.reason) == "8 GPUs for 90 days + 8 GPUs for 12 months"
