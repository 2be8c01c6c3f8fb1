/// A handler that also works without a request: at times it chooses, and when it is woken.
package protocol HTTPTimerHandler: HTTPHandler {
    /// Receives the waker; called once, on the loop's thread, before the first request.
    ///
    /// - Parameter waker: May be stored and passed to other threads.
    func begin(waker: HTTPStreamWaker)

    /// Does pending work; called on the loop's thread when woken or when its time has come.
    ///
    /// - Parameter now: The monotonic time.
    /// - Returns: The time of the next call; nil waits until the handler is woken.
    func look(at now: ContinuousClock.Instant) -> ContinuousClock.Instant?
}
