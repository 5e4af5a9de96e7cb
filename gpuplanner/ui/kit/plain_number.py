"""A field for a number that shows no zeros after it: 64 as 64, 12.5 as 12.5."""

from PySide6.QtWidgets import QDoubleSpinBox

from gpuplanner.ui.words import numbers


class PlainNumber(QDoubleSpinBox):
    """Written as every number of the window is."""

    def textFromValue(self, value: float) -> str:
        """The number in as few digits as it needs."""
        return numbers.significant(value)
