"""Does a bot speak the protocol? Every message and rule is forced on it at least once.

    steps       what is tried, in which order, on which decks: data
    wire        how lines reach the bot: in pieces, with unknown fields, and so on
    situations  what a turn or an event is an example of
    rival       the opponent, who plays from a script
    candidate   the bot's side of the table, which keeps what was sent and what came back
    tally       what was seen during a step, and what it comes to
    checker     plays it all
    report      what came of it

It is the real machine and the real referee that the bot plays with; only the decks are chosen, so that what is to be
tried comes about whatever the bot does. What is the bot's own decision cannot be forced, only offered.
"""
