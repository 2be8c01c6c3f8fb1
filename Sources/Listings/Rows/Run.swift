/// Consecutive models of one type in a section, and the proof that they have a controller.
///
/// The type of the models is erased here, once for each run and never for a row.
public struct Run: Sendable {
    /// The storage of the models.
    package let storage: any RunStorage

    package init(_ storage: any RunStorage) { self.storage = storage }

    /// The number of models.
    ///
    /// - Complexity: O(1).
    public var count: Int { storage.count }

    /// The displayed name of the model type.
    public var modelName: String { storage.modelName }

    /// The kind of the rows.
    public var kind: String { storage.kind }
}
