import HTTP
import Locks
import Sockets
import Synchronization

/// One thread of the server: waits for readiness, lets the machines of its connections decide, and
/// does what they say.
///
/// Used by one thread from its making to its end; nothing in it is shared with other loops. There is
/// one receive buffer and one response; output is the loop's too, unless a socket takes it slowly.
///
/// A value that has one owner and no copies: the compiler knows that nobody else looks at what it
/// changes, which an object has to ask while it runs, at every look (a quarter of the instructions of
/// an answer that is sent as it is kept).
struct ServerLoop: ~Copyable {
    /// Tokens of what is not a connection; listeners have theirs from `firstListener` on.
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
    let addressCounts: AddressCounts?
    let handler: any HTTPHandler

    /// The handler, where it does something of its own accord.
    let timedHandler: (any HTTPTimedHandler)?

    /// The handler, where it is told who asks.
    let peerHandler: (any HTTPPeerHandler)?

    /// When it wants to do that; nil until it is woken.
    var handlerTime: ContinuousClock.Instant?

    let rules: HTTPConnectionRules
    let wakeUp: WakeUp
    let signals: Signals?

    /// The streams that were woken.
    let wokenStreams: WokenStreams

    var eventLoop: EventLoop
    var acceptor: Acceptor
    var connections = ConnectionTable()

    /// Connections that are kept for another request, the longest idle first.
    var kept = IdleList()

    /// Connections that are new or lingering, the longest quiet first.
    var quiet = IdleList()

    /// Connections whose sockets have not taken everything, the longest untouched first.
    var unread = IdleList()

    /// The bytes of answers that they hold.
    var unsentBytes = 0

    /// Slot 0 is the acceptor's; a connection has the slot after its own.
    var deadlines = Deadlines()

    /// The present, read once per turn.
    private(set) var time: HTTPTime

    /// When the turn began.
    private(set) var turnStart = MonotonicTime.now

    /// What the loop counts.
    let measures = LoopMeasures()

    var received: [UInt8]
    var response = HTTPResponse()

    /// Outputs that are not in use.
    var spareOutputs = SpareOutputs()

    /// The connections whose answers leave together.
    var departures = Departures()

    /// When it is said that an address has too many connections.
    var refusals = OncePerSecond()

    /// When it is reported that all connections are open.
    var caps = OncePerSecond()

    /// When it is said that too much is left untaken.
    var resets = OncePerSecond()

    /// When connections are no longer taken; nil until the server is told to stop.
    var leaveDeadline: ContinuousClock.Instant?

    /// When the loop rests unless there is an event; nil while it rests, and where nobody asks.
    private var restTime: ContinuousClock.Instant?

    /// When draining has to be over; nil while the server serves.
    var drainDeadline: ContinuousClock.Instant?

    /// The connections that were reset with a request or an answer under way.
    var cutConnections = 0

    init(
        index: Int,
        server: HTTPServer,
        configuration: HTTPServer.Configuration,
        maximumConnections: Int,
        maximumUnsentBytes: Int,
        addressCounts: AddressCounts?,
        listeners: [SharedListener],
        wakeUp: WakeUp,
        signals: Signals?,
        handler: any HTTPHandler
    ) throws(SystemError) {
        // Before all else: a part of what owns descriptors is not taken apart.
        let eventLoop = try EventLoop()
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
        timedHandler = handler as? any HTTPTimedHandler
        peerHandler = configuration.tellsPeers ? handler as? any HTTPPeerHandler : nil
        rules = HTTPConnectionRules(
            limits: configuration.limits,
            takeHeadNumbers: HeadNumbers.takeBlock
        ) { [handler] refusal, response in
            handler.refuse(refusal, with: &response)
        }
        self.wakeUp = wakeUp
        wokenStreams = WokenStreams(wakeUp)
        self.signals = signals
        received = [UInt8](repeating: 0, count: configuration.limits.receiveBufferBytes)
        time = Self.now()
        if configuration.onRest != nil {
            restTime = time.monotonic.advanced(by: configuration.restDelay)
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
            noteRest(after: count)
            departures.beginTurn(events: count, at: turnStart)
            for index in 0..<count { handle(eventLoop.event(at: index)) }
            depart()
            passDeadlines()
        }
    }

    private var nextLook: ContinuousClock.Instant? {
        let own = Self.first(drainDeadline ?? leaveDeadline, handlerTime)
        return Self.first(deadlines.nextLook, Self.first(own, restTime))
    }

    /// Takes note of how many events there were, and says so when all loops have had none for long.
    private mutating func noteRest(after events: Int) {
        guard let onRest = configuration.onRest else { return }
        if events > 0 {
            if restTime == nil { server.restingLoops.subtract(1, ordering: .relaxed) }
            restTime = time.monotonic.advanced(by: configuration.restDelay)
        } else if let restTime, restTime <= time.monotonic {
            self.restTime = nil
            spareOutputs.removeAll()
            let resting = server.restingLoops.add(1, ordering: .relaxed).newValue
            if resting == server.loopCount { onRest() }
        }
    }

    private static func first(
        _ left: ContinuousClock.Instant?,
        _ right: ContinuousClock.Instant?
    ) -> ContinuousClock.Instant? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    /// Reads the present.
    mutating func lookAtClocks() {
        time = Self.now()
        turnStart = .now
    }

    private static func now() -> HTTPTime {
        HTTPTime(monotonic: .now, secondsSince1970: WallClock.secondsSince1970())
    }

    private mutating func handle(_ event: EventLoop.Event) {
        if ConnectionTable.isConnection(event.token) {
            guard let connection = connections[token: event.token] else { return }
            handle(event, of: connection)
            if departures.isDue(at: turnStart.age) { depart() }
            return
        }
        // What comes now may concern any connection.
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
        // Each slot once: a deadline set anew in the past waits for the next turn.
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

    /// The first signal drains the server, the second stops it.
    private mutating func takeSignals() {
        // A descriptor that cannot be read has no signal to give.
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
