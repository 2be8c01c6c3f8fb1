/// How long the questions of a request may keep a thread for which others wait.
///
/// Short questions are answered where they come in. What takes longer is left: the thread gives the
/// request up, and one that may wait answers it from the start. Used by one thread.
package final class ReadingTurn {
    private let duration: Duration
    private var knownEnd: ContinuousClock.Instant?
    private var isEndKnown = false
    private var hasBegun = false
    private var wasLeft = false

    /// Whether a turn has begun: else reading may take all the time that a question is given.
    package var isRunning: Bool { hasBegun }
    /// Whether the request was left.
    package var isOver: Bool { wasLeft }

    /// When reading has to end, counted from when that is first asked; nil where no turn has begun.
    package var end: ContinuousClock.Instant? {
        guard hasBegun else { return nil }
        if !isEndKnown {
            knownEnd = .now + duration
            isEndKnown = true
        }
        return knownEnd
    }

    /// Prepares turns.
    ///
    /// - Parameter duration: The longest of them; default 5 ms, as long as an answer may keep those
    ///   behind it.
    package init(_ duration: Duration = .milliseconds(5)) { self.duration = duration }

    /// Begins the turn of a request.
    package func begin() {
        hasBegun = true
        isEndKnown = false
        wasLeft = false
    }

    /// Lets what is read from here on take its time: it is no request's, or would be done twice.
    package func suspend() {
        hasBegun = false
        wasLeft = false
    }

    /// Leaves the request to a thread that may wait; whatever it would be told here is not sent.
    package func leave() { wasLeft = true }
}

/// A reader that can leave a question which takes longer than a turn.
package protocol TurnReader: ListReader {
    /// The turn in which it reads; nil on a thread for which nobody waits.
    ///
    /// What would take longer ends with ``SourceError/outOfTime``, the turn being left.
    var turn: ReadingTurn? { get set }

    /// What was found out about the state of the list besides its rows, for another reader of the
    /// same list.
    ///
    /// What another reader has found out replaces it.
    var findings: any Sendable { get set }

    /// Limits the time of reading from now on.
    func limit(to times: ReadingTimes)
}

extension TurnReader {
    /// Nothing: the readers of the list share what they find out.
    package var findings: any Sendable {
        get { () }
        set {}
    }
}
