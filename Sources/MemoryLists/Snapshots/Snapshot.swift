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
    var rowPlaces = PersistentDictionary<String, RowLocation>()
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

    /// Returns a number that no previous insertion has.
    mutating func nextSerial() -> Int64 {
        lastSerial += 1
        return lastSerial
    }

    /// Edits a copy, and replaces the snapshot by it if the edit succeeds.
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
    /// Returns the section at a position.
    func node(at index: Int) throws(DataSourceError) -> SectionNode {
        guard index >= 0,
            let found = sections.first(where: { before, _ in before.elements >= index }),
            found.before.elements == index
        else { throw .sectionOutOfBounds(index) }
        return found.element
    }

    /// Returns the position of a section.
    func position(of id: SectionID) throws(DataSourceError) -> Int {
        guard let index = sectionIndex(of: id) else { throw .unknownSection(id) }
        return index
    }

    /// Returns the section that contains the row at a path.
    func node(of path: IndexPath) throws(DataSourceError) -> SectionNode {
        guard path.section >= 0, path.section < sectionCount else { throw .outOfBounds(path) }
        let node = try node(at: path.section)
        guard path.row >= 0, path.row < node.rows.count else { throw .outOfBounds(path) }
        return node
    }

    /// Returns the position of the row that has an id.
    func path(of id: String) throws(DataSourceError) -> IndexPath {
        guard let path = try indexPath(of: id) else { throw .unknownID(id) }
        return path
    }

    /// Returns the current position of a row; nil if it was removed or moved.
    func path(of place: RowLocation) -> IndexPath? {
        guard let label = sectionLabels[place.section],
            let (before, node) = sections.first(where: { $1.label >= label }),
            let row = node.rows.index(of: place.label)
        else { return nil }
        return IndexPath(section: before.elements, row: row)
    }

    /// Changes a section in place.
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
