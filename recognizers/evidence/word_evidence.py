"""Whether a word is a name: Census names weighed against common and clinical words."""

from __future__ import annotations

import re

from recognizers.constants import constant_group
from recognizers.words import gazetteers
from recognizers.words.expressions import patterns
from recognizers.words.gazetteers import listed, plain_list
from recognizers.words.memory import kept

NAMING = patterns("names")
NAME_PARTICLES = plain_list("names/particles")
# The limits for how frequent a name or a word is.
FREQUENCIES = constant_group("frequencies")
NAME_SUFFIXES = plain_list("names/suffixes")
# Words that end or rule out a name, even if capitalized beside one.
STOPS = plain_list("names/stops")
# Clinical abbreviations. Those of two letters may also be initials; longer ones are not.
SHORT_FORMS = plain_list("names/short_forms")
# Words after a kinship or in forms that by themselves do not name a person.
NOBODY = plain_list("names/never_persons")
# Letters that are never initials. Our own list.
NEVER_NAMES = plain_list("names/never_initials")


@kept
def prefers_name(word: str) -> bool:
    """Whether a name is likelier than a word: log2 of its bearers against log2 of its frequency."""
    bare = word.strip(".'").lower()
    if bare in STOPS:
        return False
    parts = re.split(r"['-]", bare)
    bare = max(parts, key=len) if len(parts) > 1 else bare
    bearers = gazetteers.bearers(bare)
    beyond = gazetteers.common_word(bare) - FREQUENCIES["likelier name over word"]
    return bool(bearers) and bearers > beyond


@kept
def clinical(word: str) -> bool:
    """Whether the word is clinical or an eponym, so that it is a name only after a cue."""
    low = word.strip(".'").lower()
    low = low[:-2] if low.endswith("'s") else low
    # A word that is far more frequent as a name than as a word does not count.
    bearers = gazetteers.bearers(low)
    beyond = gazetteers.common_word(low) - FREQUENCIES["sure name over word"]
    is_word = bearers <= FREQUENCIES["sure name"] or bearers <= beyond
    return gazetteers.eponym(low) or (gazetteers.clinical_word(low) and is_word)


@kept
def ordinary(word: str) -> bool:
    """Whether the word is an English or clinical word that alone cannot name a person."""
    low = word.strip(".'").lower()
    if low in STOPS or clinical(low):
        return True
    return gazetteers.common_word(low) > FREQUENCIES["ordinary word"] and not prefers_name(low)


@kept
def is_worded(word: str) -> bool:
    """Whether the word is an English or clinical word, and not likelier a name."""
    low = word.strip(".'").lower()
    if prefers_name(low):
        return False
    parts = [part for part in re.split(r"['-]", low) if len(part) > 1]
    return any(map(gazetteers.common_word, parts)) or any(map(gazetteers.clinical_word, parts))


def personal(first: str, last: str) -> bool:
    """Whether two words are a person's name: both are likely names, or one is, and
    neither a word.
    """
    if any(w.isupper() and len(w) < 5 and not prefers_name(w) for w in (first, last)):
        return False
    pair = (prefers_name(first), prefers_name(last))
    return all(pair) or (any(pair) and not any(is_worded(w) for w in (first, last)))


def borne(name: str) -> bool:
    """Whether the name is one capitalized word that is a frequent given name and not an eponym."""
    if not name.isalpha() or not name[0].isupper() or name.isupper() or name.lower() in STOPS:
        return False
    given = gazetteers.first_name(name) > FREQUENCIES["given name that is a word"]
    return given and not gazetteers.eponym(name)


def doubtful(name: str) -> bool:
    """Whether none of the words of a name could name a person."""
    words = [w for w in re.findall(r"[A-Za-z'-]+", name) if len(w) > 1]
    if not words or (len(words) == 1 and words[0].isupper() and not prefers_name(words[0])):
        return True
    return all(ordinary(w) for w in words) or words[0].lower() in STOPS


def vocabulary(letters: str) -> bool:
    """Whether the letters are a clinical abbreviation or a word rather than initials."""
    if letters in STOPS or gazetteers.clinical_word(letters):
        return True
    if len(letters) > 2 and letters in SHORT_FORMS:
        return True
    common = gazetteers.common_word(letters) > FREQUENCIES["letters that are a word"]
    return len(letters) < 6 and common


def bracketed(text: str, word: re.Match[str]) -> bool:
    """Whether the word after an opening bracket is a whole name in the brackets."""
    if word[0].isupper() and len(word[0]) < (3 if prefers_name(word[0]) else 5):
        return False  # `Pacheco (OBG)`, `Yoon (IM)`
    return word[0].endswith("'s") or NAMING["CLOSED"].match(text, word.end()) is not None


# Most tokens read per word of a name, because particles (`de la`) are not counted as words.
PARTICLED = 3
# Credentials and professions after a name not in capitals: `Kim OD`, `Atty PD`.
LEARNED = frozenset(listed("names/credentials"))


def taken(text: str, start: int, limit: int = 4) -> int:
    """Return where the name that begins at `start` ends, or `start` if no name begins there.

    A name is made of capitalized words, particles and initials; a word of `STOPS` ends it.
    """
    end, count, here = start, 0, start
    for _ in range(PARTICLED * limit):
        match = NAMING["TOKEN"].match(text, here) if count < limit else None
        if not match or (count and text[match.end() : match.end() + 1].isdigit()):
            break  # `ROSE BRCA2`
        if count and len(match.group()) == 1 and text[match.end() : match.end() + 1] == "/":
            break  # `Yva W/C`
        if count and text[here - 1] == "(" and not bracketed(text, match):
            break  # `Rao (PEM fellow)`
        word = match.group()
        learned = word.rstrip(".") in LEARNED or NAMING["VERBED"].fullmatch(word)
        if count and learned and not text[start:end].isupper():
            break
        bare = word.rstrip(".").lower()
        if count and bare in NAME_SUFFIXES:
            end = match.end()
            break
        if not fits(word, bare, first=count == 0):
            break
        if bare.endswith("'s"):
            return match.end() - 2
        stop = match.end() - (1 if word.endswith(".") and len(bare) > 2 else 0)
        count += bare not in NAME_PARTICLES
        end = stop if bare not in NAME_PARTICLES or count == 0 else end
        here = stop
        gap = NAMING["GAP_WITHIN_NAME"].match(text, here)
        if not gap or (word.endswith(".") and (len(bare) > 2 or closed(bare, count))):
            break
        here = gap.end()
    return start if text[start:end] in PARTICLES_ALONE else end


# `doctor de cabecera`, `doctor de la clinica`
PARTICLES_ALONE = frozenset(["de", "del", "de la"])


def closed(bare: str, count: int) -> bool:
    """Whether the word is a two-letter surname at the end of a sentence: `Dr. Ng. Call if`."""
    short = count == 1 and len(bare) == 2 and bare not in plain_list("names/cut_short")
    return short and gazetteers.surname(bare) > FREQUENCIES["surname of two letters"]


def fits(word: str, bare: str, *, first: bool) -> bool:
    """Whether a word may be part of a name."""
    if bare in NAME_PARTICLES and (not first or len(bare) > 1):
        return True
    if bare in STOPS:
        return False
    if len(bare) == 1:
        return word[0].isupper()
    if word[0].isupper():
        rare = gazetteers.common_word(bare) < FREQUENCIES["word in capitals"]
        if word.isupper() and len(bare) > 3:
            rare = not (gazetteers.common_word(bare) or gazetteers.clinical_word(bare))
        return first or rare or prefers_name(bare)
    return False
