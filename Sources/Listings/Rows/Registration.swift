/// The proof that models of a type have a row controller, and what the controller does with them.
public struct Registration<Model>: Sendable
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// Names the kind of row.
    public let kind: String
    /// The columns of the controller.
    public let columns: [Column]

    /// Writes the cells of one model; made where the controller's type is known.
    let write: @Sendable (Context<Model>, inout CellBuffer) throws -> Void
    let revision: @Sendable (Model) -> Int64?
    /// Tells this registration from every other, also from one of the same controller.
    let token = RegistrationToken()

    /// Captures a controller.
    init<C: RowController>(_ controller: C) where C.Model == Model {
        kind = controller.kind
        columns = controller.columns
        write = { context, cells in try controller.write(context, to: &cells) }
        revision = { controller.revision(of: $0) }
    }
}
