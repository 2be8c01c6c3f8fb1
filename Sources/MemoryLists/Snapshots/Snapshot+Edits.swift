import Listings

/// The steps of all edits. Each keeps the id index and the edit log consistent.
extension Snapshot {
    /// Inserts the models of storages before the row at a path.
    ///
    /// After an error the snapshot must not be used.
    ///
    /// - Parameters:
    ///   - storages: The models.
    ///   - path: The path of a row, or the end of a section.
    ///   - isLogged: Whether to log each row. The rows of an inserted section need no log entries.
    /// - Throws: ``DataSourceError/outOfBounds(_:)``,
    ///   ``DataSourceError/duplicateID(_:first:second:)`` or ``DataSourceError/unreadable(_:)``.
    mutating func insert(
        _ storages: [any RunStorage],
        at path: IndexPath,
        isLogged: Bool
    ) throws(DataSourceError) {
        guard path.section >= 0, path.section < sectionCount else { throw .outOfBounds(path) }
        let node = try node(at: path.section)
        guard path.row >= 0, path.row <= node.rows.count else { throw .outOfBounds(path) }
        let rows = storages.map { ($0, 0..<$0.count, $0.count <= checkedRunLength) }
        let serial = nextSerial()
        try changeRows(of: path.section) { (rope) throws(SourceError) in
            try rope.insert(rows, at: path.row, serial: serial)
        }
        var row = path.row
        for (storage, range, isChecked) in rows {
            let place = IndexPath(section: path.section, row: row)
            if isChecked {
                try index(storage, at: place, isLogged: isLogged)
            } else if isLogged {
                log?.reload()
            }
            row += range.count
        }
    }

    /// Adds the ids of inserted rows to the index.
    private mutating func index(
        _ storage: any RunStorage,
        at path: IndexPath,
        isLogged: Bool
    ) throws(DataSourceError) {
        let ids: [String]
        do throws(SourceError) {
            ids = try storage.ids(0..<storage.count)
        } catch { throw .unreadable(error) }
        let node = try node(at: path.section)
        for (offset, id) in ids.enumerated() {
            let row = path.row + offset
            let own = IndexPath(section: path.section, row: row)
            if let known = try indexedPath(of: id), known != own {
                throw .duplicateID(id, first: min(known, own), second: max(known, own))
            }
            guard let label = node.rows.label(at: row) else { throw .outOfBounds(own) }
            let place = RowLocation(section: node.info.id, label: label)
            rowPlaces.set(place, for: id)
            if isLogged { log?.insertedRow(id, at: place) }
        }
    }

    /// Returns the position of the row with an id, if it is found without reading every model.
    func indexedPath(of id: String) throws(DataSourceError) -> IndexPath? {
        if let place = rowPlaces[id] { return path(of: place) }
        guard sections.tally.findableModels > 0 else { return nil }
        return try unindexedPath(of: id, where: \.isIndexed)
    }

    /// Removes rows from a section.
    mutating func take(
        _ range: Range<Int>,
        outOf section: Int
    ) throws(DataSourceError) {
        let node = try node(at: section)
        try logRemoval(range, of: node)
        try forget(range, of: node)
        try changeRows(of: section) { (rows) throws(SourceError) in try rows.remove(range) }
    }

    /// Removes the ids of rows from the index.
    mutating func forget(
        _ range: Range<Int>,
        of node: SectionNode
    ) throws(DataSourceError) {
        guard node.tally.unindexedModels < node.rows.count else { return }
        for piece in node.rows.pieces(in: range) where piece.isIndexed {
            do throws(SourceError) {
                for id in try piece.storage.ids(piece.range) { rowPlaces.removeValue(for: id) }
            } catch { throw .unreadable(error) }
        }
    }

    /// Changes the rows of a section.
    mutating func changeRows(
        of section: Int,
        _ change: (inout RowRope) throws(SourceError) -> Void
    ) throws(DataSourceError) {
        try changeSection(at: section) { (node) throws(DataSourceError) in
            do throws(SourceError) {
                try change(&node.rows)
            } catch { throw .unreadable(error) }
        }
    }

    /// Returns the stable place of the row at a path.
    func place(of path: IndexPath) throws(DataSourceError) -> RowLocation {
        let node = try node(of: path)
        guard let label = node.rows.label(at: path.row) else { throw .outOfBounds(path) }
        return RowLocation(section: node.info.id, label: label)
    }

    // MARK: - The log

    private mutating func logRemoval(
        _ range: Range<Int>,
        of node: SectionNode
    ) throws(DataSourceError) {
        try logRows(range, of: node) { log, id, place in log.removedRow(id, from: place) }
    }

    /// Marks rows of a section as changed.
    mutating func logChanges(
        _ range: Range<Int>,
        of node: SectionNode,
        _ change: ContentChange
    ) throws(DataSourceError) {
        try logRows(range, of: node) { log, id, place in log.changedRow(id, at: place, change) }
    }

    /// Marks the rows that have ids as changed.
    mutating func logChanges(
        _ ids: [String],
        _ change: ContentChange
    ) throws(DataSourceError) {
        try attempt { (copy) throws(DataSourceError) in
            for id in ids {
                let place = try copy.place(of: copy.path(of: id))
                copy.log?.changedRow(id, at: place, change)
            }
        }
    }

    private mutating func logRows(
        _ range: Range<Int>,
        of node: SectionNode,
        _ write: (inout EditLog, String, RowLocation) -> Void
    ) throws(DataSourceError) {
        guard let room = log?.hasRoom(for: range.count) else { return }
        guard room, var log else {
            self.log?.reload()
            return
        }
        for piece in node.rows.pieces(in: range) {
            do throws(SourceError) {
                for (offset, id) in try piece.storage.ids(piece.range).enumerated() {
                    let label = piece.label(at: offset)
                    write(&log, id, RowLocation(section: node.info.id, label: label))
                }
            } catch { throw .unreadable(error) }
        }
        self.log = log
    }
}
