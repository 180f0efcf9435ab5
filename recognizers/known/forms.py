"""Compile the known values of one patient into look-up tables that search a text in one pass."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from recognizers.finding import Finding
from recognizers.known.codes.codes import CodeFinder
from recognizers.known.codes.forms import (
    Code,
    Tail,
    code_forms,
    email_forms,
    file_forms,
    phone_forms,
    url_forms,
)
from recognizers.known.dates.calendar import Day, is_placeholder_day, read_day, read_month
from recognizers.known.dates.dates import DateFinder
from recognizers.known.literals import Literal, LiteralFinder
from recognizers.known.names.names import NameFinder
from recognizers.known.names.people import NameIndex, Person, parse_person
from recognizers.known.places.organizations import (
    ORGANIZATION_WORDS,
    STATE_WORDS,
    SURE_ORGANIZATION_WORDS,
    Phrase,
    PhraseFinder,
)
from recognizers.known.places.places import Street, StreetFinder
from recognizers.known.places.zips import Zip, ZipFinder
from recognizers.known.text import Text, fold, folded_words, squeeze
from recognizers.words.memory import kept
from recognizers.words.word_lists import PLACEHOLDERS, placeholder_values
from safe_harbor import Identifier as I

KNOWN_VALUES = "known_values"
_NAME_PARTS = ("first", "middle", "last", "preferred", "maiden", "suffix", "single")
# A place whose part is empty or not listed here is read as one or several of these parts.
PARTS_OF_PLACES = frozenset(("state", "street", "unit", "zip", "city", "county", "facility"))
KnownForm = tuple[I, str, str, str]
_CODE_ENTITIES = {
    I.SSNS: "US_SSN", I.MRNS: "MEDICAL_RECORD_NUMBER", I.PLANS: "HEALTH_PLAN_NUMBER",
    I.ACCOUNTS: "ACCOUNT_NUMBER", I.LICENSES: "LICENSE_NUMBER", I.VEHICLES: "VEHICLE_ID",
    I.DEVICES: "DEVICE_ID", I.IPS: "IP_ADDRESS", I.BIOMETRICS: "BIOMETRIC_ID",
    I.OTHERS: "OTHER_ID",
}  # fmt: skip
_ENTITIES = _CODE_ENTITIES | {
    I.NAMES: "PERSON", I.PLACES: "LOCATION", I.PHONES: "PHONE_NUMBER", I.FAXES: "FAX_NUMBER",
    I.EMAILS: "EMAIL_ADDRESS", I.URLS: "URL", I.PHOTOS: "PHOTO", I.DATES: "DATE_TIME",
}  # fmt: skip
_STREET_SHAPE = re.compile(
    r"(?i)^\s*\d+[\w-]*\s+\S|\b(?:p\.?\s?o\.?\s*box|box\s+\d|rr\s*\d|hc\s*\d)|"
    r"\b(?:street|st|road|rd|avenue|ave|lane|ln|drive|dr|court|ct|boulevard|blvd|way|terrace|terr|apt|unit)\b\.?\s*#?\w{0,4}\s*$"
)
_FACILITY_SHAPE = re.compile(
    r"(?i)\b(?:hospital|clinic|medical|health|manor|nursing|center|centre|school|shelter|hospice|pharmacy|"
    r"church|university|college|institute|rehab\w*|hall|inn|lodge|motel|hotel)\b"
)
_CODE_IN_COMMENT = re.compile(r"(?<![\w-])(?=[\w-]*\d)[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*(?![\w-])")
_PHONE_IN_COMMENT = re.compile(r"\(?\d{3}\)?[ .-]?\d{3}[ .-]\d{4}")
_NAME_IN_COMMENT = re.compile(r"\b[A-Z][a-z]+(?:\s+(?:of\s+|the\s+)?[A-Z][a-z]+)+\b")
_CAPITALS_IN_COMMENT = re.compile(r"\b[A-Z'’-]{3,}, [A-Z]{2,}(?: [A-Z]\b)?")
_LEADING_AGE = re.compile(r"\s*(\d{1,3})\b(?!\s*[-/.])")
_O_NAME = re.compile(r"\b(?:O['’]|Mc|Mac)[A-Z][a-z]+\b")


class KnownValueError(ValueError):
    """A known value cannot be read. The message holds no value."""

    exit_code = 2

    def __init__(self, code: str, place: str, hint: str) -> None:
        super().__init__(f"{code}: {place}: {hint}")
        self.code, self.place, self.hint = code, place, hint


def is_placeholder_value(value: str) -> bool:
    """Whether the value is a placeholder: UNKNOWN, N/A, JOHN DOE, 000-00-0000, 99-99-9999."""
    words = folded_words(value)
    if not words or " ".join(words) in placeholder_values():
        return True
    squeezed = "".join(words)
    if squeezed.isdigit():
        return len(set(squeezed)) == 1 or squeezed in {"123456789", "1234567890", "0123456789"}
    return all(word in PLACEHOLDERS for word in words)


class Forms:
    """The compiled forms of one patient's known values; `find` searches a text in one pass."""

    def __init__(self, known: Iterable[KnownForm]) -> None:
        self._persons: list[Person] = []
        self._named: dict[tuple[str, str], list[str]] = {}
        self._phrases: list[Phrase] = []
        self._streets: list[Street] = []
        self._zips: list[Zip] = []
        self._codes: list[Code] = []
        self._tails: list[Tail] = []
        self._days: list[Day] = []
        self._births: list[Day] = []
        self._ages: list[int] = []
        self._months: list[tuple[int, int]] = []
        self._literals: list[Literal] = []
        for identifier, value, role, part in known:
            self._add(identifier, value.strip(), role, part)
        self._persons += self._patient()
        self._names = NameFinder(NameIndex(dict.fromkeys(self._persons)))
        self._phrase_finder = PhraseFinder(self._phrases)
        self._street_finder = StreetFinder(self._streets)
        self._zip_finder = ZipFinder(self._zips)
        self._code_finder = CodeFinder(self._codes, self._tails, partial(spoken_days, self._births))
        self._dates = DateFinder(self._days, self._births, self._ages, self._months)
        self._literal_finder = LiteralFinder(self._literals)

    # -- compile ---------------------------------------------------------------------------

    def _add(self, identifier: I, value: str, role: str, part: str) -> None:
        if identifier is I.DATES:
            self._add_date(value, part)
        elif part == "comment":
            self._add_comment(value)
        elif is_placeholder_value(value):
            return
        else:
            self._add_value(identifier, value, role, part)

    def _add_value(self, identifier: I, value: str, role: str, part: str) -> None:
        stays = identifier is I.PLACES and (part == "state" or is_state_word(value))
        # A plan without a digit is an insurer's name, which does not identify a person.
        stays = stays or (identifier in (I.PLANS, I.ACCOUNTS) and not any(map(str.isdigit, value)))
        if part != "suffix" and not stays:
            self._literals.append((value, identifier, _ENTITIES[identifier]))
        if identifier is I.NAMES:
            self._add_name(value, role, part)
        elif identifier is I.PLACES:
            self._add_place(value, part)
        else:
            self._add_code(identifier, value)

    def _add_date(self, value: str, part: str) -> None:
        number = _LEADING_AGE.match(value)
        if part == "age" or (number and len(value.strip()) < 4):
            if number and 90 <= int(number[1]) <= 130:
                self._ages.append(int(number[1]))
            return
        day = read_day(value)
        if day is None:
            if month := read_month(value):
                self._months.append(month)
            elif not is_placeholder_value(value):
                self._literals.append((value, I.DATES, "DATE_TIME"))
            return
        if part == "birth":
            self._births.append(day)
            self._codes.append(Code(birth_number(day), I.DATES, "DATE_TIME", 0.9, spoken=True))
        if not is_placeholder_day(day):
            self._days.append(day)

    def _add_name(self, value: str, role: str, part: str) -> None:
        words = folded_words(value)
        firm = part in {"", "full"} and len(words) > 1
        if part == "organization" or (firm and (role == "employer" or _is_organization(words))):
            self._add_phrase(value, "EMPLOYER")
            return
        if firm and any(word in ORGANIZATION_WORDS for word in words):
            self._add_phrase(value, "EMPLOYER")
        if part in {"first", "middle", "last", "preferred", "maiden", "suffix"}:
            self._named.setdefault((role, part), []).append(value)
        elif part in {"", "full"} and len(value.split()) == 1 and not part:
            self._named.setdefault((role, "single"), []).append(value)
        else:
            person = parse_person(value)
            if person.words:
                self._persons.append(person)

    def _patient(self) -> list[Person]:
        """The persons built from the name parts of each role; lone words are persons, too."""
        people = []
        for role in dict.fromkeys(role for role, _ in self._named):
            parts = {part: self._words(role, part) for part in _NAME_PARTS}
            given, last = (*parts["first"], *parts["middle"]), parts["last"]
            other = (*parts["preferred"], *parts["maiden"], *parts["single"])
            people.append(Person(given, last, other, parts["suffix"]))
            if parts["maiden"]:
                people.append(Person(given, parts["maiden"], parts["preferred"]))
            if parts["preferred"] and last:
                people.append(Person(parts["preferred"], last))
            people += [
                Person((), tuple(folded_words(v))) for v in self._named.get((role, "single"), [])
            ]
        return people

    def _words(self, role: str, part: str) -> tuple[str, ...]:
        return tuple(
            word for value in self._named.get((role, part), []) for word in folded_words(value)
        )

    def _add_phrase(self, value: str, entity: str) -> None:
        for piece in re.split(r"[,;/]\s", value):
            phrase = Phrase.of(piece, entity)
            if phrase and (len(phrase.words) > 1 or len(phrase.words[0]) > 2):
                self._phrases.append(phrase)

    def _add_place(self, value: str, part: str) -> None:
        if part == "state":
            return
        if part in {"street", "unit"}:
            self._add_street(value)
        elif part == "zip":
            self._add_zip(value)
        elif part in {"city", "county"}:
            self._add_town(value, part)
        elif part == "facility":
            self._add_phrase(value, "FACILITY")
        else:
            for told, piece in place_readings(value):
                self._add_place(piece, told)

    def _add_town(self, value: str, part: str) -> None:
        value = (
            re.sub(r"(?i)\s+(?:county|parish|co\.?)\s*$", "", value) if part == "county" else value
        )
        phrase = Phrase.of(value, part.upper())
        if phrase and (len(phrase.words) > 1 or len(phrase.words[0]) > 1):
            self._phrases.append(phrase)

    def _add_street(self, value: str) -> None:
        whole: list[str] = []
        for piece in re.split(r"[,;\n]\s*", value):
            if not any(c.isdigit() for c in piece) and _FACILITY_SHAPE.search(piece):
                self._add_phrase(piece, "FACILITY")
            else:
                whole.append(piece)
        street = Street.of(", ".join(whole))
        if street != Street():
            self._streets.append(street)

    def _add_zip(self, value: str) -> None:
        code = Zip.of(value)
        if code and len(set(code.five)) > 1:
            self._zips.append(code)
        elif code is None and len(squeeze(value)) > 4 and any(c.isdigit() for c in value):
            self._codes.append(Code(squeeze(value), I.PLACES, "US_ZIP_CODE", 0.95))

    def _add_code(self, identifier: I, value: str) -> None:
        if identifier in {I.PHONES, I.FAXES}:
            entity = "PHONE_NUMBER" if identifier is I.PHONES else "FAX_NUMBER"
            self._codes += phone_forms(value, identifier, entity)
            self._add_tails(value, identifier, entity, sizes=(4,))
        elif identifier is I.EMAILS:
            self._codes += email_forms(value)
        elif identifier is I.URLS:
            self._codes += url_forms(value)
        elif identifier is I.PHOTOS:
            self._codes += file_forms(value, identifier, "PHOTO")
        else:
            entity = _CODE_ENTITIES[identifier]
            if identifier is I.IPS and any(c in value.lower() for c in ":-") and value[:1] != "[":
                entity = "MAC_ADDRESS" if len(squeeze(value)) == 12 else entity
            self._codes += code_forms(value, identifier, entity)
            self._add_tails(value, identifier, entity, sizes=(3, 4, 5, 6))

    def _add_tails(self, value: str, identifier: I, entity: str, sizes: tuple[int, ...]) -> None:
        digits = re.sub(r"\D", "", fold(value))
        if len(digits) < 7:
            # Sometimes only the last digits of a number are known.
            if len(digits) == 4 and squeeze(value) == digits:
                self._tails.append(Tail(digits, identifier, entity, True))
            return
        for size in sizes:
            alone = identifier is I.SSNS and size == 4
            self._tails.append(Tail(digits[-size:], identifier, entity, alone))

    def _add_comment(self, value: str) -> None:
        """Add the numbers and capitalized names of several words in a free-text value."""
        for identifier, part, piece in comment_pieces(value):
            if identifier is I.PHONES:
                self._add_code(identifier, piece)
            elif identifier is I.OTHERS:
                self._codes += code_forms(piece, identifier, "OTHER_ID")
                self._add_tails(piece, identifier, "OTHER_ID", (3, 4))
            elif identifier is I.NAMES:
                self._persons.append(parse_person(piece))
            else:
                self._add_phrase(piece, part.upper())

    # -- find ------------------------------------------------------------------------------

    def find(self, text: Text) -> list[Finding]:
        """Return findings in no particular order; the findings may overlap."""
        out = [
            Finding(start, end, I.NAMES, "PERSON", 0.95, KNOWN_VALUES)
            for start, end in self._names.find(text)
        ]
        for start, end, hit in self._code_finder.find(text):
            score = hit.score if isinstance(hit, Code) else 0.85
            out.append(Finding(start, end, hit.identifier, hit.entity, score, KNOWN_VALUES))
        for start, end, identifier, entity in self._literal_finder.find(text):
            out.append(Finding(start, end, identifier, entity, 0.85, KNOWN_VALUES))
        for first, stop, entity, score in self._dates.find(text):
            out.append(Finding(*text.span(first, stop), I.DATES, entity, score, KNOWN_VALUES))
        for first, stop, entity in self._places(text):
            word = I.NAMES if entity == "EMPLOYER" else I.PLACES
            out.append(
                Finding(text.starts[first], text.ends[stop - 1], word, entity, 0.9, KNOWN_VALUES)
            )
        return out

    def _places(self, text: Text) -> list[tuple[int, int, str]]:
        found = [(first, stop, "STREET_ADDRESS") for first, stop in self._street_finder.find(text)]
        found += [(first, stop, "US_ZIP_CODE") for first, stop in self._zip_finder.find(text)]
        for first, stop, entity in self._phrase_finder.find(text):
            if (
                entity == "COUNTY"
                and stop < len(text)
                and text.words[stop] in {"county", "co", "parish"}
            ):
                stop += 1
            found.append((first, stop, entity))
            unit = self._street_finder.units_beside(text, stop)
            if unit > stop:
                found.append((stop, unit, "STREET_ADDRESS"))
        return found


