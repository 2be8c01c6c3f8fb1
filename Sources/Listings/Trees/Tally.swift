/// What a stretch of an ordered tree adds up to.
struct Tally: Hashable, Sendable {
    /// Elements of the tree itself: pieces of rows, or sections.
    var elements = 0
    /// Models, whether or not they are shown.
    var models = 0
    /// Rows that are shown; those of collapsed sections are not.
    var rows = 0
    /// Rows that the models make up: more than models where some yield several.
    var parts = 0
    /// Those of them that are shown.
    var shownParts = 0
    /// The most rows that a model yields.
    var width = 1
    /// What the rows may offer.
    var features: RowFeatures = []
    /// Models whose ids nobody has looked at.
    var unindexedModels = 0
    /// Those of them that their source finds by id.
    var findableModels = 0

    /// Whether no two rows have one id: those of all models were compared, and are those of rows.
    var hasUniqueIDs: Bool { unindexedModels == 0 && !features.contains(.parts) }

    static func + (left: Tally, right: Tally) -> Tally {
        Tally(
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

/// What a ``BalancedTree`` can hold.
protocol Tallied: Sendable {
    /// What the element adds to the tree; `elements` is 1.
    var tally: Tally { get }
}
