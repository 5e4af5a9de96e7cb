"""Traffic of an endpoint: its requests are read and put into the project."""

from gpuplanner.app.sourcing.traffic import TrafficReader, project_with_traffic
from gpuplanner.domain.model.errors import PlannerError
from tests.oracle.projects import random_case


def test_requests_are_read_and_put_into_the_project(qtbot, tmp_path):
    case = random_case(3)
    path = tmp_path / "requests.csv"
    path.write_text("timestamp,context_tokens,generated_tokens\n2026-01-01T00:00:00Z,7,9\n", encoding="utf-8")
    reader, key = TrafficReader(), case.project.workloads[0].key
    with qtbot.waitSignal(reader.found) as told:
        reader.start(key, path)
    after = project_with_traffic(case.project, *told.args)
    assert after.traffic[key].hours == ((1_767_225_600, 7, 9),)
    assert [file.kind for file in after.intake][-1] == "traffic"
    path.write_text("a,b\n1,2\n", encoding="utf-8")
    with qtbot.waitSignal(reader.failed) as failed:
        reader.start(key, path)
    assert isinstance(failed.args[0], PlannerError)
    reader.close()
