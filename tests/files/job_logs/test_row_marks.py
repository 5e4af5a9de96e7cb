"""Marks: records have one number only where they say the same, whatever their fields are made of."""

import pytest

from gpuplanner.files.engine import open_engine
from gpuplanner.files.job_logs.job_table import JobTable
from gpuplanner.files.job_logs.raw_table import RawTable
from gpuplanner.files.job_logs.row_marks import mark_rows


@pytest.mark.parametrize("gpus", ["c0", "said", "c1 || said", "c0 || ' x ' || said", "upper(said)"])
def test_a_field_may_be_of_any_column_of_its_view(gpus: str) -> None:
    with open_engine(size_bytes=0) as engine:
        engine.run(
            "create table log as select * from (values (2, '1', '', '1'), (3, '-1', '', '-1')) "
            "as t(line, c0, c1, said)"
        )
        marked = mark_rows(engine, JobTable(RawTable("log", ("a", "b"), ","), {"gpus": gpus}))
        found = [
            engine.one(f"select count(*) from group{number}")[0]
            for number, group in enumerate(marked.groups)
            if "gpus" in group.fields
        ]
    assert found == [2]
