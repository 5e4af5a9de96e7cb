"""A presentation is as its schema has it: parts, links and types complete, ids once, elements in their order."""

import posixpath
import re
import zipfile
from collections import Counter
from typing import Final

import pytest
from lxml import etree

from gpuplanner.domain.brief.briefs import brief_of
from gpuplanner.files.brief.pptx import write_brief_pptx
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated, two_clusters_sensitivity
from tests.oracle.projects import random_case
from tests.some_of import some_of

TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
LINK = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
SCHEMAS = "http://schemas.openxmlformats.org/"
SPACES = {
    f"{SCHEMAS}drawingml/2006/main": "a",
    f"{SCHEMAS}drawingml/2006/chart": "c",
    f"{SCHEMAS}presentationml/2006/main": "p",
}
FILLS = "noFill solidFill gradFill blipFill pattFill grpFill"
LINES = "lnL lnR lnT lnB lnTlToBr lnBlToTr"
AXIS = (
    "axId scaling delete axPos majorGridlines minorGridlines title numFmt majorTickMark minorTickMark tickLblPos spPr "
    "txPr crossAx crosses crossesAt"
)
SERIES = "idx order tx spPr"
ORDER = {
    "a:bodyPr": "prstTxWarp noAutofit normAutofit spAutoFit scene3d sp3d flatTx extLst",
    "a:p": "pPr r br fld endParaRPr",
    "a:pPr": "lnSpc spcBef spcAft buClrTx buClr buSzTx buFont buNone buAutoNum buChar tabLst defRPr extLst",
    "a:rPr": f"ln {FILLS} effectLst highlight uLnTx uLn uFill latin ea cs sym hlinkClick rtl extLst",
    "a:defRPr": f"ln {FILLS} effectLst highlight uLnTx uLn uFill latin ea cs sym hlinkClick rtl extLst",
    "a:r": "rPr t",
    "a:ln": f"{FILLS} prstDash custDash round bevel miter headEnd tailEnd extLst",
    "a:lnB": f"{FILLS} prstDash custDash round bevel miter headEnd tailEnd extLst",
    "a:tbl": "tblPr tblGrid tr",
    "a:tr": "tc extLst",
    "a:tc": "txBody tcPr extLst",
    "a:tcPr": f"{LINES} cell3D {FILLS} headers extLst",
    "p:sld": "cSld clrMapOvr transition timing extLst",
    "p:cSld": "bg spTree custDataLst controls extLst",
    "p:sp": "nvSpPr spPr style txBody extLst",
    "p:cxnSp": "nvCxnSpPr spPr style extLst",
    "p:grpSp": "nvGrpSpPr grpSpPr sp grpSp graphicFrame cxnSp pic extLst",
    "p:graphicFrame": "nvGraphicFramePr xfrm graphic extLst",
    "p:spPr": f"xfrm custGeom prstGeom {FILLS} ln effectLst effectDag scene3d sp3d extLst",
    "p:txBody": "bodyPr lstStyle p",
    "p:cNvPr": "hlinkClick hlinkHover extLst",
    "p:presentation": (
        "sldMasterIdLst notesMasterIdLst handoutMasterIdLst sldIdLst sldSz notesSz embeddedFontLst custShowLst "
        "photoAlbum custDataLst kinsoku defaultTextStyle modifyVerifier extLst"
    ),
    "c:chartSpace": (
        "date1904 lang roundedCorners style clrMapOvr pivotFmts protection chart spPr txPr externalData printSettings "
        "userShapes extLst"
    ),
    "c:chart": (
        "title autoTitleDeleted pivotFmts view3D floor sideWall backWall plotArea legend plotVisOnly dispBlanksAs "
        "showDLblsOverMax extLst"
    ),
    "c:plotArea": "layout areaChart lineChart barChart valAx catAx dateAx serAx dTable spPr extLst",
    "c:barChart": "barDir grouping varyColors ser dLbls gapWidth overlap serLines axId extLst",
    "c:lineChart": "grouping varyColors ser dLbls dropLines hiLowLines upDownBars marker smooth axId extLst",
    "c:areaChart": "grouping varyColors ser dLbls dropLines axId extLst",
    "c:ser": f"{SERIES} invertIfNegative pictureOptions marker dPt dLbls trendline errBars cat val smooth shape extLst",
    "c:dPt": "idx invertIfNegative marker bubble3D explosion spPr pictureOptions extLst",
    "c:dLbl": (
        "idx delete layout tx numFmt spPr txPr dLblPos showLegendKey showVal showCatName showSerName showPercent "
        "showBubbleSize separator extLst"
    ),
    "c:dLbls": (
        "dLbl delete numFmt spPr txPr dLblPos showLegendKey showVal showCatName showSerName showPercent showBubbleSize "
        "separator showLeaderLines leaderLines extLst"
    ),
    "c:catAx": f"{AXIS} auto lblAlgn lblOffset tickLblSkip tickMarkSkip noMultiLvlLbl extLst",
    "c:dateAx": (
        f"{AXIS} auto lblOffset baseTimeUnit majorUnit majorTimeUnit minorUnit minorTimeUnit extLst"
    ),
    "c:valAx": f"{AXIS} crossBetween majorUnit minorUnit dispUnits extLst",
    "c:scaling": "logBase orientation max min extLst",
    "c:legend": "legendPos legendEntry layout overlay spPr txPr extLst",
    "c:spPr": f"xfrm custGeom prstGeom {FILLS} ln effectLst effectDag scene3d sp3d extLst",
    "c:txPr": "bodyPr lstStyle p",
    "c:tx": "strRef rich v",
    "c:cat": "multiLvlStrRef numRef numLit strRef strLit",
    "c:numRef": "f numCache extLst",
    "c:numCache": "formatCode ptCount pt extLst",
    "c:strRef": "f strCache extLst",
    "c:strCache": "ptCount pt extLst",
    "c:rich": "bodyPr lstStyle p",
    "a:txBody": "bodyPr lstStyle p",
    "a:fld": "rPr pPr t",
    "a:xfrm": "off ext chOff chExt",
    "p:xfrm": "off ext extLst",
    "p:spTree": "nvGrpSpPr grpSpPr sp grpSp graphicFrame cxnSp pic contentPart extLst",
    "p:nvSpPr": "cNvPr cNvSpPr nvPr",
    "p:nvCxnSpPr": "cNvPr cNvCxnSpPr nvPr",
    "p:nvGrpSpPr": "cNvPr cNvGrpSpPr nvPr",
    "p:nvGraphicFramePr": "cNvPr cNvGraphicFramePr nvPr",
    "p:sldLayout": "cSld clrMapOvr transition timing hf extLst",
    "p:sldMaster": "cSld clrMap sldLayoutIdLst transition timing hf txStyles extLst",
}
"""Element -> its children in the order of the schema, as far as presentations of ours have them."""


