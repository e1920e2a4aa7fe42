"""The command line. Commands are thin; what is slow to import (trio, rich) is imported by the commands that use it."""

import sys


def main() -> None:
    """Entry point: run a command, and turn what it raises into one line and an exit code."""
    from referee.cli.app import app
    from referee.errors import RefereeError

    try:
        app()
    except RefereeError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # The reader of our output has gone, as `| head` does.
        sys.stderr.close()
        sys.exit(0)
