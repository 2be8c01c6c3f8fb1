import HTTP
import Locks

extension Mailbox where Value == Result<HTTPResponse, any Error> {
    /// Takes the response, as `DeferredResponse.take(into:)` does.
    func take(into response: inout HTTPResponse) throws -> Bool {
        guard let result = take() else { return false }
        response = try result.get()
        return true
    }
}
