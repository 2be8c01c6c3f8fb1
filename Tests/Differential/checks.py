"""What the program answers, compared with what the evaluator says."""

import http.client
import json
from fractions import Fraction

import evaluator
import queries

KINDS = {"text": "text", "email": "text", "link": "text", "integer": "number", "real": "number",
         "decimal": "number", "number": "number", "boolean": "boolean", "date": "time",
         "timestamp": "time", "datetime": "time", "time": "time", "json": "json", "bytes": "bytes"}


class Failure(Exception):
    """An answer that is not what the rules say."""

    def __init__(self, kind, target, expected, got):
        super().__init__(kind)
        self.kind, self.target, self.expected, self.got = kind, target, expected, got


class Literal(str):
    """A number as it stands in JSON."""

    def __repr__(self):
        return f"{self!s} (number)"


def parse(content):
    return json.loads(content, parse_float=Literal, parse_int=Literal)


def links_of(document, isLink=False):
    """The addresses of a list in a document, wherever they stand."""
    if isinstance(document, dict):
        for name, member in document.items():
            yield from links_of(member, isLink or name in ("links", "href"))
    elif isinstance(document, list):
        for element in document:
            yield from links_of(element, isLink)
    elif isLink and isinstance(document, str) and document.startswith("/t"):
        yield document


def csv_records(content):
    """Fields of CSV; an empty field without quotes is None."""
    records, record, field, isQuoted, index = [], [], "", False, 0
    while index < len(content):
        character = content[index]
        if character == '"':
            isQuoted, end = True, index + 1
            while content[end] != '"' or content[end + 1:end + 2] == '"':
                end += 2 if content[end] == '"' else 1
            field, index = content[index + 1:end].replace('""', '"'), end + 1
            continue
        if character in ",\r":
            record.append(field if field or isQuoted else None)
            field, isQuoted = "", False
            if character == "\r":
                records.append(record)
                record, index = [], index + 1
        else:
            field += character
        index += 1
    return records


def is_integer(value):
    """Whether a number of a file is spelled as an integer of 64 bits."""
    return value.double is not None or value.key[0] == 0 and str(value.key[1]) == value.text and abs(
        value.key[1] + Fraction(1, 2)) < 2 ** 63


def as_presented(value, kind, type):
    """A value of SQLite, which has texts for times and integers for booleans."""
    if value is None:
        return None
    if kind == "time" and value.kind == "text":
        # A column of dates shows timestamps as the texts that they are.
        isTime = type != "date" or evaluator.DATE_TEXT.fullmatch(value.text)
        return isTime and evaluator.time(value.text) or value
    isFlag = kind == "boolean" and value.kind == "number" and value.double is None and value.text in ("0", "1")
    return evaluator.boolean(value.text == "1") if isFlag else value


