public import Bytes

/// The result of a query: sections, rows, cells and cursors, ready to be rendered.
///
/// One page is filled repeatedly and reuses its memory.
public struct Page: ~Copyable, Sendable {
    /// The name of the list, which is part of the signature of cursors.
    public let list: String
    /// The schema of the list, with the columns that the query derives.
    public private(set) var schema: ListSchema
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
    /// Nil if the page has all counts and facets.
    package var uncounted: ListQuery?
    /// Whether another page of the same version may have more, such as a missing count.
    package var isUnfinished = false
    /// The time that counting took; nil if no separate count was needed.
    public var countingTime: Duration?
    /// The facets in the order of the query; a column that took too long has no values.
    public var facets: [Facet] = []
    /// By column and value.
    package var labels: [Int: [CellValue: RowLabel]] = [:]
    /// The aggregates of all pages, in the order of the query; nil for one that took too long.
    public var aggregates: [CellValue?] = []
    /// The statistics of the query's column; nil without one, or where they took too long.
    public var statistics: ColumnStatistics?
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
    var windowBytes = ByteBuffer(minimumCapacity: 0)
    /// The initial hashes of rows by kind, for ``windowName``.
    var kindHashes: [ContentHash] = []
    /// Whether rows get safe actions only, for a client that may not write; stays set.
    package var hasSafeActionsOnly = false
    /// The handler of failed rows, which stays set for further pages.
    public var onFailure: (@Sendable (RowFailure) -> Void)?

    @usableFromInline var rowSlots = UniqueArray<RowSlot>(minimumCapacity: 64)
    var extras: [RowDecorations] = []
    var waiting: [any PrefetchedRows] = []
    @usableFromInline var ids = ByteBuffer(minimumCapacity: 1024)
    var idTable = RowIDTable()
    package var hasUniqueIDs = false
    /// Includes those of earlier pages.
    package private(set) var kinds: [Kind] = []
    var knownKind: (rows: RowBatchEncoder, kind: Int)?
    private var knownSignature: UInt32?
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
    /// By position in the page.
    var below: [Int: ChildRows] = [:]
    var outline = OutlinePosition()
    /// The number of leading sections whose headers and footers have been created by events.
    var renderedSections = 0
    /// The depth of the rows that the limit counts.
    var baseLevel = 0
    /// Nil appends rows normally.
    var search: OutlineSearch?
    private let addressOnly = AddressOnly()

    /// The positions of a row's id and cells, in 48 bytes.
    @usableFromInline
    struct RowSlot: BitwiseCopyable, Sendable {
        @usableFromInline let kind: Int
        @usableFromInline let idStart: Int
        @usableFromInline let idEnd: Int
        /// The first cell; nil until the cells are written.
        @usableFromInline var firstCell: Int32?
        /// -1 for none.
        @usableFromInline var extras: Int32 = -1
        @usableFromInline let revision: Int64?
        @usableFromInline let level: UInt8
    }

    package struct Kind: Equatable, Sendable {
        package let name: String
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
        if query.derived != schema.derived {
            schema = schema.deriving(query.derived)
            // Kinds of rows refer to the columns of the schema.
            (kinds, kindHashes, knownKind) = ([], [], nil)
        }
        self.version = version
        sections.removeAll(keepingCapacity: true)
        rowSlots.removeAll()
        if !extras.isEmpty { extras.removeAll(keepingCapacity: true) }
        if !waiting.isEmpty { waiting.removeAll(keepingCapacity: true) }
        if !failures.isEmpty { failures.removeAll() }
        if !below.isEmpty { below.removeAll() }
        (renderedSections, baseLevel, hasUniqueIDs) = (0, 0, false)
        outline = OutlinePosition(room: schema.maximumLimit)
        ids.removeAll()
        ownCells.removeAll()
        (isStale, isUnfinished, total, countingTime, uncounted) = (false, false, nil, nil, nil)
        (facets, labels, aggregates, statistics) = ([], [:], [], nil)
        if !letters.isEmpty { letters.removeAll() }
        (next, previous, emptyState, refusal) = (nil, nil, nil, nil)
        windowName.removeAll()
    }

    package mutating func signature() -> UInt32 {
        if let knownSignature { return knownSignature }
        let signature = query.signature(of: list, schema: schema)
        knownSignature = signature
        return signature
    }

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

    package mutating func show(columns: [Int]?, inOrder order: [Int]?) {
        (query.columns, query.displayOrder) = (columns, order)
    }

