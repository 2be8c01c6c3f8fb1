import Listings
import Locks
import MemoryLists

final class ServedSection<Model: Sendable>: OpenedKind {
    private struct State: Sendable {
        var listed: [ListedModel<Model>] = []
        var models: [String: Model] = [:]
        var digest: UInt64 = 0
    }

    private let rows: RowDeclaration<Model>
    private let controller: DeclaredController<Model>
    private let prefix: String?
    private let state: Locked<State>
    private unowned let list: AppList
    private let busy: Monitor<Set<String>> = Monitor([])
    private let registration = Locked<Registration<ListedModel<Model>>?>(nil)
    let summary: [RegistrationSummary]

    init(
        _ rows: RowDeclaration<Model>,
        _ columns: [Listings.Column],
        prefix: String?,
        in list: AppList
    ) throws {
        self.rows = rows
        self.prefix = prefix
        self.list = list
        let kind = rows.kindName
        controller = DeclaredController(
            kind: kind,
            columns: columns,
            declarations: rows.columns,
            hasRevisions: rows.isWritten
        )
        state = Locked(State())
        var summary = RegistrationSummary(
            model: "\(Model.self)",
            controller: "\(List<Model>.self)",
            kinds: [kind],
            columns: columns
        )
        summary.templates = try rows.templates(ofKind: kind, columns)
        self.summary = [summary]
        var registry = ControllerRegistry()
        registration.replace(with: try registry.register(controller, on: events()))
        if case .models(let models) = rows.source { _ = try take(models.all) }
    }

    private func events() -> RowEvents<ListedModel<Model>> {
        var events = RowEvents<ListedModel<Model>>()
        if let link = rows.link { events.link = { link($0.model.model) } }
        if let canOpen = rows.canOpen { events.canOpen = { canOpen($0.model.model) } }
        if let span = rows.span { events.span = { span($0.model.model) } }
        if let prefetch = rows.prefetch {
            let deadline = rows.deadline
            events.prefetch = { contexts in
                let models = contexts.map(\.model.model)
                try Waiting.result(within: deadline) { try await prefetch(models) }
            }
        }
        if let adjust = rows.adjustMove {
            events.adjustMove = { [weak self] context, target in
                let model = context.model.model
                guard let self, let other = list.section(at: target.section) else { return nil }
                guard other !== self else { return adjust(model, target) }
                return adjust(model, target).flatMap {
                    other.position(of: model, at: $0, from: self)
                }
            }
        }
        guard !rows.actions.isEmpty else { return events }
        let offers = rows.actions
        events.actions = { context in
            offers.filter { $0.isOffered(context.model.model) }.map(\.action)
        }
        events.perform = { [weak self] name, context in
            guard let self, let action = offers.first(where: { $0.action.name == name }) else {
                throw ActionError.unknownRow(context.model.id)
            }
            return try perform(action, context)
        }
        return events
    }

    // MARK: - Models

    /// True if the rows look different.
    private func take(_ models: [Model]) throws -> Bool {
        let ids = try RowID.all(of: models, prefix: prefix)
        let listed = zip(ids, models).map { ListedModel(id: $0, model: $1) }
        var digest: UInt64 = 1
        for model in listed { digest = controller.hash(model, seed: digest) }
        let known = Dictionary(zip(ids, models), uniquingKeysWith: { first, _ in first })
        return state.withLock { state in
            defer { state = State(listed: listed, models: known, digest: digest) }
            return state.digest != digest
        }
    }

    func load() async throws -> @Sendable () throws -> Bool {
        guard case .loaded(let load) = rows.source else { return { false } }
        let models = try await load()
        return { try self.take(models) }
    }

    func runs() throws -> [Run] { [run(state.withLock { $0.listed })] }

    private func run(_ models: [ListedModel<Model>]) -> Run {
        guard let registration = registration.withLock({ $0 }) else {
            preconditionFailure("a section without a registration")
        }
        return Run(models, using: registration)
    }

    func follow() {
        guard case .models(let models) = rows.source else { return }
        models.observe { [weak self] models in
            guard let self else { return }
            list.show { [{ try self.take(models) }] }
        }
    }

    // MARK: - Among models of other types

    func holds(_ model: any Sendable) -> Bool { model is Model }

    func id(of model: any Sendable) throws -> String {
        guard let model = model as? Model else { preconditionFailure("a model of another type") }
        return try RowID.all(of: [model], prefix: prefix)[0]
    }

    func take(_ models: [any Sendable]) throws -> Bool {
        let own: [Model] = models.compactMap { $0 as? Model }
        return try take(own)
    }

    func run(_ range: Range<Int>) throws -> Run {
        run(state.withLock { Array($0.listed[range]) })
    }

    // MARK: - Single rows

