"""The cluster that is proposed for a log that names none."""

import pytest

from gpuplanner.ui.importing.open_questions import likely_cluster


@pytest.mark.parametrize(
    ("path", "clusters", "is_alone", "expected"),
    [
        ("/x/jobs.csv", ["Atlas HQ"], True, "Atlas HQ"),
        ("/x/jobs.csv", ["Atlas HQ"], False, ""),
        ("/x/export_of_atlas-hq.csv.gz", ["Atlas HQ", "north"], True, "Atlas HQ"),
        ("/x/atlas-hq_north.csv", ["Atlas HQ", "north"], True, ""),
        ("/x/jobs.csv", ["atlas", "north"], True, ""),
        ("/x/sacct-saga-2026-01.csv", [], True, ""),
        ("/x/.csv", [], True, ""),
    ],
)
def test_a_proposal_is_one_that_contracts_name(
    path: str, clusters: list[str], is_alone: bool, expected: str
) -> None:
    assert likely_cluster(path, clusters, is_alone=is_alone) == expected
