"""Charts as SVG, drawn without a library: bars for comparisons, lines for growth."""

import math
from xml.sax.saxutils import escape

from measuring import median
from tables import NAMES, number

STYLE = (
    "<style>text{font:13px system-ui,sans-serif;fill:#444}.t{font-weight:600;font-size:15px}"
    ".o{fill:#c2410c}.p{fill:#94a3b8}.g{stroke:#cbd5e1;fill:none}"
    "@media(prefers-color-scheme:dark){text{fill:#ccc}.p{fill:#64748b}.g{stroke:#475569}}</style>"
)
COLORS = ("#c2410c", "#2563eb", "#15803d", "#9333ea")


def svg(width, height, body):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" role="img">{STYLE}{body}</svg>\n'
    )


def bars(title, values):
    """One bar for each name, on a logarithmic scale: the values lie far apart."""
    width, line, left, right = 720, 26, 230, 90
    room = width - left - right
    low = min(values.values()) / 2
    high = max(values.values())
    body = f'<text class="t" x="0" y="18">{escape(title)}</text>'
    for index, (name, value) in enumerate(values.items()):
        y = 34 + index * line
        length = room * math.log(value / low) / math.log(high / low)
        kind = "o" if name.startswith("roster") else "p"
        body += (
            f'<text x="0" y="{y + 15}">{escape(NAMES[name])}</text>'
            f'<rect class="{kind}" x="{left}" y="{y}" width="{length:.1f}" height="20" rx="3"/>'
            f'<text x="{left + length + 6:.1f}" y="{y + 15}">{number(value)}</text>'
        )
    return svg(width, 40 + len(values) * line, body)


def comparison(results):
    """The charts of a comparison, by the names of their files."""
    found = {}
    for case, figure, name, title in (
        ("json-64", "rate", "rate.svg", "Requests a second: a page of 50 users as JSON (log scale)"),
        ("json-64", "cpu", "processor.svg", "µs of processor for a page as JSON (log scale)"),
        ("html-64", "cpu", "processor-html.svg", "µs of processor for a page as HTML (log scale)"),
    ):
        rounds = results["rounds"].get(case, {})
        values = {name: median(rounds[name], figure) for name in NAMES if name in rounds}
        if values:
            found[name] = bars(title, values)
    return found


def lines(title, unit, series, axis):
    """Lines over a logarithmic axis; `series` has for each name its points as (x, y)."""
    width, height, left, bottom = 720, 300, 60, 40
    points = [point for line in series.values() for point in line]
    low, high = min(x for x, _ in points), max(x for x, _ in points)
    top = max(y for _, y in points) * 1.1

    def place(x, y):
        part = math.log(x / low) / math.log(high / low) if high > low else 0
        return left + part * (width - left - 160), height - bottom - y / top * (height - bottom - 40)

    body = f'<text class="t" x="0" y="18">{escape(title)}</text>'
    for step in range(5):
        _, y = place(low, top * step / 4)
        body += (
            f'<path class="g" d="M{left} {y:.1f}H{width - 160}"/>'
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{number(top * step / 4)}</text>'
        )
    for x in sorted({x for x, _ in points}):
        at, _ = place(x, 0)
        body += f'<text x="{at:.1f}" y="{height - 18}" text-anchor="middle">{x:,}</text>'
    body += f'<text x="{left}" y="{height - 2}">{escape(axis)}</text>'
    body += f'<text x="{left}" y="36">{escape(unit)}</text>'
    for color, (name, line) in zip(COLORS, series.items()):
        places = [place(x, y) for x, y in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        body += f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
        for x, y in places:
            body += f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{color}"/>'
        x, y = places[-1]
        body += f'<text x="{x + 8:.1f}" y="{y + 4:.1f}" style="fill:{color}">{escape(name)}</text>'
    return svg(width, height, body)
