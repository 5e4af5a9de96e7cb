"""What a brief is given beside its evaluation: endpoints sized and training runs worked out with tables that ship."""

from typing import Any

from gpuplanner.domain.brief.serving_pages import sized_endpoints
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.files.system.resources import read_serving_tables, read_tables
from gpuplanner.files.system.training import answers_in


def given_beside(evaluation: Evaluation, at_s: int) -> dict[str, Any]:
    """By the names that `plan_brief` has for them; ms an endpoint and a run. at_s: of the day it bears, epoch s UTC."""
    return {
        "node_gpus": read_tables().node_gpus,
        "endpoints": sized_endpoints(evaluation, read_serving_tables()),
        "training": answers_in(evaluation.project, evaluation.scenario, at_s),
    }
