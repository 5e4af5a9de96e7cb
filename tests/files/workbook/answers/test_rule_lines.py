"""Class rules on the Method sheet: in the order in which they decide, and none of them a formula."""

from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.tables import ClassRule
from gpuplanner.files.workbook.answers.method_sheet import rule_lines


def test_rules_are_numbered_in_their_order_with_subtype_where_one_is_said() -> None:
    rules = (
        ClassRule("a", "name", "rollouts?", Pool.BURST, "", 0.97, ""),
        ClassRule("b", "queue", "long", Pool.TRAINING, "pretraining", 0.97, ""),
    )
    first, *lines = rule_lines(rules)
    assert "labels stand above" in first
    assert lines == ["1. names with “rollout” are burst", "2. queue “long” is training: pretraining"]
