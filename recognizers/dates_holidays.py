# ruff: noqa: E501 -- a list reads best on one line
"""(C) Holidays and feasts, of many calendars: each names a day of its year."""

from __future__ import annotations

from recognizers.context import Context
from recognizers.rules import Pattern, RuleRecognizer
from recognizers.shapes import YEAR

DATE = "DATE_TIME"
HOLIDAYS = (
    r"new year'?s|new yrs?|mlk|martin luther king(?: jr\.?)? (?:day|weekend)|ground ?hogs?'? day|valentine'?s|presidents'? (?:day|weekend)|mardi gras|fat tuesday|shrove tuesday|ash wed(?:nesday|s)?|st\.? patrick'?s|st\.? paddy'?s|palm sunday|good friday|holy (?:thursday|week|saturday)|maundy thursday|"
    r"easter(?: sunday| monday)?|passover|april fool'?s|cinco de mayo|mother'?s day|memorial day|father'?s day|juneteenth|(?:the )?fourth of july|(?:the )?4th of july|independence day|labor day|rosh hashanah?|yom kippur|sukkot|columbus day|indigenous peoples'? day|"
    r"halloween|all saints'?|all souls'?|veterans'? day|election day|t(?:hanks|hx)giving|turkey day|tgiving|black friday|cyber monday|hanukkah|chanukah|christmas|xmas|boxing day|kwanzaa|festivus|ramadan|eid(?: al-(?:fitr|adha))?|diwali|holi|(?:lunar|chinese|lao|khmer|thai|hmong|tibetan|persian|ethiopian) new (?:year'?s?|yr)|"
    r"nowruz|purim|shavuot|pentecost|ascension day|whit ?sunday|trinity sunday|white sunday|super ?bowl(?: sunday)?|nochebuena|nochevieja|noche vieja|dia de (?:los )?(?:muertos|reyes|la madre|las madres|accion de gracias)|three kings|epiphany|native american day|patriots'? day|pioneer day|kamehameha day|kuhio day|flag day|earth day|"
    r"leap day|pi day|orthodox (?:easter|christmas)|pesach|new year|lei day|may day|statehood day|decoration day|(?:st|saint)\.? [a-z]+'?s day|viernes santo|semana santa|miercoles de ceniza|domingo de ramos|navidad|t-day|bastille day|canada day|anzac day|guy fawkes|bonfire night|mid-autumn festival|lantern festival|winter solstice|summer solstice|"
    r"lag ba'?omer|chol ha'?moed|tisha b'?av|simchat torah|tu b'?shvat|meskel|timkat|genna|enkutatash|losar|songkran|vesak|vaisakhi|navratri|raksha bandhan|ashura|mawlid|laylat al-qadr|muharram|candlemas|corpus christi|candelaria|las posadas|wigilia|wielkanoc|zaduszki|tabaski|korite|gurpurab|onam|pongal|dussehra|durga puja|janmashtami|obon|golden week|chuseok|seollal|qingming|hari raya|pascha|santa lucia|sinterklaas|michaelmas|martinmas|whitsun|midsummer|"
    r"whit ?(?:monday|tuesday|week)|theophany|watch ?night|fete[- ]dieu|la toussaint|assumption (?:day|of mary)|all hallows|(?-i:T)welfth (?-i:N)ight|shrove monday|easter (?:tuesday|saturday|vigil)|clean monday|bright (?:monday|week)|lazarus saturday|passion sunday|low sunday|rogation days?|lammas|hogmanay|burns night|beltane|samhain|imbolc|"
    r"old new year|ivan kupala|maslenitsa|dia de la (?:candelaria|raza|virgen|independencia)|dia de san [a-z]+|noche de san juan|fiestas patrias|simbang gabi|sinulog|loy krathong|thingyan|pchum ben|pi mai|ganesh chaturthi|karva chauth|(?:maha )?shiv(?:a)?ratri|ram navami|baisakhi|lohri|(?:makar )?sankranti|ugadi|"
    r"eid[- ]ul[- ](?:fitr|adha)|bakrid|arbaeen|norooz|navruz|yalda|mimouna|shemini atzeret|hoshana rabbah?|yom ha[a-z']{4,8}|tu b'?i?shvat|erev (?:rosh hashanah?|yom kippur|pesach|sukkot|shavuot|shabbat|shabbos|yom tov)|shushan purim|selichot|bodhi day|emancipation day|armistice day|"
    r"nevada day|alaska day|seward'?s day|san jacinto day|cesar chavez day|town meeting day|evacuation day|lincoln'?s birthday|washington'?s birthday|arbor day|memorial (?:weekend|wknd)|labor (?:weekend|wknd)|reyes magos"
)
# What a feast may bring along: `Christmas morning`, `MLK weekend`, `New Year's Eve Eve`.
WITH = r"(?: day)?(?:'s)?(?:(?: |[ ]*\n[ \t>]*)(?:eve|eves|morning|night|nite|weekend|wknd|week|break))*"


class DatesHolidays(RuleRecognizer):
    word = "dates_holidays"
    patterns = (
        Pattern(
            "holiday",
            rf"(?i)\b((?:{HOLIDAYS}){WITH}(?:,? (?:of )?{YEAR})?)\b",
            DATE,
            0.95,
            context=Context(
                not_right=r"(?: (?:egg|island|seal|lily|disease|tree (?:pattern|in)|palsy|cracker|hospital|church|parish|school|medical|episcopal|lutheran|catholic|clinic|community|blvd|boulevard|ave|avenue|street|st\b|way|dr\b|drive|pkwy|parkway|jr|cactus|cottonw)|['\u2019]s (?:hospital|church|parish|school|medical|clinic|episcopal))"
            ),
        ),
        Pattern("holiday, a short word", r"\b(T[Ee]t|TET)\b", DATE, 0.9),
        Pattern("new year's eve", r"\b(NYE|NYD|T-giving|Tgiving|X-mas|x-mas)\b", DATE, 0.9),
        Pattern(
            "the Fourth",
            r"\b(the Fourth)(?:[.,;:)!?]|\n|\z|[ ](?:no|weekend|wknd|parade|fireworks|picnic|cookout|party|was|is|and|for|at|with|w/)(?:[^A-Za-z]|\z))",
            DATE,
            0.92,
            context=Context(not_left=r"(?:\bof|\bin) "),
        ),
    )
