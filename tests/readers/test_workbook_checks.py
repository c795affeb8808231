"""Workbooks that ask for more memory than their file makes believe are refused before they are read; spoilt ones in one sentence."""

from __future__ import annotations

import contextlib
import io
import random
import re
import zipfile
from collections.abc import Callable

import pytest
from tests.readers.workbooks import cell, sheet_of, workbook

import assent
from assent.errors import AssentError, UnreadableFile
from assent.limits import LARGEST_SHEET
from assent.readers import workbook_checks
from assent.readers.exports.sources import Source
from assent.readers.workbook_checks import workbook_fault
from assent.web.uploads import uploads_of

TABLE = [["item", "p0", "p1"], *([f"i{row}", "yn"[row % 2], "yn"[row % 3 == 0]] for row in range(7))]
ROWS = "".join(
    f'<row r="{row}">{"".join(cell(f"{column}{row}", text) for column, text in zip("ABC", texts, strict=True))}</row>'
    for row, texts in enumerate(TABLE, 1)
)
FAR = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'


def fault(content: bytes) -> str | None:
    return workbook_fault(io.BytesIO(content))


def test_a_workbook_written_by_hand_is_read() -> None:
    assert assent.read(io.BytesIO(workbook(sheet_of(ROWS))), format="xlsx").n_items == 7


@pytest.mark.parametrize(
    "rows",
    [
        FAR,
        FAR.replace('"', "'"),
        FAR.replace("=", " =\n "),
        FAR.lower(),
        FAR.replace("<c ", '<x:c s="1" '),
        '<row r="99999999"><c r="B99999999"><v>1</v></c></row>',
        '<row r="4294967295"><c><v>1</v></c></row>',
        "<row/>" * 10_000 + "<row>" + "<c/>" * 9_999 + "<c><v>1</v></c></row>",
        "<row s='1' />" * 10_000 + "<row>" + '<c s="3" t = "n"/>' * 10_000 + "</row>",
    ],
    ids=["far", "apostrophes", "spaces", "small letters", "prefix", "deep", "row alone", "no places", "styles alone"],
)
@pytest.mark.parametrize("place", ["worksheets/sheet1.xml", "worksheets/SHEET1.XML", "media/image1.png"])
def test_cells_that_stand_too_far_away_are_found_however_they_are_spelled(rows: str, place: str) -> None:
    content = workbook(sheet_of(ROWS + rows), place=place)
    assert len(content) < 5_000
    assert "which is too much to hold: delete the cells that stand apart" in str(fault(content))
    with pytest.raises(UnreadableFile, match=r"rows and [0-9,]+ columns, empty ones included"):
        assent.read(io.BytesIO(content), format="xlsx")


@pytest.mark.parametrize("places", [True, False])
def test_only_cells_and_rows_have_a_place(monkeypatch: pytest.MonkeyPatch, places: bool) -> None:
    """What a sheet says beside its cells is no cell, whatever its attributes end in: rules of validation, formats, widths, breaks."""
    monkeypatch.setattr(workbook_checks, "LARGEST_SHEET", 30)
    rows = ROWS if places else re.sub(' r="[^"]*"', "", ROWS)
    sheet = sheet_of(rows).replace("<sheetData>", '<cols><col min="1" max="3" width="9"/></cols><sheetData>')
    beside = (
        '<conditionalFormatting sqref="B2:C8"><cfRule type="cellIs" priority="1" operator="lessThan"><formula>5</formula></cfRule>'
        '</conditionalFormatting><dataValidations count="1"><dataValidation type="whole" operator="between" error="Only whole numbers 99999999" '
        'sqref="B2"><formula1>1</formula1></dataValidation></dataValidations><pageSetup firstPageNumber="99999999"/>'
        '<colBreaks count="1"><brk id="99999999" max="1048575"/></colBreaks>'
    )
    content = workbook(sheet.replace("</worksheet>", f"{beside}</worksheet>"))
    assert fault(content) is None
    assert (
        assent.read(
            io.BytesIO(workbook(sheet_of(ROWS).replace("</worksheet>", f"{beside}</worksheet>"))), format="xlsx"
        ).n_items
        == 7
    )


def test_white_space_across_pieces_hides_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook_checks, "_PIECE", 1000)
    for far in (
        "<c {}r='XFD1048576'/>",
        "<c r{}='XFD1048576'/>",
        "<c r={}'XFD1048576'/>",
        "<c s='1'{}r='XFD1048576'/>",
    ):
        assert "too much to hold" in str(
            fault(workbook(sheet_of("<row r='1'>" + far.format("\n \t" * 5_000) + "</row>")))
        )


def test_sheets_without_places_of_cells_are_counted_row_by_row() -> None:
    rows = "<row><c><v>1</v></c><c><v>2</v></c></row>" * 20_000
    assert fault(workbook(sheet_of(rows))) is None
    assert 40_000 < LARGEST_SHEET < 20_000 * 40_000


