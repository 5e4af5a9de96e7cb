"""The sentence on each sheet whose values no cell of the book moves."""

from typing import Final

VALUES: Final = "Values of the app: no cell of this book changes them. "
