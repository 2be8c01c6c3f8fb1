import Database
import JSON
import Listings
import Rendering

struct BulkRows {
    private(set) var changes: [RowChange] = []
    private(set) var notations: [RowDecoder.Notation] = []
    /// The position among the changes, or the faults, for each row.
    private(set) var rows: [Row] = []

    enum Row {
        case change(Int)
        case faulty([Problem.Fault])
    }

    /// Reads rows: all of them if lenient, else until the maximum number of faults.
    init(
        _ elements: [JSONValue],
        _ rules: RowRules,
        _ verb: RowChange.Verb,
        matching columns: [Int] = [],
        isLenient: Bool
    ) {
        var faultCount = 0
        for (index, element) in elements.enumerated() {
            guard isLenient || faultCount < ListParameters.maximumErrors else { return }
            let row: RowDecoder
            do throws(Problem.Fault) {
                row = try RowDecoder(element, at: "/\(index)", rules)
            } catch {
                rows.append(.faulty([error]))
                faultCount += 1
                continue
            }
            let change = row.change(verb, matching: columns)
            var faults = row.faults(of: change)
            if faults.isEmpty {
                faults = change.matchedColumns.filter { (change.values[$0] ?? .null).isNull }
                    .map { FieldValidationError(column: $0, .missing).fault(rules, row.notation) }
            }
            if faults.isEmpty {
                rows.append(.change(changes.count))
                changes.append(change)
                notations.append(row.notation)
            } else {
                rows.append(.faulty(faults))
                faultCount += faults.count
            }
        }
    }

    var allFaults: [Problem.Fault] {
        rows.flatMap { row -> [Problem.Fault] in
            guard case .faulty(let faults) = row else { return [] }
            return faults
        }
    }
}

extension ListParameters {
    static let duplicateVerbs: [(name: String, verb: RowChange.Verb)] = [
        ("error", .insert), ("keep-first", .insertIfAbsent), ("replace", .replace),
        ("merge", .mergeOrInsert),
    ]

    mutating func matchedColumns(for verb: RowChange.Verb, _ writer: any ListWriter) -> [Int] {
        guard has(.on) else { return [] }
        guard writer.abilities.stream != nil else {
            refuse(.unknownParameter("on", known: accepted.known))
            return []
        }
        guard verb != .insert else {
            refuse(.missingParameter("on_duplicate"))
            return []
        }
        return columns(in: .on, maximum: ListParameter.maximumSortKeys) {
            $0.isFilterable && $0.type != .json
        }
    }

    mutating func duplicateVerb() -> RowChange.Verb? {
        let verbs = Self.duplicateVerbs
        guard errors.isEmpty else { return nil }
        guard let value = values[.onDuplicate]?.first else { return .insert }
        if let found = verbs.first(where: { $0.name == value }) { return found.verb }
        return refused(.unknownOption("on_duplicate", option: value, allowed: verbs.map(\.name)))
    }
}
