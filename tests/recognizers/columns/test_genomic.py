"""Genomic columns are withheld unless a policy names them; the name of a genetic test or a gene
symbol is not genomic data.
"""

from __future__ import annotations

import pytest

from recognizers import GENOMIC, is_genomic, profile

WITHHELD = {
    "genotype": ["A/G", "G/G", "A/A"],
    "APOE genotype": ["e3/e4", "e3/e3"],
    "HLA_A": ["A*02:01", "A*24:02"],
    "hla-drb1": ["15:01", "04:05"],
    "brca1_variant": ["c.68_69delAG", "negative"],
    "rs429358": ["CT", "TT"],
    "dbSNP": ["rs77375493", "rs1042522"],
    "HGVSc": ["c.1849G>T", "NM_000546.6:c.215C>G"],
    "HGVSp": ["p.Val617Phe", "p.Pro72Arg"],
    "karyotype": ["46,XX", "46,XY"],
    "Cytogenetics": ["46,XX[20]", "47,XY,+8[5]"],
    "dna_sequence": ["ACGTTGCAACGT", "ACGTTGCAACGA"],
    "read1": ["ACGTTGCAACGTACGTTGCAACGT", "ACGTTGCAACGTACGTTGCAACGA"],
    "CYP2D6": ["*1/*4", "*1/*1", "*4/*41"],
    "D3S1358": ["15,16", "14,18"],
    "TH01": ["6,9.3", "7,8"],
    "egfr_mutation": ["L858R", "exon 19 del"],
    "haplogroup": ["H1a", "R1b"],
    "snp_call": ["AA", "AG"],
    "value": ["rs429358", "rs7412"],
}
KEPT = {
    "HLA_B27": ["Positive", "Negative"],
    "Gene": ["FLT3", "NPM1", "KRAS"],
    "gamma_gt": ["34", "51", "28"],
    "line_sequence": ["1", "2", "3"],
    "max_value": ["12.5", "13.1"],
    "BRCA1_status": ["Positive", "Negative"],
}


@pytest.mark.parametrize("header", WITHHELD)
def test_genomic_columns_are_withheld_with_a_reason(header: str) -> None:
    seen = profile(header, WITHHELD[header] * 15)
    assert seen.kind == "unsure"
    assert seen.reasons == (GENOMIC,)


@pytest.mark.parametrize("header", KEPT)
def test_the_name_of_a_genetic_test_is_not_genomic_data(header: str) -> None:
    assert GENOMIC not in profile(header, KEPT[header] * 15).reasons


@pytest.mark.parametrize("cell", ["rs429358", "c.68_69delAG", "p.Val617Phe", "A*02:01"])
def test_a_genomic_cell_is_recognized_in_any_column(cell: str) -> None:
    assert is_genomic(cell)


@pytest.mark.parametrize("cell", ["mild", "E11.9", "p.o.", "cm", "10*3/uL", "c. difficile"])
def test_other_cells_are_not_genomic(cell: str) -> None:
    assert not is_genomic(cell)
