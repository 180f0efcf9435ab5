"""`deid plan`: generalization and suppression that meet a risk limit, as a policy to run."""
