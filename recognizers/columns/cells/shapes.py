"""The shape of a cell: identifiers, dates, codes, persons and prose."""

from __future__ import annotations

import re
from datetime import date
from functools import lru_cache
from itertools import pairwise

from recognizers.columns.cells.memory import remembered
from recognizers.words.folder import WORDS
from recognizers.words.gazetteers import (
    city,
    clinical_word,
    common_word,
    county,
    eponym,
    first_name,
    surname,
)
from safe_harbor import csv_rows, is_state, read_age, read_date

# Limits for names and words, in the unit of the word lists (log2 of a count).
LEAST_BEARERS, WRITTEN_MORE, RAREWORD, OFTEN, OFTEN_GIVEN = 8, 7, 15, 20, 15
# Two-digit years only need some century here; no age is computed from them.
ANY_DAY = date(2030, 1, 1)

_FULL: tuple[tuple[str, str], ...] = (
    ("email", r"[^\s@]+@[^\s@]+\.[a-z]{2,}"),
    ("url", r"(?:https?|ftp|s3|gs)://\S+|www\.\S+"),
    ("ssn", r"\d{3}-\d{2}-\d{4}|\d{3} \d{2} \d{4}|[x*]{3}-?[x*]{2}-?\d{4}"),
    (
        "phone",
        r"(?:\+?1[-. ]?)?\(?[2-9]\d{2}\)?[-. /]{1,2}\d{3}[-. ]\d{4}(?:\s*(?:x|ext\.?)\s*\d+)?",
    ),
    ("phone", r"(?=(?:\D*\d){7})\+\d{1,3}(?:[-. ]?\(?\d{1,5}\)?){2,5}"),
    ("mac", r"(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}"),
    ("ip", r"(?:\d{1,3}\.){3}\d{1,3}|(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}"),
    ("uuid", r"(?:urn:uuid:)?\{?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\}?"),
    ("uuid", r"[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64}"),
    ("udi", r"\(01\)\d{14}.*"),
    ("oid", r"(?:urn:oid:)?[0-2](?:\.\d+){5,}"),
    ("coordinates", r"[-+]?\d{1,3}\.\d{5,}\s*,\s*[-+]?\d{1,3}\.\d{5,}"),
    ("zip9", r"\d{5}-\d{4}"),
    ("nested", r"\{.*\}|\[(?=.*[\[{\"]).*\]"),
    ("file", r"[^\s/\\]+\.(?:jpe?g|png|gif|tiff?|bmp|dcm|pdf|docx?|wav|mp[34]|rtf)"),
    (
        "number",
        r"[<>=~≤≥]{0,2}\s*[-+]?\$?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:e[-+]?\d+)?\s*%?",
    ),
    ("time", r"\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s*[ap]m)?"),
)
_FULL_SHAPES = tuple((name, re.compile(f"(?:{p})", re.IGNORECASE | re.DOTALL)) for name, p in _FULL)
CELL_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CREDENTIALS = re.compile(
    r",?\s*\b(?:M\.?D|D\.?O|R\.?N|N\.?P|P\.?A(?:-C)?|APRN|DNP|LICSW|LPN|Ph\.?D|D\.?D\.?S|DPM|CRNA|"
    r"PharmD|Esq|Jr|Sr|II|III|IV)\b\.?"
)
_LAST_FIRST = re.compile(
    r"([A-Z][^\W\d_]+)(?:[-'’][^\W\d_]+)?(?:, ?|\^)([A-Z][^\W\d_]+)(?:[ ^][A-Z]\w*\.?)*\^*"
)
_ANNOUNCED = re.compile(
    r"\b(?:(?i:(?:rx|ordered|prescribed|given|started|stopped|signed|seen|called|entered|reported|"
    r"verified|reviewed|managed|followed|filled|refilled|changed|requested) by|drs?\.?|mrs?\.?|"
    r"ms\.|nurse)) ([A-Z][^\W\d_]+(?:['’-][^\W\d_]+)?)"
)
#: The characters that separate several values in a cell.
VALUE_SEPARATORS = ",;|^"
_SEVERAL_VALUES = re.compile(f"[{re.escape(VALUE_SEPARATORS)}]")
_NUMBERING = re.compile(r"(?<!\d)\d+$")
_NUMERAL = re.compile(r"\s+(?:II|III|IV)\b")
_TITLES = re.compile(r"^(?:Dr|Mr|Mrs|Ms|Miss|Prof|Rev|Sr|Hon)\.?\s+")


@lru_cache(maxsize=1)
def _values_by_shape() -> dict[str, frozenset[str]]:
    return {
        r["shape"]: frozenset(r["values"].split("|"))
        for r in csv_rows(WORDS / "columns" / "values.csv")
    }


