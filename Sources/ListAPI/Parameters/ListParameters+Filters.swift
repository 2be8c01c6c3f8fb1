import Listings

/// The parameters that filter rows, such as `age__gte=18` and `q`, and those that count rows.
extension ListParameters {
    /// The maximum number of filters of a query, because each costs time for every row.
    static let maximumFilters = 16
    /// The maximum number of values in a list of `in` or `nin`.
    static let maximumListValues = 100
    /// The maximum number of values of all filters together.
    static let maximumOperands = 500

    /// The name of a parameter, split into the column and the operator of a filter.
    struct FilterName {
        let column: String
        /// The text after the last `__`; nil without one.
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

    /// Whether a parameter is to be read as a filter, valid or not.
    func isFilter(_ name: String) -> Bool {
        let column = FilterName(name).column
        return accepted.contains(.filters)
            && (column == ListSchema.idName || schema.index(of: column) != nil)
    }

    /// Returns the known parameter nearest to an unknown one; nil without a near one.
    func suggestion(for name: String) -> String? {
        let parsed = FilterName(name)
        let columns =
            accepted.contains(.filters)
            ? [ListSchema.idName] + schema.filterable.map { schema.columns[$0].id } : []
        guard let operation = parsed.operation else {
            return Suggestion.nearest(to: name, among: accepted.parameters.map(\.name) + columns)
        }
        return Suggestion.nearest(to: parsed.column, among: columns).map { "\($0)__\(operation)" }
    }

    /// Reads the filters, without duplicates and in the order of the parameters.
    mutating func readFilters() -> [Filter] {
        var filters: [Filter] = []
        var operandCount = 0
        for (name, value) in conditions {
            guard let filter = readFilter(name, value), !filters.contains(filter) else { continue }
            guard filters.count < Self.maximumFilters else {
                refuse(.tooManyFilters(name, maximum: Self.maximumFilters))
                break
            }
            operandCount += filter.operands.count
            guard operandCount <= Self.maximumOperands else {
                refuse(.tooManyOperands(name, maximum: Self.maximumOperands))
                break
            }
            filters.append(filter)
        }
        return filters
    }

    private mutating func readFilter(_ name: String, _ value: String) -> Filter? {
        let parsed = FilterName(name)
        // The key column finds rows by id, and an id that no row can have is no error.
        let operation = parsed.operation.map(Filter.Operator.init(rawValue:)) ?? .equal
        let asksKey =
            parsed.column == ListSchema.idName && operation.map(\.isAllowedForIDs) ?? false
        guard !asksKey, let column = schema.index(of: parsed.column) else {
            let allowed = Filter.Operator.allowedForIDs
            guard let operation = readOperator(name, parsed, nil, allowed),
                let ids = readOperands(of: name, value, operation, Column("text"))
            else { return nil }
            return Filter(id: operation, ids.map(\.plainText))
        }
        let type = schema.columns[column].type
        guard schema.columns[column].isFilterable else {
            refuse(.unfilterableColumn(name, column: schema.columns[column].id))
            return nil
        }
        let allowed = Filter.Operator.allowed(for: type)
        guard let operation = readOperator(name, parsed, type, allowed),
            let operands = readOperands(of: name, value, operation, schema.columns[column])
        else { return nil }
        if operands == [.null] { return Filter(column: column, .isNull, [.boolean(true)]) }
        return Filter(column: column, operation, operands)
    }

    private mutating func readOperator(
        _ name: String,
        _ parsed: FilterName,
        _ type: ColumnType?,
        _ allowed: [Filter.Operator]
    ) -> Filter.Operator? {
        let word = parsed.operation ?? Filter.Operator.equal.rawValue
        let words = allowed.map(\.rawValue)
        guard let operation = Filter.Operator(rawValue: word) else {
            let nearest = Suggestion.nearest(to: word, among: words)
            let suggestion = nearest.map { "\(parsed.column)__\($0)" }
            refuse(.unknownOperator(name, operation: word, words, suggestion: suggestion))
            return nil
        }
        guard allowed.contains(operation) else {
            refuse(.unusableOperator(name, operation: word, words, type))
            return nil
        }
        return operation
    }

