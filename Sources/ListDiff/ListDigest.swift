public import Listings

/// The sections and rows of a list in their order, reduced to numbers.
///
/// A row takes 16 bytes: its id and a revision, in columns. A revision is any number that changes
/// with the contents, such as a counter, time or hash. Row ids are unique in the list, section ids
/// among the sections. Repeats are neither refused nor lost, see ``ListDiffer``.
public struct ListDigest: Hashable, Sendable {
    /// The ids of the sections, in their order.
    public private(set) var sectionIDs: [UInt64] = []
    /// The revisions of the sections, without their rows.
    public private(set) var sectionRevisions: [UInt64] = []
    /// The ids of the rows, section after section.
    public private(set) var rowIDs: [UInt64] = []
    /// The revisions of the rows.
    public private(set) var rowRevisions: [UInt64] = []
    /// The end of each section's rows.
    private var rowEnds: [Int] = []

    /// Creates the digest of an empty list.
    ///
    /// - Parameters:
    ///   - sections: The number of sections to reserve memory for.
    ///   - rows: The number of rows to reserve memory for.
    public init(expectedSections sections: Int = 0, expectedRows rows: Int = 0) {
        sectionIDs.reserveCapacity(sections)
        sectionRevisions.reserveCapacity(sections)
        rowEnds.reserveCapacity(sections)
        rowIDs.reserveCapacity(rows)
        rowRevisions.reserveCapacity(rows)
    }

    /// Begins a section after the others.
    public mutating func beginSection(_ id: UInt64, revision: UInt64 = 0) {
        sectionIDs.append(id)
        sectionRevisions.append(revision)
        rowEnds.append(rowIDs.count)
    }

    /// Appends a row to the last section.
    ///
    /// Without a section, it begins section 0.
    public mutating func appendRow(_ id: UInt64, revision: UInt64 = 0) {
        if rowEnds.isEmpty { beginSection(0) }
        rowIDs.append(id)
        rowRevisions.append(revision)
        rowEnds[rowEnds.count - 1] += 1
    }

    /// Appends rows to the last section.
    ///
    /// Without a section, it begins section 0.
    ///
    /// - Parameters:
    ///   - ids: The ids of the rows.
    ///   - revisions: The revisions, one for each id; nil takes 0 for each.
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

    /// The positions of a section's rows, counted through all sections.
    ///
    /// - Parameter section: The position of an existing section.
    /// - Returns: The positions of its rows.
    public func rows(ofSection section: Int) -> Range<Int> {
        (section == 0 ? 0 : rowEnds[section - 1])..<rowEnds[section]
    }

    /// The section of an existing row, counted through all sections.
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

    /// The number of rows of each section.
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

/// Empty names, for callers that only need positions.
struct Nameless: DigestNames {
    func sectionID(at index: Int) -> SectionID { "" }

    func rowID(at index: Int) -> String { "" }
}
