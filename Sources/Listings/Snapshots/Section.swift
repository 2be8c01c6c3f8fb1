/// A section to be put into a list: what is known of it, and its models as typed runs.
///
/// Models of several types are several runs. Nothing here is done for each row, so a section over
/// ten million models is made as quickly as one over ten.
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

    /// Creates a section with an id and perhaps a header, and nothing else to say of it.
    ///
    /// - Complexity: O(runs).
    public init(_ id: SectionID, header: String? = nil, _ runs: Run...) {
        self.init(SectionInfo(id, header: header), runs: runs)
    }

    /// The number of models, hidden or not.
    ///
    /// - Complexity: O(runs).
    public var modelCount: Int { runs.reduce(0) { $0 + $1.count } }

    /// The number of rows that are shown: 0 while the section is collapsed.
    ///
    /// - Complexity: O(runs).
    public var rowCount: Int { info.isCollapsed ? 0 : modelCount }
}

/// A section as it stands in a snapshot.
struct SectionNode: Tallied {
    var info: SectionInfo
    /// Where it stands among the sections.
    var label: OrderLabel
    var rows = RowRope()

    var tally: Tally {
        let pieces = rows.pieces.tally
        return Tally(
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
