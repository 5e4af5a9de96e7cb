import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.log_choices import AS_RECOGNISED, NONE_GIVEN, LogChoice, ReadOptions
from gpuplanner.files.tables.column_mapping import parse_mapping

WORDS = "gpus=n,start=s,end=e"


def test_what_was_said_of_one_log_wins_over_what_was_said_of_all() -> None:
    own = LogChoice(format="sacct", timezone="Asia/Tokyo", is_open_ended=True)
    options = ReadOptions(mapping=WORDS, timezone="UTC", drops_alike=True, choices={"one.csv": own})
    assert options.of("one.csv") == LogChoice(
        format="sacct", mapping=None, timezone="Asia/Tokyo", drops_alike=True, is_open_ended=True
    )
    assert options.of("two.csv") == LogChoice(
        format=None, mapping=parse_mapping(WORDS), timezone="UTC", drops_alike=True, is_open_ended=False
    )
    assert options.of("two.csv") == options.of_all


def test_nothing_said_leaves_all_to_what_is_recognised() -> None:
    assert AS_RECOGNISED.of("any.csv") == NONE_GIVEN
    with pytest.raises(PlannerError, match="usage"):
        assert ReadOptions(mapping="no mapping").of_all
