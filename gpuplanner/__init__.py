"""gpuplanner: which GPUs, for which workloads, on what terms. In a script: `open` or `read` a project, then ask it."""

from gpuplanner.version import __version__ as __version__

__all__ = ("Error", "Project", "Result", "__version__", "open", "read")


def __getattr__(name: str) -> object:
    """What scripts use, loaded once it is asked for. By a name that no import shows: every layer imports this file."""
    if name not in __all__:
        raise AttributeError(f"module 'gpuplanner' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module("gpuplanner.api"), name)


def __dir__() -> tuple[str, ...]:
    """What a script may use."""
    return __all__
