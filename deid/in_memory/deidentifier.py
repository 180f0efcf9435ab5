"""The engine as an object: loaded once, then called with texts and frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Self, TypeVar

from deid.errors import DeidError
from deid.in_memory.brought_findings import BroughtFinding, disjoint_findings
from deid.in_memory.frames import frame_job, read_scrubbed
from deid.in_memory.results import Frame, ScrubbedFrame, ScrubbedText, TextVerdict, withheld_text
from deid.jobs import open_codes, run_job
from deid.policy.model import Policy, read_policy
from deid.release.run_record import begin_run, utc_now
from deid.reports.states import NONE_KNOWN_LEFT, NOT_EVALUATED, SEARCHED
from deid.residual.search import search_texts
from deid.text.document import Document
from deid.text.engine import describe, load_finder
from deid.text.revision import Revision
from deid.text.scrubber import Scrubbed, Scrubber, TextFinder, WithheldText
from recognizers import KnownValueError, KnownValues
from safe_harbor import Claim

KnownInMemory = Mapping[str, Sequence[str]] | KnownValues


@dataclass
class Deidentifier:
    """De-identifies texts and frames under one policy; the model is loaded once.

    `policy` is a shipped name, the path of a YAML file or a `Policy`. `reference_date`, from which
    ages are computed, defaults to today. A policy with codes or surrogates needs a `crosswalk` with
    its `key_file`; use the object as a context manager then, so that the crosswalk is closed.

    >>> from deid import Deidentifier
    >>> engine = Deidentifier()
    >>> result = engine.scrub_text("Seen by Dr. Okafor on 03/14/2023.")
    >>> result.text, result.verdict.supported
    ('Seen by Dr. [NAME] on 2023.', 'safe_harbor')

    Raises:
        DeidError: `crosswalk-missing`, or an error of the policy, crosswalk or model.
    """

    policy: Policy | str | Path = "safe_harbor"
    reference_date: date | None = None
    fast: bool = False
    strict: bool = False
    crosswalk: str | Path | None = None
    key_file: str | Path | None = None
    _resources: ExitStack = field(default_factory=ExitStack, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.policy, Policy):
            self.policy = read_policy(str(self.policy))
        today = date.today()
        self.reference_date = self.reference_date or today
        self._run_date = today
        self._finder: TextFinder = load_finder(
            self.reference_date, run_date=today, strict=self.strict, fast=self.fast
        )
        self._allocate, self._account = self._resources.enter_context(
            open_codes(self.crosswalk, self.key_file)
        )
        if self.policy.needs_crosswalk and self._allocate is None:
            raise DeidError(
                "crosswalk-missing",
                "the policy draws codes or surrogates, which need a crosswalk",
                hint="pass crosswalk=... and key_file=...; `deid crosswalk init` makes both",
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the crosswalk, if there is one."""
        self._resources.close()

    def scrub_text(
        self,
        text: str,
        known: KnownInMemory | None = None,
        findings: Sequence[BroughtFinding] | None = None,
    ) -> ScrubbedText:
        """De-identify one text.

        `known` holds the known values of the patient, `{identifier: [values]}` with the eighteen
        identifiers; the output is searched again for them. If the caller gives
        spans as `findings` (findings, Presidio results or mappings with `start`, `end`, `entity`),
        only these are replaced. The output is still searched for `known`, but the verdict supports
        no claim, because no recognizer ran.

        Raises:
            DeidError: `text-withheld` if the text could not be searched in full or known values
                are left; `known-invalid`, `findings-invalid`.
        """
        if findings is not None:
            return self._replaced(text, known, findings)
        result = self.scrub_texts([text], None if known is None else [known])[0]
        _ = result.text
        return result

    def scrub_texts(
        self,
        texts: Sequence[str],
        known: Sequence[KnownInMemory | None] | None = None,
        patients: Sequence[str | None] | None = None,
    ) -> list[ScrubbedText]:
        """De-identify many texts: one result each, in order. A failure withholds only its text.

        `known` and `patients` have one entry per text. A certain finding in one text of a patient
        is searched for in the patient's other texts of this call, and tags are numbered across
        these texts.

        >>> from deid import Deidentifier
        >>> texts = ["Maria Quispe was seen.", "QUISPE called back."]
        >>> results = Deidentifier().scrub_texts(texts, patients=["7", "7"])
        >>> [result.text for result in results]
        ['[NAME] was seen.', '[NAME] called back.']

        Raises:
            DeidError: `known-invalid`, `lengths-differ`.
        """
        knowns: Sequence[KnownInMemory | None] = _per_text(known, len(texts))
        values = list(map(_known_values, knowns))
        owners = list(_per_text(patients, len(texts)))
        documents = [
            Document(ordinal, text, owner, value)
            for ordinal, (text, owner, value) in enumerate(
                zip(texts, owners, values, strict=True), 1
            )
        ]
        scrubber = self._scrubber()
        scrubber.survey([document for document in documents if document.patient is not None])
        return [
            self._judged(document, outcome)
            for document, outcome in zip(documents, scrubber.scrub(documents), strict=True)
        ]

    def scrub_frame(
        self,
        frame: Frame,
        *,
        text_columns: Sequence[str] = (),
        known: Any = None,
        patient_key: str | None = None,
        table: str = "frame",
        strict_columns: bool = False,
    ) -> ScrubbedFrame[Frame]:
        """De-identify a pandas, polars or Arrow frame with the decisions of `deid scrub`.

        `text_columns` are read as notes; the other columns are decided by the policy and the
        profile. `known` is another frame, or the path of a table, with the known values of the
        patients, joined by `patient_key`. `table` is the table name to which the column rules of
        the policy are applied. The frame is written to a private temporary folder for the job,
        which is deleted. The index of a pandas frame is not released: the rows are labeled by their
        positions in `frame`.

        Raises:
            DeidError: `frame-invalid`, or any error that ends `deid scrub`.
        """
        assert isinstance(self.policy, Policy) and self.reference_date is not None
        with frame_job(
            frame,
            known,
            policy=self.policy,
            text_columns=text_columns,
            patient_key=patient_key,
            table=table,
            strict_columns=strict_columns,
            reference_date=self.reference_date,
            run_date=self._run_date,
        ) as job:
            release = run_job(
                job,
                self._finder,
                allocate=self._allocate,
                crosswalk=self._account,
                engine=describe(fast=self.fast),
                run=begin_run("deid.scrub_frame", None, utc_now),
            )
            return read_scrubbed(release, frame)

    def _scrubber(self) -> Scrubber:
        assert isinstance(self.policy, Policy) and self.reference_date is not None
        return Scrubber(
            self.policy, self._finder, self.reference_date, self._allocate, self._run_date
        )

    def _judged(self, document: Document, outcome: Scrubbed | WithheldText) -> ScrubbedText:
        """Return the result; withhold it if a known value of the patient is left in the output."""
        assert isinstance(self.policy, Policy)
        if isinstance(outcome, WithheldText):
            return withheld_text(outcome.code)
        left = self._known_values_left(outcome.text, document.known)
        if left:
            return withheld_text("known-value-left")
        status = SEARCHED if left is None else NONE_KNOWN_LEFT
        supported = self.policy.verdict().supported.value
        return ScrubbedText(outcome.text, outcome.changes, TextVerdict(supported, status))

    def _known_values_left(self, text: str, known: KnownValues | None) -> bool | None:
        """Whether a known value is left in the output; None without known values."""
        assert isinstance(self.policy, Policy)
        if known is None or not len(known):
            return None
        leave = self.policy.may_stay_in_text()
        found = search_texts([(1, "patient", text)], [("patient", known)], leave=leave)
        return bool(found.hits)

    def _replaced(
        self, text: str, known: KnownInMemory | None, findings: Sequence[BroughtFinding]
    ) -> ScrubbedText:
        """Replace the caller's findings in the text, and search the output for `known`."""
        assert isinstance(self.policy, Policy)
        scrubber = self._scrubber()
        document = Document(1, text, None, _known_values(known))
        own = disjoint_findings(findings, len(text))
        revision = Revision(document, own, scrubber.numbering(None), scrubber.judged(text))
        with scrubber.one_crosswalk_write():
            replaced, changes = revision.render(self.policy, scrubber.context)
        left = self._known_values_left(replaced, document.known)
        if left:
            result = withheld_text("known-value-left")
            _ = result.text
        verdict = TextVerdict(Claim.NONE.value, NOT_EVALUATED if left is None else NONE_KNOWN_LEFT)
        return ScrubbedText(replaced, changes, verdict)


OfText = TypeVar("OfText")


def _per_text(given: Sequence[OfText | None] | None, count: int) -> Sequence[OfText | None]:
    if given is None:
        return [None] * count
    if isinstance(given, str | Mapping | KnownValues) or len(given) != count:
        raise DeidError(
            "lengths-differ",
            "`known` or `patients` does not have one entry for each text",
            hint="give lists of the same length as the texts",
        )
    return given


def _known_values(known: KnownInMemory | None) -> KnownValues | None:
    if known is None or isinstance(known, KnownValues):
        return known
    try:
        return KnownValues.of(known)
    except KnownValueError as error:
        raise DeidError(
            "known-invalid",
            f"`known` cannot be read: {error.code}",
            hint='give {identifier: [values]}, for example {"names": [...]}',
        ) from None
