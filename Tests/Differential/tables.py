"""Random tables of mixed values, and each as the source that an engine of the program reads."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import tempfile

import evaluator

FEATURES = ["mixed", "numbers", "times", "empty", "texts", "json", "bytes", "keys", "ties"]
ENGINES = ["csv", "ndjson", "json", "sqlite", "postgres", "memory"]

LATIN = ["Ada", "ada", "ADA", "Élodie", "elodie", "Elodie", "Zoë van der Berg", "Ünal", "Žofia",
         "50% off", "a,b", 'say "hi"', '"quoted"', "o'clock", "two\nlines", "~", "~~", "~t:Ada",
         "~n:5", "#", "-", "x/y?z&w=1", "Nguyễn Thị Ánh", "São Paulo", "a", "b", "ab", "a b",
         "A-b", "all", "none", "null", "NA", " Ada", "Ada ", "<b>", "\\", "a\\b", "100 %", "%41",
         "plus+minus", "tab\there", "Ada Lovelace", "lovelace ada", "Čapek", "no:colon"]
OTHER = ["Ωmega", "ωμέγα", "Ωμέγα", "ΟΔΟΣ", "οδός", "Москва", "москва", "Йод", "И\u0306од", "йод",
         "ё", "е", "김철수", "김", "박", "東京都港区の天気", "東京", "港区", "日本語 テスト", "カタカナ",
         "שלום", "مرحبا", "𝕌𝕟𝕚", "🙂", "e\u0301", "é", "E\u0301lodie", "Ồ", "ồ", "Đà Nẵng", "ß", "straße", "øre", "Łódź",
         "\U0010FFFF", "\U0010FFFFx", "\uFFFD", "\u200D", "ﬁ", "①", "Ⅷ", "\u00A0", "K", "Å",
         "अमित", "ไทย", "Τζ", "x" * 2000, "é" * 600]
NUMERIC = ["5", "42", "007", "1.50", "1.5", "-0", "0", ".5", "+5", "1e5", "0x10", "1_000", "12,5"]
NUMBERS = ["0", "-0", "1", "1.0", "1.00", "1.5", "1.50", "1.10", "007", "-7", ".5", "+5", "5", "42",
           "9007199254740992", "9007199254740993", "9007199254740994", "9223372036854775807",
           "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
           "18446744073709551616", "12345678901234567.89", "99999999999999.99", "0.1", "0.10",
           "123456789012345678901234567890", "123456789012345678901234567.890", "-1.50",
           "0.000000000000000000000000000001", "2024", "100000000000000000000", "-0.0", "00"]
TIMES = ["2024-03-12", "2024-03-12T00:00:00", "2024-03-12T00:00:00Z", "2024-03-12T02:30:00Z",
         "2024-03-12T02:30:00", "2024-03-12 02:30:00", "2024-03-12t02:30", "2024-03-12T02:30",
         "2024-03-12T04:30:00+02:00", "2024-03-12T04:30:00+0200", "2024-03-12T04:30+02",
         "2024-03-11T21:30:00-05:00", "2024-03-12T02:30:00.5", "2024-03-12 02:30:00.500Z",
         "2024-03-12T02:30:00.123456789", "2024-03-31", "2024-04-01T00:00:00Z", "1999-12-31",
         "2023-12-31T23:59:59.999999999", "2024-02-29", "0001-01-02", "9999-12-30", "2024-01-01"]
ODD_TIMES = ["2024-02-30", "2023-02-29", "2024-13-01", "2024-3-12", "2024-03-12T25:00", "2024",
             "2024-03", "12.03.2024", "2024-03-12T02", "20240312", "2024-03-12T02:30:61"]
STRUCTURES = ['{"a":1}', '{"a":2}', '[1,2]', '[]', '{}', '[null]', '{"k":"Ada"}', '["Ada","é"]',
              '{"b":{"c":[true,false]}}', '[1.50]', '["a,b","\\"q\\""]']
# Spelled alike by any writer of JSON but for spaces, and sorted alike with and without them.
CANONICAL = ['{"k": 1}', '{"k": 2}', '{"k": 7}', '{"k": "Ada"}', '{"k": "Bob"}']


class Maker:
    """Random values of each kind, from small sets so that they come again."""

    def __init__(self, rng, features):
        self.rng, self.features = rng, features

    def has(self, feature):
        return feature in self.features

    def kinds(self):
        kinds = ["integer", "real", "boolean", "date", "text"]
        kinds += ["number", "number"] if self.has("numbers") else []
        kinds += ["time", "time"] if self.has("times") else []
        kinds += ["json"] if self.has("json") else []
        return kinds

    def column_kinds(self, extra=()):
        kinds = self.kinds() + list(extra)
        count = self.rng.choice([1, 1, 2, 3, 4]) if self.has("mixed") else 1
        return [self.rng.choice(kinds) for _ in range(count)]

    def integer(self):
        return str(self.rng.choice([self.rng.randrange(-9, 60), self.rng.randrange(-9, 60),
                                    self.rng.randrange(-2 ** 53, 2 ** 53)]))

    def real(self):
        return repr(self.rng.choice([self.rng.randrange(-40, 40) + 0.5,
                                     self.rng.randrange(1, 10 ** 6) * 4 / 100 + 0.01]))

    def number(self):
        return self.rng.choice([self.rng.choice(NUMBERS), self.rng.choice(NUMBERS), self.integer(),
                                f"{self.rng.randrange(99)}.{self.rng.randrange(100):02}"])

    def boolean(self):
        return self.rng.choice(["true", "false"])

    def date(self):
        return f"{self.rng.choice([1999, 2023, 2024])}-0{self.rng.randrange(1, 4)}-1{self.rng.randrange(3)}"

    def time(self):
        return self.rng.choice(TIMES) if self.rng.random() < 0.7 else self.date()

    def text(self):
        pools = [LATIN, LATIN]
        if self.has("texts"):
            pools.append(OTHER)
        if self.has("mixed"):
            pools.append(NUMERIC)
        if self.has("times") and self.has("mixed"):
            pools.append(ODD_TIMES)
        if self.has("empty") and self.rng.random() < 0.1:
            return ""
        chosen = self.rng.choice(self.rng.choice(pools))
        if self.rng.random() < 0.3:
            chosen = f"{chosen} {self.rng.choice(LATIN)}"
        return chosen

    def json(self):
        return self.rng.choice(STRUCTURES)

    def pool(self, kinds, count, make):
        """Values of some kinds of which a column is filled, null among them."""
        values = [make(self.rng.choice(kinds)) for _ in range(self.rng.choice([2, 5, count + 1]))]
        share = self.rng.choice([0, 0.1, 0.4])
        return [None if self.rng.random() < share else self.rng.choice(values) for _ in range(count)]

    def keys(self, kind, count):
        """Different ids."""
        if kind == "integer":
            return self.rng.sample(range(1, 4 * count + 2), count)
        made = set()
        while len(made) < count:
            base = self.rng.choice([t for t in LATIN if t.strip() == t and "\n" not in t])
            # Case alone tells no two of them apart, as a key may ignore it.
            made.add(f"{base}{len(made)}" if self.has("keys") else f"k{len(made) * 7 % 1000}x")
        return self.rng.sample(sorted(made), count)


def random_table(rng, engine, features):
    """A table as plain data, so that it can be cut down."""
    maker = Maker(rng, features)
    count = rng.choice([0 if engine in ("csv", "sqlite", "postgres") else 1, 1, 4, 9, 20, 20, 60, 60, 150])
    names = rng.sample(["city", "n", "größe", "two words", "at", "flag", "x-y", "Z"], rng.randrange(1, 6))
    make = {"sqlite": sqlite_columns, "postgres": postgres_columns, "memory": memory_columns}.get(engine, file_columns)
    table = {"engine": engine, "ties": "ties" in features, **make(maker, names, count)}
    if engine == "csv":
        for column in table["columns"]:
            column["values"] = [cell and (cell[0], usual(cell[1])) for cell in column["values"]]
    if engine in ("ndjson", "json"):
        # Objects alone would become columns.
        for column in table["columns"]:
            values = column["values"]
            if all(cell is None or cell[0] == "json" and cell[1][0] == "{" for cell in values):
                column["values"] = [cell and ("json", "[1,2]") for cell in values]
    return table


def is_usual(table):
    """Whether the columns of a table are the same in CSV."""
    return all(usual(cell[1]) == cell[1] for column in table["columns"] for cell in column["values"] if cell)


SPELLED = re.compile(r"[\s\d.,'%+\-/:eETZ]*\d[\s\d.,'%+\-/:eETZ]*")


def usual(spelled):
    """A text as it is, unless a column of CSV could be one of numbers or dates by it."""
    isNumber = evaluator.JSON_NUMBER.fullmatch(spelled) and "e" not in spelled.lower()
    isUsual = isNumber or evaluator.time(spelled)
    return spelled if isUsual or not SPELLED.fullmatch(spelled) else spelled + "x"


# Files.

def file_columns(maker, names, count, isMemory=False):
    key = maker.rng.choice(["none", "integer", "integer", "text"])
    columns = []
    for name in names:
        kinds = [maker.rng.choice(maker.kinds()[:5])] if isMemory else maker.column_kinds()
        columns.append({"name": name, "type": kinds[0], "values": maker.pool(
            kinds, count, lambda kind: (kind, getattr(maker, kind)()))})
    ids = list(range(1, count + 1)) if key == "none" else maker.keys(key, count)
    return {"key": key, "ids": ids, "columns": columns}


def memory_columns(maker, names, count):
    return file_columns(maker, names, count, isMemory=True)


def write_memory(table, path):
    """Writes what the example reads that holds its list in memory."""
    idType = "text" if table["key"] == "text" else "integer"
    records = [[idType] + [f'{column["type"]}:{column["name"]}' for column in table["columns"]]]
    for identifier, cells in zip(table["ids"], zip(*[column["values"] for column in table["columns"]])):
        records.append([str(identifier)] + [":".join(cell) if cell else "" for cell in cells])
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write("".join("\x1f".join(record) + "\x1e" for record in records))


def token(cell):
    """A cell as compact JSON."""
    if cell is None:
        return "null"
    kind, spelled = cell
    isPlain = kind in ("boolean", "json") or evaluator.JSON_NUMBER.fullmatch(spelled) and kind in (
        "integer", "real", "number")
    return spelled if isPlain else json.dumps(spelled, ensure_ascii=False)


def csv_field(field, isQuoted=False):
    if field is None:
        return ""
    isQuoted = isQuoted or field == "" or any(c in field for c in ',"\r\n')
    return '"' + field.replace('"', '""') + '"' if isQuoted else field


def write_file(table, path):
    names = [column["name"] for column in table["columns"]]
    hasIDs = table["key"] != "none"
    ids = [str(identifier) for identifier in table["ids"]]
    records = list(zip(ids, zip(*[column["values"] for column in table["columns"]])))
    with open(path, "w", encoding="utf-8", newline="") as file:
        if table["engine"] == "csv":
            # A lone column would make an empty line of null.
            hasMore = not hasIDs and len(names) == 1
            file.write(",".join(csv_field(n) for n in ["id"] * hasIDs + names + ["more"] * hasMore) + "\n")
            for identifier, cells in records:
                fields = [csv_field(identifier)] * hasIDs + [csv_field(c and c[1]) for c in cells]
                file.write(",".join(fields + ["m"] * hasMore) + "\n")
            return
        lines = []
        for identifier, cells in records:
            shown = identifier if table["key"] == "integer" else json.dumps(identifier, ensure_ascii=False)
            members = [f'"id":{shown}'] * hasIDs + [
                f"{json.dumps(name, ensure_ascii=False)}:{token(cell)}"
                for name, cell in zip(names, cells)]
            lines.append("{" + ",".join(members) + "}")
        isLines = table["engine"] == "ndjson"
        file.write("\n".join(lines) + "\n" if isLines else "[" + ",\n".join(lines) + "]")


def file_rows(table):
    """`(id, key, values by column)` of a file."""
    isCSV = table["engine"] == "csv"
    rows = []
    for index, identifier in enumerate(table["ids"]):
        values = {}
        for column in table["columns"]:
            cell = column["values"][index]
            values[column["name"]] = (evaluator.csv_value(cell and cell[1]) if isCSV
                                      else evaluator.json_value(token(cell)))
        if isCSV and table["key"] == "none" and len(table["columns"]) == 1:
            values["more"] = evaluator.text("m")
        key = identifier if table["key"] != "text" else identifier.encode()
        rows.append((str(identifier), key, values))
    return rows


# SQLite.

def sqlite_columns(maker, names, count):
    rng = maker.rng
    declared = {"integer": "INTEGER", "real": "REAL", "boolean": "BOOLEAN", "date": "DATE", "text": "TEXT"}
    columns = []
    for name in names:
        kinds = maker.column_kinds(["infinite"] * maker.has("numbers") + ["blob"] * maker.has("bytes"))
        type = rng.choice(["", declared.get(kinds[0], "")])
        if maker.has("mixed"):
            type = rng.choice(["", *declared.values(), "NUMERIC", "BLOB", "TEXT COLLATE NOCASE"])
        elif type == "TEXT" and rng.random() < 0.5:
            type = "TEXT COLLATE NOCASE"
        elif kinds[0] == "boolean":
            type = "BOOLEAN"

        def make(kind):
            if kind == "blob":
                return rng.choice([b"", b"\0", b"Ada", b"\xff\xfe", bytes(range(9))])
            if kind == "infinite":
                return rng.choice([float("inf"), float("-inf"), 0.1, 2.0 ** 53, -0.0, 1e300, 5.0])
            spelled = getattr(maker, kind)()
            if kind == "boolean":
                return int(spelled == "true")
            if kind in ("integer", "real", "number"):
                value = float(spelled) if kind == "real" or "." in spelled else int(spelled)
                return value if isinstance(value, float) or abs(value) < 2 ** 63 else float(value)
            return spelled

        columns.append({"name": name, "type": type, "values": maker.pool(kinds, count, make)})
    key = rng.choice(["rowid", "id", "number", "text", "text WITHOUT ROWID", "pair",
                      "pair WITHOUT ROWID", "view"])
    ids = maker.keys("text" if key.startswith("text") else "integer", count)
    if key.startswith("pair"):
        ids = [[rng.randrange(3), text] for text in maker.keys("text", count)]
    indexes = [[rng.choice(names) + ("\tDESC" if rng.random() < 0.2 else "")
                for _ in range(rng.choice([1, 1, 2]))] for _ in range(rng.choice([0, 0, 1, 2, 3]))]
    return {"key": key, "ids": ids, "columns": columns, "indexes": indexes,
            "strict": False if maker.has("mixed") else rng.random() < 0.1}


KEYS = {"rowid": "", "id": '"id" INTEGER PRIMARY KEY, ', "number": '"number" INTEGER PRIMARY KEY, ',
        "text": '"key" TEXT, ', "pair": '"a" INTEGER, "b" TEXT, ', "view": '"id" INTEGER PRIMARY KEY, '}


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def sqlite_statements(table):
    form = table["key"].split()[0]
    primary = {"text": ', PRIMARY KEY ("key")', "pair": ', PRIMARY KEY ("a", "b")'}.get(form, "")
    options = ["WITHOUT ROWID"] * table["key"].endswith("WITHOUT ROWID")
    strictTypes = {"INTEGER": "INTEGER", "REAL": "REAL", "TEXT": "TEXT"}
    types = [column["type"] for column in table["columns"]]
    if table["strict"] and all(type in strictTypes for type in types):
        options.append("STRICT")
    columns = ", ".join(f'{quoted(c["name"])} {c["type"]}' for c in table["columns"])
    name = "base" if form == "view" else "t"
    statements = [f'CREATE TABLE {name} ({KEYS[form]}{columns}{primary}) {", ".join(options)}']
    names = {column["name"] for column in table["columns"]}
    for number, index in enumerate(table["indexes"]):
        parts = [f"{quoted(part.split(chr(9))[0])} COLLATE BINARY{' DESC' * part.endswith('DESC')}"
                 for part in index if part.split(chr(9))[0] in names]
        if parts:
            statements.append(f"CREATE INDEX i{number} ON {name} ({', '.join(parts)})")
    if form == "view":
        shown = ", ".join(quoted(column["name"]) for column in table["columns"])
        statements.append(f"CREATE VIEW t AS SELECT id, {shown} FROM base")
    return statements


def write_sqlite(table, path):
    """Makes the database; returns its rows as SQLite keeps them, whatever the affinities did."""
    connection = sqlite3.connect(path)
    try:
        for statement in sqlite_statements(table):
            connection.execute(statement)
        form = table["key"].split()[0]
        base = "base" if form == "view" else "t"
        key = {"rowid": ["rowid"], "id": ["id"], "view": ["id"], "number": ["number"], "text": ["key"],
               "pair": ["a", "b"]}[form]
        names = [column["name"] for column in table["columns"]]
        shown = ", ".join(quoted(name) if name != "rowid" else name for name in key + names)
        cells = list(zip(*[column["values"] for column in table["columns"]])) or [()] * len(table["ids"])
        for identifier, values in zip(table["ids"], cells):
            parts = identifier if form == "pair" else [identifier]
            connection.execute(f"INSERT INTO {base} ({shown}) VALUES ({','.join('?' * (len(parts) + len(values)))})",
                               [*parts, *values])
        connection.commit()
        stored = connection.execute(f"SELECT {shown} FROM {base}").fetchall()
    finally:
        connection.close()
    rows = []
    for record in stored:
        parts, cells = record[:len(key)], record[len(key):]
        values = {name: sqlite_value(cell) for name, cell in zip(names, cells)}
        if form in ("number", "text", "pair"):
            values.update({name: sqlite_value(part) for name, part in zip(key, parts)})
        encoded = [part.encode() if isinstance(part, str) else part for part in parts]
        texts = [str(part) for part in parts]
        if form == "pair":
            texts = [part.replace("%", "%25").replace(",", "%2C") for part in texts]
        rows.append((",".join(texts), tuple(encoded), values))
    return rows


def sqlite_value(cell):
    if cell is None:
        return None
    if isinstance(cell, int):
        return evaluator.number(str(cell))
    if isinstance(cell, float):
        return evaluator.double(cell)
    return evaluator.text(cell) if isinstance(cell, str) else evaluator.octets(cell)


# PostgreSQL.

POSTGRES = {"integer": ["int", "bigint"], "real": ["float8"], "boolean": ["boolean"], "date": ["date"],
            "text": ["text", "varchar"]}


def postgres_columns(maker, names, count):
    rng = maker.rng
    types = sum(POSTGRES.values(), [])
    types += ["uuid"] * maker.has("texts")
    types += ["numeric", "numeric", "numeric(18,2)", "float8", "bigint"] * maker.has("numbers")
    types += ["timestamp", "timestamptz"] * maker.has("times")
    types += ["json", "jsonb", "text[]"] * maker.has("json") + ["bytea"] * maker.has("bytes")

    def make(type):
        isOdd = maker.has("numbers")
        if type == "int":
            return str(rng.randrange(-50, 50))
        if type == "bigint":
            return rng.choice([maker.integer(), "9223372036854775807", "9007199254740993"]) if isOdd else maker.integer()
        if type == "float8":
            odd = ["Infinity", "-Infinity", "NaN", "0.1", "1e300", "-0", "9007199254740992"]
            return rng.choice([maker.real(), rng.choice(odd)]) if isOdd else maker.real()
        if type == "numeric":
            return str(rng.choice(["NaN", "Infinity", "-Infinity"]) if rng.random() < 0.1 else plain(maker.number()))
        if type == "numeric(18,2)":
            return rng.choice(["NaN", "99999999999999.99", "-0.01", f"{rng.randrange(9)}.{rng.randrange(9)}0"])
        if type == "uuid":
            return f"{rng.randrange(9)}b9c4a1e-0000-4000-8000-00000000000{rng.randrange(9)}"
        if type == "timestamp":
            return rng.choice([t for t in TIMES if evaluator.time(t).key[1] == evaluator.LOCAL and len(t) < 27])
        if type == "timestamptz":
            return rng.choice([t for t in TIMES if evaluator.time(t).key[1] == evaluator.OFFSET])
        if type in ("json", "jsonb"):
            return rng.choice(CANONICAL)
        if type == "text[]":
            return rng.choice(["{}", "{aaa}", "{bbb}", "{aaa,bbb}", "{aaa,ccc}"])
        if type == "bytea":
            return rng.choice(["\\x", "\\x00", "\\x416461", "\\xff", "\\xff00"])
        return {"boolean": maker.boolean, "date": maker.date}.get(type, maker.text)()

    columns = []
    for name in names:
        type = rng.choice(types)
        columns.append({"name": name, "type": type, "values": maker.pool([type], count, make)})
    key = rng.choice(["id", "id", "text", "pair"] + ["uuid"] * maker.has("texts"))
    ids = maker.keys("integer" if key == "id" else "text", count)
    if key == "uuid":
        ids = [f"{n:08x}-0000-4000-8000-000000000000" for n in rng.sample(range(1 << 32), count)]
    if key == "pair":
        ids = [[rng.randrange(3), text] for text in ids]
    indexes = [[rng.choice(names)] for _ in range(rng.choice([0, 0, 1, 2]))]
    return {"key": key, "ids": ids, "columns": columns, "indexes": indexes}


def plain(spelled):
    """A decimal as PostgreSQL spells it."""
    sign = "-" if spelled[0] == "-" else ""
    whole, _, fraction = spelled.lstrip("+-").partition(".")
    whole = whole.lstrip("0") or "0"
    isZero = not (whole + fraction).strip("0")
    return ("" if isZero else sign) + whole + (f".{fraction}" if fraction else "")


def postgres_value(spelled, type):
    if spelled is None:
        return None
    if type == "float8":
        return evaluator.double(float(spelled))
    if type.startswith("numeric") or type in ("int", "bigint"):
        return evaluator.number(spelled)
    if type == "boolean":
        return evaluator.boolean(spelled == "true")
    if type in ("date", "timestamp", "timestamptz"):
        return evaluator.time(spelled)
    if type in ("json", "jsonb"):
        return evaluator.structure(spelled)
    if type == "text[]":
        return evaluator.structure(json.dumps([part for part in spelled[1:-1].split(",") if part]))
    return evaluator.octets(bytes.fromhex(spelled[2:])) if type == "bytea" else evaluator.text(spelled)


def postgres_rows(table):
    rows = []
    for index, identifier in enumerate(table["ids"]):
        parts = identifier if table["key"] == "pair" else [identifier]
        values = {column["name"]: postgres_value(column["values"][index], column["type"])
                  for column in table["columns"]}
        if table["key"] in ("text", "uuid"):
            values["key"] = evaluator.text(identifier)
        if table["key"] == "pair":
            values.update(a=evaluator.number(str(parts[0])), b=evaluator.text(parts[1]))
        texts = [str(part) for part in parts]
        if table["key"] == "pair":
            texts = [part.replace("%", "%25").replace(",", "%2C") for part in texts]
        key = tuple(part.encode() if isinstance(part, str) else part for part in parts)
        rows.append((",".join(texts), key, values))
    return rows


def literal(value):
    return "NULL" if value is None else "'" + str(value).replace("'", "''") + "'"


def postgres_script(table):
    key = {"id": "id int PRIMARY KEY", "text": '"key" text PRIMARY KEY', "uuid": '"key" uuid PRIMARY KEY',
           "pair": "a int, b text, PRIMARY KEY (a, b)"}[table["key"]]
    columns = [f'{quoted(column["name"])} {column["type"]}' for column in table["columns"]]
    script = [f"CREATE TABLE t ({', '.join([key, *columns])})"]
    keyNames = {"id": ["id"], "pair": ["a", "b"]}.get(table["key"], ['"key"'])
    names = keyNames + [quoted(column["name"]) for column in table["columns"]]
    for index, identifier in enumerate(table["ids"]):
        parts = identifier if table["key"] == "pair" else [identifier]
        cells = [literal(v) for v in [*parts, *[c["values"][index] for c in table["columns"]]]]
        script.append(f"INSERT INTO t ({', '.join(names)}) VALUES ({', '.join(cells)})")
    types = {column["name"]: column["type"] for column in table["columns"]}
    for index in table["indexes"]:
        parts = [quoted(name) + ' COLLATE "C"' * (types[name] in ("text", "varchar"))
                 for name in index if name in types and types[name] != "json"]
        if parts:
            script.append(f"CREATE INDEX ON t ({', '.join(parts)})")
    return ";\n".join(script)


class Cluster:
    """A PostgreSQL of its own, reached by a socket in a temporary folder."""

    def __init__(self, programs):
        self.programs = programs
        self.folder = tempfile.mkdtemp(prefix="roster-differential-")
        self.owner = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        if self.owner:
            shutil.chown(self.folder, "postgres", "postgres")
        self.run("initdb", "-D", f"{self.folder}/data", "-U", "tester", "-A", "trust", "-E", "UTF8",
                 "--locale=C.UTF-8", "--no-sync")
        # The server must not hold the pipes of whoever waits for the end of this program.
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-l", f"{self.folder}/log", "-w", "-o",
                 f"-c listen_addresses='' -c unix_socket_directories={self.folder} -c fsync=off", "start")

    def run(self, program, *words, **options):
        done = subprocess.run([*self.owner, f"{self.programs}/{program}", *words], cwd="/",
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **options)
        if done.returncode:
            raise RuntimeError(f"{program}: {done.stderr}")

    def load(self, schema, script):
        self.run("psql", "-h", self.folder, "-U", "tester", "-d", "postgres", "-q", "-v",
                 "ON_ERROR_STOP=1", "-f", "-",
                 input=f"CREATE SCHEMA {schema}; SET search_path = {schema}; {script};")

    def drop(self, schema):
        self.run("psql", "-h", self.folder, "-U", "tester", "-d", "postgres", "-q",
                 "-c", f"SET client_min_messages = warning; DROP SCHEMA {schema} CASCADE")

    def address(self, schema):
        return (f"postgres://tester@/postgres?host={self.folder}"
                f"&options=-csearch_path%3D{schema}")

    def close(self):
        try:
            self.run("pg_ctl", "-D", f"{self.folder}/data", "-m", "immediate", "-w", "stop")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)
