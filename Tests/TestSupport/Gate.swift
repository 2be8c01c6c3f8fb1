import System

/// What is waited for, by threads and by tests; once open it stays open.
package final class Gate: Sendable {
    private let wakeUp: EventFD

    package init() throws { wakeUp = try EventFD() }

    package func open() { wakeUp.wake() }

    /// Blocks until the gate is open; false when that takes too long.
    package func wait() throws -> Bool {
        try wakeUp.descriptor.wait(for: .reading, until: .now.advanced(by: .seconds(30)))
    }
}
