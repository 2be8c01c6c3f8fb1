import Bytes

/// The answer to a question about a list, ready to be drawn: sections, rows, cells and the way on.
///
/// One page is filled again and again; its memory stays.
public struct Page: ~Copyable, Sendable {
    /// The name of the list, which cursors are made for.
    public let list: String
    /// What the list has.
    public let schema: ListSchema
    /// The question answered.
    public private(set) var query: ListQuery
    /// The state of the list the rows belong to.
    public var version = ListVersion(epoch: 0, counter: 0)
    /// The sections of the page, in order.
    public private(set) var sections: [PageSection] = []
    /// Whether the rows are the last good ones of a source that cannot be refreshed now.
    public var isStale = false
    /// The rows in all pages together; nil when counting took too long.
    public var total: Count?
    /// Where the next page begins; nil at the end of the list.
    public var next: Cursor?
    /// Where the previous page ends; nil at the beginning of the list.
    public var previous: Cursor?

    private var rowSlots: [RowSlot] = []
    private var kinds: [Kind] = []
    private var ids = ByteBuffer(minimumCapacity: 1024)
    /// The cells of all rows.
    public private(set) var cells = CellBuffer()
    /// The rows whose controller failed, by their position in the page.
    public private(set) var failures: [Int: String] = [:]

    private struct RowSlot {
        var kind: Int
        var idStart: Int
        var idEnd: Int
        var firstCell: Int
        var revision: Int64?
    }

    /// A kind of row, and for each column of the list the place of its cell among the row's cells.
    private struct Kind {
        let name: String
        let cellCount: Int
        let cellOfColumn: [Int?]
    }

    /// Creates an empty page of a list.
    public init(list: String, schema: ListSchema) {
        self.list = list
        self.schema = schema
        query = ListQuery(shape: .flow(limit: schema.defaultLimit))
    }

    /// Empties the page to take the answer to a question.
    public mutating func begin(_ query: ListQuery, version: ListVersion) {
        self.query = query
        self.version = version
        sections.removeAll(keepingCapacity: true)
        rowSlots.removeAll(keepingCapacity: true)
        if !failures.isEmpty { failures.removeAll() }
        ids.removeAll()
        cells.removeAll()
        isStale = false
        total = nil
        next = nil
        previous = nil
    }

    /// Chooses the columns to show of the rows there are.
    ///
    /// - Parameter columns: Positions in the schema, in the order to show them; nil means all.
    public mutating func show(columns: [Int]?) { query.columns = columns }

    /// Begins the next section; rows appended from now on are its.
    public mutating func beginSection(_ info: SectionInfo, isContinued: Bool = false) {
        sections.append(
            PageSection(
                info: info,
                rows: rowSlots.count..<rowSlots.count,
                isContinued: isContinued
            )
        )
    }

    /// Appends a model's row to the section begun last.
    ///
    /// A controller that throws, or writes another number of cells than it has columns, leaves a
    /// failure in place of the row.
    public mutating func append<Model>(_ model: Model, using registration: Registration<Model>) {
        precondition(!sections.isEmpty, "a row was appended before any section began")
        let section = sections.count - 1
        let firstCell = cells.count
        let kind = kind(of: registration)
        let idStart = ids.count
        ids.append(model.id.description)
        do {
            let context = Context(model: model, section: sections[section].info)
            try registration.write(context, &cells)
            if cells.count - firstCell != kinds[kind].cellCount {
                fail("cell-count", from: firstCell)
            }
        } catch {
            fail("row-failed", from: firstCell)
        }
        rowSlots.append(
            RowSlot(
                kind: kind,
                idStart: idStart,
                idEnd: ids.count,
                firstCell: firstCell,
                revision: registration.revision(model)
            )
        )
        sections[section].rows = sections[section].rows.lowerBound..<rowSlots.count
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

    private mutating func fail(_ code: String, from firstCell: Int) {
        cells.truncate(to: firstCell)
        failures[rowSlots.count] = code
    }

    private mutating func kind<Model>(of registration: Registration<Model>) -> Int {
        if let last = rowSlots.last, kinds[last.kind].name == registration.kind { return last.kind }
        if let known = kinds.firstIndex(where: { $0.name == registration.kind }) { return known }
        kinds.append(
            Kind(
                name: registration.kind,
                cellCount: registration.columns.count,
                cellOfColumn: schema.columns.map { column in
                    registration.columns.firstIndex { $0.id == column.id }
                }
            )
        )
        return kinds.count - 1
    }
}

extension Page {
    /// The number of rows on the page.
    public var rowCount: Int { rowSlots.count }

    /// The columns to show, as positions in the schema.
    public var shownColumns: [Int] { query.columns ?? Array(schema.columns.indices) }

    /// The kind of a row: the identifier its controller was registered under.
    public func kind(ofRow row: Int) -> String { kinds[rowSlots[row].kind].name }

    /// The revision of a row's model; nil when none is kept.
    public func revision(ofRow row: Int) -> Int64? { rowSlots[row].revision }

    /// Lends the UTF-8 of a row's id.
    public borrowing func withID<R, E: Error>(
        ofRow row: Int,
        _ body: (borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let range = rowSlots[row].idStart..<rowSlots[row].idEnd
        return try ids.withBytes { (span) throws(E) in try body(span.extracting(range)) }
    }

    /// A copy of a row's id.
    public borrowing func id(ofRow row: Int) -> String {
        withID(ofRow: row) { String(decoding: $0) }
    }

    /// The place in ``cells`` of a row's cell under a column of the schema; nil when the row has no
    /// such cell, because its kind lacks the column or its controller failed.
    public func cell(row: Int, column: Int) -> Int? {
        guard failures[row] == nil, let offset = kinds[rowSlots[row].kind].cellOfColumn[column]
        else {
            return nil
        }
        return rowSlots[row].firstCell + offset
    }

    /// A copy of the value of a row under a column of the schema; null when it has no such cell.
    public borrowing func value(row: Int, column: Int) -> CellValue {
        guard let cell = cell(row: row, column: column) else { return .null }
        return cells.value(cell)
    }
}

/// A section as far as it is on a page.
public struct PageSection: Sendable {
    /// What is known of the section.
    public let info: SectionInfo
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