def comment_pieces(value: str) -> Iterator[tuple[I, str, str]]:
    """The pieces of a free-text value to search for, each as identifier, part and value."""
    for phone in _PHONE_IN_COMMENT.findall(value):
        yield I.PHONES, "", phone
    for code in _CODE_IN_COMMENT.findall(_PHONE_IN_COMMENT.sub(" ", value)):
        if sum(c.isdigit() for c in code) > 4 and not read_day(code):
            yield I.OTHERS, "", code
    for name in (*_CAPITALS_IN_COMMENT.findall(value), *_O_NAME.findall(value)):
        yield I.NAMES, "full", name
    for name in _NAME_IN_COMMENT.findall(value):
        yield I.PLACES, "facility", name


@kept
def place_readings(value: str) -> tuple[tuple[str, str], ...]:
    """The pieces of a place without a known part, each as part and value."""
    pieces = re.split(r"[,;\n]\s*", value)
    return tuple(told for piece in pieces for told in _readings_of_place(piece.strip()))


def _readings_of_place(value: str) -> Iterator[tuple[str, str]]:
    words = folded_words(value)
    if not words or is_placeholder_value(value):
        return
    tail = re.search(r"\b[A-Z]{2}\s+(\d{5}(?:-\d{4})?)$", value)
    if tail:
        yield "zip", tail[1]
        value = value[: tail.start()].strip()
        words = folded_words(value)
    if not words or (len(words) <= 2 and all(w in STATE_WORDS or len(w) == 2 for w in words)):
        return
    if Zip.of(value) or re.fullmatch(r"[A-Z]\d[A-Z] ?\d[A-Z]\d", value):
        yield "zip", value
    elif _STREET_SHAPE.search(value) and any(c.isdigit() for c in value):
        yield "street", value
    elif words[-1] in {"county", "parish"}:
        yield "county", " ".join(value.split()[:-1])
    elif _STREET_SHAPE.search(value) and len(words) > 1:
        yield "street", value
    elif _FACILITY_SHAPE.search(value):
        yield "facility", value
    else:
        yield "city", value


