"""Models that are trained: named in the product's tables, or read from a file."""

from typing import Final

from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.domain.model.trained import TrainedModel
from gpuplanner.files.lists.served_models import read_model
from gpuplanner.files.system.resources import model_of_catalogue, read_served_models

USUAL_EXPERT_SHARE: Final = 0.05
"""Of the experts of a layer, those that a token uses, where a mixture is not in the catalogue."""


def trained_model(text: str) -> tuple[TrainedModel, FileIntake | None]:
    """A model by its name in the tables, or from a file, with the intake of that file.

    Errors: PlannerError, as of `served_models.read_model`.
    """
    known = model_of_catalogue(text)
    if known is not None:
        return known, None
    served, intake = read_model(text, read_served_models())
    alike = model_of_catalogue(served.name)
    chosen, experts = served.experts_per_token, served.experts
    return alike or TrainedModel(
        name=served.name,
        parameters=float(served.parameters),
        active=float(served.active),
        layers=served.layers,
        hidden=served.hidden,
        attention_layers=served.layers,
        attention_width=served.attention_width
        or served.hidden,  # heads together are mostly as wide as a token
        vocabulary=served.vocabulary,
        experts_per_token=chosen,
        expert_share=chosen / experts if chosen and experts else None,
    ), intake
