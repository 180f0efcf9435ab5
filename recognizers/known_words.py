"""Word lists that known values are weighed with: common words, nicknames, eponyms, placeholders."""

from __future__ import annotations

import csv
import gzip
from collections import defaultdict
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from recognizers.gazetteers import clinical_word

# Rank up to which a word is common enough that a name spelt like it needs evidence.
COMMON_RANK = 20_000

FUNCTION_WORDS = frozenset(
    "a an and any are as at be but by can day de do for from go had has have he her him his how i "
    "if in is it la le let long may me my need no not now of off on one or our out own see she so "
    "some son than that the then there they this to too up us was we well what when who why will "
    "with yes you your all new old good man week".split()
)
"""Words so frequent that even a capital at the start of a sentence says nothing."""

TITLES = frozenset("mr mrs ms miss mister madam dr doctor prof professor rev pastor attorney".split())
KIN = frozenset(
    "name named patient pt client employee caller dear hi hello mother mom mum father dad husband "
    "wife spouse partner son daughter brother sister aunt uncle niece nephew cousin grandmother "
    "grandfather grandma grandpa friend neighbor guardian signed nurse re attn".split()
)
CREDENTIALS = frozenset(
    "md do np pa pac rn lpn phd esq dds dmd dpm od msw lcsw licsw lcmhc rd rdn cdces aud rhit rhia "
    "facp facs faap dnp cnm cnp aprn crna pharmd ot pt dpt slp mph ma mba jd dc nd cma bsn msn".split()
)
SUFFIXES = frozenset("jr sr ii iii iv 2nd 3rd junior senior".split())
PARTICLES = frozenset(
    "van der den de di da du dos das del della von zu zur la le el al bin ibn abu ben ter ten st "
    "san y e des af av".split()
)
EPONYMS = frozenset(
    "addison alzheimer babinski baker bankart barlow barrett bartter basedow batten behcet bell "
    "bennett bouchard bowen bowman breslow brodie brown bruce brudzinski brugada burkitt burton "
    "charcot chiari colles conn cooper crohn cullen cunningham cushing dick down duke dukes "
    "dupuytren edwards ewing fanconi fitzpatrick foley fournier fowler frank freeman friedreich "
    "gardner gilbert gleason goodpasture gordon graves gray grey guillain hartmann hashimoto "
    "hawkins heberden henry hill hirschsprung hodgkin holmes homan homans horner hunt hunter "
    "huntington hurley jackson jones kaposi kelly kerley kernig klein koch korsakoff lachman lewis "
    "lewy lynch mallory mantoux marfan martin mason mcburney mcmurray meckel menier meniere mohs "
    "mondini monteggia moro morton munro murphy nissen ortolani osgood osler paget parkinson parks "
    "patrick perthes peyton phalen plummer pott potter prader pringle quincke ramsay raynaud reed "
    "reiter reye reynolds rinne romano romberg ross roth rovsing salter sampson schmidt seldinger "
    "sever simmonds simpson sims sjogren smith snellen spurling stark steele stevens still stokes "
    "sturge swan sydenham tanner taylor thomas thompson tinel todd tourette towne trendelenburg "
    "trousseau turner tzanck virchow wagner wallace ward waterhouse weber wegener wellens werner "
    "wernicke whipple white williams wilms wilson wolff wood woods young yates".split()
)
EPONYM_NOUNS = frozenset(
    "angle anomaly area bodies body cast catheter cell cells chorea classification clips "
    "contracture criteria cyst deformity degeneration disease disorder duct ductus effect encephalopathy "
    "equation esophagus exam fascia formula fracture gangrene ganglion gland grade grading gradient "
    "hernia index lamp law lesion ligament line lines lymphoma maneuver manoeuvre mass method "
    "model muscle murmur nerve neuroma node nodes nodule ophthalmopathy orbitopathy palsy phenomenon "
    "plaque point position procedure protocol pseudotumor purpura reaction reflex repair retractor "
    "ring rings rule sarcoma scale score sign signs spot spots stage stain staging stenosis "
    "stroke syndrome technique tendon test tests thyroiditis triad triangle tube tumor tumour ulcer "
    "valve view virus wave waves dermopathy crisis".split()
)
PLACEHOLDERS = frozenset(
    "unknown unk none null nil na n/a nan nk blank unspecified undetermined missing pending tbd tba "
    "test deceased declined refused self same other others not applicable available given recorded "
    "known homeless void xxx xx doe john jane anonymous patient".split()
)
PLACEHOLDER_VALUES = frozenset(
    "john doe|jane doe|jon doe|baby doe|unknown|unknown unknown|unk|n a|na|none|null|nil|nan|"
    "not available|not applicable|not known|not given|not recorded|pending|tbd|declined|refused|"
    "test patient|test test|no fixed address|homeless|same|same as above|see above|self|"
    "no name|no known|xxx|xxxx|unassigned|general delivery".split("|")
)


@cache
def common_words() -> MappingProxyType[str, int]:
    """English words in common use (lower case) with their rank, 0 the most frequent."""
    data = (files("recognizers") / "words" / "english" / "words.txt.gz").read_bytes()
    words = gzip.decompress(data).decode().split()
    return MappingProxyType({word: rank for rank, word in enumerate(words)})


def is_common(word: str) -> bool:
    """Whether a name spelt like this word needs evidence beside its letters."""
    return word in FUNCTION_WORDS or common_words().get(word, COMMON_RANK) < COMMON_RANK


def is_word(word: str) -> bool:
    """Whether the letters make a word of their own, so that no misspelling is read into it."""
    return (
        word in FUNCTION_WORDS or word in common_words() or word in EPONYMS or clinical_word(word)
    )


@cache
def _nicknames() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    short: dict[str, set[str]] = defaultdict(set)
    formal: dict[str, set[str]] = defaultdict(set)
    folder = files("recognizers") / "words" / "nicknames"
    for name in ("nicknames.csv", "diminutives.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as stream:
            for row in csv.DictReader(stream):
                short[row["name"]].add(row["nickname"])
                formal[row["nickname"]].add(row["name"])
    return short, formal


@cache
def other_forms(name: str) -> frozenset[str]:
    """Nicknames of a given name, names of a nickname, and the nicknames beside it."""
    short, formal = _nicknames()
    names = formal.get(name, set())
    beside = {nick for one in names for nick in short[one]} if name not in short else set()
    return frozenset((short.get(name, set()) | names | beside) - {name})