def short(element):
    name = etree.QName(element)
    return f"{SPACES.get(name.namespace, '?')}:{name.localname}"


def out_of_order(root):
    """Every child that its schema does not have, or has before its neighbour."""
    for element in root.iter(etree.Element):
        order = ORDER.get(short(element), "").split()
        if not order:
            continue
        last = 0
        for child in element:
            name = etree.QName(child).localname
            if name not in order:
                yield f"{short(element)} has {name}"
                continue
            at = order.index(name)
            free = short(element) in (
                "a:p",
                "p:grpSp",
                "p:spTree",
                "c:plotArea",
            )  # of these some come in any order
            if at < last and not free:
                yield f"{short(element)}: {name} after {order[last]}"
            last = max(last, at)


LABELS_OF: Final = {
    "c:barChart": {"clustered": {"ctr", "inBase", "inEnd", "outEnd"}, "stacked": {"ctr", "inBase", "inEnd"}},
    "c:lineChart": {"standard": {"ctr", "t", "b", "l", "r"}},
    "c:areaChart": {},
}
"""Chart and grouping -> where the labels of its points may stand; a program repairs a file that has others."""


def of_no_order(root):
    """Elements of slides and charts with several kinds of children, of which nobody says the order."""
    for element in root.iter(etree.Element):
        kinds = {etree.QName(child).localname for child in element.iterchildren(etree.Element)}
        if short(element)[0] != "?" and len(kinds) > 1 and short(element) not in ORDER:
            yield short(element)


def labels_astray(root):
    """Labels that stand where their kind of chart has none."""
    for chart in root.iter(etree.Element):
        if short(chart) not in LABELS_OF:
            continue
        grouping = next((one.get("val") for one in chart if short(one) == "c:grouping"), "")
        for one in chart.iter(etree.Element):
            if short(one) == "c:dLblPos" and one.get("val") not in LABELS_OF[short(chart)].get(
                grouping, set()
            ):
                yield f"a label at {one.get('val')} of a {grouping} {short(chart)}"


