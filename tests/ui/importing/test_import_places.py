"""Files of places in an import: what each is read as, which are described only, and how what they hold is said."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from gpuplanner.app.importing.file_previews import FoundFile
from gpuplanner.app.importing.import_request import ImportRequest
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.importing.log_choices import LogChoice
from gpuplanner.files.importing.place_preview import preview_places
from gpuplanner.files.lists.place_tables import PlacesRead, import_places
from gpuplanner.files.tables.column_mapping import NOT_NEEDED
from gpuplanner.ui.importing.format_page import format_choices
from gpuplanner.ui.importing.import_state import (
    KINDS,
    ChosenFile,
    import_summary,
    request_of,
    unreadable,
    without_refused,
)
from gpuplanner.ui.importing.mappings import with_column
from tests.domain.serving.small_places import city, site


def found(kind: str, format_name: str) -> ChosenFile:
    return ChosenFile(path=f"{kind}.csv").recognised(
        FoundFile(path=f"{kind}.csv", kind=kind, format=format_name, why="why")
    )


@pytest.mark.parametrize("kind", ["users", "sites", "measured", "residency"])
def test_each_kind_is_read_as_itself(kind: str) -> None:
    file = found(kind, f"own_{kind}")
    assert (file.kind, file.is_known, file.needs_mapping) == (kind, True, False)
    assert request_of([file]).place_paths == ((kind, f"{kind}.csv"),)
    assert kind in [one for one, _, _ in KINDS] and kind in [one for _, one, _ in format_choices()]


def test_planned_work_is_read_as_itself_and_counted() -> None:
    file = found("planned", "own_planned")
    assert (file.kind, file.is_known, file.needs_mapping) == ("planned", True, False)
    request = request_of([file])
    assert request.planned_paths == request.paths == ("planned.csv",)
    assert "planned" in [one for one, _, _ in KINDS] and "planned" in [one for _, one, _ in format_choices()]
    read = SimpleNamespace(planned=(1, 2), places=PlacesRead(), accepted_jobs=0, window=None, intake=())
    assert import_summary(request, read) == "2 planned workloads."


def test_a_clouds_list_of_regions_is_described_and_left_out() -> None:
    file = found("sites", "")
    assert (file.kind, file.is_known, file.is_described) == ("", False, True)
    assert request_of([file]).paths == ()


def test_what_is_read_is_counted_and_a_refused_file_is_no_source() -> None:
    request = ImportRequest(place_paths=(("users", "u.csv"), ("sites", "s.csv"), ("residency", "r.csv")))
    refused = FileIntake(
        path="r.csv",
        kind="residency",
        format="own_residency",
        rows_read=0,
        rows_accepted=0,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
    )
    read = SimpleNamespace(
        places=PlacesRead(
            cities=(city("A", 1), city("B", 2)), sites=(site("s"),), measured=None, residency=()
        ),
        accepted_jobs=0,
        window=None,
        intake=(refused,),
    )
    words = import_summary(request, read)
    cities, sites, countries = words.split(" \u00b7 ")
    assert cities.startswith("2 cities") and sites == "1 site" and countries.startswith("0 countries")
    kept, _ = without_refused(request, read)
    assert kept == request  # without an issue that refuses it, it stays


def test_a_table_of_users_is_mapped_by_hand(tmp_path: Path) -> None:
    """Of Heads and Guests the planner says which are the users, and that the other is not needed."""
    path = tmp_path / "users.csv"
    path.write_text("Town;Lat;Lng;Heads;Guests per month\nOslo;59,9;10,7;41.200;7\nRome;41,9;12,5;900;8\n")
    shown = preview_places(str(path), "users")
    file = ChosenFile(path=str(path), kind="users", choice=LogChoice(mapping=shown.mapping))
    assert shown.missing and shown.mapping is not None and unreadable([file], {file.path: shown}) is not None
    mapping = with_column(shown.mapping, "users", "Heads", "users", ())
    asked = preview_places(str(path), "users", mapping)
    assert not asked.missing and unreadable([file], {file.path: asked}) is not None
    mapping = with_column(mapping, NOT_NEEDED, "Guests per month", "users", ())
    ready = preview_places(str(path), "users", mapping)
    assert unreadable([file], {file.path: ready}) is None and ready.counts[:2] == (2, 2)
    request = request_of([ChosenFile(path=str(path), kind="users", choice=LogChoice(mapping=mapping))])
    read = import_places([str(path)], mappings=dict(request.table_mappings), refuses_unread=True)
    assert [city.users for city in read.cities or ()] == [41_200, 900]
