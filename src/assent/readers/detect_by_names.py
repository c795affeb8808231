"""What the name of a column says about its part in the table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

__all__ = [
    "annotates",
    "are_occasions",
    "begins",
    "counted_through",
    "find",
    "has_facts",
    "is_a_calendar",
    "is_a_decision",
    "is_a_flag",
    "is_a_grid",
    "is_a_question",
    "is_about_people",
    "is_generic",
    "is_identifier",
    "is_other",
    "is_score",
    "may_be_facts",
    "named",
    "named_twice",
    "names_a_decision",
    "names_a_grade",
    "names_a_key",
    "names_a_label",
    "names_a_percentage",
    "names_a_person",
    "names_a_prediction",
    "names_a_quality",
    "names_a_share",
    "names_a_summary",
    "names_agreement",
    "names_an_annotator",
    "names_frequencies",
    "names_respondents",
    "numbers_an_item",
    "speaks_of_labels",
    "stem",
    "sums_up",
]

# The likelier name comes first: a table with "item" and "id" has its items in "item".
_ROLES: dict[str, tuple[str, ...]] = {
    "item": (
        "item", "unit", "subject", "textid", "document", "doc", "example", "sample", "instance", "sentence", "post",
        "tweet", "commentid", "question", "image", "task", "target", "case", "record", "snippet", "passage", "segment",
        "utterance", "abstract", "article", "paper", "submission", "manuscript", "essay", "message", "patient", "object", "prompt", "conversation", "hit",
        "statement", "stimulus", "file", "row", "index", "idx", "qid", "id", "identifier",
        # German, French, Spanish, Italian, Portuguese, Dutch
        "dokument", "beispiel", "satz", "einheit", "fall", "élément", "exemple", "phrase", "unité", "elemento", "ejemplo",
        "unidad", "esempio", "frase", "exemplo", "unidade", "voorbeeld", "zin", "eenheid",
        "kennung", "identifiant", "identificador", "identificativo",
        # Polish, Russian, Chinese, Japanese
        "zdanie", "предложение", "编号", "序号", "样本", "番号", "通し番号",
    ),
    "annotator": (
        "annotator", "rater", "coder", "worker", "judge", "labeler", "labeller", "observer", "assessor", "reviewer",
        "grader", "evaluator", "expert", "respondent", "participant", "user", "model",
        "reader", "examiner", "interviewer", "inspector", "appraiser", "scorer", "enumerator", "critic", "juror", "jury", "panelist", "pathologist", "radiologist",
        "annotatorin", "kodierer", "kodiererin", "codierer", "gutachter", "bewerter", "annotateur", "annotatrice", "codeur",
        "évaluateur", "juge", "anotador", "anotadora", "codificador", "evaluador", "juez", "annotatore", "codificatore",
        "valutatore", "giudice", "avaliador", "avaliadora", "juiz", "beoordelaar", "codeerder",
        "prüfer", "prüferin", "korrektor", "lehrkraft", "jurorin", "évaluatrice", "juré", "jurado", "jurada", "lecteur", "lectrice", "correcteur", "evaluadora", "revisor", "revisora",
        "anotator", "sędzia", "разметчик", "аннотатор", "эксперт", "оценщик", "анотатор", "експерт", "标注员", "标注者", "评审员", "评分者", "アノテーター", "評価者", "判定者",
        "평가자", "주석자", "değerlendirici", "etiketleyici", "bedömare", "bedømmer", "anotátor", "hodnotitel", "المعلق", "المقيم",
        # Of a form that each fills in.
        "yourname", "ihrname", "votrenom", "tunombre", "sunombre", "iltuonome", "seunome", "uwnaam",
    ),
    "label": (
        "label", "category", "rating", "code", "class", "annotation", "judgment", "judgement", "answer", "response",
        "choice", "verdict", "score", "grade", "tag", "sentiment", "severity", "value",
        "kategorie", "bewertung", "klasse", "urteil", "étiquette", "catégorie", "jugement", "etiqueta", "categoría",
        "etichetta", "categoria", "giudizio", "categorie", "oordeel",
        "etykieta", "kategoria", "ocena", "метка", "категория", "оценка", "мітка", "категорія", "标签", "类别", "分类", "ラベル", "分類", "라벨", "레이블", "분류",
        "rótulo", "classificação", "avaliação", "clasificación", "valoración", "classement", "classificazione", "valutazione", "einstufung", "einordnung",
        "beoordeling", "etiket", "kategori", "التصنيف", "تصنيف", "الفئة",
    ),
    # Of spans.
    "start": (
        "start", "begin", "startoffset", "beginoffset", "offsetstart", "startchar", "charstart", "beginchar", "startposition",
        "startpos", "startindex", "startidx", "starttoken", "tokenstart", "starttime", "onset", "anfang", "début", "inicio", "inizio",
    ),
    "end": (
        "end", "stop", "endoffset", "offsetend", "endchar", "charend", "endposition", "endpos", "endindex", "endidx", "endtoken",
        "tokenend", "endtime", "offset", "ende", "fin", "fine", "fim",
    ),
}  # fmt: skip

# Columns that come along with labels but hold none.
_OTHERS = frozenset((
    "text", "body", "content", "title", "comment", "note", "remark", "reason", "rationale", "explanation", "justification",
    "time", "timestamp", "datetime", "date", "created", "createdat", "updated", "updatedat", "duration", "seconds",
    "elapsed", "leadtime", "url", "link", "source", "split", "batch", "gold", "goldlabel", "truth", "groundtruth",
    "truelabel", "trueclass", "reference", "consensus", "majority", "confidence", "email", "language", "lang", "metadata",
    "meta", "length",
    "feedback", "probability", "prob", "certainty", "entropy", "weight", "age", "gender", "country", "fold", "version",
    "status", "state", "round", "wave", "session", "stage", "phase", "page", "line", "year", "month", "week", "day", "hour", "minute", "position", "priority", "difficulty", "emailaddress", "mail", "worktime", "worktimeinseconds", "ipaddress", "ip", "guideline",
    "instruction", "agreement", "latency", "tokens", "cost", "price", "temperature", "trace", "traceid", "runid", "sessionid",
    "kommentar", "kommentare", "bemerkung", "bemerkungen", "anmerkung", "anmerkungen", "notiz", "notizen", "hinweis", "hinweise", "begründung", "zeitstempel", "datum", "uhrzeit", "dauer", "quelle", "sprache",
    "commentaire", "remarque", "horodateur", "durée", "texte", "langue", "comentario", "observación", "observaciones",
    "marcatemporal", "fecha", "duración", "texto", "idioma", "commento", "osservazioni", "testo", "lingua",
    "informazionicronologiche", "comentário", "observação", "opmerking", "opmerkingen", "toelichting", "tijdstempel", "tekst", "taal",
    "uwagi", "komentarz", "текст", "комментарий", "文本", "备注", "时间", "テキスト", "コメント", "reasoning", "match", "matches", "identical",
    "disagreement", "übereinstimmung", "like", "retweet", "replies", "view", "upvote", "downvote", "follower", "favorite", "favourite",
))  # fmt: skip
_TELLING = frozenset({"gold", "truth", "timestamp", "datetime", "date", "time", "url", "uuid", "guid", "email"})
#: What is measured beside a label, or written about it, if the name has further words: "latency_ms", "gpt4_reasoning".
_BESIDE = frozenset((
    "ms", "sec", "secs", "seconds", "minutes", "usd", "eur", "cost", "price", "latency", "tokens", "duration", "elapsed", "reward",
    "reasoning", "rationale", "explanation", "justification", "comment", "comments", "kommentar", "commentaire",
    "sekunden", "minuten", "secondes", "segundos", "minutos", "secondi", "minuti", "seconden",
))  # fmt: skip
_AGREEMENT = frozenset((
    "agree", "agrees", "agreed", "agreement", "match", "matches", "matching", "same", "equal", "identical", "consistent", "disagree",
    "disagreement", "conflict", "differ", "differs", "different", "gleich", "übereinstimmung", "accord", "désaccord", "acuerdo", "accordo",
))  # fmt: skip
_SUMMARIES = frozenset((
    "total", "totals", "sum", "sums", "all", "n", "count", "mean", "average", "avg", "median", "agreement", "kappa", "alpha", "percent",
    "percentage", "summe", "gesamt", "insgesamt", "mittelwert", "durchschnitt", "somme", "totaux", "moyenne", "suma", "totales", "media",
    "somma", "totale", "soma", "difference", "diff", "differenz", "différence", "écart", "diferencia", "differenza", "diferença", "verschil", "totaal", "som", "gemiddelde", "razem", "rank", "ranking", "promedio", "média", "mediana", "średnia", "среднее", "平均", "итого", "всего", "合计", "总计", "合計",
))  # fmt: skip
_FREQUENCIES = frozenset((
    "freq", "frequency", "frequencies", "count", "counts", "n", "number", "weight", "weights", "cases", "votes", "stimmen", "voix", "votos", "voti",
    "stemmen", "głosy", "голоса", "票数", "得票数", "anzahl", "häufigkeit", "fälle",
    "fréquence", "effectif", "nombre", "frecuencia", "cuenta", "frequenza", "conteggio", "frequência", "contagem", "aantal", "frequentie",
    "liczba", "частота", "количество", "频数", "次数", "度数", "件数",
))  # fmt: skip
_PERCENTAGES = frozenset((
    "pct", "perc", "percent", "percentage", "share", "ratio", "proportion", "prop", "anteil", "prozent", "pourcentage", "porcentaje", "percentuale",
    "porcentagem", "procent",
))  # fmt: skip
#: What may be looked at, and of what a table may tell facts that nobody annotated.
_WITH_FACTS = frozenset(("case", "subject", "record", "object", "fall"))
#: Things of which tables tell facts more often than what annotators said.
_THINGS = frozenset((
    "patient", "student", "pupil", "child", "person", "employee", "customer", "client", "player", "team", "product", "country", "city", "company",
    "hotel", "restaurant", "school", "car", "house", "role", "device", "schüler", "schülerin", "kind", "kunde", "mitarbeiter", "spieler", "produkt",
    "land", "stadt", "firma", "gerät", "élève", "produit", "joueur", "pays", "ville", "alumno", "cliente", "producto", "jugador", "país", "ciudad",
    "paciente", "studente", "prodotto", "paziente",
))  # fmt: skip
_SHORT = frozenset({"r", "ann", "annot", "rev", "obs", "insp"})
_CALENDAR = frozenset((
    "mon", "tue", "wed", "thu", "fri", "sat", "sun", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "january", "february", "march", "april", "june",
    "july", "august", "september", "october", "november", "december",
))  # fmt: skip
_OCCASIONS = frozenset((
    "before", "after", "pre", "post", "pretest", "posttest", "test", "retest", "baseline", "followup", "vorher", "nachher", "davor", "danach", "avant",
    "après", "antes", "después", "depois", "prima", "dopo", "przed", "до", "после", "之前", "之后", "left", "right", "od", "os", "links", "rechts",
    "morning", "noon", "afternoon", "evening", "night", "morgens", "mittags", "abends", "matin", "soir", "mañana", "tarde", "noche", "mattina", "sera",
    "train", "dev", "validation", "draft", "revision", "original", "revised", "entwurf", "überarbeitet", "gauche", "droite", "izquierda", "derecha", "izquierdo", "derecho", "sinistra", "destra", "esquerda", "direita",
))  # fmt: skip
_LANGUAGES = frozenset((
    "en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja", "ko", "tr", "ar", "sv", "da", "fi", "cs", "uk", "hi",
))  # fmt: skip
#: What rows at an end of a table are called that are no items. "SD" and "Max" are annotators, too.
_SPREADS = frozenset((
    "sd", "std", "stdev", "stddev", "sem", "variance", "varianz", "standardabweichung", "max", "min", "maximum", "minimum", "desviación", "deviazione",
))  # fmt: skip
_KEYS = frozenset((
    "key", "answerkey", "solution", "solutions", "lösung", "musterlösung", "corrigé", "solución", "soluzione", "gabarito", "答案", "参考答案",
))  # fmt: skip
_SHOWN = frozenset(
    {
        "video",
        "clip",
        "audio",
        "picture",
        "photo",
        "stimulus",
        "scene",
        "statement",
        "bild",
        "aussage",
        "imagen",
        "foto",
    }
)
_ABOUT_PEOPLE = frozenset((
    "age", "sex", "gender", "education", "nationality", "occupation", "alter", "geschlecht", "âge", "sexe", "genre", "edad", "sexo", "género", "età",
    "sesso", "idade", "leeftijd", "geslacht", "wiek", "płeć", "возраст", "пол", "年龄", "性别", "年齢", "性別",
))  # fmt: skip
#: How nouns of qualities end, and what else is judged about texts, answers and papers.
_OF_QUALITIES = ("ness", "ity", "ency", "heit", "keit", "ität", "heid", "ité", "idad", "idade", "ità", "ность", "ność")
#: Names of people and of things that end so, too.
_NO_QUALITIES = frozenset((
    "charity", "felicity", "verity", "trinity", "serenity", "amity", "chastity", "unity", "city", "university", "community", "facility", "entity",
    "identity", "utility", "deity", "commodity", "electricity", "agency", "emergency", "currency", "frequency", "residency", "harness", "witness",
    "business", "highness", "inness", "maginness", "mcguinness", "guinness", "ciudad", "cidade", "universidad", "universidade", "città", "università",
    "cité", "université", "universität", "entität", "gesundheit", "entidad", "entidade", "comunidad", "comunidade", "comunità", "communauté",
    "trinidad", "navidad", "natividade",
))  # fmt: skip
_QUALITIES = frozenset((
    "relevance", "coherence", "accuracy", "adequacy", "grammar", "style", "tone", "significance", "presentation", "contribution", "impact",
    "engagement", "interest", "importance", "performance", "salience", "prominence",
))  # fmt: skip
_QUESTIONS = frozenset(
    {
        "q",
        "sq",
        "question",
        "questions",
        "frage",
        "pregunta",
        "pergunta",
        "domanda",
        "vraag",
        "pytanie",
        "вопрос",
        "问题",
        "問",
    }
)

#: What was decided in the end, or by more than one: words that stand alone in a name.
_DECISIONS = frozenset((
    "final", "gold", "golden", "goldstandard", "consensus", "majority", "adjudicated", "adjudication", "adjudicator", "adj", "resolved",
    "resolution", "agreed", "tiebreak", "tiebreaker", "aggregated", "maj", "aggregate", "curated", "curation", "truth", "groundtruth", "mv",
    "reconciled", "reconciliation", "harmonised", "harmonized", "arbitrated", "arbitration", "settled", "moderated",
    # German, Dutch
    "endgültig", "endgültige", "endgültiges", "endergebnis", "konsens", "mehrheit", "mehrheitsentscheid", "entschieden",
    "schlussurteil", "definitief", "definitieve", "uiteindelijk", "uiteindelijke", "meerderheid",
    # French, Spanish, Italian, Portuguese
    "définitif", "définitive", "finale", "majorité", "majoritaire", "arbitrage", "definitivo", "definitiva", "consenso", "mayoría",
    "mayoritario", "maggioranza", "maioria", "adjudicado", "aggiudicato", "finalizado",
    # Polish, Czech, Russian, Ukrainian
    "ostateczna", "ostateczny", "ostateczne", "końcowa", "końcowy", "końcowe", "uzgodniona", "uzgodniony", "uzgodnione", "większość", "konečná", "konečný", "konečné",
    "finální", "výsledná", "výsledný", "итог", "итоговая", "итоговый", "итоговое", "финальная", "финальный", "окончательная",
    "окончательный", "окончательное", "согласованная", "консенсус", "большинство", "эталон", "підсумкова", "підсумковий", "остаточна",
    # Swedish, Danish, Norwegian, Finnish, Hungarian, Turkish, Greek
    "slutlig", "slutlige", "slutliga", "slutgiltig", "slutgiltiga", "facit", "endelig", "endelige", "endeligt", "fasit", "lopullinen",
    "végső", "végleges", "nihai", "kesin", "uzlaşı", "τελική", "τελικό", "τελικός", "συναίνεση",
    # Ukrainian, Bulgarian, Serbian, Croatian, Slovak, Slovene
    "остаточне", "остаточний", "остаточно", "підсумок", "узгоджена", "узгоджений", "окончателен", "окончателно", "коначна", "коначни", "коначно",
    "konačna", "konačni", "konačno", "konačan", "výsledné", "končna", "končni", "končno",
    # Romanian, Catalan, Estonian, Latvian, Lithuanian, Icelandic
    "finală", "finala", "definitivă", "lõplik", "galīgais", "galīgā", "galutinis", "galutinė", "endanleg",
    # Indonesian and Malay, Vietnamese, Hebrew, Persian, Hindi, Bengali, Tagalog, Swahili
    "akhir", "keputusan", "kesepakatan", "muktamad", "סופי", "סופית", "מוסכם", "نهایی", "نهائی", "قطعی", "pinal", "mwisho",
    # What was said together.
    "joint", "gemeinsam", "gemeinsame", "gemeinsames", "commun", "commune", "común", "comune", "comum",
))  # fmt: skip
#: The same within a name: in scripts that put no blanks between words, and words that say it together.
_DECISION_PARTS = (
    "最终",
    "最終",
    "标准答案",
    "標準答案",
    "共识",
    "共識",
    "仲裁",
    "多数",
    "多數",
    "正解",
    "確定",
    "合意",
    "최종",
    "합의",
    "정답",
    "نهائي",
    # Words of Vietnamese have blanks within them, Devanagari has marks that are no letters, and Thai has no blanks.
    "cuốicùng",
    "đồngthuận",
    "अंतिम",
    "अन्तिम",
    "চূড়ান্ত",
    "สรุป",
    "สุดท้าย",
    "ตัดสิน",
    "afterdiscussion",
    "sonkarar",
    "referencestandard",
    "referencediagnosis",
    "referencelabel",
    "referencerating",
)

#: Words behind which it is said who did something.
_BY = frozenset(("by", "von", "durch", "par", "por", "da", "door", "przez", "av", "af"))
#: What was decided, by whomever: the name of one column among those of people, or of all.
_VERDICTS = frozenset((
    "decision", "decided", "include", "outcome", "result", "entscheidung", "entscheid", "ergebnis", "décision", "choix", "résultat", "decisión",
    "resultado", "decisione", "scelta", "risultato", "decisão", "beslissing", "besluit", "resultaat", "decyzja", "wynik", "rozhodnutí", "beslut",
    "beslutning", "avgjørelse", "päätös", "döntés", "karar", "sonuç", "απόφαση", "решение", "результат", "рішення", "decizie", "rezultat", "decisió",
    "决定", "決定", "结果", "結果", "결정",
))  # fmt: skip
#: What may stand beside such a word in the name of one that is no annotator.
_OF_A_DECISION = frozenset(
    ("label", "labels", "standard", "ground", "annotation", "annotator", "decision", "answer", "vote", "voting")
)

#: What categories are often called, as the columns of a table of counts are.
_LABEL_WORDS = frozenset((
    "positive", "negative", "neutral", "mixed", "pos", "neg", "neu", "yes", "no", "maybe", "unsure", "unclear", "true", "false", "pass",
    "fail", "good", "bad", "joy", "anger", "angry", "fear", "sadness", "sad", "happy", "disgust", "surprise", "love", "hate", "hateful",
    "offensive", "toxic", "insult", "threat", "obscene", "spam", "ham", "normal", "other", "none", "neither", "both", "relevant",
    "irrelevant", "entailment", "contradiction", "support", "refute", "agree", "disagree", "correct", "incorrect", "low", "medium",
    "high", "male", "female", "positiv", "negativ", "ja", "nein", "positif", "négatif", "neutre", "oui", "non", "positivo", "negativo",
    "neutro", "sí", "si", "sim", "não", "nee", "positief", "negatief", "neutraal", "depression", "schizophrenia", "neurosis",
    "never", "rarely", "sometimes", "often", "always",
))  # fmt: skip
_PEOPLE = frozenset((
    "human", "machine", "llm", "gpt", "claude", "gemini", "llama", "mistral", "bot", "system", "pred", "prediction", "predicted", "ai",
    "annotation", "me", "mine", "student", "teacher", "doctor", "nurse", "physician", "radiologist", "pathologist", "crowd", "turker",
    "surgeon", "clinician", "peer", "self", "tutor", "supervisor", "parent",
))  # fmt: skip
#: How nouns of specialists end: "dermatologist", "Neurologin".
_OF_SPECIALISTS = ("ologist", "ologe", "ologin", "iatrist")
_PREDICTIONS = frozenset((
    "pred", "preds", "predicted", "prediction", "predictions", "vorhersage", "prognose", "prédiction", "predicción", "previsão", "predizione",
    "heuristic", "heuristics", "baseline", "silver", "weak", "auto", "automatic", "automatisch", "voorspelling", "предсказание", "прогноз", "预测", "予測", "예측",
))  # fmt: skip
_SCORES = frozenset(
    {
        "score",
        "scores",
        "mean",
        "average",
        "avg",
        "sum",
        "std",
        "stdev",
        "sd",
        "median",
        "total",
        "votes",
        "rank",
        "ranking",
    }
)
_TOKENS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_WORDS = re.compile(r"[^\W\d_]+")
_NUMBERED = re.compile(r"(.*?)[\s_\-.#:]*(?:\d+|(?<![A-Za-z])[A-Za-z]|(?<=[a-z])[A-Z])")


#: Recognising a table asks again and again of the same few names.
_NAMES = 256


@lru_cache(_NAMES)
def _squeezed(name: str) -> str:
    return re.sub(r"[\s_\-.]+", "", unicodedata.normalize("NFC", name)).casefold()


@lru_cache(_NAMES)
def _forms(name: str) -> tuple[str, ...]:
    """Return the name without case, blanks and punctuation, then also without an ending such as "id"."""
    whole = _squeezed(name)
    endings = ("", "ids", "id", "name", "number", "nummer", "nr", "no", "email", "mail", "s")
    return tuple(whole.removesuffix(ending) for ending in endings if whole.endswith(ending) and whole != ending)


@lru_cache(_NAMES)
def _rank(name: str, role: str) -> int | None:
    words = _ROLES[role]
    return next((words.index(form) for form in _forms(name) if form in words), None)


def named(name: str, role: str) -> bool:
    """Return whether a column of this name holds the items, the annotators or the labels (`role`)."""
    return _rank(name, role) is not None


def is_generic(name: str) -> bool:
    """Return whether a name says that a column holds labels and not what they are about, as "label" does and "sentiment" does not."""
    return named(name, "label") and not any(form in ("sentiment", "severity", "score") for form in _forms(name))


def find(role: str, columns: Iterable[str]) -> list[str]:
    """Return the columns whose names fit the role, the likeliest first.

    Names that only end in a fitting word, such as "sentiment label" or "Answer.label", are returned
    only if no name fits as a whole.
    """
    columns = list(columns)
    ranked = [(rank, name) for name in columns if (rank := _rank(name, role)) is not None]
    if role == "item":
        # "_id" and "_index" are a tool's own, and tell items apart where nothing else does.
        own = [name for name in columns if name.startswith("_")]
        ending = [name for name in columns if _tokens(name)[-1:] == ("id",) and not named(name, "annotator")]
        if ranked and all(name in own for _, name in ranked) and any(name not in own for name in ending):
            return [name for name in ending if name not in own]
    if ranked:
        return [name for _, name in sorted(ranked, key=lambda pair: pair[0])]
    if role == "item":
        return ending
    return [name for name in columns if _tokens(name)[-1:] and _tokens(name)[-1] in _ROLES[role] and not is_other(name)]


@lru_cache(_NAMES)
def _tokens(name: str) -> tuple[str, ...]:
    return tuple(token.casefold() for token in _TOKENS.findall(name))


@lru_cache(_NAMES)
def _words(name: str) -> tuple[str, ...]:
    """Return the words of a name in any alphabet; "finalLabel" and "FINAL_LABEL" have two."""
    apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", unicodedata.normalize("NFC", name)).replace("_", " ")
    return tuple(word.casefold() for word in _WORDS.findall(apart))


@lru_cache(_NAMES)
def is_other(name: str) -> bool:
    """Return whether a column of this name is known to hold neither items nor labels, such as a text or a time."""
    # "Dauer (s)" and "Kommentar (Anna)" are what stands before the bracket.
    bare = re.sub(r"(?<=\S)\s*[(\[][^)\]]*[)\]]\s*$", "", name)
    whole = _squeezed(bare)
    # pandas calls a column without a name "Unnamed: 0"; a name that starts with "_" is that of a tool's own field.
    if whole in _OTHERS or whole.removesuffix("s") in _OTHERS or whole.startswith("unnamed:"):
        return True
    if name.startswith("_") and not names_a_person(name):
        return True
    if "?" in name and len(_words(name)) > 2:
        # "Is comment 3 abusive?" asks about a comment.
        return False
    if len(tokens := _tokens(bare)) > 1 and not _BESIDE.isdisjoint(tokens):
        return True
    # "comment_ann" and "rater1_confidence" are what an annotator said besides.
    words = _words(name)
    return not _TELLING.isdisjoint(_tokens(name)) or any(
        one
        in (
            "comment",
            "comments",
            "confidence",
            "conf",
            "sure",
            "certainty",
            "sicher",
            "sicherheit",
            "konfidenz",
            "confiance",
            "certitude",
            "confianza",
            "seguridad",
            "certeza",
            "confiança",
            "fiducia",
            "certezza",
            "zekerheid",
            "pewność",
            "уверенность",
            "确信度",
            "確信度",
            "rationale",
            "reason",
            "explanation",
            "kommentar",
            "commentaire",
            "notes",
            "note",
        )
        for one in (words[:1] + words[-1:] if len(words) > 1 and words[-1] != "id" else ())
    )


def names_a_grade(name: str) -> bool:
    """Return whether a column of numbers of this name holds grades, although one of texts holds remarks: "Note"."""
    return _squeezed(name) in {"note", "notes"}


def is_identifier(name: str) -> bool:
    """Return whether a column of this name tells rows or things apart, such as "annotation_id" or "uuid"."""
    last = "".join(_tokens(name)[-1:])
    return last in {"id", "ids", "uuid", "guid", "key", "hash", "url", "uri"} or _squeezed(name) in {
        "nr", "index", "idx", "rowid", "pk",
    }  # fmt: skip


@lru_cache(_NAMES)
def names_a_decision(name: str) -> bool:
    """Return whether a column of this name holds what was decided in the end: "Final label", "gold", "Konsens".

    Examples
    --------
    >>> names_a_decision("final_label"), names_a_decision("Endgültiges Label"), names_a_decision("finalist")
    (True, True, False)
    """
    whole, words = _squeezed(name), _words(name)
    if is_a_flag(name) or (len(words) > 1 and words[-1] in _BY):
        # "is_gold" says which rows have one, "resolved by" and "entschieden von" who decided.
        return False
    return not _DECISIONS.isdisjoint(words) or whole in _DECISIONS or any(part in whole for part in _DECISION_PARTS)


def is_a_decision(annotator: str) -> bool:
    """Return whether an annotator is called nothing but a decision: "gold", "Final label"; "final-v2" and "Ann Gold" may be annotators.

    Examples
    --------
    >>> is_a_decision("gold_standard"), is_a_decision("Ann Gold"), is_a_decision("label")
    (True, False, False)
    """
    # First what is quick: a crowd has thousands of names, with a number in nearly all of them.
    if any(map(str.isdecimal, annotator)):
        return False
    words = _words(annotator)
    rest = [word for word in words if word not in _DECISIONS]
    return names_a_decision(annotator) and len(rest) < len(words) and _OF_A_DECISION.issuperset(rest)


def names_a_label(name: str) -> bool:
    """Return whether the name is one that categories often have, such as "positive"."""
    return name.strip().casefold() in _LABEL_WORDS


def speaks_of_labels(name: str) -> bool:
    """Return whether a word of the name is one for labels, as in "Etykieta A" and "my label"; a name of a person has none."""
    return not names_a_person(name) and not _VERDICTS.union(_ROLES["label"]).isdisjoint(_words(name))


def names_a_person(name: str) -> bool:
    """Return whether the name is that of who annotates: "rater1", "human", "gpt-4o"."""
    words = _words(name)
    return names_an_annotator(name) or (
        bool(words) and (words[0] in _PEOPLE or words[0] in _ROLES["annotator"] or words[0].endswith(_OF_SPECIALISTS))
    )


def names_a_prediction(name: str) -> bool:
    """Return whether a column of this name holds what a model or a rule said, whichever that was: "prediction", "pred_label", "heuristic"."""
    return not _PREDICTIONS.isdisjoint(_words(name))


def names_agreement(name: str) -> bool:
    """Return whether a column of this name says that annotators agree, or do not."""
    return not _AGREEMENT.isdisjoint(_words(name))


def names_a_summary(text: str) -> bool:
    """Return whether a row, or a column of numbers, of this name sums up the others: "Total", "Mittelwert", "% agreement".

    Examples
    --------
    >>> names_a_summary("Grand total"), names_a_summary("% yes"), names_a_summary("totally")
    (True, True, False)
    """
    return not _SUMMARIES.isdisjoint(_words(text)) or "%" in text or text.strip() in ("∑", "Σ", "Ø")


def names_a_share(name: str) -> bool:
    """Return whether a column of this name holds shares or means, which are no counts: "pct_yes", "% toxic", "mean"."""
    return names_a_percentage(name) or is_score(name)


def names_a_percentage(name: str) -> bool:
    """Return whether a column of this name holds parts of a whole: "pct_yes", "% toxic", "Anteil ja".

    Examples
    --------
    >>> names_a_percentage("% yes"), names_a_percentage("votes")
    (True, False)
    """
    return "%" in name or not _PERCENTAGES.isdisjoint(_words(name))


def names_frequencies(name: str) -> bool:
    """Return whether a column of this name says how often the row occurred: "Freq", "n", "Anzahl"."""
    return _squeezed(name) in _FREQUENCIES


def is_a_grid(names: Sequence[str]) -> list[list[str]] | None:
    """Return columns in groups if their names have two parts that go with each other; a group holds who annotates one thing.

    Examples
    --------
    >>> is_a_grid(["A_toxic", "A_irony", "B_toxic", "B_irony"])
    [['A_toxic', 'B_toxic'], ['A_irony', 'B_irony']]
    >>> is_a_grid(["coder 1", "coder 2", "coder 3", "coder 4"]) is None
    True
    """
    parts = [tuple(part for part in re.split(r"[\W_]+", name) if part) for name in names]
    if all(len(one) == 1 for one in parts):
        # "V1a" and "V1b" are two of one variable.
        parts = [tuple(_TOKENS.findall(name)) for name in names]
    if len(names) < 4 or len({len(one) for one in parts}) != 1 or len(set(parts)) != len(parts):
        return None
    held = [list(dict.fromkeys(one[place] for one in parts)) for place in range(len(parts[0]))]
    varying = [place for place, texts in enumerate(held) if len(texts) > 1]
    if len(varying) != 2 or len(held[varying[0]]) * len(held[varying[1]]) != len(parts):
        return None
    # Who annotates is the part that is called so, or numbered, or stands in brackets; else the first.
    bracketed = len(parts[0]) - 1 if all(name.rstrip().endswith((")", "]")) for name in names) else None
    what = min(
        varying,
        key=lambda place: (
            any(map(names_a_person, held[place])), all(len(text) == 1 or text.isdecimal() for text in held[place]), place == bracketed, -place,
        ),
    )  # fmt: skip
    groups: dict[str, list[str]] = {}
    for name, one in zip(names, parts, strict=True):
        groups.setdefault(one[what], []).append(name)
    return list(groups.values())


def counted_through(names: Sequence[str]) -> bool:
    """Return whether names are numbers or letters in their order: 1, 2, 3 or A, B, C.

    Examples
    --------
    >>> counted_through(["1", "2", "3"]), counted_through(["A", "B"]), counted_through(["3", "1", "3"])
    (True, True, False)
    """
    if all(name.isdecimal() and len(name) < 6 for name in names):
        places = [int(name) for name in names]
    elif all(len(name) == 1 and name.isalpha() for name in names):
        places = [ord(name) for name in names]
    else:
        return False
    return all(later - earlier == 1 for earlier, later in pairwise(places))


def is_score(name: str) -> bool:
    """Return whether a column of this name holds a number that sums something up."""
    return not _SCORES.isdisjoint(_words(name))


def is_a_question(name: str) -> bool:
    """Return whether the name is a question or a sentence of a form rather than a name: "How polite is it? [Text 3]"."""
    text = name.strip()
    return text.endswith(("?", "？", "]")) or "?" in text or len(text.split()) >= 5


def numbers_an_item(name: str) -> bool:
    """Return whether the name is that of one item or question among several, and so of no annotator: "Q12", "Frage 3", "video_7"."""
    if not name.strip()[-1:].isdecimal():
        return False
    # "G01Q03" and "1_Q5" are questions of a group and of a loop.
    coded = len(parts := _tokens(name)) > 2 and parts[-2] in _QUESTIONS and any(map(str.isdecimal, parts[:-2]))
    return coded or stem(name) in _QUESTIONS or stem(name) in _SHOWN or named(stem(name), "item")


def are_occasions(names: Sequence[str]) -> bool:
    """Return whether names say when, on which side, or in which version or language the same thing was looked at, and so are no annotators.

    Examples
    --------
    >>> are_occasions(["Before", "After"]), are_occasions(["left eye", "right eye"]), are_occasions(["pre", "Ann"])
    (True, True, False)
    """
    words = [frozenset(_words(name)) for name in names]
    shared = frozenset.intersection(*words) if words else frozenset()
    # Initials may look like languages; "label_en" and "label_de" do not.
    known = _OCCASIONS | _LANGUAGES if shared else _OCCASIONS
    return bool(words) and all(len(one - shared) == 1 and one - shared <= known for one in words)


def sums_up(text: str) -> bool:
    """Return whether a row of this name sums up the others or says how they are to be taken: "Total", "SD", "Max points".

    Examples
    --------
    >>> sums_up("Mean"), sums_up("Max points"), sums_up("Sally")
    (True, True, False)
    """
    return names_a_summary(text) or names_agreement(text) or not _SPREADS.isdisjoint(_words(text))


def names_a_key(text: str) -> bool:
    """Return whether a row of this name holds what is right: "KEY", "gold", "Lösung".

    Examples
    --------
    >>> names_a_key("KEY"), names_a_key("Answer key"), names_a_key("the final exam")
    (True, True, False)
    """
    return _squeezed(text) in _KEYS or _squeezed(text) in _DECISIONS


def named_twice(names: Sequence[str]) -> str | None:
    """Return a name that pandas gave to a second column of a name: "Ann.1" beside "Ann".

    Examples
    --------
    >>> named_twice(["Ann", "Ben", "Ann.1"]), named_twice(["v1.1", "v1.2"])
    ('Ann.1', None)
    """
    return next((name for name in names if re.sub(r"\.\d+$", "", name) in names and re.search(r"\.\d+$", name)), None)


def is_a_calendar(names: Sequence[str]) -> bool:
    """Return whether names are years, months, days of the week or dates, which are no annotators.

    Examples
    --------
    >>> (
    ...     is_a_calendar(["2019", "2020"]),
    ...     is_a_calendar(["Mon", "Tuesday"]),
    ...     is_a_calendar(["1 March", "Apr 8"]),
    ...     is_a_calendar(["April", "May", "June", "Ann"]),
    ...     is_a_calendar(["rank_2019", "rank_2020"]),
    ... )
    (True, True, True, False, True)
    """
    words = [re.findall(r"[^\W_\d]+|\d+", name.casefold()) for name in names]
    shared = frozenset.intersection(*map(frozenset, words)) if len(words) > 1 else frozenset[str]()
    apart = [[word for word in one if word not in shared] for one in words]
    return all(len(one) == 1 and re.fullmatch(r"(19|20)\d\d", one[0]) for one in apart) or all(
        not _CALENDAR.isdisjoint(one) and all(w in _CALENDAR or w.isdigit() for w in one) for one in words
    )


def names_a_quality(name: str) -> bool:
    """Return whether the name is that of a quality by which something is judged, and so of no annotator: "Helpfulness", "Klarheit".

    Examples
    --------
    >>> (
    ...     names_a_quality("verbosity"),
    ...     names_a_quality("overall quality"),
    ...     names_a_quality("Agnes"),
    ...     names_a_quality("Charity"),
    ... )
    (True, True, False, False)
    """
    last = "".join(_words(name)[-1:])
    ends = last.endswith(_OF_QUALITIES) and last not in _NO_QUALITIES
    return (ends or last in _QUALITIES) and not names_a_person(name)


def annotates(name: str) -> bool:
    """Return whether a column of this name holds who annotated and not just who did something, as that of users does.

    Examples
    --------
    >>> annotates("Reviewer"), annotates("user_id"), annotates("rating")
    (True, False, False)
    """
    return named(name, "annotator") and not any(
        form in ("user", "participant", "respondent", "model") for form in _forms(name)
    )


def begins(name: str, other: str) -> bool:
    """Return whether a name is another one with a word behind it, as "toxicity_score" is "toxicity" with "score".

    Examples
    --------
    >>> begins("toxicity_score", "toxicity"), begins("label", "lab"), begins("sentiment label", "text")
    (True, False, False)
    """
    words = _tokens(name)
    return len(words) > 1 and words[:-1] == _tokens(other)


def is_a_flag(name: str) -> bool:
    """Return whether the name says that something is or is not so, as "needs_review" and "is_spam" do."""
    words = _words(name)
    return len(words) > 1 and words[0] in {"is", "has", "was", "needs", "should", "can"}


def is_about_people(name: str) -> bool:
    """Return whether a column of this name describes people: their age, their sex."""
    return not _ABOUT_PEOPLE.isdisjoint(_words(name))


def has_facts(name: str) -> bool:
    """Return whether a column of this name holds things of which a table may tell facts that nobody annotated, such as patients."""
    return any(form in _WITH_FACTS or form in _THINGS for form in _forms(name))


def may_be_facts(item: str, names: Sequence[str]) -> bool:
    """Return whether most columns are called as what is known of the items is: by words in small letters, or any words beside things.

    Examples
    --------
    >>> (
    ...     may_be_facts("patient", ["Fever", "Cough"]),
    ...     may_be_facts("case", ["Anna", "Ben"]),
    ...     may_be_facts("case", ["size", "colour"]),
    ...     may_be_facts("patient", ["Dr. A", "Dr. B"]),
    ... )
    (True, False, True, False)
    """
    things = any(form in _THINGS for form in _forms(item))
    plain = [name for name in names if len(name) > 3 and name.isalpha() and not names_a_person(name)]
    plain = plain if things else [name for name in plain if name.islower()]
    return has_facts(item) and 2 * len(plain) > len(names)


def names_respondents(name: str) -> bool:
    """Return whether a column of this name tells apart who answered a form, so that its rows are people."""
    return not {"response", "respondent", "participant", "submission", "teilnehmer", "participante"}.isdisjoint(
        _words(name)
    )


@lru_cache(_NAMES)
def stem(name: str) -> str:
    """Return the name without the number or letter at its end: "rater_2" and "Rater A" are both "rater"."""
    match = _NUMBERED.fullmatch(name.strip())
    return _squeezed(match[1]) if match else ""


def names_an_annotator(name: str) -> bool:
    """Return whether the name is that of one annotator among several, such as "rater1" or "Coder B"."""
    return stem(name) in _SHORT or stem(name) in _ROLES["annotator"]
