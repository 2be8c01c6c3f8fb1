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

    /// The handler, if it also works without requests.
    let timedHandler: (any HTTPTimerHandler)?

    /// The handler, if it receives the peer of each request.
    let peerHandler: (any HTTPPeerHandler)?

    /// The time of the timed handler's next call; nil until it is woken.
    var handlerTime: ContinuousClock.Instant?

    let rules: HTTPConnectionConfiguration
    let wakeUp: EventFD
    let signals: Signals?

    /// The streams that were woken.
    let wokenStreams: WakeQueue

    var eventLoop: Poller
    var acceptor: Acceptor
    var connections = ConnectionTable()

    /// Connections that wait for another request, the longest idle first.
    var kept = LRUList()

    /// Connections that are new or lingering, the longest silent first.
    var quiet = LRUList()

    /// Connections with unsent output, those that have taken nothing for the longest time first.
    var unread = LRUList()

    /// The response bytes that they hold.
    var unsentBytes = 0

    /// The deadlines: slot 0 is the acceptor's, and a connection's slot is its own plus one.
    var deadlines = TimerHeap()

    /// The current time, read once per iteration.
    private(set) var time: HTTPTime

    /// The time when the iteration began.
    private(set) var turnStart = MonotonicTime.now

    /// The counters of the loop.
    let measures = LoopMetrics()

    var received: [UInt8]
    var response = HTTPResponse()

    /// The pool of unused outputs.
    var spareOutputs = OutputBufferPool()

    /// The batch of responses that are sent together.
    var departures = FlushConsolidator()

    /// Limits reports of addresses with too many connections.
    var refusals = LogThrottle()

    /// Limits reports of a loop with its maximum of connections.
    var caps = LogThrottle()

    /// Limits reports of too many unread bytes.
    var resets = LogThrottle()

    /// The end of accepting connections; nil until the server is stopped.
    var leaveDeadline: ContinuousClock.Instant?

    /// The time when the loop rests unless an event comes; nil while it rests or without `onIdle`.
    private var idleTime: ContinuousClock.Instant?

    /// The end of draining; nil while the server serves.
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
    /// - Returns: The number of connections that had to be reset.
    mutating func run() throws(SystemError) -> Int {
        try eventLoop.add(wakeUp.descriptor, token: Token.wakeUp, interest: .reading)
        try watchSignals()
        try acceptor.watch(with: eventLoop)
        // No stream has the token of the wake-up itself.
        timedHandler?.begin(waker: wokenStreams.waker(for: Token.wakeUp))
        while true {
            follow(configuration.state.phase)
            if drainDeadline != nil, connections.count == 0 { return cutConnections }
            let count = try eventLoop.wait(until: nextLook)
            measures.turns.add()
            lookAtClocks()
            noteIdle(after: count)
            departures.beginTurn(events: count, at: turnStart)
            for index in 0..<count { handle(eventLoop.event(at: index)) }
            depart()
            passDeadlines()
        }
    }

    private var nextLook: ContinuousClock.Instant? {
        let own = Self.first(drainDeadline ?? leaveDeadline, handlerTime)
        return Self.first(deadlines.nextLook, Self.first(own, idleTime))
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

    /// Reads the current time.
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
        if let handlerTime, handlerTime <= time.monotonic { letHandlerLook() }
        // Each slot once: a deadline that is set again in the past waits for the next iteration.
        for _ in 0...connections.count {
            guard let slot = deadlines.popPassed(now: time.monotonic) else { return }
            if slot == 0 {
                backOffIsOver()
            } else if let connection = connections[slot: slot - 1] {
                let time = time
                advance(connection) { machine, output in
                    machine.deadlinePassed(at: time, into: &output)
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
