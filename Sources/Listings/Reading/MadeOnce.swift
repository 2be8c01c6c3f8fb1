import Locks

/// What is made by the first who needs it, while the others who need it wait.
final class MadeOnce<Value: Sendable>: Sendable {
    private let value = Locked<(made: Value?, isUsed: Bool)>((nil, false))
    private let maker = Locked(())

    /// What was made; nil while it is not there.
    var made: Value? { value.withLock { $0.made } }

    /// The same for somebody who keeps this at hand, and is remembered to have used it.
    func use() -> Value? {
        value.withLock { value in
            value.isUsed = true
            return value.made
        }
    }

    /// Whether somebody has used it so since this was asked last.
    func takeUse() -> Bool {
        value.withLock { value in
            defer { value.isUsed = false }
            return value.isUsed
        }
    }

    /// What was made, or is made now.
    ///
    /// - Parameter make: Makes it; where it throws, the next who needs it makes it.
    /// - Returns: What was made.
    /// - Throws: What it throws.
    func get<E: Error>(_ make: () throws(E) -> Value) throws(E) -> Value {
        try maker.withLock { (_) throws(E) in
            if let made { return made }
            let new = try make()
            value.withLock { $0.made = new }
            return new
        }
    }
}
