"""Regular expressions of the standard library, compiled at first use.

The program declares 450 patterns and uses one in five in a start. Compiling all took a fifth of the start
(docs/decisions/0019-lazy-classes-and-patterns.md).
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

__all__ = ["lazy_re"]


class LazyPattern:
    """Placeholder for a compiled pattern; compiles it when a method or attribute is first read."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copy and pickle read these before the attributes exist
            raise AttributeError(name)
        if name == "_compiled":
            self._compiled = re.compile(self.pattern, self._flags)
            return self._compiled
        method = getattr(self._compiled, name)
        setattr(self, name, method)
        return method


if TYPE_CHECKING:
    from re import compile as lazy_re
else:

    @cache  # compiles a pattern inside a function only once
    def lazy_re(pattern, flags=0):
        """Return the pattern as `re.compile` does. Errors: an invalid pattern raises re.error at its first use."""
        return LazyPattern(pattern, flags)