@remembered
def is_listed(shape: str, value: str) -> bool:
    """Whether the cell is one or more values on the list of that shape, ignoring case."""
    known = _values_by_shape().get(shape, frozenset())
    text = " ".join(value.casefold().split())
    if text in known:
        return True
    first, *more = _SEVERAL_VALUES.split(text)
    return bool(more) and first.strip() in known and all(part.strip() in known for part in more)


@remembered
def is_null(value: str | None) -> bool:
    """Whether the cell is empty or has one of the spellings of a missing value in extracts."""
    return value is None or not value.strip() or is_listed("null", value)


@remembered
def is_filler_value(value: str | None) -> bool:
    """Whether the cell is null, or a placeholder that clerks type for an unknown value."""
    return is_null(value) or is_listed("placeholder", value or "")


def nothing_words(kind: str) -> frozenset[str]:
    """Return the folded values that `is_null` ("null") or `is_filler_value` ("placeholder")
    accepts.
    """
    known = _values_by_shape()
    return known["null"] if kind == "null" else known["null"] | known["placeholder"]


@remembered
def shape_of(value: str) -> str:
    """The shape of a cell: an identifier's, `date`, `number`, `code`, `person`, `prose`, ..."""
    text = value.strip()
    if is_null(text):
        return "null"
    for name, pattern in _FULL_SHAPES:
        if pattern.fullmatch(text):
            return _refined(name, text)
    if _ICD10.fullmatch(text):
        return "code"
    if len(text) <= 40 and _is_date(text):
        return "date"
    if len(text) <= 20 and any(c.isdigit() for c in text) and read_age(text) is not None:
        return "age"
    return _wordy(text)


def _refined(name: str, text: str) -> str:
    if name != "number":
        return name
    if text.isdigit() and (is_snomed(text) or _compact_date(text)):
        return "date" if _compact_date(text) else "code"
    if re.fullmatch(r"[-+]?\d{1,3}\.\d{5,}", text):
        return "fine_decimal"
    if "." in text:
        return "decimal"
    return "number" if len(text) < 9 else "long_number"


def _compact_date(text: str) -> bool:
    return len(text) in (8, 12, 14) and text[:2] in ("19", "20") and _is_date(text)


def _is_date(text: str) -> bool:
    found = read_date(text, ANY_DAY)
    return found is not None and found.month is not None


def _wordy(text: str) -> str:
    words = text.split()
    if is_code(text):
        return "code"
    if is_state(text):
        return "state"
    if is_person(text):
        return "person"
    if len(words) >= 6 or "\n" in text or len(text) > 80:
        return "prose"
    if len(words) == 1 and any(c.isdigit() for c in text):
        return "token"
    return "words" if all(CELL_WORD.search(w) or not w.isalnum() for w in words) else "mixed"


def is_snomed(text: str) -> bool:
    """Whether the text is a SNOMED CT identifier, by partition and Verhoeff digit (Release File
    Spec., 6).
    """
    if not (text.isascii() and text.isdigit() and 6 <= len(text) <= 18) or text[0] == "0":
        return False
    return text[-3:-1] in ("00", "10", "01", "11", "02", "12") and _verhoeff(text) == 0


_PERMUTED = ("0123456789", "1576283094", "5803796142", "8916043527", "9453126870", "4286573901",
             "2793806415", "7046913258")  # fmt: skip
_PRODUCT = ("0123456789", "1234067895", "2340178956", "3401289567", "4012395678", "5987604321",
            "6598710432", "7659821043", "8765932104", "9876543210")  # fmt: skip


def _verhoeff(digits: str) -> int:
    check = 0
    for place, digit in enumerate(reversed(digits)):
        check = int(_PRODUCT[check][int(_PERMUTED[place % 8][int(digit)])])
    return check


def is_loinc(text: str) -> bool:
    """Whether the text is a LOINC code: digits, a dash and a Luhn check digit (LOINC Users'
    Guide).
    """
    match = re.fullmatch(r"(?:LP|LA)?(\d{1,6})-(\d)", text)
    if match is None:
        return False
    total = 0
    for place, digit in enumerate(reversed(match[1])):
        doubled = int(digit) * (2 if place % 2 == 0 else 1)
        total += doubled - 9 if doubled > 9 else doubled
    return (10 - total % 10) % 10 == int(match[2])


_ICD10 = re.compile(r"(?:ICD-?10(?:-?CM)?:)?[A-TV-Z]\d[0-9AB](?:\.[0-9A-Z]{1,4})?", re.IGNORECASE)
_ICD9 = re.compile(
    r"(?:ICD-?9(?:-?CM)?:)?(?:\d{3}\.\d{1,2}|V\d{2}\.\d{1,2}|E\d{3}\.\d)", re.IGNORECASE
)
_NDC = re.compile(r"\d{5}-\d{4}-\d{2}|\d{5}-\d{3}-\d{2}|\d{4}-\d{4}-\d{2}|\d{5}-\d{4}-\d")


