"""A contract that comes again with other terms is told with what it says now."""

from dataclasses import replace
from decimal import Decimal

from gpuplanner.domain.edits.contract_changes import CONTRACT_CHANGED
from gpuplanner.domain.edits.contracts import change_contract
from gpuplanner.domain.edits.inputs import import_inputs
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S
from tests.domain.edits.loaded_project import loaded


def told(after: Project) -> list[str]:
    """What is said of changed contracts, in words."""
    return [
        str(issue.message) for file in after.intake for issue in file.issues if issue.code == CONTRACT_CHANGED
    ]


FILE = FileIntake(
    path="contracts.csv",
    kind="contracts",
    format="own_csv",
    rows_read=1,
    rows_accepted=1,
    rows_rejected=0,
    rows_duplicate=0,
    rows_ignored=0,
)


def test_each_term_that_a_file_changes_is_told_with_both_values() -> None:
    project = loaded()
    first = project.contracts[0]
    rate = Decimal("1.98")
    now = replace(first, rate_usd_per_gpu_hour=rate, end_s=(first.end_s or 0) + 40 * DAY_S)
    after = import_inputs(project, contracts=[now], intake=[FILE], adding=True)
    (said,) = told(after)
    assert said.startswith(f"{first.contract_id}: rate {first.rate_usd_per_gpu_hour:f} to 1.98, end ")


def test_the_same_contracts_again_and_new_ones_change_nothing() -> None:
    project = loaded()
    new = replace(project.contracts[0], contract_id="another")
    after = import_inputs(project, contracts=[*project.contracts, new], intake=[FILE], adding=True)
    assert told(after) == []


def test_what_the_planner_corrected_is_no_change_of_the_file() -> None:
    project = loaded()
    first = project.contracts[0]
    corrected = change_contract(project, first.contract_id, {"rate_usd_per_gpu_hour": Decimal("9.99")})
    after = import_inputs(corrected, contracts=project.contracts, intake=[FILE], adding=True)
    assert told(after) == []
