"""What lies on the disk: match logs, runs, and playing them again."""
