"""The readers of single texts: durations, GPU counts, TRES, names, times, states."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.values.column_values import as_duration, as_gpus
from gpuplanner.files.values.durations import read_duration, read_seconds
from gpuplanner.files.values.gpu_counts import read_gpu_count
from gpuplanner.files.values.slurm_resources import read_gres, read_tres
from gpuplanner.files.values.times import clock_spans, read_time, read_zone, span_of, utc_seconds

OSLO = ZoneInfo("Europe/Oslo")


# --- Durations


@given(st.integers(0, 400), st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
def test_slurm_writes_durations_in_many_ways(days: int, hours: int, minutes: int, seconds: int) -> None:
    total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    assert read_duration(f"{days}-{hours:02}:{minutes:02}:{seconds:02}") == total
    assert read_duration(f"{hours:02}:{minutes:02}:{seconds:02}.123") == total - days * 86_400
    assert read_duration(f"{minutes:02}:{seconds:02}") == minutes * 60 + seconds
    assert read_duration(f"{minutes:02}:{seconds:02}.999") == minutes * 60 + seconds
    assert read_duration(str(total)) == total


@given(st.integers(0, 9999), st.integers(0, 23), st.integers(0, 59), st.integers(0, 59))
def test_durations_may_be_spelled_out(days: int, hours: int, minutes: int, seconds: int) -> None:
    total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    for text in (
        f"{days} days, {hours}:{minutes:02}:{seconds:02}",
        f"{days} days {hours:02}:{minutes:02}:{seconds:02}.250000",
        f"{days}d {hours}h {minutes}m {seconds}s",
        f"{days} d {hours} hours {minutes} min {seconds} sec",
        f"P{days}DT{hours}H{minutes}M{seconds}S",
    ):
        assert read_duration(text) == total
    assert read_duration(f"{hours}.5 h", "min") == hours * 3600 + 1800


@pytest.mark.parametrize(
    "text", ["", "UNLIMITED", "Partition_Limit", "1:2:3:4", "00:75", "1-25:00:00", "x", "nan", "inf", "1e99"]
)
def test_what_is_no_duration_is_none(text: str) -> None:
    assert read_duration(text) is None


@pytest.mark.parametrize(
    ("text", "unit", "seconds"),
    [
        ("90", "s", 90),
        ("1.5", "h", 5400),
        ("2", "min", 120),
        ("1767225600999", "epoch_ms", 1_767_225_600),
        ("-2", "s", -2),
    ],
)
def test_plain_numbers_have_units(text: str, unit: str, seconds: int) -> None:
    assert read_seconds(text, unit) == seconds


# --- GPUs


@given(st.integers(1, 10**7), st.integers(0, 9))
def test_gpu_counts_are_exact_and_rounded_half_up(milli: int, tenth: int) -> None:
    text = f"{milli // 1000}.{milli % 1000:03}{tenth}"
    assert read_gpu_count(text).milli_gpus == milli + (tenth >= 5)
    assert read_gpu_count(f"{milli}.{tenth}", "milli").milli_gpus == milli + (tenth >= 5)


@pytest.mark.parametrize(
    ("text", "milli", "model"),
    [
        ("gres/gpu:a100=1,gres/gpu=1", 1000, "a100"),  # docs/formulas/README.md, Known answers
        ("billing=6,cpu=6,gres/gpu=4,mem=10000M,node=1", 4000, None),
        ("billing=6,cpu=6,gres/gpu:rtx30=3,node=2", 3000, "rtx30"),
        ("gres/gpu:a100=2,gres/gpu:h100=6,gres/gpu=8", 8000, "h100"),
        ("gres/gpu:b=2,gres/gpu:a=2", 4000, "a"),
        ("gres/gpu:a100_3g.20gb=1,gres/gpu=1", 429, "a100"),
        ("gres/gpu:1g.10gb=7", 1000, None),
        ("cpu=6,gres/gpumem=80G,gres/gpuutil=50", 0, None),
        ("gres/gpu=1,gres/shard=8", 1000, None),
        ("gres/mps:a100=50,gres/mps=50", 500, "a100"),
        ("", 0, None),
    ],
)
def test_tres_tells_gpus_and_their_model(text: str, milli: int, model: str | None) -> None:
    reading = read_tres(text)
    assert (reading.milli_gpus, reading.gpu_model, reading.fault) == (milli, model, None)


def test_tres_says_what_it_cannot_read_and_when_models_are_mixed() -> None:
    assert read_tres("gres/gpu=many").fault == "bad_number"
    assert read_tres("cpu=6,gres/shard=4").fault == "gpus_unknown"  # how many are a GPU nobody tells
    assert read_tres("cpu=6,gres/tpu:v4=8").is_other
    assert read_tres("gres/gpu:a=1,gres/gpu:b=1").is_mixed
    assert read_tres("gres/gpu=1,node=4").nodes == 4
    assert (
        read_tres("1=8,2=4000,4=1,1001=2").fault == "bad_number"
    )  # numbers of a database are no count of none
    assert read_tres("1=8,2=4000,4=1").fault is None
    assert read_gres("7696487:2").milli_gpus == 2000


@given(st.dictionaries(st.sampled_from(["a100", "h100", "l40s"]), st.integers(1, 64), min_size=1))
def test_typed_entries_beside_their_total_count_once(typed: dict[str, int]) -> None:
    entries = [f"gres/gpu:{model}={count}" for model, count in typed.items()]
    total = sum(typed.values())
    assert read_tres(",".join([*entries, f"gres/gpu={total}"])).milli_gpus == total * 1000
    assert read_tres(",".join(entries)).milli_gpus == total * 1000


@pytest.mark.parametrize(
    ("text", "nodes", "milli", "model"),
    [
        ("gpu:2", 1, 2000, None),
        ("gpu:a100:2", 3, 6000, "a100"),
        ("PER_NODE:gpu:tesla:4(S:0-1)", 2, 8000, "tesla"),
        ("gpu", 2, 2000, None),
        ("craynetwork:1", 2, 0, None),
    ],
)
def test_older_gres_count_one_node(text: str, nodes: int, milli: int, model: str | None) -> None:
    reading = read_gres(text, nodes)
    assert (reading.milli_gpus, reading.gpu_model) == (milli, model)


@pytest.mark.parametrize(
    "text", ["1e999999999", "1e-999999999", "0e-999999999", "9" * 5000, "1_000", "nan", "-inf"]
)
def test_no_text_makes_a_monster_of_a_number(text: str) -> None:
    assert read_gpu_count(text).fault == "bad_number"
    assert read_seconds(text, "h") is None
    assert read_duration(f"{text}-00:00:00") is None
    assert read_tres(f"gres/gpu={text}").fault == "bad_number"
    assert read_tres(f"gres/gpu=1,node={text}").nodes is None


# --- Times


@given(st.datetimes(datetime(1971, 1, 1), datetime(2100, 1, 1)), st.integers(-12 * 60, 14 * 60))
def test_iso_times_with_offsets_are_their_instant(local: datetime, minutes: int) -> None:
    sign, hours, rest = ("-" if minutes < 0 else "+"), *divmod(abs(minutes), 60)
    text = f"{local:%Y-%m-%dT%H:%M:%S}.{local.microsecond:06}{sign}{hours:02}:{rest:02}"
    expected = local.replace(microsecond=0, tzinfo=UTC) - timedelta(minutes=minutes)
    assert utc_seconds(text) == int(expected.timestamp())


@given(st.integers(0, 4 * 10**9))
def test_a_local_time_is_one_of_its_instants(utc_s: int) -> None:
    """Python's own reading of the zone, both ways, is the oracle."""
    clock = datetime.fromtimestamp(utc_s, OSLO).replace(tzinfo=None)
    folds = [int(clock.replace(tzinfo=OSLO, fold=fold).timestamp()) for fold in (0, 1)]
    assert utc_seconds(clock.isoformat(), "Europe/Oslo") == min(folds)
    local = read_time(clock.isoformat())
    assert local is not None
    span = span_of(clock_spans("Europe/Oslo", local.clock_s, local.clock_s), local.clock_s)
    assert {local.clock_s - span.earlier_offset_s, local.clock_s - span.later_offset_s} == set(folds)
    assert not span.is_skipped


