import CZlib

package enum Gunzip {
    /// The bytes are no gzip.
    package struct Malformed: Error {
        package let status: Int32
    }

    package static func read(_ bytes: [UInt8]) throws -> [UInt8] {
        try read(bytes, windowBits: 15 + 16)
    }

    /// The content of an entry of a zip file (RFC 1951).
    package static func readEntry(_ bytes: [UInt8]) throws -> [UInt8] {
        try read(bytes, windowBits: -15)
    }

    private static func read(_ bytes: [UInt8], windowBits: Int32) throws -> [UInt8] {
        var stream = unsafe z_stream()
        var result: [UInt8] = []
        // SAFETY: the stream stays where it is for the time of this call of `withUnsafe…`.
        let status = unsafe withUnsafeMutablePointer(to: &stream) { stream -> Int32 in
            var status = unsafe czlib_inflate_init(stream, windowBits)
            defer { _ = unsafe inflateEnd(stream) }
            var input = bytes
            return unsafe input.withUnsafeMutableBufferPointer { input -> Int32 in
                unsafe stream.pointee.next_in = input.baseAddress
                unsafe stream.pointee.avail_in = UInt32(input.count)
                var room = [UInt8](repeating: 0, count: 65_536)
                while status == Z_OK {
                    let count = unsafe room.withUnsafeMutableBufferPointer { room -> Int in
                        // SAFETY: zlib writes into the room during the call only.
                        unsafe stream.pointee.next_out = room.baseAddress
                        unsafe stream.pointee.avail_out = UInt32(room.count)
                        status = unsafe inflate(stream, Z_NO_FLUSH)
                        return unsafe room.count - Int(stream.pointee.avail_out)
                    }
                    result += room[..<count]
                }
                let isAllRead = unsafe stream.pointee.avail_in == 0
                return isAllRead ? status : Z_DATA_ERROR
            }
        }
        guard status == Z_STREAM_END else { throw Malformed(status: status) }
        return result
    }
}
