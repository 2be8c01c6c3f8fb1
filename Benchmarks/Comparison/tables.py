"""The tables of a comparison, as Markdown."""

import statistics

import workloads
from measuring import median, spread

NAMES = {
    "limit": "C, prepared bytes",
    "nginx": "nginx, a file",
    "roster": "Roster",
    "roster-drawn": "Roster, each page drawn anew",
    "roster-written": "Roster, each row written anew, too",
    "roster-sqlite": "Roster, SQLite, drawn anew",
    "hummingbird": "Hummingbird 2",
    "flyingfox": "FlyingFox",
    "datasette": "Datasette, SQLite",
}


def number(value):
    if value >= 10_000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def bytes_text(count):
    return f"{count / 1e6:.1f} MB"


def rows_of(case):
    return {name: case[name] for name in NAMES if name in case}


def ratio(rounds, base, figure):
    """The median of the ratios of the rounds: what the machine does besides falls on both alike."""
    if not base:
        return "–"
    ratios = [own[figure] / other[figure] for own, other in zip(rounds, base, strict=True)]
    return f"{statistics.median(ratios):.3g}"


def sample_users(rounds):
    """A table of what a page of the sample users costs, asked again and asked for the first time."""
    found = {name: rounds[name] for name in workloads.CASES if len(rounds.get(name, {})) == 2}
    if not found:
        return []
    manners = [
        manner for manner in workloads.MANNERS
        if any(name.endswith(f"-{manner}") for name in found)
    ]
    lines = [
        "**The sample users of the program, 64 connections: µs of processor for a request, and × what "
        "the limit takes to send the same page**", "",
        "| | C, prepared bytes | " + " | ".join(map(workloads.MANNERS.get, manners)) + " |",
        "|---" * (2 + len(manners)) + "|",
    ]
    for kind, title in workloads.TITLES.items():
        cells, limits = [], []
        for manner in manners:
            case = found.get(f"{kind}-{manner}")
            if not case:
                cells.append("–")
                continue
            own = next(entry for name, entry in case.items() if name != "limit")
            limits += case["limit"]
            cells.append(f"{number(median(own, 'cpu'))}, {ratio(own, case['limit'], 'cpu')} ×")
        if limits:
            lines.append(f"| {title} | {number(median(limits, 'cpu'))} | " + " | ".join(cells) + " |")
    return [*lines, ""]


def markdown(results):
    machine = results["machine"]
    lines = [
        f"{results['date']}, {machine['processor']}, {machine['cores']} cores, Linux "
        f"{machine['kernel']}, {machine['swift']}; medians of interleaved rounds of "
        f"{results['seconds']} s, ± half of what lies between the fastest and the slowest; × is "
        "the limit's figure of the same round, the median of the rounds.",
        "",
    ]
    # The limit of an answer without content is that of a small one.
    small = results["rounds"].get("small-64", {}).get("limit")
    titles = {
        "json-1": "A page of 50 users as JSON, 1 connection",
        "json-64": "64 connections",
        "json-256": "256 connections",
        "html-64": "The same as HTML, 64 connections",
        "small-64": "A small answer, 64 connections",
        "small-pipelined": "Small answers, 16 at a time, 64 connections",
        "unchanged-64": "304, 64 connections; the limit is that of a small answer",
    }
    for case, title in titles.items():
        found = rows_of(results["rounds"].get(case, {}))
        if not found:
            continue
        base = found.get("limit") or small
        lines += [
            f"**{title}**", "",
            "| | requests/s | × | µs of processor | × | p50 ms | p99 ms |",
            "|---|---|---|---|---|---|---|",
        ]
        for name, rounds in found.items():
            lines.append(
                f"| {NAMES[name]} | {number(median(rounds, 'rate'))} "
                f"± {spread(rounds, 'rate') * 50:.0f} % | {ratio(rounds, base, 'rate')} | "
                f"{number(median(rounds, 'cpu'))} | {ratio(rounds, base, 'cpu')} | "
                f"{number(median(rounds, 'p50'))} | {number(median(rounds, 'p99'))} |"
            )
        lines.append("")
    lines += sample_users(results["rounds"])
    counts = sorted({int(count) for found in results["memory"].values() for count in found})
    lines += [
        "| | start to first answer | program | memory "
        + " | ".join("idle" if count == 0 else f"{count:,} connections" for count in counts) + " |",
        "|---" * (3 + len(counts)) + "|",
    ]
    for name in NAMES:
        if name not in results["starts"]:
            continue
        memory = {int(count): value for count, value in results["memory"].get(name, {}).items()}
        cells = [bytes_text(memory[count]) if count in memory else "–" for count in counts]
        size = results["sizes"].get(name)
        lines.append(
            f"| {NAMES[name]} | {number(results['starts'][name] * 1e3)} ms | "
            f"{bytes_text(size) if size else '–'} | " + " | ".join(cells) + " |"
        )
    for name, reason in results["missing"].items():
        lines += ["", f"{NAMES.get(name, name)} is missing: {reason}."]
    return "\n".join(lines) + "\n"
