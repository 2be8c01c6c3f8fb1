extension ListDiffer {
    /// Finds how sections of any models became others.
    ///
    /// - Parameters:
    ///   - old: The sections before, each with the rows it shows.
    ///   - new: The sections after.
    ///   - uniqueness: Whether repeated ids are looked for.
    ///   - limit: The most changes worth telling; nil takes half of the rows, at least 1,000.
    ///   - id: Names a model; models of one name are the same row.
    ///   - isEqual: Whether two models of one name show the same.
    /// - Returns: The steps, or a reload when they are more than the limit.
    /// - Complexity: O(rows) to name and to compare them.
    @inlinable
    public mutating func difference<Model, ID: Hashable & CustomStringConvertible>(
        from old: [(section: SectionInfo, rows: [Model])],
        to new: [(section: SectionInfo, rows: [Model])],
        uniqueness: Uniqueness = .trusted,
        limit: Int? = nil,
        id: (Model) -> ID,
        isEqual: (Model, Model) -> Bool
    ) -> ListDifference {
        // Inlinable: for models that the compiler knows, an id is hashed in a fifth of the time.
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
            // Ids that share a hash are told apart by numbers, which takes a dictionary.
            var numbers = Numbering<ID>()
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

/// Sections of models, with the names of these.
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

    /// The models in numbers.
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
