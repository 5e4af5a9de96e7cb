"""A value of a JSON document by its path, as `ask` writes it: `pools[pool=burst].layers[0].gpus`."""

import re
from typing import Any


def value_at(document: Any, path: str) -> Any:
    """What stands there. [name=value,...]: the first row that has these; [3]: the fourth, [-1] the last.

    Errors: AssertionError where there is no such row, KeyError where there is no such field.
    """
    found = document
    for name, among in re.findall(r"([^.\[\]]+)|\[([^\]]*)\]", path):
        if name:
            found = found[name]
        elif "=" not in among:
            found = found[int(among)]
        else:
            wanted = dict(one.split("=", 1) for one in among.split(","))
            rows = [row for row in found if all(str(row[key]) == value for key, value in wanted.items())]
            assert rows, (path, [tuple(row.get(key) for key in wanted) for row in found][:20])
            found = rows[0]
    return found
