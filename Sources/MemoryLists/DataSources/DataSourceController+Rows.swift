public import ListDiff
public import Listings

extension DataSourceController {
    /// Inserts a model into the list.
    ///
    /// A section out of range creates a new last section with that row, reported as a whole. A row
    /// out of range is appended to the section, reported as that section. A model with an existing
    /// id is left out.
    ///
    /// - Parameters:
    ///   - row: The model.
    ///   - path: The target position.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
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

    /// Replaces a model, reported as that row.
    ///
    /// A position out of range changes nothing.
    ///
    /// - Parameters:
    ///   - row: The model. The id of another row changes nothing.
    ///   - path: The position of the replaced model.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
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

    /// Replaces all models of a section; its header stays.
    ///
    /// A section out of range changes nothing. The change is reported as the rows 0..<count, or as
    /// the actual insertions, deletions and moves if the count changed.
    ///
    /// - Parameters:
    ///   - rows: The models. The first of several with the same id is used.
    ///   - index: The section.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
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

    /// Replaces some models.
    ///
    /// A section out of range changes nothing. A row out of range is skipped. The change is
    /// reported as the changed rows, also without any row if the list has a section.
    ///
    /// - Parameters:
    ///   - rows: The models by their positions.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
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

    /// Removes a row, and its section if that becomes empty; reported as a whole.
    ///
    /// A position out of range changes nothing.
    ///
    /// - Parameters:
    ///   - path: The position of the row.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
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

    /// Moves a row, reported as the actual change.
    ///
    /// Positions out of range change nothing.
    ///
    /// - Parameters:
    ///   - path: The position of the row.
    ///   - target: The target position, counted without the row.
    ///   - notice: The time of the notification.
    /// - Returns: The change; nil when nothing changed or the notification is deferred.
    @discardableResult
    public func move(
        rowAt path: IndexPath,
        to target: IndexPath,
        notice: Notice = .now
    ) -> ChangeBatch? {
        var copy = snapshot
        // An impossible move changes nothing.
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
        // A section out of range is no error here, but has no count.
        try? snapshot.modelCount(inSection: index)
    }
}