@given(st.integers(1971, 2100), st.integers(0, 3599))
def test_a_skipped_local_time_is_read_with_the_offset_before(year: int, second: int) -> None:
    sundays = [day for day in range(25, 32) if datetime(year, 3, day).weekday() == 6]
    clock = datetime(year, 3, sundays[-1], 2) + timedelta(seconds=second)
    back = datetime.fromtimestamp(clock.replace(tzinfo=OSLO).timestamp(), OSLO).replace(tzinfo=None)
    if back != clock:  # the rule of today is not that of every year
        assert utc_seconds(clock.isoformat(), "Europe/Oslo") == int(
            clock.replace(tzinfo=OSLO, fold=0).timestamp()
        )


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-31",
        "2026-01-31T00:00Z",
        "20260131T000000Z",
        "2026-01-31 00:00:00 UTC",
        "2026-01-31T01:00+0100",
        "2026-01-31t00:00:00z",
    ],
)
def test_midnight_can_be_written_in_many_ways(text: str) -> None:
    assert utc_seconds(text) == 1_769_817_600


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x",
        "2026-13-01",
        "2026-01-31T30:00:00Z",
        "31.1.2026",
        "2026-01-31T00:00:00Q5",
        "9999-01-01",
        "0001-01-01",
    ],
)
def test_what_is_no_time_is_none(text: str) -> None:
    assert utc_seconds(text) is None


