/// An object whose identity distinguishes registrations.
package final class RegistrationToken: Sendable {}

extension Registration {
    /// Creates a placeholder for models without a registered controller.
    ///
    /// Each of their rows is an error.
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
