/// A handler that also does something of its own accord: at times it names, and when it is woken.
package protocol HTTPTimedHandler: HTTPHandler {
    /// Takes what wakes the handler; called once, on the loop's thread, before the first request.
    ///
    /// - Parameter waker: May be kept and handed to other threads.
    func begin(waker: HTTPStreamWaker)

    /// Does what is to be done; called on the loop's thread when the handler was woken, and when
    /// its time has come.
    ///
    /// - Parameter now: The time that never jumps.
    /// - Returns: When to be called again; nil waits until it is woken.
    func look(at now: ContinuousClock.Instant) -> ContinuousClock.Instant?
}
