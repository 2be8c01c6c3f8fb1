extension DataSourceController {
    /// Puts a section into the list; told as a whole.
    ///
    /// - Parameters:
    ///   - section: The section; an id that is taken leaves it out, and rows whose ids are taken are
    ///     left out of it.
    ///   - index: Where it is to stand; nil and what is out of range append.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
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

    /// Puts another section in the place of one; told as that section. Out of range: nothing.
    ///
    /// - Parameters:
    ///   - section: The section; an id that another one has leaves everything as it is.
    ///   - index: Which one to replace.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
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

    /// Changes the header, the footer and the index title of a section, or hides or shows its rows;
    /// told as that section. Out of range: nothing.
    ///
    /// - Parameters:
    ///   - sectionData: What is to be known of the section; its id stays what it is.
    ///   - index: Which one.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
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

    /// Puts other sections in the place of all; told as a whole.
    ///
    /// - Parameters:
    ///   - sections: The sections; of two with one id, and of two rows with one id, the first is
    ///     kept.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when it is told later.
    @discardableResult
    public func update(allSections sections: [Section], notice: Notice = .now) -> ChangeBatch? {
        mutate(notice, telling: .whole) { (snapshot) throws(DataSourceError) in
            try snapshot.removeAllSections()
            for section in sections { snapshot.appendWhatFits(section, reportLeftOut) }
            return true
        }
    }

    /// Takes a section out, with its rows; told as a whole. Out of range: nothing.
    ///
    /// - Parameters:
    ///   - index: Which one.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
    @discardableResult
    public func remove(sectionAt index: Int, notice: Notice = .now) -> ChangeBatch? {
        guard sectionInfo(at: index) != nil else { return nil }
        return mutate(notice, telling: .whole) { (snapshot) throws(DataSourceError) in
            try snapshot.removeSection(at: index)
            return true
        }
    }

    /// Takes all sections out; told as a whole.
    ///
    /// - Parameter notice: When it is told.
    /// - Returns: The change; nil when it is told later.
    @discardableResult
    public func removeAllSections(notice: Notice) -> ChangeBatch? {
        mutate(notice, telling: .whole) { (snapshot) throws(DataSourceError) in
            try snapshot.removeAllSections()
            return true
        }
    }
}
