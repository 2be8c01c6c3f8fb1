public import ListDiff
public import Listings
import Locks

/// A changing list that holds one ``Snapshot`` at a time and reports each change.
///
/// Readers can hold a snapshot for any time. They never wait for a writer and never see half of an
/// update. Writers wait for one another. Each effective update makes one version and one
/// ``ChangeBatch``. Observers and streams get the batches in the order of the versions.
public final class DataSource: Sendable {
    /// The way in which ``apply(_:policy:)`` reports the change.
    public enum ChangePolicy: Sendable {
        /// By its edits if the snapshot was made from the current one, else by comparison.
        case automatic
        /// As a reload.
        case reload
    }

    struct State: Sendable {
        var current: Snapshot
        var prepared: Snapshot?
        var audience = ChangeObservers()
    }

    /// The identity of this data source for versions and cursors, unique to each.
    public let epoch: UInt64
    let state: Locked<State>
    private let gate = NonReentrantLock()
    private let deliveries = Locked(DeliveryQueue())

    /// Creates a data source.
    ///
    /// - Parameter snapshot: The first state, as version 0.
    public convenience init(_ snapshot: Snapshot = Snapshot()) {
        self.init(snapshot, epoch: .random(in: .min ... .max))
    }

    /// The given epoch makes versions and cursors predictable.
    package init(_ snapshot: Snapshot, epoch: UInt64) {
        self.epoch = epoch
        state = Locked(State(current: snapshot.published(as: 0, by: epoch)))
    }

    /// Creates a data source from sections.
    ///
    /// - Throws: As ``Snapshot/init(_:checkedRunLength:)``.
    public convenience init(sections: [Section]) throws(DataSourceError) {
        self.init(try Snapshot(sections))
    }

    /// Creates a data source from one section.
    ///
    /// - Throws: As ``Snapshot/init(_:checkedRunLength:)``.
    public convenience init(section: Section) throws(DataSourceError) {
        self.init(try Snapshot([section]))
    }

    /// Creates a data source from models in one section.
    ///
    /// - Parameters:
    ///   - models: The models, with unique ids.
    ///   - registration: The registration that shows the models.
    ///   - id: The section's id.
    /// - Throws: As ``Snapshot/init(_:checkedRunLength:)``.
    public convenience init<Model>(
        models: [Model],
        using registration: Registration<Model>,
        in id: SectionID = "all"
    ) throws(DataSourceError) {
        try self.init(section: Section(id, Run(models, using: registration)))
    }

    deinit { state.withLock { $0.audience.close() } }

    /// The current state.
    ///
    /// - Complexity: O(1), because the lock is held for the copy only.
    public var snapshot: Snapshot { state.withLock { $0.current } }

    /// The version of the current state.
    ///
    /// - Complexity: O(1).
    public var version: UInt64 { state.withLock { $0.current.version } }

    /// Whether rows of the current state may be moved.
    ///
    /// Reading it copies no snapshot.
    var hasMoves: Bool {
        state.withLock { $0.current.sections.tally.features.contains(.moves) }
    }

    /// The state that the next update begins from: the current one with the edits of
    /// ``prepare(_:)``.
    ///
    /// - Complexity: O(1).
    var preparedSnapshot: Snapshot { state.withLock { $0.prepared ?? $0.current } }

    /// Edits the list.
    ///
    /// All edits are applied, or none when one throws.
    ///
    /// Other writers wait meanwhile, readers do not. The observers have been notified on return. If
    /// another thread is notifying them, that thread also delivers this change.
    ///
    /// - Parameter edits: Edits a copy of the state.
    /// - Returns: The change in the fewest steps. Without changes, it is empty: no new version, no
    ///   notification.
    /// - Throws: ``DataSourceError/reentrantUpdate`` within an update of this data source, or any
    ///   error of `edits`.
    /// - Complexity: O(edits · log n + sections).
    @discardableResult
    public func update(
        _ edits: (inout Snapshot) throws -> Void
    ) throws -> ChangeBatch {
        try write(telling: nil, edits)
    }

    /// Replaces the state by a snapshot.
    ///
    /// An edited copy of the current state is reported by its edits. Any other snapshot is compared
    /// with the current state, row by row as shown. The change is a reload if either has runs
    /// longer than ``Snapshot/checkedRunLength``.
    ///
    /// - Parameters:
    ///   - snapshot: The new state.
    ///   - policy: The way to report the change.
    /// - Returns: The change.
    /// - Throws: ``DataSourceError/reentrantUpdate`` within an update of this data source.
    /// - Complexity: O(edits · log n + sections), or O(models) to compare.
    @discardableResult
    public func apply(
        _ snapshot: Snapshot,
        policy: ChangePolicy = .automatic
    ) throws(DataSourceError) -> ChangeBatch {
        do {
            return try write(telling: nil, policy: policy) { $0 = snapshot }
        } catch let error as DataSourceError {
            throw error
        } catch {
            preconditionFailure("applying a snapshot throws nothing but \(DataSourceError.self)")
        }
    }

