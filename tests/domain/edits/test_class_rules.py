"""Rules of classes: added, moved and removed; they stay through imports."""

from dataclasses import replace

from gpuplanner.domain import edits
from gpuplanner.domain.model.tables import Pool
from tests.domain.edits.loaded_project import KEYS, LONG, ROLLOUTS, loaded


def test_rules_stay_through_an_import_and_through_edits_of_others() -> None:
    before = edits.class_rules.add_rules(loaded(), [ROLLOUTS, LONG])
    jobs = edits.inputs.LoadedJobs(before.window, before.cube, before.workloads[:1], before.jobs)
    assert edits.inputs.import_inputs(before, jobs=jobs).rules == (ROLLOUTS, LONG)
    assert edits.workloads.label_workloads(before, KEYS[:1], Pool.BURST).rules is before.rules


def test_a_rule_added_and_removed_moved_and_moved_back_leaves_the_rules_as_they_were() -> None:
    two = edits.class_rules.add_rules(loaded(), [ROLLOUTS, LONG])
    assert (
        edits.class_rules.remove_rule(
            edits.class_rules.add_rule(two, replace(ROLLOUTS, rule_id="third")), "third"
        ).rules
        == two.rules
    )
    moved = edits.class_rules.move_rule(two, "training-long", -1)
    assert moved.rules == (LONG, ROLLOUTS)
    assert edits.class_rules.move_rule(moved, "training-long", 1).rules == two.rules
    assert edits.class_rules.move_rule(two, "training-long", 9) is two
    assert edits.class_rules.move_rule(two, "burst-rollout", -1) is two


def test_a_rule_of_an_id_that_is_there_takes_its_place() -> None:
    changed = replace(ROLLOUTS, pool=Pool.TRAINING)
    after = edits.class_rules.add_rules(edits.class_rules.add_rules(loaded(), [ROLLOUTS, LONG]), [changed])
    assert after.rules == (changed, LONG)
