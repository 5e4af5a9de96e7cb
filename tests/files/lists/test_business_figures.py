"""Files of business figures: what is read, what is refused, and that they are known by their columns."""

from gpuplanner.domain.model.business_figures import BusinessFigure
from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.lists.business_figures import BUSINESS

BUSINESS_LIST_LINES = (
    "2026-08,orders,1000",
    "2026-08-15,orders,5",
    "2026-09-01,orders,1100.5",
    "soon,orders,1",
    "2026-09,users,0",
    "2026-09,,7",
)


def test_rows_of_a_file(tmp_path):
    path = tmp_path / "business.csv"
    path.write_text("Month,figure,Value\n" + "\n".join(BUSINESS_LIST_LINES) + "\n", "utf-8")
    read = BUSINESS.read_files([str(path)])
    assert read.values == (
        BusinessFigure("orders", "2026-08", 1000.0),
        BusinessFigure("orders", "2026-09", 1100.5),
    )
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_duplicate) == (6, 2, 3, 1)
    assert recognise(str(path)).kind == "business"
    (checked,) = check_file(str(path))
    assert (checked.kind, dict(checked.facts)) == ("business", {"figures": 1, "months": 2})
    path.write_text("month,name,count\n2026-08,orders,5\n", "utf-8")
    assert [fault.code for fault in BUSINESS.read_files([str(path)]).refused] == ["missing_column"]
