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

    /// O(log sections).
    func section(ofRow row: Int) -> Int {
        var low = 0
        var high = rowEnds.count
        while low < high {
            let middle = (low + high) / 2
            if rowEnds[middle] <= row { low = middle + 1 } else { high = middle }
        }
        return low
    }

    var rowCounts: [Int] { sectionIDs.indices.map { rows(ofSection: $0).count } }
}

/// The names of sections and rows that a ``ListDigest`` knows as numbers.
public protocol DigestNames {
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

extension ListDigest {
    /// Creates the digest of a page, with 16 bytes for each row and each section.
    ///
    /// - Parameters:
    ///   - page: A page that was ended.
    ///   - seed: The seed of all digests that are compared. A secret seed prevents forged
    ///     collisions.
    /// - Complexity: O(cells).
    public init(of page: borrowing Page, seed: UInt64) {
        self.init(expectedSections: page.sections.count, expectedRows: page.rowCount)
        let kinds = page.hashesOfKinds(seed: seed)
        for (index, section) in page.sections.enumerated() {
            let name = SectionName(section.info, seed: seed)
            beginSection(
                name.number,
                revision: page.contentHash(ofSection: index, named: name)
            )
            for row in section.rows {
                appendRow(
                    page.withID(ofRow: row) { IDNumber.number(of: $0, seed: seed) },
                    revision: page.contentHash(ofRow: row, after: kinds)
                )
            }
        }
    }
}

extension ListDiffer {
    /// Finds the difference from the page that a client holds to the current page.
    ///
    /// The result is a reload when more than half of the rows and more than eight changed.
    ///
    /// - Parameters:
    ///   - window: The digest of the page that the client holds.
    ///   - page: A page that was ended.
    ///   - seed: The seed of the window.
    /// - Returns: The steps. Deleted rows whose ids are longer than a digest stores have the id "".
    /// - Complexity: O(cells of the page + rows of the window), whatever the length of the list.
    public mutating func difference(
        from window: ListDigest,
        to page: borrowing Page,
        seed: UInt64
    ) -> ListDifference {
        difference(from: window, longIDs: [:], to: page, seed: seed)
    }

    /// Finds the difference from the page that a token names to the current page.
    ///
    /// - Returns: As ``difference(from:to:seed:)``.
    /// - Complexity: O(cells of the page + rows of the window), whatever the length of the list.
    public mutating func difference(
        from token: PageDigest,
        to page: borrowing Page
    ) -> ListDifference {
        difference(
            from: token.digest,
            longIDs: token.longIDs,
            to: page,
            seed: WindowFormat.seed
        )
    }

    /// Finds the difference as ``difference(from:to:seed:)`` does, with the long ids by their
    /// hashes.
    mutating func difference(
        from window: ListDigest,
        longIDs: [UInt64: String],
        to page: borrowing Page,
        seed: UInt64
    ) -> ListDifference {
        let digest = ListDigest(of: page, seed: seed)
        let rowCount = max(window.rowIDs.count, digest.rowIDs.count)
        return difference(
            from: window,
            named: HeldNames(window: window, longIDs: longIDs),
            to: digest,
            named: PageNames(page),
            limit: max(8, rowCount / 2)
        )
    }
}

/// From the digest of the page and its token.
private struct HeldNames: DigestNames {
    let window: ListDigest
    let longIDs: [UInt64: String]

    func sectionID(at index: Int) -> SectionID { SectionID(id(of: window.sectionIDs[index])) }

    func rowID(at index: Int) -> String { id(of: window.rowIDs[index]) }

    private func id(of number: UInt64) -> String {
        IDNumber.id(of: number) ?? longIDs[number] ?? ""
    }
}

private struct PageNames: DigestNames {
    private let sections: [SectionID]
    private let rows: [String]

    init(_ page: borrowing Page) {
        sections = page.sections.map(\.info.id)
        var rows: [String] = []
        rows.reserveCapacity(page.rowCount)
        for row in 0..<page.rowCount { rows.append(page.id(ofRow: row)) }
        self.rows = rows
    }

    func sectionID(at index: Int) -> SectionID { sections[index] }

    func rowID(at index: Int) -> String { rows[index] }
}
