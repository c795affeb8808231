"""Google Forms: the sheet of responses as CSV."""

from __future__ import annotations

from itertools import islice

from assent.readers import detect_by_names
from assent.readers.exports._sheets import GRID, Sheet
from assent.readers.exports.delimited_rows import Rows
from assent.readers.exports.gathering import Gathering
from assent.readers.exports.model import Export
from assent.readers.exports.options import ReadOptions
from assent.readers.exports.registry import reader
from assent.readers.exports.sources import Member, Source

__all__ = ["GoogleForms"]

_TIME = frozenset({
    "timestamp", "zeitstempel", "horodateur", "marca temporal", "carimbo de data/hora", "tijdstempel",
    "informazioni cronologiche", "tidsstempel", "aikaleima", "sygnatura czasowa",
})  # fmt: skip
_ADDRESS = frozenset({
    "email address", "username", "email", "e-mail-adresse", "nutzername", "adresse e-mail", "nom d'utilisateur",
    "dirección de correo electrónico", "nombre de usuario", "endereço de e-mail", "e-mailadres", "indirizzo email",
})  # fmt: skip
#: What a form asks for who filled it in.
_NAMES = frozenset({
    "name", "your name", "full name", "your full name", "annotator", "annotator name", "rater", "coder", "ihr name", "dein name", "vollständiger name",
    "nom", "votre nom", "nombre", "tu nombre", "su nombre", "nombre completo", "nome", "seu nome", "il tuo nome", "naam", "uw naam", "imię",
    "имя", "ваше имя", "姓名", "名前", "氏名", "お名前", "이름",
})  # fmt: skip
_ABOUT = frozenset({"score", "punktzahl", "first name", "last name"})


#: So many rows show whether people have one row each.
_ROWS = 1_000


def _is_form(member: Member) -> bool:
    header = member.peek.header
    if not header or header[0].strip().lower() not in _TIME:
        return False
    grids = sum(GRID.match(name) is not None for name in header)
    if grids >= 2:
        return True
    # A column of items and one of labels have a row for each annotation.
    rows = all(any(detect_by_names.named(name, role) for name in header[2:]) for role in ("item", "label"))
    return len(header) > 3 and header[1].strip().lower() in _ADDRESS | _NAMES and not rows and _one_row_each(member)


def _one_row_each(member: Member) -> bool:
    """Return whether people have one row each or hardly more: who has a row for each item did not fill in a form."""
    who = [row[1].strip() for row in islice(Rows(member), _ROWS) if any(row) and row[1].strip()]
    return len(who) < 2 * len(set(who))


@reader(name="google-forms", title="Google Forms", rank=340)
class GoogleForms:
    """A time, perhaps an address, then one column a question or a row of a grid."""

    @staticmethod
    def recognises(source: Source) -> bool:
        """Return whether the first column is the time and others are rows of grids, or an address or a name follows."""
        return bool(source.members) and all(map(_is_form, source.members[:5]))

    @staticmethod
    def read(source: Source, options: ReadOptions) -> Export:
        """Return one question for each grid, and one for each group of columns with the same answers."""
        g = Gathering(options)
        sheet = Sheet(g, separator=", ")
        nameless = False
        count = 0
        for member in source.members:
            rows = Rows(member)
            low = [name.strip().lower() for name in rows.header]
            # An address tells people apart that have the same name.
            known = [n for names in (_ADDRESS, _NAMES) for n, name in enumerate(low) if name in names]
            who = next(iter(known), None)
            aside = {0, *known, *(n for n, name in enumerate(low) if name in _ABOUT)}
            sheet.columns([(n, name, name) for n, name in enumerate(rows.header) if n not in aside])
            for row in rows:
                if not any(row):
                    continue
                count += 1
                person = row[who].strip() if who is not None else ""
                nameless = nameless or not person
                sheet.response(row, person or f"response {count}")
        if nameless:
            g.note("The sheet does not say who responded: each such response counts as another annotator.")
        return sheet.finish("Google Forms")
