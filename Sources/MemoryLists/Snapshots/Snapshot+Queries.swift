public import Listings

extension Snapshot {
    /// The number of sections.
    ///
    /// - Complexity: O(1).
    public var sectionCount: Int { sections.tally.elements }

    /// The number of visible rows.
    ///
    /// A model that yields several counts as one, as in paths.
    ///
    /// - Complexity: O(1).
    public var totalRowCount: Int { sections.tally.rows }

    /// The number of models, hidden or not.
    ///
    /// - Complexity: O(1).
    public var totalModelCount: Int { sections.tally.models }

    /// The ids of the sections, in their order.
    ///
    /// - Complexity: O(sections).
    public var sectionIDs: [SectionID] {
        var ids: [SectionID] = []
        ids.reserveCapacity(sectionCount)
        sections.visit { _, node in
            ids.append(node.info.id)
            return true
        }
        return ids
    }

    /// Returns the description of the section at a position.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/sectionOutOfBounds(_:)``.
    public func section(at index: Int) throws(DataSourceError) -> SectionInfo {
        try node(at: index).info
    }

    /// Returns the description of the section that has an id.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``.
    public func section(_ id: SectionID) throws(DataSourceError) -> SectionInfo {
        try node(at: position(of: id)).info
    }

    /// Returns the position of the section that has an id; nil if there is none.
    ///
    /// - Complexity: O(log sections).
    public func sectionIndex(of id: SectionID) -> Int? {
        guard let label = sectionLabels[id] else { return nil }
        return sections.first { _, node in node.label >= label }?.before.elements
    }

    /// Returns the number of visible rows of a section: 0 if it is collapsed.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/sectionOutOfBounds(_:)``.
    public func rowCount(inSection index: Int) throws(DataSourceError) -> Int {
        try node(at: index).tally.rows
    }

    /// Returns the number of models of a section, hidden or not.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/sectionOutOfBounds(_:)``.
    public func modelCount(inSection index: Int) throws(DataSourceError) -> Int {
        try node(at: index).tally.models
    }

    /// Returns the position of the row that has an id; nil if there is none.
    ///
    /// - Complexity: O(log n) for checked runs and for indexed sources; O(n) for the rest.
    ///
    /// - Throws: ``DataSourceError/unreadable(_:)``.
    public func indexPath(of id: String) throws(DataSourceError) -> IndexPath? {
        if let place = rowPlaces[id] { return path(of: place) }
        return try unindexedPath(of: id) { _ in true }
    }

    /// Returns the id of the section that contains a row; nil if no row has the id.
    ///
    /// - Complexity: O(log n) for checked runs and for indexed sources; O(n) for the rest.
    ///
    /// - Throws: ``DataSourceError/unreadable(_:)``.
    public func sectionID(containing id: String) throws(DataSourceError) -> SectionID? {
        guard let path = try indexPath(of: id) else { return nil }
        return try section(at: path.section).id
    }

    /// Returns the id of the row at a position.
    ///
    /// - Complexity: O(log n).
    ///
    /// - Throws: ``DataSourceError/outOfBounds(_:)`` or ``DataSourceError/unreadable(_:)``.
    public func id(at path: IndexPath) throws(DataSourceError) -> String {
        // The node first: the index of a row that does not exist may be the largest integer.
        let node = try node(of: path)
        let found = try ids(at: path.row..<path.row + 1, of: node)
        guard let id = found.first else { throw .outOfBounds(path) }
        return id
    }

    /// Returns the ids of the rows of a section, hidden or not, in their order.
    ///
    /// - Complexity: O(models).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)`` or ``DataSourceError/unreadable(_:)``.
    public func rowIDs(in id: SectionID) throws(DataSourceError) -> [String] {
        let node = try node(at: position(of: id))
        return try ids(at: 0..<node.rows.count, of: node)
    }

