/// The models of a run, whose type only the storage itself knows.
protocol RunStorage: AnyObject, Sendable {
    /// The number of models.
    var count: Int { get }
    /// The type of the models, for people.
    var modelName: String { get }
    /// The kind of the rows.
    var kind: String { get }
    /// The columns of the rows.
    var columns: [Column] { get }
    /// The rows that each model yields.
    var rowsPerModel: Int { get }
    /// The names of the rows that each model yields; empty where it is one that has the model's id.
    var partNames: [String] { get }
    /// What the rows may offer.
    var features: RowFeatures { get }
    /// Whether ``position(of:in:)`` finds a model without reading the others.
    var isIndexed: Bool { get }

    /// The ids of models, as they stand in addresses.
    func ids(_ range: Range<Int>) throws(SourceError) -> [String]

    /// The position of the model in a range that has an id; nil when there is none.
    func position(of id: String, in range: Range<Int>) throws(SourceError) -> Int?

    /// The position of the model that yields the row with an id; nil when there is none.
    func position(ofRow id: String) throws(SourceError) -> Int?

    /// The models below a row of a model; nil when there can be none.
    func children(
        ofRow id: String,
        of position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> Run?

    /// Models of a type; nil when the models are of another one.
    func models<Wanted>(
        _ range: Range<Int>,
        as type: Wanted.Type
    ) throws(SourceError) -> [Wanted]?

    /// Appends rows to the section that a page began last.
    func append(_ range: Range<Int>, to page: inout Page) throws(SourceError)

    /// Appends the rows of models at positions, in their order.
    func append(at positions: borrowing Span<Int>, to page: inout Page) throws(SourceError)

    /// Appends one row of a model, named by the row's id, to the section that a page began last.
    ///
    /// - Returns: Whether the model has such a row.
    func append(
        rowWithID id: String,
        of position: Int,
        to page: inout Page
    ) throws(SourceError) -> Bool

    /// Performs an action of a row of a model.
    func perform(
        _ action: String,
        rowWithID id: String,
        of position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> ActionOutcome

    /// Asks where a row that is to be moved may stand; nil refuses.
    func adjustMove(
        to target: IndexPath,
        rowWithID id: String,
        of position: Int,
        _ section: SectionInfo
    ) throws(ActionError) -> IndexPath?

    /// Writes the cells of models one after the other, and lends each model's to a closure: its id,
    /// and whether its controller succeeded.
    func writeCells(
        _ range: Range<Int>,
        in section: SectionInfo,
        scratch: inout CellBuffer,
        _ body: (String, Bool, borrowing CellBuffer) -> Void
    ) throws(SourceError)

    /// Hashes what the rows of models show, and gives each row's id and hash to a closure.
    func hashRows(
        _ range: Range<Int>,
        in section: SectionInfo,
        seed: UInt64,
        scratch: inout CellBuffer,
        _ body: (String, UInt64) -> Void
    ) throws(SourceError)

    /// A storage of this one's models in a range and then those of another one; nil when their rows
    /// are made in different ways.
    func merged(
        _ range: Range<Int>,
        with other: any RunStorage,
        _ otherRange: Range<Int>
    ) throws(SourceError) -> (any RunStorage)?

    /// Some of the models, copied.
    func selected(_ positions: [Int]) throws(SourceError) -> any RunStorage

    /// The same models shown by another controller; nil when they are of another type.
    func rebound<Model>(to registration: Registration<Model>) -> (any RunStorage)?
}

/// The storage of a source's models.
final class TypedRun<Source: ModelSource>: RunStorage {
    typealias Model = Source.Model
    typealias Finder = @Sendable (Model.ID) throws(SourceError) -> Int?

    let source: Source
    let registration: Registration<Model>
    private let finder: Finder?
    /// The models of a source that has them in an array; nil for every other.
    private let array: [Model]?
    /// The registration's, of which a copy costs more than a row.
    private let plainWriter: PlainWriter<Model>?

    /// Creates a storage.
    ///
    /// - Parameters:
    ///   - source: Has the models.
    ///   - registration: Shows them.
    ///   - finder: Finds one by its id.
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
        // An id is written in one way only: what reads as one but is spelled otherwise is not it.
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
        let place = SectionPlace(section)
        for position in models.indices {
            scratch.removeAll()
            let context = Context(models, at: position, in: place)
            // The page says what happened to a model whose controller fails.
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
        let place = SectionPlace(section)
        for position in models.indices {
            for part in 0..<registration.rowsPerModel {
                scratch.removeAll()
                var hash = ContentHash(seed: seed)
                hash.add(registration.kinds[part])
                let context = Context(models, at: position, in: place, part: part)
                // A row that cannot be shown stays so until its model is another one.
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

/// A storage that tells which registration it was made with.
private protocol RegisteredRun: RunStorage {
    var token: RegistrationToken { get }
}

extension TypedRun: RegisteredRun {
    var token: RegistrationToken { registration.token }
}
