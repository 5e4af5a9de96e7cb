"""JSON that is hard on a reader, in the shape of every kind of file we know; and reading it in each way there is."""

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.intake import read_inputs
from gpuplanner.files.values.lookback_period import WindowRequest
from tests.files.peak_memory import peak_mb

WHOLE_LOG = WindowRequest(whole_log=True)

SHAPES: Mapping[str, str] = {
    "sacct": '{"jobs": [{"job_id": 1, "association": {"account": "a"}, "tres": {"allocated": [{"type": "gres", "name":'
    ' "gpu", "count": 2}]}, "time": {"start": 1767607200, "end": 1767610800, "elapsed": @}, "name": "x", "partition":'
    ' "p", "state": {"current": ["COMPLETED"]}, "derived_exit_code": @}], "meta": {"Slurm": {}}}',
    "sonar jobs": '{"data": {"type": "jobs", "attributes": {"cluster": "c", "slurm_jobs": [{"job_id": @, "job_state":'
    ' "COMPLETED", "start_time": "2026-01-05T10:00:00Z", "end_time": "2026-01-05T11:00:00Z", "user_name": @,'
    ' "sacct": {"AllocTRES": "gres/gpu=2"}}]}}}',
    "pods": '{"kind": "List", "items": [{"kind": "Pod", "metadata": {"name": "p", "namespace": "n", "uid": @}, "spec":'
    ' {"containers": [{"resources": {"limits": {"nvidia.com/gpu": @}}}]}, "status": {"phase": "Running",'
    ' "startTime": "2026-01-05T10:00:00Z"}}]}',
    "workloads": '{"kind": "WorkloadList", "items": [{"apiVersion": "kueue.x-k8s.io/v1beta1", "kind": "Workload",'
    ' "metadata": {"uid": "u"}, "spec": {"podSets": [{"name": "m", "count": @, "template": {}}]}, "status": @}]}',
    "bjobs": '{"COMMAND": "bjobs", "JOBS": 1, "RECORDS": [{"JOBID": @, "STAT": "DONE", "USER": "u", "START_TIME": @}]}',
    "condor": '[{"ClusterId": @, "ProcId": 0, "JobStatus": 4, "RequestGPUs": @, "JobStartDate": 1767607200}]',
    "ray": '[{"submission_id": "s", "entrypoint": "python t.py", "status": "SUCCEEDED", "start_time": 1767607200000,'
    ' "end_time": @, "entrypoint_num_gpus": @, "metadata": {"num_gpus": "2"}}]',
    "philly": '[{"status": "Pass", "vc": "v", "jobid": "j", "user": @, "attempts": [{"start_time":'
    ' "2026-01-05 10:00:00", "end_time": @, "detail": [{"ip": "m", "gpus": ["g0"]}]}]}]',
    "allocation": '{"code": 200, "data": [{"a": {"name": "a", "window": {"start": "2026-01-05T00:00:00Z", "end":'
    ' "2026-01-06T00:00:00Z"}, "minutes": 60, "gpuHours": @, "gpuCount": @, "gpuCost": 1, "totalCost": 2}}]}',
    "regions": '{"a-1": {"name": "A, B", "latitude": 1.5, "longitude": @}, "a-2": {"name": @, "latitude": 2}}',
    "countries": '[{"country": "NA", "latitude": -22.5, "longitude": @, "name": "Namibia", "more": @}]',
    "samples": '{"data": {"type": "sample", "attributes": {"time": "2026-01-05T10:00:00Z", "node": "n", "system":'
    ' {"gpus": [{"index": 0, "ce_util": @}]}, "jobs": [{"job": @, "processes": []}]}}}',
    "inventory": '{"data": {"type": "sysinfo", "attributes": {"node": "n", "cards": [{"index": @, "model": @}]}}}',
    "range": '{"status": "success", "data": {"resultType": "matrix", "result": [{"metric": {"__name__":'
    ' "DCGM_FI_DEV_GPU_UTIL", "Hostname": "n", "gpu": "0"}, "values": [[1767607200, "50"], [@, @]]}]}}',
    "any array": '[{"id": "1", "ngpu": 2, "start": 1767607200, "end": 1767610800}, {"id": @, "ngpu": @, "start": 1}]',
    "any list": '{"jobs": [{"job": 1, "a": @, "gpus": 2, "start": 1767607200, "duration": 60}], "b": @}',
    "lines": '{"id": "1", "ngpu": 2, "start": 1767607200, "end": 1767610800, "who": "u"}\n'
    '{"id": "2", "ngpu": @, "start": 1767607200, "end": 1767610800, "who": @}\n'
    '{"id": "3", "ngpu": 1, "start": 1767607200, "end": 1767610800, "who": "u"}\n',
    "commitments": '[{"id": "1", "name": "c", "kind": "compute#commitment", "plan": "TWELVE_MONTH", "status": "ACTIVE",'
    ' "startTimestamp": "2026-01-01T00:00:00Z", "endTimestamp": @, "region": "r", "resources": [{"type":'
    ' "ACCELERATOR", "acceleratorType": "nvidia-h100", "amount": @}]}]',
    "reservations": '{"ReservedInstances": [{"ReservedInstancesId": "r", "InstanceType": "p5.48xlarge", '
    '"InstanceCount": @, "Start": "2026-01-01T00:00:00Z", "End": "2027-01-01T00:00:00Z", '
    '"FixedPrice": @, "State": "active"}]}',
}
"""A small file of each kind; `@` is where a value goes."""

