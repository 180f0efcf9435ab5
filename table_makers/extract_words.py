"""Makes `deid/vocabularies/wording/extract_words.txt`: words that occur in headers of extracts.

    .venv/bin/python -m table_makers.extract_words

The source is the headers of `training/column_examples`, which hold no value of a patient. A word is
included if it has three letters or more, occurs in headers of at least two systems, and is rare as
a name (2020 Census). Some of the words are also in other lists.
"""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from deid.vocabularies.wording.readings import parts_of
from recognizers import word_evidence
from training.labeled_columns import read_columns

TARGET = Path("deid/vocabularies/wording/extract_words.txt")
LEAST_LETTERS, LEAST_SYSTEMS = 3, 2
# The greatest log2 of the number of people with this name.
MOST_BORNE = 8
HEAD = """\
# Words that headers of extracts are made of, beside those of `header_words.txt`. Made by
# `python -m table_makers.extract_words` from `training/column_examples`, 30 November 2026: words of
# headers of two systems at least that hardly anybody is called.
"""


def header_words_by_system() -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for column in read_columns():
        for part in parts_of(column.header) or () if column.header_tells else ():
            if not part.is_number and len(part.text) >= LEAST_LETTERS:
                found[part.text].add(column.system)
    return found


def is_rarely_a_name(word: str) -> bool:
    known = word_evidence(word)
    return max(known.given, known.family) <= MOST_BORNE and known.place == 0


def main() -> None:
    words = sorted(
        word
        for word, systems in header_words_by_system().items()
        if len(systems) >= LEAST_SYSTEMS and is_rarely_a_name(word) and word.isascii()
    )
    lines = [" ".join(words[start : start + 12]) for start in range(0, len(words), 12)]
    TARGET.write_text(HEAD + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
