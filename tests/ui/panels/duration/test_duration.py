"""Duration & commitment: what is said where levels set by hand stand beside the advice."""

from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.window.main_window import MainWindow


def test_levels_set_by_hand_come_with_what_the_advice_minimises(window: MainWindow) -> None:
    panel = window.docks.duration
    panel.choose(Pool.INFERENCE, "H100")
    assert "over the whole horizon" in panel.minimised.text() and not panel.minimised.isHidden()
    panel.choose(Pool.TRAINING, "H100")
    assert panel.minimised.isHidden()


def test_a_pool_or_model_that_is_not_there_leaves_a_choice(window: MainWindow) -> None:
    panel = window.docks.duration
    panel.choose(Pool.TRAINING, "B300")
    assert panel.pool.currentData() == Pool.TRAINING and panel.model.currentText()
