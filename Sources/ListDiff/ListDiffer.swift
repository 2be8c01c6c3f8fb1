public import Listings

/// A differ that finds the fewest moves between two states of a list.
///
/// Its steps can be passed to `performBatchUpdates`. It compares columns of numbers and looks up
/// only misaligned rows by id. It reuses its memory, so one differ for each task is enough.
///
/// No input causes a trap: repeated ids are paired in their order.
public struct ListDiffer: ~Copyable {
    /// Whether repeated ids are searched.
    public enum Uniqueness: Sendable {
        /// They are not searched, because the caller guarantees unique ids.
        case trusted
        /// They are searched in the new state and named, with one table access for each row.
        case checked
    }

    private var walk = SequenceMatcher()
    private var pairing = IDPairing()
    private var order = RowOrdering()
    private var plan = DifferencePlan()
    /// Up to each section of the new state.
    private var runEnds: [Int] = []
    /// Up to each section of the old state.
    private var looseOldEnds: [Int] = []

    /// Creates a differ.
    public init() {}

    /// Finds the difference between two states without names.
    ///
    /// Every id in it is empty.
    ///
    /// - Parameters:
    ///   - old: The state before.
    ///   - new: The state after.
    ///   - uniqueness: Whether repeated ids are searched.
    ///   - limit: The most changes before a reload; nil takes half of the rows, at least 1,000.
    /// - Returns: The steps, or a reload when they exceed the limit.
    /// - Complexity: O(rows) to compare, and O(m log m) for the m misaligned rows.
    public mutating func difference(
        from old: ListDigest,
        to new: ListDigest,
        uniqueness: Uniqueness = .trusted,
        limit: Int? = nil
    ) -> ListDifference {
        difference(
            from: old,
            named: Nameless(),
            to: new,
            named: Nameless(),
            uniqueness: uniqueness,
            limit: limit
        )
    }

    /// Finds the difference between two states.
    ///
    /// - Parameters:
    ///   - old: The state before.
    ///   - oldNames: The names of the old sections and rows, read for deletions.
    ///   - new: The state after.
    ///   - newNames: The names of the new sections and rows, read for insertions, moves and
    ///     changes.
    ///   - uniqueness: Whether repeated ids are searched.
    ///   - limit: The most changes before a reload; nil takes half of the rows, at least 1,000.
    ///   - hasChanged: Whether a row changed, given its positions in both states, counted through
    ///     all sections. It is called for every pair; nil compares revisions.
    /// - Returns: The steps, or a reload when they exceed the limit.
    /// - Complexity: O(rows) to compare, and O(m log m) for the m misaligned rows.
    public mutating func difference(
        from old: ListDigest,
        named oldNames: any DigestNames,
        to new: ListDigest,
        named newNames: any DigestNames,
        uniqueness: Uniqueness = .trusted,
        limit: Int? = nil,
        hasChanged: ((Int, Int) -> Bool)? = nil
    ) -> ListDifference {
        let rowCount = max(old.rowIDs.count, new.rowIDs.count)
        let limit = limit ?? max(1_000, rowCount / 2)
        var kind = ChangeBatch.Kind.reload
        var toSend: (rows: [Int], sections: [Int]) = ([], [])
        if rowCount < Int(Int32.max) {
            pairSections(old, new)
            pairRows(old, new)
            sortSections(old, new)
            if sortRows(old, new, limit: limit, hasChanged) {
                let states = DifferencePlan.States(
                    old: old,
                    oldNames: oldNames,
                    new: new,
                    newNames: newNames
                )
                kind = .stages(plan.stages(states))
                toSend = (plan.rowsToSend(new), plan.sectionsToSend)
            }
        }
        var repeats: (sections: [Int], rows: [Int]) = ([], [])
        if uniqueness == .checked {
            repeats.sections = pairing.repeats(in: new.sectionIDs.span)
            repeats.rows = pairing.repeats(in: new.rowIDs.span)
        }
        return ListDifference(
            kind: kind,
            rowsToSend: toSend.rows,
            sectionsToSend: toSend.sections,
            repeatedSections: repeats.sections.map { newNames.sectionID(at: $0) },
            repeatedRows: repeats.rows.map { newNames.rowID(at: $0) }
        )
    }

