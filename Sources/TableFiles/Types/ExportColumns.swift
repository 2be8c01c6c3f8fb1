internal import Bytes
internal import Listings

/// The columns of an export of Roster that its list does not have: the section and the id of a row.
///
/// They are recognized by all records, so that nothing is lost: the section is the name of the
/// value of another column or its initial. The id of NDJSON is a text, and either an integer or the
/// value of another column. Both have the position at which exports write them.
package struct ExportColumns: Hashable, Sendable {
    private let isPossible: Bool
    private var isBegun = false
    private var section: Int?
    private var values: Set<Int> = []
    private var initials: Set<Int> = []
    private var id: Int?
    private var areNumbers = false
    private var copies: Set<Int> = []

    /// Other files than CSV and NDJSON have none.
    package init(in format: FileFormat? = nil) { isPossible = format == .csv || format == .ndjson }

    package mutating func add(_ record: borrowing FileRecord, _ names: ColumnNames) {
        guard isPossible, !isBegun || section != nil || id != nil else { return }
        if !isBegun { begin(record, names) }
        if let section, let name = record.text(section) {
            values = values.filter { Self.isName(name, of: record.text($0)) }
            initials = initials.filter { Self.isInitial(name, of: record.text($0)) }
        } else {
            (values, initials) = ([], [])
        }
        if values.isEmpty, initials.isEmpty { section = nil }
        guard let id else { return }
        let text = record.form(of: id) == .string ? record.text(id) : nil
        areNumbers = areNumbers && text.map { FieldValue.integer($0.utf8Span.span) != nil } ?? false
        copies = copies.filter { text != nil && record.text($0) == text }
        if !areNumbers, copies.isEmpty { self.id = nil }
    }

    private mutating func begin(_ record: borrowing FileRecord, _ names: ColumnNames) {
        isBegun = true
        guard let first = names.all.first else { return }
        if first == ListSchema.idName, record.form(of: 0) == .string {
            (id, areNumbers) = (0, true)
            copies = Set(names.all.indices.dropFirst())
        }
        let position = id == nil ? 0 : 1
        guard position < names.all.count, names.all[position] == RowField.sectionName else {
            return
        }
        section = position
        values = Set(names.all.indices.dropFirst(position + 1))
        initials = values
        copies.remove(position)
    }

    private static func isName(_ name: String, of text: String?) -> Bool {
        guard let text else { return name == "~" }
        guard !text.hasPrefix("~") else { return name == "~" + text }
        // A text like a value of another type has its kind before it, as in `~t:5`.
        let isMarked = name.hasPrefix("~") && name.dropFirst(2).first == ":"
        return name == text || isMarked && name.dropFirst(3) == text || isUsual(name, of: text)
    }

    /// Whether the name is a value that a column spells otherwise.
    private static func isUsual(_ name: String, of text: String) -> Bool {
        let utf8 = text.utf8.span
        if let words = BooleanSpelling(utf8) { return name == words.value(utf8)?.description }
        if let found = NumberSpelling.find(utf8) { return name.utf8.elementsEqual(found.usual) }
        return TimeSpelling.find(utf8)?.usual.values.contains(name) ?? false
    }

    private static func isInitial(_ name: String, of text: String?) -> Bool {
        guard let text else { return name == "~" }
        return TextCollation.initial(of: text) == name
    }

    /// The column of the section, and the one that it repeats.
    package var sectionSource: (section: Int, source: Int)? {
        guard let section, let source = values.union(initials).min() else { return nil }
        return (section, source)
    }

    /// The column of the ids, and the one whose values they are; nil for numbers.
    package var idSource: (id: Int, source: Int?)? {
        id.map { ($0, areNumbers ? nil : copies.min()) }
    }
}