def test_zones_are_read_and_unknown_ones_said() -> None:
    assert read_zone("+05:30").offset_s == 19_800
    assert read_zone("+02:00[Europe/Oslo]").offset_s == 7200
    assert read_zone("[Europe/Oslo]").name == "Europe/Oslo"
    assert read_zone("").is_naive
    assert read_zone("Mars/Base").fault == "unknown_timezone"
    assert read_zone("?").fault == "bad_time"
    assert read_zone("+99:00").fault == "bad_time"


def test_a_time_may_stop_at_the_hour_and_half_an_hour_is_no_zone() -> None:
    at = int(datetime(2026, 1, 5, 10, tzinfo=UTC).timestamp())
    assert utc_seconds("2026-01-05T10") == utc_seconds("2026-01-05 10Z") == utc_seconds("20260105T10") == at
    assert read_time("2026-01-05T1") is not None and read_zone("T1").fault == "bad_time"
    assert read_zone("Europe/Atlantis").fault == "unknown_timezone"


# --- Columns


def test_a_column_of_lists_may_have_one_text_in_ten_that_is_none() -> None:
    lists = [f"[{number}, {number + 1}]" for number in range(18)]
    assert as_gpus([*lists, "?!", "&&"]).unit == "list"
    assert as_gpus([*lists[:17], "?!", "&&", "%%"]).unit != "list"


@pytest.mark.parametrize(
    ("texts", "stated", "share", "unit", "sure"),
    [
        (["1", "2"], "", 1.0, "s", 0.5),
        (["1", "2"], "min", 1.0, "min", 0.97),
        (["1", "2", "x"], "ms", 2 / 3, "ms", 0.97),
        (["1", "-1"], "min", 0.0, "", 1.0),
        (["1", "2"], "hm", 0.0, "", 1.0),  # numbers are no hours and minutes
        (["1:30", "2:00", "x"], "hm", 2 / 3, "hm", 0.97),  # fewer than half are numbers
        (["1:30", "2"], "hm", 0.5, "s", 0.5),  # half are
        (["1:30", "2:00"], "", 1.0, "s", 0.6),  # minutes, or hours
        (["1:30:00", "2:00"], "", 1.0, "s", 1.0),
        (["soon", "2:00"], "", 0.5, "s", 1.0),
        ([], "", 0.0, "", 1.0),
        ([], "hm", 0.0, "", 1.0),
        (["", " "], "h", 0.0, "h", 0.97),
    ],
)
def test_a_column_is_durations_of_a_unit(
    texts: list[str], stated: str, share: float, unit: str, sure: float
) -> None:
    reading = as_duration(texts, stated)
    assert (reading.share, reading.unit, reading.sure) == (pytest.approx(share), unit, sure)
