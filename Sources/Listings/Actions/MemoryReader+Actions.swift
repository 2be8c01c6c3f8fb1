/// Rows of models that do not change offer actions, but stay where they are.
extension MemoryReader: ActingReader {
    var offersActions: Bool { source.registration.offersActions }

    var offersMoves: Bool { false }

    func perform(_ action: String, row id: String) throws(ActionError) -> ActionOutcome {
        guard let (modelID, part) = source.registration.model(ofRow: id),
            let index = source.indexOfID[modelID]
        else { throw .unknownRow(id) }
        let context = Context(
            model: source.models[index],
            section: section(of: index, grouping: source.schema.defaultGrouping),
            part: part
        )
        let outcome = try source.registration.perform(action, on: context)
        if case .removed = outcome { throw .unchangeable }
        return outcome
    }

    func move(row id: String, to target: MoveTarget) throws(ActionError) {
        throw .unchangeable
    }
}
