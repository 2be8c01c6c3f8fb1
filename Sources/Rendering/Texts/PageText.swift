import Bytes
import Listings

/// The texts of pages in one language, except those of the list itself.
///
/// A new language is a new conforming type and a new case of ``PageLanguage``.
protocol PageText: ToolbarText, Sendable {
    /// The language tag for HTML (BCP 47).
    var language: String { get }
    /// The writing direction, `ltr` or `rtl`.
    var direction: String { get }

    // MARK: Navigation

    var skipToList: String { get }
    var skipToContent: String { get }
    var breadcrumb: String { get }
    var lists: String { get }
    var documentation: String { get }
    var view: String { get }
    var jump: String { get }
    var pages: String { get }
    var previous: String { get }
    var next: String { get }
    var groupBy: String { get }
    var sortBy: String { get }
    var rowsPerPage: String { get }
    var ownSections: String { get }
    var ungrouped: String { get }
    var sections: String { get }
    var columns: String { get }
    var parameters: String { get }
    var continued: String { get }
    var schema: String { get }
    var id: String { get }
    func more(_ section: String) -> String
    func inOtherFormats(_ title: String) -> String

    // MARK: Values

    var null: String { get }
    var yes: String { get }
    var no: String { get }
    /// The separator of groups of three digits.
    var digitSeparator: Character { get }
    /// The mark before the decimals.
    var decimalMark: Character { get }
    /// The abbreviated names of the twelve months.
    var months: [StaticString] { get }
    /// The sign after the day of a date.
    var dayMark: StaticString { get }
    /// Returns a count with its noun, such as `33,406 rows`.
    func rows(_ count: Count) -> String
    /// Returns the text for a missing value, such as `No city`.
    func absent(_ column: Column) -> String

    // MARK: What a page shows

    /// Returns a caption such as `Users by occupation, sorted by last name and first name,
    /// ascending`. Different directions are named separately.
    func caption(_ title: String, grouping: String?, sort: [SortStep]) -> String
    /// Returns a label for grouping by initials, such as `Last name, A–Z`.
    func initials(_ label: String) -> String

    // MARK: What is missing

    var stale: String { get }
    /// The warning that edits end with the process.
    var editsAreLost: String { get }
    /// The remedy for an empty list that only an option of the program makes read-only.
    var toAddRows: String { get }
    var refresh: String { get }
    var reload: String { get }
    var dropConditions: String { get }
    var backToTheStart: String { get }
    var noLists: String { get }
    var listsComeFromFiles: String { get }
    func title(of reason: EmptyReason) -> String
    func message(of reason: EmptyReason) -> String
    func failure(_ code: RowFailure.Code) -> String

    // MARK: Conditions

    var search: String { get }
    var filter: String { get }
    var filters: String { get }
    var apply: String { get }
    var any: String { get }
    var drop: String { get }
    var countAll: String { get }
    /// The text that replaces the number of rows if counting exceeded its limit.
    var stillCounting: String { get }
    var notCounted: String { get }
    func search(_ title: String) -> String
    func search(for text: String) -> String
    /// Returns the size of a binary value.
    func bytes(_ count: Int) -> String
    var source: String { get }
    var license: String { get }
    /// Returns an amount with the sign or code of its currency.
    func amount(_ digits: String, _ currency: String) -> String
    /// Returns a number with the sign of percent.
    func percent(_ number: String) -> String
    /// Returns the words before the operand of a condition.
    func relation(_ operation: Filter.Operator) -> String
    func name(of function: Aggregate.Function, _ column: String) -> String
    /// The word between conditions of which one is met.
    var or: String { get }
    /// Returns the text of a negated condition.
    func not(_ label: String) -> String

    // MARK: Rows

    var actions: String { get }
    var segments: String { get }
    var below: String { get }
    var cannotBeTakenBack: String { get }
    var collapsed: String { get }
    var layout: String { get }
    var hideRows: String { get }
    var showRows: String { get }
    var select: String { get }
    var withSelected: String { get }
    var moveUp: String { get }
    var moveDown: String { get }
    /// Returns the label that selects all rows matching the page's conditions.
    func allMatching(_ count: Count?) -> String
    var expand: String { get }
    var collapse: String { get }
    func level(_ level: Int) -> String
    func allBelow(_ count: Int) -> String
    func below(_ id: String) -> String
    func select(_ name: String) -> String
    func askForMany(_ action: String) -> String
    func name(of layout: PageLayout) -> String

