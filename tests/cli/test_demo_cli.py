"""`gpuplanner demo`: the last day of its log is the one asked for, else yesterday."""

from datetime import date

import pytest

from gpuplanner.cli.arguments import UsageError
from gpuplanner.cli.self_test import demo_days
from gpuplanner.files.demo.days import ending

NOON_S = 1_790_856_000  # 2026-10-01


def test_without_a_day_it_ends_yesterday() -> None:
    assert demo_days(None, NOON_S) == ending(date(2026, 9, 30)) == demo_days("2026-09-30", 0)


@pytest.mark.parametrize("text", ["", "yesterday", "2026-9-30", "2026-02-30", "1066-10-14", "2199-01-01"])
def test_what_is_no_day_of_ours_is_a_usage_error(call, tmp_path, text: str) -> None:
    with pytest.raises(UsageError, match="--ending"):
        demo_days(text, NOON_S)
    said = call("demo", str(tmp_path / "demo"), "--ending", text)
    assert said.status == 2 and said.err.startswith("gpuplanner: usage: --ending")
    assert not (tmp_path / "demo").exists()
