import Bytes
import CZlib

/// A decompressor of deflate data (RFC 1951) and gzip members (RFC 1952), on zlib.
@safe
final class Inflater {
    enum Progress {
        case ongoing
        case complete
    }

    /// The stream has an address of its own because zlib points back to it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// A header and a trailer with checksum and size are those of gzip, which zlib verifies.
    init(isGzip: Bool) throws(ArchiveError) {
        // SAFETY: owned by this object alone and freed in deinit. zlib expects zeroed memory.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        // 15 bits of window; 16 more select gzip, a negative number no framing.
        let bits: Int32 = isGzip ? 15 + 16 : -15
        guard unsafe czlib_inflate_init(stream, bits) == Z_OK else { throw .outOfMemory }
    }

    deinit {
        // SAFETY: set up in init, and no other object uses it. zlib allows a failed setup.
        unsafe inflateEnd(stream)
        unsafe stream.deallocate()
    }

    func reset() {
        // SAFETY: the stream is set up.
        let status = unsafe inflateReset(stream)
        precondition(status == Z_OK, "inflateReset reports \(status)")
    }

    /// Advances the index; the room is above 0.
    func step(
        _ input: borrowing ByteBuffer,
        from index: inout Int,
        into buffer: inout ByteBuffer,
        room: Int
    ) throws(ArchiveError.Damage) -> Progress {
        var status = Z_OK
        var read = 0
        unsafe input.withUnsafeBytes { bytes in
            // SAFETY: zlib only reads the input, and during the call below only.
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.next_in = start.map { unsafe .init(mutating: $0 + index) }
            unsafe stream.pointee.avail_in = UInt32(bytes.count - index)
            unsafe buffer.appendUnsafe(maximum: room) { room in
                // SAFETY: zlib writes at most `avail_out` bytes into the room, during the call.
                let first = unsafe room.baseAddress?.assumingMemoryBound(to: UInt8.self)
                unsafe stream.pointee.next_out = first
                unsafe stream.pointee.avail_out = UInt32(room.count)
                status = unsafe inflate(stream, Z_NO_FLUSH)
                return unsafe room.count - Int(stream.pointee.avail_out)
            }
            // SAFETY: zlib only counted down; the addresses are dropped before they end.
            read = unsafe bytes.count - index - Int(stream.pointee.avail_in)
            unsafe stream.pointee.next_in = nil
            unsafe stream.pointee.next_out = nil
        }
        index += read
        switch status {
        case Z_STREAM_END: return .complete
        case Z_OK, Z_BUF_ERROR: return .ongoing
        default: throw damage
        }
    }

    private var damage: ArchiveError.Damage {
        // SAFETY: zlib's messages are constants of the library.
        guard let message = unsafe stream.pointee.msg else { return .compressedData }
        switch unsafe String(cString: message) {
        case "incorrect data check": return .checksum
        case "incorrect length check": return .size
        case "incorrect header check", "unknown compression method", "unknown header flags set",
            "header crc mismatch":
            return .gzipHeader
        default: return .compressedData
        }
    }
}

enum Checksum {
    /// The checksum of the bytes before, which begins as 0.
    static func next(_ checksum: UInt32, _ buffer: borrowing ByteBuffer) -> UInt32 {
        unsafe buffer.withUnsafeBytes { bytes in
            // SAFETY: zlib only reads the bytes, during the call.
            let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe UInt32(crc32(UInt(checksum), start, UInt32(bytes.count)))
        }
    }
}