    /// Begins the next section, which takes all rows appended from now on.
    ///
    /// Rows appended to a collapsed section are not shown.
    public mutating func beginSection(_ info: SectionInfo, isContinued: Bool = false) {
        beginSection(SectionLocation(info), isContinued: isContinued)
    }

    /// Begins the next section from the place that its row contexts share.
    package mutating func beginSection(_ location: consuming SectionLocation, isContinued: Bool) {
        sections.append(
            PageSection(
                location: location,
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
        @inlinable _read { yield location.info }
    }
    /// The description in the form that row contexts share.
    @usableFromInline package var location: SectionLocation
    /// Its rows, as positions in the page.
    public internal(set) var rows: Range<Int>
    /// The number of its rows on all pages; nil when counting took too long.
    public var count: Count?
    /// Its aggregates on all pages, in the order of the query; nil for one that took too long.
    public var aggregates: [CellValue?] = []
    /// Whether it begins on an earlier page.
    public var isContinued: Bool
    /// Whether it continues after the page.
    public var hasMore = false
    /// The cursor for its further rows in a query ``ListQuery/restricted(to:limit:)``; nil at its
    /// end.
    public var next: Cursor?
}

extension Page {
    /// The number of rows on the page.
    public var rowCount: Int { rowSlots.count }

    /// The columns to show, as positions in the schema.
    public var shownColumns: [Int] {
        query.columns ?? query.displayOrder ?? Array(schema.ownColumns)
    }

    /// The kind of a row, which is the identifier of its registration.
    public func kind(ofRow row: Int) -> String { kinds[rowSlots[row].kind].name }

    /// The revision of a row's model; nil when there is none.
    public func revision(ofRow row: Int) -> Int64? { rowSlots[row].revision }

    /// Calls a closure with the UTF-8 of a row's id.
    @inlinable
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

    /// The position in ``cells`` of a row's cell for a column of the schema.
    ///
    /// - Returns: nil when the kind of the row lacks the column or its controller failed.
    public func cell(row: Int, column: Int) -> Int? {
        guard failures.isEmpty || failures[row] == nil, let first = rowSlots[row].firstCell,
            let offset = kinds[rowSlots[row].kind].cellOfColumn[column]
        else { return nil }
        return Int(first) + offset
    }

    /// A copy of a row's value for a column of the schema; null when there is no such cell.
    public borrowing func value(row: Int, column: Int) -> CellValue {
        if let cell = cell(row: row, column: column) { cells.value(cell) } else { .null }
    }
}

extension Page {
    /// The link of a row.
    public func link(ofRow row: Int) -> RowLink { extras(ofRow: row)?.link ?? .own }

    /// The actions of a row, in their order.
    public func actions(ofRow row: Int) -> [RowAction] { extras(ofRow: row)?.actions ?? [] }

    /// A row's position in an outline; nil for other rows.
    public func outline(ofRow row: Int) -> RowOutline? { extras(ofRow: row)?.outline }

    /// Whether a query may read the children of a row.
    public func canExpand(row: Int) -> Bool { extras(ofRow: row)?.canExpand ?? false }

    /// The number of grid columns that a row takes; nil is 1.
    public func span(ofRow row: Int) -> Int? { extras(ofRow: row)?.span }

    /// Whether any row has actions.
    ///
    /// - Complexity: O(rows with more than cells).
    public var hasActions: Bool { extras.contains { !$0.actions.isEmpty } }

    /// A copy of a row; nil for a failed row.
    public borrowing func row(at row: Int) -> Row? {
        guard failures[row] == nil, let first = rowSlots[row].firstCell else { return nil }
        let range = Int(first)..<Int(first) + kinds[rowSlots[row].kind].cellCount
        return copy(of: row, cells: range, extras(ofRow: row) ?? RowDecorations())
    }

    private func extras(ofRow row: Int) -> RowDecorations? {
        rowSlots[row].extras < 0 ? nil : extras[Int(rowSlots[row].extras)]
    }

    borrowing func copy(of row: Int, cells range: Range<Int>, _ extras: RowDecorations) -> Row {
        var values: [CellValue] = []
        var displays: [Int: String] = [:]
        for index in range {
            values.append(cells.value(index))
            if let display = cells.display(index) { displays[index - range.lowerBound] = display }
        }
        return Row(
            id: id(ofRow: row),
            kind: kind(ofRow: row),
            cells: values,
            displays: displays,
            link: extras.link,
            actions: extras.actions,
            level: extras.outline?.level,
            isExpanded: extras.outline?.isExpanded,
            toggle: extras.outline?.toggle,
            span: extras.span
        )
    }
}

extension Page {
    /// Appends the row or rows of a model to the current section.
    ///
    /// If the controller throws or writes a wrong number of cells, a failure replaces the row. Rows
    /// of registrations with ``RowEvents/prefetch`` are written by ``end()``.
    ///
    /// - Complexity: O(cells), amortised.
    @inlinable
    public mutating func append<Model>(_ model: Model, using registration: Registration<Model>) {
        // Inlinable, so that the compiler specializes it for known models. Generic access to the
        // registration is slow.
        if let writer = registration.plainWriter, takesPlainRows {
            writer.write(model, &self)
        } else {
            appendParts(of: model, using: registration)
        }
    }

    @usableFromInline
    mutating func appendParts<Model>(of model: Model, using registration: Registration<Model>) {
        appendParts(of: [model], at: 0, using: registration)
    }

    package mutating func appendParts<Model>(
        of models: [Model],
        at position: Int,
        using registration: Registration<Model>
    ) {
        for part in 0..<registration.rowsPerModel {
            append(part: part, of: models, at: position, using: registration)
        }
    }

    /// Appends one of the rows of a model to the current section.
    ///
    /// - Parameters:
    ///   - part: The row's position among ``Registration/parts``; 0 for models with one row.
    ///   - model: The model.
    ///   - registration: The registration that shows the model.
    public mutating func append<Model>(
        part: Int,
        of model: Model,
        using registration: Registration<Model>
    ) {
        append(part: part, of: [model], at: 0, using: registration)
    }

    private mutating func append<Model>(
        part: Int,
        of models: [Model],
        at position: Int,
        using registration: Registration<Model>
    ) {
        precondition(!sections.isEmpty, "a row was appended before any section began")
        let section = sections.count - 1
        guard !sections[section].info.isCollapsed else { return }
        if let search { return follow(search, from: models[position], part: part, registration) }
        let row = beginRow(part, of: models[position], registration)
        sections[section].rows = sections[section].rows.lowerBound..<rowSlots.count
        let context = Context(models, at: position, in: sectionLocation, part: part)
        if registration.events.prefetch == nil {
            write(row, context, registration)
        } else {
            wait(row, context, registration)
        }
        if !query.expanded.isEmpty { appendChildren(of: row, context, registration) }
    }

    /// Ends the page after the reader has appended all rows.
    ///
    /// It prefetches and writes the waiting rows, and checks that the page can be shown.
    ///
    /// - Throws: ``SourceError/duplicateRow(_:first:second:)``, or
    ///   ``SourceError/failedRow(_:code:)`` if a registration refuses pages with failed rows.
    /// - Complexity: O(rows).
    public mutating func end() throws(SourceError) {
        for rows in waiting { rows.write(to: &self) }
        waiting.removeAll(keepingCapacity: true)
        renderSections()
        reservePadding()
        if let (first, second) = firstDuplicate() {
            throw .duplicateRow(id(ofRow: second), first: first, second: second)
        }
        if let refusal, let code = failures[refusal] {
            throw .failedRow(id(ofRow: refusal), code: code)
        }
    }

    /// Reserves padding after ids and texts, because renderers copy whole blocks.
    mutating func reservePadding() {
        ids.reserve(ByteBuffer.padding)
        ownCells.reservePadding()
    }

    private mutating func beginRow<Model>(
        _ part: Int,
        of model: Model,
        _ registration: Registration<Model>
    ) -> Int {
        let idStart = ids.count
        if outline.level == 0 {
            ids.append(model.id.description)
        } else {
            ids.append(outline.prefix)
            ids.append(RowPath.escape(model.id.description))
        }
        var name = registration.kind
        if !registration.parts.isEmpty {
            ids.append(UInt8(ascii: "#"))
            ids.append(registration.parts[part].name)
            name = registration.parts[part].kind
        }
        rowSlots.append(
            RowSlot(
                kind: kind(name, columns: registration.columns),
                idStart: idStart,
                idEnd: ids.count,
                revision: registration.revision(model),
                level: UInt8(outline.level)
            )
        )
        return rowSlots.count - 1
    }

    private mutating func wait<Model>(
        _ row: Int,
        _ context: Context<Model>,
        _ registration: Registration<Model>
    ) {
        for index in waiting.indices
        where waiting[index].take(context, row: row, of: registration.kinds) {
            return
        }
        var run = PrefetchedRun(registration)
        _ = run.take(context, row: row, of: registration.kinds)
        waiting.append(run)
    }

    mutating func write<Model>(
        _ row: Int,
        _ context: Context<Model>,
        _ registration: Registration<Model>
    ) {
        let first = cells.count
        rowSlots[row].firstCell = Int32(first)
        do {
            try registration.write(context, &ownCells)
        } catch {
            return fail(row, .rowFailed, error, registration)
        }
        guard cells.count - first == kinds[rowSlots[row].kind].cellCount else {
            return fail(row, .cellCount, nil, registration)
        }
        if registration.shapesRows || rowSlots[row].level > 0 { shape(row, context, registration) }
    }

    private mutating func shape<Model>(
        _ row: Int,
        _ context: Context<Model>,
        _ registration: Registration<Model>
    ) {
        var extras = RowDecorations(context, registration.events)
        let level = Int(rowSlots[row].level)
        extras.canExpand = canExpand(context, registration, at: level)
        if extras.outline == nil,
            extras.canExpand || registration.events.children != nil || level > 0
        {
            extras.outline = RowOutline(
                level: level,
                isExpanded: extras.canExpand ? query.expanded.contains(id(ofRow: row)) : nil
            )
        }
        if let willRender = registration.events.willRender {
            guard let new = changed(row, context, extras, willRender, registration) else { return }
            extras = new
        }
        // Actions without a `perform` event cannot be offered.
        if registration.events.perform == nil { extras.actions = [] }
        for action in extras.actions where RowAction.reservedNames.contains(action.name) {
            extras.actions.removeAll { $0.name == action.name }
            report(row, .reservedAction, ListingError.reservedAction(action.name), registration)
        }
        if hasSafeActionsOnly { extras.actions.removeAll { $0.method == .post } }
        if case .address(let address) = extras.link, !LinkAddress.isSafe(address.utf8.span) {
            extras.link = .absent
            report(row, .unsafeLink, nil, registration)
        }
        if let toggle = extras.outline?.toggle, !LinkAddress.isSafe(toggle.utf8.span) {
            extras.outline?.toggle = nil
            report(row, .unsafeLink, nil, registration)
        }
        guard extras != RowDecorations() else { return }
        rowSlots[row].extras = Int32(self.extras.count)
        self.extras.append(extras)
    }

    /// Lets a closure change a row, and writes its cells again.
    ///
    /// Nil when the row failed.
    private mutating func changed<Model>(
        _ row: Int,
        _ context: Context<Model>,
        _ extras: RowDecorations,
        _ willRender: (Context<Model>, inout Row) throws -> Void,
        _ registration: Registration<Model>
    ) -> RowDecorations? {
        guard let first = rowSlots[row].firstCell.map(Int.init) else { return nil }
        let given = copy(of: row, cells: first..<cells.count, extras)
        var changed = given
        do {
            try willRender(context, &changed)
        } catch {
            fail(row, .eventFailed, error, registration)
            return nil
        }
        guard changed.cells.count == given.cells.count else {
            fail(row, .cellCount, nil, registration)
            return nil
        }
        if changed.cells != given.cells || changed.displays != given.displays {
            ownCells.truncate(to: first)
            for (index, cell) in changed.cells.enumerated() {
                ownCells.append(cell, display: changed.displays[index])
            }
        }
        var shaped = RowDecorations(changed)
        shaped.canExpand = extras.canExpand
        return shaped
    }

    mutating func fail<Model>(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        _ registration: Registration<Model>
    ) {
        fail(row, code, error, policy: registration.policy, model: "\(Model.self)")
    }

    /// The code is what clients see.
    ///
    /// The model is the name of its type.
    mutating func fail(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        policy: RowFailurePolicy,
        model: @autoclosure () -> String
    ) {
        if let first = rowSlots[row].firstCell { ownCells.truncate(to: Int(first)) }
        failures[row] = code
        if policy == .refusePage, refusal == nil { refusal = row }
        report(row, code, error, model: model())
    }

    private func report<Model>(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        _ registration: Registration<Model>
    ) {
        report(row, code, error, model: "\(Model.self)")
    }

    private func report(
        _ row: Int,
        _ code: RowFailure.Code,
        _ error: (any Error)?,
        model: @autoclosure () -> String
    ) {
        guard let onFailure else { return }
        onFailure(
            RowFailure(
                list: list,
                id: id(ofRow: row),
                kind: kind(ofRow: row),
                model: model(),
                code: code,
                error: error
            )
        )
    }
}
