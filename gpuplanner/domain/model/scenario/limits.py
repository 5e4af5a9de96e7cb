"""Limits: what a plan may keep to, as one table, and those that are set in it, each with the plan without it alone."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Final

from gpuplanner.domain.figures.typed import amount, percent, whole
from gpuplanner.domain.message import Message, worded, worded_count
from gpuplanner.domain.model.book.only import ANYBODY, Only, named_words, who_words
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

ONLY: Final = "only"
SHARE: Final = "share"
"""Limits that are no assumption: who alone may serve, and how much one that is named may have."""


@dataclass(frozen=True, slots=True)
class AssumedLimit:
    """A limit that is an assumption. name: by --set; words: of its value; has_cost: whether a plan is made to keep it.

    One without a cost is looked at alone: a plan over it is a red check.
    """

    name: str
    words: Callable[[float], Message]
    has_cost: bool = True


def _term_words(months: float) -> Message:
    return worded_count(
        months, "No term over {months} month", "No term over {months} months", months=whole(months)
    )


ASSUMED: Final = (
    AssumedLimit("max_term_months", _term_words),
    AssumedLimit(
        "max_provider_share",
        lambda share: worded("No more than {share} with one provider", share=percent(share)),
    ),
    AssumedLimit("budget_usd_per_month", lambda usd: worded("A budget of {usd} per month", usd=amount(usd))),
    AssumedLimit("power_limit_kw", lambda kw: worded("No more than {kw} kW", kw=whole(kw)), has_cost=False),
)
"""In the order in which they are asked for."""

_WORDS: Final[Mapping[str, Callable[[float], Message]]] = {one.name: one.words for one in ASSUMED}


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that is set. limit: a --set name, ONLY or SHARE; value: of it, None of ONLY; who: of the last two.

    keys: the workloads that ONLY is of, sorted.
    """

    limit: str
    value: float | None = None
    who: Only = ANYBODY
    keys: tuple[str, ...] = ()

    @property
    def words(self) -> Message:
        """No term over 12 months; Only CoreWeave for 3 workloads; No more than 40% with CoreWeave."""
        if self.limit in _WORDS:
            return _WORDS[self.limit](self.value or 0.0)
        if self.limit == SHARE:
            share = percent(self.value or 0.0)
            return worded("No more than {share} with {who}", share=share, who=named_words(self.who))
        count = len(self.keys)
        return worded_count(
            count,
            "{who} for {count} workload",
            "{who} for {count} workloads",
            who=who_words(self.who),
            count=whole(count),
        )

    def lifted(self, plan: Scenario) -> Scenario:
        """The plan without it, all others in force."""
        if self.limit == ONLY:
            keys = set(self.keys)
            return replace(plan, only={key: who for key, who in plan.only.items() if key not in keys})
        if self.limit == SHARE:
            return replace(plan, shares={who: one for who, one in plan.shares.items() if who != self.who})
        return replace(plan, assumptions={**plan.assumptions, self.limit: None})


def limits_of(plan: Scenario, assumptions: Assumptions, there: Collection[str]) -> tuple[Limit, ...]:
    """The limits that are set: those of the assumptions by name, then who alone may serve, then shares, by who.

    assumptions: in force in the plan; there: keys of the workloads that it has.
    """
    values = {one.name: getattr(assumptions, one.name) for one in ASSUMED}
    set_ones = [Limit(name, float(value)) for name, value in sorted(values.items()) if value is not None]
    keys_of: dict[Only, list[str]] = {}
    for key, who in sorted(plan.only.items()):
        if key in there and who != ANYBODY:
            keys_of.setdefault(who, []).append(key)
    return (
        *set_ones,
        *(Limit(ONLY, None, who, tuple(keys)) for who, keys in sorted(keys_of.items())),
        *(Limit(SHARE, share, who) for who, share in sorted(plan.shares.items())),
    )


def has_cost(limit: Limit) -> bool:
    """Whether a plan is made to keep a limit, so that it may cost something."""
    return all(one.has_cost for one in ASSUMED if one.name == limit.limit)
