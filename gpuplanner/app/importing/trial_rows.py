"""Job rows of imports that are only tried: kept if the import is taken in, gone with the dialog."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system import output_file, user_files
from gpuplanner.files.system.own_folder import own_folder


@contextmanager
def rows_on_trial(rows_dir: Path) -> Iterator[Path]:
    """A folder for the rows of every reading, gone afterwards: with names, where pseudonyms were asked for later.

    rows_dir: where imports keep job rows; it is made where it is not there.
    """
    with own_folder(user_files.private_folder(rows_dir)) as folder:
        yield folder


def take_rows(on_trial: Path, rows_dir: Path, sha256: str) -> None:
    """Keep the rows of the reading that was taken in; where there are none, drill-down says so later.

    sha256: of the Parquet file, empty where none was written.
    """
    rows = on_trial / f"{sha256}.parquet"
    if sha256 and rows.exists():
        # Windows: another window reads these very rows, so they are there already
        with suppress(PlannerError):
            output_file.put(rows, rows_dir / rows.name)
