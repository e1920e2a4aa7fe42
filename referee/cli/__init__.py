"""The command line. Commands are thin; what is slow to import (trio, rich) is imported by the commands that use it."""

import errno
import os
import sys

NO_READER = 141  # what a shell shows for SIGPIPE
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def main() -> None:
    """Entry point: run a command, and turn what it raises into one line and an exit code."""
    from referee.errors import RefereeError

    _open_streams()
    try:
        _run()
    except RefereeError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone, as `| head` does.
        _abandon(NO_READER)
    except OSError as error:
        if error.errno not in FULL or error.filename is not None:
            raise
        try:
            print(f"error: cannot write: {error.strerror}", file=sys.stderr)
        finally:
            _abandon(1)


def _run() -> None:
    """A command to its end, its output included."""
    from referee.cli.app import app
    from referee.errors import first

    try:
        app()
    except BaseException as raised:
        error = first(raised)  # it may have happened while matches are played
        if isinstance(error, SystemExit) and isinstance(error.__context__, BrokenPipeError):
            error = error.__context__  # typer, and rich, make 1 of it
        if isinstance(error, SystemExit):
            sys.stdout.flush()
        if isinstance(error, OSError):
            raise error from None
        raise


def _abandon(code: int) -> None:
    """Leave without the output that cannot be written any more."""
    os._exit(code)


def _open_streams() -> None:
    """A stream that the caller has closed (`>&-`) would be None, and its number that of the next file opened."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        if getattr(sys, name) is None:
            null = os.open(os.devnull, os.O_RDWR)
            if null != number:
                os.dup2(null, number)
                os.close(null)
            setattr(sys, name, open(number, mode, encoding="utf-8"))  # noqa: PTH123, SIM115  a number, not a path
            if name == "stdout":
                print("error: cannot write: stdout is closed", file=sys.stderr)
                sys.exit(1)
