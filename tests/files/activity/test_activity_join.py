"""Activity joined with jobs: the mean over a job's own GPUs and time, unknown where nothing tells it apart."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpuplanner.files.activity.activity_intake import OneNode
from gpuplanner.files.importing.intake import ReadResult, read_inputs
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.importing.windowed_jobs import rewindow
from gpuplanner.files.values.host_lists import expand_hosts, same_nodes
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.job_logs.cluster_damage import check_rows_add_up
from tests.files.job_logs.row_ends import Read, codes, fates
from tests.some_of import examples

HEADER = "JobID|JobName|User|Account|State|Start|End|AllocTRES|NodeList"


def job(number: object, hours: str, gpus: int, hosts: str, name: str = "") -> str:
    """A line of sacct: `10:00-12:00` of one day; its workload is called after its number."""
    start, end = (f"2026-01-05T{clock}:00Z" for clock in hours.split("-"))
    named = name or "abcdefgh"[int(str(number)) % 8]
    return f"{number}|{named}|u|acc|COMPLETED|{start}|{end}|gres/gpu={gpus}|{hosts}"


def smi(*samples: tuple[str, str, float], host: str = "n1") -> str:
    """Samples of one node as nvidia-smi writes them: clock, GPU, per cent."""
    rows = [f"2026/01/05 {clock}:00, {gpu}, {share}, {host}" for clock, gpu, share in samples]
    return "\n".join(["timestamp, index, utilization.gpu [%], hostname", *rows]) + "\n"


def steady(shares: dict[str, float], first: int = 9, last: int = 16) -> list[tuple[str, str, float]]:
    """The same share of each GPU every ten minutes between two hours."""
    clocks = [f"{hour:02}:{minute:02}" for hour in range(first, last) for minute in range(0, 60, 10)]
    return [(clock, gpu, share) for clock in clocks for gpu, share in shares.items()]


def scrape(*rows: tuple[str, str, str, float, str], metric: str = "DCGM_FI_DEV_GPU_UTIL") -> str:
    """Scrapes of dcgm-exporter: clock, node, GPU, value, more labels."""
    lines = []
    for clock, host, gpu, value, more in rows:
        lines.append(f"# 2026-01-05T{clock}:00Z")
        lines.append(f'{metric}{{gpu="{gpu}",UUID="{host}-{gpu}",Hostname="{host}"{more}}} {value}')
    return "\n".join(lines) + "\n"


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """`read(jobs, activity, ...)`: lines of jobs, and activity files as text, read in one call."""

    def of(jobs: list[str], *activity: str, rows_dir: Path | None = None, **options: object) -> ReadResult:
        texts = ["\n".join([HEADER, *jobs]) + "\n", *activity]
        paths = []
        for number, text in enumerate(texts):
            path = tmp_path / f"part-{'abcdef'[number]}"
            path.write_text(text, encoding="utf-8")
            paths.append(str(path))
        how = ReadOptions(**options)  # type: ignore[arg-type]
        return read_inputs(
            paths, options=how, window_request=WindowRequest(whole_log=True), rows_dir=rows_dir
        )

    return of


@pytest.mark.long
def test_what_is_said_of_a_log_of_one_node_holds_for_the_jobs_on_it_and_for_no_other(read: Read) -> None:
    """Samples that name their node are of that; a model that the log states stays."""
    unnamed = "time,index,percent\n" + "".join(
        f"2026-01-05T{clock}:00Z,{gpu},{share:.0f}\n" for clock, gpu, share in steady({"0": 90, "1": 70})
    )
    named = smi(*steady({"0": 20, "1": 40}), host="n2")
    jobs = [job(1, "10:00-12:00", 2, "n1"), job(2, "10:00-12:00", 2, "n2"), job(3, "13:00-14:00", 2, "n1")]
    jobs[2] = jobs[2].replace("gres/gpu=2", "gres/gpu=2,gres/gpu:a100=2")
    unsaid = read(jobs, unnamed, named)
    assert activities(unsaid) == {"b": None, "c": pytest.approx(0.3), "d": None}
    said = read(jobs, unnamed, named, node=OneNode("n1", "H100"))
    assert activities(said) == {
        name: pytest.approx(share) for name, share in {"b": 0.8, "c": 0.3, "d": 0.8}.items()
    }
    assert all(found.cube is not None for found in (unsaid, said))
    models = [found.cube.gpu_models for found in (unsaid, said) if found.cube is not None]
    assert [{name.casefold() for name in names} for names in models] == [{"a100"}, {"a100", "h100"}]


def activities(found: ReadResult) -> dict[str, float | None]:
    """By the name of the workload."""
    return {workload.name: workload.activity for workload in found.workloads}


def test_a_job_with_the_whole_node_has_the_mean_of_its_gpus(read: Read) -> None:
    found = read([job(1, "10:00-12:00", 2, "n1")], smi(*steady({"0": 90, "1": 30})))
    assert activities(found) == {"b": 0.6}
    jobs, samples = found.intake
    assert "activity_not_told_apart" not in codes(jobs)
    assert (samples.kind, *fates(samples)) == ("activity", "nvidia_smi", 84, 84, 0, 0, 0)
    assert codes(samples)["activity_outside_jobs"] == 84 - 24


def test_a_job_alone_on_a_node_has_all_that_was_done_there_over_its_own_gpus(read: Read) -> None:
    found = read([job(1, "10:00-12:00", 1, "n1")], smi(*steady({"0": 0, "1": 70, "2": 0, "3": 0})))
    assert activities(found) == {"b": 0.7}


def test_what_is_shared_is_never_smeared(read: Read) -> None:
    jobs = [job(1, "10:00-12:00", 1, "n1"), job(2, "11:00-13:00", 1, "n1"), job(3, "13:00-14:00", 1, "n1")]
    found = read(jobs, smi(*steady({"0": 50, "1": 0, "2": 0})))
    assert activities(found) == {"b": None, "c": None, "d": 0.5}
    assert codes(found.intake[0])["activity_not_told_apart"] == 2


def test_a_job_that_does_not_say_where_it_ran_may_have_shared_the_node(read: Read) -> None:
    jobs = [job(1, "10:00-12:00", 1, "n1"), job(2, "11:00-13:00", 1, "None assigned")]
    found = read(jobs, smi(*steady({"0": 50, "1": 0})))
    assert activities(found) == {"b": None, "c": None}


def test_a_node_that_did_more_than_the_job_could_ran_something_else(read: Read) -> None:
    found = read([job(1, "10:00-12:00", 1, "n1")], smi(*steady({"0": 90, "1": 90})))
    assert activities(found) == {"b": None}
    assert codes(found.intake[0])["activity_not_told_apart"] == 1


def test_nothing_is_known_of_a_job_without_a_sample(read: Read) -> None:
    jobs = [job(1, "10:00-12:00", 2, "n1"), job(2, "20:00-21:00", 2, "n1"), job(3, "10:00-12:00", 2, "n2")]
    found = read(jobs, smi(*steady({"0": 90, "1": 30})))
    assert activities(found) == {"b": 0.6, "c": None, "d": None}


def test_several_nodes_count_by_the_gpus_on_them(read: Read) -> None:
    first, second = steady({"0": 100, "1": 100}), steady({"0": 0, "1": 40})
    nodes = (smi(*first), smi(*second, host="n2.example.org"))
    found = read([job(1, "10:00-12:00", 4, "n[1-2]")], *nodes)
    assert activities(found) == {"b": 0.6}


def test_each_sample_counts_for_the_time_up_to_the_next(read: Read) -> None:
    samples = [("10:00", "0", 100), ("10:10", "0", 0), ("10:20", "0", 0), ("10:40", "0", 0)]
    found = read([job(1, "10:00-11:00", 1, "n1")], smi(*samples))
    assert activities(found)["b"] == pytest.approx(10 / 50)


def test_a_gap_of_the_monitoring_says_nothing(read: Read) -> None:
    samples = [("10:00", "0", 0), ("10:10", "0", 0), ("10:20", "0", 0), ("10:30", "0", 90), ("15:00", "0", 0)]
    found = read([job(1, "10:00-16:00", 1, "n1")], smi(*samples))
    two_steps = 90 * 20 / (30 + 20 + 10) / 100  # not 270 minutes
    assert activities(found)["b"] == pytest.approx(two_steps)


def test_a_job_id_in_the_labels_tells_jobs_on_one_node_apart(read: Read) -> None:
    jobs = [job(1, "10:00-12:00", 1, "n1"), job(2, "10:00-12:00", 1, "n1"), job(3, "10:00-12:00", 1, "n1")]
    rows = [
        ("10:30", "n1", "0", 80, ',hpc_job="1"'),
        ("10:30", "n1", "1", 20, ',hpc_job="2"'),
        ("10:30", "n1", "2", 0, ""),
        ("13:30", "n1", "0", 99, ',hpc_job="1"'),
    ]
    found = read(jobs, scrape(*rows))
    assert activities(found) == {"b": 0.8, "c": 0.2, "d": None}
    assert codes(found.intake[1])["activity_outside_jobs"] == 2


def test_where_gpus_name_jobs_those_without_one_are_nobodys(read: Read) -> None:
    rows = [("10:30", "n1", "0", 80, ',hpc_job="9"'), ("10:30", "n1", "1", 0, "")]
    found = read([job(1, "10:00-12:00", 1, "n1")], scrape(*rows))
    assert activities(found) == {"b": None}


def test_pods_are_found_by_their_name(read: Read) -> None:
    jobs = [job(1, "10:00-12:00", 1, "n1", "train-x"), job(2, "10:00-12:00", 1, "n1", "serve-y")]
    rows = [
        ("10:30", "n1", "0", 80, ',namespace="ml",pod="train-x",container="main"'),
        ("10:30", "n1", "1", 20, ',namespace="web",pod="serve-y",container="main"'),
    ]
    assert activities(read(jobs, scrape(*rows))) == {"train-x": 0.8, "serve-y": 0.2}


def test_the_finest_metric_counts(read: Read) -> None:
    coarse = scrape(("10:30", "n1", "0", 100, ',hpc_job="1"'))
    fine = scrape(("10:30", "n1", "0", 0.25, ',hpc_job="1"'), metric="DCGM_FI_PROF_SM_ACTIVE")
    found = read([job(1, "10:00-12:00", 1, "n1")], coarse, fine)
    assert activities(found) == {"b": 0.25}


def test_processes_count_over_all_gpus_that_the_job_was_given(read: Read) -> None:
    line = "v=0.13.0,time=2026-01-05T10:{}:00Z,host=n1,user=u,cmd=python,job={}{}"
    lines = [
        line.format("00", 1, ',"gpus=0,1",gpu%=120'),
        line.format("00", 1, ",gpus=0,gpu%=40"),
        line.format("10", 1, ""),  # looked at, and on no GPU
        line.format("10", 2, ",gpus=3,gpu%=50"),
    ]
    jobs = [job(1, "10:00-12:00", 4, "n1"), job(2, "10:00-12:00", 1, "n1")]
    found = read(jobs, "\n".join(lines) + "\n")
    assert activities(found) == {"b": pytest.approx(1.6 / 4 / 2), "c": pytest.approx(0.25)}


def test_what_the_log_says_itself_stands(tmp_path: Path) -> None:
    log = tmp_path / "jobs.csv"
    hour = "2026-01-05T10:00:00Z,2026-01-05T11:00:00Z"
    log.write_text(f"job_id,name,gpus,start,end,gpu_activity_percent\n1,a,1,{hour},33\n2,b,1,{hour},\n")
    samples = tmp_path / "activity"
    rows = [("10:30", "n1", str(gpu), 80, f',hpc_job="{gpu}"') for gpu in (1, 2)]
    samples.write_text(scrape(*rows), encoding="utf-8")
    found = read_inputs([str(log), str(samples)], window_request=WindowRequest(whole_log=True))
    assert activities(found) == {"a": 0.33, "b": 0.8}
    assert "activity_outside_jobs" not in codes(found.intake[1])


def test_the_same_samples_twice_count_once(read: Read) -> None:
    text = smi(*steady({"0": 90, "1": 30}))
    found = read([job(1, "10:00-12:00", 2, "n1")], text, text)
    assert activities(found) == {"b": 0.6}
    ends = [(file.rows_read, file.rows_accepted, file.rows_duplicate) for file in found.intake[1:]]
    assert ends == [(84, 84, 0), (84, 0, 84)]


def test_activity_without_a_job_log_is_refused_with_what_to_add(tmp_path: Path) -> None:
    path = tmp_path / "smi.csv"
    path.write_text(smi(*steady({"0": 90})), encoding="utf-8")
    found = read_inputs([str(path)])
    (fault,) = found.refused
    assert fault.code == "not_a_job_log"
    assert "--jobs" in str(fault.remedy)
    (file,) = found.intake
    assert (file.kind, file.rows_read, codes(file)) == ("activity", 0, {"not_a_job_log": 1})
    assert found.window is None


def test_another_window_keeps_activity_and_files_in_their_order(read: Read, tmp_path: Path) -> None:
    rows_dir = tmp_path / "rows"
    found = read([job(1, "10:00-12:00", 2, "n1")], smi(*steady({"0": 90, "1": 30})), rows_dir=rows_dir)
    start_s = 1_767_610_800  # 11:00
    again = rewindow(rows_dir, found.jobs, found.intake, WindowRequest(start_s=start_s, end_s=start_s + 3600))
    assert [workload.activity for workload in again.workloads] == [0.6]
    assert [file.kind for file in again.intake] == ["jobs", "activity"]
    assert codes(again.intake[0])["clipped"] == 1
    assert again.jobs.quality == found.jobs.quality


@pytest.mark.long
@settings(max_examples=examples(4), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    share=st.integers(0, 100),
    spans=st.lists(st.tuples(st.integers(0, 40), st.integers(1, 20), st.integers(1, 4)), max_size=5),
)
def test_a_steady_node_gives_its_share_or_nothing(
    read: Read, share: int, spans: list[tuple[int, int, int]]
) -> None:
    """Law: with every GPU at the same share, no job is ever given another one."""

    def clock(at: int) -> str:
        return f"{9 + at // 10:02}:{at % 10 * 6:02}"

    jobs = [
        job(number, f"{clock(start)}-{clock(start + length)}", gpus, "n1")
        for number, (start, length, gpus) in enumerate(spans)
    ]
    found = read(jobs, smi(*steady({str(gpu): share for gpu in range(4)}, 9, 16)))
    whole = {job_line.split("|")[1] for job_line in jobs if "gres/gpu=4" in job_line}
    for name, activity in activities(found).items():
        assert activity is None or share == 0 or activity == share / 100 or name not in whole
    for file in found.intake:
        check_rows_add_up(file)


HOST_LISTS = [
    ("c1-[6,11-13]", ("c1-6", "c1-11", "c1-12", "c1-13")),
    ("n[08-10],Login1", ("n08", "n09", "n10", "login1")),
    ("r[1-2]n[1,3]", ("r1n1", "r1n3", "r2n1", "r2n3")),
    ("n[1-2].fox.no", ("n1.fox.no", "n2.fox.no")),
    ("ip-10-0-0-7.ec2.internal", ("ip-10-0-0-7.ec2.internal",)),
    ("node7/0*8+node8/0*8", ("node7", "node8")),
    ("None assigned", ()),
    ("", ()),
    ("n[1-", ()),
    ("n[5-2]", ()),
    ("n[1-99999999]", ()),
]


@pytest.mark.parametrize(("text", "names"), HOST_LISTS)
def test_a_list_of_hosts_is_taken_apart(text: str, names: tuple[str, ...]) -> None:
    assert expand_hosts(text) == names


def test_nodes_are_the_same_with_the_domain_or_without() -> None:
    assert same_nodes(["ml6.hpc.uio.no"], ["ml6"]) == {"ml6.hpc.uio.no": "ml6"}
    assert same_nodes(["ml6"], ["ml6.hpc.uio.no", "ml7.hpc.uio.no"]) == {"ml6": "ml6.hpc.uio.no"}
    assert same_nodes(["ml6"], ["ml6.a", "ml6.b"]) == {}  # which of them cannot be told
    assert same_nodes(["ml6.a", "ml6.b"], ["ml6"]) == {}
    assert same_nodes(["ml6", "ml60"], ["ml6", "ml60"]) == {"ml6": "ml6", "ml60": "ml60"}
    assert same_nodes(["10.0.0.1"], ["10.0.0.2"]) == {}
