import Bytes
import HTTP
import Locks
import Synchronization
import System

/// One thread of the server, which waits for events and performs the actions of its connections.
///
/// One thread uses it from creation to end, and other loops share nothing with it. It has one
/// receive buffer and one response. It also owns the outputs, except those of slow sockets.
///
/// It is a noncopyable struct because the compiler then knows that no other code accesses its
/// state. A class would check exclusive access at run time, which costs much on a short response.
struct EventLoop: ~Copyable {
    /// Tokens of descriptors that are not connections, those of listeners from `firstListener` on.
    enum Token {
        static let wakeUp: UInt64 = 0
        static let signals: UInt64 = 1
        static let firstListener: UInt64 = 2
    }

    let index: Int
    let server: HTTPServer
    let configuration: HTTPServer.Configuration
    let maximumConnections: Int
    let maximumUnsentBytes: Int
    let addressCounts: PerAddressLimit?
    let handler: any HTTPHandler

    /// Nil if the handler works only with requests.
    let timedHandler: (any HTTPTimerHandler)?

    /// Nil if the handler does not receive the peer of each request.
    let peerHandler: (any HTTPPeerHandler)?

    /// Nil until the handler is woken.
    var handlerTime: ContinuousClock.Instant?

    let rules: HTTPConnectionConfiguration
    let wakeUp: EventFD
    let signals: Signals?

    let wokenStreams: WakeQueue

    var eventLoop: Poller
    var acceptor: Acceptor
    var connections = ConnectionTable()

    var kept = LRUList()

    var quiet = LRUList()

    /// Connections with unsent output, those that have taken nothing for the longest time first.
    var unread = LRUList()

    var unsentBytes = 0

    /// The deadlines: slot 0 is the acceptor's, and a connection's slot is its own plus one.
    var deadlines = TimerHeap()

    /// Read once per iteration.
    private(set) var time: HTTPTime

    private(set) var turnStart = MonotonicTime.now

    let measures = LoopMetrics()

    var received: [UInt8]
    var response = HTTPResponse()

    var spareOutputs = OutputBufferPool()

    var departures = FlushConsolidator()

    var refusals = LogThrottle()

    var caps = LogThrottle()

    var resets = LogThrottle()

    /// Nil until the server is stopped.
    var leaveDeadline: ContinuousClock.Instant?

    /// The time when the loop rests unless an event comes; nil while it rests or without `onIdle`.
    private var idleTime: ContinuousClock.Instant?

    /// Nil while the server serves.
    var drainDeadline: ContinuousClock.Instant?

    /// The number of connections that were reset with a request or a response in progress.
    var cutConnections = 0

    init(
        index: Int,
        server: HTTPServer,
        configuration: HTTPServer.Configuration,
        maximumConnections: Int,
        maximumUnsentBytes: Int,
        addressCounts: PerAddressLimit?,
        listeners: [SharedListener],
        wakeUp: EventFD,
        signals: Signals?,
        handler: any HTTPHandler
    ) throws(SystemError) {
        // These come first, because a partly initialised value that owns descriptors cannot be
        // destroyed.
        let eventLoop = try Poller()
        let acceptor = try Acceptor(listeners)
        self.eventLoop = eventLoop
        self.acceptor = acceptor
        self.index = index
        self.server = server
        self.configuration = configuration
        self.maximumConnections = maximumConnections
        self.maximumUnsentBytes = maximumUnsentBytes
        self.addressCounts = addressCounts
        self.handler = handler
        timedHandler = handler as? any HTTPTimerHandler
        peerHandler = configuration.identifiesPeers ? handler as? any HTTPPeerHandler : nil
        rules = HTTPConnectionConfiguration(
            limits: configuration.limits,
            takeHeadNumbers: RequestHeadIDs.takeBlock
        ) { [handler] refusal, response in
            handler.refuse(refusal, with: &response)
        }
        self.wakeUp = wakeUp
        wokenStreams = WakeQueue(wakeUp)
        self.signals = signals
        received = [UInt8](repeating: 0, count: configuration.limits.receiveBufferBytes)
        time = Self.now()
        if configuration.onIdle != nil {
            idleTime = time.monotonic.advanced(by: configuration.idleDelay)
        }
        configuration.state.add(measures)
    }

