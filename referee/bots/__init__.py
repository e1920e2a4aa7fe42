"""Bots as programs on this machine: what they are, how they are launched, asked, watched and killed.

    spec        what a bot is: bot.toml, a script, a command line         (no process)
    program     the real program behind a name                            (asks a shim once)
    build       compiling a bot once, and knowing it by its content
    sandbox     the layers, and the command line that each makes of a bot
    bubblewrap  the part of it that is bwrap's
    launch      from a command line to a process with three pipes
    process     one running bot: ask, tell, finish, kill
    stderr      what is kept of a bot's standard error
    reaper      killing all that a bot has started, and nothing else

Only `player`, `driver` and `evidence`, which bring a match to the bots, know of rules; nobody knows of tournaments.
"""
