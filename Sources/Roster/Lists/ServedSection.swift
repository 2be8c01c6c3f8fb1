import Listings
import Locks
import MemoryLists

/// The rows of a section of a list that is served.
final class ServedSection<Model: Sendable>: OpenedSection {
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
        let kind = rows.kind ?? ClosureController<ListedModel<Model>>.kind(of: "\(Model.self)")
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
        guard case .models(let models) = rows.source else { return }
        _ = try take(models.all)
        models.observe { [weak self] in self?.follow(models) }
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
                // The models of a section stay in it.
                guard self?.list.sectionID(at: target.section) == context.section.id else {
                    return nil
                }
                return adjust(context.model.model, target)
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

    /// Takes models as the current ones, and returns whether their rows look different.
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

    func load() async throws -> Bool {
        guard case .loaded(let load) = rows.source else { return false }
        return try take(try await load())
    }

    func run() throws -> Run {
        guard let registration = registration.withLock({ $0 }) else {
            preconditionFailure("a section without a registration")
        }
        return Run(state.withLock { $0.listed }, using: registration)
    }

    func reorder(_ ids: [String]) {
        guard case .models(let models) = rows.source else { return }
        let known = state.withLock { $0.models }
        models.update { $0 = ids.compactMap { known[$0] } }
    }

    /// Shows models that the program has changed.
    private func follow(_ models: Models<Model>) {
        do {
            list.show(isDifferent: try take(models.all))
        } catch {
            list.report(error)
        }
    }

    /// Changes models that are not loaded for each request.
    private func change(_ change: (inout [Model]) -> Void) {
        switch rows.source {
        case .models(let models): models.update(change)
        // The next request loads them.
        case .loaded: break
        }
    }

    private func replace(_ id: String, by model: Model?) {
        let position = state.withLock { $0.listed.firstIndex { $0.id == id } }
        change { models in
            guard let position, models.indices.contains(position) else { return }
            if let model { models[position] = model } else { models.remove(at: position) }
        }
    }

    // MARK: - Actions

    private func perform(
        _ action: ActionDeclaration<Model>,
        _ context: Context<ListedModel<Model>>
    ) throws -> ActionOutcome {
        let id = context.model.id
        let request = context.request ?? ActionRequest()
        guard let model = state.withLock({ $0.models[id] }) else {
            throw ActionError.unknownRow(id)
        }
        let result: ActionResult<Model>
        do {
            result = try Waiting.result(within: rows.deadline) {
                try await action.perform(model, request)
            }
        } catch let error as SourceError {
            throw ActionError.source(error)
        }
        switch result {
        case .updated(let model, _): replace(id, by: model)
        // The reader removes the row of models that the program does not load.
        case .removed: replace(id, by: nil)
        case .done, .redirected, .refused: break
        }
        return result.outcome
    }

    // MARK: - Writes

    func rules(_ schema: ListSchema) -> RowRules? {
        guard rows.isWritten else { return nil }
        var operations: Set<RowRules.Operation> = []
        if rows.create != nil { operations.insert(.create) }
        if rows.update != nil { operations.insert(.update) }
        if rows.delete != nil { operations.insert(.delete) }
        let names = rows.columns.filter(\.isEditable).compactMap(\.name)
        return RowRules(schema).setting(names.compactMap(schema.index), operations)
    }

    func write(_ change: RowChange) throws -> ChangedRow? {
        guard change.verb != .insert else { return try create(change) }
        guard let id = change.id, let model = state.withLock({ $0.models[id] }) else { return nil }
        let listed = ListedModel(id: id, model: model)
        let revision = controller.revision(of: listed)
        guard change.conditions.allSatisfy({ $0.holds(exists: true, revision: revision) }) else {
            throw RowRefusal.failedCondition(id)
        }
        if change.verb == .delete {
            guard let delete = rows.delete else { return nil }
            try Waiting.result(within: rows.deadline) { try await delete(model) }
            replace(id, by: nil)
            return ChangedRow(id: id, revision: nil, effect: .deleted)
        }
        guard let update = rows.update else { return nil }
        var changed = model
        try set(change.values, of: &changed)
        let new = ListedModel(id: id, model: changed)
        let newRevision = controller.revision(of: new)
        guard newRevision != revision else {
            return ChangedRow(id: id, revision: revision, effect: .unchanged)
        }
        try stored { [changed] in try await update(changed) }
        replace(id, by: changed)
        return ChangedRow(id: id, revision: newRevision, effect: .changed)
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
        let model = try stored { try await create(draft) }
        let id = try RowID.all(of: [model], prefix: prefix)[0]
        self.change { $0.append(model) }
        let revision = controller.revision(of: ListedModel(id: id, model: model))
        return ChangedRow(id: id, revision: revision, effect: .created)
    }

    /// Runs a closure that stores a model, and names the columns of the values that it refuses.
    private func stored<Value: Sendable>(
        _ body: @escaping @Sendable () async throws -> Value
    ) throws -> Value {
        do {
            return try Waiting.result(within: rows.deadline, body)
        } catch let error as Invalid<Model> {
            let column = rows.columns.first { $0.path == error.path }
            let position = column.map { list.position(of: $0.name ?? "") }
            throw InvalidValues([FieldValidationError(column: position, .refused(error.reason))])
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

    /// Checks that each property takes its value.
    private func check(_ values: [Int: CellValue]) throws {
        var errors: [FieldValidationError] = []
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
    /// Returns the value of a cell as one of the property; nil if it takes no such value.
    fileprivate func value(of cell: CellValue) -> Any? {
        guard let codec else { return nil }
        guard cell.isNull else { return codec.value(cell) }
        return codec.isOptional ? Optional<Any>.none as Any : nil
    }
}
