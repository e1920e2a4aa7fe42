"""Tournament manager for bots that play the card game Sixty-Six."""

__version__ = "0.1.0"
