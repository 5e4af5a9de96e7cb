"""Limits of a plan: the table of possible limits, the limits set, and the plan without a limit."""

from collections.abc import Callable, Collection
from typing import Final

from gpuplanner.domain.figures.typed import amount, percent, whole, worded_whole
from gpuplanner.domain.message import Message, worded, worded_count
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.only import ANYBODY, Only, named_words, who_words
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.lazy_dataclass import dataclass, replace

ONLY: Final = "only"
SHARE: Final = "share"
"""Limits that are not assumptions: allowed providers or regions, and their largest share."""


@dataclass(frozen=True, slots=True)
class AssumedLimit:
    """A limit that is an assumption. name: by --set. words: return its wording for a value. off: the value without a
    limit.

    has_cost: whether the plan is changed to meet it; otherwise the limit is only checked and exceeding it is an error.
    """

    name: str
    words: Callable[[float], Message]
    has_cost: bool = True
    off: bool | None = None


def _term_words(months: float) -> Message:
    return worded_count(
        months, "No term over {months} month", "No term over {months} months", months=whole(months)
    )


ASSUMED: Final = (
    AssumedLimit("max_term_months", _term_words),
    AssumedLimit(
        "max_provider_share", lambda share: worded("At most {share} with one provider", share=percent(share))
    ),
    AssumedLimit("budget_usd_per_month", lambda usd: worded("A budget of {usd} per month", usd=amount(usd))),
    AssumedLimit("power_limit_kw", lambda kw: worded("At most {kw} kW", kw=whole(kw)), has_cost=False),
    AssumedLimit("training_never_by_use", lambda _: worded("Training never on demand"), off=False),
)
"""In the order of the dialog."""
_ASSUMED: Final = {spec.name: spec for spec in ASSUMED}


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit that is set. limit: a --set name, ONLY or SHARE. value: None for ONLY. who: for ONLY and SHARE. keys: the
    workloads of ONLY, sorted.
    """

    limit: str
    value: float | None = None
    who: Only = ANYBODY
    keys: tuple[str, ...] = ()

    @property
    def words(self) -> Message:
        """The limit in words, as No term over 12 months, or No more than 40% with CoreWeave."""
        if self.limit in _ASSUMED:
            return _ASSUMED[self.limit].words(self.value or 0.0)
        if self.limit == SHARE:
            share = percent(self.value or 0.0)
            return worded("At most {share} with {who}", share=share, who=named_words(self.who))
        count = len(self.keys)
        return worded_whole(
            count, "{who} for {count} workload", "{who} for {count} workloads", who=who_words(self.who)
        )

    def lifted(self, plan: Scenario) -> Scenario:
        """Return the plan without this limit."""
        if self.limit == ONLY:
            keys = set(self.keys)
            return replace(plan, only={key: who for key, who in plan.only.items() if key not in keys})
        if self.limit == SHARE:
            return replace(plan, shares={who: share for who, share in plan.shares.items() if who != self.who})
        return replace(plan, assumptions={**plan.assumptions, self.limit: _ASSUMED[self.limit].off})


def limits_of(plan: Scenario, assumptions: Assumptions, pools_present: Collection[str]) -> tuple[Limit, ...]:
    """Return the limits that are set: assumptions by name, then allowed providers, then shares, each sorted.

    assumptions: in force in the plan. pools_present: keys of its workloads.
    """
    values = {spec.name: getattr(assumptions, spec.name) for spec in ASSUMED}
    set_ones = [
        Limit(name, float(value)) for name, value in sorted(values.items()) if value != _ASSUMED[name].off
    ]
    keys_of: dict[Only, list[str]] = {}
    for key, who in sorted(plan.only.items()):
        if key in pools_present and who != ANYBODY:
            keys_of.setdefault(who, []).append(key)
    return (
        *set_ones,
        *(Limit(ONLY, None, who, tuple(keys)) for who, keys in sorted(keys_of.items())),
        *(Limit(SHARE, share, who) for who, share in sorted(plan.shares.items())),
    )


def has_cost(limit: Limit) -> bool:
    """Return whether the plan is changed to meet a limit, so that the limit may cost money."""
    return limit.limit not in _ASSUMED or _ASSUMED[limit.limit].has_cost
