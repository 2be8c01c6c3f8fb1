/// A response that a worker or a task makes, not the event loop.
package protocol DeferredResponse: AnyObject {
    /// Starts to make the response; called once, on the loop's thread.
    ///
    /// - Parameter waker: Notifies the loop that `take(into:)` has a response.
    /// - Returns: false if there is no capacity for it. Nothing was started then.
    func begin(waker: HTTPStreamWaker) -> Bool

    /// Delivers the response; called on the loop's thread.
    ///
    /// - Parameter response: An empty response, exchanged for the one that was made.
    /// - Returns: Whether the response is ready.
    /// - Throws: The error of the handler.
    func take(into response: inout HTTPResponse) throws -> Bool

    /// Handles the end of the client's input, after which most clients have gone but some still
    /// read.
    func clientLeft()

    /// Cancels the response, because the client has disconnected or has received a timeout.
    func cancel()
}
