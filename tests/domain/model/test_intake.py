"""The data-quality card as a pure function: hours with jobs, gaps that are no nights, shares of what is there."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.intake import (
    BY_MODEL,
    FACT,
    GAP_HOURS_AT_LEAST,
    GAPS_KEPT,
    INTERRUPTIONS,
    KIND,
    NODE_HOURS,
    NODE_MTBF,
    FileIntake,
    LargestJob,
    LogFacts,
    LogGap,
    LoggedRun,
    SentRow,
    SuspiciousValue,
    as_findings,
    busy_hours,
    data_quality,
    days_answered,
    log_gaps,
    node_times,
    observed,
    quality_gaps,
    quiet_gaps,
    sent_in,
    source_words,
    with_observed,
)
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.files.importing.read_facts import quality_entry

BUSY = 12  # starts and ends in each hour of a busy stretch


def _hours(*stretches: tuple[int, int]) -> tuple[np.ndarray, np.ndarray]:
    """Hours with events, busy all through each stretch."""
    hour = np.concatenate([np.arange(first, last) for first, last in stretches]).astype(np.int64)
    return hour, np.full(len(hour), BUSY, dtype=np.int64)


def _facts(**changed: object) -> LogFacts:
    hour = np.arange(10, 20, dtype=np.int64)
    ones = np.ones(10, dtype=np.int64)
    known: dict[str, object] = {
        "hour": hour,
        "starts": ones,
        "ends": ones,
        "jobs": 10,
        "with_id": 10,
        "with_name": 5,
        "with_user": 0,
        "naive": 2,
        "zero_length": 1,
        "long_running": 0,
        "clock_skew": 0,
        "clusters": (),
        "milli_gpu_seconds": 1000.0,
        "with_model": 250.0,
        "with_activity": 0.0,
    }
    return LogFacts(**(known | changed))  # type: ignore[arg-type]


def test_a_gap_stands_between_busy_days_and_has_whole_hours() -> None:
    (gap,) = log_gaps(*_hours((100, 200), (240, 400)))
    assert gap == LogGap(200 * HOUR_S, 240 * HOUR_S)
    assert gap.hours == 40


def test_gaps_are_told_the_longest_first() -> None:
    gaps = log_gaps(*_hours((0, 100), (120, 400), (460, 800)))
    assert [gap.hours for gap in gaps] == [60, 20]


@pytest.mark.parametrize("pause", [1, GAP_HOURS_AT_LEAST - 1])
def test_a_short_pause_is_no_gap(pause: int) -> None:
    assert log_gaps(*_hours((0, 100), (100 + pause, 200))) == ()
    assert len(log_gaps(*_hours((0, 100), (100 + GAP_HOURS_AT_LEAST, 200)))) == 1


def test_a_pause_of_a_quiet_cluster_is_no_gap() -> None:
    hour, events = _hours((0, 100), (130, 200))
    quiet = np.where((hour < 70) | (hour > 160), events, 0) + (hour == 99)
    assert log_gaps(hour, quiet.astype(np.int64)) == ()


def test_nights_and_weekends_are_no_gaps_but_a_longer_pause_is() -> None:
    nights = [(day * 24 + 8, day * 24 + 20) for day in range(30)]
    assert log_gaps(*_hours(*nights)) == ()
    weekdays = [(day * 24, day * 24 + 24) for day in range(63) if day % 7 < 5]
    assert log_gaps(*_hours(*weekdays)) == ()
    holed = [stretch for stretch in weekdays if not 21 <= stretch[0] // 24 < 28]  # a week is missing
    (gap,) = log_gaps(*_hours(*holed))
    assert gap.hours == (2 + 5 + 2) * 24


@pytest.mark.parametrize(("events", "is_gap"), [(9, False), (10, True)])
@pytest.mark.parametrize("side", [0, 1])
def test_a_gap_has_ten_events_in_the_day_before_and_in_the_day_after(
    events: int, side: int, *, is_gap: bool
) -> None:
    """Without events in hours 100 to 123: the day before is hours 76 to 99, the day after 124 to 147."""
    hour = np.array([*range(70, 100), *range(124, 154)], dtype=np.int64)
    at_hours = ({75: 50, 76: events, 124: 50}, {99: 50, 147: events, 148: 50})[side]
    counts = np.array([at_hours.get(place, 0) for place in hour.tolist()], dtype=np.int64)
    assert log_gaps(hour, counts) == ((LogGap(100 * HOUR_S, 124 * HOUR_S),) if is_gap else ())


@pytest.mark.parametrize(
    ("pauses", "weeks", "gaps"),
    [
        ((20, 20), 2, 2),
        ((20, 20, 20), 2, 0),  # three alike are a rhythm
        ((20, 20, 20), 7, 3),  # not in seven weeks, of which every other has one
        ((20, 20, 20), 6, 0),
        ((20, 15, 20), 2, 0),  # 15 is three quarters of 20
        ((20, 14, 20), 2, 2),  # 14 is less, and both of 20 are as long as it
        ((40, 20, 20), 2, 1),
    ],
)
def test_pauses_that_come_again_are_no_gaps(pauses: tuple[int, ...], weeks: int, gaps: int) -> None:
    """Of each pause those count as alike that are three quarters of it at least; a log of so many weeks to the hour."""
    stretches, begin = [], 0
    for pause in pauses:
        stretches.append((begin, begin + 30))
        begin += 30 + pause
    assert len(log_gaps(*_hours(*stretches, (begin, weeks * 168)))) == gaps


def test_a_quiet_stretch_lies_between_hours_in_which_something_ran() -> None:
    """Busy are hours 2, 40, 60 and 90 of 100 from hour 500 on; the pauses at both ends and of 19 hours are no gaps."""
    is_busy = np.zeros(100, dtype=bool)
    is_busy[[2, 40, 60, 90]] = True
    gaps = quiet_gaps(is_busy, Window(500 * HOUR_S, 600 * HOUR_S))
    assert gaps == (LogGap(503 * HOUR_S, 540 * HOUR_S), LogGap(561 * HOUR_S, 590 * HOUR_S))


@given(st.lists(st.tuples(st.integers(0, 60), st.integers(0, 30)), min_size=1, max_size=12))
def test_busy_hours_are_those_that_a_plain_count_finds(jobs: list[tuple[int, int]]) -> None:
    """Law: hours touched by a job, the end exclusive, counted one by one."""
    spans = [(start, start + length) for start, length in jobs]
    touched = {hour for start, end in spans for hour in range(start, max(end, start + 1))}
    starts, ends = (
        np.bincount(column, minlength=120)
        for column in ([start for start, _ in spans], [max(end - 1, start) for start, end in spans])
    )
    hour = np.flatnonzero(starts + ends)
    assert busy_hours(hour, starts[hour], ends[hour]) == len(touched)


def test_shares_are_of_jobs_and_of_gpu_time() -> None:
    quality = data_quality(_facts())
    assert quality is not None
    assert quality.shares == {
        "time_coverage": 1.0,
        "id_coverage": 1.0,
        "name_coverage": 0.5,
        "user_coverage": 0.0,
        "gpu_model_coverage": 0.25,
        "activity_coverage": 0.0,
        "naive_time_share": 0.2,
        "zero_length_share": 0.1,
    }
    assert (quality.hours, quality.busy_hours) == (10, 10)


def test_what_has_no_whole_is_unknown_and_no_job_has_no_card() -> None:
    without_gpus = data_quality(_facts(milli_gpu_seconds=0.0, with_model=0.0))
    assert without_gpus is not None
    assert without_gpus.shares["activity_coverage"] is None
    nothing = np.empty(0, dtype=np.int64)
    assert data_quality(_facts(jobs=0, hour=nothing, starts=nothing, ends=nothing)) is None
    assert quality_entry(None) is None


def test_the_entry_holds_numbers_and_times() -> None:
    hour, events = _hours((100, 200), (240, 400))
    entry = quality_entry(data_quality(_facts(hour=hour, starts=events, ends=events)))
    assert entry is not None
    assert entry["gaps"] == [{"start": "1970-01-09T08:00:00Z", "end": "1970-01-11T00:00:00Z", "hours": 40}]
    assert entry["gap_hours"] == 40


def test_what_part_of_a_log_lacks_is_said_below_995_of_1000() -> None:
    """Of 1,000 jobs 995 have a name, 994 a user and none an id; all GPU time has a model, none an activity."""
    facts = _facts(jobs=1000, with_id=0, with_name=995, with_user=994, with_model=1000.0)
    quality = data_quality(facts)
    assert quality is not None
    gaps = [(gap.share, gap.is_of_gpu_time) for gap in quality_gaps(quality)]
    assert gaps == [(0.994, False), (0.0, False), (0.0, True)]
    unknown = replace(quality, gpu_time=0.0)
    assert [gap.share for gap in quality_gaps(unknown)] == [0.994, 0.0]


def test_hours_of_gaps_are_also_of_those_that_are_not_kept_one_by_one() -> None:
    """Pauses of 20, 30, ... hours, of which none is three quarters of three others: the longest are kept."""
    lengths = [int(20 * 1.5**at) for at in range(GAPS_KEPT + 2)]
    begin, stretches = 0, []
    for length in lengths:
        stretches.append((begin, begin + 30))
        begin += 30 + length
    hour, events = _hours(*stretches, (begin, begin + 30))
    quality = data_quality(_facts(hour=hour, starts=events, ends=events))
    assert quality is not None
    assert [gap.hours for gap in quality.gaps] == lengths[:1:-1]
    assert quality.shorter_gap_hours == sum(lengths[:2])
    assert quality.gap_hours == sum(lengths)
    above = data_quality(_facts(with_model=1000.1))
    assert above is not None and above.with_model == 1000.0


def test_a_job_has_its_gpu_time_in_each_hour_of_a_window() -> None:
    """2 GPUs from half past one to a quarter past three."""
    job = LargestJob(key="k", gpu_model="H100", job_id="7", milli_gpus=2000, start_s=5400, end_s=11_700)
    assert job.milli_gpu_seconds == 2000 * 6300
    assert job.hourly(Window(0, 5)).tolist() == [0, 2000 * 1800, 2000 * 3600, 2000 * 900, 0]
    assert job.hourly(Window(7200, 1)).tolist() == [2000 * 3600]
    assert LoggedRun(key="k", gpu_model=None, job_id="8", milli_gpus=1, start_s=0, end_s=5400).hours == 1.5


def test_findings_of_several_files_are_added_up() -> None:
    one, two = SuspiciousValue("start", "x", 2), SuspiciousValue("end", "y", 4)
    assert as_findings([[one, two], [SuspiciousValue("start", "x", 3)]]) == (
        SuspiciousValue("start", "x", 5),
        two,
    )


def test_sent_rows_are_read_back_and_facts_of_another_form_are_none() -> None:
    row = SentRow(
        reference="RFQ-1",
        name="R1",
        gpu_model="H100",
        term_months=12,
        term_days=0,
        start=None,
        is_option=False,
        region="",
        interconnect=None,
        vendor="Vendor",
        quoted_on=None,
        answer="quoted",
        line=4,
    )
    facts = (row.fact, {**row.fact, "more": 1}, {"name": "R2"}, "R3")
    file = FileIntake(
        path="q.csv",
        kind="prices",
        format="quote",
        rows_read=1,
        rows_accepted=1,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        facts=((FACT, facts),),
    )
    assert sent_in(file) == (row,)


def test_plans_wait_for_the_newest_request_whose_days_came_back_and_make_sense() -> None:
    def file(reference: str, reply_by: str | None, orders_from: str | None) -> FileIntake:
        row = SentRow(
            reference=reference,
            name="R1",
            gpu_model="H100",
            term_months=12,
            term_days=0,
            start=None,
            is_option=False,
            region="",
            interconnect=None,
            vendor="Vendor",
            quoted_on=None,
            answer="quoted",
            line=4,
        )
        fact = replace(row, reply_by=reply_by, orders_from=orders_from).fact
        return FileIntake(
            path="q.csv",
            kind="prices",
            format="quote",
            rows_read=1,
            rows_accepted=1,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
            facts=((FACT, (fact,)),),
        )

    told = file("RFQ-20261001-7C1E", "2026-10-15", "2026-10-20")
    days = days_answered([told])
    assert days is not None and (days.orders_from_s - days.today_s) // DAY_S == 19
    assert (days.soonest_s - days.today_s) // DAY_S == 8
    odd = [
        file("RFQ-20261002-7C1E", None, None),
        file("RFQ-20261002-7C1E", "2026-10-20", "2026-10-15"),
        file("RFQ-20261002-7C1E", "soon", "2026-10-15"),
        file("RFQ-1", "2026-10-15", "2026-10-20"),
    ]
    assert days_answered([]) is None is days_answered(odd)
    newer = file("RFQ-20261003-7C1E", "2026-10-04", "2026-10-05")
    assert days_answered([*odd, told]) == days != days_answered([newer, told]) == days_answered([newer])


# --- Interruptions of spot nodes that files state


def interruptions(node_hours: float | None, count: int, *by_model: dict[str, object]) -> FileIntake:
    facts = ((NODE_HOURS, node_hours), (INTERRUPTIONS, count), (BY_MODEL, by_model))
    return FileIntake(
        path="spot.csv",
        kind=KIND,
        format="csv",
        rows_read=0,
        rows_accepted=0,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        facts=facts,
    )


def of_model(node_hours: float, count: int) -> dict[str, object]:
    return {"provider": "Ada", "gpu_model": "H100", NODE_HOURS: node_hours, INTERRUPTIONS: count}


def test_interruptions_of_files_are_summed_and_those_of_a_model_are_apart() -> None:
    """1,500 node-hours by 6 interruptions, of which 1,000 by 4 are of H100 of Ada: 500 by 2 are left."""
    files = [
        interruptions(1000, 5, of_model(600, 3)),
        interruptions(500, 1, of_model(400, 1)),
        interruptions(None, 9),
    ]
    log = observed(files)
    assert log is not None
    assert (log.node_hours, log.interruptions, log.mtbf_hours) == (500, 2, 250)
    (ada,) = log.by_model
    assert (ada.observed.node_hours, ada.observed.interruptions, ada.observed.mtbf_hours) == (1000, 4, 250)
    assert node_times(files) == {("ada", "h100"): 250}
    assert with_observed(Assumptions(), files) == Assumptions().with_values({NODE_MTBF: 250.0})
    said = source_words(NODE_MTBF, 250.0, files)
    assert said is not None and str(said.values["interruptions"]) == "2"
    assert source_words(NODE_MTBF, 251.0, files) is None is source_words("wacc", 250.0, files)


def test_without_files_of_interruptions_nothing_is_observed() -> None:
    assert observed([]) is observed([interruptions(None, 3)]) is None
    assert with_observed(Assumptions(), []) == Assumptions()
    assert node_times([]) == {}
    never = observed([interruptions(100, 0)])
    assert never is not None and never.mtbf_hours is None