_PLAIN = "2"
_NINES = "9" * 5000

VALUES: Mapping[str, tuple[str, ...]] = {
    "long numbers": (
        _NINES,
        f"-{_NINES}",
        f"[1, {_NINES}]",
        f'{{"a": {_NINES}}}',
        f"{_NINES}.5",
        f"0.{_NINES}",
    ),
    "exponents": ("1e9999999999", "-1E-9999999999", "1e99999999999999999999", "1e400", f"1e{_NINES}"),
    "no numbers": ("NaN", "Infinity", "-Infinity", "nul", "01", "--1"),
    "deep lists": ("[" * 100_000, "[" * 100_000 + "]" * 100_000, '"[[[[[["'),
    "deep objects": ('{"a":' * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000, "[" * 900 + "]" * 900),
    "texts": (
        '"\\ud800"',
        '"\\udc00x\\ud83d\\ude00"',
        '"\\u0000"',
        '"a\0b"',
        '"\x07"',
        '"\\x"',
        f'"{_NINES}"',
    ),
    "long texts": (f'"{"x" * 2**20}"', f'{{"{"k" * 2**20}": 1}}', f'"{"1" * 2**20}"', '{"k":' + "1," * 2**18),
    "odd objects": (
        '{"a": 1, "a": 2}',
        '{"": {"": ""}}',
        '{"a.b": 1, "a": {"b": 2}}',
        "{}",
        "[]",
        "null",
        "true",
    ),
}
"""What is put there, by family."""


def _whole(text: str) -> Iterator[bytes]:
    yield text.encode("utf-8-sig")
    yield from (text.encode(name) for name in ("utf-16", "utf-16-le", "utf-16-be"))
    yield text.encode() + b"\xff"
    yield b"\xef\xbb\xbf" * 2 + text.encode()
    for between in ("", "\n", ",", "\x1e", "\0", "\ufeff"):
        yield f"{text}{between}{text}".encode()
    yield b"[" + text.encode() + b"]"


def _cut(text: str) -> Iterator[bytes]:
    data = text.encode()
    yield from (data[:at] for at in range(7, len(data), 7))


FAMILIES: Mapping[str, Callable[[str], Iterator[bytes]]] = {
    **{
        family: lambda shape, values=values: (  # type: ignore[misc]
            shape.replace("@", value).encode("utf-8", "surrogatepass") for value in values
        )
        for family, values in VALUES.items()
    },
    "encodings and repeats": lambda shape: _whole(shape.replace("@", _PLAIN)),
    "cut": lambda shape: _cut(shape.replace("@", _PLAIN)),
}
"""The files of a family, of a shape."""


def check_holds_together(file: FileIntake) -> None:
    """Every row has one end, and what was rejected is said."""
    ends = (file.rows_accepted, file.rows_rejected, file.rows_duplicate, file.rows_ignored)
    assert file.rows_read == sum(ends), file
    assert bool(file.rows_rejected) <= bool(file.issues), file


def read_each_way(path: str) -> str:
    """Check a file, and read it as jobs, as contracts and as prices. What came of each, in a word."""

    def read(*inputs: list[str]) -> tuple[FileIntake, ...]:
        return read_inputs(*inputs, window_request=WHOLE_LOG).intake

    ways: tuple[Callable[[], tuple[FileIntake, ...]], ...] = (
        lambda: check_file(path),
        lambda: read([path]),
        lambda: read([], [path]),
        lambda: read([], [], [path]),
    )
    said = []
    for way in ways:
        try:
            files = way()
        except PlannerError as fault:
            said.append(fault.code if fault.remedy else "no remedy")
            continue
        for file in files:
            check_holds_together(file)
        said.append(files[0].format or files[0].kind)
    return " ".join(said)


def read_folder(folder: str) -> None:
    """Every file of a folder, each way; a line for each with its name, and at last the peak of memory in MB."""
    for path in sorted(Path(folder).iterdir()):
        sys.stdout.write(f"{path.name}: ")
        sys.stdout.flush()
        sys.stdout.write(read_each_way(str(path)) + "\n")
    sys.stdout.write(f"{peak_mb()}\n")
