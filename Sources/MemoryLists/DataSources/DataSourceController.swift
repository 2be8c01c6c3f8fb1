public import ListDiff
public import Listings
import Locks

/// A tolerant controller of a data source, like DataSourceController on iOS.
///
/// Positions out of range append or do nothing, and the first of repeated ids is used. Models
/// without a controller show an error until they get one. All edits apply to ``dataSource``, which
/// stays strict and which others may read, serve and observe. Each mutation returns its change, or
/// nil when nothing changed or the notification is deferred.
public final class DataSourceController: Sendable {
    /// The time when observers are notified of a mutation and readers see it.
    public enum Notice: Sendable {
        /// Immediately.
        case now
        /// With the next immediate mutation. Until then only this controller sees the mutation, so
        /// that rows and notifications stay consistent.
        case deferred
    }

    private struct State: Sendable {
        var registrations: [ObjectIdentifier: any Sendable] = [:]
        var summaries: [RegistrationSummary] = []
        var lastSection = 0
    }

    /// The list itself.
    public let dataSource: DataSource
    private let state = Locked(State())
    private let report: @Sendable (DataSourceError) -> Void

    /// Creates a controller of sections.
    ///
    /// - Parameters:
    ///   - sections: The sections. The first of several sections or rows with the same id is used.
    ///   - report: Receives errors about omitted or refused input, for the log.
    public init(
        sections: [Section] = [],
        reportingTo report: @escaping @Sendable (DataSourceError) -> Void = { _ in }
    ) {
        var snapshot = Snapshot()
        for section in sections { snapshot.appendWhatFits(section, report) }
        self.report = report
        dataSource = DataSource(snapshot)
    }

    /// Creates a controller of one section.
    ///
    /// - Parameters:
    ///   - section: The section. The first of several rows with the same id is used.
    ///   - report: Receives errors about omitted or refused input, for the log.
    public convenience init(
        section: Section,
        reportingTo report: @escaping @Sendable (DataSourceError) -> Void = { _ in }
    ) {
        self.init(sections: [section], reportingTo: report)
    }

    /// Creates a controller of models in one section without a header.
    ///
    /// - Parameters:
    ///   - rows: The models, shown by the controller given to ``register(dataController:for:)``.
    ///     The first of several with the same id is used.
    ///   - report: Receives errors about omitted or refused input, for the log.
    public convenience init<Model>(
        rows: [Model],
        reportingTo report: @escaping @Sendable (DataSourceError) -> Void = { _ in }
    ) where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        self.init(section: Section("rows", .unregistered(rows)), reportingTo: report)
    }

    /// Creates a controller of one model in one section without a header.
    ///
    /// - Parameters:
    ///   - row: The model, shown by the controller given to ``register(dataController:for:)``.
    ///   - report: Receives errors about omitted or refused input, for the log.
    public convenience init<Model>(
        row: Model,
        reportingTo report: @escaping @Sendable (DataSourceError) -> Void = { _ in }
    ) where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        self.init(rows: [row], reportingTo: report)
    }

    /// Sets the row controller of a model type, also for models that are already in the list.
    ///
    /// - Parameters:
    ///   - dataController: The controller that shows the models.
    ///   - type: The model type, which makes calls easier to read.
    ///   - events: The events of the rows.
    public func register<Controller: RowController>(
        dataController: Controller,
        for type: Controller.Model.Type = Controller.Model.self,
        on events: RowEvents<Controller.Model> = RowEvents()
    ) {
        let registration = Registration(dataController, on: events)
        let summary = RegistrationSummary(registration)
        state.withLock { state in
            state.registrations[ObjectIdentifier(type)] = registration
            state.summaries.removeAll { $0.model == summary.model }
            state.summaries.append(summary)
        }
        mutate(.now, telling: .whole) { snapshot in snapshot.rebind(to: registration) }
    }

    /// In the order of their registration.
    var summaries: [RegistrationSummary] { state.withLock { $0.summaries } }

    // MARK: - Reading

    /// The number of shown rows.
    ///
    /// The list is empty if it is 0.
    ///
    /// - Complexity: O(1).
    public var totalRowCount: Int { snapshot.totalRowCount }

    /// The number of sections.
    ///
    /// - Complexity: O(1).
    public var sectionCount: Int { snapshot.sectionCount }

    /// The model at a position; nil when there is none or it has another type.
    ///
    /// - Complexity: O(log n).
    public func modelObject<Model>(at path: IndexPath, as type: Model.Type) -> Model? {
        // nil is documented for every error.
        try? snapshot.model(at: path, as: type)
    }

    /// The description of the section at a position; nil when there is none.
    ///
    /// - Complexity: O(log sections).
    public func sectionInfo(at index: Int) -> SectionInfo? {
        // nil is documented for every error.
        try? snapshot.section(at: index)
    }

    /// Includes deferred mutations.
    var snapshot: Snapshot { dataSource.preparedSnapshot }

    // MARK: - Mutating

    /// Without a controller if none is registered.
    func run<Model>(_ models: [Model]) -> Run
    where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        let found = state.withLock { $0.registrations[ObjectIdentifier(Model.self)] }
        guard let registration = found as? Registration<Model> else {
            return .unregistered(models)
        }
        return Run(models, using: registration)
    }

    func newSectionID(in snapshot: Snapshot) -> SectionID {
        while true {
            let number = state.withLock { state in
                state.lastSection += 1
                return state.lastSection
            }
            let id = SectionID("section-\(number)")
            if snapshot.sectionIndex(of: id) == nil { return id }
        }
    }

    /// Refused edits are reported and change nothing.
    ///
    /// Nil derives the granularity from the change. `edits` returns false if nothing had to be
    /// changed. Nil when nothing changed or the notification is deferred.
    @discardableResult
    func mutate(
        _ notice: Notice,
        telling granularity: ChangeGranularity?,
        _ edits: (inout Snapshot) throws(DataSourceError) -> Bool
    ) -> ChangeBatch? {
        var isDone = true
        do {
            guard notice == .now else {
                try dataSource.prepare { _ = try edits(&$0) }
                return nil
            }
            let batch = try dataSource.write(telling: granularity) { isDone = try edits(&$0) }
            guard isDone else { return batch.isEmpty ? nil : batch }
            if batch.isEmpty, let granularity { dataSource.tell(granularity) }
            return batch
        } catch let error as DataSourceError {
            report(error)
            return nil
        } catch {
            preconditionFailure("edits throw nothing but \(DataSourceError.self)")
        }
    }

    func reportLeftOut(_ error: DataSourceError) { report(error) }
}

