public import Bytes

/// The result of a query: sections, rows, cells and cursors, ready to be rendered.
///
/// One page is filled repeatedly and reuses its memory.
public struct Page: ~Copyable, Sendable {
    /// The name of the list, which is part of the signature of cursors.
    public let list: String
    /// The schema of the list.
    public let schema: ListSchema
    /// The query of the page.
    public package(set) var query: ListQuery {
        didSet {
            knownSignature = nil
            knownSectionSignature = nil
        }
    }
    /// The version of the list that the rows belong to.
    public var version = ListVersion(epoch: 0, counter: 0)
    /// The sections of the page, in order.
    public internal(set) var sections: [PageSection] = []
    /// Whether the rows are the last ones of a source that cannot be refreshed now.
    public var isStale = false
    /// The number of rows of all pages; nil when counting took too long.
    public var total: Count?
    /// The time that counting took; nil if no separate count was needed.
    public var countingTime: Duration?
    /// The facets in the order of the query.
    ///
    /// A column that took too long is missing.
    public var facets: [Facet] = []
    /// The index letters in the order of the rows; empty unless the query wants them.
    public var letters: [String] = []
    /// The start of the next page; nil at the end of the list.
    public var next: Cursor?
    /// The end of the previous page; nil at the beginning of the list.
    public var previous: Cursor?
    /// The message instead of rows; nil leaves it to the renderer.
    public var emptyState: EmptyState?
    /// The name of the page's contents, which lets a client query later changes.
    ///
    /// The text of a `PageDigest` after ``nameWindow(list:question:)``, else empty.
    public internal(set) var windowName = ByteBuffer(minimumCapacity: 0)
    /// The bytes of the name before base64url.
    var windowBytes = ByteBuffer(minimumCapacity: 0)
    /// The initial hashes of rows by kind, for ``windowName``.
    var kindHashes: [ContentHash] = []
    /// The handler of failed rows, which stays set for further pages.
    public var onFailure: (@Sendable (RowFailure) -> Void)?

    @usableFromInline var rowSlots = UniqueArray<RowSlot>(minimumCapacity: 64)
    var extras: [RowDecorations] = []
    var waiting: [any PrefetchedRows] = []
    @usableFromInline var ids = ByteBuffer(minimumCapacity: 1024)
    var idTable = RowIDTable()
    /// Whether the ids of the rows are known to be unique.
    package var hasUniqueIDs = false
    /// The kinds of rows of this page and earlier ones.
    package private(set) var kinds: [Kind] = []
    /// The kind of the last appended plain rows.
    var knownKind: (rows: RowBatchEncoder, kind: Int)?
    /// The signature of the query's cursors; nil before its first use.
    private var knownSignature: UInt32?
    /// The last section in ``signature(ofSection:)`` and its signature.
    private var knownSectionSignature: (section: SectionID, signature: UInt32)?
    /// The cells of all rows.
    public var cells: CellBuffer {
        @inlinable _read { yield ownCells }
    }
    @usableFromInline var ownCells = CellBuffer()
    /// The failed rows by their position in the page, with the reason.
    public internal(set) var failures: [Int: RowFailure.Code] = [:]
    /// The first failed row that makes the page unusable.
    var refusal: Int?
    /// The children of expanded rows, by position in the page.
    var below: [Int: ChildRows] = [:]
    /// The position of appended rows in an outline.
    var outline = OutlinePosition()
    /// The number of leading sections whose headers and footers have been created by events.
    var renderedSections = 0
    /// The depth of the rows that the limit counts.
    var baseLevel = 0
    /// The child row to find; nil appends rows normally.
    var search: OutlineSearch?
    private let place = AddressOnly()

    /// The positions of a row's id and cells, in 48 bytes.
    @usableFromInline
    struct RowSlot: BitwiseCopyable, Sendable {
        @usableFromInline let kind: Int
        @usableFromInline let idStart: Int
        @usableFromInline let idEnd: Int
        /// The first cell; nil until the cells are written.
        @usableFromInline var firstCell: Int32?
        /// The position in `extras`; -1 for none.
        @usableFromInline var extras: Int32 = -1
        @usableFromInline let revision: Int64?
        /// The depth in an outline.
        @usableFromInline let level: UInt8
    }

    /// A kind of row.
    package struct Kind: Equatable, Sendable {
        /// The identifier of the controller's registration.
        package let name: String
        /// The number of cells of each row.
        package let cellCount: Int
        /// The position among the row's cells for each column of the list; nil for none.
        package let cellOfColumn: [Int?]
    }

    /// Creates an empty page of a list.
    public init(list: String, schema: ListSchema) {
        self.list = list
        self.schema = schema
        query = ListQuery(shape: .flow(limit: schema.defaultLimit))
    }

    /// Empties the page for the result of a query.
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

    /// The signature of the query's cursors, computed once for successive pages of a query.
    package mutating func signature() -> UInt32 {
        if let knownSignature { return knownSignature }
        let signature = query.signature(of: list, schema: schema)
        knownSignature = signature
        return signature
    }

    /// The signature of the cursors of the query for one section.
    ///
    /// It is cached for successive pages of that section.
    package mutating func signature(ofSection section: SectionKey) -> UInt32 {
        let id = schema.id(of: section, in: query.grouping)
        // The bytes are compared, because equal keys may have different spellings.
        if let known = knownSectionSignature,
            known.section.rawValue.utf8.span.equals(id.rawValue.utf8.span)
        {
            return known.signature
        }
        let signature = query.restricted(to: section, limit: 1).signature(of: list, schema: schema)
        knownSectionSignature = (id, signature)
        return signature
    }

    /// Selects the columns to show.
    ///
    /// - Parameter columns: Positions in the schema, in the order to show them; nil means all.
    public mutating func show(columns: [Int]?) { query.columns = columns }

    /// Begins the next section, which takes all rows appended from now on.
    ///
    /// Rows appended to a collapsed section are not shown.
    public mutating func beginSection(_ info: SectionInfo, isContinued: Bool = false) {
        beginSection(SectionPlace(info), isContinued: isContinued)
    }

    /// Begins the next section from the place that its row contexts share.
    package mutating func beginSection(_ place: consuming SectionPlace, isContinued: Bool) {
        sections.append(
            PageSection(
                place: place,
                rows: rowCount..<rowCount,
                isContinued: isContinued
            )
        )
    }

    /// Changes the properties of the current section.
    public mutating func updateSection(_ change: (inout PageSection) -> Void) {
        updateSection(at: sections.count - 1, change)
    }

    /// Changes the properties of a section, except its rows.
    public mutating func updateSection(at index: Int, _ change: (inout PageSection) -> Void) {
        let rows = sections[index].rows
        change(&sections[index])
        sections[index].rows = rows
    }

    /// The position of a kind of row, which is added if it is new.
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

/// The part of a section that is on a page.
public struct PageSection: Sendable {
    /// The description of the section.
    public var info: SectionInfo {
        @inlinable _read { yield place.info }
    }
    /// The description in the form that row contexts share.
    @usableFromInline package var place: SectionPlace
    /// Its rows, as positions in the page.
    public internal(set) var rows: Range<Int>
    /// The number of its rows on all pages; nil when counting took too long.
    public var count: Count?
    /// Whether it begins on an earlier page.
    public var isContinued: Bool
    /// Whether it continues after the page.
    public var hasMore = false
    /// The cursor for its further rows in a query ``ListQuery/restricted(to:limit:)``; nil at its
    /// end.
    public var next: Cursor?
}
