"""Volatility of demand from its own log: the walk apart from the noise of single weeks."""

import math

WEEK_H = 168
WEEKS_A_MONTH = 4.35
PRIOR_SIGMA, PRIOR_WEEKS = 0.10, 3
LOW, HIGH = 0.03, 0.40


def weekly_means(hourly):
    """Means of the whole weeks that end where the window ends, oldest first."""
    weeks = len(hourly) // WEEK_H
    first = len(hourly) - weeks * WEEK_H
    return [sum(hourly[first + WEEK_H * w : first + WEEK_H * (w + 1)]) / WEEK_H for w in range(weeks)]


def changes_by_lag(means):
    """[(L, mean squared change of the log, pairs)] for L = 1..4 over the weeks with at least 5% of the mean."""
    mean = sum(means) / len(means)
    logs = [math.log(one) if one > 0 and one >= 0.05 * mean else None for one in means]
    found = []
    for lag in range(1, 5):
        pairs = [
            (logs[w + lag] - logs[w]) ** 2
            for w in range(len(logs) - lag)
            if logs[w] is not None and logs[w + lag] is not None
        ]
        if pairs:
            found.append((lag, sum(pairs) / len(pairs), len(pairs)))
    return found


def walk_and_noise(found):
    """(q, c): least squares of m_L = 2 c + q L weighted by pairs, both at least 0."""

    def miss(q, c):
        return sum(pairs * (m - 2 * c - q * lag) ** 2 for lag, m, pairs in found)

    weight = sum(pairs for _, _, pairs in found)
    mean_lag = sum(pairs * lag for lag, _, pairs in found) / weight
    mean_m = sum(pairs * m for _, m, pairs in found) / weight
    spread = sum(pairs * (lag - mean_lag) ** 2 for lag, _, pairs in found)
    candidates = [(0.0, mean_m / 2)]  # no walk at all
    candidates.append(
        (
            sum(pairs * lag * m for lag, m, pairs in found) / sum(pairs * lag**2 for lag, _, pairs in found),
            0.0,
        )
    )
    if spread > 0:
        q = sum(pairs * (lag - mean_lag) * (m - mean_m) for lag, m, pairs in found) / spread
        candidates.append((q, (mean_m - q * mean_lag) / 2))
    allowed = [(q, c) for q, c in candidates if q >= 0 and c >= 0]
    return min(allowed, key=lambda one: miss(*one))


def sigma_of_log(hourly):
    """(sigma a month, c): 10% and no noise where the log has under three weeks."""
    means = weekly_means(hourly)
    found = changes_by_lag(means) if len(means) >= 3 and sum(means) > 0 else []
    if not found:
        return PRIOR_SIGMA, 0.0
    q, c = walk_and_noise(found)
    w = len(means) - 1
    variance = (w * WEEKS_A_MONTH * q + PRIOR_WEEKS * PRIOR_SIGMA**2) / (w + PRIOR_WEEKS)
    return min(max(math.sqrt(variance), LOW), HIGH), c