    // MARK: Problems

    var didYouMean: String { get }
    /// The label of a link to the address without an error.
    var corrected: String { get }
    /// Returns an English text of a problem in the language.
    func problem(_ english: String) -> String
    var request: String { get }
    func status(_ status: Int) -> String

    // MARK: Changes; % is a number

    var live: String { get }
    var lost: String { get }
    var news: String { get }
    var outdated: String { get }
    var added: String { get }
    var changed: String { get }
    var removed: String { get }
    var moved: String { get }
    var chosen: String { get }

    // MARK: Keys

    var keys: String { get }
    var shortcuts: [Shortcut] { get }
    var singleKeys: String { get }
    var close: String { get }

    // MARK: Columns and parameters

    var name: String { get }
    var label: String { get }
    var type: String { get }
    var sortable: String { get }
    var groupable: String { get }
    var meaning: String { get }
    var example: String { get }
    var defaultValue: String { get }
    var maximum: String { get }
    func schemaTitle(_ title: String) -> String

    // MARK: Writing

    var writing: String { get }
    var add: String { get }
    var edit: String { get }
    var remove: String { get }
    var save: String { get }
    var cancel: String { get }
    var needed: String { get }
    /// Returns the explanation of writing rows of a list.
    func writing(_ writing: SchemaDocument.Writing, list: String) -> String
    func title(of purpose: FormDocument.Purpose, list: String, row: String?) -> String

    // MARK: Forms

    /// The label of an id that the list generates if the field is empty.
    var madeID: String { get }
    var emptyText: String { get }
    var emptyBox: String { get }
    var takenMeanwhile: String { get }
    var bothChanged: String { get }
    var keepMine: String { get }
    var takeTheirs: String { get }
    func text(of notice: FormDocument.Notice) -> String

    // MARK: Imports

    var importing: String { get }
    func importTitle(_ list: String) -> String
    func state(_ state: ProgressDocument.State) -> String
    var rowsRead: String { get }
    var rowsInserted: String { get }
    var rowsReplaced: String { get }
    var rowsUnchanged: String { get }
    var rowsRefused: String { get }
    var rowsPerSecond: String { get }
    var secondsLeft: String { get }
    func place(line: Int, column: Int) -> String
}

/// The label and the direction of a column in a sort order.
typealias SortStep = (label: String, direction: SortKey.Direction)

extension PageText {
    /// Appends a date for people, such as `13 Nov 2021`.
    func write(_ date: CalendarDate, to sink: inout some ByteSink & ~Copyable) {
        sink.append(decimal: Int64(date.day))
        sink.append(dayMark)
        sink.append(UInt8(ascii: " "))
        sink.append(months[date.month - 1])
        sink.append(UInt8(ascii: " "))
        sink.append(decimal: Int64(date.year))
    }
}

extension PageText {
    func word(_ value: Bool) -> String { value ? yes : no }

    /// Returns an example command that creates a list.
    func example(_ list: String) -> String { "roster \(list)=people.csv" }

    /// Returns a count such as `33,406`, `10,000+` for a lower bound, or `≈33,406`.
    func count(_ count: Count) -> String {
        switch count.relation {
        case .exact: number(count.value)
        case .atLeast: number(count.value) + "+"
        case .estimate: "≈" + number(count.value)
        }
    }

