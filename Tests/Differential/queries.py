"""Random queries of a list, as plain data, and the parameters that ask them over HTTP."""

import urllib.parse

import evaluator
import tables

COMPARISONS = ["lt", "lte", "gt", "gte"]
LETTERS = ["contains", "startswith", "endswith"]


class Asker:
    """Makes queries of one list: of its columns, its values and near misses of them."""

    def __init__(self, rng, listing, engine, features):
        self.rng, self.engine, self.features = rng, engine, features
        self.columns = listing.columns
        self.table = listing.table
        self.sortable = ["id"] + [name for name, c in self.columns.items() if c["sortable"] and name != "id"]
        self.groupable = [name for name, c in self.columns.items() if c.get("groupable")]
        self.countable = [name for name, c in self.columns.items() if c.get("facet")]

    def has(self, *features):
        return any(feature in self.features for feature in features)

    def chance(self, share):
        return self.rng.random() < share

    def query(self):
        """A query whose steps are decided one by one, each rarely enough that many rows are left."""
        rng, query = self.rng, {}
        if self.chance(0.7):
            names = rng.sample(self.sortable, min(len(self.sortable), rng.choice([1, 1, 2, 3])))
            query["sort"] = [[name, self.chance(0.5), self.chance(0.3)] for name in names]
        if self.groupable and self.chance(0.5):
            name = rng.choice(self.groupable)
            query["group"] = [name, self.has_initials(name) and self.chance(0.4)]
        query["filters"] = [self.condition() for _ in range(rng.choice([0, 0, 0, 1, 1, 2, 3]))]
        if self.chance(0.3):
            query["groups"] = [self.group(rng.choice(["or", "or", "not"]), 1)]
        if self.chance(0.2) and any(self.table.columns[name].kind == "text" for name in self.columns):
            query["q"] = self.search()
        if self.countable and self.chance(0.3):
            query["facets"] = rng.sample(self.countable, rng.randrange(1, min(3, len(self.countable)) + 1))
        if self.chance(0.3):
            query["aggregates"] = self.aggregates()
        if self.chance(0.2):
            names = list(self.columns)
            query["columns"] = rng.sample(names, rng.randrange(1, len(names) + 1))
        count = len(self.table.rows)
        least = max(1, count // 8)
        query["limit"] = rng.choice([None, rng.randrange(least, least + 12), 500])
        if "group" in query:
            if count and self.chance(0.3):
                query["sections"] = [rng.randrange(count) for _ in range(rng.choice([1, 1, 2, 3]))]
            if self.chance(0.3):
                query["per_section"] = rng.choice([1, 2, 3])
                query["limit"] = rng.randrange(max(1, count // 10), max(1, count // 10) + 5)
        if "per_section" not in query and self.chance(0.1):
            query["page"] = rng.choice([1, 2, 3, 9])
            query["limit"] = query["limit"] or 50
        elif "per_section" not in query and self.jumps(query) and self.chance(0.5):
            query["jump"] = rng.choice(["A", "E", "b", "É", "N", "#"])
        for step, share in [("walk", 0.3), ("links", 0.3), ("csv", 0.15), ("ndjson", 0.15)]:
            if self.chance(share):
                query[step] = True
        if self.chance(0.03):
            query["wrong"] = self.rng.choice(
                ["lmit=3", "limit=0", "limit=501", "sort=nothing", "columns=nothing", "page=x",
                 "after=x", "group=nothing", "page=2&after=x", "nothing__gt=3"])
        return query

    def values(self, name):
        return [row[2][name] for row in self.table.rows if row[2][name] is not None]

    def has_initials(self, name):
        """Whether all values begin with what has a letter or plainly has none."""
        return self.table.columns[name].kind == "text" and all(
            value.kind == "text" and value.text for value in self.values(name))

    def jumps(self, query):
        """Whether the order begins with texts, ascending, nulls last, and has letters to jump to."""
        if "group" in query:
            name = query["group"][0]
        elif query.get("sort") and query["sort"][0][1:] == [False, False] and self.engine != "memory":
            # A list in memory has sections of its own where no others are asked for.
            name = query["sort"][0][0]
        else:
            return False
        return name != "id" and self.table.columns[name].flavour == "own" and self.has_initials(name)

    def aggregates(self):
        """Columns by function: numbers have sums, columns that can be sorted by have extremes."""
        numbers = [name for name, column in self.columns.items() if column["type"] in ("integer", "real")]
        sortable = [name for name in self.sortable if name in self.columns]
        made = {}
        for function, names in [("sum", numbers), ("avg", numbers), ("min", sortable), ("max", sortable)]:
            if names and self.chance(0.6):
                made[function] = self.rng.sample(names, self.rng.randrange(1, min(3, len(names)) + 1))
        return made

    def group(self, joint, depth):
        """Conditions and further groups, joined by a word."""
        members = [self.group(self.rng.choice(["and", "or", "not"]), depth + 1)
                   if depth < 3 and self.chance(0.3) else self.condition()
                   for _ in range(self.rng.choice([1, 2, 2, 3]))]
        return [joint, members]

    def condition(self):
        if self.chance(0.1):
            ids = [row[0] for row in self.table.rows] + ["none"]
            operator = self.rng.choice(["eq", "ne", "in", "nin"])
            count = self.rng.randrange(1, 4) if "in" in operator else 1
            return ["id", operator, [self.rng.choice(ids) for _ in range(count)]]
        name = self.rng.choice([name for name in self.columns if self.columns[name].get("operators")] or ["id"])
        if name not in self.columns:
            return ["id", "ne", ["none"]]
        column = self.table.columns[name]
        # Links ask for exact values by `is`, and are followed.
        allowed = sorted(set(column.operators) - {"is"})
        operator = self.rng.choice(allowed)
        if self.chance(0.03):
            operator = self.rng.choice(COMPARISONS + LETTERS)
        if operator == "isnull":
            return [name, operator, [self.rng.choice(["true", "false"])]]
        if operator in ("in", "nin"):
            return [name, operator, [self.operand(name) for _ in range(self.rng.randrange(1, 5))]]
        operand = self.operand(name)
        if operator in LETTERS and operand and self.chance(0.7):
            start = self.rng.randrange(len(operand))
            operand = operand[start:start + self.rng.randrange(1, 5)]
            operand = self.rng.choice([operand, operand.upper(), operand.lower()])
        if operand == "" and operator != "eq":
            operand = "a" if operator in LETTERS else self.rng.choice(tables.LATIN[:3])
            operator = operator if column.kind == "text" else "isnull"
            operand = operand if column.kind == "text" else "true"
        return [name, operator, [operand]]

    def operand(self, name):
        """The text of a value of the column, or nearly; where kinds mix, also of any other."""
        column = self.table.columns[name]
        values = self.values(name)
        maker = tables.Maker(self.rng, self.features)
        if values and self.chance(0.75):
            value = self.rng.choice(values)
            spelled = value.text[:300] if value.kind != "bytes" else "none"
            if not self.has("numbers", "times", "mixed"):
                return spelled if spelled or column.kind == "text" and self.has("empty") else self.plain(column, maker)
            return self.near(value.kind, spelled)
        if self.has("mixed") and self.chance(0.5):
            return getattr(maker, self.rng.choice(maker.kinds()))()
        return self.plain(column, maker)

    def plain(self, column, maker):
        made = {"number": maker.real if self.has("numbers") else maker.integer, "boolean": maker.boolean,
                "time": maker.date, "text": maker.text}.get(column.kind, maker.text)()
        return made or "a"

    def near(self, kind, spelled):
        if kind == "number" and evaluator.DECIMAL.fullmatch(spelled):
            return self.rng.choice([spelled, spelled, spelled + ("0" if "." in spelled else ".0"),
                                    tables.plain(spelled), spelled[:-1] + "3"])
        if kind == "time":
            return self.rng.choice([spelled, spelled, spelled[:10], spelled[:7], spelled[:4], spelled[:16]])
        return spelled

    def search(self):
        texts = [value.text for name in self.columns for value in self.values(name)
                 if self.table.columns[name].kind == "text" and value.kind != "bytes"]
        parts = " ".join(self.rng.sample(texts, min(len(texts), 2)) + ["ada"])[:200].split()
        chosen = [self.rng.choice(parts) for _ in range(self.rng.choice([1, 1, 2]))]
        last = chosen[-1]
        chosen[-1] = last[:self.rng.randrange(1, len(last) + 1)] if self.chance(0.5) else last
        joined = " ".join(chosen)
        return f'"{joined}"' if self.chance(0.2) else joined


def listed(operands):
    """Operands of `in`: between commas, in quotation marks where one needs them."""
    return ",".join('"' + o.replace('"', '""') + '"' if not o or o[0] == '"' or "," in o else o
                    for o in operands)


def quoted(text):
    return '"' + text.replace('"', '""') + '"'


def grouped(members):
    """Joined conditions as the parameters or and not take them."""
    def value(text):
        return quoted(text) if text[:1] == '"' or "," in text or ")" in text else text

    parts = []
    for member in members:
        if len(member) == 2:
            parts.append(member[0] + grouped(member[1]))
            continue
        name, operator, operands = member
        name += "" if operator == "eq" else f"__{operator}"
        if '"' == name[0] or "=" in name or name.startswith(("and(", "or(", "not(")):
            name = quoted(name)
        values = [value(operand) for operand in operands]
        parts.append(f"{name}={'(' + ','.join(values) + ')' if operator in ('in', 'nin') else values[0]}")
    return "(" + ",".join(parts) + ")"


def parameters(query, section_ids=()):
    """The names and values of a query's parameters."""
    pairs = []
    if query.get("sort"):
        pairs.append(("sort", ",".join(f"{'-' * descends}{name}{':nullsfirst' * first}"
                                       for name, descends, first in query["sort"])))
    if query.get("group"):
        name, isInitial = query["group"]
        pairs.append(("group", name + ":initial" * isInitial))
    for name, operator, operands in query.get("filters", []):
        joined = listed(operands) if operator in ("in", "nin") else operands[0]
        pairs.append((name if operator == "eq" else f"{name}__{operator}", joined))
    pairs += [(function, ",".join(names)) for function, names in query.get("aggregates", {}).items()]
    pairs += [(joint, grouped(members)) for joint, members in query.get("groups", [])]
    for name in ["q", "limit", "per_section", "page", "jump"]:
        if query.get(name) is not None:
            pairs.append((name, str(query[name])))
    for name in ["facets", "columns"]:
        if query.get(name):
            pairs.append((name, ",".join(query[name])))
    pairs += [("section", identifier) for identifier in section_ids]
    return pairs


def address(path, query, section_ids=()):
    encoded = "&".join(f"{urllib.parse.quote(name, safe='')}={urllib.parse.quote(value, safe='')}"
                       for name, value in parameters(query, section_ids))
    if query.get("wrong"):
        encoded += "&" * bool(encoded) + query["wrong"]
    return path + "?" * bool(encoded) + encoded


def simpler(query):
    """Queries with one thing less, the larger things first."""
    for name in ["walk", "links", "csv", "ndjson", "facets", "groups", "aggregates", "q", "columns", "sections", "page", "jump",
                 "per_section", "group", "sort", "wrong", "limit"]:
        if query.get(name) and not (name == "limit" and query.get("page")):
            needing = {"group": ["sections", "per_section", "jump"], "sort": ["jump"]}.get(name, [])
            yield {key: value for key, value in query.items() if key != name and key not in needing}
    for name in ["filters", "sort", "sections", "facets"]:
        parts = query.get(name) or []
        # What a page jumps to is found by the first key of the order.
        least = 0 if name == "filters" else 1
        for index in range(name == "sort" and "jump" in query, len(parts) if len(parts) > least else 0):
            yield {**query, name: parts[:index] + parts[index + 1:]}
    for index, (name, operator, operands) in enumerate(query.get("filters", [])):
        for gone in range(len(operands) if len(operands) > 1 else 0):
            shorter = [name, operator, operands[:gone] + operands[gone + 1:]]
            yield {**query, "filters": query["filters"][:index] + [shorter] + query["filters"][index + 1:]}