def test_what_unpacks_to_gigabytes_is_refused_whatever_size_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workbook_checks, "FREE", 1 << 20)
    content = bytearray(workbook(sheet_of(ROWS), texts=f"<si><t>{'a' * (2 << 20)}</t></si>"))
    assert "unpacks to more than 200 times its size" in str(fault(bytes(content)))
    # Many parts unpack to as much as a large one.
    parts = io.BytesIO()
    with zipfile.ZipFile(parts, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(3):
            archive.writestr(f"{number}.xml", "a" * (1 << 19))
    assert "unpacks to more than 200 times its size" in str(fault(parts.getvalue()))
    # The size that the list of contents names is the only one that is known beforehand.
    at = content.rindex(b"PK\x01\x02")
    content[at + 24 : at + 28] = (100).to_bytes(4, "little")
    assert "unpacks to more than 200 times its size" in str(fault(bytes(content)))


def test_a_text_is_counted_as_often_as_cells_name_it(monkeypatch: pytest.MonkeyPatch) -> None:
    named = "".join(f'<row r="{row}"><c r="A{row}" t="s"><v>{row % 2}</v></c></row>' for row in range(1, 3_001))
    texts = f"<si><t>a</t></si><si><t>{'b' * (2 << 20)}</t></si>"
    assert "repeats its texts" in str(fault(workbook(sheet_of(named), texts)))
    # An end of a text may be written where it is none, and a text may be empty.
    assert "repeats its texts" in str(
        fault(workbook(sheet_of(named), f"<si><t><![CDATA[{'</si>' * (1 << 19)}]]></t></si>" + texts))
    )
    assert "repeats its texts" in str(fault(workbook(sheet_of(named), "<!--</si>--><?a </si>?><si/>" + texts[17:])))
    # The number of a text may stand where it is not looked for.
    hidden = named.replace("<v>1</v>", '<v a="b">1</v>')
    assert "repeats its texts" in str(fault(workbook(sheet_of(hidden), texts)))
    # Texts are measured one by one: that a long one stands beside many short ones is nothing.
    once = named.replace("<v>1</v>", "<v>0</v>").replace("<v>0</v>", "<v>1</v>", 3)
    assert fault(workbook(sheet_of(once), texts)) is None
    # So are texts that lie across the pieces in which a part is read.
    monkeypatch.setattr(workbook_checks, "_PIECE", 300)
    monkeypatch.setattr(workbook_checks, "SHEET_TEXTS", 0)
    lengths = [random.Random(7).randrange(900) for _ in range(50)]
    book = workbook(
        sheet_of('<row r="1">' + "".join(f'<c t="s"><v>{one}</v></c>' for one in (3, 3, 41)) + "</row>"),
        "".join(f"<si><t>{'x' * one}</t></si>" for one in lengths),
    )
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        sheet, texts_part = (archive.getinfo(f"xl/{one}.xml") for one in ("worksheets/sheet1", "sharedStrings"))
        told = workbook_checks._told(archive, [sheet], [texts_part])
    assert told == 2 * lengths[3] + lengths[41] + 3 * len("<si><t></t></si>")


def test_other_formats_in_the_clothes_of_a_workbook_are_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("xl/workbook.xml", "<a/>")
        archive.writestr("content.xml", "<a/>")
    assert "of another format" in str(fault(out.getvalue()))


@pytest.mark.parametrize("packed", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_archives_spoilt_anywhere_are_read_or_refused(packed: int) -> None:
    """Whoever opens an archive: the reader of workbooks, that of exports, and the page."""
    book, tables, dice = workbook(sheet_of(ROWS), packed=packed), io.BytesIO(), random.Random(packed)
    with zipfile.ZipFile(tables, "w", packed) as archive:
        archive.writestr("a.csv", "item,p0,p1\n" * 20)
        archive.writestr("b.csv", "item,p0,p1\n" * 20)
    for _ in range(500):
        fault(_spoilt(book, dice))
        _one_sentence(lambda: uploads_of("tables.zip", _spoilt(tables.getvalue(), dice)))
        _one_sentence(
            lambda: [one.content() for one in Source.of_bytes("export.zip", _spoilt(tables.getvalue(), dice))]
        )
    for _ in range(50):
        _one_sentence(lambda: assent.read(io.BytesIO(_spoilt(book, dice)), format="xlsx"))


def _spoilt(whole: bytes, dice: random.Random) -> bytes:
    """Return an archive with one byte changed, mostly in its list of contents."""
    spoilt = bytearray(whole)
    at = dice.randrange(0 if dice.random() < 0.2 else whole.index(b"PK\x01\x02"), len(whole))
    spoilt[at] = dice.choice((0, 1, 9, 0x63, 0xFF, spoilt[at] ^ 0x80))
    return bytes(spoilt)


def _one_sentence(read: Callable[[], object]) -> None:
    with contextlib.suppress(AssentError):
        read()
