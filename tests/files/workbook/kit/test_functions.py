"""Signs and functions, beside what a spreadsheet program says of the same formulas."""

import pytest
import xlsxwriter

from gpuplanner.files.workbook.kit.expressions import Empty, Expr, Range, formula
from tests.files.workbook.recalculate import Recalculator, cells_of

ASKED = (
    "ABS({low})", "AND({low}<0,{high}>0)*1", "COUNT({low},{text},{blank})", 'COUNTIF({mixed},"NODE")', "-{low}^2",
    'COUNTIF({mixed},">1")', "COUNTIFS({mixed},2,{numbers},2)", "N(DATE(2026,2,1))", 'DATEVALUE("2026-10-01")',
    "EDATE(DATE(2026,1,31),1)", "IFERROR({high}/{zero},{text})", 'IF({text}>{high},"behind","before")',
    "{high}&{text}", "INDEX({mixed},MATCH(2,{mixed},0))", "INT({low})", "ISNUMBER({blank})*1", "ISTEXT({text})*1",
    "LARGE({numbers},2)", "LEFT({text},3)&MID({text},2,2)", "LOG10({high})", "MAX({mixed},{low})",
    "MIN({text},{high})", "MIN({text},{blank})", "MONTH(DATE(2026,12,31))", "N({text})+N({low})",
    "NOT({low}>{high})*1", "OR({low}>0,{high}>0)*1", "ROUND({low},0)", "ROUND({high},1)", "ROUNDUP({low},0)",
    "ROUNDUP({high}/8,0)", "ROWS({numbers})", "SMALL({numbers},2)", "2-(3-{low})", "SQRT({high})",
    "SUM({mixed},{low})", "SUMIF({mixed},2,{numbers})", 'SUMIFS({numbers},{mixed},"<>node")',
    "SUMPRODUCT({numbers},({numbers}>1)*1)", "SUMPRODUCT(ISTEXT({mixed})*({numbers}>1))", 'VALUE("2.5")',
    '({blank}="")*1', "YEAR(DATE(2026,12,31))", "_xlfn.MAXIFS({numbers},{mixed},2)",
    "_xlfn.MINIFS({numbers},{mixed},9)", "({blank}=0)*1", "{high}/{low}/2", "{high}-({low}-{high})", "2^{low}",
    "POWER({high},2)", 'TIMEVALUE("12:00")', "MAX({blank},{low})",
)  # fmt: skip
"""Formulas of every function, with what goes wrong in them: text, blank cells, halves, numbers below 0."""


def test_functions_come_to_what_a_spreadsheet_says(need_tool, tmp_path):
    numbers, mixed = (1.5, 2.0, 4.0), (2.0, "node", Empty())
    single = {
        "low": (-2.5, "A1"),
        "high": (7.25, "B1"),
        "text": ("node", "C1"),
        "blank": (Empty(), "D1"),
        "zero": (0.0, "E1"),
    }
    given = {name: Expr(f"Sheet1!${at[0]}$1", value) for name, (value, at) in single.items()}
    given |= {"numbers": Range("Sheet1!$F$1:$F$3", numbers), "mixed": Range("Sheet1!$G$1:$G$3", mixed)}
    book = xlsxwriter.Workbook(str(tmp_path / "asked.xlsx"))
    sheet, answers = book.add_worksheet(), book.add_worksheet()
    cells = [
        *((value, at) for value, at in single.values()),
        *((one, f"F{row}") for row, one in enumerate(numbers, 1)),
    ]
    cells += [(one, f"G{row}") for row, one in enumerate(mixed, 1)]
    for value, at in cells:
        if not isinstance(value, Empty):
            sheet.write(at, value)
    found = [formula(one, **given) for one in ASKED]
    for row, one in enumerate(found):
        answers.write_formula(row, 0, f"={one.text}", None, one.value)
    book.close()
    (again,) = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(tmp_path / "asked.xlsx")
    said = cells_of(again)["Sheet2"]
    differ = {
        one.text: (one.value, said.get(f"A{row}"))
        for row, one in enumerate(found, 1)
        if said.get(f"A{row}") != pytest.approx(one.value)
    }
    assert not differ
