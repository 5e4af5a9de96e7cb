"""What a brief is given beside its evaluation: tables that ship, and what comes of training runs with them."""

from typing import Any

from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.files.system.resources import read_serving_tables, read_tables
from gpuplanner.files.system.training import answers_in


def given_beside(evaluation: Evaluation, at_s: int) -> dict[str, Any]:
    """By the names that `plan_brief` has for them. at_s: of the day that the brief bears, epoch seconds UTC."""
    return {
        "node_gpus": read_tables().node_gpus,
        "serving": read_serving_tables(),
        "training": answers_in(evaluation.project, evaluation.scenario, at_s),
    }
