public import ListDiff
public import Listings

/// The extent of a change, for observers that update the whole list, a section or rows.
public enum ChangeGranularity: Hashable, Sendable {
    /// Sections were inserted, deleted or moved, several sections changed, or all has to be read
    /// again.
    case whole
    /// The rows or the header of one section changed.
    case section(Int)
    /// Rows stay in position and show something else.
    case rows([IndexPath])

    /// Creates the extent of a change.
    ///
    /// - Complexity: O(changes).
    public init(_ batch: ChangeBatch) {
        guard case .stages(let stages) = batch.kind else {
            self = .whole
            return
        }
        var sections: Set<Int> = []
        var rows: [IndexPath] = []
        var isStructural = false
        for stage in stages {
            guard stage.deletedSections.isEmpty, stage.insertedSections.isEmpty,
                stage.movedSections.isEmpty
            else {
                self = .whole
                return
            }
            let moves = stage.movedRows
            let locations =
                (stage.deletedRows + stage.insertedRows).map(\.at)
                + moves.map(\.from) + moves.map(\.to)
            sections.formUnion(locations.map(\.section))
            sections.formUnion(stage.changedHeaders.map(\.at))
            isStructural = isStructural || !locations.isEmpty || !stage.changedHeaders.isEmpty
            rows += stage.reloadedRows.map(\.at)
        }
        guard isStructural else {
            self = .rows(rows)
            return
        }
        sections.formUnion(rows.map(\.section))
        if let only = sections.first, sections.count == 1 {
            self = .section(only)
        } else {
            self = .whole
        }
    }
}
