"""Line charts as SVG within the page: a line a name, a band where it stands for several runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from campanula.pipelines.plot import CurvePoint
from campanula.pipelines.reporting.markup import Markup, tag

WIDTH, HEIGHT = 460, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 10, 44
COLORS = ("#1f5aa6", "#c4452f", "#2f8a4e", "#8a5bb5", "#b07a12", "#3a8f9c", "#c25a94", "#6b6b6b")
TICKS = 5


class Axes:
    """Where values stand in the chart: iterations from left to right, values from below."""

    def __init__(self, points: Sequence[CurvePoint]) -> None:
        self.last = max(max(point.iteration for point in points), 1)
        low = min(point.low for point in points)
        high = max(point.high for point in points)
        room = (high - low) * 0.05 or max(abs(high) * 0.05, 0.05)
        self.low, self.high = low - room, high + room

    def x(self, iteration: float) -> float:
        """Pixels from the left."""
        return round(LEFT + iteration / self.last * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        """Pixels from the top."""
        share = (value - self.low) / (self.high - self.low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    def frame(self) -> list[Markup]:
        """Grid, ticks and their numbers."""
        parts = []
        for value in ticks(self.low, self.high):
            y = self.y(value)
            parts.append(
                tag("line", x1=LEFT, x2=WIDTH - RIGHT, y1=str(y), y2=str(y), class_="grid")
            )
            shown = f"{value:.6g}"
            parts.append(tag("text", shown, x=LEFT - 6, y=str(y + 4), text_anchor="end"))
        step = max(1, math.ceil(self.last / 10))
        for iteration in range(0, self.last + 1, step):
            x = str(self.x(iteration))
            parts.append(tag("text", iteration, x=x, y=HEIGHT - 26, text_anchor="middle"))
        middle = (LEFT + WIDTH - RIGHT) // 2
        parts.append(tag("text", "iteration", x=middle, y=HEIGHT - 6, text_anchor="middle"))
        return parts


def lines(
    title: str,
    curves: Mapping[str, Sequence[CurvePoint]],
    kept: Mapping[str, int | None] | None = None,
) -> Markup:
    """A chart with its title and legend; none where there is nothing to draw.

    kept: an iteration that has a dot on its line, by name.
    """
    drawn = {name: points for name, points in curves.items() if points}
    if not drawn:
        return Markup("")
    axes = Axes([point for points in drawn.values() for point in points])
    parts = axes.frame()
    legend = []
    for place, (name, points) in enumerate(drawn.items()):
        color = COLORS[place % len(COLORS)]
        dash = "5 3" if place >= len(COLORS) else None
        if any(point.low != point.high for point in points):
            parts.append(tag("path", d=_band(axes, points), fill=color, class_="band"))
        way = "L".join(f"{axes.x(p.iteration)} {axes.y(p.value)}" for p in points)
        parts.append(tag("path", d=f"M{way}", stroke=color, stroke_dasharray=dash, class_="line"))
        dot = (kept or {}).get(name)
        for point in points:
            if len(points) == 1 or point.iteration == dot:
                x, y = axes.x(point.iteration), axes.y(point.value)
                parts.append(tag("circle", cx=str(x), cy=str(y), r=4, fill=color))
        legend.append(tag("span", tag("i", style=f"background:{color}"), name))
    box = f"0 0 {WIDTH} {HEIGHT}"
    chart = tag("svg", *parts, viewBox=box, width=WIDTH, height=HEIGHT, role="img")
    caption = tag("figcaption", tag("b", title), " ", *legend)
    return tag("figure", caption, chart)


def _band(axes: Axes, points: Sequence[CurvePoint]) -> str:
    above = [f"{axes.x(p.iteration)} {axes.y(p.high)}" for p in points]
    below = [f"{axes.x(p.iteration)} {axes.y(p.low)}" for p in reversed(points)]
    return f"M{'L'.join([*above, *below])}Z"


def ticks(low: float, high: float) -> list[float]:
    """Round numbers between two others, TICKS or a few more."""
    rough = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = math.ceil(low / step)
    return [round(n * step, 12) for n in range(first, math.floor(high / step) + 1)]
