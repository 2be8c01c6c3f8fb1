/// A position in an order, named by the values that stand there, so that it stays right when the row
/// it was made from is changed or deleted.
public struct Cursor: Hashable, Sendable {
    /// Names the order the position belongs to: see ``ListQuery/signature(of:schema:)``.
    public let signature: UInt32
    /// The key of the section.
    public let section: SectionKey
    /// The row's place inside the section; nil for the place of the section itself.
    public let row: Row?
    /// On which side of what it names a page that is read backwards from here ends.
    public let side: Side

    /// A side of what a position names.
    public enum Side: Hashable, Sendable {
        /// What it names stands behind the page.
        case front
        /// What it names is on the page: nothing stood behind it when the position was made.
        case back
    }

    /// A place inside a section.
    public struct Row: Hashable, Sendable {
        /// The row's values in the query's order, the id among them.
        public let values: [CellValue]

        /// Creates a place.
        public init(values: [CellValue]) { self.values = values }
    }

    /// Creates a position.
    public init(signature: UInt32, section: SectionKey, row: Row?, side: Side = .front) {
        self.signature = signature
        self.section = section
        self.row = row
        self.side = side
    }

    /// The position behind what this one names: the way back from behind the end of a list.
    package var back: Cursor {
        Cursor(signature: signature, section: section, row: row, side: .back)
    }
}
