"""Line charts as SVG for the page: one line for each name, with a band around a mean of runs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from campanula.pipelines.plot import CurvePoint
from campanula.pipelines.reporting.markup import Markup, tag
from campanula.stages.metrics.metric import UNBOUNDED, Bounds

WIDTH, HEIGHT = 460, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 12, 10, 44
COLORS = ("#1f5aa6", "#c4452f", "#2f8a4e", "#8a5bb5", "#b07a12", "#3a8f9c", "#c25a94", "#6b6b6b")
TICKS = 5


class Axes:
    """Scales of a chart: iterations go from left to right, values from the bottom up.

    bounds: least and greatest value that the metric can have; the value axis ends there.
    """

    def __init__(self, points: Sequence[CurvePoint], bounds: Bounds = UNBOUNDED) -> None:
        self.last = max(max(point.iteration for point in points), 1)
        low = min(point.low for point in points)
        high = max(point.high for point in points)
        # a margin also where all values are equal, since `y` divides by the height of the axis
        margin = (high - low) * 0.05 or max(abs(high) * 0.05, 0.05)
        # the outer min and max keep a point on the chart that is itself out of bounds
        self.low = min(low, max(low - margin, bounds[0]))
        self.high = max(high, min(high + margin, bounds[1]))

    def x(self, iteration: float) -> float:
        """Pixels from the left edge of the chart."""
        # tenths of a pixel are finer than a screen shows, and keep the page small
        return round(LEFT + iteration / self.last * (WIDTH - LEFT - RIGHT), 1)

    def y(self, value: float) -> float:
        """Pixels from the top edge of the chart."""
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
        # so that at most eleven numbers stand side by side, 0 among them
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
    bounds: Bounds = UNBOUNDED,
) -> Markup:
    """Return a chart with title and legend, or empty markup where there is nothing to draw.

    kept: by name, the iteration that has a dot on the line.  bounds: as for Axes.
    """
    drawn = {name: points for name, points in curves.items() if points}
    if not drawn:
        return Markup("")
    axes = Axes([point for points in drawn.values() for point in points], bounds)
    parts = axes.frame()
    legend = []
    for place, (name, points) in enumerate(drawn.items()):
        color = COLORS[place % len(COLORS)]
        # from here on colours come a second time
        dash = "5 3" if place >= len(COLORS) else None
        if any(point.low != point.high for point in points):
            parts.append(tag("path", d=_band(axes, points), fill=color, class_="band"))
        way = "L".join(f"{axes.x(p.iteration)} {axes.y(p.value)}" for p in points)
        parts.append(tag("path", d=f"M{way}", stroke=color, stroke_dasharray=dash, class_="line"))
        dot = (kept or {}).get(name)
        for point in points:
            # a line through a single point would not be seen
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
    """Round numbers from low to high at equal distances: TICKS or fewer, at least two or three."""
    rough = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    # rough < 10 power, so that one of the factors is large enough
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    first = math.ceil(low / step)
    return [round(n * step, 12) for n in range(first, math.floor(high / step) + 1)]
