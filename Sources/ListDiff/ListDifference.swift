public import Listings

/// The difference between two states of a list, found by comparison.
///
/// The same two states give the same difference, in every process.
public struct ListDifference: Hashable, Sendable {
    /// The form of the change; no stages when nothing changed.
    public let kind: ChangeBatch.Kind
    /// The inserted and changed rows, which the client needs.
    ///
    /// The values are positions in the new state, counted through all sections, ascending. Empty
    /// for a reload.
    public let rowsToSend: [Int]
    /// The inserted and changed sections.
    ///
    /// The values are positions in the new state, ascending. Empty for a reload.
    public let sectionsToSend: [Int]
    /// The ids of repeated sections of the new state, in the order of the first repeats.
    ///
    /// Empty unless uniqueness is checked.
    public let repeatedSections: [SectionID]
    /// The ids of repeated rows of the new state, in the order of the first repeats.
    ///
    /// Empty unless uniqueness is checked.
    public let repeatedRows: [String]

    /// The steps; empty for a reload and when nothing changed.
    public var stages: [ChangeStage] {
        guard case .stages(let stages) = kind else { return [] }
        return stages
    }
}