    /// Serves until the server has stopped.
    ///
    /// Returns the number of connections that had to be reset.
    mutating func run() throws(SystemError) -> Int {
        try eventLoop.add(wakeUp.descriptor, token: Token.wakeUp, interest: .reading)
        try watchSignals()
        try acceptor.watch(with: eventLoop)
        // No stream has the token of the wake-up itself.
        timedHandler?.begin(waker: wokenStreams.waker(for: Token.wakeUp))
        while true {
            follow(configuration.state.phase)
            if drainDeadline != nil, connections.count == 0 { return cutConnections }
            let count = try eventLoop.wait(until: nextCheck)
            measures.turns.add()
            lookAtClocks()
            noteIdle(after: count)
            departures.beginTurn(events: count, at: turnStart)
            for index in 0..<count { handle(eventLoop.event(at: index)) }
            depart()
            passDeadlines()
        }
    }

    private var nextCheck: ContinuousClock.Instant? {
        let own = Self.first(drainDeadline ?? leaveDeadline, handlerTime)
        return Self.first(deadlines.nextCheck, Self.first(own, idleTime))
    }

    /// Records the number of events, and reports when all loops have had none for long.
    private mutating func noteIdle(after events: Int) {
        guard let onIdle = configuration.onIdle else { return }
        if events > 0 {
            if idleTime == nil { server.restingLoops.subtract(1, ordering: .relaxed) }
            idleTime = time.monotonic.advanced(by: configuration.idleDelay)
        } else if let idleTime, idleTime <= time.monotonic {
            self.idleTime = nil
            spareOutputs.removeAll()
            let resting = server.restingLoops.add(1, ordering: .relaxed).newValue
            if resting == server.loopCount { onIdle() }
        }
    }

    private static func first(
        _ left: ContinuousClock.Instant?,
        _ right: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    mutating func lookAtClocks() {
        time = Self.now()
        turnStart = .now
    }

    private static func now() -> HTTPTime {
        HTTPTime(monotonic: .now, secondsSince1970: WallClock.secondsSince1970())
    }

    private mutating func handle(_ event: Poller.Event) {
        if ConnectionTable.isConnection(event.token) {
            guard let connection = connections[token: event.token] else { return }
            handle(event, of: connection)
            if departures.isDue(at: turnStart.age) { depart() }
            return
        }
        // Further events may concern any connection, so the batch is sent first.
        depart()
        if event.token == Token.wakeUp {
            wakeUp.reset()
            goOnWithStreams()
        } else if event.token == Token.signals {
            takeSignals()
        } else {
            accept(from: Int(event.token - Token.firstListener))
        }
        departures.goOn(at: turnStart.age)
    }

    private mutating func passDeadlines() {
        if let handlerTime, handlerTime <= time.monotonic { tickHandler() }
        // Each slot once: a deadline that is set again in the past waits for the next iteration.
        for _ in 0...connections.count {
            guard let slot = deadlines.popPassed(now: time.monotonic) else { return }
            if slot == 0 {
                backOffIsOver()
            } else if let connection = connections[slot: slot - 1] {
                let time = time
                let waiting = connection.isWriting ? try? connection.descriptor.unsentBytes() : nil
                advance(connection) { machine, output in
                    machine.deadlinePassed(at: time, waiting: waiting, into: &output)
                }
            }
        }
    }

    private func watchSignals() throws(SystemError) {
        guard let signals else { return }
        try eventLoop.add(signals.descriptor, token: Token.signals, interest: .reading)
    }

    /// Handles signals: the first drains the server, the second stops it.
    private mutating func takeSignals() {
        // A descriptor that cannot be read has no signal.
        while let signal = try? signals?.next() {
            if Signals.isHangup(signal) {
                configuration.onHangup?()
            } else if configuration.state.isDraining {
                server.stopAtOnce()
            } else {
                server.stop()
            }
        }
    }
}

extension EventLoop {
    mutating func letWait(
        _ output: borrowing HTTPOutput,
        of connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine
    ) -> Bool {
        guard departures.mayWait(body: output.body.count), output.file == nil,
            machine.releaseRequest()
        else { return false }
        departures.append(connection.token, bytes: output.heldBytes)
        connection.isDeparting = true
        return true
    }

