/// An answer that is made elsewhere than on the event loop: by a worker or a task.
package protocol HTTPDeferral: AnyObject {
    /// Begins to make the answer; called once, on the loop's thread.
    ///
    /// - Parameter waker: Tells the loop that `take(into:)` has something to give.
    /// - Returns: false when there is no room for it, and nothing was begun.
    func begin(waker: HTTPStreamWaker) -> Bool

    /// Hands over the answer; called on the loop's thread.
    ///
    /// - Parameter response: An empty answer, exchanged for the one that was made.
    /// - Returns: Whether there is one yet.
    /// - Throws: What the handler has thrown.
    func take(into response: inout HTTPResponse) throws -> Bool

    /// Takes note that the client sends no more: most have gone then, though some still read.
    func clientLeft()

    /// Takes note that the answer is of no more use: the client cannot have it, or was told that it
    /// took too long.
    func cancel()
}
