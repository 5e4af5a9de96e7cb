"""The panel Inference: endpoints are sized in a thread, files are read, choices are steps of Undo."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from gpuplanner.app.sourcing.sizing import ServingFiles, Sizing, project_with_load, project_with_model
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.edits import dates, endpoints, labels, model_mappings, plans
from gpuplanner.domain.fit.sized_endpoints import shape_in_log
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.places import NOTHING_CHOSEN, WeekRates, rates_of
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.files.system import resources
from gpuplanner.ui.flows.session import Session
from gpuplanner.ui.kit.file_dialogs import open_file
from gpuplanner.ui.kit.small_dialogs import ask_fields, ask_text, errors_in_dialog, show_error
from gpuplanner.ui.panels.places.inference import InferencePanel

MODEL_FILES: Final = worded("Models (*.json *.csv *.tsv *.txt);;All files (*)")
TRAFFIC_FILES: Final = resources.long_text("traffic_files")
RESULT_FILES: Final = worded("Results of benchmarks (*.json *.jsonl *.csv *.tsv *.txt);;All files (*)")
TARGET: Final = "serving_tpot_p95_ms"
NOTHING_TRIED: Final[Mapping[str, Any]] = {}
RATES_ASKED: Final = worded("Your measured requests per second and GPU: L4=1200, A100=4000")


TYPED_ASKED: Final = resources.long_text("typed_requests")
TYPED_TITLES: Final = resources.words_table("typed_traffic")


class InferenceFlow(QObject):
    """Told the session, the panel and the action that opens the assumptions."""

    def __init__(self, session: Session, panel: InferencePanel, assumptions: QAction) -> None:
        super().__init__(session.window)
        self.session, self._panel = session, panel
        self.sizing = Sizing(resources.read_serving_tables(), self)
        self.files = ServingFiles(self)
        panel.once_built(lambda: panel.set_models(resources.read_served_models()))
        panel.size_asked.connect(self.ask)
        panel.model_chosen.connect(self._take_model)
        read_model, read_load = self.files.read_model, self.files.read_load
        panel.model_file_asked.connect(partial(self._choose, worded("Model"), MODEL_FILES, read_model))
        panel.traffic_file_asked.connect(partial(self._choose, worded("Requests"), TRAFFIC_FILES, read_load))
        panel.typing_asked.connect(self._type_load)
        panel.row_chosen.connect(self._take_row)
        panel.term_chosen.connect(self._take_term)
        panel.rates_asked.connect(self._ask_for_rates)
        panel.measured_file_asked.connect(self._choose_measured_file)
        panel.measured_dropped.connect(lambda key: self._take_measured(key, ()))
        panel.mapping_chosen.connect(self._take_mapping)
        panel.plan_asked.connect(self._plan_as_sized)
        panel.target_moved.connect(lambda key, ms: self.ask(key, {TARGET: ms}))
        panel.target_set.connect(self._set_target)
        panel.assumptions_asked.connect(assumptions.trigger)
        self.sizing.answered.connect(panel.show_sizing)
        self.files.model_read.connect(self._take_model)
        self.files.load_read.connect(self._take_load)
        self.files.measured_read.connect(self._take_measured)
        for service in (self.sizing, self.files):
            service.failed.connect(lambda error: show_error(session.window, error))

    def ask(self, key: str, tried: Mapping[str, Any] = NOTHING_TRIED) -> None:
        """Has an endpoint sized with the assumptions and offers of the plan, or of today, and those that are tried."""
        project, assumptions, offers = self.session.project, self.session.project.assumptions, None
        if self.session.scenario != TODAY:
            plan = project.scenario(self.session.scenario)
            assumptions, offers = project.assumptions_in(plan), project.offers_in(plan)
        self.sizing.ask(
            project, key, assumptions.with_values(tried), project.offers if offers is None else offers
        )

    def _set_target(self, ms: float | None) -> None:
        """Sets the target of the time per token in the plan that is shown, of all plans on Today."""
        project, scenario = self.session.project, self.session.scenario
        plan = None if scenario == TODAY else scenario
        self.session.edit(
            labels.assumption_label(TARGET, ms), lambda: plans.set_assumption(project, plan, TARGET, ms)
        )

    def _choose(self, title: Message, kinds: Message, read: Callable[[str, Path], None], key: str) -> None:
        """Asks for a file of an endpoint, and has it read; one undo step."""
        if path := open_file(self.session.window, tr(title), tr(kinds)):
            read(key, Path(path))

    def _choose_measured_file(self, key: str) -> None:
        """Asks for a file with results of a benchmark of the endpoint's model."""
        model = self.session.project.serving.get(key, NOTHING_CHOSEN).model
        if model and (path := open_file(self.session.window, tr("Measurements"), tr(RESULT_FILES))):
            self.files.read_measured(key, Path(path), model)

    def _ask_for_rates(self, key: str) -> None:
        """Asks for requests a second of a GPU, of what is no language model."""
        known = self.session.project.serving.get(key, NOTHING_CHOSEN).rates
        value = ", ".join(f"{name}={rate:g}" for name, rate in known)
        window, title = self.session.window, tr("No language model")
        text = ask_text(window, title, tr(RATES_ASKED), value, "Size on these")
        if text:
            label = labels.endpoint_label(self.session.project, key, worded("State requests of a GPU"))
            self.session.edit(label, lambda: endpoints.set_rates(self.session.project, key, rates_of(text)))

    def _type_load(self, key: str) -> None:
        """Asks for traffic in numbers; without a share of the busiest hour the endpoint's log gives its week."""
        from gpuplanner.files.lists.traffic_tables import typed_load

        project, window = self.session.project, self.session.window
        week, assumed = project.serving.get(key, NOTHING_CHOSEN).week, project.assumptions
        tokens = (assumed.serving_context_tokens, assumed.serving_generated_tokens)
        if week is not None:
            tokens = (week.context_tokens or tokens[0], week.generated_tokens or tokens[1])
        values = ("", *(f"{number:g}" for number in tokens), "always", "")
        fields = {str(tr(name)): value for name, value in zip(TYPED_TITLES.values(), values, strict=True)}
        typed = ask_fields(window, tr("Type requests"), tr(TYPED_ASKED), fields, "Size on these")
        if typed:
            with errors_in_dialog(window):
                read = typed_load(dict(zip(TYPED_TITLES, typed, strict=True)), shape_in_log(project, key))
                label = labels.endpoint_label(project, key, worded("Type requests"))
                self.session.edit(label, lambda: endpoints.set_week(project, key, read))

    def _take_measured(self, key: str, measured: Any) -> None:
        """Sets what was measured of an endpoint's model, beside what it has; nothing: all of it goes."""
        step = worded("Add measurements") if measured else worded("Remove the measurement")
        label = labels.endpoint_label(self.session.project, key, step)
        self.session.edit(label, lambda: endpoints.set_measured(self.session.project, key, measured))

    def _take_mapping(self, gpu_model: str, offer_model: str, ratio: float) -> None:
        """Lets offers of another GPU model meet demand for one, at the ratio that was found."""
        label = labels.mapping_label(gpu_model, offer_model, ratio)
        project = self.session.project
        self.session.edit(label, lambda: model_mappings.set_mapping(project, gpu_model, offer_model, ratio))

    def _plan_as_sized(self, key: str, works: Any) -> None:
        """Puts what the endpoint is sized to hold in place of what the log has of it, in the plan that is shown."""
        project, plan = self.session.project, self.session.scenario
        label = labels.endpoint_label(project, key, worded("Plan its needs"))
        self.session.edit(label, lambda: dates.plan_as_sized(project, plan, key, works))

    def _take_model(self, key: str, model: Any, intake: Any = None) -> None:
        """Sets the model that an endpoint serves, with the file it came from."""
        project = self.session.project
        label = labels.served_model_label(project, key, model)
        self.session.edit(label, lambda: project_with_model(project, key, model, intake))

    def _take_load(self, key: str, read: Any, intake: Any) -> None:
        """Sets an endpoint's load: a trace of requests, or rates of a week."""
        project = self.session.project
        label_of = labels.week_label if isinstance(read, WeekRates) else labels.traffic_label
        label = label_of(project, key, read)
        self.session.edit(label, lambda: project_with_load(project, key, read, intake))

    def _take_row(self, key: str, gpu_model: str, precision: str, tensor_parallel: int) -> None:
        """Sets which row of the sizing an endpoint runs on."""
        project = self.session.project
        row = (key, gpu_model, precision, tensor_parallel)
        self.session.edit(
            labels.sized_row_label(project, *row), lambda: endpoints.set_sized_row(project, *row)
        )

    def _take_term(self, key: str, term_months: int) -> None:
        """Sets whose rates price an endpoint: by the hour, or those of a term."""
        project = self.session.project
        label = labels.serving_term_label(project, key, term_months)
        self.session.edit(label, lambda: endpoints.set_serving_term(project, key, term_months))
