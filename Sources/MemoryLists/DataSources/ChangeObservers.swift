import ListDiff

struct ChangeObservers: Sendable {
    struct Observer: Sendable {
        let id: UInt64
        weak let reference: (any DataSourceObserver)?
    }

    private struct Stream: Sendable {
        weak let subscription: ChangeSubscription?
    }

    private static var rememberedBatches: Int { 64 }

    private(set) var observers: [Observer] = []
    private var streams: [Stream] = []
    private var batches: [ChangeBatch] = []
    private var lastID: UInt64 = 0

    func has(_ id: UInt64) -> Bool { observers.contains { $0.id == id } }

    mutating func add(_ observer: any DataSourceObserver) -> UInt64 {
        lastID += 1
        observers.append(Observer(id: lastID, reference: observer))
        return lastID
    }

    mutating func remove(_ id: UInt64) { observers.removeAll { $0.id == id } }

    mutating func add(
        _ subscription: ChangeSubscription,
        since version: UInt64?,
        current: Snapshot
    ) {
        streams.removeAll { $0.subscription == nil }
        streams.append(Stream(subscription: subscription))
        guard let version, version != current.version else { return }
        if let first = batches.firstIndex(where: { $0.from == version }) {
            for batch in batches[first...] { subscription.send(batch) }
        } else {
            subscription.send(
                ChangeBatch(
                    from: version,
                    to: current.version,
                    countsBefore: [],
                    countsAfter: current.rowCounts,
                    kind: .reload
                )
            )
        }
    }

    mutating func publish(_ batch: ChangeBatch) {
        if batches.count == Self.rememberedBatches { batches.removeFirst() }
        batches.append(batch)
        for stream in streams { stream.subscription?.send(batch) }
    }

    mutating func close() {
        for stream in streams { stream.subscription?.close() }
        streams = []
    }
}

struct Delivery: Sendable {
    let batch: ChangeBatch
    let granularity: ChangeGranularity

    func tell(_ observer: any DataSourceObserver, of dataSource: DataSource) {
        if !batch.isEmpty { observer.dataSource(dataSource, didApply: batch) }
        switch granularity {
        case .whole: observer.dataSourceWasMutated(dataSource)
        case .section(let section): observer.dataSource(dataSource, didMutateSection: section)
        case .rows(let rows): observer.dataSource(dataSource, didMutateRows: rows)
        }
    }
}

/// In the order of the versions, for one delivering thread at a time.
struct DeliveryQueue: Sendable {
    private var waiting: [Delivery] = []
    private var isDelivering = false

    mutating func add(_ delivery: Delivery) { waiting.append(delivery) }

    /// Nil when there is none or another thread is delivering.
    mutating func begin() -> Delivery? {
        guard !isDelivering, !waiting.isEmpty else { return nil }
        isDelivering = true
        return waiting.removeFirst()
    }

    mutating func end() { isDelivering = false }
}
