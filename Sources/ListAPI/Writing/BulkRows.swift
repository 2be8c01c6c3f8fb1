import JSON
import Listings
import Rendering

/// The rows of a bulk write: the changes of valid rows, and the faults of the others.
struct BulkRows {
    /// The changes of valid rows, in order.
    private(set) var changes: [RowChange] = []
    /// The notation of each change.
    private(set) var notations: [RowDecoder.Notation] = []
    /// The position among the changes, or the faults, for each row.
    private(set) var rows: [Row] = []

    /// One row.
    enum Row {
        case change(Int)
        case faulty([Problem.Fault])
    }

    /// Reads rows: all of them if lenient, else until the maximum number of faults.
    init(
        _ elements: [JSONValue],
        _ rules: RowRules,
        _ verb: RowChange.Verb,
        isLenient: Bool
    ) {
        var faultCount = 0
        for (index, element) in elements.enumerated() {
            guard isLenient || faultCount < ListParameters.maximumErrors else { return }
            let row: RowDecoder
            do throws(ContentValidationError) {
                row = try RowDecoder(element, at: "/\(index)", rules)
            } catch {
                rows.append(.faulty([error.fault]))
                faultCount += 1
                continue
            }
            // A row without an id cannot exist yet.
            let change = RowChange(row.id == nil ? .insert : verb, id: row.id, values: row.values)
            let faults = row.faults(of: change)
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

    /// The faults of all rows.
    var allFaults: [Problem.Fault] {
        rows.flatMap { row -> [Problem.Fault] in
            guard case .faulty(let faults) = row else { return [] }
            return faults
        }
    }
}

extension ListParameters {
    /// The options for a row whose id exists already.
    static let duplicateVerbs: [(name: String, verb: RowChange.Verb)] = [
        ("error", .insert), ("keep-first", .insertIfAbsent), ("replace", .replace),
        ("merge", .mergeOrInsert),
    ]

    /// Reads the option for a row whose id exists already; nil when there are `errors`.
    mutating func duplicateVerb() -> RowChange.Verb? {
        let verbs = Self.duplicateVerbs
        guard errors.isEmpty else { return nil }
        guard let value = values[.onDuplicate]?.first else { return .insert }
        if let found = verbs.first(where: { $0.name == value }) { return found.verb }
        refuse(.unknownOption("on_duplicate", option: value, allowed: verbs.map(\.name)))
        return nil
    }
}