    /// Returns the model at a position.
    ///
    /// - Complexity: O(log n), and reads that model only.
    ///
    /// - Throws: ``DataSourceError/outOfBounds(_:)``,
    ///   ``DataSourceError/modelMismatch(_:found:wanted:)`` or ``DataSourceError/unreadable(_:)``.
    public func model<Model>(
        at path: IndexPath,
        as type: Model.Type
    ) throws(DataSourceError) -> Model {
        guard let (piece, offset) = try node(of: path).rows.locate(path.row) else {
            throw .outOfBounds(path)
        }
        let position = piece.range.lowerBound + offset
        let storage = piece.storage
        do throws(SourceError) {
            if let model = try storage.models(position..<position + 1, as: type)?.first {
                return model
            }
        } catch { throw .unreadable(error) }
        throw .modelMismatch(path, found: storage.modelName, wanted: "\(type)")
    }

    /// Returns the kind of the row at a position.
    ///
    /// - Complexity: O(log n).
    ///
    /// - Throws: ``DataSourceError/outOfBounds(_:)``.
    public func kind(at path: IndexPath) throws(DataSourceError) -> String {
        guard let (piece, _) = try node(of: path).rows.locate(path.row) else {
            throw .outOfBounds(path)
        }
        return piece.storage.kind
    }

    /// Appends rows of a section to a page, as a section of the page.
    ///
    /// The offset and the limit are clamped to the section, so any numbers are valid. Only the
    /// models of the appended rows are read.
    ///
    /// - Parameters:
    ///   - index: The position of the section.
    ///   - offset: The first row.
    ///   - limit: The maximum number of rows.
    ///   - page: A page that was begun.
    /// - Returns: The positions of the appended rows in the section.
    /// - Throws: ``DataSourceError/sectionOutOfBounds(_:)`` or ``DataSourceError/unreadable(_:)``.
    @discardableResult
    public func read(
        section index: Int,
        offset: Int = 0,
        limit: Int,
        into page: inout Page
    ) throws(DataSourceError) -> Range<Int> {
        let node = try node(at: index)
        let count = node.tally.rows
        let start = min(max(0, offset), count)
        let range = start..<start + min(max(0, limit), count - start)
        page.beginSection(node.info, isContinued: start > 0)
        do throws(SourceError) {
            try node.append(range, to: &page)
            try page.end()
        } catch { throw .unreadable(error) }
        page.updateSection {
            $0.count = Count(node.tally.parts)
            $0.hasMore = range.upperBound < count
        }
        return range
    }
}

extension Snapshot {
    /// Returns the ids of rows of a section.
    func ids(at range: Range<Int>, of node: SectionNode) throws(DataSourceError) -> [String] {
        var ids: [String] = []
        ids.reserveCapacity(range.count)
        do throws(SourceError) {
            for piece in node.rows.pieces(in: range) {
                ids += try piece.storage.ids(piece.range)
            }
        } catch { throw .unreadable(error) }
        return ids
    }

    /// Returns the position of a row that is not in the index, from storages that match a
    /// condition.
    func unindexedPath(
        of id: String,
        where isAdmitted: (any RunStorage) -> Bool
    ) throws(DataSourceError) -> IndexPath? {
        guard sections.tally.unindexedModels > 0 else { return nil }
        var found: IndexPath?
        do throws(SourceError) {
            try sections.visit { (place, node) throws(SourceError) in
                guard node.tally.unindexedModels > 0 else { return true }
                let row = try node.rows.unindexedRow(of: id, where: isAdmitted)
                found = row.map { IndexPath(section: place.elements, row: $0) }
                return found == nil
            }
        } catch { throw .unreadable(error) }
        return found
    }
}

extension RowRope {
    fileprivate func unindexedRow(
        of id: String,
        where isAdmitted: (any RunStorage) -> Bool
    ) throws(SourceError) -> Int? {
        var found: Int?
        try pieces.visit { (before, piece) throws(SourceError) in
            guard !piece.isIndexed, isAdmitted(piece.storage) else { return true }
            guard let position = try piece.storage.position(of: id, in: piece.range) else {
                return true
            }
            found = before.models + position - piece.range.lowerBound
            return false
        }
        return found
    }
}

extension SectionNode {
    /// Appends rows to the last section of a page.
    func append(_ range: Range<Int>, to page: inout Page) throws(SourceError) {
        // The pieces are collected first, because a closure cannot change the borrowed page.
        for piece in rows.pieces(in: range) {
            try piece.storage.append(piece.range, to: &page)
        }
    }
}
