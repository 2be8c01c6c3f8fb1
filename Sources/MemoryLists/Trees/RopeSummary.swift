import Listings

struct RopeSummary: Hashable, Sendable {
    /// Pieces of rows, or sections.
    var elements = 0
    /// Visible or not.
    var models = 0
    var rows = 0
    /// The number of rows, which exceeds the number of models if some yield several.
    var parts = 0
    var shownParts = 0
    var width = 1
    var features = RowFeatures()
    /// The number of models whose ids are not in the index.
    var unindexedModels = 0
    /// The number of those that their source finds by id.
    var findableModels = 0

    /// All model ids were compared, and each model yields one row.
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

protocol Summarized: Sendable {
    var tally: RopeSummary { get }
}
