"""Duration & commitment: what is said where levels set by hand stand beside the advice."""

from PySide6.QtWidgets import QApplication

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.state.term_rows import WHAT_THE_ADVICE_MINIMISES
from gpuplanner.ui.window.main_window import MainWindow


def test_levels_set_by_hand_come_with_what_the_advice_minimises(window: MainWindow) -> None:
    panel = window.docks.duration
    panel.choose(Pool.INFERENCE, "H100")
    said = " ".join(panel.minimised.text().split())
    assert tr(WHAT_THE_ADVICE_MINIMISES) in said and not panel.minimised.isHidden()
    panel.choose(Pool.TRAINING, "H100")
    assert panel.minimised.isHidden()


def test_a_long_caption_in_another_language_pushes_nothing_out_of_a_narrow_dock(window: MainWindow) -> None:
    panel = window.docks.duration
    panel.choose(Pool.TRAINING, "H100")
    panel.caption.setText("Part de 1 680 heures en %, les plus chargées d'abord ; existants en moyenne")
    assert panel.caption.minimumSizeHint().width() < 300


def test_a_pool_or_model_that_is_not_there_leaves_a_choice(window: MainWindow) -> None:
    panel = window.docks.duration
    panel.choose(Pool.TRAINING, "B300")
    assert panel.pool.currentData() == Pool.TRAINING and panel.model.currentText()


def test_rows_of_its_layers_are_seen_in_a_low_panel(window: MainWindow, qapp: QApplication) -> None:
    panel = window.docks.duration
    window.docks.raise_panel("duration")
    before = window.size()
    window.resize(1280, 800)
    qapp.processEvents()
    seen = panel.table.visibleRegion().boundingRect().height() - panel.table.horizontalHeader().height()
    window.resize(before)
    assert seen >= 2 * panel.table.row_height
