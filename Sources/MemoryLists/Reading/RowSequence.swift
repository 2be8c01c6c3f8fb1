import Listings

/// All rows of a list in one order, divided into sections.
///
/// Pages are cut from it.
protocol RowSequence {
    /// The number of models. Positions count models, because the rows of a model are never split.
    var count: Int { get }
    /// The number of rows of the list, including those of collapsed sections.
    var rowCount: Int { get }
    /// The maximum number of rows that a model yields.
    var width: Int { get }
    /// Whether all row ids are known to be unique.
    var hasUniqueIDs: Bool { get }
    /// The number of sections, including empty ones.
    var sectionCount: Int { get }

    func section(at index: Int) throws(SourceError) -> SequenceSection
    /// Returns the index of the section that contains a row.
    func sectionIndex(ofRow row: Int) -> Int

    /// Returns the index of a row's model among the models of all sections.
    func model(ofRow row: Int) -> Int
    /// Returns the number of rows that the model of a row yields.
    func partCount(ofRow row: Int) -> Int
    /// Returns the value that the order compares first: the key of a row's section, or the value of
    /// the first sort key. It is null in a list's own order.
    func leadingValue(ofRow row: Int) -> CellValue

    /// The index letters in the order of the rows.
    ///
    /// - Complexity: O(letters × log rows) the first time.
    var letters: [String] { get }

    /// Returns the first row after a cursor, or the row count if there is none.
    func firstRow(after cursor: Cursor) throws(SourceError) -> Int
    /// Returns the first row at or after a cursor, or the row count if there is none.
    func firstRow(notBefore cursor: Cursor) throws(SourceError) -> Int
    /// Returns the first section after a cursor, or the section count if there is none.
    func firstSection(after cursor: Cursor) throws(SourceError) -> Int
    /// Returns the first section at or after a cursor, or the section count if there is none.
    func firstSection(notBefore cursor: Cursor) throws(SourceError) -> Int

    func cursor(ofRow row: Int, _ signature: UInt32) throws(SourceError) -> Cursor
    func cursor(ofSection index: Int, _ signature: UInt32) throws(SourceError) -> Cursor

    /// Appends rows of one section to the last section of a page.
    func append(_ rows: Range<Int>, to page: inout Page) throws(SourceError)
}

/// A section of a ``RowSequence``.
struct SequenceSection: Sendable {
    /// The place that its rows refer to.
    let place: SectionPlace
    /// The positions of its models in the sequence.
    let rows: Range<Int>
    /// The number of rows, including hidden ones.
    let count: Int
    /// The aggregates of a query; empty if it has none.
    var aggregates: [CellValue] = []
}
