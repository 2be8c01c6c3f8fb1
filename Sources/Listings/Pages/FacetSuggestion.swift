/// A facet with few values, which is worth counting.
package struct FacetSuggestion: Hashable, Sendable {
    /// The name of the facet: a column, or a path such as `created:year` and `tags[]`.
    package let facet: String
    package let label: String
    package let values: Count

    /// Rows whose values are compared.
    package static let sampleSize = 1_000

    /// A column is suggested if it has 2...50 values, and each occurs twice on average.
    ///
    /// Times are suggested by year, or by month within a year, and arrays of JSON by their
    /// elements.
    ///
    /// Suggestions are in the order of the columns. `canDerive` says whether a facet of derived
    /// values can be counted.
    package static func suggestions(
        from page: borrowing Page,
        _ canDerive: (DerivedColumn) -> Bool
    ) -> [FacetSuggestion] {
        var found: [FacetSuggestion] = []
        let relation: Count.Relation = page.next == nil ? .exact : .atLeast
        for position in page.schema.ownColumns {
            let column = page.schema.columns[position]
            var values: [CellValue] = []
            for row in 0..<page.rowCount {
                let value = page.value(row: row, column: position)
                if !value.isNull { values.append(value) }
            }
            func suggest(_ path: String) -> Bool {
                guard let derived = DerivedColumn(path, of: page.schema, []) else { return false }
                var sample = FacetSample(derived.step)
                for value in values { sample.add(value, derived.step) }
                guard sample.isUseful, canDerive(derived) else { return false }
                let count = Count(sample.values.count, relation)
                found.append(Self(facet: path, label: derived.column.label, values: count))
                return true
            }
            if column.type.isTime {
                _ = suggest(column.id + ":year") || suggest(column.id + ":month")
                continue
            }
            if column.mayHoldJSON, !values.isEmpty, values.allSatisfy(\.isArray),
                suggest(column.id + "[]")
            {
                continue
            }
            var sample = FacetSample(nil)
            for value in values where column.isFacet { sample.add(value, nil) }
            guard sample.isUseful else { continue }
            let count = Count(sample.values.count, relation)
            found.append(Self(facet: column.id, label: column.label, values: count))
        }
        return found
    }
}

private struct FacetSample {
    /// One more than ``Facet/maximumValues`` at most.
    private(set) var values: Set<CellValue> = []
    private var total = 0
    private let share: Int

    init(_ step: DerivedColumn.Step?) {
        if case .elements = step { share = 1 } else { share = 2 }
    }

    /// A step derives the values from the given one.
    mutating func add(_ value: CellValue, _ step: DerivedColumn.Step?) {
        guard values.count <= Facet.maximumValues else { return }
        switch step {
        case .period(let period):
            insert(.text(String(value.canonicalText.prefix(period.length))))
        case .elements(let path):
            for element in CellValue.elements(path, of: value.plainText) { insert(element) }
        case nil, .related, .member: insert(value)
        }
    }

    private mutating func insert(_ value: CellValue) {
        values.insert(value)
        total += 1
    }

    var isUseful: Bool {
        (2...Facet.maximumValues).contains(values.count) && total > values.count
            && total >= share * values.count
    }
}

extension CellValue {
    fileprivate var isArray: Bool {
        switch self {
        case .json(let text), .text(let text): text.utf8.first == UInt8(ascii: "[")
        default: false
        }
    }
}
