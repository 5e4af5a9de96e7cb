"""The cluster that is proposed for a log that names none."""

import pytest

from gpuplanner.ui.importing.last_page import likely_cluster


@pytest.mark.parametrize(
    ("paths", "clusters", "expected"),
    [
        (["/x/jobs.csv"], ["Atlas HQ"], "Atlas HQ"),
        (["/x/export_of_atlas-hq.csv.gz"], ["Atlas HQ", "north"], "Atlas HQ"),
        (["/x/atlas-hq_north.csv"], ["Atlas HQ", "north"], ""),
        (["/x/jobs.csv"], ["atlas", "north"], ""),
        (["/x/sacct-saga-2026-01.csv", "/x/sacct-saga-2026-02.csv.zst"], [], ""),
        (["/x/openb_pod_list_default.csv"], [], ""),
        (["/x/.csv"], [], ""),
    ],
)
def test_a_proposal_is_one_that_contracts_name(paths: list[str], clusters: list[str], expected: str) -> None:
    assert likely_cluster(paths, clusters) == expected
