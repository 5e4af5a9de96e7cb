from gpuplanner.domain.model.window import iso_utc


def test_a_time_is_written_in_utc_with_z() -> None:
    assert iso_utc(0) == "1970-01-01T00:00:00Z"
    assert iso_utc(1_769_835_600) == "2026-01-31T05:00:00Z"