    func contains(_ id: String) -> Bool { state.withLock { $0.models[id] != nil } }

    func position(
        of model: any Sendable,
        at target: IndexPath,
        from other: any OpenedSection
    ) -> IndexPath? {
        guard case .models = rows.source, other is ServedSection<Model>, let model = model as? Model
        else { return nil }
        return rows.adjustMove?(model, target)
    }

    func move(
        _ id: String,
        _ move: () throws(ActionError) -> (section: any OpenedSection, ids: [String])
    ) throws(ActionError) {
        guard case .models(let models) = rows.source else { throw .unchangeable }
        try models.update { (models) throws(ActionError) in
            let (section, ids) = try move()
            let (listed, known) = state.withLock { ($0.listed, $0.models) }
            guard section !== self, let model = known[id] else {
                models = ids.compactMap { known[$0] }
                return
            }
            try list.withoutShowing { () throws(ActionError) in
                try section.insert(model, as: id, ids)
            }
            models = listed.filter { $0.id != id }.map(\.model)
        }
    }

    func insert(
        _ model: any Sendable,
        as id: String,
        _ ids: [String]
    ) throws(ActionError) {
        guard case .models(let models) = rows.source, let model = model as? Model else {
            throw .unchangeable
        }
        models.update { models in
            var known = state.withLock { $0.models }
            known[id] = model
            models = ids.compactMap { known[$0] }
        }
    }

    /// False if the row of the model is gone.
    ///
    /// The model is not loaded.
    private func replace(_ id: String, by model: Model?) throws -> Bool {
        if case .part(let replace) = rows.source { return try replace(id, model) }
        guard case .models(let models) = rows.source else { return true }
        return try models.update { models in
            let position = try RowID.all(of: models, prefix: prefix).firstIndex(of: id)
            guard let position else { return false }
            models.replaceSubrange(position...position, with: model.map { [$0] } ?? [])
            return true
        }
    }

    /// No other row may have the id.
    private func id(of model: Model, replacing id: String) throws -> String {
        guard Model.self is any Identifiable.Type else { return id }
        let new = try RowID.all(of: [model], prefix: prefix)[0]
        guard new == id || !contains(new) else { throw RowRefusal.existingRow(new) }
        return new
    }

    /// Changes a row after the changes of the same row that run now.
    private func inTurn<Value>(_ id: String, _ body: () throws -> Value) throws -> Value {
        guard busy.wait(for: rows.deadline, until: { $0.insert(id).inserted }) else {
            throw SourceError.outOfTime
        }
        defer { busy.withLock { _ = $0.remove(id) } }
        try list.refresh()
        return try body()
    }

    // MARK: - Actions

    private func perform(
        _ action: ActionDeclaration<Model>,
        _ context: Context<ListedModel<Model>>
    ) throws -> ActionOutcome {
        let id = context.model.id
        let request = context.request ?? ActionRequest()
        do {
            return try inTurn(id) {
                guard let model = state.withLock({ $0.models[id] }) else {
                    throw ActionError.unknownRow(id)
                }
                guard action.isOffered(model) else {
                    return .refused(reason: "The row has changed, and no longer offers this.")
                }
                let result = try Waiting.result(within: rows.deadline) {
                    try await action.perform(model, request)
                }
                switch result {
                case .updated(let changed, _):
                    _ = try self.id(of: changed, replacing: id)
                    guard try replace(id, by: changed) else { throw ActionError.unknownRow(id) }
                // The reader removes the row of models that the program does not load.
                case .removed: _ = try replace(id, by: nil)
                case .done, .redirected, .refused: break
                }
                return result.outcome
            }
        } catch SourceError.outOfTime {
            throw ActionError.source(.late("row \(id)", rows.deadline))
        } catch let error as SourceError {
            throw ActionError.source(error)
        } catch let refusal as Refusal {
            throw ActionError.refused(refusal)
        }
    }

    // MARK: - Writes

    var operations: Set<RowRules.Operation> {
        var operations: Set<RowRules.Operation> = []
        if rows.create != nil { operations.insert(.create) }
        if rows.update != nil { operations.insert(.update) }
        if rows.delete != nil { operations.insert(.delete) }
        return operations
    }

    var writableColumns: [String] { rows.columns.filter(\.isEditable).compactMap(\.name) }

    func write(_ change: RowChange) throws -> ChangedRow? {
        guard change.verb != .insert else { return try create(change) }
        guard let id = change.id else { return nil }
        return try inTurn(id) { try write(change, to: id) }
    }

