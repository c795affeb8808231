"""UIMA CAS as JSON and XMI: layers, features, offsets in UTF-16, what is not measured, what is hostile."""

import copy
import json
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.readers.exports.span_scores import is_read_or_refused

from assent.errors import MissingDependency, UnreadableFile
from assent.readers.exports.cas import is_cas_json, parse_cas_json, parse_cas_xmi

TEXT = "😀 Mira Okafor left Lindau 🏠."
NER = "de.tudarmstadt.ukp.dkpro.core.api.ner.type.NamedEntity"
TOKEN = "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.Token"


def declared(name: str, parent: str, **features: str) -> dict:
    return {"%NAME": name, "%SUPER_TYPE": parent, **{f: {"%NAME": f, "%RANGE": r} for f, r in features.items()}}


TYPES = {
    t["%NAME"]: t
    for t in (
        declared(NER, "uima.tcas.Annotation", value="uima.cas.String", identifier="uima.cas.String"),
        declared(TOKEN, "uima.tcas.Annotation", order="uima.cas.Integer"),
        declared("custom.Dep", "uima.tcas.Annotation", Governor=TOKEN, Dependent=TOKEN, kind="uima.cas.String"),
        declared("custom.CorefLink", "uima.tcas.Annotation", next="custom.CorefLink", referenceType="uima.cas.String"),
        declared("custom.CorefChain", "uima.cas.AnnotationBase", first="custom.CorefLink"),
        declared(
            "custom.Host",
            "uima.tcas.Annotation",
            links="custom.Link[]",
            sure="uima.cas.Boolean",
            score="uima.cas.Double",
        ),
        declared("custom.Link", "uima.cas.TOP", role="uima.cas.String", target="uima.tcas.Annotation"),
        declared("custom.Tags", "uima.tcas.Annotation", tags="uima.cas.String[]"),
        declared("custom.Tone", "uima.cas.AnnotationBase", tone="uima.cas.String"),
        declared("custom.SubEntity", NER, extra="uima.cas.String"),
    )
}


def cas(*structures: dict, text: str = TEXT, types: dict | None = TYPES) -> dict:
    made = [
        {
            "%ID": 1,
            "%TYPE": "uima.cas.Sofa",
            "sofaNum": 1,
            "sofaID": "_InitialView",
            "mimeType": "text",
            "sofaString": text,
        }
    ]
    made += [{"%ID": n, "@sofa": 1, **one} for n, one in enumerate(structures, 2)]
    members = [one["%ID"] for one in made[1:] if not one.get("hidden")]
    for one in made:
        one.pop("hidden", None)
    whole = {"%FEATURE_STRUCTURES": made, "%VIEWS": {"_InitialView": {"%SOFA": 1, "%MEMBERS": members}}}
    return whole if types is None else {"%TYPES": types, **whole}


def parsed(data: dict):
    return parse_cas_json(json.dumps(data).encode(), "a file")


def span(name: str, begin: int, end: int, /, **features: object) -> dict:
    return {"%TYPE": name, "begin": begin, "end": end, **features}


def test_spans_and_their_features_in_code_points():
    found = parsed(
        cas(span(NER, 3, 14, value="PER"), span(NER, 20, 26, value="LOC", identifier="Q1"), span(NER, 27, 29))
    )
    layer = found.layers[NER]
    assert layer.features == ["value", "identifier"]
    assert [(TEXT[b:e], v) for b, e, v in layer.spans] == [
        ("Mira Okafor", ("PER", "")), ("Lindau", ("LOC", "Q1")), ("🏠", ("", ""))
    ]  # fmt: skip
    assert found.wide
    assert found.text == TEXT


def test_structure_of_the_text_is_no_layer():
    structures = [span(TOKEN, 3, 7), {"%TYPE": "uima.tcas.DocumentAnnotation", "begin": 0, "end": 29, "language": "en"}]
    assert parsed(cas(*structures)).layers == {}


def test_relations_chains_and_slots_are_counted():
    found = parsed(
        cas(
            span(TOKEN, 3, 7),
            span(TOKEN, 8, 14),
            {**span("custom.Dep", 8, 14, kind="X"), "@Governor": 2, "@Dependent": 3},
            {**span("custom.CorefLink", 3, 7, referenceType="p"), "@next": 6},
            span("custom.CorefLink", 8, 14, referenceType="p"),
            {"%TYPE": "custom.CorefChain", "@first": 5},
            {**span("custom.Host", 3, 7, sure=True, score=0.5), "@links": 9},
            {"%TYPE": "custom.Link[]", "%ELEMENTS": [10, 11], "hidden": True},
            {"%TYPE": "custom.Link", "role": "a", "@target": 2, "hidden": True},
            {"%TYPE": "custom.Link", "role": "b", "@target": 3, "hidden": True},
        )
    )
    assert found.unmeasured == {
        ("relations", "custom.Dep"): 1,
        ("links of chains", "custom.CorefLink"): 2,
        ("slots", "custom.Host"): 2,
    }
    assert list(found.layers) == ["custom.Host"]
    assert found.layers["custom.Host"].spans == [(2, 6, ("true", "0.5"))]


