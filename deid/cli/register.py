"""The commands, in the order of `deid --help`. Each is `deid/cli/<module>.py` with an `app`."""

COMMANDS: tuple[tuple[str, str, str], ...] = (
    # command, module, one line
    (
        "scrub",
        "scrub",
        "Take the identity out of notes and tables, and prove that what is known is out.",
    ),
    ("find", "find", "Findings only, as JSON lines; nothing is changed."),
    ("profile", "profile", "What each column of a table seems to be, and a draft policy."),
    ("policy", "policy", "Shipped policies, their text, what they may claim."),
    ("check", "check", "Search every byte of a release for known values."),
    ("review", "review", "Read a sample of a release and bound what still leaks."),
    ("risk", "risk", "Re-identification risk of a table, alone or against a population."),
    ("exposure", "exposure", "How much of a population a policy leaves exposed to an attacker."),
    ("plan", "plan", "The least loss of detail that meets a risk limit."),
    ("population", "population", "Population tables: list, show, fetch, build."),
    ("counts", "counts", "Cohort counts with noise, an audit trail and a lock-out."),
    ("crosswalk", "crosswalk", "The code book: random codes, surrogates, and the key to them."),
    ("evaluate", "evaluate", "Accuracy against annotated text."),
    ("serve", "serve", "Presidio-compatible HTTP: /analyze, /anonymize, /health."),
    ("doctor", "doctor", "What is installed: model, lists, tables, versions."),
)
