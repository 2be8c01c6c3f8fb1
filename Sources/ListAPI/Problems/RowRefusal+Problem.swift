import Listings
import Rendering

/// The texts of all refusals of rows by a list.
extension RowRefusal {
    /// Returns the problem of a refused row.
    ///
    /// - Parameters:
    ///   - rules: The rules of the list's rows.
    ///   - notation: The notation of the row.
    ///   - list: The name of the list.
    /// - Returns: The kind of the problem, and its faults.
    func told(
        _ rules: RowRules,
        _ notation: RowDecoder.Notation,
        list: String
    ) -> (kind: ProblemKind, faults: [Problem.Fault]) {
        func fault(_ code: String, _ detail: String) -> [Problem.Fault] {
            [Problem.Fault(notation.place(of: ListSchema.idName), code: code, detail: detail)]
        }
        switch self {
        case .invalid(let faults):
            return (.invalidRow, faults.map { $0.fault(rules, notation) })
        case .unknownRow(let id):
            return (.notFound, fault("unknown-row", "No row '\(id)' in \(list)."))
        case .existingRow(let id):
            return (.conflict, fault("existing-row", "There is a row '\(id)' already."))
        case .takenValues(let columns, let constraint):
            let violation = Self.violation(of: constraint)
            let faults = columns.map { column in
                Problem.Fault(
                    notation.place(of: rules.columns[column].id),
                    code: "taken-value",
                    detail: "Another row has this value, which may be there once.\(violation)"
                )
            }
            let unnamed = "Another row has values that may be there once.\(violation)"
            return (.conflict, faults.isEmpty ? fault("taken-value", unnamed) : faults)
        case .againstPolicy:
            let detail = "A row-level security policy of the database does not allow this row."
            return (.forbidden, fault("against-policy", detail))
        case .referredTo(let id, let constraint):
            let detail = "Other rows refer to row '\(id)'.\(Self.violation(of: constraint))"
            return (.conflict, fault("referred-to", detail))
        case .failedCondition(let id):
            return (.preconditionFailed, fault("failed-condition", "Row '\(id)' has changed."))
        }
    }

    /// Returns the sentence that names a violated constraint, after a space; empty without a name.
    static func violation(of constraint: String) -> String {
        constraint.isEmpty ? "" : " This violates '\(constraint)'."
    }
}
