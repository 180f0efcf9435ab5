# ruff: noqa: E501 -- a pattern reads best on one line
"""Pieces of pattern that several files share: months, spoken digits, separators."""

from __future__ import annotations

MONTH = (
    r"(?i:enero|febrero|marzo|abril|mayo|junio|julio|agosto|sep?tiembre|octubre|noviembre|diciembre|ene\b\.?|abr\b\.?|ago\b\.?|"
    r"jan(?:uary|\.)?|feb(?:ruary|r?\.)?|mar(?:ch|\.)?|apr(?:il|\.)?|may|june?\.?|july?\.?|"
    r"aug(?:ust|\.)?|sept?(?:ember|\.)?|oct(?:ober|\.)?|nov(?:ember|\.)?|dec(?:ember|\.)?)"
)
WEEKDAY = (
    r"(?i:mon(?:day)?s?|tue(?:s(?:day)?s?)?|wed(?:nesday|s)?s?|thu(?:r?s?(?:day)?s?)?|fri(?:day)?s?|"
    r"sat(?:urday)?s?|sun(?:day)?s?|lunes|martes|mi[e]rcoles|jueves|viernes|sabado|domingo|vie|mie|jue)"
)
DAY = r"(?:3[01]|[12]\d|0?[1-9])"
MONTH_NUMBER = r"(?:1[0-2]|0?[1-9])"
YEAR = r"(?:(?:18|19|20)\d\d)"
SHORT_YEAR = r"(?:(?:18|19|20)\d\d|'?\d\d)"
UNITS = r"one|two|three|four|five|six|seven|eight|nine"
SPOKEN_DIGIT = rf"(?:zero|oh|{UNITS}|double|triple)"
TEENS = r"ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
TENS = r"twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
SPOKEN_NUMBER = rf"(?:(?:{TENS})(?:[ -](?:{UNITS}))?|{TEENS}|{UNITS})"
SPOKEN_ORDINAL = (
    r"(?:(?:twenty|thirty)[ -])?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|"
    r"eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|seventeenth|eighteenth|"
    r"nineteenth|twentieth|thirtieth)"
)
SPOKEN_YEAR = (
    rf"(?:nineteen (?:hundred(?: and)? )?(?:oh[ -])?{SPOKEN_NUMBER}|two thousand(?: and)?"
    rf"(?: {SPOKEN_NUMBER})?|twenty (?:oh[ -](?:{UNITS})|{SPOKEN_NUMBER}))"
)