def test_several_values_of_one_feature():
    structures = [
        {**span("custom.Tags", 3, 7), "@tags": 3},
        {"%TYPE": "uima.cas.String[]", "%ELEMENTS": ["b", "a"], "hidden": True},
    ]
    assert parsed(cas(*structures)).layers["custom.Tags"].spans == [(2, 6, ("a | b",))]


def test_layers_of_documents():
    found = parsed(cas({"%TYPE": "custom.Tone", "tone": "formal"}, {"%TYPE": "custom.Tone"}))
    assert found.layers["custom.Tone"].whole == [(("formal",),), ((),)]


def test_inherited_features_and_a_super_type_far_away():
    found = parsed(cas(span("custom.SubEntity", 3, 7, value="PER", extra="x")))
    assert found.layers["custom.SubEntity"].features == ["value", "identifier", "extra"]


def test_without_types():
    found = parsed(cas(span(NER, 3, 7, value="PER"), {"%TYPE": "custom.Tone", "tone": "formal"}, types=None))
    assert found.layers[NER].spans == [(2, 6, ("PER",))]
    assert found.layers["custom.Tone"].whole == [(("formal",),)]


def test_structures_as_an_object():
    data = cas(span(NER, 3, 7, value="PER"))
    data["%FEATURE_STRUCTURES"] = {str(one.pop("%ID")): one for one in data["%FEATURE_STRUCTURES"]}
    assert parsed(data).layers[NER].spans == [(2, 6, ("PER", ""))]


def test_a_structure_that_is_not_in_the_view_was_deleted():
    assert parsed(cas({**span(NER, 3, 7, value="PER"), "hidden": True})).layers == {}


def test_impossible_places():
    found = parsed(cas(span(NER, 3, 99), span(NER, 9, 3), span(NER, -1, 3), span(NER, 3, 3)))
    assert found.impossible == {NER: 3}
    assert found.layers[NER].spans == [(2, 2, ("", ""))]


def test_recognised():
    assert is_cas_json(json.dumps(cas()).encode())
    assert is_cas_json(b'\xef\xbb\xbf{ "%TYPES" : { ')
    assert not is_cas_json(b'{"types": 1}')
    assert not is_cas_json(b'["%VIEWS"]')


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"{", "is not valid JSON"),
        (b"\xff\xff", "is not valid JSON"),
        (b"[]", "it is no object"),
        (b"{}", "there are no feature structures"),
        (b'{"%FEATURE_STRUCTURES": [1], "%VIEWS": {}}', "has no number"),
        (b'{"%FEATURE_STRUCTURES": [], "%VIEWS": []}', "there are no views"),
        (b'{"%FEATURE_STRUCTURES": [], "%VIEWS": {"v": 1}}', "there are no views"),
        (b'{"%FEATURE_STRUCTURES": [], "%VIEWS": {"v": {"%MEMBERS": ["x"]}}}', "no list of numbers"),
        (b'{"%FEATURE_STRUCTURES": [{"%ID": 1}], "%VIEWS": {"v": {"%SOFA": 1, "%MEMBERS": [1]}}}', "has no type"),
        (b'{"%FEATURE_STRUCTURES": [{"%ID": 1, "sofaString": 3}], "%VIEWS": {"v": {"%SOFA": 1}}}', "is no text"),
        (b'{"%TYPES": 1, "%FEATURE_STRUCTURES": [], "%VIEWS": {"v": {}}}', "the types are no object"),
        (b'{"%TYPES": {"a": 1}, "%FEATURE_STRUCTURES": [], "%VIEWS": {"v": {}}}', 'the type "a" is no object'),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_refused(data, said):
    with pytest.raises(UnreadableFile, match=said):
        parse_cas_json(data, "a file")


def test_a_type_that_is_its_own_ancestor():
    types = {"a.A": declared("a.A", "a.B"), "a.B": declared("a.B", "a.A")}
    assert parsed(cas(span("a.A", 3, 7), types=types)).layers["a.A"].spans == [(2, 6, ())]


VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-5, 40)
    | st.floats()
    | st.text(max_size=3)
    | st.lists(st.integers(), max_size=2)
)


@given(st.data())
def test_broken_structures_are_read_or_refused(data):
    whole = copy.deepcopy(
        cas(
            span(NER, 3, 7, value="PER"),
            {**span("custom.Host", 3, 7), "@links": 4},
            {"%TYPE": "custom.Link[]", "%ELEMENTS": [2]},
        )
    )
    for _ in range(data.draw(st.integers(1, 3))):
        node = whole
        for _ in range(data.draw(st.integers(0, 3))):
            keys = [
                k
                for k in (node if isinstance(node, dict) else range(len(node)))
                if isinstance(node[k], dict | list) and node[k]
            ]
            if not keys:
                break
            node = node[data.draw(st.sampled_from(keys))]
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        if keys:
            node[data.draw(st.sampled_from(keys))] = data.draw(VALUES)
    assert is_read_or_refused(lambda: parsed(whole))


# --- XMI ------------------------------------------------------------------------------------------------------------


