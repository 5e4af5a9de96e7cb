"""The command palette."""


def open_palette(window: object) -> None:
    """Nothing yet."""
