"""The trained model: for each word piece of a text, the probability of each label."""