    mutating func depart() {
        guard !departures.tokens.isEmpty else { return }
        for token in departures.tokens {
            guard let connection = connections[token: token] else { continue }
            connection.isDeparting = false
            advance(connection) { _, _ in .write }
        }
        departures.goOn(at: turnStart.age)
    }
}

extension EventLoop {
    /// Counts the unread response bytes that a connection holds.
    mutating func note(_ output: borrowing HTTPOutput, of connection: HTTPConnection) {
        guard !output.isEmpty else { return forgetUnsent(of: connection) }
        unsentBytes += output.heldBytes - connection.unsentBytes
        connection.unsentBytes = output.heldBytes
        unread.append(connection.slot)
    }

    mutating func forgetUnsent(of connection: HTTPConnection) {
        unsentBytes -= connection.unsentBytes
        connection.unsentBytes = 0
        unread.remove(connection.slot)
    }

    /// Resets the connections that have taken nothing for the longest time, until the limit is met.
    ///
    /// Otherwise many clients that request large responses and read none would exhaust memory.
    mutating func boundUnsent() {
        guard unsentBytes > maximumUnsentBytes else { return }
        if resets.isDue(at: time) { configuration.eventLog?(.answersAtLimit(bytes: unsentBytes)) }
        while unsentBytes > maximumUnsentBytes, let slot = unread.first,
            let connection = connections[slot: slot]
        {
            abort(connection)
        }
    }
}

extension EventLoop {
    /// Sets the deadline of the connection's next event, and its place in the lists for making
    /// room.
    mutating func settle(
        _ connection: HTTPConnection,
        _ machine: borrowing HTTPConnectionStateMachine
    ) {
        let slot = connection.slot
        // The handler's deadline has passed, and the client has received a timeout.
        if connection.deferred != nil, !machine.isResponding {
            dropPendingResponse(of: connection)
        }
        deadlines.set(slot + 1, to: machine.deadline)
        // A client that sends a head byte by byte counts as new.
        if connection.phase == .busy, machine.isReceivingHead { connection.phase = .new }
        switch connection.phase {
        case .new:
            kept.remove(slot)
            if !quiet.contains(slot) { quiet.append(slot) }
        case .lingering:
            connection.quietSince = time.monotonic
            kept.remove(slot)
            quiet.append(slot)
        case .kept:
            quiet.remove(slot)
            kept.append(slot)
            // Accepting is paused for lack of room, and this connection can be closed to make some.
            if acceptor.pause == .cap { resumeAccepting() }
        case .busy:
            kept.remove(slot)
            quiet.remove(slot)
        }
    }

    /// Ends a connection so that the client cannot take a part for the whole.
    mutating func abort(_ connection: HTTPConnection) {
        // If the option cannot be set, the connection is already gone.
        try? connection.descriptor.resetWhenClosed()
        close(connection)
    }

    /// The descriptor is closed with the last reference.
    mutating func close(_ connection: HTTPConnection) {
        logStream(of: connection, isAborted: true)
        dropPendingResponse(of: connection)
        deadlines.set(connection.slot + 1, to: nil)
        kept.remove(connection.slot)
        quiet.remove(connection.slot)
        forgetUnsent(of: connection)
        connections.remove(slot: connection.slot)
        measures.closed.add()
        if let network = connection.network { addressCounts?.leave(network) }
        resumeAccepting()
    }
}

extension EventLoop {
    /// Does nothing if the phase is applied already.
    mutating func follow(_ phase: HTTPServerState.Phase) {
        switch phase {
        case .serving: return
        case .leaving: return leave()
        case .draining:
            if drainDeadline == nil { beginDraining() }
        case .stopping:
            if drainDeadline == nil { acceptor.close() }
            drainDeadline = time.monotonic
        }
        if let drainDeadline, drainDeadline <= time.monotonic { cutConnectionsLeft() }
    }

