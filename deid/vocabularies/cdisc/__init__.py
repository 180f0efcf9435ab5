"""CDISC (SDTM, SEND, ADaM): names of its variables, and the published terms of each."""
