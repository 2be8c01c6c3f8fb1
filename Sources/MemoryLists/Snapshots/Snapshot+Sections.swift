public import Listings

extension Snapshot {
    // MARK: - Putting in

    /// Appends a section.
    ///
    /// - Complexity: O(log n + models of checked runs).
    ///
    /// - Throws: ``DataSourceError/duplicateSection(_:first:second:)``,
    ///   ``DataSourceError/duplicateID(_:first:second:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func append(_ section: Section) throws(DataSourceError) {
        try insert(section, at: sectionCount)
    }

    /// Appends sections.
    ///
    /// - Complexity: O(sections · log n + models of checked runs).
    ///
    /// - Throws: The errors of ``append(_:)-(Section)``; no section was appended then.
    public mutating func append(contentsOf sections: [Section]) throws(DataSourceError) {
        try attempt { (copy) throws(DataSourceError) in
            for section in sections { try copy.append(section) }
        }
    }

    /// Inserts a section before the one at a position, or appends it at the section count.
    ///
    /// - Complexity: O(log n + models of checked runs).
    ///
    /// - Throws: ``DataSourceError/sectionOutOfBounds(_:)``,
    ///   ``DataSourceError/duplicateSection(_:first:second:)``,
    ///   ``DataSourceError/duplicateID(_:first:second:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func insert(_ section: Section, at index: Int) throws(DataSourceError) {
        guard index >= 0, index <= sectionCount else { throw .sectionOutOfBounds(index) }
        let id = section.info.id
        if let known = sectionIndex(of: id) {
            let moved = known >= index ? known + 1 : known
            throw .duplicateSection(id, first: min(moved, index), second: max(moved, index))
        }
        try attempt { (copy) throws(DataSourceError) in
            copy.putSection(section.info, at: index, rows: RowRope())
            copy.log?.touchedSection(id) { $0.hasOtherRows = true }
            for run in section.runs {
                let path = IndexPath(section: index, row: try copy.node(at: index).rows.count)
                try copy.insert([run.storage], at: path, isLogged: false)
            }
        }
    }

    /// Inserts a section before another one.
    ///
    /// - Complexity: O(log n + models of checked runs).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``, or the errors of
    ///   ``insert(_:at:)-(Section,_)``.
    public mutating func insert(
        _ section: Section,
        before id: SectionID
    ) throws(DataSourceError) {
        try insert(section, at: position(of: id))
    }

    /// Inserts a section after another one.
    ///
    /// - Complexity: O(log n + models of checked runs).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``, or the errors of
    ///   ``insert(_:at:)-(Section,_)``.
    public mutating func insert(
        _ section: Section,
        after id: SectionID
    ) throws(DataSourceError) {
        try insert(section, at: position(of: id) + 1)
    }

    // MARK: - Taking out

    /// Removes the section at a position, with its rows.
    ///
    /// - Complexity: O(log n + models of checked runs).
    ///
    /// - Returns: The section's id.
    /// - Throws: ``DataSourceError/sectionOutOfBounds(_:)`` or ``DataSourceError/unreadable(_:)``.
    @discardableResult
    public mutating func removeSection(at index: Int) throws(DataSourceError) -> SectionID {
        let node = try node(at: index)
        try forget(0..<node.rows.count, of: node)
        let (left, right) = sections.split { before, _ in before.elements >= index }
        sections = left.joined(with: right.droppingFirst())
        sectionLabels.removeValue(for: node.info.id)
        log?.touchedSection(node.info.id) { $0.hasOtherRows = true }
        return node.info.id
    }

    /// Removes a section with its rows.
    ///
    /// - Complexity: O(log n + models of checked runs).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func removeSection(_ id: SectionID) throws(DataSourceError) {
        try removeSection(at: position(of: id))
    }

    /// Removes sections with their rows.
    ///
    /// Duplicates are ignored.
    ///
    /// - Throws: The errors of ``removeSection(_:)``; no section was removed then.
    public mutating func removeSections(_ ids: [SectionID]) throws(DataSourceError) {
        try removeSections(at: ids.map { (id) throws(DataSourceError) in try position(of: id) })
    }

    /// Removes the sections at positions, with their rows.
    ///
    /// Duplicates are ignored.
    ///
    /// - Returns: The ids of the sections, in their order in the list.
    /// - Throws: The errors of ``removeSection(at:)``; no section was removed then.
    @discardableResult
    public mutating func removeSections(
        at indexes: [Int]
    ) throws(DataSourceError) -> [SectionID] {
        try attempt { (copy) throws(DataSourceError) in
            var ids: [SectionID] = []
            for index in Set(indexes).sorted(by: >) {
                ids.append(try copy.removeSection(at: index))
            }
            return ids.reversed()
        }
    }

    /// Removes all sections.
    ///
    /// - Returns: The number of sections.
    /// - Throws: ``DataSourceError/unreadable(_:)``; no section was removed then.
    @discardableResult
    public mutating func removeAllSections() throws(DataSourceError) -> Int {
        try removeSections(at: Array(0..<sectionCount)).count
    }

    /// Removes the sections that have no models.
    ///
    /// - Complexity: O(sections).
    ///
    /// - Returns: The ids of the sections, in their order in the list.
    @discardableResult
    public mutating func removeEmptySections() throws(DataSourceError) -> [SectionID] {
        var empty: [Int] = []
        sections.visit { before, node in
            if node.rows.count == 0 { empty.append(before.elements) }
            return true
        }
        return try removeSections(at: empty)
    }

    // MARK: - Moving

    /// Moves a section.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Parameters:
    ///   - source: The position of the section.
    ///   - target: The position after the move, counted without the section.
    /// - Throws: ``DataSourceError/sectionOutOfBounds(_:)``.
    public mutating func moveSection(
        from source: Int,
        to target: Int
    ) throws(DataSourceError) {
        let node = try node(at: source)
        guard target >= 0, target < sectionCount else { throw .sectionOutOfBounds(target) }
        guard source != target else { return }
        let (left, right) = sections.split { before, _ in before.elements >= source }
        sections = left.joined(with: right.droppingFirst())
        putSection(node.info, at: target, rows: node.rows)
        log?.touchedSection(node.info.id)
    }

    /// Moves a section before another one.
    ///
    /// Moving it before itself has no effect.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``.
    public mutating func moveSection(
        _ id: SectionID,
        before other: SectionID
    ) throws(DataSourceError) {
        let (source, target) = (try position(of: id), try position(of: other))
        try moveSection(from: source, to: source < target ? target - 1 : target)
    }

    /// Moves a section after another one.
    ///
    /// Moving it after itself has no effect.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``.
    public mutating func moveSection(
        _ id: SectionID,
        after other: SectionID
    ) throws(DataSourceError) {
        let (source, target) = (try position(of: id), try position(of: other))
        try moveSection(from: source, to: source > target ? target + 1 : target)
    }

    /// Swaps two sections.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/sectionOutOfBounds(_:)``.
    public mutating func swapSections(at first: Int, with second: Int) throws(DataSourceError) {
        let (low, high) = (min(first, second), max(first, second))
        try attempt { (copy) throws(DataSourceError) in
            try copy.moveSection(from: high, to: low)
            if low != high { try copy.moveSection(from: low + 1, to: high) }
        }
    }

    // MARK: - Changing

    /// Replaces a section.
    ///
    /// If the id is the same, the section stays and its rows are replaced. Otherwise the old
    /// section is removed and the new one inserted. O(log n + models of checked runs).
    ///
    /// - Throws: ``DataSourceError/sectionOutOfBounds(_:)``, or the errors of
    ///   ``insert(_:at:)-(Section,_)``.
    public mutating func replaceSection(
        at index: Int,
        with section: Section
    ) throws(DataSourceError) {
        let old = try node(at: index)
        try attempt { (copy) throws(DataSourceError) in
            try copy.removeSection(at: index)
            try copy.insert(section, at: index)
            guard old.info.id == section.info.id else { return }
            copy.log?.touchedSection(section.info.id) {
                $0.isDescribedAnew = $0.isDescribedAnew || old.info != section.info
            }
            // The label stays, so that cursors and the order of sections remain valid.
            try copy.changeSection(at: index) { $0.label = old.label }
            copy.sectionLabels.set(old.label, for: old.info.id)
        }
    }

    /// Replaces the section that has an id.
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``, or the errors of
    ///   ``replaceSection(at:with:)``.
    public mutating func replaceSection(
        _ id: SectionID,
        with section: Section
    ) throws(DataSourceError) {
        try replaceSection(at: position(of: id), with: section)
    }

    /// Replaces the description of the section with the same id: its header, footer and index
    /// title, and whether its rows are hidden.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``.
    public mutating func describeSection(_ info: SectionInfo) throws(DataSourceError) {
        let index = try position(of: info.id)
        let old = try node(at: index).info
        guard old != info else { return }
        try changeSection(at: index) { $0.info = info }
        log?.touchedSection(info.id) {
            $0.isDescribedAnew = true
            $0.hasOtherRows = $0.hasOtherRows || old.isCollapsed != info.isCollapsed
        }
    }

    /// Hides the rows of a section.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``.
    public mutating func collapseSection(_ id: SectionID) throws(DataSourceError) {
        var info = try section(id)
        info.isCollapsed = true
        try describeSection(info)
    }

    /// Shows the rows of a section.
    ///
    /// - Complexity: O(log sections).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)``.
    public mutating func expandSection(_ id: SectionID) throws(DataSourceError) {
        var info = try section(id)
        info.isCollapsed = false
        try describeSection(info)
    }

    /// Marks sections as changed, so that their headers, footers and rows are rendered again.
    ///
    /// - Complexity: O(models).
    ///
    /// - Throws: ``DataSourceError/unknownSection(_:)`` or ``DataSourceError/unreadable(_:)``.
    public mutating func reloadSections(_ ids: [SectionID]) throws(DataSourceError) {
        try attempt { (copy) throws(DataSourceError) in
            for id in ids {
                let node = try copy.node(at: copy.position(of: id))
                copy.log?.touchedSection(id) { $0.isDescribedAnew = true }
                try copy.logChanges(0..<node.rows.count, of: node, .reload)
            }
        }
    }

    // MARK: - Nodes

    private mutating func putSection(_ info: SectionInfo, at index: Int, rows: RowRope) {
        let (left, right) = sections.split { before, _ in before.elements >= index }
        let label = sectionSpace.labels(
            1,
            between: left.last?.label,
            and: right.first?.label,
            serial: nextSerial()
        )
        sections = left.joined(SectionNode(info: info, label: label, rows: rows), right)
        sectionLabels.set(label, for: info.id)
    }
}
