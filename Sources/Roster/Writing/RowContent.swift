import Database
import HTTP
import Listings
import Rendering

/// A row as a client has written it: typed values by their columns, and all that is wrong with
/// them.
struct RowContent {
    /// How the content is written, and where in it the row stands.
    enum Notation: Hashable {
        /// JSON; the pointer to the row.
        case json(String)
        /// The fields of a form.
        case form

        /// Where a member stands.
        func place(of name: String) -> Problem.Fault.Place {
            switch self {
            case .json(let pointer): .pointer(pointer + "/" + JSONPointer.escape(name))
            case .form: .parameter(name)
            }
        }
    }

    /// The most members of an object, and fields of a form: more than an engine has columns for.
    static let maximumMembers = 2_100

    /// The fields of forms that are no column; a column's name has no `__` in it.
    static let formMarks = "form__"

    let rules: RowRules
    let notation: Notation
    private(set) var id: String?
    private(set) var values: [Int: CellValue] = [:]
    /// What is wrong, in the order of the columns; names that are unknown come last, and no more of
    /// them than are told.
    private(set) var faults: [Problem.Fault] = []
    /// The columns whose values cannot be read; nil is the id.
    private var unread: Set<Int?> = []

    /// Reads a JSON object.
    ///
    /// - Throws: ``ContentFault`` when it is none, or has too many members.
    init(_ json: JSONValue, at pointer: String = "", _ rules: RowRules) throws(ContentFault) {
        guard case .object(let members) = json else {
            throw ContentFault(place: .pointer(pointer), kind: .malformed(wanted: .object))
        }
        try Self.check(members.count, at: .pointer(pointer))
        self.init(rules, .json(pointer))
        switch members[ListSchema.idName] {
        case nil: break
        case .text(let text): id = text
        case .number(let text) where rules.idType == .integer:
            id = Self.integer(text).map { "\($0)" } ?? text
        default: refuse(nil, .wrongType(rules.idType))
        }
        for position in rules.valueColumns {
            let column = rules.columns[position]
            guard let member = members[column.id] else { continue }
            take(Self.value(member, as: column.type), position)
        }
        refuse(members.keys.sorted(), besides: rules.memberNames)
    }

    /// Reads the fields of a form: an empty one has no value.
    ///
    /// - Throws: ``ContentFault`` when there are too many.
    init(_ form: [QueryItems.Item], _ rules: RowRules) throws(ContentFault) {
        try Self.check(form.count, at: nil)
        self.init(rules, .form)
        let names = rules.memberNames
        let fieldsOfName = Dictionary(grouping: form, by: \.name)
        for (name, position) in zip(names, [nil] + rules.valueColumns) {
            let fields = fieldsOfName[name] ?? []
            guard let first = fields.first else { continue }
            let text = first.value ?? ""
            if fields.count > 1 {
                unread.insert(position)
                faults.append(ContentFault(place: .parameter(name), kind: .repeated).fault)
            } else if let position {
                take(Self.value(text, as: rules.columns[position].type), position)
            } else {
                id = text.isEmpty ? nil : text
            }
        }
        refuse(form.map(\.name).filter { !$0.hasPrefix(Self.formMarks) }, besides: names)
    }

    private static func check(
        _ count: Int,
        at place: Problem.Fault.Place?
    ) throws(ContentFault) {
        guard count > maximumMembers else { return }
        throw ContentFault(place: place, kind: .tooManyMembers(maximum: maximumMembers))
    }

    private init(_ rules: RowRules, _ notation: Notation) {
        self.rules = rules
        self.notation = notation
    }

    private mutating func take(_ value: CellValue?, _ position: Int) {
        guard let value else { return refuse(position, .wrongType(rules.columns[position].type)) }
        values[position] = value
    }

    private mutating func refuse(_ column: Int?, _ reason: FieldFault.Reason) {
        unread.insert(column)
        faults.append(FieldFault(column: column, reason).fault(rules, notation))
    }

    private mutating func refuse(_ names: [String], besides known: [String]) {
        let columns = Set(known)
        for name in names where !columns.contains(name) {
            guard faults.count < ListParameters.maximumErrors else { return }
            var fault = ContentFault(place: notation.place(of: name), kind: .unknownColumn).fault
            fault.suggestion = Suggestion.nearest(to: name, among: known)
            faults.append(fault)
        }
    }

    /// Says that the id of the content is another than that of the address.
    mutating func refuseOtherID(than address: String) {
        guard let id, id != address else { return }
        let place = notation.place(of: ListSchema.idName)
        faults.append(ContentFault(place: place, kind: .otherID(address)).fault)
    }

    /// Everything that is wrong with a change made of the content.
    func faults(of change: RowChange) -> [Problem.Fault] {
        let invalid = rules.faults(in: change).filter { !unread.contains($0.column) }
        return invalid.map { $0.fault(rules, notation) } + faults
    }

    // MARK: - Values

    private static func value(_ json: JSONValue, as type: ColumnType) -> CellValue? {
        switch (json, type) {
        case (.null, _): return .null
        case (.boolean(let boolean), .boolean): return .boolean(boolean)
        case (.number(let text), .integer): return integer(text).map(CellValue.integer)
        case (.text(let text), .integer):
            // As integers are answered that readers of JSON would round.
            guard case .integer(let value)? = CellValue.parse(text, as: .integer) else {
                return nil
            }
            return value.magnitude > 1 << 53 ? .integer(value) : nil
        case (.number(let text), .real): return FieldValue.real(text.utf8.span).map(CellValue.real)
        case (.text(let text), .text), (.text(let text), .email), (.text(let text), .link):
            return .text(text)
        case (.text(let text), .date): return CalendarDate(text).map(CellValue.date)
        default: return nil
        }
    }

    /// A whole number, as `3`, and as `3.0` and `3e2` as far as they name exactly one.
    private static func integer(_ number: String) -> Int64? {
        if case .integer(let value)? = CellValue.parse(number, as: .integer) { return value }
        guard let real = Double(number), real.magnitude < 0x1p53 else { return nil }
        return Int64(exactly: real)
    }

    private static func value(_ text: String, as type: ColumnType) -> CellValue? {
        guard !text.isEmpty else { return .null }
        guard type == .real else { return CellValue.parse(text, as: type) }
        return FieldValue.real(text.utf8.span).map(CellValue.real)
    }
}

extension RowRules {
    /// The names of the members of a row: of its id, and of ``valueColumns``.
    var memberNames: [String] { [ListSchema.idName] + valueColumns.map { columns[$0].id } }
}

/// Names of members as they stand in pointers (RFC 6901 §3).
enum JSONPointer {
    /// Writes `~` as `~0` and `/` as `~1`.
    static func escape(_ name: String) -> String {
        var escaped = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
