/// Tells registrations apart.
final class RegistrationToken: Sendable {}

extension Registration {
    /// Stands in where models are shown whose controller is not registered yet: every row of theirs
    /// is an error.
    init(unregistered: Model.Type) {
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
