/// The row controllers of a service, one per model type.
///
/// A value type: later registrations with the original do not change a copy in a service. A frozen
/// registry accepts no more registrations.
public struct ControllerRegistry: Sendable {
    private struct Entry {
        let registration: any Sendable
        let summary: RegistrationSummary
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    private var order: [ObjectIdentifier] = []
    /// Whether the registry refuses further controllers.
    public private(set) var isFrozen = false

    /// Creates an empty registry.
    public init() {}

    /// Registers a controller for its model type.
    ///
    /// - Parameters:
    ///   - controller: The controller of the models.
    ///   - events: The events of the rows.
    ///   - policy: The effect of a row that cannot be shown on its page.
    ///   - replacing: Whether to replace an existing controller of the type.
    /// - Returns: The proof that the type has a controller.
    /// - Throws: ``ListingError/alreadyRegistered(model:)`` if the type has a controller and
    ///   `replacing` is false, ``ListingError/duplicateKind(_:first:second:)`` if another type uses
    ///   the kind, ``ListingError/registryFrozen(model:)``.
    @inlinable
    @discardableResult
    public mutating func register<C: RowController>(
        _ controller: C,
        on events: RowEvents<C.Model> = RowEvents(),
        policy: RowFailurePolicy = .showInPlace,
        replacing: Bool = false
    ) throws(ListingError) -> Registration<C.Model> {
        try register(
            controller,
            on: events,
            policy: policy,
            replacing: replacing,
            writer: controller.plainWriter(policy)
        )
    }

    /// Its rows are already in a cell buffer.
    @discardableResult
    package mutating func register<C: RecordRowController>(
        _ controller: C,
        on events: RowEvents<C.Model> = RowEvents(),
        policy: RowFailurePolicy = .showInPlace,
        replacing: Bool = false
    ) throws(ListingError) -> Registration<C.Model> {
        try register(
            controller,
            on: events,
            policy: policy,
            replacing: replacing,
            writer: controller.plainRowWriter(policy)
        )
    }

    @usableFromInline
    mutating func register<C: RowController>(
        _ controller: C,
        on events: RowEvents<C.Model>,
        policy: RowFailurePolicy,
        replacing: Bool,
        writer: RecordRowWriter<C.Model>
    ) throws(ListingError) -> Registration<C.Model> {
        try add(
            Registration(controller, on: events, policy: policy).writing(writer),
            replacing: replacing
        )
    }

    /// Registers a controller with several rows for each model of its type.
    ///
    /// - Parameters:
    ///   - controller: The controller of the models.
    ///   - events: The events of the rows; ``Context/part`` is the index of the row among those of
    ///     its model.
    ///   - policy: The effect of a row that cannot be shown on its page.
    ///   - replacing: Whether to replace an existing controller of the type.
    /// - Returns: The proof that the type has a controller.
    /// - Throws: The errors of the registration of a controller with one row per model, and
    ///   ``ListingError/invalidParts(_:model:)``.
    @discardableResult
    public mutating func register<C: ExpandingController>(
        _ controller: C,
        on events: RowEvents<C.Model> = RowEvents(),
        policy: RowFailurePolicy = .showInPlace,
        replacing: Bool = false
    ) throws(ListingError) -> Registration<C.Model> {
        let parts = controller.parts
        let names = parts.map(\.name)
        guard !parts.isEmpty, Set(names).count == parts.count,
            !names.contains(where: { $0.contains("#") || $0.isEmpty })
        else { throw .invalidParts(names, model: "\(C.Model.self)") }
        return try add(
            Registration(expanding: controller, into: parts, on: events, policy: policy),
            replacing: replacing
        )
    }

    private mutating func add<Model>(
        _ registration: Registration<Model>,
        replacing: Bool
    ) throws(ListingError) -> Registration<Model> {
        let model = "\(Model.self)"
        let key = ObjectIdentifier(Model.self)
        guard !isFrozen else { throw .registryFrozen(model: model) }
        guard replacing || entries[key] == nil else { throw .alreadyRegistered(model: model) }
        for kind in registration.kinds {
            let other = order.first { id in
                id != key && entries[id]?.summary.kinds.contains(kind) == true
            }
            if let other, let first = entries[other]?.summary.model {
                throw .duplicateKind(kind, first: first, second: model)
            }
        }
        if entries[key] == nil { order.append(key) }
        entries[key] = Entry(
            registration: registration,
            summary: RegistrationSummary(registration)
        )
        return registration
    }

    /// Returns the registration of a model type.
    ///
    /// - Throws: ``ListingError/unregisteredModel(_:)`` if the type has no controller.
    /// - Complexity: O(1).
    public func registration<Model>(
        for type: Model.Type
    ) throws(ListingError) -> Registration<Model> {
        guard
            let found = entries[ObjectIdentifier(type)]?.registration as? Registration<Model>
        else { throw .unregisteredModel("\(type)") }
        return found
    }

    /// Refuses further controllers.
    ///
    /// A service freezes its registry when it starts.
    public mutating func freeze() { isFrozen = true }

    /// The summaries of all registrations, in their order, for the startup log.
    public var summaries: [RegistrationSummary] { order.compactMap { entries[$0]?.summary } }
}

/// A textual summary of a registration.
public struct RegistrationSummary: Hashable, Sendable {
    /// The type of the models.
    public let model: String
    /// The type of the controller.
    public let controller: String
    /// The kinds of the rows of a model, in their order.
    public let kinds: [String]
    /// The columns of the rows.
    public let columns: [Column]
    package var templates: [String: String] = [:]

    package init<Model>(_ registration: Registration<Model>) {
        self.init(
            model: "\(Model.self)",
            controller: registration.controller,
            kinds: registration.kinds,
            columns: registration.columns
        )
    }

    package init(model: String, controller: String, kinds: [String], columns: [Column]) {
        self.model = model
        self.controller = controller
        self.kinds = kinds
        self.columns = columns
    }
}
