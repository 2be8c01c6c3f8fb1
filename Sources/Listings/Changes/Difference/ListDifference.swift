/// How one state of a list became another one, found by comparing the two.
///
/// The same two states give the same difference, in every process.
public struct ListDifference: Hashable, Sendable {
    /// How the change is told; no stages when nothing changed.
    public let kind: ChangeBatch.Kind
    /// The rows that come or show something else, which a client has to be sent.
    ///
    /// Places in the new state, counted through all sections, ascending; empty for a reload.
    public let rowsToSend: [Int]
    /// The sections that come or are described anew.
    ///
    /// Places in the new state, ascending; empty for a reload.
    public let sectionsToSend: [Int]
    /// The ids of sections that the new state has more than once, in the order of their first
    /// repeat; empty unless they were looked for.
    public let repeatedSections: [SectionID]
    /// The ids of rows that the new state has more than once, in the order of their first repeat;
    /// empty unless they were looked for.
    public let repeatedRows: [String]

    /// The steps; empty for a reload and when nothing changed.
    public var stages: [ChangeStage] {
        guard case .stages(let stages) = kind else { return [] }
        return stages
    }
}
