"""Candidates out of a repository's own history: reverts, decision records, plans. Nothing of it is run."""
