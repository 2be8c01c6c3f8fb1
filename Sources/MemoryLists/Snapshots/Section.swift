public import Listings

/// A section to insert into a list: its description, and its models as typed runs.
///
/// Models of several types are in several runs. Creating a section does no work per model.
public struct Section: Sendable {
    /// The id, the header, the footer, the index title and whether the rows are hidden.
    public var info: SectionInfo
    /// The models in their order.
    public var runs: [Run]

    /// Creates a section.
    ///
    /// - Complexity: O(runs).
    public init(_ info: SectionInfo, _ runs: Run...) { self.init(info, runs: runs) }

    /// Creates a section.
    ///
    /// - Complexity: O(runs).
    public init(_ info: SectionInfo, runs: [Run]) {
        self.info = info
        self.runs = runs
    }

    /// Creates a section with an id and an optional header.
    ///
    /// - Complexity: O(runs).
    public init(_ id: SectionID, header: String? = nil, _ runs: Run...) {
        self.init(SectionInfo(id, header: header), runs: runs)
    }

    /// The number of models, hidden or not.
    ///
    /// - Complexity: O(runs).
    public var modelCount: Int { runs.reduce(0) { $0 + $1.count } }

    /// The number of visible rows: 0 if the section is collapsed.
    ///
    /// - Complexity: O(runs).
    public var rowCount: Int { info.isCollapsed ? 0 : modelCount }
}

struct SectionNode: Summarized {
    var info: SectionInfo
    var label: OrderLabel
    var rows = RowRope()

    var tally: RopeSummary {
        let pieces = rows.pieces.tally
        return RopeSummary(
            elements: 1,
            models: pieces.models,
            rows: info.isCollapsed ? 0 : pieces.models,
            parts: pieces.parts,
            shownParts: info.isCollapsed ? 0 : pieces.parts,
            width: pieces.width,
            features: pieces.features,
            unindexedModels: pieces.unindexedModels,
            findableModels: pieces.findableModels
        )
    }
}