    /// Serves until the delay is over, which every loop measures itself.
    private mutating func leave() {
        guard let leaveDeadline else {
            leaveDeadline = time.monotonic.advanced(by: configuration.drainDelay)
            for slot in 0..<connections.slotCount {
                connections[slot: slot]?.machine.isDraining = true
            }
            guard index == 0 else { return }
            return configuration.eventLog?(.leavingBegan(for: configuration.drainDelay)) ?? ()
        }
        guard leaveDeadline <= time.monotonic else { return }
        configuration.state.advance(to: .draining)
        beginDraining()
    }

    /// Accepts the clients that the kernel has already connected, closes the listeners, and drains
    /// every connection.
    private mutating func beginDraining() {
        configuration.eventLog?(
            .drainingBegan(loop: index, openConnections: connections.count)
        )
        for index in acceptor.listeners.indices { acceptAll(from: index) }
        acceptor.close()
        deadlines.set(0, to: nil)
        // The current iteration may have begun before the server was stopped.
        lookAtClocks()
        drainDeadline = time.monotonic.advanced(by: configuration.drainTimeout)
        for slot in 0..<connections.slotCount {
            guard let connection = connections[slot: slot] else { continue }
            connection.machine.isDraining = true
            // A request that has arrived gets a response. Only connections that are surely idle are
            // closed.
            if !connection.isWriting, connection.deferred == nil { receive(connection) }
            guard connections[slot: slot] === connection else { continue }
            let time = time
            advance(connection) { machine, output in
                machine.drainRequested(at: time, into: &output)
            }
        }
    }

    private mutating func acceptAll(from index: Int) {
        var before = -1
        while connections.count > before, acceptor.pause == nil {
            before = connections.count
            accept(from: index)
        }
    }

    private mutating func cutConnectionsLeft() {
        for slot in 0..<connections.slotCount {
            guard let connection = connections[slot: slot] else { continue }
            // A client without a pending request or response loses nothing.
            guard connection.phase == .busy || connection.machine.isReceivingHead else {
                close(connection)
                continue
            }
            cutConnections += 1
            abort(connection)
        }
    }
}

struct ResponseStart {
    let moment: MonotonicTime
    let queued: Duration
}

extension EventLoop {
    mutating func respond(
        to connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        if let peerHandler { peerHandler.peer = connection.peer }
        if let deferred = connection.deferred {
            return finish(deferred, for: connection, &machine, &output)
        }
        let start = answerStart
        do {
            try machine.withRequest { try handler.respond(to: $0, with: &response) }
        } catch {
            return handlerFailed(error, for: connection, &machine, since: start, &output)
        }
        if let deferral = response.deferral.take() {
            response.reset()
            return begin(deferral, for: connection, &machine, since: start, &output)
        }
        return send(to: connection, &machine, since: start, &output)
    }

    mutating func admitBody(
        of connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        let start = answerStart
        if let peerHandler { peerHandler.peer = connection.peer }
        do {
            let decision = try machine.withRequest { request in
                try handler.admitBody(of: request, with: &response)
            }
            switch decision {
            case .read:
                response.reset()
                return machine.bodyAdmitted(at: time, into: &output)
            case .hand(let sink):
                response.reset()
                return machine.bodyAdmitted(to: sink, at: time, into: &output)
            case .respond:
                return send(to: connection, &machine, since: start, &output)
            }
        } catch {
            return handlerFailed(error, for: connection, &machine, since: start, &output)
        }
    }