def is_state_word(value: str) -> bool:
    """Whether the value is a state's name or two letters, which may be kept."""
    words = folded_words(value)
    return all(word in STATE_WORDS for word in words) or (len(words) == 1 and len(words[0]) == 2)


def birth_number(day: Day) -> str:
    """Write a birth date as MMDDYYYY, to find it where it was dictated or has a wrong digit."""
    return f"{day.month:02}{day.day:02}{day.year:04}"


def spoken_days(days: Iterable[Day]) -> list[Code]:
    """The digits of each date as it may be dictated."""
    return [code for day in days for code in spoken_day(day)]


def spoken_day(day: Day) -> list[Code]:
    """The digits of a date as it may be dictated: `oh three ten fifty-eight`."""
    months, days = {f"{day.month}", f"{day.month:02}"}, {f"{day.day}", f"{day.day:02}"}
    years = {f"{day.year:04}", f"{day.year % 100:02}"}
    forms = {m + d + y for m in months for d in days for y in years}
    return [Code(form, I.DATES, "DATE_TIME", 0.9, spoken=True) for form in forms if len(form) > 4]


def _is_organization(words: list[str]) -> bool:
    """Whether only a firm or an agency can have the name; `Church` may also be a surname."""
    return any(word in SURE_ORGANIZATION_WORDS for word in words)
