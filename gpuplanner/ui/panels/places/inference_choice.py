"""Whose requests are sized and for which model: the endpoints of the log, the well-known models, one from a file."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.names.names_apart import told_apart
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.served_model import ServedModel
from gpuplanner.ui.words.translation import spoken, tr

NO_ENDPOINT: Final = worded("No endpoint of the log")
NO_MODEL: Final = worded("Choose a model")
FROM_FILE: Final = worded("From a file\u2026")


class EndpointChoice(QObject):
    """Told what there is to choose from; emits what was chosen."""

    endpoint_chosen = Signal()
    model_chosen = Signal(object)  # ServedModel, or None
    file_asked = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._models: tuple[ServedModel, ...] = ()
        self.endpoint = named_box(tr("Endpoint"), tr("Whose requests: the inference workloads of the log"))
        self.model = named_box(tr("Model"), tr("The model that is served: of the table, or from a file"))
        self.endpoint.activated.connect(lambda _: self.endpoint_chosen.emit())
        self.model.activated.connect(self._choose_model)

    @property
    def key(self) -> str:
        """The workload key of the endpoint; empty: none of the log."""
        return str(self.endpoint.currentData() or "")

    @property
    def models(self) -> tuple[ServedModel, ...]:
        """The table of well-known models."""
        return self._models

    def set_models(self, models: Sequence[ServedModel]) -> None:
        """The table of well-known models."""
        self._models = tuple(models)

    def show_endpoints(self, evaluation: Evaluation) -> None:
        """The endpoints of the log, the most expensive first; at first one that something is known of."""
        project, key = evaluation.project, self.key
        rows = [row for row in evaluation.audit.workloads if row.classification.pool is Pool.INFERENCE]
        rows.sort(key=lambda row: (-(row.usd_per_month or 0.0), row.key))
        names = told_apart(project.workloads)
        options = [(names[row.key], row.key) for row in rows] + [(NO_ENDPOINT, "")]
        if [self.endpoint.itemData(at) for at in range(self.endpoint.count())] != [of for _, of in options]:
            is_first = self.endpoint.count() == 0
            self.endpoint.clear()
            for name, of in options:
                self.endpoint.addItem(spoken(name), of)
            if is_first:
                key = next((of for _, of in options if of in project.serving or of in project.traffic), key)
                key = key or options[0][1]
            self.endpoint.setCurrentIndex(max(0, self.endpoint.findData(key)))

    def show_model(self, model: ServedModel | None) -> None:
        """The model of the endpoint, be it of the table or not."""
        names = [each.name for each in self._models]
        own = [model.name] if model is not None and model not in self._models else []
        wanted = [spoken(NO_MODEL), *own, *names, spoken(FROM_FILE)]
        if [self.model.itemText(at) for at in range(self.model.count())] != wanted:
            self.model.clear()
            self.model.addItems([spoken(one) for one in wanted])
            self.model.insertSeparator(len(wanted) - 1)
        self.model.setCurrentIndex(0 if model is None else self.model.findText(model.name))
        set_tip(self.model, self.model.accessibleName() if model is None else f"{model.name}: {model.source}")

    def _choose_model(self, at: int) -> None:
        text = self.model.itemText(at)
        if text == spoken(FROM_FILE):
            self.file_asked.emit()
            return
        chosen = next((model for model in self._models if model.name == text), None)
        if chosen is not None or text == spoken(NO_MODEL):
            self.model_chosen.emit(chosen)


def named_box(name: str, tip: str) -> QComboBox:
    """A box as narrow as its panel."""
    choice = QComboBox()
    choice.setAccessibleName(spoken(name))
    choice.view().setAccessibleName(spoken(name))
    set_tip(choice, spoken(tip))
    choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    choice.setMinimumContentsLength(6)
    return choice
