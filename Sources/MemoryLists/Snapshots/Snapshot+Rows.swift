public import Listings

extension Snapshot {
    // MARK: - Putting in

    /// Appends models to a section.
    ///
    /// - Parameters:
    ///   - run: The models, checked as described at ``checkedRunLength``.
    ///   - id: The section; nil for the last one.
    /// - Throws: ``DataSourceError/noSections``, ``DataSourceError/unknownSection(_:)``,
    ///   ``DataSourceError/duplicateID(_:first:second:)`` or ``DataSourceError/unreadable(_:)``.
    /// - Complexity: O(log n + models of a checked run).
    public mutating func append(
        _ run: Run,
        to id: SectionID? = nil
    ) throws(DataSourceError) {
        guard sectionCount > 0 else { throw id.map { .unknownSection($0) } ?? .noSections }
        let section = try id.map { (id) throws(DataSourceError) in try position(of: id) }
        let index = section ?? sectionCount - 1
        try insert(run, at: IndexPath(section: index, row: try node(at: index).rows.count))
    }

    /// Inserts models before the row at a position, or at the end of a section.
    ///
    /// - Throws: ``DataSourceError/outOfBounds(_:)``,
    ///   ``DataSourceError/duplicateID(_:first:second:)`` or ``DataSourceError/unreadable(_:)``.
    /// - Complexity: O(log n + models of a checked run).
    public mutating func insert(_ run: Run, at path: IndexPath) throws(DataSourceError) {
        try attempt { (copy) throws(DataSourceError) in
            try copy.insert([run.storage], at: path, isLogged: true)
        }
    }

    /// Inserts models before the row that has an id.
    ///
    /// - Throws: ``DataSourceError/unknownID(_:)``, or the errors of ``insert(_:at:)-(Run,_)``.
    public mutating func insert(_ run: Run, before id: String) throws(DataSourceError) {
        try insert(run, at: path(of: id))
    }

    /// Inserts models after the row that has an id.
    ///
    /// - Throws: ``DataSourceError/unknownID(_:)``, or the errors of ``insert(_:at:)-(Run,_)``.
    public mutating func insert(_ run: Run, after id: String) throws(DataSourceError) {
        let path = try path(of: id)
        try insert(run, at: IndexPath(section: path.section, row: path.row + 1))
    }

    // MARK: - Taking out

    /// Removes the row at a position.
    ///
    /// Its section stays, even if it is empty.
    ///
    /// - Complexity: O(log n).
    ///
    /// - Returns: The row's id.
    /// - Throws: ``DataSourceError/outOfBounds(_:)`` or ``DataSourceError/unreadable(_:)``.
    @discardableResult
    public mutating func remove(at path: IndexPath) throws(DataSourceError) -> String {
        let id = try id(at: path)
        try attempt { (copy) throws(DataSourceError) in
            try copy.take(path.row..<path.row + 1, outOf: path.section)
        }
        return id
    }

    /// Removes the rows at positions.
    ///
    /// Duplicates are ignored.
    ///
    /// - Complexity: O(positions · log n).
    ///
    /// - Returns: The ids of the rows, in their order in the list.
    /// - Throws: The errors of ``remove(at:)-(IndexPath)``; no row was removed then.
    @discardableResult
    public mutating func remove(at paths: [IndexPath]) throws(DataSourceError) -> [String] {
        try attempt { (copy) throws(DataSourceError) in
            var ids: [String] = []
            for path in Set(paths).sorted(by: >) { ids.append(try copy.remove(at: path)) }
            return ids.reversed()
        }
    }

    /// Removes the rows that have ids.
    ///
    /// Duplicates are ignored.
    ///
    /// - Throws: ``DataSourceError/unknownID(_:)`` or ``DataSourceError/unreadable(_:)``; no row
    ///   was removed then.
    public mutating func remove(_ ids: [String]) throws(DataSourceError) {
        try remove(at: ids.map { (id) throws(DataSourceError) in try path(of: id) })
    }

