import Database
import HTTP
package import HTTPServer
import Listings
import Locks
import Rendering
import System

package final class ServiceWorkers: Sendable {
    /// The kinds of work besides writing; each has its own threads, so that none delays another.
    package enum Work {
        case reading
        case waiting
        /// Continuing exports, which are long and must not delay queries.
        case exporting
        case following
    }

    package static let readerThreads = 8
    /// The number of threads that wait for other programs, which costs little but their stacks.
    package static let waitingThreads = 64
    package static let writerThreads = 4
    package static let longestReadWait = Duration.seconds(10)
    package static let maximumLanes = 4_096

    private let readers: WorkerPool
    private let writers: WorkerPool
    private let waitingWrites: WriteQueue
    private let longestWriteWait: Duration
    private let longestReadWait: Duration
    private let waiters = WorkerPool(
        threads: ServiceWorkers.waitingThreads,
        maximumWaiting: 1_024
    )
    private let exporters = WorkerPool(threads: 2, maximumWaiting: 256)
    private let followers = WorkerPool(threads: 2, maximumWaiting: 1_024)
    private let counters = WorkerPool(threads: 1, maximumWaiting: 64)
    private let uncounted = Monitor<Set<UncountedPage>>([])
    private let counting = RequestCancellation()
    /// The requests whose callers the program identifies, of which an address has few.
    let identifications = PerAddressLimit(maximum: ServiceWorkers.waitingThreads / 4)

    /// A request beyond the queue of its client gets 503, as does a write beyond the maximum.
    package init(
        _ readers: WorkerPool = WorkerPool(
            threads: ServiceWorkers.readerThreads,
            maximumWaiting: 1_000
        ),
        longestReadWait: Duration = ServiceWorkers.longestReadWait,
        writers: WorkerPool = WorkerPool(
            threads: ServiceWorkers.writerThreads,
            maximumWaiting: ServiceWorkers.maximumLanes
        ),
        maximumWritingBytes: Int = 64 << 20,
        longestWriteWait: Duration = .seconds(5)
    ) {
        self.readers = readers
        self.longestReadWait = longestReadWait
        self.writers = writers
        self.longestWriteWait = longestWriteWait
        waitingWrites = WriteQueue(maximumBytes: maximumWritingBytes)
    }

    /// Offers a job to a thread; returns false when the queue of the client is full.
    package func offer(
        _ work: Work,
        of client: UInt64? = nil,
        _ job: @escaping @Sendable () -> Void
    ) -> Bool {
        let workers =
            switch work {
            case .reading: readers
            case .waiting: waiters
            case .exporting: exporters
            case .following: followers
            }
        return workers.offer(of: client, job)
    }

    package func stop() {
        counting.cancel()
        _ = uncounted.wait(for: .seconds(2)) { $0.isEmpty }
    }

    /// The waker is called when the result is available; nil when the queue is full.
    func ask<Value: Sendable>(
        _ work: Work,
        of origin: ListOrigin,
        waking waker: HTTPStreamWaker?,
        _ body: @escaping @Sendable (OpenLists, ServedList) throws -> Value
    ) -> Mailbox<Result<Value, any Error>>? {
        let mailbox = Mailbox<Result<Value, any Error>>()
        let isTaken = offer(origin.isBlocking ? .waiting : work) {
            guard mailbox.isWanted else { return }
            RequestCancellation.$current.withValue(mailbox.cancellation) {
                mailbox.put(
                    Result {
                        let lists = OpenLists(origin.service, of: origin.store, self)
                        let list = try lists.open(origin.list)
                        guard let list = list?.endpoint(ofSegmentOrNil: origin.segment) else {
                            throw SourceError.redefined
                        }
                        return try body(lists, list)
                    }
                )
            }
            waker?.wake()
        }
        return isTaken ? mailbox : nil
    }

    func handle(_ offloaded: OffloadedCall, of client: UInt64?) {
        if let lane = offloaded.lane { return write(offloaded, lane) }
        let isTaken = offer(offloaded.work, of: client) { [self] in
            guard offloaded.isWanted else { return }
            guard offloaded.age <= longestReadWait else { return offloaded.refuse(Self.overload) }
            RequestCancellation.$current.withValue(offloaded.cancellation) {
                respond(to: offloaded)
            }
        }
        if !isTaken { offloaded.refuse(Self.overload) }
    }

    private static let overload: Text = "Too many requests are in progress."

    private func respond(to offloaded: OffloadedCall) {
        var call = offloaded.take()
        respond(to: &call, offloaded, with: OpenLists(call.service, of: call.lists.store, self))
        offloaded.giveBack(call)
    }

    /// In a group, the caller notifies the loops of changes.
    private func respond(
        to call: inout Call,
        _ offloaded: OffloadedCall,
        with lists: OpenLists,
        isInGroup: Bool = false
    ) {
        call.onWorker(lists, isInGroup: isInGroup) { call in
            if offloaded.isCachedCurrent(in: lists) {
                call.cachedIsCurrent = true
                return
            }
            RequestDispatcher.respond(to: &call)
            if let page = call.uncounted { finishCounting(page, call.service, lists.store) }
        }
    }

    private func finishCounting(
        _ page: UncountedPage,
        _ service: Service,
        _ store: ServiceStore
    ) {
        guard uncounted.withLock({ $0.insert(page).inserted }) else { return }
        let isTaken = counters.offer { [self] in
            defer { uncounted.withLock { _ = $0.remove(page) } }
            RequestCancellation.$current.withValue(counting) {
                let lists = OpenLists(service, of: store, self)
                // The list is given back to its pool afterwards.
                withExtendedLifetime(lists) {
                    lists[page.list]?.endpoint(ofSegmentOrNil: page.segment)?
                        .reader.finishCounting(of: page.query)
                }
            }
        }
        if !isTaken { uncounted.withLock { _ = $0.remove(page) } }
    }

    // MARK: - Writes, of which those to one database share transactions

    private static let maximumGroup = 256
    /// The maximum time, in nanoseconds, that a transaction stays open for further writes.
    private static let longestGroup = 20_000_000

    private final class HeldCall {
        let offloaded: OffloadedCall
        let service: Service
        let store: ServiceStore
        var call: Call?

        init(_ offloaded: OffloadedCall) {
            self.offloaded = offloaded
            let call = offloaded.take()
            (service, store) = (call.service, call.lists.store)
            self.call = consume call
        }

        func giveBack() {
            if let call = call.take() { offloaded.giveBack(call) }
        }
    }

    private func write(_ write: OffloadedCall, _ lane: WriteQueue.Lane) {
        switch waitingWrites.add(write, lane) {
        case .refused: write.refuse(Self.overload)
        case .waits: break
        case .needsWorker: startTurn(lane)
        }
    }

    private func startTurn(_ lane: WriteQueue.Lane) {
        let isTaken = writers.offer { [self] in
            performNext(lane)
            // Other lanes take their turns first.
            if waitingWrites.endTurn(lane) { startTurn(lane) }
        }
        guard !isTaken else { return }
        for write in waitingWrites.withdrawWorker(lane) { write.refuse(Self.overload) }
    }

    private func takeWrite(_ lane: WriteQueue.Lane) -> OffloadedCall? {
        while let write = waitingWrites.take(lane) {
            guard write.isWanted else { continue }
            guard write.age > longestWriteWait else { return write }
            write.refuse(Self.lateness)
        }
        return nil
    }

    private static let lateness: Text = "The request has waited too long for other writes."

    private func performNext(_ lane: WriteQueue.Lane) {
        guard let write = takeWrite(lane) else { return }
        guard case .database = lane else { return respond(to: write) }
        let first = HeldCall(write)
        let lists = OpenLists(first.service, of: first.store, self)
        guard let grouping = write.list.flatMap({ lists[$0] })?.writer?.abilities.grouping else {
            respond(to: first, with: lists)
            return first.giveBack()
        }
        performTogether(first, lane, lists, grouping)
    }

    private func respond(
        to held: HeldCall,
        with lists: OpenLists? = nil,
        isInGroup: Bool = false
    ) {
        guard var call = held.call.take() else { return }
        let lists = lists ?? OpenLists(held.service, of: held.store, self)
        respond(to: &call, held.offloaded, with: lists, isInGroup: isInGroup)
        held.call = consume call
    }

    private func performTogether(
        _ first: HeldCall,
        _ lane: WriteQueue.Lane,
        _ lists: OpenLists,
        _ grouping: WriteGrouping
    ) {
        let start = MonotonicTime.now
        // The first member may wait for the transaction.
        var begun: MonotonicTime?
        var members: [HeldCall] = []
        let repeated = grouping.perform { number in
            let isEarly = begun.map { $0.age < Self.longestGroup } ?? true
            let isOpen = number < Self.maximumGroup && isEarly
            let next = number > 0 && isOpen ? takeWrite(lane).map(HeldCall.init) : nil
            guard let member = number == 0 ? first : next else { return false }
            members.append(member)
            let isOfSame = member.service === lists.service
            if isOfSame { member.offloaded.list.flatMap { lists[$0] }?.begin() }
            respond(to: member, with: isOfSame ? lists : nil, isInGroup: true)
            begun = begun ?? .now
            return true
        }
        for (number, member) in members.enumerated() where !repeated.contains(number) {
            member.giveBack()
        }
        lists.service.options.changeSignal.notify()
        for member in repeated.map({ members[$0] }) {
            member.call?.restart()
            if .nanoseconds(start.age) > longestWriteWait * 3 {
                member.call?.refuseUndone(Self.lateness)
            } else {
                respond(to: member)
            }
            member.giveBack()
        }
    }
}
