import Listings
import Rendering

/// The rows of a bulk write: those that can be asked for, and what is wrong with the others.
struct BulkRows {
    /// The changes that can be asked for, in order.
    private(set) var changes: [RowChange] = []
    /// How each change is written.
    private(set) var notations: [RowContent.Notation] = []
    /// For each row its place among the changes, or what is wrong with it.
    private(set) var rows: [Row] = []

    /// One row.
    enum Row {
        case change(Int)
        case faulty([Problem.Fault])
    }

    /// Reads rows: all of them where each is told what is wrong with it, else as far as faults are
    /// told.
    init(
        _ elements: [JSONValue],
        _ rules: RowRules,
        _ verb: RowChange.Verb,
        isLenient: Bool
    ) {
        var faultCount = 0
        for (index, element) in elements.enumerated() {
            guard isLenient || faultCount < ListParameters.maximumErrors else { return }
            let row: RowContent
            do throws(ContentFault) {
                row = try RowContent(element, at: "/\(index)", rules)
            } catch {
                rows.append(.faulty([error.fault]))
                faultCount += 1
                continue
            }
            // A row without an id cannot be there already.
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

    /// Everything that is wrong.
    var allFaults: [Problem.Fault] {
        rows.flatMap { row -> [Problem.Fault] in
            guard case .faulty(let faults) = row else { return [] }
            return faults
        }
    }
}

extension ListParameters {
    /// What can be done with a row whose id is there already.
    static let duplicateVerbs: [(name: String, verb: RowChange.Verb)] = [
        ("error", .insert), ("keep-first", .insertIfAbsent), ("replace", .replace),
        ("merge", .mergeOrInsert),
    ]

    /// What is to be done with a row whose id is there already; nil when there are `errors`.
    mutating func duplicateVerb() -> RowChange.Verb? {
        let verbs = Self.duplicateVerbs
        guard errors.isEmpty else { return nil }
        guard let value = values["on_duplicate"]?.first else { return .insert }
        if let found = verbs.first(where: { $0.name == value }) { return found.verb }
        refuse(.unknownOption("on_duplicate", option: value, allowed: verbs.map(\.name)))
        return nil
    }
}
