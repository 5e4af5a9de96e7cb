"""What a spreadsheet program would repair on opening: the rules of Office Open XML that can be checked here."""

import re
import zipfile
from pathlib import PurePosixPath
from xml.etree import ElementTree

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/package/2006/relationships}"
OFFICE = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
CONTENT = "{http://schemas.openxmlformats.org/package/2006/content-types}"

ORDER = (
    "sheetPr",
    "dimension",
    "sheetViews",
    "sheetFormatPr",
    "cols",
    "sheetData",
    "sheetCalcPr",
    "sheetProtection",
    "protectedRanges",
    "scenarios",
    "autoFilter",
    "sortState",
    "dataConsolidate",
    "customSheetViews",
    "mergeCells",
    "phoneticPr",
    "conditionalFormatting",
    "dataValidations",
    "hyperlinks",
    "printOptions",
    "pageMargins",
    "pageSetup",
    "headerFooter",
    "rowBreaks",
    "colBreaks",
    "customProperties",
    "cellWatches",
    "ignoredErrors",
    "smartTags",
    "drawing",
    "legacyDrawing",
    "legacyDrawingHF",
    "picture",
    "oleObjects",
    "controls",
    "webPublishItems",
    "tableParts",
    "extLst",
)
"""Children of a worksheet in the order in which the standard wants them (ECMA-376 part 1, 18.3.1.99)."""
FUNCTION_LIMIT, FORMULA_LIMIT, CELL_LIMIT = 255, 8192, 32_767


def faults_of(book):
    """Sentences, one a fault; none for a book that opens without repair."""
    with zipfile.ZipFile(book) as parts:
        names = parts.namelist()
        faults = [f"{name} stands twice" for name in set(names) if names.count(name) > 1]
        trees = {
            name: ElementTree.fromstring(parts.read(name))
            for name in names
            if name.endswith((".xml", ".rels", ".vml"))
        }
    faults += _content_types(names, trees["[Content_Types].xml"])
    relations = {}
    for name, tree in trees.items():
        if name.endswith(".rels"):
            faults += _relations(name, tree, names, relations)
    workbook = trees["xl/workbook.xml"]
    sheets = [(sheet.get("name"), sheet.get(f"{OFFICE}id")) for sheet in workbook.iter(f"{MAIN}sheet")]
    faults += _sheet_names([name for name, _ in sheets])
    faults += _defined_names(workbook, [name for name, _ in sheets])
    styles = len(trees["xl/styles.xml"].find(f"{MAIN}cellXfs"))
    formats = trees["xl/styles.xml"].find(f"{MAIN}dxfs")
    shared = trees.get("xl/sharedStrings.xml")
    strings = [] if shared is None else ["".join(one.itertext()) for one in shared]
    tables, ids = {}, set()
    for number, (title, _) in enumerate(sheets, 1):
        part = f"xl/worksheets/sheet{number}.xml"
        cells, found = _sheet(title, trees[part], styles, strings, 0 if formats is None else len(formats))
        faults += found
        for target in relations.get(part, {}).values():
            if "/tables/" in target:
                faults += _table(title, trees[target], cells, tables, ids)
    faults += _structured(trees, sheets, tables)
    return faults


def _content_types(names, types):
    defaults = {one.get("Extension").lower() for one in types.iter(f"{CONTENT}Default")}
    overrides = [one.get("PartName").lstrip("/") for one in types.iter(f"{CONTENT}Override")]
    faults = [f"content type of a part that is not there: {name}" for name in set(overrides) - set(names)]
    faults += [f"two content types of {name}" for name in set(overrides) if overrides.count(name) > 1]
    for name in names:
        if name not in overrides and name.rpartition(".")[2].lower() not in defaults:
            faults.append(f"no content type of {name}")
        if name.startswith("xl/") and name.endswith(".xml") and name not in overrides:
            faults.append(f"only the default content type of {name}")
    return [fault for fault in faults if "[Content_Types]" not in fault]


def _relations(name, tree, names, relations):
    folder = PurePosixPath(name).parent.parent
    owner = str(folder / PurePosixPath(name).name.removesuffix(".rels"))
    found, faults = relations.setdefault(owner, {}), []
    for one in tree.iter(f"{RELATION}Relationship"):
        if one.get("Id") in found:
            faults.append(f"{name}: two relationships {one.get('Id')}")
        if one.get("TargetMode") == "External":
            faults.append(f"{name}: a link to {one.get('Target')}")
            continue
        target = _resolved(folder, one.get("Target"))
        found[one.get("Id")] = target
        if target not in names:
            faults.append(f"{name}: {target} is not there")
    return faults


def _resolved(folder, target):
    if target.startswith("/"):
        return target.lstrip("/")
    parts = list(folder.parts)
    for part in PurePosixPath(target).parts:
        if part == "..":
            parts.pop()
        else:
            parts.append(part)
    return "/".join(parts)


def _sheet_names(names):
    faults = [
        f"sheet name {name!r}"
        for name in names
        if not 0 < len(name) <= 31 or re.search(r"[\[\]:*?/\\]", name)
    ]
    lower = [name.lower() for name in names]
    return faults + [f"two sheets {name}" for name in set(lower) if lower.count(name) > 1]


def _defined_names(workbook, sheets):
    faults, seen = [], set()
    for one in workbook.iter(f"{MAIN}definedName"):
        key = (one.get("name").lower(), one.get("localSheetId"))
        if key in seen:
            faults.append(f"two names {key}")
        seen.add(key)
        if not re.fullmatch(r"(_xlnm\.)?[A-Za-z_\\][\w.\\]*", one.get("name")) or re.fullmatch(
            r"[A-Za-z]{1,3}\d+|[RrCc]", one.get("name")
        ):
            faults.append(f"name {one.get('name')!r}")
        sheet = one.text.partition("!")[0].strip("'")
        if sheet not in sheets or "#REF" in one.text:
            faults.append(f"name {one.get('name')} is {one.text}")
    return faults


