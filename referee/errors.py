"""Everything that the referee raises on purpose, and the exit code that the command line makes of it.

    RefereeError
    ├── UsageError          2    a path or an option that cannot be meant
    ├── ConfigError         3    a tournament file or bot.toml is wrong: names file, line, key and a hint
    ├── BotStartError       4    a bot could not be started
    ├── LogError            5    a log is damaged or of another format
    └── RunError            1    the run could not go on; everything finished is kept

What a bot does wrong is never one of these: it is a fault, and stands in the match log.
"""


class RefereeError(Exception):
    """Base of all; `str()` is what the user reads."""

    exit_code = 1


class UsageError(RefereeError):
    """Ask the user for another path or option."""

    exit_code = 2


class ConfigError(RefereeError):
    """Show it, start nothing. The text is `FILE:LINE: KEY: what is wrong (hint)`."""

    exit_code = 3


class BotStartError(RefereeError):
    """A bot named by the user did not start; the text has the system's reason and the end of its stderr."""

    exit_code = 4


class LogError(RefereeError):
    """The log is cut, not JSON, or has a newer format; `line` is 1-based, 0 for the file as a whole."""

    exit_code = 5

    def __init__(self, path: str, line: int, why: str) -> None:
        self.path, self.line, self.why = path, line, why
        super().__init__(f"{path}:{line}: {why}" if line else f"{path}: {why}")


class RunError(RefereeError):
    """The run stops here; finished matches are safe, the same command goes on later."""


def first(error: BaseException) -> BaseException:
    """The first of a group, however deep it lies: of several that came at once, one is enough for people."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error
