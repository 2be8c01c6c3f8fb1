import HTTP
import Sockets

extension ServerLoop {
    /// Counts what a connection holds of answers that its client has not taken.
    mutating func note(_ output: borrowing HTTPOutput, of connection: HTTPConnection) {
        guard !output.isEmpty else { return forgetUnsent(of: connection) }
        unsentBytes += output.heldBytes - connection.unsentBytes
        connection.unsentBytes = output.heldBytes
        unread.append(connection.slot)
    }

    /// Counts no longer what a connection held.
    mutating func forgetUnsent(of connection: HTTPConnection) {
        unsentBytes -= connection.unsentBytes
        connection.unsentBytes = 0
        unread.remove(connection.slot)
    }

    /// Resets those that have taken nothing for the longest, until what is held is within its bound:
    /// thousands who ask for large answers and read none would take all memory.
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