def made_with_cassis() -> tuple[bytes, bytes, bytes]:
    """Return a CAS that dkpro-cassis made as XMI, its type system, and the same CAS as JSON."""
    cassis = pytest.importorskip("cassis")
    types = cassis.TypeSystem()
    entity = types.create_type(name=NER)
    types.create_feature(domainType=entity, name="value", rangeType="uima.cas.String")
    types.create_feature(domainType=entity, name="identifier", rangeType="uima.cas.String")
    token = types.create_type(name=TOKEN)
    relation = types.create_type(name="custom.Dep")
    types.create_feature(domainType=relation, name="Governor", rangeType=TOKEN)
    types.create_feature(domainType=relation, name="Dependent", rangeType=TOKEN)
    tone = types.create_type(name="custom.Tone", supertypeName="uima.cas.AnnotationBase")
    types.create_feature(domainType=tone, name="tone", rangeType="uima.cas.String")
    tags = types.create_type(name="custom.Tags")
    types.create_feature(domainType=tags, name="tags", rangeType="uima.cas.StringArray")
    made = cassis.Cas(types)
    made.sofa_string = TEXT
    made.sofa_mime = "text/plain"
    tokens = [token(begin=2, end=6), token(begin=7, end=13)]
    array = types.get_type("uima.cas.StringArray")(elements=["b", "a"])
    made.add_all([
        *tokens, entity(begin=2, end=13, value="PER"), entity(begin=2, end=13, value="PER"), entity(begin=19, end=25, value="LOC", identifier="Q1"),
        relation(begin=7, end=13, Governor=tokens[0], Dependent=tokens[1]), tags(begin=2, end=6, tags=array),
        tone(tone="formal"),
    ])  # fmt: skip
    return made.to_xmi().encode(), types.to_xml().encode(), made.to_json().encode()


def test_xmi_and_json_of_one_cas_are_read_alike():
    xmi, types, data = made_with_cassis()
    of_xmi, of_json = parse_cas_xmi(xmi, types, "a file"), parse_cas_json(data, "a file")
    assert sorted(of_xmi.layers) == sorted(of_json.layers) == ["custom.Tags", "custom.Tone", NER]
    for name, layer in of_json.layers.items():
        other = of_xmi.layers[name]
        order = [other.features.index(f) for f in layer.features]
        assert sorted(layer.spans) == sorted((b, e, tuple(v[n] for n in order)) for b, e, v in other.spans)
        assert layer.whole == other.whole
    assert [(TEXT[b:e], v[of_json.layers[NER].features.index("value")]) for b, e, v in sorted(of_json.layers[NER].spans)] == [
        ("Mira Okafor", "PER"), ("Mira Okafor", "PER"), ("Lindau", "LOC")
    ]  # fmt: skip
    assert of_xmi.unmeasured == of_json.unmeasured == {("relations", "custom.Dep"): 1}
    assert of_xmi.wide
    assert of_json.wide


@pytest.mark.parametrize(
    "prolog",
    ['<!DOCTYPE a [<!ENTITY b "c">]>', "<!doctype a>", '<! DOCTYPE a SYSTEM "file:///etc/passwd">'],
)
def test_a_document_type_is_refused_unopened(prolog, monkeypatch):
    monkeypatch.setitem(sys.modules, "cassis", None)
    xmi = b"<?xml version='1.0'?>" + prolog.encode() + b"<xmi:XMI/>"
    for one, other in ((xmi, b"<types/>"), (b"<xmi:XMI/>", xmi)):
        with pytest.raises(UnreadableFile, match="declares an XML document type"):
            parse_cas_xmi(one, other, "a file")


def test_a_document_type_in_two_bytes_a_character_is_refused(monkeypatch):
    monkeypatch.setitem(sys.modules, "cassis", None)
    with pytest.raises(UnreadableFile, match="not UTF-8"):
        parse_cas_xmi('<?xml version="1.0"?><!DOCTYPE a><a/>'.encode("utf-16"), b"<types/>", "a file")
    with pytest.raises(UnreadableFile, match="not UTF-8"):
        parse_cas_xmi('<?xml version="1.0"?><!DOCTYPE a><a/>'.encode("utf-16-be"), b"<types/>", "a file")


def test_without_the_type_system():
    with pytest.raises(UnreadableFile, match=r"without its TypeSystem\.xml.*UIMA CAS JSON"):
        parse_cas_xmi(b"<xmi:XMI/>", None, "a file")


def test_without_the_package(monkeypatch):
    monkeypatch.setitem(sys.modules, "cassis", None)
    with pytest.raises(MissingDependency, match=r'pip install "assent\[uima\]", or export again with UIMA CAS JSON'):
        parse_cas_xmi(b"<xmi:XMI/>", b"<types/>", "a file")


@given(
    st.integers(0, 3000),
    st.integers(0, 30),
    st.sampled_from([b"", b"<", b"&x;", b"9999999", b'"', b"\xff", b'begin="x"']),
)
def test_broken_xmi_is_read_or_refused(at, gone, new):
    xmi, types, _ = made_with_cassis()
    assert is_read_or_refused(lambda: parse_cas_xmi(xmi[:at] + new + xmi[at + gone :], types, "a file"))
