"""Files of limits: what is read, and what is refused with its place, fault and remedy."""

import pytest

from gpuplanner.domain.model.queue_limits import Limit
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.lists.scheduler_limits import LIMITS


def test_limits_are_read_and_bad_rows_say_where_what_and_what_to_do(tmp_path):
    made = tmp_path / "limits.csv"
    rows = ("ann,,,,,4,", ",ml,,,H100,64,2", ",ml,,,,,3", "*,,normal,gpu,,0,", "ann,,,,,8,", "bob,,,,,lots,",
            "bob,,,,,-1,", ",ml,high,,,,0", ",,,,H100,4,", "bob,,,,,,")  # fmt: skip
    made.write_text(
        "user,account,qos,partition,gpu_model,max_gpus,shares\n" + "\n".join(rows) + "\n", "utf-8"
    )
    assert recognise(str(made)).kind == "limits"
    read = LIMITS.read_files([str(made)])
    assert tuple(read.values) == (
        Limit(user="ann", max_gpus=4),
        Limit(account="ml", gpu_model="H100", max_gpus=64, shares=2),
        Limit(account="ml", shares=3),
        Limit(user="*", qos="normal", partition="gpu", max_gpus=0),
    )
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate) == (10, 4, 5, 1)
    said = {row.row: str(row.message) for row in file.rejected}
    assert [*said] == [7, 8, 9, 10, 11]
    assert "max_gpus is 'lots'" in said[7] and "write a number" in said[7]
    assert "max_gpus is '-1'" in said[8] and "shares is '0'" in said[9]
    assert "user, account, qos, partition" in said[10] and "max_gpus, shares" in said[11]


@pytest.mark.parametrize("row", [",*,,,,,9", ",,q,,,,9", ",ml,,batch,,,9"])
def test_shares_are_of_one_user_or_one_account(tmp_path, row):
    made = tmp_path / "limits.csv"
    made.write_text(f"user,account,qos,partition,gpu_model,max_gpus,shares\n,ml,,,,4,\n{row}\n", "utf-8")
    (file,) = LIMITS.read_files([str(made)]).intake
    assert (file.rows_accepted, file.rows_rejected) == (1, 1)


def test_a_table_without_a_number_is_no_file_of_limits(tmp_path):
    made = tmp_path / "limits.csv"
    made.write_text("user,gpus\nann,4\n", "utf-8")
    read = LIMITS.read_files([str(made)])
    assert not read.values and [fault.code for fault in read.refused] == ["missing_column"]
