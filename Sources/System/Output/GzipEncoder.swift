package import Bytes
import CZlib

/// An encoder of the gzip format (RFC 1952).
///
/// It reuses its state of 268 KB for all bodies, because setup costs as much as compressing some
/// kilobytes.
@safe
package final class GzipEncoder {
    /// The stream has an address of its own because zlib points back to it.
    private let stream: UnsafeMutablePointer<z_stream>

    /// Creates an encoder; nil if there is no memory for it.
    ///
    /// The level is from 1 for the fastest to 9 for the smallest result.
    package convenience init?(level: Int = GzipEncoder.usualLevel) {
        // 15 bits of window, plus 16 to select the gzip format.
        self.init(level: level, windowBits: 15 + 16)
    }

    private init?(level: Int, windowBits: Int32) {
        precondition((1...9).contains(level), "level \(level) is not in 1...9")
        // SAFETY: owned by this object alone and freed in deinit. zlib expects zeroed memory.
        unsafe stream = .allocate(capacity: 1)
        unsafe stream.initialize(to: z_stream())
        guard unsafe czlib_deflate_init(stream, Int32(level), windowBits, 8) == Z_OK else {
            return nil
        }
    }

    deinit {
        // SAFETY: set up in init, and no other object uses it.
        unsafe deflateEnd(stream)
        unsafe stream.deallocate()
    }

    /// The level for responses that are compressed once.
    ///
    /// Higher levels take much more time for little less output on a typical HTML page.
    package static let usualLevel = 3

    /// The level for content that is compressed once and sent often.
    package static let thoroughLevel = 9

    package func compress(_ bytes: borrowing Span<UInt8>, into buffer: inout ByteBuffer) {
        begin()
        // SAFETY: zlib only reads its stream.
        let bound = Int(unsafe deflateBound(stream, UInt(bytes.count)))
        write(bytes, flush: Z_FINISH, room: bound, into: &buffer)
    }

    /// Begins a body in pieces, and drops a body that was begun before.
    package func begin() {
        // SAFETY: the stream is set up.
        let status = unsafe deflateReset(stream)
        precondition(status == Z_OK, "deflateReset reports \(status)")
    }

    /// Compresses a piece, whose output may be held back until the next one.
    package func write(_ bytes: borrowing Span<UInt8>, into buffer: inout ByteBuffer) {
        write(bytes, flush: Z_NO_FLUSH, room: Self.roomBytes, into: &buffer)
    }

    package func finish(into buffer: inout ByteBuffer) {
        write([UInt8]().span, flush: Z_FINISH, room: Self.roomBytes, into: &buffer)
    }

    /// Appends blocks of the deflate format (RFC 1951) that end at a byte, none of them the last.
    ///
    /// Appends nothing and returns false if there was no memory for compressing.
    package static func appendBlocks(
        _ bytes: borrowing Span<UInt8>,
        to buffer: inout ByteBuffer
    ) -> Bool {
        // Negative bits of window select the format without a header and a checksum.
        guard let encoder = GzipEncoder(level: usualLevel, windowBits: -15) else { return false }
        encoder.write(bytes, flush: Z_SYNC_FLUSH, room: roomBytes, into: &buffer)
        return true
    }

    private func write(
        _ bytes: borrowing Span<UInt8>,
        flush: Int32,
        room: Int,
        into buffer: inout ByteBuffer
    ) {
        precondition(bytes.count <= UInt32.max, "\(bytes.count) bytes at once")
        unsafe bytes.withUnsafeBufferPointer { input in
            // SAFETY: zlib reads the input during the calls below only, although the type would let
            // it write.
            unsafe stream.pointee.next_in = .init(mutating: input.baseAddress)
            unsafe stream.pointee.avail_in = UInt32(input.count)
            while step(flush: flush, room: room, into: &buffer) {}
            unsafe stream.pointee.next_in = nil
        }
    }

    /// Makes one piece of output, and returns whether there may be more.
    private func step(flush: Int32, room: Int, into buffer: inout ByteBuffer) -> Bool {
        var isFull = false
        unsafe buffer.appendUnsafe(maximum: room) { room in
            // SAFETY: zlib writes at most `avail_out` bytes into the room, during the call only.
            let start = unsafe room.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe stream.pointee.next_out = start
            unsafe stream.pointee.avail_out = UInt32(room.count)
            let status = unsafe deflate(stream, flush)
            precondition(status != Z_STREAM_ERROR, "deflate reports \(status)")
            isFull = unsafe stream.pointee.avail_out == 0
            return unsafe room.count - Int(stream.pointee.avail_out)
        }
        return isFull
    }

    private static let roomBytes = 8 * 1024
}
