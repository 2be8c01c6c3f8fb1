import Bytes

extension Page {
    /// The children of a row; nil unless the row is expanded.
    public func below(row: Int) -> ChildRows? { below[row] }

    /// The number of rows that are children of rows on the page.
    ///
    /// The limit counts the other rows.
    public var rowsBelowCount: Int {
        below.isEmpty ? 0 : (0..<rowCount).count { rowSlots[$0].level > baseLevel }
    }

    func canExpand<Model>(
        _ context: Context<Model>,
        _ registration: Registration<Model>,
        at level: Int
    ) -> Bool {
        guard registration.events.children != nil, level + 1 < RowPath.maximumDepth else {
            return false
        }
        return registration.events.canExpand?(context) ?? true
    }

    mutating func appendChildren<Model>(
        of row: Int,
        _ context: Context<Model>,
        _ registration: Registration<Model>
    ) {
        guard let children = registration.events.children, failures[row] == nil else { return }
        let id = id(ofRow: row)
        guard query.expanded.contains(id), canExpand(context, registration, at: outline.level)
        else { return }
        let position = outline
        do {
            let run = try children(context)
            let count = run?.count ?? 0
            let shown = min(count, schema.defaultLimit, position.room)
            below[row] = ChildRows(count: count, shown: shown)
            guard let run, shown > 0 else { return }
            outline.prefix = Self.prefix(below: id, position)
            outline.level += 1
            outline.room -= shown
            try run.storage.append(0..<shown, to: &self)
        } catch {
            fail(row, .childrenFailed, error, registration)
        }
        (outline.prefix, outline.level) = (position.prefix, position.level)
    }

    private static func prefix(below id: String, _ position: OutlinePosition) -> String {
        // The ids of child rows are already escaped paths.
        (position.level == 0 ? RowPath.escape(id) : id) + RowPath.separator
    }
}

extension Page {
    /// Continues the descent from a model.
    ///
    /// Appends the target row or a page of its children.
    mutating func follow<Model>(
        _ search: OutlineSearch,
        from model: Model,
        part: Int,
        _ registration: Registration<Model>
    ) {
        let context = Context([model], at: 0, in: sectionLocation, part: part)
        let position = outline
        var search = search
        do throws(SourceError) {
            if let next = search.remainingIDs.popFirst() {
                if let run = try children(of: context, registration) {
                    try descend(to: next, in: run, below: context, search, registration)
                    search = self.search ?? search
                }
            } else {
                self.search = nil
                search.isFound = true
                if let query = search.children {
                    let run = try children(of: context, registration)
                    outline.prefix = prefix(below: context, registration)
                    outline.level += 1
                    baseLevel = outline.level
                    try append(run, query, search.signature)
                } else {
                    append(part: part, of: model, using: registration)
                }
            }
        } catch { search.error = error }
        self.search = search
        outline = position
    }

    private mutating func descend<Model>(
        to id: String,
        in run: Run,
        below context: Context<Model>,
        _ search: OutlineSearch,
        _ registration: Registration<Model>
    ) throws(SourceError) {
        guard let position = try run.storage.position(ofRow: id) else { return }
        outline.prefix = prefix(below: context, registration)
        outline.level += 1
        self.search = search
        _ = try run.storage.append(rowWithID: id, of: position, to: &self)
    }

    private func prefix<Model>(
        below context: Context<Model>,
        _ registration: Registration<Model>
    ) -> String {
        let id = registration.rowID(of: context.model, part: context.part)
        return outline.prefix + RowPath.escape(id) + RowPath.separator
    }

    private func children<Model>(
        of context: Context<Model>,
        _ registration: Registration<Model>
    ) throws(SourceError) -> Run? {
        guard canExpand(context, registration, at: outline.level) else { return nil }
        do {
            return try registration.events.children?(context)
        } catch {
            let id = outline.prefix + registration.rowID(of: context.model, part: context.part)
            onFailure?(
                RowFailure(
                    list: list,
                    id: id,
                    kind: registration.kind,
                    model: "\(Model.self)",
                    code: .childrenFailed,
                    error: error
                )
            )
            throw .failedRow(id, code: .childrenFailed)
        }
    }

    private mutating func append(
        _ run: Run?,
        _ query: ListQuery,
        _ signature: UInt32
    ) throws(SourceError) {
        self.query = query
        let count = run?.count ?? 0
        let width = run?.storage.rowsPerModel ?? 1
        total = Count(count * width)
        updateSection { $0.count = Count(count * width) }
        guard let storage = run?.storage else { return }
        let limit = max(1, query.shape.limit / width)
        let range =
            switch query.start {
            case .beginning, .letter: 0..<min(limit, count)
            case .offset(let offset):
                min(offset / width, count)..<min(offset / width + limit, count)
            case .after(let cursor):
                try storage.window(after: cursor, limit)
            case .before(let cursor):
                try storage.window(before: cursor, limit)
            case .end: max(0, count - limit)..<count
            }
        try storage.append(range, to: &self)
        let hasMore = range.upperBound < count
        updateSection {
            $0.isContinued = range.lowerBound > 0
            $0.hasMore = hasMore
        }
        guard !range.isEmpty else {
            if range.lowerBound > 0 { previous = try storage.cursor(of: count - 1, signature).back }
            return
        }
        if hasMore { next = try storage.cursor(of: range.upperBound - 1, signature) }
        if range.lowerBound > 0 { previous = try storage.cursor(of: range.lowerBound, signature) }
    }
}