class Listing:
    """A list that a running program serves, and the rows that it is to have."""

    def __init__(self, base, flavour, rows, ties):
        self.host, self.flavour, self.ties = base.split("//")[1], flavour, ties
        self.connection = None
        self.requests = self.unknown = self.open = 0
        self.ids = {}
        schema = self.json("/t/-/schema")
        self.columns = {column["id"]: column for column in schema["columns"]}
        if "id" in self.columns:
            for identifier, _, values in rows:
                values["id"] = getattr(evaluator, KINDS[self.columns["id"]["type"]])(identifier)
        columns = []
        for name, column in self.columns.items():
            kind = KINDS[column["type"]]
            if flavour == "sqlite":
                for row in rows:
                    row[2][name] = as_presented(row[2][name], kind, column["type"])
            values = [row[2][name] for row in rows if name in row[2] and row[2][name] is not None]
            hasOthers = any(value.kind != kind or column["type"] == "integer" and not is_integer(value)
                            for value in values)
            isMixed = column.get("mixed", False)
            # Any column of SQLite may hold what it does not hold yet, and any text column bytes.
            isWrong = isMixed != hasOthers if flavour == "own" else hasOthers and not (isMixed or kind == "text")
            if isWrong and rows:
                raise Failure("mixed", "/t/-/schema", f"{name}: {hasOthers}", isMixed)
            forms = {evaluator.time_form(value) for value in values if value.kind == "time"}
            # Times of one spelling stand in the order of their texts.
            hasTimeOrder = flavour == "sqlite" and column["type"] == "timestamp" and (
                len(forms) != 1 or None in forms)
            columns.append(evaluator.Column(
                name, kind, isMixed, flavour, column.get("operators", []), hasTimeOrder))
        if rows and set(self.columns) != set(rows[0][2]):
            raise Failure("columns", "/t/-/schema", sorted(rows[0][2]), sorted(self.columns))
        self.table = evaluator.Table(columns, rows)

    def get(self, target, fields=None, method="GET", body=None):
        """The status and the content of an answer."""
        self.requests += 1
        for isLast in [False, True]:
            isNew = self.connection is None
            if isNew:
                self.connection = http.client.HTTPConnection(self.host, timeout=20)
            try:
                self.connection.request(method, target, body, {"Accept": "application/json", **(fields or {})})
                answer = self.connection.getresponse()
                content = answer.read()
                break
            except (OSError, http.client.HTTPException) as error:
                self.connection.close()
                self.connection = None
                # A connection that was kept may have been closed for its age.
                if isNew or isLast or isinstance(error, TimeoutError):
                    raise Failure("no answer", target, "an answer", repr(error)) from error
        if answer.status >= 500:
            raise Failure("status", target, "no failure of the server", f"{answer.status} {content[:300]}")
        return answer, content

    def json(self, target):
        answer, content = self.get(target)
        if answer.status != 200:
            raise Failure("status", target, 200, f"{answer.status} {content[:300].decode()}")
        return parse(content)

    # Expectations.

    def expected(self, query, without=None, keep=lambda row: True):
        """The sections of a query, each with all its rows."""
        rows = [row for row in self.table.selected(query, without) if keep(row)]
        group = query.get("group")
        sections = self.table.sections(self.table.sorted(rows, query.get("sort") or []), group)
        if query.get("sections"):
            wanted = self.wanted(query)
            sections = [section for section in sections if section[0] in wanted]
        return sections

    def wanted(self, query):
        """The keys of the sections that a query names by the place of one of their rows."""
        rows = self.table.rows
        return [self.table.section_key(rows[place % len(rows)], query["group"]) for place in query["sections"]]

    def section_ids(self, group):
        """The ids of all sections of a grouping by their keys, checked when they are first read."""
        name = tuple(group)
        if name not in self.ids:
            target = queries.address("/t/-/sections", {"group": group, "limit": 500})
            shown = self.json(target)["sections"]
            sections = self.expected({"group": group})
            expected = [len(rows) for _, rows in sections]
            if [self.count(section["count"], size) for section, size in zip(shown, expected)] != expected or len(
                    shown) != len(expected):
                raise Failure("sections", target, [(key, len(rows)) for key, rows in sections],
                              [(section["id"], section["count"]) for section in shown])
            ids = [section["id"] for section in shown]
            if len(set(ids)) != len(ids):
                raise Failure("section ids", target, "each once", ids)
            for (key, rows), identifier in zip(sections, ids):
                if not self.names(rows[0][2][group[0]], key, identifier, group[1]):
                    raise Failure("section ids", target, key, identifier)
            self.ids[name] = {key: identifier for (key, _), identifier in zip(sections, ids)}
        return self.ids[name]

    def names(self, value, key, identifier, isInitial):
        """Whether the id of a section can be that of a value."""
        if value is None or isInitial:
            return identifier == ("~" if value is None else key[1])
        if identifier[:1] != "~":
            return value.kind == "bytes" or self.spells(value, identifier, isExact=False)
        if identifier[:2] == "~~":
            return value.kind == "text" and identifier[1:] == value.text
        kind = {"t": "text", "n": "number", "b": "boolean", "d": "time", "j": "json", "x": "bytes"}
        return value.kind == kind.get(identifier[1:2]) and identifier[2:3] == ":" and self.spells(
            value, identifier[3:], isExact=False)

    def count(self, shown, expected):
        """A count; one that took the server too long is as expected."""
        if shown is None:
            self.unknown += 1
            return expected
        return int(shown["value"]) if isinstance(shown, dict) else int(shown)

    # Checks.

    def check(self, query):
        """Asks a query and all that belongs to it."""
        if query.get("roundtrip"):
            return
        # Each sort key, section and facet must still be a column where a table was cut down.
        section_ids = []
        if query.get("group"):
            ids = self.section_ids(query["group"])
            section_ids = [ids[key] for key in dict.fromkeys(self.wanted(query))] if query.get("sections") else []
        self.address = lambda suffix: queries.address(f"/t{suffix}", query, section_ids)
        target = self.address(".json")
        answer, content = self.get(target)
        try:
            if query.get("wrong"):
                raise evaluator.Refused(query["wrong"])
            self.table.check(query)
            sections = self.expected(query)
        except evaluator.Open:
            self.open += 1
            if answer.status not in (200, 400):
                raise Failure("status", target, "200 or 400", answer.status) from None
            return
        except evaluator.Refused as reason:
            if answer.status != 400:
                raise Failure("status", target, f"400: {reason}", f"{answer.status} {content[:300].decode()}") from None
            return
        if answer.status != 200:
            raise Failure("status", target, f"200 with {self.brief(sections)}", f"{answer.status} {content[:600].decode()}")
        try:
            self.check_answer(target, parse(content), Pages(query, sections), query)
        except evaluator.Open:
            self.open += 1

    def check_answer(self, target, page, pages, query):
        start = self.start(query, pages.all)
        if start is None:
            return
        self.check_page(target, page, pages, start, query)
        names, shown = query.get("facets") or [], page.get("facets", [])
        if [facet["column"] for facet in shown] != names:
            raise Failure("facet", target, names, shown)
        facets = [(name, self.check_facet(target, name, facet, query)) for name, facet in zip(names, shown)]
        self.check_aggregates(target, page, pages, query)
        if query.get("links"):
            self.check_links(page, pages, start, facets, query)
        if query.get("walk"):
            self.walk(page, pages, start, query)
        rows = pages.rows(start) if query.get("limit") else pages.rows(start, 10 ** 6)
        if query.get("csv"):
            self.check_csv(self.address(".csv"), rows, query)
        if query.get("ndjson"):
            self.check_ndjson(self.address(".ndjson"), rows, query)

    def check_aggregates(self, target, page, pages, query):
        """Compares the aggregates of the page and of each section with those of their rows."""
        if not query.get("aggregates"):
            return
        ids = self.section_ids(query["group"]) if query.get("group") else {("all",): "all"}
        rows = {ids.get(key): rows for key, rows in pages.all}
        groups = [(page, [row for part in rows.values() for row in part])]
        groups += [(section, rows.get(section["id"], [])) for section in page["sections"]]
        for shown, rows in groups:
            for function, names in query["aggregates"].items():
                for name in names:
                    found = shown["aggregates"][function][name]
                    values = [row[2][name] for row in rows if row[2][name] is not None]
                    if not self.is_aggregate(function, self.table.columns[name], values, found):
                        raise Failure("aggregate", target, f"{function} of {name}: {values[:20]}", found)

    def is_aggregate(self, function, column, values, found):
        if function in ("min", "max"):
            if not values:
                return found is None
            first = (min if function == "min" else max)(values, key=column.key)
            return any(self.means(value, found) for value in values if column.key(value) == column.key(first))
        numbers = [value for value in values if value.kind == "number"]
        if not numbers:
            return found is None
        if any(value.key[0] != 0 or abs(value.key[1]) >= 2 ** 127 for value in numbers):
            return True
        total = sum(value.key[1] for value in numbers)
        if function == "sum":
            return Fraction(str(found)) == total
        mean = total / len(numbers)
        return abs(Fraction(str(found)) - mean) <= abs(mean) / 10 ** 14

    def start(self, query, sections):
        """The place of the first row of the page; None where the rules name none."""
        limit = query.get("limit") or 50
        if query.get("page"):
            start = (query["page"] - 1) * limit
            return start if start == 0 or start < sum(len(rows) for _, rows in sections) else None
        if not query.get("jump"):
            return 0
        name = query["group"][0] if query.get("group") else query["sort"][0][0]
        values = [row[2][name] for _, rows in sections for row in rows]
        letter = evaluator.collated(evaluator.initial(query["jump"]))
        return next((place for place, value in enumerate(values) if value is not None
                     and evaluator.collated(evaluator.initial(value.text)) >= letter), None)

    @staticmethod
    def brief(sections):
        return [[row[0] for row in rows][:30] for _, rows in sections][:30]

    def check_page(self, target, page, pages, start, query):
        expected = pages.sections(start)
        ids = self.section_ids(query["group"]) if query.get("group") else {("all",): "all"}
        wanted = [(ids.get(key), [row[0] for row in rows]) for key, rows, *_ in expected]
        got = [(section["id"], [row["id"] for row in section["rows"]]) for section in page["sections"]]
        if wanted != got:
            raise Failure("rows", target, wanted, got)
        for section, (key, rows, isContinued, hasMore, count) in zip(page["sections"], expected):
            facts = (isContinued, hasMore, count)
            shown = (section["continued"], section["more"], self.count(section["count"], count))
            if facts != shown:
                raise Failure("section", target, facts, shown)
            for row, shown in zip(rows, section["rows"]):
                self.check_cells(target, row, shown["cells"], query)
        total = self.count(page["total"], pages.total)
        if total != pages.total:
            raise Failure("total", target, pages.total, total)

    def check_cells(self, target, row, cells, query):
        names = query.get("columns") or list(self.columns)
        if list(cells) != names:
            raise Failure("columns", target, names, list(cells))
        for name in names:
            value = row[2][name]
            if not self.shows(value, cells[name]):
                expected = evaluator.json_token(value) if value and value.kind != "bytes" else value
                raise Failure("cell", f"{target} row {row[0]}: {name}", expected, cells[name])

    def shows(self, value, shown):
        """Whether JSON shows a value as it should."""
        if value is None or value.kind == "boolean":
            return shown is (value.key if value else None)
        if value.kind == "bytes":
            if not isinstance(shown, dict) or int(shown["bytes"]) != len(value.key):
                return False
            return self.get(shown["href"])[1] == value.key
        if value.kind == "json":
            return shown == parse(value.text)
        if isinstance(shown, Literal) != (value.kind == "number" and evaluator.is_literal(value)):
            return False
        return isinstance(shown, str) and self.spells(value, shown)

    def means(self, value, shown):
        """Whether JSON shows a value equal to a value: facets show one spelling of each."""
        if value is not None and value.kind == "bytes":
            # A facet belongs to no row whose cell could be downloaded.
            return isinstance(shown, dict) and int(shown["bytes"]) == len(value.key)
        if value is None or value.kind not in ("number", "time"):
            return self.shows(value, shown)
        return isinstance(shown, str) and self.spells(value, shown, isExact=False)

    def spells(self, value, spelled, isExact=True):
        """Whether a text spells a value: letter for letter where the list keeps spellings."""
        if spelled is None or self.flavour == "own" and isExact or value.kind in ("text", "boolean", "bytes"):
            return spelled == value.text
        try:
            if value.kind == "number":
                return evaluator.number(spelled).key == value.key or value.double == float(spelled)
            if value.kind == "json":
                return parse(spelled) == parse(value.text)
            return value.kind != "time" or evaluator.time(spelled).key == value.key
        except (ValueError, AttributeError):
            return False

    def check_facet(self, target, name, shown, query):
        """Compares the values of a column and their counts; returns each with its key."""
        rows = [row for _, rows in self.expected(query, without=name) for row in rows]
        expected = self.table.facet(name, rows)
        if expected and not shown["values"] and not shown["complete"]:
            self.unknown += 1
            return []
        pairs, rest = [], list(shown["values"])
        for key, rows in expected:
            found = next((value for value in rest if self.count(value["count"], len(rows)) == len(rows) and any(
                self.means(row[2][name], value["value"]) for row in rows)), None)
            if found:
                rest.remove(found)
                pairs.append((key, found))
        counts = [len(rows) for _, rows in expected[:50]]
        isOrdered = not self.ties or [value for _, value in pairs] == shown["values"]
        isComplete = shown["complete"] == (len(expected) <= 50) or self.flavour == "postgres" and not expected
        if rest or not isOrdered or not isComplete or len(pairs) != len(counts):
            raise Failure("facet", f"{target} {name}", [(rows[0][2][name], len(rows)) for _, rows in expected],
                          [(value["value"], value["count"]) for value in shown["values"]])
        return pairs

    def check_links(self, page, pages, start, facets, query):
        for href in list(dict.fromkeys(links_of(page)))[:24]:
            answer, content = self.get(href)
            if answer.status != 200:
                raise Failure("link", href, 200, f"{answer.status} {content[:300].decode()}")
        for name, pairs in facets:
            for key, value in pairs[:6]:
                isChosen = value["selected"]
                sections = self.expected(query, name, lambda row: isChosen or self.table.columns[name].identity(
                    row[2][name]) == key)
                self.check_link("facet link", value["href"], Pages(query, sections).rows(0, 10 ** 6))
        for section, (key, rows, *_) in list(zip(page["sections"], pages.sections(start)))[:4]:
            for row, shown in list(zip(rows, section["rows"]))[:2]:
                target = shown["links"]["self"]
                self.check_cells(target, row, self.json(target)["row"]["cells"], {})
            all_rows = dict(pages.all)[key]
            self.check_link("section link", section["links"]["self"], all_rows)
            if query.get("per_section") and section["links"]["next"]:
                self.check_link("section next", section["links"]["next"], all_rows[len(rows):])

    def check_link(self, kind, href, rows):
        """Follows a link and what comes after it to the end."""
        got, target = [], href
        while target and len(got) <= len(rows):
            page = self.json(target)
            got += [row["id"] for section in page["sections"] for row in section["rows"]]
            target = page["links"]["next"]
            if page["page"].get("rows") == "0":
                break
        expected = [row[0] for row in rows]
        isCut = "per_section=" in href
        if set(got) - set(expected) if isCut else got != expected:
            raise Failure(kind, href, expected, got)

    def walk(self, page, pages, start, query):
        """Follows the links to the end and back to the beginning."""
        step = pages.step
        while page["links"]["next"]:
            target, start = page["links"]["next"], start + step
            if start >= pages.length:
                raise Failure("walk", target, "no page behind the last", page["sections"])
            page = self.json(target)
            self.check_page(target, page, pages, start, query)
        if start + step < pages.length:
            raise Failure("walk", "links.next", f"a page behind {start + step} of {pages.length}", None)
        while page["links"]["prev"]:
            target, start = page["links"]["prev"], max(0, start - step)
            page = self.json(target)
            self.check_page(target, page, pages, start, query)
        if start > 0 and pages.length:
            raise Failure("walk", "links.prev", f"a page before {start}", None)

    def check_csv(self, target, rows, query):
        answer, content = self.get(target, {"Accept": "text/csv"})
        header, *records = csv_records(content.decode())
        # Rows that were numbered, and chosen columns, have no id in tables.
        ids = [record[header.index("id")] for record in records] if "id" in header else [row[0] for row in rows]
        if len(records) != len(rows) or ids != [row[0] for row in rows]:
            raise Failure("csv rows", target, [row[0] for row in rows], content.decode()[:2000])
        for row, record in zip(rows, records):
            for name in query.get("columns") or self.columns:
                value, field = row[2][name], record[header.index(name)]
                fits = field is None if value is None else value.kind == "bytes" or self.spells(value, field)
                if not fits:
                    raise Failure("csv cell", f"{target} row {row[0]}: {name}", value, field)

    def check_ndjson(self, target, rows, query):
        answer, content = self.get(target)
        lines = [parse(line) for line in content.decode().split("\n") if line]
        if [str(line["id"]) for line in lines] != [row[0] for row in rows]:
            raise Failure("ndjson rows", target, [row[0] for row in rows], content.decode()[:2000])
        for row, line in zip(rows, lines):
            names = query.get("columns") or self.columns
            self.check_cells(target, row, {name: cell for name, cell in line.items() if name in names}, query)


class Pages:
    """All sections of a query, cut into pages of rows or of sections."""

    def __init__(self, query, sections):
        self.all = sections
        self.perSection = query.get("per_section")
        self.step = query.get("limit") or 50
        self.total = sum(len(rows) for _, rows in sections)
        self.length = len(sections) if self.perSection else self.total

    def sections(self, start, limit=None):
        """`(key, rows, is continued, has more, count)` of the sections of a page."""
        limit = limit or self.step
        if self.perSection:
            return [(key, rows[:self.perSection], False, len(rows) > self.perSection, len(rows))
                    for key, rows in self.all[start:start + limit]]
        found, place = [], 0
        for key, rows in self.all:
            first, end = max(0, start - place), min(len(rows), start + limit - place)
            if first < end:
                found.append((key, rows[first:end], first > 0, end < len(rows), len(rows)))
            place += len(rows)
        return found

    def rows(self, start, limit=None):
        return [row for _, rows, *_ in self.sections(start, limit) for row in rows]
