"""How things look: tables, live views, replays. No printing here."""
