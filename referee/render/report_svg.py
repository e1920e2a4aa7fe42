"""Markup made in Python: elements whose text and attributes are always escaped, and scales for drawings.

What comes out is a `Markup`, which jinja's autoescape leaves alone and escapes nowhere twice; any other string that
goes in is text, whoever wrote it.
"""

import html
import math
from collections.abc import Callable, Iterator, Sequence

Value = str | float | None
Scale = Callable[[float], float]


class Markup(str):
    """Text that is markup already; `__html__` is how jinja knows it."""

    __slots__ = ()

    def __html__(self) -> str:
        return self


def el(name: str, *children: str, **attributes: Value) -> Markup:
    """An element; `class_` and `stroke_width` stand for `class` and `stroke-width`, None leaves an attribute out."""
    pairs = ((key.rstrip("_").replace("_", "-"), value) for key, value in attributes.items() if value is not None)
    inside = "".join(f' {key}="{html.escape(_value(value))}"' for key, value in pairs)
    return Markup(f"<{name}{inside}>{join(*children)}</{name}>" if children else f"<{name}{inside}/>")


def join(*children: str) -> Markup:
    """One after the other, what is no markup as text."""
    return Markup("".join(child if isinstance(child, Markup) else html.escape(child) for child in children))


def picture(key: str, size: tuple[float, float], title: str, desc: str, *children: str, **attributes: Value) -> Markup:
    """An image with a name and a description for those who do not see it; `key` is unique on the page."""
    width, height = size
    names = (el("title", title, id=f"{key}-t"), el("desc", desc, id=f"{key}-d"))
    labels = {"role": "img", "aria-labelledby": f"{key}-t", "aria-describedby": f"{key}-d"}
    return el("svg", *names, *children, viewBox=f"0 0 {width:g} {height:g}", **labels, **attributes)


def glyph(size: tuple[float, float], label: str, *children: str, **attributes: Value) -> Markup:
    """A small drawing in a table's cell; its label says the same in words."""
    width, height = size
    labels = {"role": "img", "aria-label": label}
    return el("svg", *children, width=width, height=height, viewBox=f"0 0 {width:g} {height:g}", **labels, **attributes)


def points(pairs: Sequence[tuple[float, float]]) -> str:
    """The points of a polyline or polygon."""
    return " ".join(f"{_value(x)},{_value(y)}" for x, y in pairs)


def linear(low: float, high: float, start: float, end: float) -> Scale:
    """Maps low..high to start..end; a range without width to the middle."""
    if high <= low:
        return lambda value: (start + end) / 2
    return lambda value: start + (value - low) / (high - low) * (end - start)


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers from low to high, some `about` of them."""
    if high <= low:
        return [low]
    rough = (high - low) / max(about, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 2.5, 5, 10) if power * factor >= rough * 0.999)
    return list(_steps(math.ceil(low / step - 1e-9), high, step))


def _steps(number: int, high: float, step: float) -> Iterator[float]:
    while number * step <= high + step * 1e-9:
        yield number * step
        number += 1


def _value(value: Value) -> str:
    """Numbers to a tenth, which is finer than a screen shows; text as it is."""
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
