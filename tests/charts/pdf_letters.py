"""What the text of a PDF by Qt can say: the letters that its fonts give for the glyphs that are drawn."""

import re
import zlib

_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.S)
_RANGE = re.compile(rb"\[((?: ?<[0-9A-F]+>)+ ?\])")
_CODE = re.compile(rb"<([0-9A-F]+)>")


def letters_of_fonts(pdf: bytes) -> list[list[str]]:
    r"""Of each font the letter of every glyph in it; "\0" for a glyph that nobody can copy, search or read aloud."""
    return [
        [
            bytes.fromhex(code.decode()).decode("utf-16-be")
            for codes in _RANGE.findall(table)
            for code in _CODE.findall(codes)
        ]
        for table in filter(lambda text: b"beginbfrange" in text, map(_plain, _STREAM.findall(pdf)))
    ]


def _plain(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream.strip(b"\r\n"))
    except zlib.error:
        return stream
