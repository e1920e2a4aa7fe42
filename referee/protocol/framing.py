"""Lines: one JSON object each, UTF-8, ended by `\\n`; a `\\r` before it is tolerated."""

MAX_LINE = 65_536  # bytes, the `\n` not counted
