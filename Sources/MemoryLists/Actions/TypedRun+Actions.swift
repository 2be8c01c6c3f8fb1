import Listings

extension TypedRun {
    func perform(
        _ action: String,
        rowWithID id: String,
        of position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> ActionOutcome {
        guard let perform = registration.events.perform else {
            throw .failed(reason: "nothing performs the actions of \(Model.self)")
        }
        let context = try context(id, position, section)
        do {
            return try perform(action, context)
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    func adjustMove(
        to target: IndexPath,
        rowWithID id: String,
        of position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> IndexPath? {
        guard let adjust = registration.events.adjustMove else { return nil }
        return adjust(try context(id, position, section), target)
    }

    func children(
        ofRow id: String,
        of position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> Run? {
        guard let children = registration.events.children else { return nil }
        let context = try context(id, position, section)
        guard registration.events.canExpand?(context) ?? true else { return nil }
        do {
            return try children(context)
        } catch {
            throw .failed(reason: "\(error)")
        }
    }

    private func context(
        _ id: String,
        _ position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> Context<Model> {
        let models: [Model]
        do {
            models = try source.read(position..<position + 1)
        } catch {
            throw .source(error)
        }
        guard let model = models.first, let (_, part) = registration.model(ofRow: id) else {
            throw .unknownRow(id)
        }
        return Context(model: model, section: section, part: part)
    }
}
