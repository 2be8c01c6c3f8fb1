import Listings

/// The sums over a range of elements of an ordered tree.
struct RopeSummary: Hashable, Sendable {
    /// The number of elements of the tree: pieces of rows, or sections.
    var elements = 0
    /// The number of models, visible or not.
    var models = 0
    /// The number of models in sections that are not collapsed.
    var rows = 0
    /// The number of rows, which exceeds the number of models if some yield several.
    var parts = 0
    /// The number of visible rows.
    var shownParts = 0
    /// The maximum number of rows that a model yields.
    var width = 1
    /// The features that the rows may have.
    var features = RowFeatures()
    /// The number of models whose ids are not in the index.
    var unindexedModels = 0
    /// The number of those that their source finds by id.
    var findableModels = 0

    /// Whether all row ids are unique: all model ids were compared, and each model yields one row.
    var hasUniqueIDs: Bool { unindexedModels == 0 && !features.contains(.parts) }

    static func + (left: RopeSummary, right: RopeSummary) -> RopeSummary {
        RopeSummary(
            elements: left.elements + right.elements,
            models: left.models + right.models,
            rows: left.rows + right.rows,
            parts: left.parts + right.parts,
            shownParts: left.shownParts + right.shownParts,
            width: max(left.width, right.width),
            features: left.features.union(right.features),
            unindexedModels: left.unindexedModels + right.unindexedModels,
            findableModels: left.findableModels + right.findableModels
        )
    }
}

/// An element of a ``BalancedTree``.
protocol Summarized: Sendable {
    /// The tally of the element; `elements` is 1.
    var tally: RopeSummary { get }
}