def faults(path):
    """What is wrong with a presentation, in words."""
    with zipfile.ZipFile(path) as packed:
        parts = {name: packed.read(name) for name in packed.namelist()}
        if packed.testzip():
            yield "damaged"
    roots = {name: etree.fromstring(data) for name, data in parts.items() if name.endswith((".xml", ".rels"))}
    types = roots["[Content_Types].xml"]
    by_end = {one.get("Extension") for one in types.findall(f"{{{TYPES}}}Default")}
    by_name = {one.get("PartName") for one in types.findall(f"{{{TYPES}}}Override")}
    for name in parts:
        if (
            name != "[Content_Types].xml"
            and f"/{name}" not in by_name
            and name.rsplit(".", 1)[-1] not in by_end
        ):
            yield f"{name} has no type"
    for name in by_name:
        if name.lstrip("/") not in parts:
            yield f"a type is of no part: {name}"
    reached = set()
    for name, root in roots.items():
        if not name.endswith(".rels"):
            continue
        of = posixpath.normpath(posixpath.join(posixpath.dirname(name), ".."))
        ids = Counter(one.get("Id") for one in root)
        if max(ids.values(), default=1) > 1:
            yield f"{name}: an id twice"
        for one in root:
            target = one.get("Target")
            found = (
                target.lstrip("/")
                if target.startswith("/")
                else posixpath.normpath(posixpath.join(of, target))
            )
            reached.add(found)
            if one.get("TargetMode") == "External":
                yield f"{name} leads out of the file: {target}"
            elif found not in parts:
                yield f"{name} leads to no part: {target}"
        owner = posixpath.join(of, posixpath.basename(name).removesuffix(".rels"))
        if owner in roots:
            used = {
                value for one in roots[owner].iter() for key, value in one.items() if key.startswith(LINK)
            }
            if not used <= set(ids):
                yield f"{owner} uses a link that it does not have"
    for name in parts:
        if name not in reached and not name.endswith(".rels") and name != "[Content_Types].xml":
            yield f"nothing leads to {name}"
    for name, root in roots.items():
        yield from (f"{name}: {fault}" for fault in (*out_of_order(root), *labels_astray(root)))
        if name.startswith(("ppt/slides/slide", "ppt/charts/chart")):
            yield from (f"{name}: no order is known of {key}" for key in set(of_no_order(root)))
        if name.startswith("ppt/slides/slide"):
            told = [one for one in root.iter(etree.Element) if short(one) == "p:cNvPr"]
            for key in ("id", "name"):
                if len({one.get(key) for one in told}) < len(told):
                    yield f"{name}: a shape's {key} twice"
        for one in root.iter(etree.Element):
            key = short(one)
            if key in ("c:axId", "c:crossAx") and not 0 <= int(one.get("val")) < 2**31:
                yield f"{name}: number of an axis {one.get('val')}"
            for size in ("cx", "cy", "w", "h", "x", "y", "sz"):
                text = None if key == "p:ph" else one.get(size)
                if text is not None and not re.fullmatch(r"-?\d+", text):
                    yield f"{name}: {key} {size}={text}"
                elif text is not None and size in ("cx", "cy", "h") and int(text) < 0:
                    yield f"{name}: {key} of negative size"


@pytest.mark.long
def test_the_demo_like_deck_has_no_fault(tmp_path):
    evaluation = two_clusters_evaluated()
    for days, told in ((0, two_clusters_sensitivity()), (200, None)):
        written_s = evaluation.project.plan_window.end_s + days * 86_400
        write_brief_pptx(brief_of(evaluation, written_s, "1", told), tmp_path / "brief.pptx")
        assert list(faults(tmp_path / "brief.pptx")) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(24), quick=1))
def test_decks_of_every_kind_have_no_fault(seed, tmp_path):
    write_brief_pptx(brief_of(evaluation_of(random_case(seed)), 1_767_916_800, "1"), tmp_path / "brief.pptx")
    assert list(faults(tmp_path / "brief.pptx")) == []


@pytest.mark.long
@pytest.mark.parametrize(
    ("before", "after"),
    some_of(
        [
            (b"<a:tcPr", b"<a:tcPr><a:extLst/><a:noFill/></a:tcPr><a:tcPr"),
            (b'<p:cNvPr id="3"', b'<p:cNvPr id="2"'),
            (b"<p:clrMapOvr>", b"<p:extLst/><p:clrMapOvr>"),
            (b' r:id="rId2"', b' r:id="rId99"'),
            (b"<p:nvPr/>", b"<p:nvPr/><p:cNvPr/>"),
        ],
        quick=1,
    ),
)
def test_a_fault_is_found(before, after, tmp_path):
    """The check itself: a slide that was damaged on purpose."""
    whole, bad = tmp_path / "brief.pptx", tmp_path / "bad.pptx"
    evaluation = two_clusters_evaluated()
    write_brief_pptx(brief_of(evaluation, 1_767_916_800, "1"), whole)
    with zipfile.ZipFile(whole) as parts, zipfile.ZipFile(bad, "w") as out:
        for name in parts.namelist():
            data = parts.read(name)
            if name.startswith("ppt/slides/slide"):
                data = data.replace(before, after)
            out.writestr(name, data)
    assert list(faults(bad))


def test_a_label_where_its_chart_has_none_is_found():
    space = f'xmlns:c="{SCHEMAS}drawingml/2006/chart"'
    chart = '<c:barChart {}><c:grouping val="{}"/><c:dLbl><c:dLblPos val="outEnd"/></c:dLbl></c:barChart>'
    found = [
        list(labels_astray(etree.fromstring(chart.format(space, kind)))) for kind in ("clustered", "stacked")
    ]
    assert found == [[], ["a label at outEnd of a stacked c:barChart"]]
