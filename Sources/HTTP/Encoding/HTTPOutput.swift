package import Bytes

/// Bytes on their way to the socket, in two pieces that leave by one gathered write.
///
/// One is reused by every connection of an event loop. When the socket does not take everything,
/// the connection keeps the output (the loop makes itself a new one) until it is drained.
package struct HTTPOutput: ~Copyable {
    /// What goes first: earlier pipelined answers whole, then the head of the last.
    package private(set) var head: ByteBuffer

    /// What follows: the body of the last answer.
    package private(set) var body: ByteBuffer

    /// How many of the bytes the socket has taken.
    private var sent = 0

    /// Creates an empty output.
    package init() {
        head = ByteBuffer(minimumCapacity: 1024)
        body = ByteBuffer(minimumCapacity: 1024)
    }

    /// The bytes the socket has not taken yet.
    package var count: Int { head.count + body.count - sent }

    /// Whether the socket has taken everything.
    package var isEmpty: Bool { count == 0 }

    /// Lends the bytes the socket has not taken yet, the first of the two pieces first.
    ///
    /// Either piece may be empty.
    package borrowing func withPieces<R, E: Error>(
        _ write: (borrowing Span<UInt8>, borrowing Span<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        let sentOfHead = min(sent, head.count)
        let sentOfBody = sent - sentOfHead
        return try head.withBytes { (head) throws(E) in
            try body.withBytes { (body) throws(E) in
                try write(head.extracting(sentOfHead...), body.extracting(sentOfBody...))
            }
        }
    }

    /// Forgets bytes the socket has taken, and empties the output when it has taken all.
    ///
    /// - Parameter written: 0...`count`.
    package mutating func removeFirst(_ written: Int) {
        precondition(written >= 0 && written <= count, "\(written) of \(count) bytes written")
        sent += written
        if isEmpty { removeAll() }
    }

    /// Forgets everything, and gives back memory that an unusually large answer took.
    ///
    /// - Parameter maximumCapacity: The bytes of memory that may stay with the body.
    package mutating func removeAll(keepingAtMost maximumCapacity: Int = 256 * 1024) {
        head.removeAll(keepingAtMost: 128 * 1024)
        body.removeAll(keepingAtMost: maximumCapacity)
        sent = 0
    }
}
