import Locks

/// What is made by the first who needs it, while the others who need it wait.
final class MadeOnce<Value: Sendable>: Sendable {
    private let value = Locked<Value?>(nil)
    private let maker = Locked(())

    /// What was made; nil while it is not there.
    var made: Value? { value.withLock { $0 } }

    /// What was made, or is made now.
    ///
    /// - Parameter make: Makes it; where it throws, the next who needs it makes it.
    /// - Returns: What was made.
    /// - Throws: What it throws.
    func get<E: Error>(_ make: () throws(E) -> Value) throws(E) -> Value {
        try maker.withLock { (_) throws(E) in
            if let made { return made }
            let new = try make()
            value.withLock { $0 = new }
            return new
        }
    }
}
