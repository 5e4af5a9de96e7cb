"""Lists of costs begin with the most expensive and end with what is unknown."""

from gpuplanner.domain.audit.unit_costs.cost_lists import most_expensive_first


def test_what_costs_nothing_comes_before_what_nobody_knows() -> None:
    items = [(None, "a"), (0.0, "c"), (0.5, "b"), (0.0, "b"), (2.0, "z")]
    ordered = most_expensive_first(items, lambda item: item)
    assert ordered == ((2.0, "z"), (0.5, "b"), (0.0, "b"), (0.0, "c"), (None, "a"))
