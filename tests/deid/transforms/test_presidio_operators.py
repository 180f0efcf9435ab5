"""Our transforms work in Presidio's engine, and Presidio's operators work in a policy."""

from __future__ import annotations

from datetime import date

import pytest
from presidio_anonymizer.entities import OperatorConfig, RecognizerResult

from deid.transforms import TRANSFORMS, WITH_ARGUMENT, TransformContext, transform
from deid.transforms.presidio_operators import anonymizer, operator_of
from safe_harbor import Identifier

REFERENCE = date(2026, 11, 21)


def test_anonymizer_engine_runs_our_operators() -> None:
    text = "Ana Ruiz, seen 03/14/2023, lives in 05301."
    spans = [("PERSON", "Ana Ruiz"), ("DATE_TIME", "03/14/2023"), ("US_ZIP_CODE", "05301")]
    found = [RecognizerResult(e, text.index(v), text.index(v) + len(v), 0.9) for e, v in spans]
    day = {"reference_date": REFERENCE}
    result = anonymizer().anonymize(
        text,
        found,
        {
            "PERSON": OperatorConfig("deid_tag", day),
            "DATE_TIME": OperatorConfig("deid_year", day),
            "US_ZIP_CODE": OperatorConfig("deid_zip3", day),
        },
    )
    assert result.text == "[NAME], seen 2023, lives in 053."


def test_an_operator_without_reference_date_is_refused() -> None:
    with pytest.raises(ValueError, match="reference_date"):
        operator_of(transform("year"))().validate({})


COARSER = [
    "band(10)",
    "band(0.5)",
    "round(5)",
    "top_code(85)",
    "top_code(95)",
    "bottom_code(18)",
    "truncate(3)",
    'dictionary({"ana": "A", "*": "B"})',
    "interval(ADMIT)",
]


@pytest.mark.parametrize(
    "name", [name for name, _ in TRANSFORMS if name not in WITH_ARGUMENT] + COARSER
)
def test_every_transform_leaves_only_what_it_declares(name: str) -> None:
    found = transform(name)
    if found.needs_crosswalk:
        pytest.skip("needs a crosswalk; held by the tests of the crosswalk")
    values = [
        "",
        "Ana",
        "05301",
        "036",
        "03/14/2023",
        "March 3",
        "93",
        "41",
        "VT",
        "1911",
        "6 days",
    ]
    for entity in ("PERSON", "CITY", "US_ZIP_CODE", "US_STATE", "DATE_TIME", "AGE", "BIRTH_DATE"):
        for where in ("text", "column"):
            context = TransformContext(Identifier.OTHERS, entity, REFERENCE, where=where)
            for value in values:
                outcome = found.apply(value, context)
                assert outcome.residue in found.residues(entity)
