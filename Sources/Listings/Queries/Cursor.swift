/// A position in an order, named by its values.
///
/// It stays valid when its row is changed or deleted.
public struct Cursor: Hashable, Sendable {
    /// The signature of the order: see ``ListQuery/signature(of:schema:)``.
    public let signature: UInt32
    /// The key of the section.
    public let section: SectionKey
    /// The row's position inside the section; nil for the position of the section itself.
    public let row: Row?
    /// The side of the named row or section where a backward page ends.
    public let side: Side

    /// A side of the named row or section.
    public enum Side: Hashable, Sendable {
        /// The named row or section follows the page.
        case front
        /// The named row or section is on the page. Nothing followed it when the cursor was made.
        case back
    }

    /// A position inside a section.
    public struct Row: Hashable, Sendable {
        /// The row's values in the query's order, including the id.
        public let values: [CellValue]

        /// Creates a position.
        public init(values: [CellValue]) { self.values = values }
    }

    /// Creates a cursor.
    public init(signature: UInt32, section: SectionKey, row: Row?, side: Side = .front) {
        self.signature = signature
        self.section = section
        self.row = row
        self.side = side
    }

    /// The cursor after this position, which leads back from beyond the end of a list.
    package var back: Cursor {
        Cursor(signature: signature, section: section, row: row, side: .back)
    }
}
