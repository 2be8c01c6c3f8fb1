/// The proof that models of a type have a row controller, and what the controller does with them.
public struct Registration<Model>: Sendable
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// Names the kind of row; of the first of them where a model has several.
    public let kind: String
    /// The columns of the controller.
    public let columns: [Column]
    /// The rows that each model yields; empty where it is one that has the model's id.
    public let parts: [RowPart]
    /// What is done with the rows besides showing their cells.
    public let events: RowEvents<Model>
    /// What becomes of a page with a row that cannot be shown.
    public let policy: RowFailurePolicy

    /// Writes the cells of one row of a model; made where the controller's type is known.
    let write: @Sendable (Context<Model>, inout CellBuffer) throws -> Void
    let revision: @Sendable (Model) -> Int64?
    /// Tells this registration from every other, also from one of the same controller.
    let token = RegistrationToken()
    /// Whether rows take anything but their cells from events.
    let shapesRows: Bool
    /// Writes whole rows where they are their cells and nothing else; nil where they are more, or
    /// where the types were not known.
    @usableFromInline package private(set) var plainWriter: PlainWriter<Model>?

    /// Captures a controller.
    init<C: RowController>(
        _ controller: C,
        on events: RowEvents<Model> = RowEvents(),
        policy: RowFailurePolicy = .showInPlace
    ) where C.Model == Model {
        kind = controller.kind
        columns = controller.columns
        parts = []
        self.events = events
        self.policy = policy
        write = { context, cells in try controller.write(context, to: &cells) }
        revision = { controller.revision(of: $0) }
        shapesRows = events.shapesRows
    }

    /// Captures a controller of several rows for each model; there is at least one part.
    init<C: ExpandingController>(
        expanding controller: C,
        into parts: [RowPart],
        on events: RowEvents<Model>,
        policy: RowFailurePolicy
    ) where C.Model == Model {
        kind = parts[0].kind
        columns = controller.columns
        self.parts = parts
        self.events = events
        self.policy = policy
        write = { context, cells in
            try controller.write(part: context.part, of: context, to: &cells)
        }
        revision = { controller.revision(of: $0) }
        shapesRows = events.shapesRows
    }
}

extension Registration {
    /// The registration with what writes its rows where they are plain.
    func writing(_ plainWriter: PlainWriter<Model>) -> Self {
        var registration = self
        let isPlain = parts.isEmpty && !shapesRows && events.prefetch == nil
        registration.plainWriter = isPlain ? plainWriter : nil
        return registration
    }

    /// The rows that each model yields, the same for all models.
    ///
    /// - Complexity: O(1).
    public var rowsPerModel: Int { max(1, parts.count) }

    /// The kinds of the rows of a model, in their order.
    public var kinds: [String] { parts.isEmpty ? [kind] : parts.map(\.kind) }

    /// The models that so many rows have room for: all rows of a model stand on one page, so it is
    /// one model where there is room for less, and none for 0.
    public func modelCount(forRows limit: Int) -> Int {
        limit == 0 ? 0 : max(1, limit / rowsPerModel)
    }

    /// Where a page of models begins: a page number, which counts rows, counts models instead.
    package func start(_ start: ListQuery.Start, limit: Int) -> ListQuery.Start {
        guard case .offset(let offset) = start, rowsPerModel > 1, limit > 0 else { return start }
        let (pages, rest) = offset.quotientAndRemainder(dividingBy: limit)
        return .offset(pages * modelCount(forRows: limit) + rest / rowsPerModel)
    }

    /// The id of one of the rows of a model.
    func rowID(of model: Model, part: Int) -> String {
        let id = model.id.description
        return parts.isEmpty ? id : id + "#" + parts[part].name
    }

    /// Reads the id of a row.
    ///
    /// - Returns: The id of its model and the row's part; nil when no row can have that id.
    /// - Complexity: O(length of the id + parts).
    public func model(ofRow id: String) -> (id: String, part: Int)? {
        guard !parts.isEmpty else { return (id, 0) }
        guard let mark = id.lastIndex(of: "#"),
            let part = parts.firstIndex(where: { $0.name == id[id.index(after: mark)...] })
        else { return nil }
        return (String(id[..<mark]), part)
    }
}
