"""What of the golden files differs, and how it is accepted.

python -m tests.golden diff [--only PATTERN]
python -m tests.golden accept --reason "which words or figures, and why" [--only PATTERN]

PATTERN is of files as they are named in a failure: 'demo/*', '*/plan.json', 'window_*'. Without --only all are made.
"""

import argparse
import os
import sys
import tempfile
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path


def _own_home(folder: Path) -> None:
    """As the tests have it: nothing of whoever runs it is read or written, and no display is asked for."""
    for variable in ("CONFIG", "DATA", "CACHE", "STATE"):
        os.environ[f"XDG_{variable}_HOME"] = str(folder / variable.lower())
    os.environ["XDG_DOCUMENTS_DIR"] = str(folder / "documents")
    os.environ["APPDATA"] = os.environ["LOCALAPPDATA"] = str(folder / "data")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder))


def main() -> int:
    """Exit status: 0 nothing differs, or it was accepted; 1 something differs; 2 usage."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.golden", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("command", choices=("diff", "accept"))
    parser.add_argument(
        "--only", default="*", metavar="PATTERN", help="files that are meant, such as 'demo/*'"
    )
    parser.add_argument("--reason", default="", help="which words or figures changed, and why")
    words = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="golden-") as home:
        _own_home(Path(home))
        from tests.golden import store

        if words.command == "accept":
            try:
                changed = store.accept(words.reason, datetime.now(tz=UTC).date(), words.only)
            except ValueError as error:
                parser.error(str(error))
            sys.stdout.write("".join(f"{file}\n" for file in changed) or "Nothing differs.\n")
            return 0
        count = 0
        for module in store.MAKERS:
            for folder in store.maker(module).FOLDERS:
                if fnmatch(folder, words.only.partition("/")[0]):
                    for diff in store.differences(module, folder, words.only).values():
                        count += 1
                        sys.stdout.write("\n".join(diff) + "\n")
        sys.stdout.write(f"{count} file(s) differ.\n")
        return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
