"""Volatility in force: what the planner set, else what the log shows; and where it comes from, in words."""

from dataclasses import replace

from gpuplanner.domain.commitment.result import Volatility
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import Assumptions


def in_force(assumptions: Assumptions, pool: Pool | None, seen: Volatility) -> Volatility:
    """The volatility that demand of a pool (None: of no one pool) is planned with; the noise is always the log's.

    Sigma is a ratio a month. The answer keeps what the log shows beside a sigma that the planner set.
    Source: docs/formulas.md, Volatility.
    """
    own = assumptions.sigma_of(pool)
    return seen if own is None else replace(seen, sigma=own, is_set=True)


def source_of(volatility: Volatility) -> str:
    """Where it comes from, as one word: set, log or default.

    log: at least two changes from week to week were seen; default: fewer weeks.
    """
    if volatility.is_set:
        return "set"
    return "log" if volatility.changes else "default"


def source_words(volatility: Volatility) -> Message:
    """Where it comes from: "read off 13 weeks of the log".

    Weeks are one more than the changes between them.
    """
    if volatility.is_set:
        return worded("set by the planner")
    if volatility.changes:
        return worded("read off {weeks} weeks of the log", weeks=whole(volatility.changes + 1))
    return worded("the default: under three weeks of log say nothing of it")
