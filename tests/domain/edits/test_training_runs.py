"""Training runs are stated in their places."""

from dataclasses import replace

from gpuplanner.domain.edits import training_runs
from gpuplanner.domain.model.trained import StatedRun, TrainedModel
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import project


def test_runs_are_stated_in_their_places() -> None:
    model = TrainedModel(name="m", parameters=1e9, active=1e9)
    first, second, third = (StatedRun(model=model, tokens=tokens) for tokens in (1e9, 2e9, 3e9))
    of = training_runs.state_run(training_runs.state_run(project(), 0, first), 1, second)
    assert of.runs == (first, second)
    assert training_runs.state_run(of, 0, third).runs == (third, second)
    assert training_runs.drop_run(of, 0).runs == (second,) and training_runs.drop_run(of, 1).runs == (first,)
    assert refused(training_runs.state_run, of, 2, replace(first, tokens=-1.0))
