public import Bytes

/// The answer to a question about a list, ready to be drawn: sections, rows, cells and the way on.
///
/// One page is filled again and again; its memory stays.
public struct Page: ~Copyable, Sendable {
    /// The name of the list, which cursors are made for.
    public let list: String
    /// What the list has.
    public let schema: ListSchema
    /// The question answered.
    public package(set) var query: ListQuery {
        didSet {
            knownSignature = nil
            knownSectionSignature = nil
        }
    }
    /// The state of the list the rows belong to.
    public var version = ListVersion(epoch: 0, counter: 0)
    /// The sections of the page, in order.
    public internal(set) var sections: [PageSection] = []
    /// Whether the rows are the last good ones of a source that cannot be refreshed now.
    public var isStale = false
    /// The rows in all pages together; nil when counting took too long.
    public var total: Count?
    /// The time that counting rows and values took; nil where it is no work of its own.
    public var countingTime: Duration?
    /// The values of the columns that were to be counted, in the order asked for; a column whose
    /// values could not be found in time is missing.
    public var facets: [Facet] = []
    /// The index letters there are, in the order of the rows; empty where none were asked for.
    public var letters: [String] = []
    /// Where the next page begins; nil at the end of the list.
    public var next: Cursor?
    /// Where the previous page ends; nil at the beginning of the list.
    public var previous: Cursor?
    /// What is shown in place of rows; nil leaves it to whoever draws a page without rows.
    public var emptyState: EmptyState?
    /// Names what the page shows, so that a client can be told later what changed since: the text of
    /// a ``WindowToken``, once ``nameWindow(list:question:)`` has written it; else empty.
    public internal(set) var windowName = ByteBuffer(minimumCapacity: 0)
    /// The bytes of the name before they become text.
    var windowBytes = ByteBuffer(minimumCapacity: 0)
    /// For ``windowName``, where rows of each kind begin.
    var kindHashes: [ContentHash] = []
    /// Is told every row that could not be shown as it was meant; kept from page to page.
    public var onFailure: (@Sendable (RowFailure) -> Void)?

    @usableFromInline var rowSlots = TrivialBuffer<RowSlot>(minimumCapacity: 64)
    var extras: [RowExtras] = []
    var waiting: [any WaitingRows] = []
    @usableFromInline var ids = ByteBuffer(minimumCapacity: 1024)
    var idTable = RowIDTable()
    /// Whether it is known that no two rows have one id.
    var hasUniqueIDs = false
    /// The kinds of rows that the page has had, now or before.
    package private(set) var kinds: [Kind] = []
    /// The kind of the plain rows appended last.
    var knownKind: (rows: PlainRows, kind: Int)?
    /// The signature of the question's cursors; nil until somebody asked for it.
    private var knownSignature: UInt32?
    /// The section asked for last in ``signature(ofSection:)``, and its signature.
    private var knownSectionSignature: (section: SectionID, signature: UInt32)?
    /// The cells of all rows.
    public var cells: CellBuffer {
        @inlinable _read { yield ownCells }
    }
    @usableFromInline var ownCells = CellBuffer()
    /// The rows that cannot be shown, by their position in the page, and why.
    public internal(set) var failures: [Int: RowFailure.Code] = [:]
    /// The first of them that makes the page useless.
    var refusal: Int?
    /// What is below the rows whose rows below are shown, by their position in the page.
    var below: [Int: RowsBelow] = [:]
    /// Where rows appended now stand in an outline.
    var outline = OutlinePosition()
    /// The sections at the front whose headers and footers events have made.
    var renderedSections = 0
    /// How deep the rows stand that the limit counts.
    var baseLevel = 0
    /// The row below others that is looked for; nil takes rows as they come.
    var search: OutlineSearch?
    private let place = InPlace()

    /// Where a row's id and cells are; 48 bytes.
    @usableFromInline
    struct RowSlot: BitwiseCopyable, Sendable {
        @usableFromInline let kind: Int
        @usableFromInline let idStart: Int
        @usableFromInline let idEnd: Int
        /// Nil until the cells are written.
        @usableFromInline var firstCell: Int32?
        /// The position in `extras`, or -1 for a row that has none.
        @usableFromInline var extras: Int32 = -1
        @usableFromInline let revision: Int64?
        /// How deep it stands in an outline.
        @usableFromInline let level: UInt8
    }

    /// A kind of row.
    package struct Kind: Equatable, Sendable {
        /// The identifier that its controller was registered under.
        package let name: String
        /// The cells that its rows have.
        package let cellCount: Int
        /// For each column of the list the place of its cell among the row's cells; nil where it has
        /// none.
        package let cellOfColumn: [Int?]
    }

