"""The commands, in the order of `deid --help`. Each is `deid/cli/<module>.py` with an `app`."""

COMMANDS: tuple[tuple[str, str, str], ...] = (
    # command, module, one line
    (
        "scrub",
        "scrub",
        "De-identify notes and tables, and search the output for known values.",
    ),
    ("find", "find", "Print findings as JSON lines, and change nothing."),
    ("profile", "profile", "Classify the columns of a table and draft a policy."),
    ("policy", "policy", "List, show, check and compare policies."),
    ("check", "check", "Search every byte of a release for known values."),
    ("load", "load", "Load a release into a database, a DuckDB file or partitioned Parquet."),
    ("review", "review", "Review a sample of a release and bound its leak rate."),
    (
        "risk",
        "risk",
        "Measure the re-identification risk of a table, alone or against a population.",
    ),
    (
        "exposure",
        "exposure",
        "Measure how much of a population a policy leaves exposed to an attacker.",
    ),
    ("plan", "plan", "Find the plan with the least loss of detail that meets a risk limit."),
    ("population", "population", "List, show, fetch and build population tables."),
    ("reproduce", "reproduce", "Recompute a published table of a paper, offline."),
    ("counts", "counts", "Count a cohort with noise, and lock out users who repeat queries."),
    ("crosswalk", "crosswalk", "Manage the crosswalk: random codes, surrogates and their key."),
    ("evaluate", "evaluate", "Measure accuracy on annotated text."),
    ("serve", "serve", "Serve the HTTP interface of Presidio: /analyze, /anonymize, /health."),
    ("doctor", "doctor", "Check the installation: model, lists, tables, versions."),
)
