"""Makes `words.txt.gz`: lower-case English words in common use, most frequent first.

A word is included if it is in the frequency dictionary of `symspellpy` 6.10.1 (rank below 60,000).
In addition, the word, or the word that it is inflected from, must be in lower case in the list
`web2` of `english-words` 2.0.2. A name that is not a word (Theodora) is therefore left out, and a
name that is also a word (Hope) is included. Names that `web2` has in lower case for an old or rare
sense are listed in `names.txt` and left out. Run: `python -m table_makers.english_words`.
"""

from __future__ import annotations

import gzip
import pickle
from importlib.resources import files

from table_makers import PACKAGES

ENGLISH = PACKAGES / "recognizers/words/english"
LIMIT = 60_000
INFLECTIONS = (("ies", "y"), ("ied", "y"), ("es", ""), ("s", ""), ("ed", ""), ("ed", "e"),
           ("ing", ""), ("ing", "e"), ("er", ""), ("er", "e"), ("ly", ""), ("ers", ""))  # fmt: skip


def stems(word: str) -> list[str]:
    """The word, and the words that it may be inflected from."""
    cut = [word[: -len(end)] + put for end, put in INFLECTIONS if word.endswith(end)]
    doubled = [stem[:-1] for stem in cut if len(stem) > 3 and stem[-1] == stem[-2]]
    return [word, *(stem for stem in (*cut, *doubled) if len(stem) > 2)]


def english_words() -> list[str]:
    """The included words, most frequent first."""
    dictionary = files("symspellpy") / "frequency_dictionary_en_82_765.txt"
    ranked = [line.split()[0] for line in dictionary.read_text("utf-8-sig").splitlines()]
    with (files("english_words") / "data" / "web2.pickle").open("rb") as stream:
        lower = {word for word in pickle.load(stream) if word == word.lower()}
    lines = (ENGLISH / "names.txt").read_text("ascii").splitlines()
    names = {word for line in lines if not line.startswith("#") for word in line.split()}
    return [
        word
        for word in ranked[:LIMIT]
        if word.isalpha()
        and len(word) > 1
        and word not in names
        and any(stem in lower for stem in stems(word))
    ]


if __name__ == "__main__":
    text = "\n".join(english_words()) + "\n"
    (ENGLISH / "words.txt.gz").write_bytes(gzip.compress(text.encode(), 9, mtime=0))
