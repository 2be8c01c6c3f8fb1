/// A position in an order, named by the values that stand there, so that it stays right when the row
/// it was made from is changed or deleted.
public struct Cursor: Hashable, Sendable {
    /// Names the order the position belongs to: see ``ListQuery/signature(of:schema:)``.
    public let signature: UInt32
    /// The key of the section.
    public let section: SectionKey
    /// The row's place inside the section; nil for the place of the section itself.
    public let row: Row?

    /// A place inside a section.
    public struct Row: Hashable, Sendable {
        /// The row's values in the query's order, the id among them.
        public let values: [CellValue]

        /// Creates a place.
        public init(values: [CellValue]) { self.values = values }
    }

    /// Creates a position.
    public init(signature: UInt32, section: SectionKey, row: Row?) {
        self.signature = signature
        self.section = section
        self.row = row
    }
}
