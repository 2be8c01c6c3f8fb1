public import Listings

/// An immutable state of a list: its sections in order, each with its models in order.
///
/// A value type: a copy takes O(1) and is independent of other copies. An edit takes O(log n) and
/// copies at most about 1,000 models, independent of the size of the list.
///
/// Every edit succeeds as a whole, or throws and changes nothing. Positions count models. A
/// collapsed section shows no rows, but its models have positions, and models can be inserted.
///
/// Row ids are unique in the whole list, independent of the model types. They are checked on
/// insertion, except those of runs longer than ``checkedRunLength``.
public struct Snapshot: Sendable {
    /// The maximum length of a run whose ids are read, compared and indexed on insertion.
    ///
    /// The ids of longer runs are not checked. Their rows are found by id through their
    /// ``IndexedModelSource``, or else by reading all of them. The default is 100,000.
    public let checkedRunLength: Int
    /// The number of updates of its data source; 0 initially and without a data source.
    public internal(set) var version: UInt64 = 0

    var sections = BalancedTree<SectionNode>()
    var sectionLabels = PersistentDictionary<SectionID, OrderLabel>()
    var sectionSpace = OrderKeyAllocator()
    var rowLocations = PersistentDictionary<String, RowLocation>()
    var log: EditLog?
    private var lastSerial: Int64 = 0

    /// Creates an empty list.
    ///
    /// - Parameter checkedRunLength: The maximum length of a run whose ids are checked on
    ///   insertion.
    public init(checkedRunLength: Int = 100_000) {
        self.checkedRunLength = checkedRunLength
    }

    /// Creates a list of sections.
    ///
    /// - Parameters:
    ///   - sections: The sections in their order.
    ///   - checkedRunLength: The maximum length of a run whose ids are checked on insertion.
    /// - Throws: ``DataSourceError/duplicateSection(_:first:second:)``,
    ///   ``DataSourceError/duplicateID(_:first:second:)`` or ``DataSourceError/unreadable(_:)``.
    /// - Complexity: O(sections + models of checked runs).
    public init(
        _ sections: [Section],
        checkedRunLength: Int = 100_000
    ) throws(DataSourceError) {
        self.init(checkedRunLength: checkedRunLength)
        try append(contentsOf: sections)
    }

    mutating func nextSerial() -> Int64 {
        lastSerial += 1
        return lastSerial
    }

    mutating func attempt<Result>(
        _ edit: (inout Snapshot) throws(DataSourceError) -> Result
    ) throws(DataSourceError) -> Result {
        var copy = self
        let result = try edit(&copy)
        self = copy
        return result
    }
}

extension Snapshot {
    func node(at index: Int) throws(DataSourceError) -> SectionNode {
        guard index >= 0,
            let found = sections.first(where: { before, _ in before.elements >= index }),
            found.before.elements == index
        else { throw .sectionOutOfBounds(index) }
        return found.element
    }

    func position(of id: SectionID) throws(DataSourceError) -> Int {
        guard let index = sectionIndex(of: id) else { throw .unknownSection(id) }
        return index
    }

    func node(of path: IndexPath) throws(DataSourceError) -> SectionNode {
        guard path.section >= 0, path.section < sectionCount else { throw .outOfBounds(path) }
        let node = try node(at: path.section)
        guard path.row >= 0, path.row < node.rows.count else { throw .outOfBounds(path) }
        return node
    }

    func path(of id: String) throws(DataSourceError) -> IndexPath {
        guard let path = try indexPath(of: id) else { throw .unknownID(id) }
        return path
    }

    /// Nil if the row was removed or moved.
    func path(of location: RowLocation) -> IndexPath? {
        guard let label = sectionLabels[location.section],
            let (before, node) = sections.first(where: { $1.label >= label }),
            let row = node.rows.index(of: location.label)
        else { return nil }
        return IndexPath(section: before.elements, row: row)
    }

    mutating func changeSection<Result>(
        at index: Int,
        _ change: (inout SectionNode) throws(DataSourceError) -> Result
    ) throws(DataSourceError) -> Result {
        var node = try node(at: index)
        let result = try change(&node)
        let (left, right) = sections.split { before, _ in before.elements >= index }
        sections = left.joined(node, right.droppingFirst())
        return result
    }
}

