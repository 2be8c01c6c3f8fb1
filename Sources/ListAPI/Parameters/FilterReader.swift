import Listings
import Rendering

struct FilterName {
    let column: String
    let operation: String?

    init(_ name: String) {
        // A column's name may end with `_`, but no operator begins with it.
        let bytes = name.utf8
        guard let end = bytes.lastIndex(of: UInt8(ascii: "_")), end > bytes.startIndex,
            bytes[bytes.index(before: end)] == UInt8(ascii: "_")
        else {
            column = name
            operation = nil
            return
        }
        column = String(name[..<bytes.index(before: end)])
        operation = String(name[bytes.index(after: end)...])
    }
}

struct FilterReader {
    static let maximumListValues = 100

    private let schema: ListSchema
    private let parameter: String
    private let name: FilterName

    init(schema: ListSchema, parameter: String) {
        self.schema = schema
        self.parameter = parameter
        name = FilterName(parameter)
    }

    func filter(_ value: String) throws(Problem.Fault) -> Filter {
        // The key column finds rows by id, and an id that no row can have is no error.
        let operation = name.operation.map(Filter.Operator.init(rawValue:)) ?? .equal
        let asksKey = name.column == ListSchema.idName && operation.map(\.isAllowedForIDs) ?? false
        guard !asksKey, let position = schema.index(of: name.column) else {
            guard !schema.operatorsForIDs.isEmpty else {
                throw .unfilterableColumn(parameter, column: name.column)
            }
            let operation = try self.operation(among: schema.operatorsForIDs, of: nil)
            let ids = try operands(value, operation, Column("text"))
            return Filter(id: operation, ids.map(\.plainText))
        }
        let column = schema.columns[position]
        guard column.isFilterable else {
            throw .unfilterableColumn(parameter, column: column.id)
        }
        let allowed =
            schema.hasElements(position)
            ? Filter.Operator.allowedForElements.filter(schema.operators.contains)
            : schema.operators(for: column)
        let usable = try self.operation(among: allowed, of: column.type)
        let operands = try operands(value, usable, column)
        if operands == [.null] { return Filter(column: position, .isNull, [.boolean(true)]) }
        return Filter(column: position, usable, operands)
    }

    private func operation(
        among allowed: [Filter.Operator],
        of type: ColumnType?
    ) throws(Problem.Fault) -> Filter.Operator {
        let word = name.operation ?? Filter.Operator.equal.rawValue
        let words = allowed.map(\.rawValue)
        guard let operation = Filter.Operator(rawValue: word) else {
            let nearest = Suggestion.nearest(to: word, among: words)
            let suggestion = nearest.map { "\(name.column)__\($0)" }
            throw .unknownOperator(parameter, operation: word, words, suggestion: suggestion)
        }
        guard allowed.contains(operation) else {
            throw .unusableOperator(parameter, operation: word, words, type)
        }
        return operation
    }

    private func operands(
        _ value: String,
        _ operation: Filter.Operator,
        _ column: Column
    ) throws(Problem.Fault) -> [CellValue] {
        guard operation.takesList else { return try operands(of: value, operation, column) }
        guard let texts = ValueList.values(of: value) else { throw .malformedList(parameter) }
        guard texts.count <= Self.maximumListValues else {
            throw .longList(parameter, maximum: Self.maximumListValues)
        }
        var all: [CellValue] = []
        for text in texts {
            for operand in try operands(of: text, operation, column) where !all.contains(operand) {
                all.append(operand)
            }
        }
        return all
    }

    /// Returns the values that a text stands for: several where a mixed column may hold any of them.
    private func operands(
        of text: String,
        _ operation: Filter.Operator,
        _ column: Column
    ) throws(Problem.Fault) -> [CellValue] {
        let values: [CellValue] =
            switch operation {
            case .isNull: [CellValue.parse(text, as: .boolean)].compactMap(\.self)
            case .identical:
                // Links name the value in one spelling, and so do the pages of all others.
                [column.value(named: text).map { column.value(named: column.name(of: $0)) ?? $0 }]
                    .compactMap(\.self)
            case .contains, .startsWith, .endsWith: text.isEmpty ? [] : [.text(text)]
            case .less, .atMost, .greater, .atLeast:
                [column.operand(for: text)].compactMap(\.self)
            case .equal, .notEqual, .among, .notAmong:
                // No row has an empty id; an empty text is therefore valid only as a member of a
                // list.
                text.isEmpty && name.column == "id" && !operation.takesList
                    ? [] : column.candidates(for: text)
            }
        guard values.isEmpty else { return values }
        guard !text.isEmpty else { throw .missingValue(parameter) }
        let type = operation == .isNull ? .boolean : column.type
        throw .wrongType(parameter, value: text, type)
    }
}
