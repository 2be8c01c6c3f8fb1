import Locks

/// A data source that takes what it can of what it is given, as DataSourceController does on iOS:
/// places out of range append or do nothing, repeated ids keep the first, and models without a
/// controller show an error in their place until they get one.
///
/// Everything it does is done to ``dataSource``, which stays strict and which others may read, serve
/// and observe. Each mutation returns its change, or nil when it did nothing or is told later.
public final class DataSourceController: Sendable {
    /// When observers are told of a mutation, and readers see it.
    public enum Notice: Sendable {
        /// At once.
        case now
        /// With the next mutation that is told at once: until then nobody but this controller sees
        /// it, so that nobody's rows drift from what was told.
        case deferred
    }

    private struct State: Sendable {
        var registrations: [ObjectIdentifier: any Sendable] = [:]
        var lastSection = 0
    }

    /// The list itself.
    public let dataSource: DataSource
    private let state = Locked(State())
    private let report: @Sendable (DataSourceError) -> Void

    /// Creates a controller of sections.
    ///
    /// - Parameters:
    ///   - sections: The sections; of two with one id, and of two rows with one id, the first is
    ///     kept.
    ///   - report: Is told what was left out or refused, for the log.
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
    ///   - section: The section; of two rows with one id the first is kept.
    ///   - report: Is told what was left out or refused, for the log.
    public convenience init(
        section: Section,
        reportingTo report: @escaping @Sendable (DataSourceError) -> Void = { _ in }
    ) {
        self.init(sections: [section], reportingTo: report)
    }

    /// Creates a controller of models in one section without a header.
    ///
    /// - Parameters:
    ///   - rows: The models, to be shown by what ``register(dataController:for:)`` is given; of two
    ///     with one id the first is kept.
    ///   - report: Is told what was left out or refused, for the log.
    public convenience init<Model>(
        rows: [Model],
        reportingTo report: @escaping @Sendable (DataSourceError) -> Void = { _ in }
    ) where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        self.init(section: Section("rows", .unregistered(rows)), reportingTo: report)
    }

    /// Creates a controller of one model in one section without a header.
    ///
    /// - Parameters:
    ///   - row: The model, to be shown by what ``register(dataController:for:)`` is given.
    ///   - report: Is told what was left out or refused, for the log.
    public convenience init<Model>(
        row: Model,
        reportingTo report: @escaping @Sendable (DataSourceError) -> Void = { _ in }
    ) where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        self.init(rows: [row], reportingTo: report)
    }

    /// Shows the models of a type by a controller, in place of the one they had; also models that
    /// are in the list already.
    ///
    /// - Parameters:
    ///   - dataController: Shows the models.
    ///   - type: Their type, for the reader of the call.
    public func register<Controller: RowController>(
        dataController: Controller,
        for type: Controller.Model.Type = Controller.Model.self
    ) {
        let registration = Registration(dataController)
        state.withLock { $0.registrations[ObjectIdentifier(type)] = registration }
        mutate(.now, telling: .whole) { snapshot in snapshot.rebind(to: registration) }
    }

    // MARK: - Reading

    /// The number of rows that are shown; 0 is the only meaning of empty.
    ///
    /// - Complexity: O(1).
    public var totalRowCount: Int { snapshot.totalRowCount }

    /// The number of sections.
    ///
    /// - Complexity: O(1).
    public var sectionCount: Int { snapshot.sectionCount }

    /// The model at a place; nil when there is none, or one of another type.
    ///
    /// - Complexity: O(log n).
    public func modelObject<Model>(at path: IndexPath, as type: Model.Type) -> Model? {
        // Why there is none does not matter to whoever asks here.
        try? snapshot.model(at: path, as: type)
    }

    /// What is known of the section at a position; nil when there is none.
    ///
    /// - Complexity: O(log sections).
    public func sectionInfo(at index: Int) -> SectionInfo? {
        // Nor does it here.
        try? snapshot.section(at: index)
    }

    /// The list with what was deferred.
    var snapshot: Snapshot { dataSource.preparedSnapshot }

    // MARK: - Mutating

    /// The run of models, shown by their controller if they have one.
    func run<Model>(_ models: [Model]) -> Run
    where Model: Identifiable & Sendable, Model.ID: LosslessStringConvertible & Sendable {
        let found = state.withLock { $0.registrations[ObjectIdentifier(Model.self)] }
        guard let registration = found as? Registration<Model> else {
            return .unregistered(models)
        }
        return Run(models, using: registration)
    }

    /// An id that no section of the list has.
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

    /// Edits the list; what is refused is reported and changes nothing.
    ///
    /// - Parameters:
    ///   - notice: When it is told.
    ///   - granularity: How it is told; nil leaves it to the change.
    ///   - edits: Edits a copy; false means that there was nothing to do.
    /// - Returns: The change; nil when there was nothing to do or it is told later.
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

    /// Tells a log what was left out.
    func reportLeftOut(_ error: DataSourceError) { report(error) }
}

extension Snapshot {
    /// Puts a section behind all others, without the rows whose ids are taken; not at all when its
    /// own id is.
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

    /// Shows the models of a type by another controller.
    ///
    /// - Returns: Whether there are such models.
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
    /// The section without the rows whose ids are taken, by another row or by an earlier one of its
    /// own.
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
                let place = IndexPath(section: snapshot.sectionCount, row: row)
                let repeated = own[id].map { IndexPath(section: place.section, row: $0) }
                if let first = try snapshot.indexedPath(of: id) ?? repeated {
                    report(.duplicateID(id, first: first, second: place))
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

    /// A run of some of the models.
    fileprivate func selecting(_ positions: [Int]) throws(DataSourceError) -> Run {
        guard positions.count < count else { return self }
        do throws(SourceError) {
            return Run(try storage.selected(positions))
        } catch { throw .unreadable(error) }
    }
}
