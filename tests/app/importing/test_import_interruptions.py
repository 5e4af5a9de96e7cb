"""Interruptions and lists of nodes dropped on the window: sorted by what they are, taken in as one step."""

from pathlib import Path

from gpuplanner.app.importing.file_previews import FoundFile
from gpuplanner.app.importing.import_request import ImportRequest, read_request
from gpuplanner.app.importing.into_project import imported_project
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.intake import node_times, source_words
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window
from gpuplanner.ui.importing.import_state import ChosenFile, request_of
from tests.files.lists.test_interruptions import STAYS
from tests.files.lists.test_node_lists import SCONTROL


def test_what_spot_nodes_did_becomes_the_assumption_and_nodes_become_contracts(tmp_path: Path) -> None:
    spot, nodes = tmp_path / "spot.csv", tmp_path / "nodes.txt"
    spot.write_text(STAYS)
    nodes.write_text(SCONTROL)
    files = [
        ChosenFile(path=str(path)).recognised(
            FoundFile(path=str(path), kind=kind, format="x", why=worded("x"))
        )
        for path, kind in ((spot, "interruptions"), (nodes, "nodes"))
    ]
    request = request_of(files)
    assert request == ImportRequest(
        contract_paths=(str(nodes),), interruption_paths=(str(spot),), rows_dir=None
    )
    project = Project(
        window=Window(3600, 24),
        cube=empty_cube(24),
        workloads=(Workload(key="a/b/c", name="c", cluster="a", owner="b"),),
    )
    after = imported_project(project, request, read_request(request, lambda *_: None, lambda: False))
    assert node_times(after.intake) == {("lambda", "h100"): 7.0}
    assert after.assumptions.spot_node_mtbf_hours == 24
    assert source_words("spot_node_mtbf_hours", 24, after.intake) is None
    (contract,) = after.contracts
    assert (contract.gpus, contract.cluster, contract.start_s, contract.rate) == (16, "a", 3600, None)
    assert {file.kind for file in after.intake} == {"interruptions", "contracts"}