    /// Returns a number with digit separators, such as `33,406`.
    func number(_ value: Int) -> String {
        guard value.magnitude >= 1000 else { return String(value) }
        let digits = String(value.magnitude).utf8
        var text = value < 0 ? "-" : ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.count - place).isMultiple(of: 3) { text.append(digitSeparator) }
            text.unicodeScalars.append(Unicode.Scalar(digit))
        }
        return text
    }

    /// Returns a number in the notation of the language, such as `12.345,6` for `12345.6`.
    ///
    /// A whole number of four digits has no mark, because it may be a year.
    func local(_ number: String, groupsDigits: Bool) -> String {
        let mark = number.utf8.firstIndex(of: UInt8(ascii: "."))
        let whole = number[..<(mark ?? number.endIndex)]
        let isPlain = number.utf8.allSatisfy { $0 < 0x3A && $0 != 0x2B }
        guard isPlain, let value = Int(whole) else { return number }
        let isLarge = groupsDigits && value.magnitude >= (mark == nil ? 10_000 : 1_000)
        guard isLarge || mark != nil && decimalMark != "." else { return number }
        var text = isLarge ? self.number(value) : String(whole)
        if let mark {
            text.append(decimalMark)
            text += number[number.utf8.index(after: mark)...]
        }
        return text
    }

    /// Returns a time span such as `1:02:05.5` with the mark of the language.
    func local(clock: String) -> String {
        String(clock.map { $0 == "." ? decimalMark : $0 })
    }

    /// Returns a time for people, such as `14 Aug 2002, 12:35`, from the one that is stored.
    ///
    /// Seconds and the offset stay, if there are any.
    func local(time: String) -> String {
        guard time.utf8.count >= 16,
            let date = CalendarDate(String(Substring(time.utf8.prefix(10))))
        else {
            return time
        }
        var buffer = ByteBuffer(minimumCapacity: 32)
        write(date, to: &buffer)
        let rest = time.dropFirst(16)
        let seconds = rest.hasPrefix(":00") && !rest.hasPrefix(":00.") ? rest.dropFirst(3) : rest
        let offset = seconds == "Z" ? " UTC" : seconds
        return "\(buffer.text()), \(time.dropFirst(11).prefix(5))\(offset)"
    }

    /// Returns the numbers of a page's first and last row, such as `1–50`.
    func range(first: Int, last: Int) -> String { "\(number(first))–\(number(last))" }

    func caption(_ title: String, _ query: ListQuery, _ schema: ListSchema) -> String {
        caption(
            title,
            grouping: query.grouping.map { schema.columns[$0.column].label },
            sort: query.sort.map { (label(of: $0.field, schema), $0.direction) }
        )
    }

    /// Returns an order such as `name and age, ascending` or `age descending, then name ascending`.
    func order(
        _ sort: [SortStep],
        and conjunction: String,
        then: String,
        _ word: (SortKey.Direction) -> String
    ) -> String {
        let directions = Set(sort.map(\.direction))
        if directions.count == 1, let direction = directions.first {
            let labels = sort.map(\.label).joined(separator: conjunction)
            return "\(labels), \(word(direction))"
        }
        return sort.map { "\($0.label) \(word($0.direction))" }.joined(separator: then)
    }

    /// Returns a label such as `Last name`, or `Last name, A–Z` for initials.
    func label(of grouping: Grouping, _ schema: ListSchema) -> String {
        let label = schema.columns[grouping.column].label
        return grouping.part == .initial ? initials(label) : label
    }

    /// Returns aggregates such as `Sum of Price: 12.5 · Least Price: 3`; empty without any.
    func aggregates(_ values: [CellValue?], of page: borrowing Page) -> String {
        zip(page.query.aggregates, values).map { aggregate, value in
            let column = page.schema.columns[aggregate.column]
            let text = value.map { self.text(of: $0, column) } ?? "…"
            return "\(name(of: aggregate.function, column.label)): \(text)"
        }
        .joined(separator: " · ")
    }

    /// Returns the header of a section, in the language unless the list has a header of its own.
    func title(of section: SectionInfo, in page: borrowing Page) -> String {
        guard let header = section.header, case .value(let value) = section.key,
            let column = page.query.grouping.map({ page.schema.columns[$0.column] }),
            header == ListSchema.header(value, column)
        else { return section.header ?? "" }
        return value.isNull ? absent(column) : text(of: value, column)
    }

    /// Returns a value that is computed from a column, in the notation of its cells.
    func text(of value: CellValue, _ column: Column) -> String {
        switch value {
        case .null: "–"
        case .integer, .real, .decimal:
            local(value.plainText, groupsDigits: column.groupsDigits)
        case .timestamp: local(time: value.plainText)
        default: label(of: value, column)
        }
    }

    /// Returns the label of a counted value, or of the row that it names.
    ///
    /// The value follows if another one has the same label, as in `Ada (7)`.
    func label(of value: CellValue, inColumn column: Int, of page: borrowing Page) -> String {
        let labels = page.labels[column] ?? [:]
        guard !value.isNull, let label = labels[value] else {
            return self.label(of: value, page.schema.columns[column])
        }
        let isUnique = labels.values.allSatisfy { $0.text != label.text || $0.key == label.key }
        return isUnique ? label.text : "\(label.text) (\(value.plainText))"
    }

    func label(of field: SortKey.Field, _ schema: ListSchema) -> String {
        switch field {
        case .id: id
        case .column(let column): schema.columns[column].label
        }
    }

    /// Returns a label such as `City is Oslo`, `No city` or `ID is 7`, or `Customer is Ada` for a
    /// key of the column `Customer id`.
    func label(of filter: Filter, _ page: borrowing Page) -> String {
        if let group = filter.group {
            let labels = group.members.map { member in
                let label = label(of: member, page)
                return member.group == nil || group.members.count == 1 ? label : "(\(label))"
            }
            let joined = labels.joined(separator: group.joint == .any ? " \(or) " : " \(and) ")
            return group.joint == .notAll ? not(joined) : joined
        }
        guard let position = page.schema.column(of: filter) else {
            let ids = filter.operands.map(\.plainText).joined(separator: ", ")
            return "\(id) \(relation(filter.operation)) \(ids)"
        }
        let column = page.schema.columns[position]
        guard filter.operation != .isNull else {
            let isNull = filter.operands == [.boolean(true)]
            return isNull ? label(of: .null, column) : "\(column.label) \(isNotEmpty)"
        }
        // In a mixed column, several values may have the same text.
        var operands: [String] = []
        var name = column.label
        for value in filter.operands {
            let isKey = filter.comparesWhole && page.labels[position]?[value] != nil
            if isKey, name.hasSuffix(" id") { name.removeLast(3) }
            let operand =
                isKey ? label(of: value, inColumn: position, of: page) : label(of: value, column)
            if !operands.contains(operand) { operands.append(operand) }
        }
        let list = operands.joined(separator: ", ")
        return "\(name) \(relation(filter.operation)) \(list)"
    }

    /// Returns a value for people, such as `No city` for null.
    func label(of value: CellValue, _ column: Column) -> String {
        switch value {
        case .null: return absent(column)
        case .boolean(let value): return word(value)
        case .date(let date):
            var buffer = ByteBuffer(minimumCapacity: 16)
            write(date, to: &buffer)
            return buffer.text()
        case .text, .integer, .real, .decimal, .timestamp, .json: return value.plainText
        case .bytes(let value): return bytes(value.count)
        }
    }

    func title(of form: FormDocument) -> String {
        title(of: form.row == nil ? .create : form.purpose, list: form.list, row: form.row)
    }

    func button(of purpose: FormDocument.Purpose) -> String {
        switch purpose {
        case .create: add
        case .edit: save
        case .remove: remove
        }
    }
}

/// A keyboard shortcut: one or more keys and their meaning.
struct Shortcut {
    let keys: [String]
    let meaning: String

    init(_ keys: String..., meaning: String) {
        self.keys = keys
        self.meaning = meaning
    }
}

/// A language of pages.
///
/// Texts of a list, such as its title, columns and values, are not translated.
package enum PageLanguage: String, CaseIterable, Hashable, Sendable {
    case english = "en"
    case german = "de"
    /// Hebrew, except problems, which are English.
    case hebrew = "he"

    var texts: any PageText {
        switch self {
        case .english: Self.englishTexts
        case .german: Self.germanTexts
        case .hebrew: Self.hebrewTexts
        }
    }

    // The texts are shared, because creating them for each page is slow.
    private static let englishTexts: any PageText = EnglishText()
    private static let germanTexts: any PageText = GermanText()
    private static let hebrewTexts: any PageText = HebrewText()
}
