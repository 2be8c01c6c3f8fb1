extension Registration {
    /// Whether rows may offer actions.
    var offersActions: Bool { events.perform != nil }

    /// Whether rows can be moved.
    var offersMoves: Bool { events.adjustMove != nil }

    /// Performs an action of a model's row.
    ///
    /// - Throws: ``ActionError/failed(reason:)``.
    func perform(
        _ action: String,
        on context: Context<Model>
    ) throws(ActionError) -> ActionOutcome {
        guard let perform = events.perform else {
            throw .failed(reason: "nothing performs the actions of \(Model.self)")
        }
        do {
            return try perform(action, context)
        } catch {
            throw .failed(reason: "\(error)")
        }
    }
}
