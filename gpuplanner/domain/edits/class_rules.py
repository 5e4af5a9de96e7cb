"""Class rules of the planner's own: add, change, order, remove."""

from collections import Counter
from collections.abc import Iterable

from gpuplanner.domain.demand.own_rules import check_rule
from gpuplanner.domain.edits.find import with_values
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import ClassRule


def add_rule(project: Project, rule: ClassRule) -> Project:
    """A rule at the end of the planner's own; one of that id takes its place where it stands.

    Errors: PlannerError for a rule that cannot be (own_rules.check_rule).
    """
    return add_rules(project, (rule,))


def add_rules(project: Project, rules: Iterable[ClassRule]) -> Project:
    """Rules at the end of the planner's own, as from a file; one of an id that is there takes its place.

    Errors: PlannerError for a rule that cannot be.
    """
    by_id = {rule.rule_id: rule for rule in project.rules}
    by_id.update((rule.rule_id, rule) for rule in rules)
    return replace_rules(project, by_id.values())


def remove_rule(project: Project, rule_id: str) -> Project:
    """The project without a rule. Errors: PlannerError for an unknown one.

    What it decided is decided by the rules after it, or by the product's own.
    """
    _rule(project, rule_id)
    return with_values(project, rules=tuple(rule for rule in project.rules if rule.rule_id != rule_id))


def move_rule(project: Project, rule_id: str, places: int) -> Project:
    """A rule so many places later (before: negative) in the order in which rules decide, as far as there are any.

    Errors: PlannerError for an unknown rule.
    """
    rule = _rule(project, rule_id)
    others = [other for other in project.rules if other is not rule]
    place = min(max(project.rules.index(rule) + places, 0), len(others))
    return with_values(project, rules=(*others[:place], rule, *others[place:]))


def replace_rules(project: Project, rules: Iterable[ClassRule]) -> Project:
    """The project with these rules of the planner's own and no others, in this order.

    Errors: PlannerError for a rule that cannot be, or two of one id.
    """
    wanted = tuple(rules)
    for rule in wanted:
        check_rule(rule)
    for rule_id, count in Counter(rule.rule_id for rule in wanted).items():
        if count > 1:
            raise refusal(rule_id, worded("two rules have this id"), worded("change one id"))
    return with_values(project, rules=wanted)


def _rule(project: Project, rule_id: str) -> ClassRule:
    """Errors: PlannerError where no rule of the planner's own has that id."""
    for rule in project.rules:
        if rule.rule_id == rule_id:
            return rule
    raise refusal(rule_id, worded("no such rule"), worded("use a listed rule"))
