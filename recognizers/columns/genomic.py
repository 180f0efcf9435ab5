"""Genomic columns: genotypes, alleles, variants, sequences, short tandem repeats.

Safe Harbor does not list them, but they may identify a person and their relatives, so a genomic
column is kept only if a policy names it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from recognizers.columns.cells.answers import is_answer
from recognizers.columns.cells.memory import remembered
from recognizers.columns.cells.shapes import is_genetic, is_listed
from recognizers.columns.headers import header_words

GENOMIC = "genomic data may identify the person and their relatives"
GENOMIC_SHARE = 0.5
_HEADERS_WORDS = (
    "allele alleles autosomal diplotype exome genome genomic genotype genotypes germline "
    "haplotype haplotypes haplogroup hgvs hgvsc hgvsg hgvsp hla indel indels karyotype "
    "microsatellite mtdna polymorphism rsid snp snps snv vcf ystr zygosity"
)
_HEADERS = frozenset(_HEADERS_WORDS.split())
# These words are genomic only beside a gene or sequencing word: a variant may be of a virus.
_BESIDE_WORDS = "mutation mutations variant variants sequence locus loci"
_BESIDE_GENE = frozenset(_BESIDE_WORDS.split())
_WHOLE_HEADERS = frozenset(
    ["gt", "str", "strprofile", "strloci", "strlocus", "strmarkers", "strmarker"]
)
_SEQUENCED_WORDS = "dna cdna rna gene genetic exon codon nucleotide amino protein"
_SEQUENCED = frozenset(_SEQUENCED_WORDS.split())
_LOCI = re.compile(
    r"(?i)(?:d(?:\d{1,2}|x|y)s\d{2,4}[a-z]?|csf1po|fga|th01|tpox|vwa|penta_?[de]|amel(?:ogenin)?|"
    r"dys\d{2,3}[a-z\d]*|rs\d{3,})"
)
_BASES = re.compile(r"[ACGTUN]{10,}|(?:[ACGT]{1,8}|[-.])[/|](?:[ACGT]{1,8}|[-.])", re.IGNORECASE)
# A variant call or an HGVS name is recognized under any header: nothing else looks like it.
_SURE = re.compile(
    r"(?i)rs\d{4,11}|(?:.*:)?p\.\(?[A-Z]{1,3}\d{1,5}\S+|.*\b[cgmnp]\.\(?[-*]?[A-Z]{0,3}\d+.*[ACGT>*=]|.*\b(?:HLA-)?(?:[ABC]|D[PQR][AB]\d)"
    r"\*\d{2,3}(?::\d{2,3}).*|[ACGT]{20,}"
)


@remembered
def is_genomic_header(header: str) -> bool:
    """Whether the header names genotypes, alleles, gene variants, or a locus of a DNA profile."""
    pieces = re.findall(r"[a-z]+\d*[a-z]?|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", "_", header).lower())
    words = {*pieces, *header_words(header), *re.findall(r"[a-z]+", header.lower())}
    if "".join(pieces) in _WHOLE_HEADERS or words & _HEADERS:
        return True
    if any(_LOCI.fullmatch(piece) for piece in [header, *pieces]):
        return True
    told = {word for word in words if len(word) > 3 and is_listed("gene", word)}
    return bool(words & _BESIDE_GENE) and bool(told | (words & _SEQUENCED))


@remembered
def is_genomic(value: str) -> bool:
    """Whether the cell is a variant, allele, genotype or sequence of bases, regardless of its
    header.
    """
    return _SURE.fullmatch(value.strip()) is not None


def _tells_no_variant(value: str) -> bool:
    """Whether the cell is a flag, or the effect or class of a variant: `missense`, `VUS`."""
    classed = is_answer("variant_effect", value) or is_answer("variant_class", value)
    return classed or is_listed("flag", value)


def are_genomic(header: str, seen: Sequence[str]) -> bool:
    """Whether the column holds genomic data, by its header or by the form of its values.

    `HLA_B27` with the values `positive` and `negative` is an ordinary test.
    """
    values = set(seen)
    named = is_genomic_header(header)
    if named:
        return not values or not all(map(_tells_no_variant, values))
    calls = sum(is_genomic(v) or (is_genetic(v) and len(v) > 4) for v in seen)
    bases = sum(bool(_BASES.fullmatch(v)) and len(v) > 2 for v in seen)
    return len(values) > 0 and max(calls, bases) >= GENOMIC_SHARE * len(seen)
