/// A list whose models are all in memory and do not change.
public struct MemorySource<Model>: ListSource
where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
    /// What the list has.
    public let schema: ListSchema
    let name: String
    let models: [Model]
    let registration: Registration<Model>
    let version: ListVersion
    let indexOfID: [String: Int]

    /// Creates a list of models.
    ///
    /// - Parameters:
    ///   - name: The name of the list in addresses.
    ///   - models: The models; their ids differ.
    ///   - registration: Shows them; its columns are those of the schema.
    ///   - schema: What the list has.
    ///   - version: Names this state of the list.
    /// - Throws: ``ListingError/duplicateID(_:first:second:)``.
    /// - Complexity: O(models).
    public init(
        _ name: String,
        models: [Model],
        using registration: Registration<Model>,
        schema: ListSchema,
        version: ListVersion
    ) throws(ListingError) {
        var indexOfID: [String: Int] = [:]
        indexOfID.reserveCapacity(models.count)
        for (index, model) in models.enumerated() {
            let id = model.id.description
            if let first = indexOfID.updateValue(index, forKey: id) {
                throw .duplicateID(id, first: first, second: index)
            }
        }
        self.name = name
        self.models = models
        self.registration = registration
        self.schema = schema
        self.version = version
        self.indexOfID = indexOfID
    }

    /// Makes a reader that shares the models and sorts for itself.
    public func makeReader() throws(SourceError) -> any ListReader { MemoryReader(self) }
}
