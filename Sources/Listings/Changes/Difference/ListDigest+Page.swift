extension ListDigest {
    /// What a client holds that was given a page: 16 bytes for each row and each section.
    ///
    /// - Parameters:
    ///   - page: A page that was ended.
    ///   - seed: Chosen once for all digests that are compared; others cannot make rows look alike
    ///     that do not know it.
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
    /// Finds how the page that a client holds became the page that it would get now.
    ///
    /// A reload is told when more than half of the rows changed, for then reading the page again is
    /// less; up to eight changes are always told.
    ///
    /// - Parameters:
    ///   - window: What the client holds.
    ///   - page: A page that was ended.
    ///   - seed: The seed of the window.
    /// - Returns: The steps; rows that go and whose ids are longer than a digest remembers have the
    ///   id "".
    /// - Complexity: O(cells of the page + rows of the window), however long the list.
    public mutating func difference(
        from window: ListDigest,
        to page: borrowing Page,
        seed: UInt64
    ) -> ListDifference {
        difference(from: window, longIDs: [:], to: page, seed: seed)
    }

    /// Finds the difference as ``difference(from:to:seed:)`` does, where the ids that the window's
    /// digest knows as hashes are given by these.
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

/// The names of what a client holds, as far as its digest and its token remember them.
private struct HeldNames: DigestNames {
    let window: ListDigest
    let longIDs: [UInt64: String]

    func sectionID(at index: Int) -> SectionID { SectionID(id(of: window.sectionIDs[index])) }

    func rowID(at index: Int) -> String { id(of: window.rowIDs[index]) }

    private func id(of number: UInt64) -> String {
        IDNumber.id(of: number) ?? longIDs[number] ?? ""
    }
}

/// The names of what is on a page.
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
