"""A log of every kind that is read, as its records and what puts them together: for tests that damage either."""

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.files.job_logs.dialects import test_bills as bills
from tests.files.job_logs.dialects import test_condor as condor
from tests.files.job_logs.dialects import test_grid_engine as sge
from tests.files.job_logs.dialects import test_lsf as lsf
from tests.files.job_logs.dialects import test_named_logs as named
from tests.files.job_logs.dialects import test_pbs as pbs
from tests.files.job_logs.dialects import test_ray
from tests.files.job_logs.dialects.kubernetes import test_kubernetes_pods as pods
from tests.files.job_logs.dialects.kubernetes import test_kueue
from tests.files.job_logs.dialects.kubernetes import test_opencost as opencost
from tests.files.job_logs.dialects.kubernetes import test_volcano as volcano
from tests.files.job_logs.dialects.slurm import test_sacct_fixed_width as fixed
from tests.files.job_logs.dialects.slurm import test_sacct_layout as lines
from tests.files.job_logs.dialects.slurm import test_slurm2sql as slurm2sql
from tests.files.job_logs.dialects.slurm import test_slurm_database as slurm_database
from tests.files.job_logs.dialects.slurm import test_slurm_records_sonar as sonar
from tests.files.job_logs.dialects.slurm import test_squeue as squeue
from tests.files.job_logs.dialects.slurm import test_xdmod as xdmod
from tests.files.job_logs.dialects.traces import test_openb_pods as openb
from tests.files.job_logs.dialects.traces import test_pai as pai
from tests.files.job_logs.dialects.traces import test_philly as philly
from tests.files.job_logs.dialects.traces import test_standard_workload as swf
from tests.files.job_logs.slurm_texts import fixed_width, jobstats_comment, json_document, json_job

COMMENT = jobstats_comment({"a": {"gpu_utilization": {"0": 40}}})


@dataclass(frozen=True, slots=True, kw_only=True)
class LogShape:
    """format: of the table of recognisers, or empty where a mapping says what the columns are.

    records: some that are sound, texts or values of JSON; whole: the file that holds such records. sound: how many
    undamaged ones have to stand first, so that the file is still known for what it is.
    """

    format: str
    records: tuple[Any, ...]
    whole: Callable[[Sequence[Any]], str]
    mapping: str | None = None
    sound: int = 4

    @property
    def text(self) -> str:
        """The sound file."""
        return self.whole(self.records)


def _below(header: str) -> Callable[[Sequence[str]], str]:
    return lambda records: "".join(f"{line}\n" for line in (header, *records))


def _lines(records: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in records)


def _table(format_name: str, text: str, mapping: str | None = None) -> LogShape:
    """A text whose first line is its header."""
    header, *records = text.splitlines()
    return LogShape(format=format_name, records=tuple(records), whole=_below(header), mapping=mapping)


def _bill(name: str) -> LogShape:
    with (bills.FIXTURES / name).open(encoding="utf-8", newline="") as file:
        assert all(row for row in csv.reader(file))  # no cell spans lines
    return _table(bills.NAMES[name], (bills.FIXTURES / name).read_text(encoding="utf-8"))


_FIXED_HEAD, _FIXED_DASHES, *_FIXED_ROWS = fixed_width(
    fixed.COLUMNS, [fixed.row("1"), fixed.row("12345678_1000"), fixed.row("1.batch", user="")]
).splitlines()
_ALLOCATIONS = [each for group in opencost.SETS for each in group.values()]
_DASHES = "-" * 78 + "\n"
_BLOCKS = lsf.BACCT.split(_DASHES)
_MAPPED = "id,ngpu,when,took\n" + "".join(f"{n},{n % 4},2026-01-05T1{n}:00:00Z,{n * 60}\n" for n in range(6))
_OWN = """job_id,gpus,start,end,state,user,name,gpu_model,nodes,gpu_activity_percent
1,8,2026-01-05T10:00:00Z,2026-01-05T12:00:00Z,COMPLETED,ann,train,H100,1,80
2,0.5,2026-01-05T10:00:00,2026-01-05T12:30:00,RUNNING,bob,"a, b",A100,,
3,2,2026-01-05T10:00:00+02:00,,RUNNING,,x,,2,5.5
"""

