"""Write one page per coefficient and per consensus method from its own docstring, the index of the coefficients, and tables of other pages.

Run it after adding or changing one; a test fails while a page is out of date.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path

import assent
from assent.analyses.consensus import Method, all_methods
from assent.analyses.explain import EXPLAINED, EXPLAINERS_OF
from assent.references import REFERENCES
from assent.registry import Option

DOCS = Path(__file__).parent

#: The questions of the decision figure, from the top: what the labels are, and what to quote then.
DECISIONS = (
    ("Stretches of text with a label?", "Span F1", "beside it gamma"),
    ("Objects put in order, or one of two preferred?", "Mean Spearman,", "or preference agreement"),
    ("Several labels per annotation?", "Boot-match; augmented", "kappa if one of them is true"),
    ("Numbers, everyone rated everything?", "ICC (say which form)", "beside it alpha, interval scale"),
    ("Labels in order?", "the same as below,", "with scale ordinal"),
    ("Three or more annotators, or gaps?", "Krippendorff's alpha", "beside it Fleiss, AC"),
)
LAST = ("Two annotators, names", "Cohen's kappa", "beside it alpha, AC")


def decision_figure() -> str:
    """Return the figure that leads from the kind of data to the coefficient, narrow enough for a phone."""
    from xml.sax.saxutils import escape

    step, left, right = 78, 190, 216
    rows = [*DECISIONS, LAST]
    height = step * len(rows) + 10
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 410 {height}" width="410" height="{height}" '
        'font-family="sans-serif" font-size="12" role="img" aria-label="Which coefficient">',
        f'<rect width="410" height="{height}" fill="white"/>',
    ]
    for place, (question, quoted, beside) in enumerate(rows):
        top = 8 + place * step
        middle = top + 24
        last = place == len(rows) - 1
        words, lines = question.split(), [""]
        for word in words:
            if len(lines[-1]) + len(word) > 25:
                lines.append("")
            lines[-1] = f"{lines[-1]} {word}".strip()
        parts.append(
            f'<rect x="4" y="{top}" width="{left - 8}" height="48" rx="6" fill="{"#eef3f8" if not last else "#f4f4f4"}" stroke="#0072B2"/>'
        )
        first = middle + 4 - 8 * (len(lines) - 1)
        parts += [
            f'<text x="{left // 2}" y="{first + 16 * i}" text-anchor="middle" fill="#222">{escape(line)}</text>'
            for i, line in enumerate(lines)
        ]
        parts.append(f'<path d="M{left - 4} {middle}H{right}" stroke="#555" fill="none"/>')
        if not last:
            parts.append(
                f'<text x="{left + 10}" y="{middle - 5}" fill="#555" text-anchor="middle" font-size="10">yes</text>'
            )
            parts.append(f'<path d="M{left // 2} {top + 48}V{top + step}" stroke="#555" fill="none"/>')
            parts.append(f'<text x="{left // 2 + 6}" y="{top + 67}" fill="#555" font-size="10">no</text>')
        parts.append(f'<rect x="{right}" y="{top}" width="190" height="48" rx="6" fill="#fff7ec" stroke="#D55E00"/>')
        parts.append(f'<text x="{right + 8}" y="{middle - 3}" fill="#222" font-weight="bold">{escape(quoted)}</text>')
        parts.append(f'<text x="{right + 8}" y="{middle + 14}" fill="#444" font-size="11">{escape(beside)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


#: Colours that are told apart by everybody.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7")
#: Coefficients of the figure on prevalence.
COMPARED = ("brennan-prediger", "gwet-ac", "cohen-kappa")


def _lines(
    label: str,
    across: str,
    marks: Mapping[float, str],
    upward: Mapping[float, str],
    lines: Mapping[str, list[tuple[float, float]]],
) -> str:
    """Return a figure of lines as wide as a phone: `marks` and `upward` are the ends and steps of both axes, names stand at the lines' ends."""
    from xml.sax.saxutils import escape

    left, top, width, height = 46, 14, 250, 190
    low, high, least, most = min(marks), max(marks), min(upward), max(upward)

    def place(x: float, y: float) -> str:
        return f"{left + (x - low) / (high - low) * width:.1f},{top + (most - y) / (most - least) * height:.1f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 410 250" width="410" height="250" font-family="sans-serif" '
        f'font-size="12" role="img" aria-label="{escape(label)}"><rect width="410" height="250" fill="white"/>'
    ]
    for y, text in upward.items():
        x_1, y_1 = place(low, y).split(",")
        parts.append(f'<path d="M{x_1} {y_1}H{left + width}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{float(y_1) + 4}" text-anchor="end" fill="#444">{text}</text>')
    for x, text in marks.items():
        parts.append(
            f'<text x="{place(x, least).split(",")[0]}" y="{top + height + 16}" text-anchor="middle" fill="#444">{text}</text>'
        )
    parts.append(
        f'<text x="{left + width / 2}" y="{top + height + 34}" text-anchor="middle" fill="#222">{escape(across)}</text>'
    )
    below = 0.0
    order = sorted(zip(COLOURS, lines.items(), strict=False), key=lambda one: -one[1][1][-1][1])
    for colour, (name, points) in order:
        x_2, y_2 = place(*points[-1]).split(",")
        # Names of lines that end near each other stand one below the other.
        below = max(float(y_2) + 4, below + 14)
        path = " ".join(place(*one) for one in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.5"/>')
        parts.append(f'<text x="{float(x_2) + 7}" y="{below}" fill="{colour}" font-weight="bold">{escape(name)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def prevalence_figure() -> str:
    """Return the figure of coefficients of tables with 85 % agreement, over the share of the frequent label."""
    shares = [share / 100 for share in range(50, 91, 2)]
    lines: dict[str, list[tuple[float, float]]] = {"Percent": [(share, 0.85) for share in shares]}
    for name in COMPARED:
        measure = assent.all_measures()[name]
        title = {"brennan-prediger": "Brennan-P.", "gwet-ac": "Gwet's AC1", "cohen-kappa": "kappa, alpha"}[name]
        lines[title] = []
        for share in shares:
            both = round(1000 * share) - 75
            table = assent.Annotations.from_contingency([[both, 75], [75, 850 - both]], labels=["yes", "no"])
            lines[title].append((share, measure(table).value))
    return _lines(
        "Four coefficients of two annotators who agree on 85 % of the items, by the share of the frequent label",
        "share of the more frequent label (85 % agree)",
        {0.5: "50 %", 0.6: "60 %", 0.7: "70 %", 0.8: "80 %", 0.9: "90 %"},
        {0.0: "0", 0.25: "0.25", 0.5: "0.5", 0.75: "0.75", 1.0: "1"},
        lines,
    )


def coverage_figure() -> str:
    """Return the figure of how often 95 % intervals hold the true value, from the table of the page on intervals."""
    text = (DOCS / "intervals.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| two labels 95:5, beyond chance .*?, (?:20 to )?(\d+) \|(.*)\|$", text, flags=re.MULTILINE)
    lines: dict[str, list[tuple[float, float]]] = {"etel": [], "analytic": [], "BCa": []}
    for place, (_, cells) in enumerate(rows):
        for points, share in zip(lines.values(), re.findall(r"(\d+)\*{0,2} \(", cells), strict=True):
            points.append((place, float(share)))
    return _lines(
        "How often a 95 % interval of alpha or kappa holds the true value, labels of 95:5",
        "items (labels of 95:5, alpha and kappas)",
        {place: f"{'20–30' if items == '30' else items}" for place, (items, _) in enumerate(rows)},
        {0.0: "0 %", 25.0: "25 %", 50.0: "50 %", 75.0: "75 %", 95.0: "95 %", 100.0: ""},
        lines,
    )


#: The example that a coefficient is worked out on, if not on a paradox of kappa, or on the example of its kind of data.
WORKED_OUT = {
    "krippendorff-alpha": "krippendorff",
    "fleiss-kappa": "fleiss",
    "conger-kappa": "dawid-skene",
    "van-oest": "krippendorff",
    "spa": "sparse-crowd",
    "spa-kappa": "sparse-crowd",
    "icc": "shrout-fleiss",
    "lin-concordance": "bland-altman",
}


def page(measure: assent.Measure) -> str:
    """Return the Markdown page of a measure."""
    facts = [
        f"`assent measure FILE --measure {measure.name}`, in Python `assent.{measure.name.replace('-', '_')}(data)`.",
        "Takes sets of labels; a single label is a set of one."
        if measure.label_sets
        else f"{'Scales' if measure.kind == 'labels' else 'Takes'}: {_takes(measure)}.",
    ]
    if measure.name in (*EXPLAINED, *(name for known in EXPLAINERS_OF.values() for name in known)):
        shown = WORKED_OUT.get(measure.name, {"labels": "paradox1"}.get(measure.kind, measure.kind))
        facts.append(
            f"With all its numbers: `assent explain --example {shown} -m {measure.name}` ([teaching](../teaching.md))."
        )
    return _page(measure.title, measure.text, facts, _options(measure.parameters))


def _takes(measure: assent.Measure) -> str:
    """Return the levels of measurement of a measure of labels, or what other data it is about."""
    if measure.label_sets:
        return "sets of labels"
    return ", ".join(measure.scales) if measure.kind == "labels" else measure.kind


def _options(parameters: Mapping[str, Option]) -> list[str]:
    """Return a line for every option: its flag, what it does, and what it takes, the default first."""
    lines = []
    for name, option in parameters.items():
        default, *others = [f"`{one}`" for one in option.choices] or [option.takes.values]
        takes = ", ".join([f"{default} (default)", *others]) if others else default
        lines.append(f"- `--{name.replace('_', '-')}`: {option.takes.help} Values: {takes}.")
    return lines


def method_page(method: Method) -> str:
    """Return the Markdown page of a consensus method."""
    facts = [
        f'`assent consensus FILE --method {method.name}`, in Python `assent.consensus(data, "{method.name}")`.',
        "Takes sets of labels apart." if method.takes_sets else "Of several labels, a whole set counts as one label.",
    ]
    works = "; ".join(REFERENCES[key].text for key in method.references)
    facts += [f"Defined by {works}"] if works else []
    return _page(method.title, method.text, facts, _options(method.parameters))


def _page(title: str, text: str, facts: list[str], options: list[str]) -> str:
    """Put together a page of what a docstring says, with its headings and examples."""
    text = re.sub(r"^(.+)\n-{3,}$", r"## \1", text, flags=re.MULTILINE)
    summary, _, rest = text.partition("\n\n")
    if options:
        facts = [*facts, "Options:\n\n" + "\n".join(options)]
    rest = re.sub(r"(?<=## References\n)(.+\n)+", _listed, rest)
    rest = re.sub(r"^(>>>.*(?:\n(?!\n).*)*)", r"```python\n\1\n\n```", rest, flags=re.MULTILINE)
    return f"# {title}\n\n{' '.join(summary.split())}\n\n" + "\n\n".join(facts) + f"\n\n{rest.strip()}\n"


def _listed(works: re.Match[str]) -> str:
    """Return works as a list with links; each begins on a line that has its year."""
    linked = re.sub(r"https://\S+[^\s.,;)]", r"<\g<0>>", works[0])
    return "\n" + re.sub(r"^(?=.*\(\d{4}\w?\))", "- ", linked, flags=re.MULTILINE)


#: What coefficients are about, in the order of the page.
ABOUT = ("labels", "numbers", "sets of labels", "spans", "rankings", "preferences", "best-worst")


def _about(measure: assent.Measure) -> str:
    """Return what a measure is about, as a heading of the index."""
    if measure.kind != "labels":
        return measure.kind
    return "sets of labels" if measure.label_sets else "numbers" if set(measure.scales) == {"interval"} else "labels"


def index() -> str:
    """Return the list of all measures, by what they are about."""
    # A kind that a package of its own brings stands last.
    found = sorted(assent.all_measures().values(), key=lambda one: [*ABOUT, _about(one)].index(_about(one)))
    parts = []
    for about in dict.fromkeys(map(_about, found)):
        rows = "\n".join(
            f"| [{one.name}](measures/{one.name}.md) | {one.summary}{_scales(one)} | {'; '.join(REFERENCES[key].short for key in one.references)} |"
            for one in found
            if _about(one) == about
        )
        parts.append(
            f"## {about[0].upper()}{about[1:]}\n\n| name | what it is | defined by |\n|---|---|---|\n{rows}\n\n"
        )
    return (
        "# The coefficients\n\n`assent measure FILE` chooses what fits the data and says why. `--measure NAME` asks for one of these; "
        "those of labels take every [scale](scales.md) unless it is said.\n\n"
        + "".join(parts)
        + "```{toctree}\n:hidden:\n\n"
        + "\n".join(f"measures/{one.name}" for one in found)
        + "\n```\n"
    )


def _scales(measure: assent.Measure) -> str:
    """Return the scale of a measure of labels, if it takes no other."""
    return f" On a {measure.scales[0]} scale alone." if _about(measure) == "labels" and len(measure.scales) == 1 else ""


#: Headings of the API page, and which public names stand below; classes that are left are results.
API = {
    "Commands as functions": (
        "look", "report", "measure", "explain", "advise", "items", "annotators", "labels", "ceiling", "judge", "repeat", "compare", "consensus",
        "sweep", "plan", "monitor", "serve",
    ),
    "Reading": ("read", "read_all"),
    "Data": ("Annotations", "Spans", "Rankings", "Preferences", "BestWorst", "Dropped"),
    "Further functions": (
        "difference", "interpret", "findings", "missingness", "coincidences", "self_consistency", "strengths", "consistency", "all_measures",
    ),
    "What a coefficient returns": ("Agreement", "Interval", "PairAgreement", "Difference", "Measure", "Components"),
    "Errors": ("AssentError", "InputError", "OptionError"),
}  # fmt: skip


def api() -> str:
    """Return the page of all public names."""
    import inspect

    measures = [one.name for one in assent.all_measures().values()]
    named = {name for some in API.values() for name in some}
    rest = sorted(
        name
        for name in assent.__all__
        if name not in named and name != "__version__" and inspect.isclass(getattr(assent, name))
    )
    parts = [
        "# API",
        "All public names. A command and its function have one name: `assent items FILE` is `assent.items(data)`, and `--json` prints its "
        "`to_dict()`. Data are a path, a DataFrame, (annotator, item, label) triples, a 2-D array of items x annotators, or an `Annotations`.",
        "Every result is a document: `print(result)`, `result.text()`, `html()`, `markdown()`, `latex()`, `json()`, `to_dict()`, "
        '`save("result.html")`; a notebook shows it as a page.',
        "## Coefficients",
        "Each is a function `assent.NAME(data, **options)` that returns an `Agreement`: "
        + ", ".join(f"[{name.replace('-', '_')}](measures/{name}.md)" for name in measures)
        + ".",
    ]
    for heading, names in {**API, "Results": rest}.items():
        parts.append(f"## {heading}")
        parts += [_described(name) for name in names]
    return "\n\n".join(parts) + "\n"


def _described(name: str) -> str:
    """Return the directive for a public name."""
    import inspect

    kind = "autoclass" if inspect.isclass(getattr(assent, name)) else "autofunction"
    # What every result has stands at the head of the page.
    members = "\n   :members:\n   :inherited-members: Result, Record, Struct, Exception" if kind == "autoclass" else ""
    return f"### {name}\n\n```{{eval-rst}}\n.. {kind}:: assent.{name}{members}\n```"


def examples(made: bool) -> str:
    """Return the table of the examples: those made by code, or the published ones."""
    from assent.examples import EXAMPLES

    some = [one for one in EXAMPLES.values() if bool(one.source) is not made]
    head = "| name | what is in it |\n|---|---|" if made else "| name | what is in it | source |\n|---|---|---|"
    rows = [f"| `{one.name}` | {one.title}. {one.story} |" + ("" if made else f" {one.source} |") for one in some]
    return "\n".join([head, *rows])


def teaching() -> str:
    """Return the page on teaching with the tables of the examples in their places."""
    text = (DOCS / "teaching.md").read_text(encoding="utf-8")
    for name in ("published", "made"):
        pattern = rf"(<!-- examples {name} -->\n).*?(\n<!-- end -->)"
        text = re.sub(pattern, partial(_between, examples(name == "made")), text, flags=re.DOTALL)
    return text


def words() -> str:
    """Return the table of the usual words for the size of a coefficient, with the bounds of each."""
    from assent.analyses.thresholds import BENCHMARKS
    from assent.text import chosen

    rows = []
    for one in BENCHMARKS.values():
        worst, *better = one.levels
        bounds = [f"{worst.word} {'below' if better[0].closed else 'up to'} {chosen(better[0].low)}"]
        bounds += [f"{level.word} {'from' if level.closed else 'above'} {chosen(level.low)}" for level in better]
        rows.append(f"| `{one.name}` | {one.source} | {', '.join(bounds)} |")
    return "\n".join(["| scale | source | words |", "|---|---|---|", *rows])


#: From the worst word to the best.
SHADES = ("#f3d9c4", "#f7ebc8", "#eef0d0", "#d9ead3", "#b9dcc0", "#93cba4")


def words_figure() -> str:
    """Return the figure of the words of the scales for coefficients of labels, one above the other, as wide as a phone."""
    from xml.sax.saxutils import escape

    from assent.analyses.thresholds import BENCHMARKS

    left, width, step = 10, 390, 52
    # The words of McBride's, which is for one coefficient of numbers alone, have no room between 0.9 and 1.
    scales = [one for one in BENCHMARKS.values() if one.name != "mcbride"]
    height = step * len(scales) + 26
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 410 {height}" width="410" height="{height}" font-family="sans-serif" '
        f'font-size="12" role="img" aria-label="Words for a coefficient"><rect width="410" height="{height}" fill="white"/>'
    ]
    for row, one in enumerate(scales):
        top = 6 + row * step
        parts.append(f'<text x="{left}" y="{top + 12}" fill="#222" font-weight="bold">{escape(one.source)}</text>')
        ends = [max(0.0, level.low) for level in one.levels[1:]]
        colours = [SHADES[round(place * (len(SHADES) - 1) / len(ends))] for place in range(len(one.levels))]
        named = (level.word for level in one.levels)
        for word, low, high, colour in zip(named, (0.0, *ends), (*ends, 1.0), colours, strict=True):
            # What begins below 0 and ends there has no room on the axis.
            if high > low:
                x, wide = left + low * width, (high - low) * width
                parts.append(
                    f'<rect x="{x:.1f}" y="{top + 18}" width="{wide:.1f}" height="24" fill="{colour}" stroke="white"/>'
                    f'<text x="{x + wide / 2:.1f}" y="{top + 34}" text-anchor="middle" fill="#222" font-size="10.5">{escape(word)}</text>'
                )
    parts += [
        f'<text x="{left + x * width:.1f}" y="{height - 8}" text-anchor="middle" fill="#444">{x:g}</text>'
        for x in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    ]
    return "\n".join([*parts, "</svg>"]) + "\n"


def meaning() -> str:
    """Return the page on what the number means, with the table of words in its place."""
    text = (DOCS / "meaning.md").read_text(encoding="utf-8")
    return re.sub(r"(<!-- words -->\n).*?(\n<!-- end -->)", partial(_between, words()), text, flags=re.DOTALL)


def _between(content: str, found: re.Match[str]) -> str:
    """Return what was found with new content between its two ends."""
    return f"{found[1]}{content}{found[2]}"


def pages() -> dict[Path, str]:
    """Return every generated page by its path."""
    made = {DOCS / "measures" / f"{one.name}.md": page(one) for one in assent.all_measures().values()}
    made[DOCS / "measures.md"] = index()
    made[DOCS / "api.md"] = api()
    made[DOCS / "teaching.md"] = teaching()
    made[DOCS / "meaning.md"] = meaning()
    made[DOCS / "choosing.svg"] = decision_figure()
    made[DOCS / "prevalence.svg"] = prevalence_figure()
    made[DOCS / "coverage.svg"] = coverage_figure()
    made[DOCS / "words.svg"] = words_figure()
    made |= {DOCS / "consensus" / f"{one.name}.md": method_page(one) for one in all_methods().values()}
    return made


if __name__ == "__main__":
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
