import Locks

/// A value that the first caller computes while other callers wait.
final class SingleFlight<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let maker = Locked(())

    /// The value; nil if it is not computed yet.
    var made: Value? { value.withLock { $0 } }

    /// Returns the value, and computes it if necessary.
    ///
    /// - Parameter make: Computes the value. If it throws, the next caller computes it.
    /// - Returns: The value.
    /// - Throws: The error of `make`.
    func get<E: Error>(_ make: () throws(E) -> Value) throws(E) -> Value {
        try maker.withLock { (_) throws(E) in
            if let made { return made }
            let new = try make()
            value.withLock { $0 = new }
            return new
        }
    }
}
