# ruff: noqa: E501 -- a pattern reads best on one line
"""Parts of patterns that several files share: months, states, spoken digits, units."""

from __future__ import annotations

MONTH = (
    r"(?i:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|ene\b\.?|abr\b\.?|ago\b\.?|dic\b\.?|"
    r"jan(?:uary|\.)?|feb(?:ruary|r?\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|"
    r"aug(?:ust|\.)?|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)"
)
WEEKDAY = (
    r"(?i:mon(?:day)?s?|tue(?:s(?:day)?s?)?|wed(?:nesday|s)?s?|thu(?:r?s?(?:day)?s?)?|fri(?:day)?s?|"
    r"sat(?:urday)?s?|sun(?:day)?s?|lunes|martes|mi[e]rcoles|jueves|viernes|sabado|domingo|vie|mierc?|jue)"
)
STATES = (
    r"A[KLRZ]|C[AOT]|D[CE]|FL|GA|GU|HI|I[ADLN]|K[SY]|LA|M[ADEINOSTP]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|UT|V[AIT]|W[AIVY]|"
    r"(?i:alabama|alaska|arizona|arkansas|california|colorado|connecticut|delaware|florida|georgia|hawai'?i|idaho|illinois|indiana|iowa|kansas|"
    r"kentucky|louisiana|maine|maryland|massachusetts|michigan|minnesota|mississippi|missouri|montana|nebraska|nevada|new hampshire|new jersey|"
    r"new mexico|new york|north carolina|north dakota|ohio|oklahoma|oregon|pennsylvania|rhode island|south carolina|south dakota|tennessee|texas|"
    r"utah|vermont|virginia|washington|west virginia|wisconsin|wyoming|puerto rico|guam)|"
    r"P\.R\.|D\.C\.|N\.[CDHJMY]\.|S\.[CD]\.|W\.V(?:a|A)?\.|R\.I\.|Mass\.|Conn\.|Calif\.|Fla\.|Mich\.|Minn\.|Tenn\.|Wash\.|Penn\.|Ore\.|Ariz\.|Colo\.|Wis\.|Tex\.|Okla\.|Neb\.|Ala\.|Ill\.|Ind\.|Ky\.|Va\.|Vt\.|Ga\.|La\.|Md\.|Me\.|Mo\.|Miss\.|Mont\.|Ark\.|Kan\."
)
YEAR = r"(?:(?:18|19|20)\d\d)"
SHORT_YEAR = r"(?:(?:18|19|20)\d\d|'?\d\d)"
UNITS = r"one|two|three|four|five|six|seven|eight|nine"
TEENS = r"ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
TENS = r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
SPOKEN_NUMBER = rf"(?:(?:{TENS})(?:[ -](?:{UNITS}))?|{TEENS}|{UNITS})"
ORDINALS = (
    r"first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|"
    r"eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|"
    r"nineteenth|twentieth"
)
SPOKEN_ORDINAL = rf"(?:(?:twenty|thirty)[ -])?(?:{ORDINALS}|thirtieth)"
SPOKEN_YEAR = (
    rf"(?:nineteen (?:hundred(?: and)? )?(?:oh[ -])?{SPOKEN_NUMBER}|two thousand(?: and)?"
    rf"(?: {SPOKEN_NUMBER})?|twenty (?:oh[ -](?:{UNITS})|{SPOKEN_NUMBER}))"
)
# An identifier read aloud: digits in words or digits, letters, `d as in david`, `x ray`.
NATO = (
    r"alf?pha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|oscar|papa|quebec|romeo|"
    r"sierra|tango|uniform|victor|whiske?y|x[ -]?ray|yankee|zulu"
)
SPOKEN_PIECE = (
    rf"(?:[a-z] (?:as in|like|for) [a-z]{{3,10}}|{NATO}|zero|oh|aught|{UNITS}|{TEENS}|{TENS}|double|triple|hundred|"
    r"dash|hyphen|slash|bee|cee|see|dee|gee|jay|kay|pee|cue|tee|vee|zee|zed|[a-z]|\d{1,6})"
)
SPOKEN_ID = rf"{SPOKEN_PIECE}(?:[ ,-]{{1,2}}{SPOKEN_PIECE}){{2,}}"
# Text after a number that was measured, counted or advised, in any letter case.
MEASURE = (
    r"[ ]?(?:%|/|(?:[mnu]?g|mcg|ug|kg|[dm]?l|cc|iu|units?|u|meq|mmol|k?cal|calories|cfu|cells?|copies|steps|"
    r"feet|ft|cm|mm|lbs?|oz|deg(?:rees?)?|sec|min(?:ute)?s?|h(?:ou)?rs?|days?|wks?|weeks?|mos?|months?|yrs?|years?|"
    r"times|doses?|tab(?:let)?s?|cap(?:sule)?s?|puffs?|grams?|x|per|percent|loose|stools?|episodes?|white|red|wbc|"
    r"rbc|hpf|bpm|mmhg|beats|assist|staff|season|guidelines?)(?![A-Za-z]))"
)

# A time of day in four digits.
CLOCK = r"(?:[01]\d|2[0-3])[0-5]\d"
