import ListAPI
import Listings
import MemoryLists

extension ListDeclaration {
    /// They have templates.
    ///
    /// Empty for other sources than lists in memory.
    func controllers(of source: any ListSource) -> [RegistrationSummary] {
        (source as? any ControlledList)?.registrations ?? []
    }

    /// Compares the schema of a list in memory with the controllers of its models.
    ///
    /// A list without rows is not checked, because the models that it may get are unknown.
    ///
    /// Fails with the first column that differs.
    func check(_ source: any ListSource) throws(DeclarationError) {
        guard source.schema.declaresAbilities else {
            throw DeclarationError(
                "the schema of the source \(type(of: source)) declares no abilities, so that "
                    + "queries it ignores would have wrong results; add .limited(to: []) with those "
                    + "that it supports, or .all, and check it with ListSourceCheck"
            )
        }
        let models = controllers(of: source)
        guard !models.isEmpty else { return }
        let columns = source.schema.columns
        for model in models {
            for column in model.columns {
                guard let shown = columns.first(where: { $0.id == column.id }) else {
                    throw DeclarationError(
                        "the schema lacks the column '\(column.id)' that the controller of "
                            + "\(model.model) fills; add Column(\"\(column.id)\", "
                            + "type: .\(column.type))"
                    )
                }
                guard shown.holdsCells(of: column) else {
                    throw DeclarationError(
                        "the column '\(column.id)' is \(shown.type) in the schema, and the "
                            + "controller of \(model.model) fills it with \(column.type); give "
                            + "both the same type"
                    )
                }
            }
        }
        // Models without a controller get one later, which may fill any column.
        guard !models.contains(where: \.columns.isEmpty) else { return }
        let filled = Set(models.flatMap(\.columns).map(\.id))
        for column in columns where !filled.contains(column.id) {
            let hint = Suggestion.hint(for: column.id, among: filled.sorted())
            throw DeclarationError(
                "no registered controller fills the column '\(column.id)'"
                    + (hint.isEmpty
                        ? "; they fill \(filled.sorted().joined(separator: ", "))" : hint)
            )
        }
    }
}

extension Listings.Column {
    /// Whether the cells of a controller's column are values of this column.
    ///
    /// Texts, addresses and links are texts, and a column of numbers also holds whole ones.
    fileprivate func holdsCells(of column: Listings.Column) -> Bool {
        isMixed || type == column.type || (type.isText && column.type.isText)
            || (type == .real && column.type == .integer)
    }
}
