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
    public mutating func difference<Model, ID: Hashable & CustomStringConvertible>(
        from old: [(section: SectionInfo, rows: [Model])],
        to new: [(section: SectionInfo, rows: [Model])],
        uniqueness: Uniqueness = .trusted,
        limit: Int? = nil,
        id: (Model) -> ID,
        isEqual: (Model, Model) -> Bool
    ) -> ListDifference {
        var numbering = IDNumbering<ID>()
        let before = NamedDigest(of: old, &numbering, id)
        let after = NamedDigest(of: new, &numbering, id)
        let oldRows = old.flatMap(\.rows)
        let newRows = new.flatMap(\.rows)
        return withoutActuallyEscaping(isEqual) { isEqual in
            difference(
                from: before.numbers,
                named: before,
                to: after.numbers,
                named: after,
                uniqueness: uniqueness,
                limit: limit
            ) { !isEqual(oldRows[$0], newRows[$1]) }
        }
    }
}

extension NamedDigest {
    fileprivate init<Model>(
        of sections: [(section: SectionInfo, rows: [Model])],
        _ numbering: inout IDNumbering<ID>,
        _ id: (Model) -> ID
    ) {
        self.init()
        for (section, models) in sections {
            beginSection(section, &numbering)
            for model in models { appendRow(id(model), &numbering) }
        }
    }
}
