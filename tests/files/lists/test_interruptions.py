"""Files of spot nodes that came and went: node-hours by interruption, and what is no interruption."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.intake import node_times, observed, source_words, with_observed
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.lists.interruptions import import_interruptions
from tests.files.job_logs.cluster_damage import check_read_or_refused, damaged_text

TRACE = json.dumps({"metadata": {"gap_seconds": 1800}, "data": [0, 4, 4, 3, 3, 1, 2, 0]})
STAYS = """provider,gpu_model,start,end
Lambda,H100,2026-01-05T10:00:00Z,2026-01-05T15:00:00Z
Lambda,H100,2026-01-05T10:00:00Z,2026-01-05T15:00:00Z
Lambda,H100,2026-01-05T11:00:00Z,
"""
LEFT = """start,end,interrupted
2026-01-05T10:00:00Z,2026-01-05T15:00:00Z,true
2026-01-05T10:00:00Z,2026-01-05T12:00:00Z,false
"""
EVENTS = """timestamp,event,node
2026-01-05T10:00:00Z,launched,a
2026-01-05T10:00:00Z,launched,b
2026-01-05T13:00:00Z,preempted,a
2026-01-05T14:00:00Z,launched,a
2026-01-05T15:00:00Z,stopped,b
2026-01-05T16:00:00Z,preempted,a
2026-01-05T17:00:00Z,preempted,a
"""
LEFT_OF_OTHERS = "Fern,L40S,2026-01-05T10:00:00Z,2026-01-06T06:00:00Z\n"
LOOKS = """timestamp,available
2026-03-01T00:00:00Z,1
2026-03-01T01:00:00Z,0
2026-03-01T02:00:00Z,1
"""
LOOKS_AT_ZONES = """time,zone,Available
2026-03-01T00:00:00Z,a,true
2026-03-01T00:00:00Z,b,3
2026-03-01T02:00:00Z,b,1
2026-03-01T01:00:00Z,a,true
2026-03-01T02:00:00Z,a,false
"""
FILES = {
    "looks by the hour": (LOOKS, "own_interruptions", 3, 2, 1),
    "looks at two zones": (LOOKS_AT_ZONES, "own_interruptions", 5, 2 + 3 * 2 + 1, 1 + 2),
    "trace": (TRACE, "skypilot", 8, 17 / 2, 5),
    "stays": (STAYS, "own_interruptions", 3, 5 + 5 + 4, 2),
    "stays that were left": (LEFT, "own_interruptions", 2, 5 + 2, 1),
    "events": (EVENTS, "own_interruptions", 7, 3 + 2 + 5, 3),
}


@pytest.mark.parametrize("name", FILES)
def test_node_hours_by_interruption(tmp_path: Path, name: str) -> None:
    text, format_name, rows, node_hours, count = FILES[name]
    path = tmp_path / "spot"
    path.write_text(text)
    (file,) = check_file(str(path))
    assert (file.kind, file.format, file.rows_read, file.rows_accepted) == (
        "interruptions",
        format_name,
        rows,
        rows,
    )
    facts = dict(file.facts)
    if name == "stays":
        (found,) = facts.pop("by_model")
        assert found == {"provider": "Lambda", "gpu_model": "H100", **facts}
    assert facts == {
        "node_hours": node_hours,
        "interruptions": count,
        "spot_node_mtbf_hours": pytest.approx(node_hours / count),
    }


def test_what_several_files_observed_is_one_assumption_with_its_source(tmp_path: Path) -> None:
    paths = []
    for name in ("stays that were left", "events"):
        path = tmp_path / f"{name}.csv"
        path.write_text(FILES[name][0])
        paths.append(str(path))
    read = import_interruptions(paths)
    found = observed(read.intake)
    assert found is not None
    assert (found.node_hours, found.interruptions, found.mtbf_hours) == (17, 4, 4.25)
    values = with_observed(Assumptions(), read.intake)
    assert values.spot_node_mtbf_hours == 4.25
    words = source_words("spot_node_mtbf_hours", 4.25, read.intake)
    assert words is not None
    assert all(part in str(words) for part in ("17 node-hours", "4 interruptions", "left.csv, events.csv"))
    assert node_times(read.intake) == {}
    assert source_words("spot_node_mtbf_hours", 24, read.intake) is None


def test_what_names_provider_and_model_is_theirs_and_no_assumption(tmp_path: Path) -> None:
    stays, more, events = tmp_path / "stays.csv", tmp_path / "more.csv", tmp_path / "events.csv"
    stays.write_text(STAYS)
    more.write_text(STAYS.replace("Lambda,H100", "Lambda,NVIDIA H100 80GB HBM3") + LEFT_OF_OTHERS)
    events.write_text(EVENTS)
    read = import_interruptions([str(stays), str(more), str(events)])
    # of Lambda's H100 5 + 5 + 4 hours, and 5 + 5 + 19 as that file goes on until Fern's L40S is taken after 20;
    # two taken
    # each time
    assert node_times(read.intake) == {("lambda", "h100"): 43 / 4, ("fern", "l40s"): 20.0}
    found = observed(read.intake)
    assert found is not None and found.node_hours == pytest.approx(10) and found.interruptions == 3
    assert with_observed(Assumptions(), read.intake).spot_node_mtbf_hours == pytest.approx(10 / 3)
    alone = import_interruptions([str(stays)])
    before = Assumptions()
    assert with_observed(before, alone.intake) is before


def test_nodes_that_nobody_took_propose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "spot.json"
    path.write_text(json.dumps({"metadata": {"gap_seconds": 60}, "data": [1, 1, 1]}))
    read = import_interruptions([str(path)])
    found = observed(read.intake)
    assert found is not None
    assert found.mtbf_hours is None
    before = Assumptions()
    assert with_observed(before, read.intake) is before


@pytest.mark.parametrize(
    ("text", "remedy"),
    [
        ("[0, 1, 1, 0]", "write it as {"),
        ('{"data": [1, 0]}', "write it as {"),
        ("start,what\n1,2\n", "use the header provider,gpu_model,start,end"),
    ],
)
def test_a_file_that_lacks_what_it_needs_says_what_to_write(tmp_path: Path, text: str, remedy: str) -> None:
    path = tmp_path / "spot"
    path.write_text(text)
    (fault,) = import_interruptions([str(path)]).refused
    assert remedy in str(fault.remedy)


@given(st.integers(0, 2**32), st.sampled_from(sorted(FILES)))
def test_whatever_happened_to_a_file_every_row_is_counted(
    tmp_path_factory: pytest.TempPathFactory, seed: int, name: str
) -> None:
    path = tmp_path_factory.mktemp("spot") / "spot"
    path.write_bytes(damaged_text(FILES[name][0], random.Random(seed)).encode("utf-8", "replace"))
    check_read_or_refused(lambda: check_file(str(path))[0])
    check_read_or_refused(lambda: import_interruptions([str(path)]).intake[0])