_NUCC = re.compile(r"\d{3}[0-9A-Z]{6}X")
# Genes and variants: dbSNP, RefSeq and Ensembl, HGVS, ISCN, alleles of HLA and of pharmacogenes.
_GENETIC = re.compile(
    r"rs\d{3,11}|[NX][CGMPRT]_\d{6,9}(?:\.\d{1,2})?|ENS[GTP]\d{11}(?:\.\d{1,2})?|"
    r"(?:[NX][CGMPRT]_\d{6,9}\.\d{1,2}(?:\([A-Z\d]{2,8}\))?:)?(?:[cgmn]\.[-*]?\d{1,9}[-+*_\d]{0,24}"
    r"(?:[ACGTU]{1,20}>[ACGTU]{1,20}|(?:del|dup|ins|inv|=)[ACGTUdelins\d]{0,30})|"
    r"p\.\(?[A-Z][a-z]{0,2}\d{1,5}(?:[A-Z][a-z]{0,2}|[*=]|_|del|dup|ins|fs|Ter|ext|\d|\*){0,12}\)?)|"
    r"exon \d{1,2} (?:del|ins|dup|skipping)\w{0,10}|chr(?:\d{1,2}|X|Y|M)|"
    r"4\d(?:~\d\d)?,?X[XY]{0,2}[^A-Za-z][^a-z]{0,3}(?:(?:der|del|dup|inv|add|ins|idem|dic|mar|ring|t|i|r|cp|"
    r"mos|x|q|p|sl)|[\d,;()+/\[\]?~.XY ])*|4\d,?X[XY]?|"
    r"\*\d{1,3}[A-Z]?(?:/\*\d{1,3}[A-Z]?(?:x\d)?)?|"
    r"(?:[ABC]|D[PQR][AB]\d)\*\d{2,3}(?::\d{2,3}){0,3}[NLSQ]?"
)


def is_genetic(text: str) -> bool:
    """Whether the text is a variant, sequence, allele or karyotype: `rs1042522`, `c.1849G>T`,
    `46,XX[20]`.
    """
    return _GENETIC.fullmatch(text) is not None


def is_medical_code(text: str) -> bool:
    """Whether the text is one or more codes of the terminologies in `is_code`, except genetics."""
    parts = [part for part in _LISTED.split(text.strip(" ,;|[]()")) if part]
    return bool(parts) and all(_is_terminology(part) for part in parts)


# Clinical and pathological TNM, and the morphology of ICD-O: `cT1c`, `pN0`, `8500/3`.
_STAGED = re.compile(
    r"y?[cp](?:T(?:is|[0-4][a-d]?|[Xx])|N[0-3Xx][a-c]?|M[01Xx][a-d]?){1,3}|[89]\d{3}/[0-9]"
)


def _is_terminology(text: str) -> bool:
    forms = (_ICD10, _ICD9, _NDC, _NUCC, _STAGED)
    return is_snomed(text) or is_loinc(text) or any(form.fullmatch(text) for form in forms)


_LISTED = re.compile(r"\s*[,;|~^]\s*|\s+")


def is_code(text: str) -> bool:
    """Whether the text is one or more codes of SNOMED CT, LOINC, ICD-10-CM, ICD-9-CM, NDC, NUCC or
    genetics.
    """
    if is_genetic(text):
        return True
    parts = _LISTED.split(text.strip(" ,;|[]()"))
    return all(map(_is_one_code, parts))


def _is_one_code(text: str) -> bool:
    return _is_terminology(text) or is_genetic(text)


@remembered
def is_person(text: str) -> bool:
    """Whether the text is a person's name of two to four words by the Census lists, apart from
    credentials.

    One word must be a first name, another must be a surname, and no word may be likelier a common
    word than a name.
    """
    text = " ".join(text.split())
    had_title = bool(_TITLES.match(text) or _CREDENTIALS.search(_NUMERAL.sub("", text)))
    bare = _CREDENTIALS.sub("", _TITLES.sub("", text)).strip(" ,")
    words = [_NUMBERING.sub("", word) for word in re.split(r"[\s,]+", bare) if word]
    words = [word for word in words if len(word.strip(".")) > 1]
    if not 1 <= len(words) <= 4 or not all(CELL_WORD.fullmatch(w.strip(".")) for w in words):
        return False
    if not all(word[0].isupper() or word.islower() for word in words) or bare.islower():
        return False
    if had_title and len(words) >= 1:
        return any(_is_name_word(word) for word in words) or len(words) > 1
    return len(words) > 1 and _first_and_last(words)


