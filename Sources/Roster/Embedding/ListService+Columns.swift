import Listings
import MemoryLists

extension ListService {
    /// Compares the schema of a list in memory with the controllers of its models.
    ///
    /// A list without rows is not checked, because the models that it may get are unknown.
    ///
    /// - Throws: ``ListServiceError`` about the first column that differs.
    func checkColumns(
        of list: String,
        _ source: any ListSource
    ) throws(ListServiceError) {
        guard let models = (source as? any ControlledList)?.modelColumns, !models.isEmpty else {
            return
        }
        let schema = source.schema
        for model in models {
            for column in model.columns {
                guard let shown = schema.columns.first(where: { $0.id == column.id }) else {
                    throw .missingColumn(column, list: list, model: model.model)
                }
                guard shown.holdsCells(of: column) else {
                    throw .differingColumn(
                        column,
                        list: list,
                        model: model.model,
                        type: shown.type
                    )
                }
            }
        }
        // Models without a controller get one later, which may fill any column.
        guard !models.contains(where: \.columns.isEmpty) else { return }
        let registered = models.flatMap(\.columns) + controllers.summaries.flatMap(\.columns)
        let filled = Set(registered.map(\.id))
        for column in schema.columns where !filled.contains(column.id) {
            throw .unfilledColumn(column.id, list: list, filled: filled.sorted())
        }
    }
}

extension Column {
    /// Whether the cells of a controller's column are values of this column.
    ///
    /// Texts, addresses and links are texts, and a column of numbers also holds whole ones.
    fileprivate func holdsCells(of column: Column) -> Bool {
        isMixed || type == column.type || (type.isText && column.type.isText)
            || (type == .real && column.type == .integer)
    }
}
