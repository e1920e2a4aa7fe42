"""What is kept of a bot's standard error: the beginning, the end, and how much there was between."""

HEAD = 64 * 1024
TAIL = 4 * 1024


class Stderr:
    """Bounded memory of an unbounded stream: the first 64 KiB, the last 4 KiB, the rest only counted.

    With `after`, the stream begins after that line; what stands before is the launcher's, and only kept until then.
    """

    __slots__ = ("_after", "_head", "_tail", "total")

    def __init__(self, after: str = "") -> None:
        self._after = f"{after}\n".encode() if after else b""
        self._head = bytearray()
        self._tail = bytearray()
        self.total = 0

    def feed(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
        if self._after:
            self._head += chunk
            found = self._head.find(self._after)
            if found < 0:
                return
            chunk = bytes(self._head[found + len(self._after) :])
            self._head, self._after = bytearray(), b""
        self.total += len(chunk)
        room = HEAD - len(self._head)
        self._head += chunk[:room]
        if len(chunk) > room:
            self._tail += chunk[max(room, len(chunk) - TAIL) :]
            del self._tail[:-TAIL]

    @property
    def begun(self) -> bool:
        """False as long as the line that it begins after has not come."""
        return not self._after

    @property
    def left_out(self) -> int:
        """Bytes that were read and not kept."""
        return self.total - len(self._head) - len(self._tail) if self.begun else 0

    def text(self) -> str:
        """All that is kept, with a line that counts what is missing. Undecodable bytes become U+FFFD."""
        if not self.left_out:
            return (self._head + self._tail).decode("utf-8", "replace")
        head, tail = (part.decode("utf-8", "replace") for part in (self._head, self._tail))
        return f"{head}\n[... {self.left_out} bytes left out ...]\n{tail}"

    def tail(self, limit: int = TAIL) -> str:
        """The last `limit` bytes: where a traceback says what went wrong."""
        kept = self._tail if len(self._tail) >= limit or self.left_out else self._head + self._tail
        return bytes(kept[-limit:]).decode("utf-8", "replace")