    private func write(_ change: RowChange, to id: String) throws -> ChangedRow? {
        guard let model = state.withLock({ $0.models[id] }) else { return nil }
        let revision = revision(of: model, id)
        guard change.conditions.allSatisfy({ $0.holds(exists: true, revision: revision) }) else {
            throw RowRefusal.failedCondition(id)
        }
        if change.verb == .delete {
            guard let delete = rows.delete else { throw Self.readOnly }
            try stored { try await delete(model) }
            _ = try replace(id, by: nil)
            return ChangedRow(id: id, revision: nil, effect: .deleted)
        }
        guard let update = rows.update else { throw Self.readOnly }
        var changed = model
        try set(change.values, of: &changed)
        let newID = try self.id(of: changed, replacing: id)
        let newRevision = self.revision(of: changed, newID)
        guard newRevision != revision else {
            return ChangedRow(id: id, revision: revision, effect: .unchanged)
        }
        try stored { [changed] in try await update(changed) }
        guard try replace(id, by: changed) else { return nil }
        return ChangedRow(id: newID, revision: newRevision, effect: .changed)
    }

    /// Other sections of the list may take the change.
    private static var readOnly: RowRefusal {
        .byProgram(.forbidden("The rows of this section cannot be changed so."))
    }

    private func revision(of model: Model, _ id: String) -> Int64? {
        controller.revision(of: ListedModel(id: id, model: model))
    }

    private func create(_ change: RowChange) throws -> ChangedRow? {
        guard let create = rows.create else { return nil }
        guard change.id == nil else {
            throw InvalidValues([FieldValidationError(column: nil, .notGiven)])
        }
        try check(change.values)
        var values: [Int: CellValue] = [:]
        for (position, column) in rows.columns.enumerated() {
            values[position] = change.values[list.position(of: column.name ?? "")]
        }
        let draft = Draft(values: values, columns: rows.columns)
        let make = { [self] in
            let known = state.withLock { $0.models }
            let model = try stored { try await create(draft) }
            let id = try add(model, besides: known)
            return ChangedRow(id: id, revision: revision(of: model, id), effect: .created)
        }
        guard case .models = rows.source else { return try make() }
        // One after the other, so that a row which appears meanwhile is that of the closure.
        return try inTurn("", make)
    }

    /// Adds a new model, unless the closure that made it has added it.
    ///
    /// Returns the id of its row, which no row that was known before has.
    private func add(_ model: Model, besides known: [String: Model]) throws -> String {
        guard case .models(let models) = rows.source else {
            return try RowID.all(of: [model], prefix: prefix)[0]
        }
        return try models.update { models in
            let ids = try RowID.all(of: models + [model], prefix: prefix)
            let id = ids[models.count]
            guard ids.dropLast().contains(id) else {
                models.append(model)
                return id
            }
            guard known[id] == nil else { throw RowRefusal.existingRow(id) }
            return id
        }
    }

    /// Runs a closure that stores a model, and names the columns of the values that it refuses.
    private func stored<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        do {
            return try Waiting.result(within: rows.deadline, body)
        } catch let error as Invalid<Model> {
            let column = rows.columns.first { $0.shows(error.path) }
            let position = column.map { list.position(of: $0.name ?? "") }
            throw InvalidValues([FieldValidationError(column: position, .refused(error.reason))])
        } catch let refusal as Refusal {
            throw RowRefusal.byProgram(refusal)
        } catch let error as InvalidValues {
            // A draft counts the columns of its section.
            throw InvalidValues(
                error.errors.map { error in
                    let name = error.column.flatMap { rows.columns[$0].name }
                    return FieldValidationError(column: name.map(list.position), error.reason)
                }
            )
        }
    }

    private func set(_ values: [Int: CellValue], of model: inout Model) throws {
        try check(values)
        for column in rows.columns {
            guard let value = values[list.position(of: column.name ?? "")] else { continue }
            if let new = column.value(of: value) { column.set?(new, &model) }
        }
    }

    private func check(_ values: [Int: CellValue]) throws {
        let own = Set(writableColumns.map(list.position))
        var errors = values.filter { !$0.value.isNull && !own.contains($0.key) }.keys.sorted()
            .map { FieldValidationError(column: $0, .refused("Rows of this section have none.")) }
        for column in rows.columns {
            let position = list.position(of: column.name ?? "")
            guard let value = values[position], column.value(of: value) == nil else { continue }
            let reason = value.isNull ? .missing : column.codec?.refusal
            // A new model may have a value of its own instead.
            errors.append(FieldValidationError(column: position, reason ?? .missing))
        }
        guard errors.isEmpty else { throw InvalidValues(errors) }
    }
}

extension ColumnDeclaration {
    /// Nil if the property takes no such value.
    fileprivate func value(of cell: CellValue) -> Any? {
        guard let codec else { return nil }
        guard cell.isNull else { return codec.value(cell) }
        return codec.isOptional ? Optional<Any>.none as Any : nil
    }
}
