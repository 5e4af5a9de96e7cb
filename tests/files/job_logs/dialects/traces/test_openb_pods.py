"""The openb trace: thousandths of GPUs, seconds since the trace began, pods that never ran."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.job_logs.dialects.traces.openb_pods import read_openb_gpus
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import often
from tests.files.job_logs.row_ends import Read, codes, counts, fates

LOG = """name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time
a,4000,100,2,1000,V100M32,LS,Running,0,7200,3600
b,4000,100,1,250,,BE,Succeeded,0,14400,0
c,4000,100,1,500,V100M16|V100M32,BE,Pending,0,900,
d,4000,100,1,500,,BE,Failed,0,900,
e,4000,100,0,0,,BE,Failed,0,900,10
f,4000,100,1,x,,BE,Failed,0,900,10
"""


def test_the_pods_of_a_list(read_log: Read) -> None:
    read = read_log(LOG)
    assert fates(read) == ("openb", 6, 3, 1, 0, 2)
    assert codes(read) == counts(
        bad_number=1, before_1980=3, never_started=1, no_gpus=1, pending=1, unknown_gpu_model=1
    )
    assert read.jobs.milli_gpu_seconds == 2000 * 3600 + 250 * 14400
    assert read.jobs.first_start_s == 0


@pytest.mark.long
def test_bare_seconds_are_said_to_be_read_as_since_1970(read_log: Read, tmp_path: Path) -> None:
    path = tmp_path / "pods.csv"
    path.write_text(LOG, encoding="utf-8")
    for file in (read_log(LOG).intake[0], check_file(str(path))[0]):
        (issue,) = (issue for issue in file.issues if issue.code == "before_1980")
        assert (issue.count, issue.first_row) == (3, 2)
        assert "1 Jan 1970, UTC" in str(issue.message)
    mapped = read_log(
        "id,gpus,begun,took\n1,1,60,60\n2,1,1767225600,60\n",
        mapping="job_id=id,gpus=gpus,start=begun:epoch_s,duration=took:s",
    )
    assert [issue.count for issue in mapped.intake[0].issues if issue.code == "before_1980"] == [1]


def test_a_list_without_a_needed_column_is_refused_by_its_name(read_log: Read) -> None:
    (fault,) = read_log(LOG.replace("gpu_milli", "share"), format="openb").refused
    assert "gpu_milli" in str(fault)


@given(st.integers(0, 64), st.integers(0, 1000))
def test_gpus_are_their_number_times_the_thousandths_of_each(count: int, milli: int) -> None:
    assert read_openb_gpus(f"{count}|{milli}").milli_gpus == count * milli


def test_the_public_list_gives_its_known_figures(shared_data: Path) -> None:
    path = str(shared_data / "traces" / "openb_pod_list_default.csv")
    read = read_inputs([path], window_request=WindowRequest(whole_log=True))
    assert fates(read) == ("openb", 8152, 7255, 0, 0, 897)
    assert read.jobs.gpu_hours == pytest.approx(51_470.6742, abs=5e-5)
    facts = dict(check_file(path)[0].facts)
    assert (facts["gpu_pods"], facts["gpus_asked"], facts["never_scheduled"]) == (7064, 7433.0, 897)
    mapping = "job_id=name,gpus=num_gpu,start=scheduled_time:s,end=deletion_time:s,state=pod_phase"
    options = ReadOptions(mapping=mapping)
    whole = read_inputs([path], window_request=WindowRequest(whole_log=True), options=options)
    assert whole.jobs.gpu_hours == pytest.approx(59_612.2106, abs=5e-5)
    assert (whole.jobs.peak_milli_gpus, whole.jobs.gpu_jobs) == (71_000, 7064 - 861)


@often
@given(st.text(st.sampled_from("|-.e9 x0123"), max_size=40))
def test_whatever_the_text_it_is_a_count_or_a_fault(text: str) -> None:
    reading = read_openb_gpus(text)
    assert reading.milli_gpus >= 0
    assert reading.fault in (None, "bad_number", "negative_gpus")
