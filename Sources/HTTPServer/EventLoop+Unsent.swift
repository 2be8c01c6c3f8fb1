import HTTP
import System

extension EventLoop {
    /// Counts the unread response bytes that a connection holds.
    mutating func note(_ output: borrowing HTTPOutput, of connection: HTTPConnection) {
        guard !output.isEmpty else { return forgetUnsent(of: connection) }
        unsentBytes += output.heldBytes - connection.unsentBytes
        connection.unsentBytes = output.heldBytes
        unread.append(connection.slot)
    }

    /// Removes the bytes of a connection from the count.
    mutating func forgetUnsent(of connection: HTTPConnection) {
        unsentBytes -= connection.unsentBytes
        connection.unsentBytes = 0
        unread.remove(connection.slot)
    }

    /// Resets the connections that have taken nothing for the longest time, until the limit is met.
    ///
    /// Otherwise many clients that request large responses and read none would exhaust memory.
    mutating func boundUnsent() {
        guard unsentBytes > maximumUnsentBytes else { return }
        if resets.isDue(at: time) { configuration.eventLog?(.answersAtLimit(bytes: unsentBytes)) }
        while unsentBytes > maximumUnsentBytes, let slot = unread.first,
            let connection = connections[slot: slot]
        {
            abort(connection)
        }
    }
}
