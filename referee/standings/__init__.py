"""Standings: ratings, intervals and tests computed from the results of mirrored pairs."""
