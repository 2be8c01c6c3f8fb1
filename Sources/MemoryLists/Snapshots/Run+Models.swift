public import Listings

extension Run {
    /// Creates a run of a source's models.
    ///
    /// - Complexity: O(1): no model is read.
    ///
    /// - Parameters:
    ///   - source: The source of the models, whose ids must be unique.
    ///   - registration: The registration of the model type.
    public init<Source: ModelSource>(
        _ source: Source,
        using registration: Registration<Source.Model>
    ) {
        precondition(source.count >= 0, "a source counts \(source.count) models")
        self.init(TypedRun(source, registration, finder: nil))
    }

    /// Creates a run of a source's models, which are found by their ids.
    ///
    /// - Complexity: O(1): no model is read.
    ///
    /// - Parameters:
    ///   - source: The source of the models, whose ids must be unique.
    ///   - registration: The registration of the model type.
    public init<Source: IndexedModelSource>(
        _ source: Source,
        using registration: Registration<Source.Model>
    ) {
        precondition(source.count >= 0, "a source counts \(source.count) models")
        let find = { @Sendable (id: Source.Model.ID) throws(SourceError) in
            try source.position(of: id)
        }
        self.init(TypedRun(source, registration, finder: find))
    }

    /// Creates a run of the models of an array.
    ///
    /// - Complexity: O(1).
    ///
    /// - Parameters:
    ///   - models: The models, whose ids must be unique.
    ///   - registration: The registration of the model type.
    public init<Model>(_ models: [Model], using registration: Registration<Model>) {
        self.init(TypedRun(InMemory(models), registration, finder: nil))
    }

    /// Creates a run of ready-made rows.
    ///
    /// - Complexity: O(1).
    ///
    /// - Parameters:
    ///   - rows: The rows, whose ids must be unique.
    ///   - kind: The kind of the rows.
    ///   - columns: The columns of their cells, in their order.
    public init(rows: [StaticRow], kind: String, columns: [Column]) {
        self.init(rows, using: Registration(ReadyRowController(kind: kind, columns: columns)))
    }

    /// Creates a run of models without a controller.
    ///
    /// Each row shows an error.
    ///
    /// - Complexity: O(1).
    ///
    /// ``DataSourceController/register(dataController:for:)`` gives them a controller.
    public static func unregistered<Model>(_ models: [Model]) -> Run
    where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        Run(models, using: Registration(unregistered: Model.self))
    }
}

/// A row that is its own model, with finished cells.
public struct StaticRow: Identifiable, Hashable, Sendable {
    /// The id of the row in URLs.
    public let id: String
    /// The cells, one for each column of the rows of its run.
    public var cells: [CellValue]

    /// Creates a row.
    public init(id: String, cells: [CellValue]) {
        self.id = id
        self.cells = cells
    }
}

struct ReadyRowController: RowController {
    let kind: String
    let columns: [Column]

    func write(_ context: Context<StaticRow>, to cells: inout CellBuffer) {
        for cell in context.model.cells { cells.append(cell) }
    }

    func revision(of model: StaticRow) -> Int64? { nil }
}
