import Bytes

/// A writer for the long ids of a window, which follow one another in its token.
///
/// Bytes that an id shares with the previous one are omitted (front coding). A UUID is 16 bytes. An
/// id begins with a number: twice the shared bytes plus 1, or plus 2 for a UUID. For a text, the
/// number of other bytes follows, and then these bytes.
package struct LongIDWriter: ~Copyable {
    /// The byte after the last id.
    package static let end: UInt8 = 0

    private var previous = ByteBuffer(minimumCapacity: 0)
    private var current = ByteBuffer(minimumCapacity: 0)

    /// Appends an id, unless a number represents it.
    mutating func append(_ id: borrowing Span<UInt8>, to bytes: inout ByteBuffer) {
        guard IDNumber.readable(id) == nil else { return }
        current.removeAll()
        let isUUID = UUIDText.append(id, to: &current)
        if !isUUID { current.append(id) }
        let count = current.count
        let shared = previous.withBytes { old in
            current.withBytes { new in
                (0..<min(old.count, new.count)).first { old[$0] != new[$0] }
                    ?? min(old.count, new.count)
            }
        }
        bytes.append(short: UInt64(shared << 1) + (isUUID ? 2 : 1))
        if !isUUID { bytes.append(short: UInt64(count - shared)) }
        bytes.append(shared..<count, of: current)
        swap(&previous, &current)
    }
}
