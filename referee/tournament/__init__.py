"""Configuration, schedule, workers and the runner that keeps them busy."""