def _first_and_last(words: list[str]) -> bool:
    if any(_everyday(word) for word in words):
        return False
    firsts = [i for i, w in enumerate(words) if _is_mostly(first_name(w), w)]
    lasts = [i for i, w in enumerate(words) if _is_mostly(surname(w), w)]
    return any(i != j for i in firsts for j in lasts)


def _is_mostly(bearers: int, word: str) -> bool:
    """Whether the word is mainly a name; `bearers` is log2 of the number of people who have it."""
    return bearers >= LEAST_BEARERS and bearers >= common_word(word) - WRITTEN_MORE


def _everyday(word: str) -> bool:
    """Whether the word is an English or clinical word rather than a name."""
    named = _is_mostly(max(first_name(word), surname(word)), word)
    return not named and (common_word(word) >= RAREWORD or clinical_word(word))


def _is_name_word(word: str) -> bool:
    return bool(first_name(word) or surname(word)) and not clinical_word(word)


def is_lone_name(text: str, *, strict: bool = True) -> bool:
    """Whether the text is a single word that is mainly a name.

    `strict` excludes eponyms and clinical words.
    """
    return _is_lone_name(strict, text)


@remembered
def _is_lone_name(strict: bool, text: str) -> bool:
    word = _NUMBERING.sub("", text.strip())
    if not CELL_WORD.fullmatch(word) or len(word) < 3:
        return False
    if strict and (clinical_word(word) or eponym(word)):
        return False
    bearers = max(first_name(word), surname(word))
    return bearers >= LEAST_BEARERS and bearers >= common_word(word) - WRITTEN_MORE + 2


def is_given_name(word: str) -> bool:
    """Whether the word is a very common first name and not a clinical word."""
    return first_name(word) >= OFTEN_GIVEN and not clinical_word(word)


def is_borne(word: str) -> bool:
    """Whether the word is a common first name or surname, even if it has other meanings."""
    return max(first_name(word), surname(word)) >= OFTEN_GIVEN - 1


@remembered
def is_last_first(value: str) -> bool:
    """Whether the value is a name like `SZYMANSKI, AGNIESZKA` or `OKORO^NKECHI^J`, without everyday
    words.
    """
    match = _LAST_FIRST.fullmatch(value.strip())
    return match is not None and not any(
        common_word(w) >= OFTEN or clinical_word(w) for w in match.groups()
    )


@remembered
def names_somebody(text: str) -> bool:
    """Whether the cell is or contains a person's name (`call Marcus Okafor`)."""
    if is_person(text) or _is_in_hl7_parts(text) or _is_announced(text) or _is_pair_alone(text):
        return True
    words = text.split()
    if not 3 <= len(words) <= 12:
        return False
    return any(_is_capital_pair(left, right) for left, right in pairwise(words))


def _is_pair_alone(text: str) -> bool:
    """Whether the text is only a first name and a surname: `Darlene Rose`, `hope haverkamp`.

    One word, or both if in lower case, must be a name rather than an ordinary word.
    """
    words = text.split()
    if len(words) != 2 or not all(CELL_WORD.fullmatch(word) for word in words):
        return False
    if any(map(clinical_word, words)) or all(map(eponym, words)):
        return False
    first, last = first_name(words[0]), surname(words[1])
    if min(first, last) < LEAST_BEARERS:
        return False
    rather = (_is_mostly(first, words[0]), _is_mostly(last, words[1]))
    if all(word[0].isupper() for word in words):
        return any(rather)
    return text.islower() and all(rather)


def _is_announced(text: str) -> bool:
    """Whether words announce a name: `Rx by Thibodeaux`, `sees Dr. Haverkamp`."""
    return any(is_lone_name(name) for name in _ANNOUNCED.findall(text))


def _is_in_hl7_parts(text: str) -> bool:
    """Whether the text is a name in HL7 parts, such as `OKORO^NKECHI^J`, unlike `Hemoglobin^LN`."""
    parts = text.split("^")
    if len(parts) < 2 or not all(map(CELL_WORD.fullmatch, parts[:2])):
        return False
    last, first = parts[:2]
    return _is_mostly(surname(last), last) or _is_mostly(first_name(first), first)


def _is_capital_pair(left: str, right: str) -> bool:
    first, last = left.strip("(;:"), right.strip(").;:,")
    capital = first[:1].isupper() and last[:1].isupper() and len(last) > 2
    if not capital or all(clinical_word(word) or eponym(word) for word in (first, last)):
        return False
    return is_person(f"{first} {last}")


@remembered
def is_town(text: str) -> bool:
    """Whether the text is only the name of a town or county, without clinical or frequent words."""
    words = text.split()
    if not 1 <= len(words) <= 3 or not (city(text) or county(text)):
        return False
    return not any(clinical_word(w) or eponym(w) or common_word(w) >= RAREWORD for w in words)