/// The steps of all edits. Each keeps the id index and the edit log consistent.
extension Snapshot {
    /// Inserts the models of storages before the row at a path.
    ///
    /// After an error the snapshot must not be used.
    ///
    /// The path is that of a row, or the end of a section. The rows of an inserted section need no
    /// log entries.
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
            let location = IndexPath(section: path.section, row: row)
            if isChecked {
                try index(storage, at: location, isLogged: isLogged)
            } else if isLogged {
                log?.reload()
            }
            row += range.count
        }
    }

    /// Replaces all rows of a section, which is indexed, as are the new ones.
    mutating func replace(
        _ all: Range<Int>,
        of node: SectionNode,
        at section: Int,
        with storages: [any RunStorage]
    ) throws(DataSourceError) {
        let old = try ids(at: all, of: node)
        var new: [String] = []
        do throws(SourceError) {
            for storage in storages { new += try storage.ids(0..<storage.count) }
        } catch { throw .unreadable(error) }
        let kept = old.matching(new)
        try logRemoval(all, of: node)
        try forget(all, of: node)
        var serial = lastSerial
        try changeRows(of: section) { rows in
            rows.replaceAll(
                with: storages.map { ($0, 0..<$0.count, true) },
                keeping: kept,
                serial: {
                    serial += 1
                    return serial
                }
            )
        }
        lastSerial = serial
        var row = 0
        for storage in storages {
            try index(storage, at: IndexPath(section: section, row: row), isLogged: true)
            row += storage.count
        }
    }

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
            let location = RowLocation(section: node.info.id, label: label)
            rowLocations.set(location, for: id)
            if isLogged { log?.insertedRow(id, at: location) }
        }
    }

    /// Nil if finding it needs every model.
    func indexedPath(of id: String) throws(DataSourceError) -> IndexPath? {
        if let location = rowLocations[id] { return path(of: location) }
        guard sections.tally.findableModels > 0 else { return nil }
        return try unindexedPath(of: id, where: \.isIndexed)
    }

    mutating func take(
        _ range: Range<Int>,
        outOf section: Int
    ) throws(DataSourceError) {
        let node = try node(at: section)
        try logRemoval(range, of: node)
        try forget(range, of: node)
        try changeRows(of: section) { (rows) throws(SourceError) in try rows.remove(range) }
    }

    mutating func forget(
        _ range: Range<Int>,
        of node: SectionNode
    ) throws(DataSourceError) {
        guard node.tally.unindexedModels < node.rows.count else { return }
        for piece in node.rows.pieces(in: range) where piece.isIndexed {
            do throws(SourceError) {
                for id in try piece.storage.ids(piece.range) { rowLocations.removeValue(for: id) }
            } catch { throw .unreadable(error) }
        }
    }

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

    func location(of path: IndexPath) throws(DataSourceError) -> RowLocation {
        let node = try node(of: path)
        guard let label = node.rows.label(at: path.row) else { throw .outOfBounds(path) }
        return RowLocation(section: node.info.id, label: label)
    }

    // MARK: - The log

    private mutating func logRemoval(
        _ range: Range<Int>,
        of node: SectionNode
    ) throws(DataSourceError) {
        try logRows(range, of: node) { log, id, location in log.removedRow(id, from: location) }
    }

    mutating func logChanges(
        _ range: Range<Int>,
        of node: SectionNode,
        _ change: ContentChange
    ) throws(DataSourceError) {
        try logRows(range, of: node) { log, id, location in log.changedRow(id, at: location, change)
        }
    }

    mutating func logChanges(
        _ ids: [String],
        _ change: ContentChange
    ) throws(DataSourceError) {
        try attempt { (copy) throws(DataSourceError) in
            for id in ids {
                let location = try copy.location(of: copy.path(of: id))
                copy.log?.changedRow(id, at: location, change)
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
        if let location = rowLocations[id] { return path(of: location) }
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

    /// Only storages that match a condition are read.
    func unindexedPath(
        of id: String,
        where isAdmitted: (any RunStorage) -> Bool
    ) throws(DataSourceError) -> IndexPath? {
        guard sections.tally.unindexedModels > 0 else { return nil }
        var found: IndexPath?
        do throws(SourceError) {
            try sections.visit { (location, node) throws(SourceError) in
                guard node.tally.unindexedModels > 0 else { return true }
                let row = try node.rows.unindexedRow(of: id, where: isAdmitted)
                found = row.map { IndexPath(section: location.elements, row: $0) }
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
    func append(_ range: Range<Int>, to page: inout Page) throws(SourceError) {
        // The pieces are collected first, because a closure cannot change the borrowed page.
        for piece in rows.pieces(in: range) {
            try piece.storage.append(piece.range, to: &page)
        }
    }
}

extension [String] {
    /// Returns the index of each element of another array here, for as many of them as follow each
    /// other in both (Fredman, "On computing the length of longest increasing subsequences", 1975).
    fileprivate func matching(_ others: [String]) -> [Int?] {
        guard self != others else { return indices.map(Optional.some) }
        let known = Dictionary(zip(self, indices)) { first, _ in first }
        let found = others.map { known[$0] }
        // The last element of the best sequence of each length, and what precedes each element.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: found.count)
        for (position, index) in found.enumerated() {
            guard let index else { continue }
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if (found[ends[middle]] ?? 0) < index { low = middle + 1 } else { high = middle }
            }
            previous[position] = low > 0 ? ends[low - 1] : nil
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var matches = [Int?](repeating: nil, count: found.count)
        var position = ends.last
        while let current = position {
            matches[current] = found[current]
            position = previous[current]
        }
        return matches
    }
}