    // MARK: - Pairing

    private mutating func pairSections(_ old: ListDigest, _ new: ListDigest) {
        plan.removeAll()
        guard old.sectionIDs != new.sectionIDs else {
            plan.oldSections.appendLocations(new.sectionIDs.indices)
            plan.newSections.appendLocations(new.sectionIDs.indices)
            return
        }
        pairing.removeAll()
        pairing.old.appendLocations(old.sectionIDs.indices)
        pairing.new.appendLocations(new.sectionIDs.indices)
        pairing.pair(old.sectionIDs.span, new.sectionIDs.span)
        plan.newSections.fill(old.sectionIDs.count, with: -1)
        for (index, partner) in pairing.partners.enumerated() {
            plan.oldSections.append(partner)
            if partner >= 0 { plan.newSections[Int(partner)] = Int32(truncatingIfNeeded: index) }
        }
    }

    /// Aligns the sections that stay, and pairs misaligned rows by id.
    private mutating func pairRows(_ old: ListDigest, _ new: ListDigest) {
        walk.removeAll()
        runEnds.removeAll(keepingCapacity: true)
        for (section, partner) in plan.oldSections.enumerated() {
            if partner >= 0 {
                walk.align(
                    old.rowIDs.span,
                    old.rows(ofSection: Int(partner)),
                    new.rowIDs.span,
                    new.rows(ofSection: section)
                )
            }
            runEnds.append(walk.runs.count)
        }
        pairing.removeAll()
        looseOldEnds.removeAll(keepingCapacity: true)
        for section in plan.newSections.indices {
            var row = old.rows(ofSection: section).lowerBound
            let partner = Int(plan.newSections[section])
            if partner >= 0 {
                for index in runs(of: partner) {
                    let run = walk.runs[index].oldRows
                    pairing.old.appendLocations(row..<run.lowerBound)
                    row = run.upperBound
                }
            }
            pairing.old.appendLocations(row..<old.rows(ofSection: section).upperBound)
            looseOldEnds.append(pairing.old.count)
        }
        for section in plan.oldSections.indices {
            var row = new.rows(ofSection: section).lowerBound
            for index in runs(of: section) {
                let run = walk.runs[index].newRows
                pairing.new.appendLocations(row..<run.lowerBound)
                row = run.upperBound
            }
            pairing.new.appendLocations(row..<new.rows(ofSection: section).upperBound)
        }
        pairing.pair(old.rowIDs.span, new.rowIDs.span)
    }

    private func runs(of section: Int) -> Range<Int> {
        (section == 0 ? 0 : runEnds[section - 1])..<runEnds[section]
    }

    // MARK: - Sorting

    private mutating func sortSections(_ old: ListDigest, _ new: ListDigest) {
        order.begin(old.sectionIDs.indices)
        for (section, partner) in plan.oldSections.enumerated() {
            plan.isMoved.append(false)
            guard partner >= 0 else {
                plan.changedSections += 1
                continue
            }
            order.append(MatchedRun(old: Int(partner), new: section, count: 1))
            if old.sectionRevisions[Int(partner)] != new.sectionRevisions[section] {
                plan.headers.append(Int32(truncatingIfNeeded: section))
            }
        }
        for partner in plan.newSections where partner < 0 { plan.changedSections += 1 }
        order.findMoved()
        for (index, run) in order.runs.enumerated() where order.isMoved(index) {
            for section in run.newRows { plan.isMoved[section] = true }
            plan.changedSections += Int(run.count)
        }
    }

    /// False if the changes exceed the limit.
    private mutating func sortRows(
        _ old: ListDigest,
        _ new: ListDigest,
        limit: Int,
        _ hasChanged: ((Int, Int) -> Bool)?
    ) -> Bool {
        var loose = 0
        for section in plan.oldSections.indices {
            let partner = Int(plan.oldSections[section])
            order.begin(partner < 0 ? 0..<0 : old.rows(ofSection: partner))
            var row = new.rows(ofSection: section).lowerBound
            for index in runs(of: section) {
                let run = walk.runs[index]
                sortLoose(loose, row..<Int(run.new), section)
                loose += Int(run.new) - row
                row = run.newRows.upperBound
                order.append(run)
            }
            let end = new.rows(ofSection: section).upperBound
            sortLoose(loose, row..<end, section)
            loose += end - row
            order.findMoved()
            guard sortOrdered(old, new, partner, section, limit: limit, hasChanged) else {
                return false
            }
            if partner >= 0 { sortLeaving(partner) }
        }
        return plan.changeCount <= limit
    }