def _sheet(title, tree, styles, strings, formats):
    faults, cells = [], {}
    children = [child.tag.removeprefix(MAIN) for child in tree]
    places = [ORDER.index(child) for child in children]
    if places != sorted(places):
        faults.append(f"{title}: children in the order {children}")
    last_row = 0
    for row in tree.iter(f"{MAIN}row"):
        number, last_column = int(row.get("r")), 0
        if number <= last_row:
            faults.append(f"{title}: row {number} after row {last_row}")
        last_row = number
        for cell in row:
            letters, digits = re.fullmatch(r"([A-Z]{1,3})(\d+)", cell.get("r")).groups()
            column = _number(letters)
            if int(digits) != number or column <= last_column:
                faults.append(f"{title}: cell {cell.get('r')} in row {number} after column {last_column}")
            last_column = column
            if int(cell.get("s", 0)) >= styles:
                faults.append(f"{title}: {cell.get('r')} has style {cell.get('s')}")
            cells[cell.get("r")] = _text(cell, strings)
            faults += _cell(title, cell, strings)
    for rule in tree.iter(f"{MAIN}cfRule"):
        if rule.get("dxfId") is not None and int(rule.get("dxfId")) >= formats:
            faults.append(f"{title}: a rule has format {rule.get('dxfId')}")
    faults += _validations(title, tree)
    return cells, faults


def _cell(title, cell, strings):
    at, kind, faults = f"{title}!{cell.get('r')}", cell.get("t", "n"), []
    value, formula = cell.find(f"{MAIN}v"), cell.find(f"{MAIN}f")
    if kind == "s" and int(value.text) >= len(strings):
        faults.append(f"{at}: no string {value.text}")
    if (
        kind == "n"
        and value is not None
        and not re.fullmatch(r"-?\d+(\.\d+)?([Ee][-+]?\d+)?", value.text or "")
    ):
        faults.append(f"{at}: {value.text!r} is no number")
    if kind == "e":
        faults.append(f"{at}: an error")
    if len(_text(cell, strings) or "") > CELL_LIMIT:
        faults.append(f"{at}: text too long")
    if formula is not None:
        if len(formula.text) > FORMULA_LIMIT or formula.text.count("(") != formula.text.count(")"):
            faults.append(f"{at}: formula {formula.text[:80]}")
        if any(len(text) > FUNCTION_LIMIT for text in re.findall(r'"([^"]*)"', formula.text)):
            faults.append(f"{at}: text in a formula too long")
    return faults


def _text(cell, strings):
    inline = cell.find(f"{MAIN}is")
    value = cell.find(f"{MAIN}v")
    if cell.get("t") == "s" and int(value.text) < len(strings):
        return strings[int(value.text)]
    return "".join(inline.itertext()) if inline is not None else None if value is None else value.text


def _validations(title, tree):
    faults, seen = [], set()
    for holder in tree.iter(f"{MAIN}dataValidations"):
        if int(holder.get("count")) != len(holder):
            faults.append(f"{title}: {holder.get('count')} data validations of {len(holder)}")
        for one in holder:
            if one.get("sqref") in seen:
                faults.append(f"{title}: two data validations of {one.get('sqref')}")
            seen.add(one.get("sqref"))
            for key, most in (("errorTitle", 32), ("promptTitle", 32), ("error", 255), ("prompt", 255)):
                if len(one.get(key, "")) > most:
                    faults.append(f"{title}: {key} of {one.get('sqref')} is too long")
    return faults


def _table(title, table, cells, tables, ids):
    name, faults = table.get("displayName"), []
    if table.get("id") in ids or name.lower() in {each.lower() for each in tables}:
        faults.append(f"two tables {name} or {table.get('id')}")
    ids.add(table.get("id"))
    first, last = table.get("ref").split(":")
    letters, head = re.fullmatch(r"([A-Z]+)(\d+)", first).groups()
    columns = [column.get("name") for column in table.iter(f"{MAIN}tableColumn")]
    tables[name] = columns
    if len({column.lower() for column in columns}) < len(columns):
        faults.append(f"{name}: two columns alike")
    wide = _number(re.match(r"[A-Z]+", last)[0]) - _number(letters) + 1
    if wide != len(columns) or int(re.search(r"\d+", last)[0]) <= int(head):
        faults.append(f"{name}: {wide} columns, {len(columns)} named, {table.get('ref')}")
    for place, column in enumerate(columns):
        at = f"{_letters(_number(letters) + place)}{head}"
        if cells.get(at) != column:
            faults.append(f"{title}!{at}: {cells.get(at)!r} is the heading of {name}[{column}]")
    return faults


def _structured(trees, sheets, tables):
    """Every Table[Column] of a formula names a table and a column that are there."""
    faults = []
    for number, (title, _) in enumerate(sheets, 1):
        for formula in trees[f"xl/worksheets/sheet{number}.xml"].iter(f"{MAIN}f"):
            for name, column in re.findall(r"(\w+)\[\[?([^\[\]]+)\]\]?", formula.text or ""):
                if column not in tables.get(name, ()):
                    faults.append(f"{title}: no {name}[{column}]")
    return faults


def _number(letters):
    total = 0
    for letter in letters:
        total = 26 * total + ord(letter) - 64
    return total


def _letters(number):
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
