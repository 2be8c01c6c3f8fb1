public import Listings

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

/// The names of a client's page, from its digest and its token.
private struct HeldNames: DigestNames {
    let window: ListDigest
    let longIDs: [UInt64: String]

    func sectionID(at index: Int) -> SectionID { SectionID(id(of: window.sectionIDs[index])) }

    func rowID(at index: Int) -> String { id(of: window.rowIDs[index]) }

    private func id(of number: UInt64) -> String {
        IDNumber.id(of: number) ?? longIDs[number] ?? ""
    }
}

/// The names of the sections and rows of a page.
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
