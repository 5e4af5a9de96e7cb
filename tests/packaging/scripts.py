"""Scripts of packaging/ as modules: they are no part of the package, so each is loaded by its path."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Final

PACKAGING: Final = Path(__file__).resolve().parents[2] / "packaging"


def load_script(name: str) -> ModuleType:
    """Return the script of that name, with its folder on the path while it is loaded."""
    spec = importlib.util.spec_from_file_location(f"gpuplanner_{name}", PACKAGING / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(PACKAGING))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(PACKAGING))
    return module