/// Cursors among the models of one run, which hold the id and the position. The position is used
/// when the model is gone.
extension RunStorage {
    fileprivate func cursor(
        of position: Int,
        _ signature: UInt32
    ) throws(SourceError) -> Cursor {
        let id = try ids(position..<position + 1).first ?? ""
        let row = Cursor.Row(values: [.integer(Int64(position)), .text(id)])
        return Cursor(signature: signature, section: .whole, row: row)
    }

    fileprivate func window(
        after cursor: Cursor,
        _ limit: Int
    ) throws(SourceError) -> Range<Int> {
        let (position, isThere) = try location(of: cursor)
        let start = isThere ? position + 1 : position
        return start..<start + min(limit, count - start)
    }

    fileprivate func window(
        before cursor: Cursor,
        _ limit: Int
    ) throws(SourceError) -> Range<Int> {
        let (position, isThere) = try location(of: cursor)
        let end = isThere && cursor.side == .back ? position + 1 : position
        // A page that would be shorter begins at the start and takes a full page.
        return end < limit ? 0..<min(limit, count) : end - limit..<end
    }

    /// The position of the cursor's model; its former position when the model is gone.
    private func location(
        of cursor: Cursor
    ) throws(SourceError) -> (position: Int, isThere: Bool) {
        guard let values = cursor.row?.values, values.count == 2, case .text(let id) = values[1],
            case .integer(let number) = values[0], number >= 0
        else { throw .invalidCursor }
        let position = Int(clamping: number)
        if position < count, try ids(position..<position + 1).first == id {
            return (position, true)
        }
        if let found = try self.position(of: id, in: 0..<count) { return (found, true) }
        return (min(position, count), false)
    }
}

/// The children of an expanded row of an outline.
public struct ChildRows: Hashable, Sendable {
    /// The number of child models.
    public let count: Int
    /// The number of first children that the page shows.
    public let shown: Int
}

struct OutlinePosition: Sendable {
    var prefix = ""
    var level = 0
    var room = 0
}

struct OutlineSearch: Sendable {
    var remainingIDs: ArraySlice<String>
    /// Nil reads the row itself.
    let children: ListQuery?
    let signature: UInt32
    var isFound = false
    var error: SourceError?
}

extension ListReader {
    /// Fills a page with the row that has an id, which may be a child row.
    ///
    /// - Returns: Whether there is such a row.
    /// - Throws: ``SourceError``; the page must not be used then.
    public func findRow(
        _ id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        if try readRow(id, grouping: grouping, into: &page) { return true }
        guard abilities.contains(.children), let ids = RowPath(id)?.ids else { return false }
        let search = OutlineSearch(remainingIDs: ids.dropFirst(), children: nil, signature: 0)
        return try find(search, from: ids[0], grouping: grouping, into: &page)
    }

    /// Fills a page with the children of a row, in the section of its topmost row.
    ///
    /// Only the events of the row and its ancestors are called, and only the models of the page are
    /// read.
    ///
    /// - Parameters:
    ///   - query: The query with the row (``ListQuery/parent``) and the start of the page.
    ///   - grouping: The grouping of the list into sections.
    ///   - page: The page, which is emptied and filled.
    /// - Throws: ``SourceError/unknownRow(_:)``, or as ``read(_:into:)``.
    public func readChildren(
        _ query: ListQuery,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) {
        guard let parent = query.parent else { return try read(query, into: &page) }
        let search = OutlineSearch(
            remainingIDs: [],
            children: query,
            signature: query.signature(of: page.list, schema: page.schema)
        )
        if try find(search, from: parent, grouping: grouping, into: &page) { return }
        var below = search
        guard let ids = RowPath(parent)?.ids else { throw .unknownRow(parent) }
        below.remainingIDs = ids.dropFirst()
        guard try find(below, from: ids[0], grouping: grouping, into: &page) else {
            throw .unknownRow(parent)
        }
    }

    private func find(
        _ search: OutlineSearch,
        from id: String,
        grouping: Grouping?,
        into page: inout Page
    ) throws(SourceError) -> Bool {
        page.search = search
        defer { page.search = nil }
        _ = try readRow(id, grouping: grouping, into: &page)
        if let error = page.search?.error { throw error }
        return page.search?.isFound == true
    }
}
