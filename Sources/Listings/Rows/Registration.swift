/// The proof that a model type has a row controller, with the functions of that controller.
public struct Registration<Model>: Sendable
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    let controller: String
    /// The kind of row; the kind of the first row if a model has several.
    public let kind: String
    /// The columns of the controller.
    public let columns: [Column]
    /// The rows that each model yields.
    ///
    /// Empty if each model yields one row with the model's id.
    public let parts: [RowPart]
    /// The events of the rows.
    public let events: RowEvents<Model>
    /// The effect of a row that cannot be shown on its page.
    public let policy: RowFailurePolicy

    package let write: @Sendable (Context<Model>, inout CellBuffer) throws -> Void
    let revision: @Sendable (Model) -> Int64?
    /// Identifies this registration, also among several of the same controller.
    package let token = RegistrationToken()
    let shapesRows: Bool
    /// Writes whole rows that consist of their cells only.
    ///
    /// It is nil if rows have more, or if the types were not known.
    @usableFromInline package private(set) var plainWriter: RecordRowWriter<Model>?

    package init<C: RowController>(
        _ controller: C,
        on events: RowEvents<Model> = RowEvents(),
        policy: RowFailurePolicy = .showInPlace
    ) where C.Model == Model {
        self.controller = "\(C.self)"
        kind = controller.kind
        columns = controller.columns
        parts = []
        self.events = events
        self.policy = policy
        write = { context, cells in try controller.write(context, to: &cells) }
        revision = { controller.revision(of: $0) }
        shapesRows = events.shapesRows
    }

    /// `parts` is not empty.
    init<C: ExpandingController>(
        expanding controller: C,
        into parts: [RowPart],
        on events: RowEvents<Model>,
        policy: RowFailurePolicy
    ) where C.Model == Model {
        self.controller = "\(C.self)"
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
    func writing(_ plainWriter: RecordRowWriter<Model>) -> Self {
        var registration = self
        let isPlain = parts.isEmpty && !shapesRows && events.prefetch == nil
        registration.plainWriter = isPlain ? plainWriter : nil
        return registration
    }

    /// The number of rows that each model yields.
    public var rowsPerModel: Int { max(1, parts.count) }

    /// The kinds of the rows of a model, in their order.
    public var kinds: [String] { parts.isEmpty ? [kind] : parts.map(\.kind) }

    /// Returns the number of models that fit into a number of rows.
    ///
    /// All rows of a model are on one page, so at least one model fits unless the limit is 0.
    public func modelCount(forRows limit: Int) -> Int {
        limit == 0 ? 0 : max(1, limit / rowsPerModel)
    }

    package func start(_ start: ListQuery.Start, limit: Int) -> ListQuery.Start {
        guard case .offset(let offset) = start, rowsPerModel > 1, limit > 0 else { return start }
        let (pages, rest) = offset.quotientAndRemainder(dividingBy: limit)
        return .offset(pages * modelCount(forRows: limit) + rest / rowsPerModel)
    }

    package func rowID(of model: Model, part: Int) -> String {
        let id = model.id.description
        return parts.isEmpty ? id : id + "#" + parts[part].name
    }

    /// Parses the id of a row.
    ///
    /// - Returns: The id of its model and the index of its part; nil if no row can have the id.
    /// - Complexity: O(length of the id + parts).
    public func model(ofRow id: String) -> (id: String, part: Int)? {
        guard !parts.isEmpty else { return (id, 0) }
        guard let mark = id.lastIndex(of: "#"),
            let part = parts.firstIndex(where: { $0.name == id[id.index(after: mark)...] })
        else { return nil }
        return (String(id[..<mark]), part)
    }
}

package final class RegistrationToken: Sendable {}

extension Registration {
    /// Each row of such a model is an error.
    package init(unregistered: Model.Type) {
        self.init(UnregisteredController<Model>())
    }
}

private struct UnregisteredController<Model>: RowController
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    let kind = "unregistered"
    let columns: [Column] = []

    func write(_ context: Context<Model>, to cells: inout CellBuffer) throws {
        throw ListingError.unregisteredModel("\(Model.self)")
    }

    func revision(of model: Model) -> Int64? { nil }
}