SHAPES: Mapping[str, LogShape] = {
    "own": _table("own_csv", _OWN),
    "sacct": LogShape(
        format="sacct",
        records=(
            lines.row("1"),
            lines.row("1.batch"),
            lines.row("2_[1-4]", state="PENDING"),
            lines.row("3", "a|b"),
        ),
        whole=_below(lines.HEADER),
    ),
    "sacct with comments": LogShape(
        format="sacct",
        records=(f"{lines.row('1')}|{COMMENT}", f"{lines.row('1.batch')}|"),
        whole=_below(f"{lines.HEADER}|AdminComment"),
    ),
    "sacct of fixed width": LogShape(
        format="sacct", records=tuple(_FIXED_ROWS), whole=_below(f"{_FIXED_HEAD}\n{_FIXED_DASHES}")
    ),
    "listing of squeue": _table("squeue", squeue.BARS),
    "sacct in JSON": LogShape(
        format="sacct_json",
        records=tuple(
            json_job(version, {"gpu:a100": 2, "gpu": 2}, version=version)
            for version in (2108, 2302, 2311, 2505)
        ),
        whole=lambda records: json_document(*records),
    ),
    "sonar": LogShape(
        format="sonar_kv",
        records=(sonar.line("1"), sonar.line("1.batch"), "v=1,error=x", sonar.line("2_3", "JobName=a")),
        whole=_lines,
    ),
    "job completion": LogShape(format="sonar_kv", records=(sonar.JOBCOMP.rstrip("\n"),), whole=_lines),
    "scontrol": LogShape(format="sonar_kv", records=(sonar.SCONTROL.rstrip("\n") + "\n",), whole=_lines),
    "sonar in JSON": LogShape(
        format="sonar_json",
        records=(sonar.job(1), sonar.job(2, job_step="0"), sonar.job(3, job_state="RUNNING")),
        whole=lambda records: sonar.envelope(*records),
    ),
    "slurm2sql": _table("slurm2sql", slurm2sql.export({"JobID": "1"}, {"JobID": "2", "End": "Unknown"})),
    "table of slurm2sql": _table(
        "slurm2sql",
        f"{slurm2sql.SLURM2SQL_TABLE},AllocTRES,GpuEff,NGpus\n"
        '1,1,,,train,ann,ml,COMPLETED,3600.0,1767610800,1767607200,1767610800,1,"cpu=8,gres/gpu=2",0.25,2\n'
        '2_3,2,,3,train,ann,ml,RUNNING,1800.0,1767609000,1767607200,,1,"cpu=8,gres/gpu=1",0.75,1\n',
    ),
    "xdmod": LogShape(
        format="xdmod",
        records=(
            xdmod.line(),
            xdmod.line(JobID="8", JobName="a|b"),
            xdmod.line(JobID="9", State="RUNNING", End="Unknown"),
        ),
        whole=_lines,
        sound=200,  # told by its first lines, nearly all of which have to fit
    ),
    **{name: _bill(name) for name in bills.NAMES},
    "pods": LogShape(
        format="kubernetes_pods", records=tuple(pods.PODS), whole=lambda records: pods.listing(*records)
    ),
    "lines of pods": LogShape(
        format="kubernetes_pods",
        records=tuple(pods.PODS),
        whole=lambda records: _lines([json.dumps(each) for each in records]),
    ),
    "allocation": LogShape(
        format="opencost",
        records=tuple(_ALLOCATIONS),
        whole=lambda records: json.dumps(
            {"code": 200, "data": [{str(n): one} for n, one in enumerate(records)]}
        ),
    ),
    "table of allocation": _table("opencost", opencost.CSV),
    "openb": _table("openb", openb.LOG),
    "philly": LogShape(format="philly", records=tuple(philly.JOBS), whole=json.dumps),
    "table like philly": _table("philly", philly.TABLE),
    "pai": _table("pai", f"{pai.HEADER}\n{pai.PAI_TABLE}"),
    "table of Slurm's database": _table("slurm_db", slurm_database.TABLE),
    "lsb.acct": LogShape(format="lsf", records=tuple(lsf.ACCT.splitlines()), whole=_lines),
    "bjobs": LogShape(
        format="lsf",
        records=tuple(lsf.BJOBS["RECORDS"]),
        whole=lambda records: json.dumps({**lsf.BJOBS, "RECORDS": records}),
    ),
    "bacct": LogShape(
        format="lsf",
        records=tuple(_BLOCKS[1:-1]),
        whole=lambda records: _DASHES.join([_BLOCKS[0], *records, _BLOCKS[-1]]),
    ),
    "pbs": LogShape(format="pbs", records=tuple(pbs.LOG.splitlines()), whole=_lines),
    "condor": LogShape(format="condor", records=tuple(condor.JOBS), whole=json.dumps),
    "ads of condor": LogShape(
        format="condor", records=tuple(condor.JOBS), whole=lambda records: condor.as_ads(list(records))
    ),
    "ray": LogShape(format="ray", records=tuple(test_ray.RAY), whole=json.dumps),
    "kueue": LogShape(
        format="kueue",
        records=tuple(test_kueue.KUEUE),
        whole=lambda records: json.dumps({"kind": "WorkloadList", "items": records}),
    ),
    "accounting of Grid Engine": LogShape(
        format="sge", records=tuple(sge.accounting(sge.JOBS).splitlines()[2:]), whole=_lines
    ),
    "qacct": LogShape(format="sge", records=tuple(map(sge.block, sge.JOBS)), whole="".join),
    "workloads of Run:ai": LogShape(
        format="runai", records=tuple(named.RUNAI), whole=lambda records: json.dumps({"workloads": records})
    ),
    "table of Run:ai": _table("runai", named.RUNAI_TABLE),
    "tasks of ClearML": LogShape(
        format="clearml",
        records=tuple(named.CLEARML),
        whole=lambda records: json.dumps({"data": {"tasks": records}}),
    ),
    "runs of Weights & Biases": LogShape(format="wandb", records=tuple(named.WANDB), whole=json.dumps),
    "table of runs": _table("wandb", named.WANDB_TABLE),
    "volcano": LogShape(
        format="volcano",
        records=tuple(volcano.JOBS),
        whole=lambda records: json.dumps({"kind": "List", "items": records}),
    ),
    "swf": LogShape(
        format="swf",
        records=swf.SWF_JOBS[:5],
        whole=lambda records: swf.text(*records),
        mapping=swf.AS_GPUS,
        sound=25,  # told by its first lines, more than half of which have to fit
    ),
    "by mapping": _table("", _MAPPED, "job_id=id,gpus=ngpu,start=when,duration=took:s"),
    "lines by mapping": LogShape(
        format="",
        records=tuple({"id": n, "ngpu": 2, "when": "2026-01-05T10:00:00Z", "took": 60} for n in range(3)),
        whole=lambda records: _lines([json.dumps(each) for each in records]),
        mapping="job_id=id,gpus=ngpu,start=when,duration=took:s",
    ),
}
