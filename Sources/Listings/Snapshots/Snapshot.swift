/// One state of a list: sections in order, each with its models in order.
///
/// A value: taking a copy is O(1), and a copy never changes because another one does. Editing a copy
/// costs what is edited: O(log n) and the copy of at most about 1,000 models, however many there are.
///
/// Every edit either happens as a whole or throws and changes nothing. Places are counted in models,
/// also in a section that is collapsed: such a section shows no rows but keeps and takes models.
///
/// Ids of rows are unique in the whole list, whatever the types of the models. They are checked when
/// models come in, except those of runs longer than ``checkedRunLength``, whose ids nobody reads in
/// advance.
public struct Snapshot: Sendable {
    /// The longest run whose ids are read, compared and remembered when it comes in.
    ///
    /// Longer runs are trusted; their rows are found by id through their
    /// ``IndexedModelSource``, or else by reading them all. Default 100,000.
    public let checkedRunLength: Int
    /// Counts the updates of the data source that this is a state of; 0 elsewhere and at first.
    public internal(set) var version: UInt64 = 0

    var sections = BalancedTree<SectionNode>()
    var sectionLabels = SharedMap<SectionID, OrderLabel>()
    var sectionSpace = LabelSpace()
    var rowPlaces = SharedMap<String, RowPlace>()
    var log: EditLog?
    private var lastSerial: Int64 = 0

    /// Creates an empty list.
    ///
    /// - Parameter checkedRunLength: The longest run whose ids are read when it comes in.
    public init(checkedRunLength: Int = 100_000) {
        self.checkedRunLength = checkedRunLength
    }

    /// Creates a list of sections.
    ///
    /// - Parameters:
    ///   - sections: The sections in their order.
    ///   - checkedRunLength: The longest run whose ids are read when it comes in.
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

    /// A number that no insertion had before.
    mutating func nextSerial() -> Int64 {
        lastSerial += 1
        return lastSerial
    }

    /// Edits a copy and keeps it when nothing went wrong.
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
    /// The section at a position.
    func node(at index: Int) throws(DataSourceError) -> SectionNode {
        guard index >= 0,
            let found = sections.first(where: { before, _ in before.elements >= index }),
            found.before.elements == index
        else { throw .sectionOutOfBounds(index) }
        return found.element
    }

    /// The position of a section.
    func position(of id: SectionID) throws(DataSourceError) -> Int {
        guard let index = sectionIndex(of: id) else { throw .unknownSection(id) }
        return index
    }

    /// The section that has a row at a path.
    func node(of path: IndexPath) throws(DataSourceError) -> SectionNode {
        guard path.section >= 0, path.section < sectionCount else { throw .outOfBounds(path) }
        let node = try node(at: path.section)
        guard path.row >= 0, path.row < node.rows.count else { throw .outOfBounds(path) }
        return node
    }

    /// The place of the row that has an id.
    func path(of id: String) throws(DataSourceError) -> IndexPath {
        guard let path = try indexPath(of: id) else { throw .unknownID(id) }
        return path
    }

    /// The place of a row, if it still stands there.
    func path(of place: RowPlace) -> IndexPath? {
        guard let label = sectionLabels[place.section],
            let (before, node) = sections.first(where: { $1.label >= label }),
            let row = node.rows.index(of: place.label)
        else { return nil }
        return IndexPath(section: before.elements, row: row)
    }

    /// Changes a section in its place.
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
