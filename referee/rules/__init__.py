"""The rules of Sixty-Six, pure: cards, decks, deals, prices. `Deal` is the engine."""
