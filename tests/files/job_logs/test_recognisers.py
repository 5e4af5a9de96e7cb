"""Totals, comments and rulers in a table of jobs are ignored rows; a job without a start stays a fault in sight."""

from pathlib import Path

import pytest

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.recognisers import DIALECTS
from gpuplanner.files.tables.column_mapping import parse_mapping
from tests.files.job_logs.cluster_damage import check_rows_add_up
from tests.some_of import some_of

OURS = "job_id,gpus,start,end\n1,8,2026-01-01T00:00:00Z,2026-01-01T02:00:00Z\n"
PRINTED = """ job_id | gpus |        start        |         end
--------+------+---------------------+---------------------
 1      |    8 | 2026-01-01 00:00:00 | 2026-01-01 02:00:00
(1 row)
"""
MARKDOWN = """| job_id | gpus | start | end |
|:---|---:|---|---|
| 1 | 8 | 2026-01-01T00:00:00Z | 2026-01-01T02:00:00Z |
"""


def _ends(tmp_path: Path, text: str, mapping: str | None = None) -> tuple[int, int, int, int]:
    path = tmp_path / "log.csv"
    path.write_text(text)
    (found,) = check_file(
        str(path), options=ReadOptions(mapping=None if mapping is None else parse_mapping(mapping))
    )
    check_rows_add_up(found)
    return found.rows_read, found.rows_accepted, found.rows_rejected, found.rows_ignored


@pytest.mark.long
def test_totals_and_comments_below_the_jobs_are_ignored(tmp_path: Path) -> None:
    totals = [f"{words},8,,\n" for words in ("Total", "TOTAL: 1 job", "Grand total", "Summe")]
    text = "".join((OURS, *totals, "# written by a script,,,\n", "---,---,---,---\n"))
    assert _ends(tmp_path, text) == (7, 1, 0, 6)
    assert _ends(tmp_path, text.replace("gpus", "n"), "gpus=n") == (7, 1, 0, 6)


def test_jobs_that_lack_their_start_are_rejected_all_the_same(tmp_path: Path) -> None:
    rows = (
        "total-loss,8,,",
        "summer-run,8,,",
        "9,8,,2026-01-01T02:00:00Z",
        "Total,8,2026-01-01T00:00:00Z,soon",
    )
    assert _ends(tmp_path, OURS + "".join(f"{row}\n" for row in rows)) == (5, 1, 4, 0)


@pytest.mark.parametrize(
    ("text", "ends"), some_of([(PRINTED, (3, 1, 0, 2)), (MARKDOWN, (2, 1, 0, 1))], quick=1)
)
def test_a_table_as_a_client_prints_it_is_read(tmp_path: Path, text: str, ends: tuple[int, ...]) -> None:
    assert _ends(tmp_path, text) == ends


OTHERS = (
    *("", "[]", "{}", "{{{{", '{"data": []}', '{"jobs": []}', '{"items": []}', '{"jobs": {"1": {}}}'),
    *('[{"kind": "Service"}]', '[{"status": "x"}]', '[{"name": "x", "status": 1}]', '{"kind": "Workload"}'),
    *('{"COMMAND": "bhosts", "RECORDS": []}', '[{"vc": "a"}]', '"a" "b" 1\n', "Job <7> is submitted\n"),
    *(
        *("a|b|c\n1|2|3\n", "a|b\n" * 3, "a:b:c\n", "a;b;c\n", "hello\nworld\n", "1 2 3\n4 5 6\n"),
        "JobID|Start\n",
    ),
    *(
        "root:x:0:0:root:/root:/bin/bash\n",
        "; a comment\n1 2\n",
        "vc,user\n",
        "gpus,start,end\n",
        "Date,Cost\n",
    ),
    *("name,state,created\n", "name,start,end\na,b,c\n", "name,num_gpu\n", "entrypoint,status\n"),
    "sn,cpu_milli,memory_mib,gpu,model\n",
)
OF_ONE = {
    "job_id,gpus,start,end\n": "own_csv",
    '{"items": [{"kind": "Pod"}]}': "kubernetes_pods",
    "JobID|Start|End\n": "sacct",
    "JobID|State|Start|End|AllocTRES\n": "sacct",
}


def test_no_other_text_is_taken_for_a_log_nor_one_kind_for_another() -> None:
    takers = {text: [one.format for one in DIALECTS if one.sniff(text)] for text in (*OTHERS, *OF_ONE)}
    assert takers == {text: [] for text in OTHERS} | {text: [taker] for text, taker in OF_ONE.items()}


def test_an_array_as_a_whole_is_no_row_of_a_job(tmp_path: Path) -> None:
    ran = "2026-01-01T00:00:00Z,2026-01-01T02:00:00Z"
    rows = "".join(f"{job_id},8,{ran}\n" for job_id in ("4[].pbs", "4[1].pbs", "4[2].pbs"))
    assert _ends(tmp_path, f"job_id,gpus,start,end\n{rows}") == (3, 2, 0, 1)
    mapping = "job_id=run,gpus=n,start=a,end=b"
    assert _ends(tmp_path, f"run,n,a,b\n{rows}", mapping) == (3, 2, 0, 1)
