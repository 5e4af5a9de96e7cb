"""The same purchase as a linear program over the whole pool: no slices and no recursion, solved by HiGHS."""

import highspy


def least_cost(demand, rates, r_flex, starts, lambda_, delta, wacc):
    """Least discounted cost of serving demand[t][h] GPUs, with terms that may start only in the months `starts`.

    Variables: GPUs committed in month t for each term, and GPUs rented in month t and hour h. Volatility is 0.
    """
    horizon, hours = len(demand), len(demand[0])
    beta = (1 + wacc) ** (-1 / 12)
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("threads", 1)  # one scheduler serves all solvers of a process
    solver.setOptionValue("primal_feasibility_tolerance", 1e-10)
    solver.setOptionValue("dual_feasibility_tolerance", 1e-10)
    committed = {}
    for t in starts:
        weight = (beta * (1 - lambda_)) ** t
        for term, rate in rates.items():
            months = min(term, horizon - t)
            cost = weight * 730 * rate * (1 - delta) ** t * sum(beta**i for i in range(months))
            committed[t, term] = solver.addVariable(lb=0.0, obj=cost)
    for t in range(horizon):
        weight = (beta * (1 - lambda_)) ** t
        running = [gpus for (start, term), gpus in committed.items() if start <= t < start + term]
        for h in range(hours):
            rented = solver.addVariable(lb=0.0, obj=weight * 730 * r_flex * (1 - delta) ** t / hours)
            solver.addConstr(rented + sum(running) >= demand[t][h])
    solver.minimize()
    assert solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return solver.getInfo().objective_function_value
