"""Bots as programs on this machine: what they are, how they are launched, asked, watched and killed.

    spec      what a bot is: bot.toml, a script, a command line          (no process)
    program   the real program behind a name                             (asks a shim once)
    build     compiling a bot once, however many processes want it
    sandbox   the argv and environment a bot is launched with
    stderr    what is kept of a bot's standard error
    reaper    killing all that a bot has started, reaping it, and nothing else
    process   one running bot: ask, tell, finish, kill

Nobody here knows of tournaments, matches or rules.
"""
