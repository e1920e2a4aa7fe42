"""A match as a pure state machine, its clock, its log vocabulary, and what each seat is told."""
