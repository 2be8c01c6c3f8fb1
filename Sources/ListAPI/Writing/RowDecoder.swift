import Database
import HTTP
import JSON
import Listings
import Rendering

struct RowDecoder {
    enum Notation: Hashable {
        /// JSON; the pointer to the row.
        case json(String)
        case form

        func location(of name: String) -> Problem.Fault.Location {
            switch self {
            case .json(let pointer): .pointer(pointer + "/" + JSONPointer.escape(name))
            case .form: .parameter(name)
            }
        }
    }

    /// The maximum number of members or form fields: more than an engine has columns.
    static let maximumMembers = 2_100

    /// The prefix of form fields that are no columns; a column's name has no `__` in it.
    static let formMarks = "form__"

    let rules: RowRules
    let notation: Notation
    private(set) var id: String?
    private(set) var values: [Int: CellValue] = [:]
    /// In the order of the columns; those of unknown names come last.
    private(set) var faults: [Problem.Fault] = []
    /// The columns whose values are invalid; nil is the id.
    private var unread: Set<Int?> = []

    init(
        _ json: JSONValue,
        at pointer: String = "",
        _ rules: RowRules
    ) throws(Problem.Fault) {
        guard case .object(let members, _) = json else {
            throw .malformed(.pointer(pointer), "an object")
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
            take(Self.value(member, of: column), position)
        }
        refuse(members.keys.sorted(), besides: rules.memberNames)
    }

    /// An empty field has no value, or an empty text where ``FormDocument/emptyField`` names its
    /// column.
    init(_ form: [QueryItems.Item], _ rules: RowRules) throws(Problem.Fault) {
        try Self.check(form.count { !$0.name.hasPrefix(Self.formMarks) }, at: nil)
        self.init(rules, .form)
        let names = rules.memberNames
        let fieldsOfName = Dictionary(grouping: form, by: \.name)
        let emptyTexts = Set(fieldsOfName[FormDocument.emptyField]?.map { $0.value ?? "" } ?? [])
        for (name, position) in zip(names, [nil] + rules.valueColumns) {
            let fields = fieldsOfName[name] ?? []
            guard let first = fields.first else { continue }
            let text = first.value ?? ""
            if fields.count > 1 {
                unread.insert(position)
                faults.append(.repeated(.parameter(name)))
            } else if let position {
                let isEmptyText = text.isEmpty && emptyTexts.contains(name)
                let value = text.isEmpty ? nil : rules.columns[position].value(of: text)
                take(isEmptyText ? .text("") : text.isEmpty ? .null : value, position)
            } else {
                id = text.isEmpty ? nil : text
            }
        }
        refuse(form.map(\.name).filter { !$0.hasPrefix(Self.formMarks) }, besides: names)
        refuse(emptyTexts.sorted(), besides: names, at: .parameter(FormDocument.emptyField))
    }

    private static func check(
        _ count: Int,
        at location: Problem.Fault.Location?
    ) throws(Problem.Fault) {
        guard count > maximumMembers else { return }
        throw .tooManyMembers(location, maximum: maximumMembers)
    }

    private init(_ rules: RowRules, _ notation: Notation) {
        self.rules = rules
        self.notation = notation
    }

    private mutating func take(_ value: CellValue?, _ position: Int) {
        guard let value else { return refuse(position, .wrongType(rules.columns[position].type)) }
        values[position] = value
    }

    private mutating func refuse(_ column: Int?, _ reason: FieldValidationError.Reason) {
        unread.insert(column)
        faults.append(FieldValidationError(column: column, reason).fault(rules, notation))
    }

    private mutating func refuse(
        _ names: [String],
        besides known: [String],
        at location: Problem.Fault.Location? = nil
    ) {
        let columns = Set(known)
        for name in names where !columns.contains(name) {
            guard faults.count < ListParameters.maximumErrors else { return }
            let location = location ?? notation.location(of: name)
            guard !rules.columns.contains(where: { $0.id == name }) else {
                faults.append(.readOnlyColumn(location))
                continue
            }
            let suggestion = Suggestion.nearest(to: name, among: known)
            faults.append(.unknownColumn(location, suggestion: suggestion))
        }
    }

    mutating func refuseOtherID(than address: String) {
        guard let id, id != address else { return }
        let location = notation.location(of: ListSchema.idName)
        faults.append(.otherID(location, than: address))
    }

    func faults(of change: RowChange) -> [Problem.Fault] {
        let invalid = rules.faults(in: change).filter { !unread.contains($0.column) }
        return invalid.map { $0.fault(rules, notation) } + faults
    }

    func change(_ verb: RowChange.Verb, matching columns: [Int]) -> RowChange {
        if id == nil, !columns.isEmpty {
            return RowChange(verb, matching: columns, values: values)
        }
        let id = id ?? (verb == .insert ? nil : rules.id(of: values))
        // A row without an id cannot exist yet.
        return RowChange(id == nil ? .insert : verb, id: id, values: values)
    }

    var isBlank: Bool { id == nil && faults.isEmpty && values.values.allSatisfy(\.isNull) }

    // MARK: - Values

    private static func value(_ json: JSONValue, of column: Column) -> CellValue? {
        let value = value(json)
        if value.isNull || column.isMixed { return value }
        switch (json, column.type) {
        case (.number(let text), .integer): return integer(text).map(CellValue.integer)
        case (.text(let text), .integer), (.text(let text), .real):
            return number(text, as: column.type)
        case (.text(let text), _) where column.type.isText: return .text(text)
        case (_, .json): return json.compactText.map(CellValue.json)
        default: return value.kind == column.type.kind ? value : nil
        }
    }

    /// Returns a JSON value by its own type; a text that is a date or timestamp is a time.
    private static func value(_ json: JSONValue) -> CellValue {
        switch json {
        case .null: return .null
        case .boolean(let boolean): return .boolean(boolean)
        case .number(let text):
            return CellValue.number(text)
                ?? ExactDecimal(json: text).map(CellValue.decimal) ?? .text(text)
        case .text(let text):
            let natural = CellValue.natural(text)
            return natural.kind == .time ? natural : .text(text)
        case .array(_, let text), .object(_, let text):
            return json.compactText.map(CellValue.json) ?? .text(text)
        }
    }

    /// Returns a number in a text, which responses use where JSON readers would round it.
    private static func number(_ text: String, as type: ColumnType) -> CellValue? {
        guard let value = CellValue.parse(text, as: type) else { return nil }
        switch value {
        case .integer(let integer): return integer.magnitude > 1 << 53 ? value : nil
        case .decimal(let decimal): return decimal.isReadAsDouble ? nil : value
        default: return value
        }
    }

    /// Returns a whole number: `3`, and also `3.0` and `3e2` if they are exact.
    private static func integer(_ number: String) -> Int64? {
        if case .integer(let value)? = CellValue.parse(number, as: .integer) { return value }
        guard let real = Double(number), real.magnitude < 0x1p53 else { return nil }
        return Int64(exactly: real)
    }
}

extension RowRules {
    var memberNames: [String] { [ListSchema.idName] + valueColumns.map { columns[$0].id } }
}

/// The names of members in JSON pointers (RFC 6901 §3).
enum JSONPointer {
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
