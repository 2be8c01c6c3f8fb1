extension DataSourceController {
    /// Puts a model into the list.
    ///
    /// A section out of range makes a new last section with that row, told as a whole; a row out of
    /// range appends to the section, told as the section. An id that is taken leaves it out.
    ///
    /// - Parameters:
    ///   - row: The model.
    ///   - path: Where it is to stand.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
    @discardableResult
    public func add<Model>(
        row: Model,
        at path: IndexPath,
        notice: Notice = .now
    ) -> ChangeBatch?
    where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        let run = run([row])
        guard hasSection(path.section) else {
            return mutate(notice, telling: .whole) { (snapshot) throws(DataSourceError) in
                try snapshot.append(Section(newSectionID(in: snapshot), run))
                return true
            }
        }
        return mutate(notice, telling: .section(path.section)) {
            (snapshot) throws(DataSourceError) in
            let count = try snapshot.modelCount(inSection: path.section)
            let index = (0...count).contains(path.row) ? path.row : count
            try snapshot.insert(run, at: IndexPath(section: path.section, row: index))
            return true
        }
    }

    /// Puts another model in the place of one; told as that row.
    ///
    /// Out of range: nothing.
    ///
    /// - Parameters:
    ///   - row: The model; an id that is taken by another row leaves everything as it is.
    ///   - path: Which one to replace.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
    @discardableResult
    public func update<Model>(
        row: Model,
        at path: IndexPath,
        notice: Notice = .now
    ) -> ChangeBatch?
    where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        guard hasRow(path) else { return nil }
        let run = run([row])
        return mutate(notice, telling: .rows([path])) { (snapshot) throws(DataSourceError) in
            try snapshot.replace(at: path, with: run)
            return true
        }
    }

    /// Puts other models in the place of all of a section; its header stays.
    ///
    /// Out of range: nothing.
    ///
    /// Told as the rows 0..<count; when the count changed, as what really came, went and moved.
    ///
    /// - Parameters:
    ///   - rows: The models; of two with one id the first is kept.
    ///   - index: The section.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
    @discardableResult
    public func update<Model>(
        rows: [Model],
        atSection index: Int,
        notice: Notice = .now
    ) -> ChangeBatch?
    where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        guard let info = sectionInfo(at: index), let count = modelCount(inSection: index) else {
            return nil
        }
        let paths = (0..<count).map { IndexPath(section: index, row: $0) }
        let run = run(rows)
        return mutate(notice, telling: rows.count == count ? .rows(paths) : nil) {
            (snapshot) throws(DataSourceError) in
            try snapshot.removeRows(in: info.id)
            let fitting = try Section(info, run).fitting(snapshot, reportLeftOut)
            try snapshot.replaceRows(in: info.id, with: fitting.runs)
            return true
        }
    }

    /// Puts other models in the places of some.
    ///
    /// A section out of range: nothing at all. A row out of range is passed over. Told as the rows
    /// that changed; no rows are told too, as long as there is a section.
    ///
    /// - Parameters:
    ///   - rows: The models by their places.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
    @discardableResult
    public func update<Model>(
        rows: [IndexPath: Model],
        notice: Notice = .now
    ) -> ChangeBatch?
    where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        guard sectionCount > 0, rows.keys.allSatisfy({ hasSection($0.section) }) else {
            return nil
        }
        let paths = rows.keys.filter(hasRow).sorted()
        return mutate(notice, telling: .rows(paths)) { (snapshot) throws(DataSourceError) in
            for path in paths {
                if let model = rows[path] { try snapshot.replace(at: path, with: run([model])) }
            }
            return true
        }
    }

    /// Takes a row out, and its section with it when it was the last; told as a whole.
    ///
    /// Out of range: nothing.
    ///
    /// - Parameters:
    ///   - path: Which one.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
    @discardableResult
    public func remove(rowAt path: IndexPath, notice: Notice = .now) -> ChangeBatch? {
        guard hasRow(path) else { return nil }
        return mutate(notice, telling: .whole) { (snapshot) throws(DataSourceError) in
            try snapshot.remove(at: path)
            if try snapshot.modelCount(inSection: path.section) == 0 {
                try snapshot.removeSection(at: path.section)
            }
            return true
        }
    }

    /// Moves a row; told as what changed.
    ///
    /// Out of range, at either end: nothing.
    ///
    /// - Parameters:
    ///   - path: Which one.
    ///   - target: Where it is to stand, counted without it.
    ///   - notice: When it is told.
    /// - Returns: The change; nil when nothing was done or it is told later.
    @discardableResult
    public func move(
        rowAt path: IndexPath,
        to target: IndexPath,
        notice: Notice = .now
    ) -> ChangeBatch? {
        var copy = snapshot
        // What cannot be done is nothing to be done.
        guard (try? copy.move(from: path, to: target)) != nil else { return nil }
        return mutate(notice, telling: nil) { (snapshot) throws(DataSourceError) in
            try snapshot.move(from: path, to: target)
            return true
        }
    }

    private func hasSection(_ index: Int) -> Bool { (0..<sectionCount).contains(index) }

    private func hasRow(_ path: IndexPath) -> Bool {
        modelCount(inSection: path.section).map { (0..<$0).contains(path.row) } ?? false
    }

    private func modelCount(inSection index: Int) -> Int? {
        // A section out of range is no error here: it has no count.
        try? snapshot.modelCount(inSection: index)
    }
}
