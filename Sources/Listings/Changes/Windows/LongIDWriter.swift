import Bytes

/// The long ids of a window, one after the other in its token: the bytes that an id shares with the
/// one before are left out (front coding), and a UUID is 16 bytes.
///
/// An id begins with a number: one more than twice the shared bytes, and another one more for a UUID.
/// Of a text the number of the other bytes comes next, and then these.
struct LongIDWriter: ~Copyable {
    /// Comes behind the last id.
    static let end: UInt8 = 0

    private var previous = ByteBuffer(minimumCapacity: 0)
    private var current = ByteBuffer(minimumCapacity: 0)

    /// Appends an id, unless a number stands for it.
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