    /// Groups misaligned rows of the new state.
    ///
    /// `first` is the index of the first row among the rows to pair.
    private mutating func sortLoose(_ first: Int, _ rows: Range<Int>, _ section: Int) {
        let isComing = plan.oldSections[section] < 0
        for row in rows {
            let partner = Int(pairing.partners[first + row - rows.lowerBound])
            if partner >= 0 {
                order.append(MatchedRun(old: partner, new: row, count: 1))
            } else if isComing {
                plan.broughtRows += 1
            } else {
                plan.inserts.append(DifferencePlan.Row(section: section, row: row))
            }
        }
    }

    /// Adds the rows that leave a section of the old state that stays.
    private mutating func sortLeaving(_ section: Int) {
        let first = section == 0 ? 0 : looseOldEnds[section - 1]
        for index in first..<looseOldEnds[section] where !pairing.isPaired[index] {
            plan.deletes.append(DifferencePlan.Row(section: section, row: Int(pairing.old[index])))
        }
    }

    /// Groups the rows that a section of the new state shares with the old state.
    private mutating func sortOrdered(
        _ old: ListDigest,
        _ new: ListDigest,
        _ partner: Int,
        _ section: Int,
        limit: Int,
        _ hasChanged: ((Int, Int) -> Bool)?
    ) -> Bool {
        for index in order.runs.indices {
            let run = order.runs[index]
            var isBrought = false
            if order.isMoved(index) {
                let from = order.isForeign(index) ? old.section(ofRow: Int(run.old)) : partner
                // Whether the old section is deleted and the new section is inserted.
                isBrought = partner < 0 && plan.newSections[from] < 0
                if isBrought {
                    plan.broughtRows += Int(run.count)
                } else {
                    plan.move(run, from: from, to: section)
                }
            }
            if let hasChanged {
                for offset in 0..<Int(run.count)
                where hasChanged(Int(run.old) + offset, Int(run.new) + offset) && !isBrought {
                    plan.reload(Int(run.new) + offset, section)
                }
            } else if !isBrought {
                compareRevisions(old.rowRevisions.span, new.rowRevisions.span, run, section)
            }
            guard plan.moves.count + plan.reloads.count <= limit else { return false }
        }
        return true
    }

    private mutating func compareRevisions(
        _ old: Span<UInt64>,
        _ new: Span<UInt64>,
        _ run: MatchedRun,
        _ section: Int
    ) {
        let end = run.oldRows.upperBound
        let shift = Int(run.new) - Int(run.old)
        var row = Int(run.old)
        while true {
            row += old.equalCount(from: row, new, from: row + shift, limit: end - row)
            guard row < end else { return }
            plan.reload(row + shift, section)
            row += 1
        }
    }
}

extension [Int32] {
    fileprivate mutating func appendLocations(_ locations: Range<Int>) {
        append(addingCapacity: locations.count) { output in
            for location in locations { output.append(Int32(truncatingIfNeeded: location)) }
        }
    }
}

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

/// A numbering that maps each key to its own number.
@usableFromInline
package struct Interner<Key: Hashable> {
    @usableFromInline var numbers: [Key: UInt64] = [:]

    @inlinable
    package init() {}

    @inlinable
    package mutating func number(of key: Key) -> UInt64 {
        let next = UInt64(numbers.count)
        let number = numbers[key, default: next]
        if number == next { numbers[key] = next }
        return number
    }
}

/// A numbering of section ids and section descriptions.
@usableFromInline
package struct SectionNumbering {
    private var ids = Interner<SectionID>()
    private var descriptions = Interner<SectionInfo>()

    @usableFromInline
    package init() {}

    @usableFromInline
    package mutating func begin(_ info: SectionInfo, in digest: inout ListDigest) {
        let revision = descriptions.number(of: info)
        digest.beginSection(ids.number(of: info.id), revision: revision)
    }
}