    private mutating func readOperands(
        of name: String,
        _ value: String,
        _ operation: Filter.Operator,
        _ column: Column
    ) -> [CellValue]? {
        guard operation.takesList else { return readOperand(of: name, value, operation, column) }
        guard let texts = ValueList.values(of: value) else {
            refuse(.malformedList(name))
            return nil
        }
        guard texts.count <= Self.maximumListValues else {
            refuse(.longList(name, maximum: Self.maximumListValues))
            return nil
        }
        var operands: [CellValue] = []
        for text in texts {
            guard let found = readOperand(of: name, text, operation, column) else { return nil }
            for operand in found where !operands.contains(operand) { operands.append(operand) }
        }
        return operands
    }

    /// Reads the values that a text stands for: several where a mixed column may hold any of them.
    private mutating func readOperand(
        of name: String,
        _ text: String,
        _ operation: Filter.Operator,
        _ column: Column
    ) -> [CellValue]? {
        let values: [CellValue] =
            switch operation {
            case .isNull: [CellValue.parse(text, as: .boolean)].compactMap(\.self)
            case .identical: [column.value(named: text)].compactMap(\.self)
            case .contains, .startsWith, .endsWith: text.isEmpty ? [] : [.text(text)]
            case .less, .atMost, .greater, .atLeast:
                [column.operand(for: text)].compactMap(\.self)
            case .equal, .notEqual, .among, .notAmong:
                // No row has an empty id; an empty text is therefore valid only as a member of a
                // list.
                text.isEmpty && FilterName(name).column == "id" && !operation.takesList
                    ? [] : column.candidates(for: text)
            }
        guard values.isEmpty else { return values }
        if text.isEmpty {
            refuse(.missingValue(name))
        } else {
            refuse(.wrongType(name, value: text, operation == .isNull ? .boolean : column.type))
        }
        return nil
    }

    /// Reads the words to search for.
    mutating func readSearch() -> TextSearch? {
        guard let text = values[.search]?.first else { return nil }
        guard !schema.searchable.isEmpty else {
            refuse(.unsearchableList("q"))
            return nil
        }
        guard let search = TextSearch(text) else {
            refuse(.emptySearch("q"))
            return nil
        }
        guard search.terms.count <= TextSearch.maximumTerms else {
            refuse(.tooManyWords("q", maximum: TextSearch.maximumTerms))
            return nil
        }
        return search
    }

    /// Reads the limit of counting; the parameter wins over the client's preference.
    mutating func readCounting() -> ListQuery.Counting {
        guard let word = values[.count]?.first else { return preferredCounting ?? .capped }
        guard let counting = ListQuery.Counting(rawValue: word) else {
            let allowed = ListQuery.Counting.allCases.map(\.rawValue)
            refuse(.unknownOption("count", option: word, allowed: allowed))
            return .capped
        }
        return counting
    }

    /// Whether counting follows the preference of the client.
    var followsPreference: Bool { preferredCounting != nil && values[.count] == nil }

    /// Reads the columns whose values are to be counted.
    mutating func readFacets() -> [Int] {
        guard let value = values[.facets]?.first else { return [] }
        var facets: [Int] = []
        let parts = value.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= ListParameter.maximumFacets else {
            refuse(.tooManyColumns("facets", maximum: ListParameter.maximumFacets))
            return []
        }
        for part in parts {
            guard let column = column(named: String(part), in: "facets", isAllowed: \.isFacet)
            else { continue }
            guard schema.columns[column].isFacet else {
                let allowed = schema.columns.filter(\.isFacet).map(\.id)
                refuse(.unfacetableColumn(schema.columns[column].id, allowed: allowed))
                continue
            }
            if facets.contains(column) {
                refuse(.repeatedColumn("facets", column: String(part)))
            } else {
                facets.append(column)
            }
        }
        return facets
    }

    /// Reads the index letter to begin at.
    mutating func letter(_ query: ListQuery) -> ListQuery.Start {
        guard let text = values[.jump]?.first else { return .beginning }
        guard text.count == 1 else {
            refuse(.notALetter("jump", value: text))
            return .beginning
        }
        guard schema.letterKey(of: query) != nil else {
            refuse(.noLetters("jump"))
            return .beginning
        }
        return .letter(TextCollation.initial(of: text))
    }
}
