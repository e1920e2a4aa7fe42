"""Bots as programs: what they are, how they are started, asked and killed."""
