public import Listings

extension ListDiffer {
    /// Finds the difference between two lists of sections with any models.
    ///
    /// - Parameters:
    ///   - old: The old sections with their shown rows.
    ///   - new: The new sections with their shown rows.
    ///   - uniqueness: Whether repeated ids are searched.
    ///   - limit: The most changes before a reload; nil takes half of the rows, at least 1,000.
    ///   - id: Returns the id of a model. Models with the same id are the same row.
    ///   - isEqual: Whether two models with the same id show the same.
    /// - Returns: The steps, or a reload when they exceed the limit.
    /// - Complexity: O(rows).
    @inlinable
    public mutating func difference<Model, ID: Hashable & CustomStringConvertible>(
        from old: [(section: SectionInfo, rows: [Model])],
        to new: [(section: SectionInfo, rows: [Model])],
        uniqueness: Uniqueness = .trusted,
        limit: Int? = nil,
        id: (Model) -> ID,
        isEqual: (Model, Model) -> Bool
    ) -> ListDifference {
        // Inlinable, so that the compiler can specialize the hashing of ids.
        let before = NamedModels(old, id)
        let after = NamedModels(new, id)
        var sections = SectionNumbering()
        return withoutActuallyEscaping(isEqual) { isEqual in
            if uniqueness == .trusted {
                var isMistaken = false
                let difference = difference(
                    from: before.digest(&sections) { UInt64(bitPattern: Int64($0.hashValue)) },
                    named: before,
                    to: after.digest(&sections) { UInt64(bitPattern: Int64($0.hashValue)) },
                    named: after,
                    limit: limit
                ) { oldRow, newRow in
                    if before.ids[oldRow] != after.ids[newRow] { isMistaken = true }
                    return !isEqual(before.models[oldRow], after.models[newRow])
                }
                if !isMistaken { return difference }
            }
            // Numbers distinguish ids with equal hashes, but they need a dictionary.
            var numbers = Interner<ID>()
            let oldDigest = before.digest(&sections) { numbers.number(of: $0) }
            let newDigest = after.digest(&sections) { numbers.number(of: $0) }
            return difference(
                from: oldDigest,
                named: before,
                to: newDigest,
                named: after,
                uniqueness: uniqueness,
                limit: limit
            ) { !isEqual(before.models[$0], after.models[$1]) }
        }
    }
}

/// Sections of models with the ids of the models.
@usableFromInline
struct NamedModels<Model, ID: Hashable & CustomStringConvertible>: DigestNames {
    @usableFromInline let models: [Model]
    @usableFromInline let ids: [ID]
    @usableFromInline let sections: [(section: SectionInfo, rows: [Model])]

    @inlinable
    init(_ sections: [(section: SectionInfo, rows: [Model])], _ id: (Model) -> ID) {
        self.sections = sections
        models = sections.count == 1 ? sections[0].rows : sections.flatMap(\.rows)
        ids = models.map(id)
    }

    /// The digest of the models.
    @inlinable
    func digest(_ numbering: inout SectionNumbering, _ number: (ID) -> UInt64) -> ListDigest {
        var digest = ListDigest(expectedSections: sections.count, expectedRows: ids.count)
        var row = 0
        for (info, models) in sections {
            numbering.begin(info, in: &digest)
            digest.appendRows(ids[row..<row + models.count].map(number))
            row += models.count
        }
        return digest
    }

    @usableFromInline
    func sectionID(at index: Int) -> SectionID { sections[index].section.id }

    @inlinable
    func rowID(at index: Int) -> String { ids[index].description }
}
