/// A state of a list reduced to numbers: which sections and rows it has, in which order, and what
/// they show.
///
/// A row costs 16 bytes: its id and a revision, in columns. Any two numbers that differ when the
/// contents differ are revisions: counters, times, hashes. Row ids are unique in the list and
/// section ids among the sections; repeats are neither refused nor lost, see ``ListDiffer``.
public struct ListDigest: Hashable, Sendable {
    /// The ids of the sections, in their order.
    public private(set) var sectionIDs: [UInt64] = []
    /// What the sections show besides their rows, as numbers.
    public private(set) var sectionRevisions: [UInt64] = []
    /// The ids of the rows, section after section.
    public private(set) var rowIDs: [UInt64] = []
    /// What the rows show, as numbers.
    public private(set) var rowRevisions: [UInt64] = []
    /// Where the rows of each section end.
    private var rowEnds: [Int] = []

    /// Creates the digest of an empty list.
    ///
    /// - Parameters:
    ///   - sections: Sections to reserve memory for.
    ///   - rows: Rows to reserve memory for.
    public init(expectedSections sections: Int = 0, expectedRows rows: Int = 0) {
        sectionIDs.reserveCapacity(sections)
        sectionRevisions.reserveCapacity(sections)
        rowEnds.reserveCapacity(sections)
        rowIDs.reserveCapacity(rows)
        rowRevisions.reserveCapacity(rows)
    }

    /// Begins a section behind the others.
    public mutating func beginSection(_ id: UInt64, revision: UInt64 = 0) {
        sectionIDs.append(id)
        sectionRevisions.append(revision)
        rowEnds.append(rowIDs.count)
    }

    /// Appends a row to the section that was begun last; without one, to a section 0.
    public mutating func appendRow(_ id: UInt64, revision: UInt64 = 0) {
        if rowEnds.isEmpty { beginSection(0) }
        rowIDs.append(id)
        rowRevisions.append(revision)
        rowEnds[rowEnds.count - 1] += 1
    }

    /// Appends rows to the section that was begun last; without one, to a section 0.
    ///
    /// - Parameters:
    ///   - ids: The ids of the rows.
    ///   - revisions: What they show, as many as there are ids; nil takes 0 for each.
    public mutating func appendRows(_ ids: [UInt64], revisions: [UInt64]? = nil) {
        precondition(
            revisions == nil || revisions?.count == ids.count,
            "\(revisions?.count ?? 0) revisions for \(ids.count) rows"
        )
        if rowEnds.isEmpty { beginSection(0) }
        rowIDs += ids
        rowRevisions += revisions ?? Array(repeating: 0, count: ids.count)
        rowEnds[rowEnds.count - 1] += ids.count
    }

    /// Where the rows of a section stand, counted through all sections.
    ///
    /// - Parameter section: The position of a section there is.
    /// - Returns: The places of its rows.
    public func rows(ofSection section: Int) -> Range<Int> {
        (section == 0 ? 0 : rowEnds[section - 1])..<rowEnds[section]
    }

    /// The section of a row that there is, counted through all sections.
    ///
    /// - Complexity: O(log sections).
    func section(ofRow row: Int) -> Int {
        var low = 0
        var high = rowEnds.count
        while low < high {
            let middle = (low + high) / 2
            if rowEnds[middle] <= row { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The rows of each section, counted.
    var rowCounts: [Int] { sectionIDs.indices.map { rows(ofSection: $0).count } }
}

/// The names of sections and rows that a ``ListDigest`` knows as numbers.
public protocol DigestNames {
    /// The id of a section.
    func sectionID(at index: Int) -> SectionID
    /// The id of a row, counted through all sections.
    func rowID(at index: Int) -> String
}

extension ListDigest: DigestNames {
    /// The number of the section, in decimal.
    public func sectionID(at index: Int) -> SectionID { SectionID("\(sectionIDs[index])") }

    /// The number of the row, in decimal.
    public func rowID(at index: Int) -> String { "\(rowIDs[index])" }
}

/// Names for whom places are enough.
struct Nameless: DigestNames {
    func sectionID(at index: Int) -> SectionID { "" }

    func rowID(at index: Int) -> String { "" }
}
