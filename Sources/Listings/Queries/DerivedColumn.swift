internal import JSON

/// A column that a query derives from a column of the list, one step further.
///
/// Its position is after the columns of the list, so that conditions, orders and facets use it like
/// any other column. It is not shown.
package struct DerivedColumn: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// A column of the row that a foreign key names, as in `customer.name`.
        case related(ListRelation, column: String)
        /// The value at a path of names and positions in JSON, as in `meta.size`.
        case member([String])
        /// The elements of an array in JSON, at a path that may be empty, as in `tags[]`.
        case elements([String])
        /// The period that a time belongs to in UTC, as in `created:year`.
        case period(Period)
    }
    package enum Period: String, Hashable, Sendable, CaseIterable {
        case year, month, day

        /// The number of characters in its text, `2024-02-29` for a day.
        package var length: Int {
            switch self {
            case .year: 4
            case .month: 7
            case .day: 10
            }
        }
    }

    package let base: Int
    package let step: Step
    package let column: Column
    /// The list of the rows that a foreign key names; nil for other steps.
    package let target: (any ListSource)?

    private init(
        _ base: Int,
        _ step: Step,
        _ column: Column,
        of target: (any ListSource)? = nil
    ) {
        (self.base, self.step, self.column, self.target) = (base, step, column, target)
    }

    /// A step names its list, so that only the paths are compared.
    package static func == (one: DerivedColumn, other: DerivedColumn) -> Bool {
        one.base == other.base && one.step == other.step && one.column == other.column
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(column.id) }

    package static let maximumCount = 8
    package static let maximumNames = 16

    /// Derives the column of a path; nil if a column of the list has no such values.
    ///
    /// A foreign key wins over JSON of the same name.
    ///
    /// The path is `KEY.COLUMN`, `COLUMN.NAME.NAME`, `COLUMN:PERIOD`, or `COLUMN.NAME[]`. The
    /// relations are the foreign keys of the list.
    package init?(
        _ path: String,
        of schema: ListSchema,
        _ relations: [(relation: ListRelation, target: any ListSource)]
    ) {
        if let colon = path.lastIndex(of: ":"),
            let period = Period(rawValue: String(path[path.index(after: colon)...])),
            let base = schema.index(of: String(path[..<colon])),
            schema.columns[base].type.isTime
        {
            let label = "\(schema.columns[base].label): \(period.rawValue)"
            self.init(base, .period(period), Column(path, label: label, isGroupable: true))
            return
        }
        if path.hasSuffix("[]") {
            let inner = String(path.dropLast(2))
            var (base, names, label) = (schema.index(of: inner), [String](), "")
            if let base, schema.columns[base].mayHoldJSON {
                label = schema.columns[base].label
            } else {
                guard let member = DerivedColumn(inner, of: schema, []),
                    case .member(let path) = member.step
                else { return nil }
                (base, names, label) = (member.base, path, member.column.label)
            }
            let column = Column(
                path,
                label: label,
                isSortable: false,
                isGroupable: true,
                isMixed: true
            )
            guard let base else { return nil }
            self.init(base, .elements(names), column)
            return
        }
        for (relation, target) in relations where path.hasPrefix(relation.name + ".") {
            let name = String(path.dropFirst(relation.name.count + 1))
            guard let base = schema.index(of: relation.column),
                let column = target.schema.index(of: name).map({ target.schema.columns[$0] })
            else { continue }
            self.init(
                base,
                .related(relation, column: name),
                Column(
                    path,
                    label: "\(Column.label(from: relation.name)): \(column.label)",
                    type: column.type,
                    isSortable: column.isSortable,
                    isGroupable: column.isSortable,
                    isFilterable: column.isFilterable,
                    isMixed: column.isMixed
                ),
                of: target
            )
            return
        }
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // The name of a column may itself contain dots.
        for count in (1..<max(names.count, 1)).reversed() {
            let rest = Array(names[count...])
            guard let base = schema.index(of: names[..<count].joined(separator: ".")),
                rest.count <= Self.maximumNames, !rest.contains(""),
                schema.columns[base].mayHoldJSON
            else { continue }
            let label = "\(schema.columns[base].label): \(rest.joined(separator: "."))"
            let column = Column(path, label: label, isGroupable: true, isMixed: true)
            self.init(base, .member(rest), column)
            return
        }
        return nil
    }
}

extension Column {
    package var mayHoldJSON: Bool { type == .json || type == .text || isMixed }
}

extension CellValue {
    /// The path has names of members and positions of elements, from 0, or from -1 at the end.
    ///
    /// Null if there is no value, also for a text that is no document.
    package static func member(_ path: [String], of document: String) -> CellValue {
        guard var value = JSONValue(document: document) else { return .null }
        for name in path {
            switch value {
            case .object(let members, _):
                guard let member = members[name] else { return .null }
                value = member
            case .array(let elements, _):
                guard let location = Int(name) else { return .null }
                let index = location < 0 ? elements.count + location : location
                guard elements.indices.contains(index) else { return .null }
                value = elements[index]
            case .null, .boolean, .number, .text: return .null
            }
        }
        return CellValue(value)
    }

    /// The distinct values of the elements of an array at a path of a JSON document, in their order.
    ///
    /// Elements that are null, arrays or objects are left out.
    package static func elements(_ path: [String], of document: String) -> [CellValue] {
        let array = path.isEmpty ? document : member(path, of: document).plainText
        guard case .array(let elements, _)? = JSONValue(document: array) else { return [] }
        var seen: Set<CellValue> = []
        return elements.map { CellValue($0) }
            .filter { !$0.isNull && $0.kind != .json && seen.insert($0).inserted }
    }

    package static func json(document: String) -> CellValue? {
        JSONValue(document: document).map { CellValue($0) }
    }

    package var document: String {
        switch self {
        case .null: "null"
        case .boolean, .integer, .decimal, .json: plainText
        case .real(let real): real.isFinite ? plainText : "null"
        case .date, .timestamp, .text, .bytes: JSONText.quoted(plainText)
        }
    }

    private init(_ json: JSONValue) {
        switch json {
        case .null: self = .null
        case .boolean(let boolean): self = .boolean(boolean)
        case .number(let text):
            self =
                CellValue.number(text)
                ?? ExactDecimal(json: text).map(CellValue.decimal) ?? .text(text)
        case .text(let text): self = .text(text)
        case .array(_, let text), .object(_, let text):
            self = .json(JSONText.compact(text) ?? text)
        }
    }
}

extension JSONValue {
    fileprivate init?(document: String) {
        do { self = try JSONValue(parsing: Array(document.utf8)) } catch { return nil }
    }
}
