public import Listings

/// A source of models of one type by their positions, such as an array.
///
/// A source never changes. A position has the same model for the lifetime of the source. Changes
/// are made in the ``Snapshot`` that refers to it.
public protocol ModelSource<Model>: Sendable {
    /// The type of the models.
    associatedtype Model: Identifiable & Sendable
    where Model.ID: LosslessStringConvertible & Sendable

    /// The number of models, at least 0. O(1).
    var count: Int { get }

    /// Reads consecutive models. O(length of the range).
    ///
    /// - Parameter range: Positions in 0..<count.
    /// - Returns: One model for each position.
    /// - Throws: ``SourceError`` if they cannot be read.
    func read(_ range: Range<Int>) throws(SourceError) -> [Model]
}

/// A source that finds a model by its id without reading the others.
public protocol IndexedModelSource<Model>: ModelSource {
    /// Returns the position of the model that has an id; nil if there is none. About O(1).
    ///
    /// - Throws: ``SourceError`` if the source cannot be read.
    func position(of id: Model.ID) throws(SourceError) -> Int?
}

/// Models in an array.
public struct InMemory<Model>: ModelSource
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// The models, in their order.
    public let models: [Model]

    /// Creates a source from models.
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

    /// Creates a source from models, and reads the id of each.
    ///
    /// - Complexity: O(models).
    ///
    /// - Throws: ``ListingError/duplicateID(_:first:second:)`` if two models have the same id.
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

    /// Returns the position of the model that has an id; nil if there is none.
    ///
    /// - Complexity: O(1).
    public func position(of id: Model.ID) -> Int? { positions[id] }
}
