import Listings

/// All rows of a list in one order, divided into sections.
///
/// Pages are cut from it.
protocol RowSequence {
    /// The number of models. Positions count models, because the rows of a model are never split.
    var count: Int { get }
    /// The number of rows of the list, including those of collapsed sections.
    var rowCount: Int { get }
    var width: Int { get }
    var hasUniqueIDs: Bool { get }
    /// Includes empty sections.
    var sectionCount: Int { get }

    func section(at index: Int) throws(SourceError) -> SequenceSection
    func sectionIndex(ofRow row: Int) -> Int

    /// Returns the index of a row's model among the models of all sections.
    func model(ofRow row: Int) -> Int
    func partCount(ofRow row: Int) -> Int
    /// Returns the value that the order compares first: the key of a row's section, or the value of
    /// the first sort key. It is null in a list's own order.
    func leadingValue(ofRow row: Int) -> CellValue

    /// The index letters in the order of the rows.
    ///
    /// - Complexity: O(letters × log rows) the first time.
    var letters: [String] { get }

    /// The row count if there is none.
    func firstRow(after cursor: Cursor) throws(SourceError) -> Int
    /// The row count if there is none.
    func firstRow(notBefore cursor: Cursor) throws(SourceError) -> Int
    /// The section count if there is none.
    func firstSection(after cursor: Cursor) throws(SourceError) -> Int
    /// The section count if there is none.
    func firstSection(notBefore cursor: Cursor) throws(SourceError) -> Int

    func cursor(ofRow row: Int, _ signature: UInt32) throws(SourceError) -> Cursor
    func cursor(ofSection index: Int, _ signature: UInt32) throws(SourceError) -> Cursor

    /// The rows are all in the last section of the page.
    func append(_ rows: Range<Int>, to page: inout Page) throws(SourceError)
}

struct SequenceSection: Sendable {
    let location: SectionLocation
    let rows: Range<Int>
    let count: Int
    var aggregates: [CellValue] = []
}
