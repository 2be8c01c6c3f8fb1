"""The value model of lists in plain Python: kinds, order, conditions, sections and facets.

Everything here follows the documented rules, not the program's code, and favours clarity over
speed. A condition has three outcomes: True, False, and None where the rules leave it open.
"""

import datetime
import functools
import json
import re
import unicodedata
from fractions import Fraction

DECIMAL = re.compile(r"[+-]?([0-9]+(\.[0-9]+)?|\.[0-9]+)")
JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
TIME = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})(?:[Tt ]([0-9]{2}):([0-9]{2})"
                  r"(?::([0-9]{2})(?:\.([0-9]{1,9}))?)?(Z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?")
DATE_TEXT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
UUID = re.compile(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
SECOND = 10 ** 9
DAY = 86_400 * SECOND
DATE, LOCAL, OFFSET = range(3)


class Value:
    """One value that is not null: its kind, the text that spells it, and what compares it."""

    __slots__ = ("kind", "text", "key", "double")

    def __init__(self, kind, text, key, double=None):
        self.kind, self.text, self.key, self.double = kind, text, key, double

    def __repr__(self):
        shown = self.text if len(self.text) < 80 else f"{self.text[:60]}…({len(self.text)})"
        return f"{self.kind} {shown!r}"


def text(spelled):
    return Value("text", spelled, spelled.encode())


def boolean(isTrue):
    return Value("boolean", "true" if isTrue else "false", isTrue)


def structure(spelled):
    return Value("json", spelled, spelled.encode())


def octets(content):
    return Value("bytes", content.hex(), bytes(content))


def number(spelled):
    """An exact decimal, or one of the numbers that are not finite."""
    known = {"-Infinity": (-1, 0), "Infinity": (1, 0), "NaN": (2, 0)}.get(spelled)
    return Value("number", spelled, known or (0, Fraction(spelled)))


def double(value):
    """A binary number: the shortest decimal that names it, and from 2⁵³ on its exact integer."""
    spelled = {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}.get(repr(value), repr(value))
    if 2 ** 53 < abs(value) < 1e16:
        # Python writes an exponent from 10¹⁶ on, lists from 2⁵³ on.
        sign, digits = "-" * (value < 0), str(int(abs(value))).rstrip("0")
        spelled = f"{sign}{digits[0]}.{digits[1:] or '0'}e+15"
    made = number(spelled)
    made.double = value
    if made.key[0] == 0 and abs(value) >= 2 ** 53:
        made.key = 0, Fraction(value)
    return made


def days(year, month, day):
    try:
        return datetime.date(year, month, day).toordinal()
    except ValueError:
        return None


def time(spelled):
    """A date or timestamp of ISO 8601; None for any other text."""
    found = TIME.fullmatch(spelled)
    if not found:
        return None
    year, month, day, hour, minute, second, fraction, zone = found.groups()
    ordinal = days(int(year), int(month), int(day))
    if ordinal is None:
        return None
    if hour is None:
        return Value("time", spelled, (ordinal * DAY, DATE))
    if int(hour) > 23 or int(minute) > 59 or int(second or 0) > 59:
        return None
    seconds = int(hour) * 3600 + int(minute) * 60 + int(second or 0)
    instant = ordinal * DAY + seconds * SECOND + int((fraction or "").ljust(9, "0"))
    if zone is None:
        return Value("time", spelled, (instant, LOCAL))
    if zone != "Z":
        digits = zone[1:].replace(":", "").ljust(4, "0")
        if int(digits[:2]) > 23 or int(digits[2:]) > 59:
            return None
        shift = (int(digits[:2]) * 3600 + int(digits[2:]) * 60) * SECOND
        instant += shift if zone[0] == "-" else -shift
    return Value("time", spelled, (instant, OFFSET))


def csv_value(field):
    """The value of a field of CSV; None, an empty field, is null."""
    if field is None:
        return None
    if DECIMAL.fullmatch(field):
        return number(field)
    if field in ("true", "false"):
        return boolean(field == "true")
    return time(field) or text(field)


def json_value(token):
    """The value of a member, given as compact JSON."""
    if token == "null":
        return None
    if token in ("true", "false"):
        return boolean(token == "true")
    if token[0] in "[{":
        return structure(token)
    if token[0] != '"':
        return number(token)
    spelled = json.loads(token)
    return time(spelled) or text(spelled)


def is_literal(value):
    """Whether JSON shows a number as a number: a double names the same value, as it is spelled.

    Whole numbers beyond 2**53 are texts.
    """
    if value.key[0] != 0:
        return False
    if value.double is not None:
        return True
    try:
        nearest = Fraction(repr(float(value.key[1])))
    except OverflowError:
        return False
    if value.key[1].denominator == 1 and abs(value.key[1]) > 2 ** 53:
        return False
    return nearest == value.key[1] and JSON_NUMBER.fullmatch(value.text) is not None


def json_token(value):
    """A value as compact JSON shows it."""
    if value is None:
        return "null"
    if value.kind in ("boolean", "json") or value.kind == "number" and is_literal(value):
        return value.text
    return json.dumps(value.text, ensure_ascii=False)


# Text: letters without case and marks.

#: Combining classes of vowel signs, which are letters, unlike accents, points and tones.
VOWELS = {0, 84, 91, 103, 118, 129, 130, 132}
#: Latin letters that do not decompose, and the letters that they begin like.
LIKE = dict(zip("æƀðđƒħıĳȷĸŀłŉŋøœßſþŧ", "abddfhiijkllnnoosstt"))
UNSPACED = [(0xE00, 0xEFF), (0x1000, 0x109F), (0x1780, 0x17FF), (0x3000, 0x312F), (0x3190, 0x31FF),
            (0x3400, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9F)]


@functools.lru_cache(maxsize=50_000)
def folded(spelled):
    characters = []
    for character in unicodedata.normalize("NFD", spelled):
        isSelector = 0xFE00 <= ord(character) <= 0xFE0F
        if isSelector or unicodedata.combining(character) not in VOWELS:
            continue
        upper = character.upper()
        character = upper if len(upper) == 1 else character
        lower = character.lower()
        character = lower if len(lower) == 1 else character
        characters.append(LIKE.get(character, character))
    return "".join(characters)


def is_letter(character):
    return character.isalpha() or unicodedata.category(character) in ("Nl", "Mn", "Mc") or "Ⓐ" <= character <= "ⓩ"


@functools.lru_cache(maxsize=50_000)
def collated(spelled):
    """What texts of imported lists are sorted by: letters behind all else, then length, then bytes."""
    octets = spelled.encode()
    return [(is_letter(c), c) for c in folded(spelled)], len(octets), octets


def initial(spelled):
    first = folded(spelled)[:1]
    if not first or not is_letter(first):
        return "#"
    upper = first.upper()
    return upper if len(upper) == 1 else first


@functools.lru_cache(maxsize=50_000)
def words(spelled):
    """The folded words of a text, a space around each."""
    parts = "".join(c if unicodedata.category(c)[0] in "LMN" else " " for c in folded(spelled)).split()
    return f" {' '.join(parts)} " if parts else ""


def search_terms(query):
    """What a search looks for: `(words, is the last one only a beginning)`."""
    terms = []
    parts = query.split('"')
    for index, part in enumerate(parts):
        isQuoted = index % 2 == 1 and index < len(parts) - 1
        pieces = [part] if isQuoted else part.split()
        for position, piece in enumerate(pieces):
            found = words(piece).strip()
            if found:
                isLast = index == len(parts) - 1 and position == len(pieces) - 1
                terms.append((found, isLast and not isQuoted))
    return terms


def has_words(term, spelled):
    """Whether a text has a term; of scripts without spaces, any characters in a row are found."""
    found, isBeginning = term
    if f" {found}{'' if isBeginning else ' '}" in words(spelled):
        return True
    unspaced = [any(first <= ord(c) <= last for first, last in UNSPACED) for c in found]
    if found not in words(spelled) or not any(unspaced):
        return False
    return True if all(unspaced) else None


# Order and equality. A list is "own" (imported or in memory), "sqlite" or "postgres".

RANKS = {"boolean": 0, "number": 1, "time": 2, "text": 3, "json": 4, "bytes": 5}


def exact(value):
    """The number that a database compares, which for a double is its binary value."""
    isFinite = value.double is not None and value.key[0] == 0
    return (0, Fraction(value.double)) if isFinite else value.key


def time_form(value):
    """The spelling that times of one order have in common; None where an offset may differ."""
    found = TIME.fullmatch(value.text)
    if value.key[1] == DATE or found[8] not in (None, "Z", "+00", "+0000", "+00:00"):
        return None
    return value.text[10], found[6] is None, len(found[7] or ""), found[8]


def order_key(value, flavour, hasTimeOrder=False):
    """What values other than null are sorted by."""
    if flavour == "sqlite":
        if hasTimeOrder:
            return RANKS[value.kind], collated(value.text) if value.kind == "text" else value.key
        if value.kind in ("boolean", "number"):
            return 0, exact(value) if value.kind == "number" else (0, Fraction(int(value.key)))
        return (2, value.key) if value.kind == "bytes" else (1, value.text.encode())
    if value.kind == "text" and flavour == "own":
        return 3, collated(value.text)
    return RANKS[value.kind], value.key


def identity(value, flavour, hasTimeOrder=False):
    """Equal for values that are equal."""
    if value is None:
        return None
    if flavour == "sqlite":
        return value.kind, order_key(value, flavour, hasTimeOrder)
    return value.kind, value.key


# Conditions.

class Column:
    """What the conditions on a column go by."""

    def __init__(self, name, kind, isMixed, flavour, operators, hasTimeOrder=False):
        self.name, self.kind, self.isMixed, self.flavour = name, kind, isMixed, flavour
        self.operators, self.hasTimeOrder = operators, hasTimeOrder

    def key(self, value):
        return order_key(value, self.flavour, self.hasTimeOrder)

    def identity(self, value):
        return identity(value, self.flavour, self.hasTimeOrder)


class Refused(Exception):
    """The query is one that the server refuses with 400."""


class Open(Exception):
    """The rules do not say what comes back, whatever the rows."""


class Span:
    """The instants that a text of a condition stands for, and the kind of time, if it has one."""

    def __init__(self, start, end, rank=None, isPeriod=True):
        self.start, self.end, self.rank, self.isPeriod = start, end, rank, isPeriod

    def test(self, operator, value):
        instant, rank = value.key
        isInside = self.start <= instant < self.end
        if isInside and self.rank is not None and rank != self.rank and DATE in (rank, self.rank):
            # A date is neither equal to its first instant nor another value, perhaps.
            return None
        return {"eq": isInside, "lt": instant < self.start, "lte": instant < self.end,
                "gt": instant >= self.end, "gte": instant >= self.start}[operator]


def span(operand):
    """The period that an operand stands for; None for no time."""
    found = re.fullmatch(r"([0-9]{4})(?:-([0-9]{2}))?", operand)
    if found:
        year, month = int(found[1]), int(found[2] or 1)
        start = days(year, month, 1)
        following = (year + 1, 1) if not found[2] or month == 12 else (year, month + 1)
        end = days(*following, 1) if following[0] < 10_000 else days(9999, 12, 31) + 1
        return start and Span(start * DAY, end * DAY)
    value = time(operand)
    if value is None:
        return None
    instant, rank = value.key
    if rank == DATE:
        return Span(instant, instant + DAY)
    isPeriod = TIME.fullmatch(operand)[6] is None
    return Span(instant, instant + (60 * SECOND if isPeriod else 1), rank, isPeriod)


def readings(operand):
    """Every kind of value that the text of an operand can be."""
    found = {"text": operand}
    if DECIMAL.fullmatch(operand):
        found["number"] = number(operand)
    elif JSON_NUMBER.fullmatch(operand) or operand in ("Infinity", "-Infinity", "NaN"):
        found["number"] = None
    if operand in ("true", "false"):
        found["boolean"] = operand == "true"
    period = span(operand)
    if period:
        found["time"] = period
    if operand[:1] in ("[", "{"):
        found["json"] = operand
    return found


def compare_numbers(operator, value, operand):
    if operand is None:
        return None
    if value.double is not None and operator == "eq" and value.key == operand.key:
        return True
    results = {compare(operator, own, operand.key) for own in (value.key, exact(value))}
    if value.double is not None:
        results.add(compare(operator, value.double, float(operand.key[1])))
    return results.pop() if len(results) == 1 else None


def compare(operator, left, right):
    return {"eq": left == right, "lt": left < right, "lte": left <= right,
            "gt": left > right, "gte": left >= right}[operator]


def equals(column, value, operand):
    """Whether a value, not null, is what an operand stands for."""
    found = readings(operand)
    if value.kind == "text":
        hidden = hidden_time(column, value)
        isInside = hidden is not None and "time" in found and in_time("eq", hidden, found["time"])
        return True if value.text == operand else isInside
    if value.kind == "bytes":
        return None if value.text == operand.lower() else False
    if value.kind == "json":
        return True if value.text == operand else None if "json" in found else False
    if value.kind not in found:
        # SQLite keeps booleans as 0 and 1.
        return None if value.kind == "boolean" and "number" in found and column.flavour == "sqlite" else False
    if value.kind == "number":
        return compare_numbers("eq", value, found["number"])
    return value.key == found["boolean"] if value.kind == "boolean" else in_time("eq", value, found["time"])


def hidden_time(column, value):
    """The time that a text of SQLite is for conditions, where the column may hold any value."""
    return time(value.text) if column.flavour == "sqlite" and column.isMixed else None


def in_time(operator, value, period):
    return period.test(operator, value)


def check_operand(column, operand):
    """Refuses what no value of a pure column can be."""
    if column.isMixed or column.kind == "text":
        return
    if column.kind in ("json", "bytes"):
        raise Open
    found = readings(operand)
    if column.kind not in found:
        raise Refused(f"{operand!r} is no {column.kind}")
    if found[column.kind] is None:
        raise Open


def comparand(column, operand):
    """The kind that an operand of `lt` and its like has in a column."""
    if column.kind in ("json", "bytes"):
        raise Open
    found = readings(operand)
    if column.kind in found and not (column.isMixed and column.kind == "text"):
        return column.kind, found[column.kind]
    if not column.isMixed:
        raise Refused(f"{operand!r} is no {column.kind}")
    kind = next(kind for kind in ("number", "time", "boolean", "text") if found.get(kind) is not None)
    return kind, found[kind]


def orders(column, operator, value, operand):
    kind, found = comparand(column, operand)
    if column.flavour == "sqlite" and kind == "number" and value.kind == "boolean":
        return None
    if kind == "time" and value.kind == "text":
        hidden = hidden_time(column, value)
        return hidden is not None and in_time(operator, hidden, found)
    if value.kind != kind:
        return False
    if column.flavour == "postgres" and UUID.fullmatch(value.text) and not UUID.fullmatch(str(found)):
        # A uuid is compared with others only.
        return None
    if kind == "number":
        return compare_numbers(operator, value, found)
    if kind == "time":
        return in_time(operator, value, found)
    if kind == "text":
        return compare(operator, column.key(value), column.key(text(found)))
    return compare(operator, value.key, found)


def matches(column, operator, operands, value):
    """Whether a value meets a condition."""
    if operator == "isnull":
        return (value is None) == (operands[0] == "true")
    if operator in ("ne", "nin"):
        found = matches(column, "in", operands, value)
        return None if found is None else not found
    if value is None:
        return False
    if operator in ("eq", "in"):
        outcomes = [equals(column, value, operand) for operand in operands]
        return True if True in outcomes else None if None in outcomes else False
    if operator in ("contains", "startswith", "endswith"):
        if value.kind == "bytes":
            return False
        looked = folded(operands[0])
        if not looked:
            return None
        own = folded(value.text)
        return {"contains": looked in own, "startswith": own.startswith(looked),
                "endswith": own.endswith(looked)}[operator]
    return orders(column, operator, value, operands[0])


def check_condition(column, operator, operands):
    """Refuses a condition that no row makes right."""
    if operator not in column.operators:
        raise Refused(f"{column.name} has no {operator}")
    if operator == "isnull":
        if operands[0] not in ("true", "false"):
            raise Refused("isnull takes true or false")
        return
    for operand in operands:
        if operator in ("eq", "ne", "in", "nin"):
            if operand == "" and column.isMixed and column.kind != "text":
                # Whether texts can be there depends on what else is.
                raise Open
            check_operand(column, operand)
        elif operator not in ("contains", "startswith", "endswith"):
            comparand(column, operand)
        if operand == "" and operator != "eq":
            raise Open


# Lists.

#: The operators that ids have whether they are a column or not.
IDENTITY = ("eq", "ne", "in", "nin")


class Table:
    """The rows of a list, `(id, key of the id, {column: value})` each, in the order of the ids."""

    def __init__(self, columns, rows):
        self.columns = {column.name: column for column in columns}
        self.rows = sorted(rows, key=lambda row: row[1])

    def finds(self, row, terms):
        """Whether a row has all terms of a search."""
        outcomes = []
        for term in terms:
            found = [has_words(term, value.text) for name, value in row[2].items()
                     if value is not None and value.kind != "bytes"
                     and self.columns[name].kind in ("text", "json", None)]
            # Ids may be searched or not.
            found.append(None if has_words(term, row[0]) is not False else False)
            outcomes.append(True if True in found else None if None in found else False)
        return False if False in outcomes else None if None in outcomes else True

    def check(self, query):
        """Refuses conditions and searches that cannot be understood."""
        for name, operator, operands in query.get("filters", []):
            self.check_filter(name, operator, operands)
        for joint, members in query.get("groups", []):
            self.check_group(members)
        if query.get("q") is not None and not search_terms(query["q"]):
            raise Refused("no word to search for")

    def check_filter(self, name, operator, operands):
        if name == "id" and operator in IDENTITY:
            if operands == [""] and operator in ("eq", "ne"):
                raise Refused("no row has an empty id")
            return
        if name not in self.columns:
            raise Refused("ids are opaque where they are no column")
        check_condition(self.columns[name], operator, operands)

    def check_group(self, members):
        for member in members:
            if len(member) == 2:
                self.check_group(member[1])
            else:
                self.check_filter(*member)

    def meets_group(self, row, joint, members):
        """Whether joined conditions hold; nothing where that depends on what is open."""
        outcomes = [self.meets_group(row, *member) if len(member) == 2 else self.meets(row, *member)
                    for member in members]
        if joint == "or":
            return True if True in outcomes else None if None in outcomes else False
        isAll = False if False in outcomes else None if None in outcomes else True
        return isAll if joint == "and" or isAll is None else not isAll

    def meets(self, row, name, operator, operands):
        if name == "id" and operator in IDENTITY:
            return (row[0] in operands) == (operator in ("eq", "in"))
        return matches(self.columns[name], operator, operands, row[2][name])

    def selected(self, query, without=None):
        """The rows that meet the conditions, but for those on a column."""
        terms = search_terms(query["q"]) if query.get("q") is not None else []
        kept = []
        for row in self.rows:
            outcomes = [self.meets(row, *condition) for condition in query.get("filters", [])
                        if condition[0] != without]
            outcomes += [self.meets_group(row, *group) for group in query.get("groups", [])]
            outcomes.append(self.finds(row, terms))
            if None in outcomes and False not in outcomes:
                raise Open
            if all(outcomes):
                kept.append(row)
        return kept

    def sorted(self, rows, sort):
        """Rows in the order of `(column or id, descends, are nulls first)` keys, then of ids."""
        rows = sorted(rows, key=lambda row: row[1])
        for name, descends, areNullsFirst in reversed(sort):
            if name == "id" and name not in self.columns:
                rows = sorted(rows, key=lambda row: row[1], reverse=descends)
                continue
            nulls = [row for row in rows if row[2][name] is None]
            rest = [row for row in rows if row[2][name] is not None]
            rest.sort(key=lambda row: self.columns[name].key(row[2][name]), reverse=descends)
            rows = nulls + rest if areNullsFirst else rest + nulls
        return rows

    def section_key(self, row, group):
        """What tells the sections of a grouping apart."""
        name, isInitial = group
        value = row[2][name]
        if isInitial and value is not None:
            return "text", initial(value.text)
        return self.columns[name].identity(value)

    def sections(self, rows, group):
        """Sorted rows cut into sections: `(key, rows)` each, the one without a value last."""
        if group is None:
            return [(("all",), rows)] if rows else []
        found = {}
        for row in rows:
            found.setdefault(self.section_key(row, group), []).append(row)
        name, isInitial = group

        def place(section):
            key, rows = section
            if key is None:
                return 1, ()
            if isInitial:
                return 0, collated(key[1])
            return 0, self.columns[name].key(rows[0][2][name])

        return sorted(found.items(), key=place)

    def facet(self, name, rows):
        """`(key, rows)` of the values of a column, the most frequent first."""
        return sorted(self.sections(rows, (name, False)), key=lambda section: -len(section[1]))