    private var answerStart: ResponseStart? {
        guard configuration.accessLog != nil else { return nil }
        return ResponseStart(moment: .now, queued: time.monotonic.duration(to: .now))
    }

    mutating func handlerFailed(
        _ error: any Error,
        for connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
        since start: ResponseStart?,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        response.reset()
        configuration.eventLog?(
            .handlerFailed(
                method: machine.request.method,
                target: machine.request.target,
                error: error
            )
        )
        var failed: AccessRecord?
        if let start {
            failed = record(.internalServerError, of: connection, machine, since: start)
        }
        let action = machine.handlerFailed(at: time, into: &output)
        // Later refusals belong to requests after this one.
        if let refusal = rules.takeRefusal(), var failed {
            failed.requestID = refusal.requestID
            failed.status = refusal.status
            failed.bodyBytes = refusal.bodyBytes
            configuration.accessLog?(failed)
        }
        return action
    }

    mutating func send(
        to connection: HTTPConnection,
        _ machine: inout HTTPConnectionStateMachine,
        since start: ResponseStart?,
        _ output: inout HTTPOutput
    ) -> HTTPConnectionAction {
        // The server may have begun to stop while the response was made.
        if configuration.state.isDraining { response.closesConnection = true }
        if response.isLasting, machine.request.method != .head {
            guard let permit = server.lastingStreams.enter(connection.descriptor) else {
                response.reset()
                return machine.handlerOverloaded(at: time, into: &output)
            }
            connection.lasting = permit
        }
        let stream = machine.request.method == .head ? nil : response.stream
        if let start {
            let record = record(response.status, of: connection, machine, since: start)
            if stream == nil {
                configuration.accessLog?(record)
            } else {
                connection.streamed = StreamedResponse(record: record, start: start.moment)
            }
        }
        stream?.begin(waker: wokenStreams.waker(for: connection.token))
        return machine.responseReady(&response, at: time, into: &output)
    }

    /// Returns the access record of a handler's response, logged now or at the end of its stream.
    private func record(
        _ status: HTTPStatus,
        of connection: HTTPConnection,
        _ machine: borrowing HTTPConnectionStateMachine,
        since start: ResponseStart
    ) -> AccessRecord {
        let hasBody = machine.request.method != .head && response.stream == nil
        return AccessRecord(
            method: machine.request.method,
            target: machine.request.target,
            requestID: response.field(.xRequestID),
            status: status,
            bodyBytes: hasBody ? response.contentLength : 0,
            duration: .nanoseconds(start.moment.age),
            queued: start.queued,
            isAborted: false,
            client: connection.peer?.text,
            userAgent: machine.request.field(.userAgent),
            referrer: machine.request.field(.referer),
            version: machine.request.version,
            note: response.note
        )
    }

    func logRefusals(of connection: HTTPConnection) {
        while let refusal = rules.takeRefusal() {
            configuration.accessLog?(
                AccessRecord(
                    method: nil,
                    target: "",
                    requestID: refusal.requestID,
                    status: refusal.status,
                    bodyBytes: refusal.bodyBytes,
                    duration: .zero,
                    queued: .zero,
                    isAborted: false,
                    client: connection.peer?.text
                )
            )
        }
    }

    /// Reports the error of a stream, if its stream and not the client ended the response.
    func tellStreamFailure(
        of connection: HTTPConnection,
        _ machine: borrowing HTTPConnectionStateMachine
    ) {
        guard let error = machine.streamFailure, let record = connection.streamed?.record
        else { return }
        configuration.eventLog?(
            .streamFailed(
                method: machine.request.method,
                target: record.target,
                bodyBytes: record.bodyBytes,
                error: error
            )
        )
    }

    func logStream(of connection: HTTPConnection, isAborted: Bool) {
        guard let streamed = connection.streamed.take() else { return }
        streamed.record.duration = .nanoseconds(streamed.start.age)
        streamed.record.isAborted = isAborted
        configuration.accessLog?(streamed.record)
    }
}