    /// Removes all rows of a section.
    ///
    /// The section stays.
    ///
    /// - Complexity: O(log n + models of checked runs).
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``DataSourceError/unknownSection(_:)`` or ``DataSourceError/unreadable(_:)``.
    @discardableResult
    public mutating func removeRows(in id: SectionID) throws(DataSourceError) -> Int {
        let index = try position(of: id)
        let count = try node(at: index).rows.count
        try attempt { (copy) throws(DataSourceError) in
            try copy.take(0..<count, outOf: index)
        }
        return count
    }

    /// Removes all rows.
    ///
    /// The sections stay.
    ///
    /// - Complexity: O(n).
    ///
    /// - Returns: The number of rows.
    /// - Throws: ``DataSourceError/unreadable(_:)``; no row was removed then.
    @discardableResult
    public mutating func removeAllRows() throws(DataSourceError) -> Int {
        let count = totalModelCount
        try attempt { (copy) throws(DataSourceError) in
            for index in 0..<copy.sectionCount {
                try copy.take(0..<copy.node(at: index).rows.count, outOf: index)
            }
        }
        return count
    }

    // MARK: - Moving

    /// Moves a row.
    ///
    /// - Complexity: O(log n).
    ///
    /// - Parameters:
    ///   - source: The position of the row.
    ///   - target: The position after the move, counted without the row.
    /// - Throws: ``DataSourceError/outOfBounds(_:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func move(
        from source: IndexPath,
        to target: IndexPath
    ) throws(DataSourceError) {
        let node = try node(of: source)
        guard target.section >= 0, target.section < sectionCount else {
            throw .outOfBounds(target)
        }
        let others = try modelCount(inSection: target.section)
        let isSameSection = source.section == target.section
        guard target.row >= 0, target.row <= (isSameSection ? others - 1 : others) else {
            throw .outOfBounds(target)
        }
        guard source != target, let piece = node.rows.pieces(in: source.row..<source.row + 1).first
        else { return }
        let id = try id(at: source)
        let old = RowLocation(section: node.info.id, label: piece.label(at: 0))
        try attempt { (copy) throws(DataSourceError) in
            try copy.changeRows(of: source.section) { (rows) throws(SourceError) in
                try rows.remove(source.row..<source.row + 1)
            }
            let serial = copy.nextSerial()
            let row = (piece.storage, piece.range, piece.isIndexed)
            try copy.changeRows(of: target.section) { (rows) throws(SourceError) in
                try rows.insert([row], at: target.row, serial: serial)
            }
            let location = try copy.location(of: target)
            if piece.isIndexed { copy.rowLocations.set(location, for: id) }
            copy.log?.movedRow(id, from: old, to: location)
        }
    }

    /// Moves a row before another one.
    ///
    /// Moving it before itself has no effect.
    ///
    /// - Complexity: O(log n).
    ///
    /// - Throws: ``DataSourceError/unknownID(_:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func move(_ id: String, before other: String) throws(DataSourceError) {
        let (source, target) = (try path(of: id), try path(of: other))
        try move(from: source, to: source.shifting(target))
    }

    /// Moves a row after another one.
    ///
    /// Moving it after itself has no effect.
    ///
    /// - Complexity: O(log n).
    ///
    /// - Throws: ``DataSourceError/unknownID(_:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func move(_ id: String, after other: String) throws(DataSourceError) {
        let source = try path(of: id)
        var target = try path(of: other)
        guard source != target else { return }
        target = source.shifting(target)
        target.row += 1
        try move(from: source, to: target)
    }

    /// Moves a row to the end of a section.
    ///
    /// - Complexity: O(log n).
    ///
    /// - Throws: ``DataSourceError/unknownID(_:)``, ``DataSourceError/unknownSection(_:)`` or
    ///   ``DataSourceError/unreadable(_:)``.
    public mutating func move(_ id: String, toEndOf other: SectionID) throws(DataSourceError) {
        let source = try path(of: id)
        let section = try position(of: other)
        let end = IndexPath(section: section, row: try modelCount(inSection: section))
        try move(from: source, to: source.shifting(end))
    }

    /// Swaps two rows.
    ///
    /// - Complexity: O(log n).
    ///
    /// - Throws: ``DataSourceError/outOfBounds(_:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func swap(
        at first: IndexPath,
        with second: IndexPath
    ) throws(DataSourceError) {
        let (low, high) = (min(first, second), max(first, second))
        _ = try (node(of: low), node(of: high))
        guard low != high else { return }
        try attempt { (copy) throws(DataSourceError) in
            try copy.move(from: high, to: low)
            let behind = IndexPath(section: low.section, row: low.row + 1)
            try copy.move(from: behind, to: high)
        }
    }

    // MARK: - Changing

    /// Replaces a model.
    ///
    /// - Complexity: O(log n).
    ///
    /// If the id is the same, the row stays and is rendered again. Otherwise the old row is removed
    /// and the new one inserted.
    ///
    /// - Throws: ``DataSourceError/outOfBounds(_:)``,
    ///   ``DataSourceError/duplicateID(_:first:second:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func replace<Model>(
        at path: IndexPath,
        with model: Model,
        using registration: Registration<Model>
    ) throws(DataSourceError) {
        try replace(at: path, with: Run([model], using: registration))
    }

    mutating func replace(at path: IndexPath, with run: Run) throws(DataSourceError) {
        let id = try id(at: path)
        let storage = run.storage
        let newID: String?
        do throws(SourceError) {
            newID = try storage.ids(0..<1).first
        } catch { throw .unreadable(error) }
        try attempt { (copy) throws(DataSourceError) in
            guard id == newID else {
                try copy.take(path.row..<path.row + 1, outOf: path.section)
                return try copy.insert([storage], at: path, isLogged: true)
            }
            try copy.changeRows(of: path.section) { (rows) throws(SourceError) in
                try rows.replace(at: path.row, with: storage)
            }
            let location = try copy.location(of: path)
            copy.rowLocations.set(location, for: id)
            copy.log?.changedRow(id, at: location, .reload)
        }
    }

    /// Replaces the model that has the same id.
    ///
    /// - Complexity: O(log n).
    ///
    /// - Throws: ``DataSourceError/unknownID(_:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func update<Model>(
        _ model: Model,
        using registration: Registration<Model>
    ) throws(DataSourceError) {
        try replace(at: path(of: model.id.description), with: model, using: registration)
    }

    /// Replaces all rows of a section.
    ///
    /// - Complexity: O(log n + models of checked runs).
    ///
    /// A row whose id is among the new ones stays and is rendered again. Cursors stay valid, also
    /// those of rows that are moved or removed.
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``,
    ///   ``DataSourceError/duplicateID(_:first:second:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func replaceRows(
        in id: SectionID,
        with runs: [Run]
    ) throws(DataSourceError) {
        let index = try position(of: id)
        let storages = runs.map(\.storage)
        try attempt { (copy) throws(DataSourceError) in
            let node = try copy.node(at: index)
            let all = 0..<node.rows.count
            guard node.tally.unindexedModels == 0,
                storages.allSatisfy({ $0.count <= copy.checkedRunLength })
            else {
                try copy.take(all, outOf: index)
                return try copy.insert(
                    storages,
                    at: IndexPath(section: index, row: 0),
                    isLogged: true
                )
            }
            try copy.replace(all, of: node, at: index, with: storages)
        }
    }

    /// Marks rows as changed, so that they are rendered again as a whole.
    ///
    /// - Complexity: O(ids · log n).
    ///
    /// - Throws: ``DataSourceError/unknownID(_:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func reload(_ ids: [String]) throws(DataSourceError) {
        try logChanges(ids, .reload)
    }

    /// Marks rows as changed, so that they stay and their cells are updated.
    ///
    /// - Complexity: O(ids · log n).
    ///
    /// - Throws: ``DataSourceError/unknownID(_:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func reconfigure(_ ids: [String]) throws(DataSourceError) {
        try logChanges(ids, .reconfigure)
    }
}

extension IndexPath {
    /// The row at this position is removed.
    func shifting(_ other: IndexPath) -> IndexPath {
        guard section == other.section, row < other.row else { return other }
        return IndexPath(section: other.section, row: other.row - 1)
    }
}
