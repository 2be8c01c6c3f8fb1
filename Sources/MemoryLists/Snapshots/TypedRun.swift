import Listings

final class TypedRun<Source: ModelSource>: RunStorage {
    typealias Model = Source.Model
    typealias Finder = @Sendable (Model.ID) throws(SourceError) -> Int?

    let source: Source
    let registration: Registration<Model>
    private let finder: Finder?
    /// Nil if the source is not an array in memory.
    private let array: [Model]?
    /// The plain writer of the registration, which is stored because a copy costs more than a row.
    private let plainWriter: RecordRowWriter<Model>?

    init(_ source: Source, _ registration: Registration<Model>, finder: Finder?) {
        self.source = source
        self.registration = registration
        self.finder = finder
        plainWriter = registration.plainWriter
        count = source.count
        rowsPerModel = registration.rowsPerModel
        features = registration.features
        array =
            (source as? InMemory<Model>)?.models ?? (source as? IndexedInMemory<Model>)?.models
    }

    let count: Int
    let rowsPerModel: Int
    let features: RowFeatures
    var modelName: String { "\(Model.self)" }
    var summary: RegistrationSummary { RegistrationSummary(registration) }
    var kind: String { registration.kind }
    var columns: [Column] { registration.columns }
    var partNames: [String] { registration.parts.map(\.name) }
    var isIndexed: Bool { finder != nil }

    private func read(_ range: Range<Int>) throws(SourceError) -> [Model] {
        let models = try source.read(range)
        guard models.count == range.count else {
            let reason = "\(models.count) \(modelName) models came for \(range)"
            throw .corrupted(reason: reason)
        }
        return models
    }

    func ids(_ range: Range<Int>) throws(SourceError) -> [String] {
        try read(range).map(\.id.description)
    }

    func position(of id: String, in range: Range<Int>) throws(SourceError) -> Int? {
        // Each id has one spelling. A text that parses as an id but is spelled differently is none.
        guard let key = Model.ID(id), key.description == id else { return nil }
        if let finder {
            guard let position = try finder(key), range.contains(position) else { return nil }
            return position
        }
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + Piece.maximumMerged, range.upperBound)
            if let found = try read(start..<end).firstIndex(where: { $0.id == key }) {
                return start + found
            }
            start = end
        }
        return nil
    }

    func position(ofRow id: String) throws(SourceError) -> Int? {
        guard let (model, _) = registration.model(ofRow: id) else { return nil }
        return try position(of: model, in: 0..<count)
    }

    func models<Wanted>(
        _ range: Range<Int>,
        as type: Wanted.Type
    ) throws(SourceError) -> [Wanted]? {
        guard Wanted.self == Model.self else { return nil }
        return try read(range) as? [Wanted]
    }

    func append(_ range: Range<Int>, to page: inout Page) throws(SourceError) {
        if array != nil { return try append(at: Array(range).span, to: &page) }
        let models = try read(range)
        append(Array(models.indices).span, of: models, to: &page)
    }

    func append(at positions: borrowing Span<Int>, to page: inout Page) throws(SourceError) {
        if let array {
            append(positions, of: array, to: &page)
        } else {
            for index in positions.indices {
                try append(positions[index]..<positions[index] + 1, to: &page)
            }
        }
    }

    private func append(
        _ positions: borrowing Span<Int>,
        of models: [Model],
        to page: inout Page
    ) {
        if let plainWriter, page.takesPlainRows {
            plainWriter.writeElements(models, positions, &page)
        } else {
            for index in positions.indices {
                page.appendParts(of: models, at: positions[index], using: registration)
            }
        }
    }

    func append(
        rowWithID id: String,
        of position: Int,
        to page: inout Page
    ) throws(SourceError) -> Bool {
        guard let (_, part) = registration.model(ofRow: id),
            let model = try read(position..<position + 1).first
        else { return false }
        page.append(part: part, of: model, using: registration)
        return true
    }

    func writeCells(
        _ range: Range<Int>,
        in section: SectionInfo,
        scratch: inout CellBuffer,
        _ body: (String, Bool, borrowing CellBuffer) -> Void
    ) throws(SourceError) {
        let models = try read(range)
        let location = SectionLocation(section)
        for position in models.indices {
            scratch.removeAll()
            let context = Context(models, at: position, in: location)
            // The page reports the error of a model whose controller fails.
            let isWritten = (try? registration.write(context, &scratch)) != nil
            body(models[position].id.description, isWritten, scratch)
        }
    }

    func hashRows(
        _ range: Range<Int>,
        in section: SectionInfo,
        seed: UInt64,
        scratch: inout CellBuffer,
        _ body: (String, UInt64) -> Void
    ) throws(SourceError) {
        let models = try read(range)
        let location = SectionLocation(section)
        for position in models.indices {
            for part in 0..<registration.rowsPerModel {
                scratch.removeAll()
                var hash = ContentHash(seed: seed)
                hash.add(registration.kinds[part])
                let context = Context(models, at: position, in: location, part: part)
                // A row that cannot be shown has the same hash until its model changes.
                let isWritten = (try? registration.write(context, &scratch)) != nil
                hash.add(isWritten ? 1 : 0)
                hash.add(0..<scratch.count, of: scratch)
                body(registration.rowID(of: models[position], part: part), hash.value)
            }
        }
    }

    func merged(
        _ range: Range<Int>,
        with other: any RunStorage,
        _ otherRange: Range<Int>
    ) throws(SourceError) -> (any RunStorage)? {
        guard let other = other as? any RegisteredRun, other.token === registration.token,
            let models = try other.models(otherRange, as: Model.self)
        else { return nil }
        return TypedRun<InMemory<Model>>(
            InMemory(try read(range) + models),
            registration,
            finder: nil
        )
    }

    func selected(_ positions: [Int]) throws(SourceError) -> any RunStorage {
        let models = try read(0..<count)
        return TypedRun<InMemory<Model>>(
            InMemory(positions.map { models[$0] }),
            registration,
            finder: nil
        )
    }

    func rebound<Other>(to registration: Registration<Other>) -> (any RunStorage)? {
        guard let registration = registration as? Registration<Model> else { return nil }
        return TypedRun(source, registration, finder: finder)
    }
}

/// A storage that exposes the identity of its registration.
private protocol RegisteredRun: RunStorage {
    var token: RegistrationToken { get }
}

extension TypedRun: RegisteredRun {
    var token: RegistrationToken { registration.token }
}

extension TypedRun {
    func perform(
        _ action: String,
        rowWithID id: String,
        of position: Int,
        _ section: SectionInfo,
        for request: ActionRequest
    ) throws(ActionError) -> ActionOutcome {
        guard let perform = registration.events.perform else {
            throw .failed(reason: "nothing performs the actions of \(Model.self)")
        }
        let context = try context(id, position, section, request)
        do {
            return try perform(action, context)
        } catch let error as ActionError {
            throw error
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
        _ section: SectionInfo,
        _ request: ActionRequest? = nil
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
        return Context(model: model, section: section, part: part, request: request)
    }
}