extension Snapshot {
    /// Omits rows whose ids exist, and the section if its own id exists.
    mutating func appendWhatFits(
        _ section: Section,
        _ report: (DataSourceError) -> Void
    ) {
        do throws(DataSourceError) {
            try append(try section.fitting(self, report))
        } catch {
            report(error)
        }
    }

    /// False if the list has no such models.
    fileprivate mutating func rebind<Model>(to registration: Registration<Model>) -> Bool {
        var nodes: [SectionNode] = []
        var isChanged = false
        sections.visit { _, node in
            var node = node
            if node.rows.rebind(to: registration) { isChanged = true }
            nodes.append(node)
            return true
        }
        guard isChanged else { return false }
        sections = BalancedTree(nodes)
        log?.reload()
        return true
    }
}

extension Section {
    /// Omits rows whose ids are in the snapshot or repeat in the section.
    func fitting(
        _ snapshot: Snapshot,
        _ report: (DataSourceError) -> Void
    ) throws(DataSourceError) -> Section {
        var fitting = self
        fitting.runs = []
        var own: [String: Int] = [:]
        var row = 0
        for run in runs {
            guard run.count <= snapshot.checkedRunLength else {
                fitting.runs.append(run)
                row += run.count
                continue
            }
            var kept: [Int] = []
            for (position, id) in try run.ids().enumerated() {
                let location = IndexPath(section: snapshot.sectionCount, row: row)
                let repeated = own[id].map { IndexPath(section: location.section, row: $0) }
                if let first = try snapshot.indexedPath(of: id) ?? repeated {
                    report(.duplicateID(id, first: first, second: location))
                } else {
                    kept.append(position)
                    own[id] = row
                }
                row += 1
            }
            fitting.runs.append(try run.selecting(kept))
        }
        return fitting
    }
}

extension Run {
    fileprivate func ids() throws(DataSourceError) -> [String] {
        do throws(SourceError) {
            return try storage.ids(0..<count)
        } catch { throw .unreadable(error) }
    }

    fileprivate func selecting(_ positions: [Int]) throws(DataSourceError) -> Run {
        guard positions.count < count else { return self }
        do throws(SourceError) {
            return Run(try storage.selected(positions))
        } catch { throw .unreadable(error) }
    }
}

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
            let location = index.flatMap { (0...count).contains($0) ? $0 : nil } ?? count
            let fitting = try section.fitting(snapshot, reportLeftOut)
            try snapshot.insert(fitting, at: location)
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
