"""Choice of the sized endpoint and model: of the log, a known model, or one from a file."""

from functools import partial
from typing import Final

from PySide6.QtCore import QObject, Signal

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.places import ServedModel, ServingChoice
from gpuplanner.domain.model.spelling import told_apart
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.words import numbers

empty_choice = partial(page_parts.choice_of, choices=(), letters=6)
NO_ENDPOINT: Final = worded("No endpoint of the log")
NO_MODEL: Final = worded("Choose a model")
FROM_FILE: Final = worded("From a file\u2026")
NO_LANGUAGE: Final = worded("No language model: requests/s of a GPU\u2026")


class EndpointChoice(QObject):
    """Told what there is to choose from; emits what was chosen."""

    endpoint_chosen = Signal()
    model_chosen = Signal(object)  # ServedModel, or None
    file_asked = Signal()
    rates_asked = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.models: tuple[ServedModel, ...] = ()  # the table of well-known models
        self.endpoint = empty_choice(tr("Endpoint"), tr("Inference workloads of the log"))
        self.model = empty_choice(tr("Model"), tr("Model, from the table or a file"))
        self.endpoint.activated.connect(lambda _: self.endpoint_chosen.emit())
        self.model.activated.connect(self._choose_model)

    @property
    def key(self) -> str:
        """The workload key of the endpoint; empty: none of the log."""
        return str(self.endpoint.currentData() or "")

    def show_endpoints(self, evaluation: Evaluation) -> None:
        """The endpoints of the log, the most expensive first; at first one that something is known of."""
        project, key = evaluation.project, self.key
        rows = [row for row in evaluation.audit.workloads if row.classification.pool is Pool.INFERENCE]
        rows.sort(key=lambda row: (-(row.usd_per_month or 0.0), row.key))
        names = told_apart(project.workloads)
        options = [(names[row.key], row.key) for row in rows] + [(NO_ENDPOINT, "")]
        if [self.endpoint.itemData(at) for at in range(self.endpoint.count())] != [of for _, of in options]:
            if self.endpoint.count() == 0:
                key = next((of for _, of in options if of in project.serving or of in project.traffic), key)
                key = key or options[0][1]
            page_parts.refill(self.endpoint, options, key)

    def show_model(self, choice: ServingChoice) -> None:
        """The model of the endpoint, be it of the table or not, or that requests of a GPU are stated."""
        model = None if choice.rates else choice.model
        names = [each.name for each in self.models]
        own = [model.name] if model is not None and model.name not in names else []
        wanted = [spoken(NO_MODEL), *own, *names, spoken(NO_LANGUAGE), spoken(FROM_FILE)]
        if [self.model.itemText(at) for at in range(self.model.count())] != wanted:
            self.model.clear()
            self.model.addItems([spoken(one) for one in wanted])
            self.model.insertSeparator(len(wanted) - 2)
        shown = spoken(NO_LANGUAGE if choice.rates else NO_MODEL) if model is None else model.name
        self.model.setCurrentIndex(self.model.findText(shown))
        stated = ", ".join(f"{name} {numbers.significant(rate, 4)}" for name, rate in choice.rates)
        tip = stated or self.model.accessibleName()
        set_tip(self.model, tip if model is None else f"{model.name}: {model.source}")

    def _choose_model(self, at: int) -> None:
        if (text := self.model.itemText(at)) == spoken(FROM_FILE):
            self.file_asked.emit()
            return
        if text == spoken(NO_LANGUAGE):
            self.rates_asked.emit()
            return
        chosen = next((model for model in self.models if model.name == text), None)
        if chosen is not None or text == spoken(NO_MODEL):
            self.model_chosen.emit(chosen)
