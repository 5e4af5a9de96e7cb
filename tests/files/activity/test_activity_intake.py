"""Every shape of activity file: known by what it holds, every row counted once, samples with the right figures."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import duckdb
import openpyxl
import pytest

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.activity.activity_intake import OneNode
from gpuplanner.files.activity.metric_table import sniff_prometheus, sniff_unnamed
from gpuplanner.files.activity.metrics import METRICS, milli_percent
from gpuplanner.files.activity.name_of_file import metric_in_name
from gpuplanner.files.activity.reading import Sample
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.log_choices import ReadOptions
from gpuplanner.files.importing.recognise import activity_dialect, recognise_source
from gpuplanner.files.sources.source import survey
from tests.files.activity import activity_texts as texts
from tests.files.activity.activity_texts import LEGENDS, PROMETHEUS, SERIES, TEXTS, ActivityText
from tests.files.job_logs.cluster_damage import check_rows_add_up
from tests.files.job_logs.row_ends import fates

AT_S = 1_767_609_000  # 2026-01-05T10:30:00Z
Samples = Callable[..., list[Sample]]


@pytest.fixture
def samples(tmp_path: Path) -> Samples:
    def of(text: str, name: str = "activity.txt", timezone: str | None = None) -> list[Sample]:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        source = survey(str(path))
        dialect = activity_dialect(recognise_source(source))
        readings = dialect.readings(source, timezone)
        return [sample for reading in readings if reading.fault is None for sample in reading.samples]

    return of


@pytest.mark.parametrize("of", TEXTS, ids=lambda of: of.name)
def test_a_file_is_known_by_what_it_holds_and_every_row_is_counted(of: ActivityText, tmp_path: Path) -> None:
    path = tmp_path / f"export-{of.name}.dat"  # its name says nothing
    path.write_text(of.text, encoding="utf-8")
    (file,) = check_file(str(path))
    assert (file.kind, file.format) == ("activity", of.format)
    assert (file.rows_accepted, file.rows_rejected, file.rows_ignored) == of.fates
    check_rows_add_up(file)
    facts = dict(file.facts)
    assert facts["samples"] == of.samples
    assert sum(Counter(facts["metrics"]).values()) == of.samples


def test_a_scrape_says_gpu_node_job_and_time(samples: Samples) -> None:
    found = samples(texts.DCGM)
    assert found[0] == Sample(
        at_s=AT_S,
        host="n1",
        gpu="GPU-aa",
        milli_percent=90_000,
        metric="DCGM_FI_DEV_GPU_UTIL",
        job_id="7",
        pod="",
        gpu_model="NVIDIA H100",
    )
    assert [sample.job_id for sample in found] == ["7", "", "7", "7"]
    assert [sample.at_s for sample in found] == [AT_S] * 3 + [AT_S + 300]
    assert [sample.milli_percent for sample in found] == [90_000, 0, 25_000, 70_000]


def test_a_scrape_without_a_time_is_rejected_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "metrics"
    path.write_text(TEXTS[1].text, encoding="utf-8")
    (file,) = check_file(str(path))
    (issue,) = file.issues
    assert issue.code == "bad_time"
    assert "time" in str(issue.message)
    assert dict(file.facts)["gpus_by_host"] == {"n1": 1}


def test_dmon_gives_a_sample_a_metric(samples: Samples) -> None:
    found = samples(texts.DMON)
    told = [(s.gpu, s.metric, s.milli_percent) for s in found]
    assert told == [("0", "GPUTL", 90_000), ("0", "SMACT", 25_000), ("1", "GPUTL", 0)]


def test_a_range_of_prometheus_names_the_pod_and_not_its_exporter(samples: Samples) -> None:
    found = samples(PROMETHEUS)
    assert [sample.pod for sample in found] == ["ml/train-0", "ml/train-0", "", ""]
    assert [sample.at_s for sample in found] == [AT_S, AT_S + 60, AT_S, AT_S]
    assert [sample.milli_percent for sample in found] == [90_000, 80_000, 50_000, 12_000]
    assert (found[3].host, found[3].gpu) == ("n2", "3")


def test_a_series_without_a_name_is_of_the_metric_that_the_file_is_named_after(samples: Samples) -> None:
    text = '{"data":{"resultType":"matrix","result":[{"metric":{"gpu":"0"},"values":[[1767609000,"0.5"]]}]}}'
    assert samples(text, "mystery.json") == []
    (found,) = samples(text, "DCGM_FI_PROF_SM_ACTIVE.json")
    assert found.milli_percent == 50_000
    listed = '[{"metric":{"__name__":"DCGM_FI_DEV_GPU_UTIL"},"values":[[1767609000,"5"]]}]'
    assert [sample.milli_percent for sample in samples(listed)] == [5_000]


def test_headings_of_grafana_say_whose_their_values_are(samples: Samples) -> None:
    found = samples(texts.GRAFANA, timezone="Europe/Oslo")
    assert [(s.at_s, s.host, s.gpu, s.milli_percent) for s in found] == [
        (AT_S - 3600, "n1", "0", 90_000),
        (AT_S - 3600, "n1", "1", 5_000),
        (AT_S - 3540, "n1", "0", 80_000),
    ]
    assert all(sample.is_naive for sample in found)


def test_nvidia_smi_is_read_with_a_heading_and_without(samples: Samples) -> None:
    with_heading = samples(texts.SMI, "nvidia-smi_gpu-7_2026-01-05.csv")
    told = [(s.host, s.gpu, s.at_s, s.milli_percent) for s in with_heading]
    assert told == [("gpu-7", "GPU-aa", AT_S, 90_000), ("gpu-7", "GPU-aa", AT_S + 60, 80_000)]
    bare = samples(texts.SMI_BARE, "nvidia-smi_gpu-7_2026-01-05.csv")
    assert [(s.host, s.gpu, s.at_s, s.milli_percent) for s in bare] == told


def test_processes_of_sonar_are_sums_over_their_cards(samples: Samples) -> None:
    found = samples(texts.SONAR)
    told = [(s.job_id, s.gpu, s.milli_percent, s.is_process) for s in found]
    assert told == [("7", "3", 44_000, True), ("8", "4,5,6,0", 102_000, True)]
    assert {sample.at_s for sample in found} == {AT_S, AT_S + 300}


def test_cards_and_jobs_of_a_sonar_object(samples: Samples) -> None:
    found = samples(texts.SONAR_OBJECTS)
    assert [(s.gpu, s.milli_percent, s.job_id) for s in found] == [
        ("GPU-aa", 94_000, ""),
        ("GPU-bb", 0, ""),  # what is 0 is left out of the object
        ("GPU-aa", 80_000, "7"),
    ]


def test_a_table_may_be_parquet_or_a_spreadsheet(tmp_path: Path) -> None:
    head = ("timestamp", "Hostname", "gpu", "DCGM_FI_DEV_GPU_UTIL")
    rows = [head, (AT_S, "n1", 0, 90), (AT_S + 60, "n1", 0, 500)]
    values = ", ".join(map(str, rows[1:]))
    parquet = tmp_path / "a.parquet"
    table = f"(select * from (values {values}) t({', '.join(head)}))"
    duckdb.sql(f"copy {table} to '{parquet}' (format parquet)")
    book = openpyxl.Workbook()
    for row in rows:
        book.worksheets[0].append(row)
    book.save(tmp_path / "a.xlsx")
    for path in (parquet, tmp_path / "a.xlsx"):
        (file,) = check_file(str(path))
        assert (file.kind, *fates(file)) == ("activity", "prometheus", 2, 1, 1, 0, 0)
        assert dict(file.facts)["first_time"] == "2026-01-05T10:30:00Z"


def test_json_that_is_cut_off_is_said(tmp_path: Path) -> None:
    path = tmp_path / "cut.json"
    path.write_text(PROMETHEUS[:-40], encoding="utf-8")
    with pytest.raises(PlannerError) as caught:
        check_file(str(path))
    assert caught.value.code == "truncated_file"


@pytest.mark.parametrize(
    ("text", "metric", "expected"),
    [
        ("100", "gputl", 100_000),
        ("101", "gputl", 100_000),
        ("102", "gputl", None),
        ("-1", "gputl", None),
        ("1.004", "smact", 100_000),
        ("45", "smact", None),  # per cent where a share is said
        ("inf", "gputl", None),
        ("0.0005", "smact", 50),
    ],
)
def test_a_value_is_a_share_of_one_gpu_or_none(text: str, metric: str, expected: int | None) -> None:
    assert milli_percent(text, METRICS[metric]) == expected


def _checked(shared_data: Path, name: str) -> FileIntake:
    (file,) = check_file(str(shared_data / "k8s" / name))
    return file


def test_the_public_samples_give_their_known_figures(shared_data: Path) -> None:
    old = _checked(shared_data, "sonar_oldfmt_samples.csv")
    facts = dict(old.facts)
    assert (old.kind, old.rows_read, old.rows_accepted, facts["lines_with_gpus"]) == ("activity", 68, 13, 13)
    assert facts["hosts"] == ["c1-6.fox", "gpu-11.fox"]
    assert (facts["first_time"], facts["last_time"]) == ("2025-02-27T00:00:01Z", "2025-03-07T12:44:18Z")
    new = _checked(shared_data, "sonar_newfmt_samples.json")
    facts = dict(new.facts)
    assert (new.kind, facts["objects"], facts["jobs_with_gpu_process"]) == ("activity", 2, 1)
    assert facts["gpus_by_host"] == {"ml6.hpc.uio.no": 8}


def test_what_is_no_activity_says_what_it_is(shared_data: Path) -> None:
    inventory = _checked(shared_data, "sonar_newfmt_sysinfo.json")
    facts = dict(inventory.facts)
    assert (inventory.kind, facts["objects"], facts["error_records"]) == ("nodes", 3, 1)
    assert facts["memory_kib_by_model"] == {"NVIDIA GeForce RTX 2080 Ti": 11_534_336}
    assert facts["gpus_by_host"] == {"c1-6.fox": 0, "ml1.hpc.uio.no": 3}
    assert "Node not cooperating" in str(inventory.rejected[0].message)
    names = _checked(shared_data, "dcgm_default_counters.csv")
    facts = dict(names.facts)
    assert (names.kind, facts["lines"], facts["metrics"], facts["comment_lines"]) == ("unknown", 98, 26, 56)
    assert "dcgm-exporter metric names without measurements" in str(facts["what"])


@pytest.mark.parametrize("text", [texts.SMI_DMON, texts.SMI_DMON_CSV])
def test_nvidia_smi_dmon_says_gpu_and_time_and_its_file_the_node(samples: Samples, text: str) -> None:
    first = samples(text, "dmon_gpu-07.txt", "Europe/Oslo")[0]
    assert (first.at_s, first.host, first.gpu) == (AT_S - 3600, "gpu-07", "0")
    assert (first.milli_percent, first.is_naive) == (90_000, True)


def test_series_and_legends_say_node_and_gpu_and_the_file_the_metric(samples: Samples) -> None:
    found = samples(SERIES, "DCGM_FI_DEV_GPU_UTIL-data.csv")
    told = [(one.at_s, one.host, one.gpu, one.milli_percent) for one in found]
    assert told == [(AT_S, "n1", "0", 90_000), (AT_S, "n1", "2", 80_000)]
    found = samples(LEGENDS, "GPU Utilization-data-2026-01-05 10_30_00.csv")
    told = [(one.at_s, one.gpu, one.milli_percent) for one in found]
    assert told == [(AT_S, "0", 90_000), (AT_S, "1", 5_000), (AT_S + 60, "0", 80_000)]


@pytest.mark.parametrize("text", [SERIES, LEGENDS])
def test_series_without_their_metric_are_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "panel.csv"  # temperatures look the same
    path.write_text(text, encoding="utf-8")
    (file,) = check_file(str(path))
    assert (file.kind, file.rows_read) == ("activity", 0)
    (issue,) = file.issues
    assert issue.code == "missing_column"
    assert "series with GPUs, without metric names" in str(
        issue.message
    ) and "DCGM_FI_DEV_GPU_UTIL.csv" in str(issue.message)


def test_metrics_without_one_of_gpu_activity_are_named(tmp_path: Path) -> None:
    path = tmp_path / "range.json"
    name = "kube_pod_container_resource_requests"
    metric = {"__name__": name, "pod": "train-0", "resource": "nvidia_com_gpu"}
    series = [{"metric": metric, "values": [[AT_S, "8"], [AT_S + 60, "8"]]}]
    path.write_text(json.dumps({"status": "success", "data": {"resultType": "matrix", "result": series}}))
    (file,) = check_file(str(path))
    assert file.rows_read == file.rows_ignored > 0
    (issue,) = file.issues
    assert issue.code == "missing_column" and issue.count == file.rows_read
    assert name in str(issue.message) and "DCGM_FI_PROF_SM_ACTIVE" in str(issue.message)


# --- Logs of one node: time, card and percent under names of nobody's exporter

USE_LOGS = {
    "timestamp,index,utilization_pct\n2026-01-05 10:30:00,0,90\n2026-01-05 10:30:00,1,25.5\n": [
        90_000,
        25_500,
    ],
    "timestamp,gpu_index,utilization_gpu_pct,memory_free_MiB\n1767609000.5,0,90,5\n1767609000.5,1,7,5\n": [
        90_000,
        7000,
    ],
    "time,index,percent\n2026-01-05T10:30:00Z,0,90\n2026-01-05T10:30:00Z,1,7.5\n": [90_000, 7500],
    "Time;GPU;Auslastung %\n2026-01-05 10:30;0;55 %\n2026-01-05 10:30;1;5 %\n": [55_000, 5000],
    "time,device,gpu util\n2026-01-05T10:30:00Z,gpu0,0.5\n2026-01-05T10:30:00Z,gpu1,1\n": [50_000, 100_000],
}


@pytest.mark.parametrize("text", USE_LOGS)
def test_a_log_of_time_card_and_percent_is_one_nodes_whose_name_and_model_are_asked(
    samples: Samples, tmp_path: Path, text: str
) -> None:
    found = samples(text, "log.csv")
    assert [(sample.at_s, sample.host, sample.gpu) for sample in found] == [(AT_S, "", "0"), (AT_S, "", "1")]
    assert [sample.milli_percent for sample in found] == USE_LOGS[text]
    said = {issue.code: str(issue.message) for issue in check_file(str(tmp_path / "log.csv"))[0].issues}
    assert "--map node==" in said["undecided"] and "gpu-01.csv" in said["undecided"]
    (told,) = check_file(str(tmp_path / "log.csv"), ReadOptions(node=OneNode("gpu-07", "H100")))
    assert "undecided" not in {issue.code for issue in told.issues}
    assert dict(told.facts)["hosts"] == ["gpu-07"] and dict(told.facts)["gpu_models"] == ["H100"]
    assert {sample.host for sample in samples(text, "gpu-01.csv")} == {"gpu-01"}  # the remedy
    assert "undecided" not in {issue.code for issue in check_file(str(tmp_path / "gpu-01.csv"))[0].issues}


@pytest.mark.parametrize(
    "text",
    [
        "date,user,gpu,hours,utilization\n2026-01-05,ann,H100,5,40\n",  # work of people
        "timestamp,index,utilization_pct\n2026-01-05,0,90\n",  # of whole days
        "timestamp,index,temperature\n2026-01-05 10:30:00,0,90\n",
        "timestamp,index,util\n2026-01-05 10:30:00,0,900\n",
        "time,gpu,util,utilization\n2026-01-05 10:30:00,0,9,9\n",  # which of the two
    ],
)
def test_a_table_that_may_count_something_else_is_no_log_of_use(tmp_path: Path, text: str) -> None:
    path = tmp_path / "log.csv"
    path.write_text(text, encoding="utf-8")
    assert recognise_source(survey(str(path))).kind != "activity"


def test_a_file_is_named_after_every_metric_of_over_seven_letters() -> None:
    """Shorter names, such as gputl, are words of other files."""
    named = {metric for metric in METRICS if metric_in_name(f"{metric}.csv") == metric}
    assert named == {metric for metric in METRICS if len(metric) > 7}


@pytest.mark.parametrize(
    ("name", "header"),
    [
        ("DCGM_FI_DEV_GPU_UTIL.csv", "timestamp,value,Hostname,gpu"),
        ("july-DCGM_FI_PROF_GR_ENGINE_ACTIVE.csv", "Time,mean,instance,gpu"),
        ("GPU utilization-data.csv", "time,Value #A,node,gpu"),
    ],
)
def test_values_without_a_metric_are_of_the_one_that_their_file_is_named_after(
    tmp_path: Path, name: str, header: str
) -> None:
    rows = "2026-03-01T00:00:00Z,0.8,n1,0\n2026-03-01T00:01:00Z,0.6,n1,0\n"
    for called, kind in ((name, "activity"), ("values.csv", "unknown")):
        path = tmp_path / called
        path.write_text(f"{header}\n{rows}", encoding="utf-8")
        (file,) = check_file(str(path))
        assert (file.kind, file.rows_accepted) == (kind, 2 if kind == "activity" else 0)


NAMELESS = '"{gpu=""0"", instance=""n1""}"'


@pytest.mark.parametrize(
    ("rows", "of_a_metric", "of_none"),
    [
        (f"{AT_S},5,{NAMELESS}", 0.0, 0.9),
        (
            f"\n{AT_S},5,{NAMELESS}\nTime,Value,metric",
            0.0,
            0.9,
        ),  # the header again, as files put together have it
        (f"{AT_S},5,{NAMELESS}\n{AT_S},5", 0.0, 0.0),  # a row that ends before its series
        (f"{AT_S},5,DCGM_FI_DEV_GPU_UTIL", 0.93, 0.0),
        (f"{AT_S},5\n{AT_S},5,DCGM_FI_DEV_GPU_UTIL", 0.93, 0.0),
        (f"{AT_S},5,up", 0.0, 0.0),
        ("", 0.0, 0.0),
    ],
)
def test_a_table_of_series_is_known_by_its_rows(rows: str, of_a_metric: float, of_none: float) -> None:
    head = f"Time,Value,metric\n{rows}\n"
    assert (sniff_prometheus(head), sniff_unnamed(head)) == (of_a_metric, of_none)
