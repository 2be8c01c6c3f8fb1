/// All rows of a list in one order, cut into sections: what pages are cut from.
protocol RowSequence {
    /// The number of models: positions count models, as the rows of one are never parted.
    var count: Int { get }
    /// The number of rows of the list, those of collapsed sections included.
    var rowCount: Int { get }
    /// The most rows that a model yields.
    var width: Int { get }
    /// Whether it is known that no two rows have one id.
    var hasUniqueIDs: Bool { get }
    /// The number of sections, with those that have no rows.
    var sectionCount: Int { get }

    /// A section.
    func section(at index: Int) throws(SourceError) -> SequenceSection
    /// The section that has a row.
    func sectionIndex(ofRow row: Int) -> Int

    /// Which of the models of the list's sections a row is, counted over all of them.
    func model(ofRow row: Int) -> Int
    /// The rows that the model of a row yields.
    func partCount(ofRow row: Int) -> Int
    /// What the order looks at first: the key of a row's section, or the value of the first key; null
    /// in a list's own order.
    func leadingValue(ofRow row: Int) -> CellValue

    /// The letters there are, in the order of the rows.
    ///
    /// - Complexity: O(letters × log rows) the first time.
    var letters: [String] { get }

    /// The first row behind a position; the count when there is none.
    func firstRow(after cursor: Cursor) throws(SourceError) -> Int
    /// The first row not before a position; the count when there is none.
    func firstRow(notBefore cursor: Cursor) throws(SourceError) -> Int
    /// The first section behind a position; the section count when there is none.
    func firstSection(after cursor: Cursor) throws(SourceError) -> Int
    /// The first section not before a position; the section count when there is none.
    func firstSection(notBefore cursor: Cursor) throws(SourceError) -> Int

    /// The position of a row.
    func cursor(ofRow row: Int, _ signature: UInt32) throws(SourceError) -> Cursor
    /// The position of a section.
    func cursor(ofSection index: Int, _ signature: UInt32) throws(SourceError) -> Cursor

    /// Appends rows of one section to the section that a page began last.
    func append(_ rows: Range<Int>, to page: inout Page) throws(SourceError)
}

/// A section of a ``RowSequence``.
struct SequenceSection: Sendable {
    /// What its rows are told of it.
    let place: SectionPlace
    /// Its models, by their positions in the sequence.
    let rows: Range<Int>
    /// What it counts: its rows, and those it hides.
    let count: Int
}
