/// Gives the models of one type by their positions: an array, or whatever can count and read.
///
/// A source never changes: the same position gives the same model for as long as the source lives.
/// What changes is the ``Snapshot`` that refers to it.
public protocol ModelSource<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Identifiable & Sendable
    where Model.ID: LosslessStringConvertible & Sendable

    /// The number of models, at least 0. O(1).
    var count: Int { get }

    /// Reads models that follow one another. O(length of the range), nothing else.
    ///
    /// - Parameter range: Positions in 0..<count.
    /// - Returns: As many models as the range is long.
    /// - Throws: ``SourceError`` when they cannot be read.
    func read(_ range: Range<Int>) throws(SourceError) -> [Model]
}

/// A source that finds a model by its id without reading the others.
public protocol IndexedModelSource<Model>: ModelSource {
    /// The position of the model that has an id; nil when there is none. O(1), or close to it.
    ///
    /// - Throws: ``SourceError`` when the source cannot be asked.
    func position(of id: Model.ID) throws(SourceError) -> Int?
}

/// Models in an array.
public struct InMemory<Model>: ModelSource
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// The models, in their order.
    public let models: [Model]

    /// Takes models as they are.
    ///
    /// - Complexity: O(1).
    public init(_ models: [Model]) { self.models = models }

    /// The number of models.
    ///
    /// - Complexity: O(1).
    public var count: Int { models.count }

    /// Copies models.
    ///
    /// - Complexity: O(length of the range).
    public func read(_ range: Range<Int>) -> [Model] { Array(models[range]) }
}

/// Models in an array, found by their ids.
public struct IndexedInMemory<Model>: IndexedModelSource
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// The models, in their order.
    public let models: [Model]
    private let positions: [Model.ID: Int]

    /// Reads the id of every model.
    ///
    /// - Complexity: O(models).
    ///
    /// - Throws: ``ListingError/duplicateID(_:first:second:)`` when two models have one id.
    public init(_ models: [Model]) throws(ListingError) {
        var positions: [Model.ID: Int] = [:]
        positions.reserveCapacity(models.count)
        for (position, model) in models.enumerated() {
            if let first = positions.updateValue(position, forKey: model.id) {
                throw .duplicateID(model.id.description, first: first, second: position)
            }
        }
        self.models = models
        self.positions = positions
    }

    /// The number of models.
    ///
    /// - Complexity: O(1).
    public var count: Int { models.count }

    /// Copies models.
    ///
    /// - Complexity: O(length of the range).
    public func read(_ range: Range<Int>) -> [Model] { Array(models[range]) }

    /// The position of the model that has an id.
    ///
    /// - Complexity: O(1).
    public func position(of id: Model.ID) -> Int? { positions[id] }
}
