import Locks

/// A list that changes: it holds one ``Snapshot`` at a time and tells how one became the next.
///
/// Readers take the snapshot and keep it as long as they like; a writer never makes them wait, and
/// they never see half of an update. Writers wait for one another. Each update that changes something
/// makes one version and one ``ChangeBatch``, and observers and streams get the batches in the order
/// of the versions.
public final class DataSource: Sendable {
    /// How ``apply(_:policy:)`` tells the change to a snapshot that it was given.
    public enum ChangePolicy: Sendable {
        /// By its edits, when the snapshot was made of the current one; else by what comparing the
        /// two shows.
        case automatic
        /// As a reload.
        case reload
    }

    /// What one thread at a time may touch.
    struct State: Sendable {
        var current: Snapshot
        /// Edits that are published together with the next update.
        var prepared: Snapshot?
        var audience = Audience()
    }

    /// Names the life of this data source, for versions and cursors; no two have the same.
    public let epoch: UInt64
    let state: Locked<State>
    private let gate = WriterGate()
    private let deliveries = Locked(DeliveryQueue())

    /// Creates a data source.
    ///
    /// - Parameter snapshot: What it holds first, as version 0.
    public convenience init(_ snapshot: Snapshot = Snapshot()) {
        self.init(snapshot, epoch: .random(in: .min ... .max))
    }

    /// Creates a data source whose versions and cursors are known beforehand.
    ///
    /// - Parameters:
    ///   - snapshot: What it holds first, as version 0.
    ///   - epoch: Names the life of this data source.
    package init(_ snapshot: Snapshot, epoch: UInt64) {
        self.epoch = epoch
        state = Locked(State(current: snapshot.published(as: 0, by: epoch)))
    }

    /// Creates a data source of sections.
    ///
    /// - Throws: As ``Snapshot/init(_:checkedRunLength:)``.
    public convenience init(sections: [Section]) throws(DataSourceError) {
        self.init(try Snapshot(sections))
    }

    /// Creates a data source of one section.
    ///
    /// - Throws: As ``Snapshot/init(_:checkedRunLength:)``.
    public convenience init(section: Section) throws(DataSourceError) {
        self.init(try Snapshot([section]))
    }

    /// Creates a data source of models in one section.
    ///
    /// - Parameters:
    ///   - models: The models; their ids differ.
    ///   - registration: The proof that models of the type can be shown.
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

    /// The state now.
    ///
    /// - Complexity: O(1): a lock is held for the copy only.
    public var snapshot: Snapshot { state.withLock { $0.current } }

    /// The version of the state now.
    ///
    /// - Complexity: O(1).
    public var version: UInt64 { state.withLock { $0.current.version } }

    /// Whether rows of the state now may be moved: asked for every page, and told without a copy.
    var hasMoves: Bool {
        state.withLock { $0.current.sections.tally.features.contains(.moves) }
    }

    /// The state that the next update begins from: the current one, and what ``prepare(_:)``
    /// edited.
    ///
    /// - Complexity: O(1).
    var preparedSnapshot: Snapshot { state.withLock { $0.prepared ?? $0.current } }

    /// Edits the list: all of the edits are kept, or none when one throws.
    ///
    /// Other writers wait meanwhile; readers do not. The observers have been told when this returns,
    /// unless another writer's thread is just telling them: then it goes on with this change.
    ///
    /// - Parameter edits: Edits a copy of the state.
    /// - Returns: What changed, in the fewest steps; empty, with no new version and nobody told,
    ///   when the edits changed nothing.
    /// - Throws: ``DataSourceError/reentrantUpdate`` within an update of this data source, or what
    ///   `edits` throws.
    /// - Complexity: O(edits · log n + sections).
    @discardableResult
    public func update(
        _ edits: (inout Snapshot) throws -> Void
    ) throws -> ChangeBatch {
        try write(telling: nil, edits)
    }

    /// Puts a snapshot in the place of the state.
    ///
    /// A copy of the current state that was edited is told by its edits. Any other snapshot is
    /// compared with the current state, row by row as they are shown; the change is a reload where
    /// one of them has runs longer than ``Snapshot/checkedRunLength``.
    ///
    /// - Parameters:
    ///   - snapshot: The new state.
    ///   - policy: How the change is told.
    /// - Returns: What changed.
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

    /// Edits the list without publishing it: readers go on with the current state, and the next
    /// update's change includes these edits.
    ///
    /// - Parameter edits: Edits a copy of the state, with all that was prepared before.
    /// - Throws: ``DataSourceError/reentrantUpdate`` within an update of this data source, or what
    ///   `edits` throws.
    public func prepare(_ edits: (inout Snapshot) throws -> Void) throws {
        guard gate.enter() else { throw DataSourceError.reentrantUpdate }
        defer { gate.leave() }
        var copy = preparedSnapshot
        try edits(&copy)
        state.withLock { [copy] in $0.prepared = copy }
    }

    /// Makes a state and publishes it.
    ///
    /// - Parameters:
    ///   - granularity: What observers are told, where the change itself does not say.
    ///   - policy: How the change is told.
    ///   - edits: Makes the new state of the one to begin from.
    /// - Returns: What changed.
    /// - Throws: ``DataSourceError/reentrantUpdate``, or what `edits` throws.
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
            // What was prepared reaches further than this update knows.
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

    // MARK: - Telling observers

    /// Tells observers what they were not told yet, unless a thread is at it already.
    private func deliver() {
        while let delivery = deliveries.withLock({ $0.begin() }) {
            let observers = state.withLock { $0.audience.observers }
            for observer in observers where state.withLock({ $0.audience.has(observer.id) }) {
                // Outside of the lock: the last reference to an observer may be this one.
                if let reference = observer.reference {
                    delivery.tell(reference, of: self)
                } else {
                    removeObserver(observer.id)
                }
            }
            deliveries.withLock { $0.end() }
        }
    }

    /// Tells the observers something that is no change, in turn with the changes.
    func tell(_ granularity: ChangeGranularity) {
        let version = version
        deliveries.withLock {
            $0.add(Delivery(batch: .nothing(at: version), granularity: granularity))
        }
        deliver()
    }
}

extension Snapshot {
    /// This state as a version of a data source, from which edits are logged.
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