    /// Creates an empty page of a list.
    public init(list: String, schema: ListSchema) {
        self.list = list
        self.schema = schema
        query = ListQuery(shape: .flow(limit: schema.defaultLimit))
    }

    /// Empties the page to take the answer to a question.
    public mutating func begin(_ query: ListQuery, version: ListVersion) {
        if !query.hasOneSpelling || self.query != query { self.query = query }
        self.version = version
        sections.removeAll(keepingCapacity: true)
        rowSlots.removeAll()
        if !extras.isEmpty { extras.removeAll(keepingCapacity: true) }
        if !waiting.isEmpty { waiting.removeAll(keepingCapacity: true) }
        if !failures.isEmpty { failures.removeAll() }
        if !below.isEmpty { below.removeAll() }
        renderedSections = 0
        baseLevel = 0
        hasUniqueIDs = false
        outline = OutlinePosition(room: schema.maximumLimit)
        refusal = nil
        ids.removeAll()
        ownCells.removeAll()
        isStale = false
        total = nil
        countingTime = nil
        if !facets.isEmpty { facets.removeAll() }
        if !letters.isEmpty { letters.removeAll() }
        next = nil
        previous = nil
        emptyState = nil
        windowName.removeAll()
    }

    /// The signature of the cursors of the question: told for one page after the other, it is made
    /// for the first.
    package mutating func signature() -> UInt32 {
        if let knownSignature { return knownSignature }
        let signature = query.signature(of: list, schema: schema)
        knownSignature = signature
        return signature
    }

    /// The signature of the cursors of the question restricted to one section: told for one page
    /// after the other, it is made for the first.
    package mutating func signature(ofSection section: SectionKey) -> UInt32 {
        let id = schema.id(of: section, in: query.grouping)
        // Byte for byte: keys that are equal may be spelled otherwise.
        if let known = knownSectionSignature,
            known.section.rawValue.utf8.span.equals(id.rawValue.utf8.span)
        {
            return known.signature
        }
        let signature = query.restricted(to: section, limit: 1).signature(of: list, schema: schema)
        knownSectionSignature = (id, signature)
        return signature
    }

    /// Chooses the columns to show of the rows there are.
    ///
    /// - Parameter columns: Positions in the schema, in the order to show them; nil means all.
    public mutating func show(columns: [Int]?) { query.columns = columns }

    /// Begins the next section; rows appended from now on are its.
    ///
    /// A collapsed section takes no rows: what is appended to it is not shown.
    public mutating func beginSection(_ info: SectionInfo, isContinued: Bool = false) {
        beginSection(SectionPlace(info), isContinued: isContinued)
    }

    /// Begins the next section, as its rows are told of it.
    mutating func beginSection(_ place: consuming SectionPlace, isContinued: Bool) {
        sections.append(
            PageSection(
                place: place,
                rows: rowCount..<rowCount,
                isContinued: isContinued
            )
        )
    }

    /// Changes what is known of the section begun last.
    public mutating func updateSection(_ change: (inout PageSection) -> Void) {
        updateSection(at: sections.count - 1, change)
    }

    /// Changes what is known of a section; its rows stay.
    public mutating func updateSection(at index: Int, _ change: (inout PageSection) -> Void) {
        let rows = sections[index].rows
        change(&sections[index])
        sections[index].rows = rows
    }

    /// The position of a kind of row, which is made known if it is not yet.
    mutating func kind(_ name: String, columns: [Column]) -> Int {
        if rowSlots.count > 0 {
            let last = rowSlots[rowSlots.count - 1].kind
            if kinds[last].name == name { return last }
        }
        if let known = kinds.firstIndex(where: { $0.name == name }) { return known }
        kinds.append(
            Kind(
                name: name,
                cellCount: columns.count,
                cellOfColumn: schema.columns.map { column in
                    columns.firstIndex { $0.id == column.id }
                }
            )
        )
        return kinds.count - 1
    }
}

/// A section as far as it is on a page.
public struct PageSection: Sendable {
    /// What is known of the section.
    public var info: SectionInfo {
        @inlinable _read { yield place.info }
    }
    /// The same as its rows are told of it.
    @usableFromInline package var place: SectionPlace
    /// Its rows, as positions in the page.
    public internal(set) var rows: Range<Int>
    /// The rows it has in all; nil when counting took too long.
    public var count: Count?
    /// Whether it began on an earlier page.
    public var isContinued: Bool
    /// Whether it goes on behind the page.
    public var hasMore = false
    /// Where its rows go on when it is read alone, as ``ListQuery/restricted(to:limit:)`` asks; nil
    /// when it does not go on.
    public var next: Cursor?
}
