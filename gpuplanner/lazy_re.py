"""Regular expressions of the standard library, each compiled when it is first used.

A start of the program declares 450 patterns and uses one in five. Compiling all of them took a fifth of the start
(docs/decisions/0019-lazy-classes-and-patterns.md).
"""

import re
from functools import cache
from typing import TYPE_CHECKING, Any

__all__ = ["lazy_re"]


class LazyPattern:
    """Stand for a compiled pattern, and compile it when a method or attribute is first read."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self.pattern, self._flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # copy and pickle ask for these before the attributes are set
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

    @cache  # a pattern inside a function is compiled once, too
    def lazy_re(pattern, flags=0):
        """Return the pattern as `re.compile` does. Errors: an invalid pattern raises re.error at its first use."""
        return LazyPattern(pattern, flags)
