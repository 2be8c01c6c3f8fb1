public import ListDiff
public import Listings

extension DataSourceController {
    /// Inserts a section into the list, reported as a whole.
    ///
    /// - Parameters:
    ///   - section: The section. It is left out if its id exists, as are rows whose ids exist.
    ///   - index: The target position; nil or out of range appends.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
    @discardableResult
    public func add(
        section: Section,
        at index: Int? = nil,
        notice: Notice = .now
    ) -> ChangeBatch? {
        mutate(notice, telling: .whole) { (snapshot) throws(DataSourceError) in
            let count = snapshot.sectionCount
            let place = index.flatMap { (0...count).contains($0) ? $0 : nil } ?? count
            let fitting = try section.fitting(snapshot, reportLeftOut)
            try snapshot.insert(fitting, at: place)
            return true
        }
    }

    /// Replaces a section, reported as that section.
    ///
    /// A position out of range changes nothing.
    ///
    /// - Parameters:
    ///   - section: The section. The id of another section changes nothing.
    ///   - index: The position of the replaced section.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
    @discardableResult
    public func update(
        section: Section,
        at index: Int,
        notice: Notice = .now
    ) -> ChangeBatch? {
        guard let old = sectionInfo(at: index) else { return nil }
        return mutate(notice, telling: .section(index)) { (snapshot) throws(DataSourceError) in
            try snapshot.removeRows(in: old.id)
            let fitting = try section.fitting(snapshot, reportLeftOut)
            try snapshot.replaceSection(at: index, with: fitting)
            return true
        }
    }

    /// Sets the header, footer, index title and collapsed state of a section, reported as that
    /// section.
    ///
    /// A position out of range changes nothing.
    ///
    /// - Parameters:
    ///   - sectionData: The new values, except for the id, which stays.
    ///   - index: The position of the section.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
    @discardableResult
    public func update(
        sectionData: SectionInfo,
        at index: Int,
        notice: Notice = .now
    ) -> ChangeBatch? {
        guard let old = sectionInfo(at: index) else { return nil }
        let info = SectionInfo(
            old.id,
            header: sectionData.header,
            footer: sectionData.footer,
            indexTitle: sectionData.indexTitle,
            isCollapsed: sectionData.isCollapsed
        )
        return mutate(notice, telling: .section(index)) { (snapshot) throws(DataSourceError) in
            try snapshot.describeSection(info)
            return true
        }
    }

    /// Replaces all sections, reported as a whole.
    ///
    /// - Parameters:
    ///   - sections: The sections. The first of several sections or rows with the same id is used.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when the notification is deferred.
    @discardableResult
    public func update(allSections sections: [Section], notice: Notice = .now) -> ChangeBatch? {
        mutate(notice, telling: .whole) { (snapshot) throws(DataSourceError) in
            try snapshot.removeAllSections()
            for section in sections { snapshot.appendWhatFits(section, reportLeftOut) }
            return true
        }
    }

    /// Removes a section with its rows, reported as a whole.
    ///
    /// A position out of range changes nothing.
    ///
    /// - Parameters:
    ///   - index: The position of the section.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
    @discardableResult
    public func remove(sectionAt index: Int, notice: Notice = .now) -> ChangeBatch? {
        guard sectionInfo(at: index) != nil else { return nil }
        return mutate(notice, telling: .whole) { (snapshot) throws(DataSourceError) in
            try snapshot.removeSection(at: index)
            return true
        }
    }

    /// Removes all sections, reported as a whole.
    ///
    /// - Parameter notice: The time of the notification.
    /// - Returns: The change; nil when the notification is deferred.
    @discardableResult
    public func removeAllSections(notice: Notice) -> ChangeBatch? {
        mutate(notice, telling: .whole) { (snapshot) throws(DataSourceError) in
            try snapshot.removeAllSections()
            return true
        }
    }
}
