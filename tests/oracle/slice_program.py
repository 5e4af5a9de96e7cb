"""One slice without volatility as a linear program: a path from month 0 to the horizon, each arc a choice."""

from collections.abc import Mapping, Sequence

import highspy
import numpy as np


def least_usd(
    wait_usd: Sequence[float], commit_usd: Mapping[int, Sequence[float]], kept_a_month: float
) -> float:
    """The cheapest path: one unit flows from month 0 to the horizon.

    wait_usd[t]: paying month t by use; commit_usd[T][t]: signing for T months in month t, paid from t on;
    kept_a_month: what a dollar of the next month counts now. No recursion, no shares: only arcs and their cost.
    """
    horizon = len(wait_usd)
    arcs = [(t, t + 1, wait_usd[t]) for t in range(horizon)]
    for term, costs in commit_usd.items():
        arcs += [(t, min(t + term, horizon), costs[t]) for t in range(horizon)]
    model = highspy.Highs()
    model.setOptionValue("output_flag", False)
    model.setOptionValue("threads", 1)  # one scheduler serves all solvers of a process
    model.setOptionValue("primal_feasibility_tolerance", 1e-10)
    model.setOptionValue("dual_feasibility_tolerance", 1e-10)
    lp = highspy.HighsLp()
    lp.num_col_, lp.num_row_ = len(arcs), horizon
    lp.col_cost_ = np.array([cost * kept_a_month**begin for begin, _, cost in arcs])
    lp.col_lower_, lp.col_upper_ = np.zeros(len(arcs)), np.full(len(arcs), highspy.kHighsInf)
    balance = np.zeros(horizon)
    balance[0] = 1.0
    lp.row_lower_ = lp.row_upper_ = balance
    starts, rows, values = [0], [], []
    for begin, end, _ in arcs:
        rows.append(begin)
        values.append(1.0)
        if end < horizon:
            rows.append(end)
            values.append(-1.0)
        starts.append(len(rows))
    lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
    lp.a_matrix_.start_, lp.a_matrix_.index_ = np.array(starts), np.array(rows)
    lp.a_matrix_.value_ = np.array(values)
    model.passModel(lp)
    model.run()
    assert model.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return float(model.getInfo().objective_function_value)