    /// Edits the list without publishing it.
    ///
    /// Readers still see the current state. The next update includes these edits in its change.
    ///
    /// - Parameter edits: Edits a copy of the state with all prepared edits.
    /// - Throws: ``DataSourceError/reentrantUpdate`` within an update of this data source, or any
    ///   error of `edits`.
    public func prepare(_ edits: (inout Snapshot) throws -> Void) throws {
        guard gate.enter() else { throw DataSourceError.reentrantUpdate }
        defer { gate.leave() }
        var copy = preparedSnapshot
        try edits(&copy)
        state.withLock { [copy] in $0.prepared = copy }
    }

    /// Nil derives the granularity from the change.
    ///
    /// `edits` edits the state to begin from. Throws ``DataSourceError/reentrantUpdate``, or any
    /// error of `edits`.
    func write(
        telling granularity: ChangeGranularity?,
        policy: ChangePolicy = .automatic,
        _ edits: (inout Snapshot) throws -> Void
    ) throws -> ChangeBatch {
        guard gate.enter() else { throw DataSourceError.reentrantUpdate }
        let batch: ChangeBatch
        do {
            defer { gate.leave() }
            let (old, prepared) = state.withLock { ($0.current, $0.prepared) }
            var new = prepared ?? old
            try edits(&new)
            // Prepared edits may exceed the granularity of this update.
            batch = try publish(new, after: old, policy, prepared == nil ? granularity : nil)
        }
        deliver()
        return batch
    }

    private func publish(
        _ snapshot: Snapshot,
        after old: Snapshot,
        _ policy: ChangePolicy,
        _ granularity: ChangeGranularity?
    ) throws(DataSourceError) -> ChangeBatch {
        let new = snapshot.published(as: old.version + 1, by: epoch)
        var kind = ChangeBatch.Kind.reload
        if policy == .automatic {
            if let log = snapshot.log, log.base == old.log?.base {
                if let plan = try ChangePlan(old: old, new: new, log: log) {
                    guard !plan.isEmpty else {
                        state.withLock { $0.prepared = nil }
                        return .nothing(at: old.version)
                    }
                    kind = .stages(try plan.stages())
                }
            } else {
                kind = .difference(from: old, to: new)
            }
        }
        let batch = ChangeBatch(
            from: old.version,
            to: new.version,
            countsBefore: old.rowCounts,
            countsAfter: new.rowCounts,
            kind: kind
        )
        state.withLock { state in
            state.current = new
            state.prepared = nil
            state.audience.publish(batch)
        }
        deliveries.withLock {
            $0.add(Delivery(batch: batch, granularity: granularity ?? ChangeGranularity(batch)))
        }
        return batch
    }

    /// Replaces models whose rows look the same, without a new version.
    ///
    /// Throws ``DataSourceError/reentrantUpdate`` within an update of this data source, or any
    /// error of `edits`.
    package func exchange(_ edits: (inout Snapshot) throws -> Void) throws {
        guard gate.enter() else { throw DataSourceError.reentrantUpdate }
        defer { gate.leave() }
        var copy = snapshot
        try edits(&copy)
        state.withLock { [copy] in
            $0.current = copy.published(as: $0.current.version, by: epoch)
        }
    }

    // MARK: - Telling observers

    /// Notifies observers of pending deliveries, unless a thread already does.
    private func deliver() {
        while let delivery = deliveries.withLock({ $0.begin() }) {
            let observers = state.withLock { $0.audience.observers }
            for observer in observers where state.withLock({ $0.audience.has(observer.id) }) {
                // No lock is held here, because this may release the last reference to an observer.
                if let reference = observer.reference {
                    delivery.tell(reference, of: self)
                } else {
                    removeObserver(observer.id)
                }
            }
            deliveries.withLock { $0.end() }
        }
    }

    /// Notifies the observers of a granularity without a change, in order with the changes.
    func tell(_ granularity: ChangeGranularity) {
        let version = version
        deliveries.withLock {
            $0.add(Delivery(batch: .nothing(at: version), granularity: granularity))
        }
        deliver()
    }
}

extension Snapshot {
    /// A copy of this state as a version of a data source, which logs further edits.
    fileprivate func published(as version: UInt64, by epoch: UInt64) -> Snapshot {
        var copy = self
        copy.version = version
        copy.log = EditLog(
            base: EditLog.Base(epoch: epoch, version: version),
            limit: max(1_000, min(100_000, totalModelCount / 2))
        )
        return copy
    }
}
