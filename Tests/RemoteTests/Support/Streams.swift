import Bytes
import HTTP

/// A body that never ends.
final class EndlessStream: HTTPBodyStream {
    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        buffer.append([UInt8](repeating: UInt8(ascii: " "), count: 8_000))
        return .more
    }
}

/// A body whose connection breaks behind its first piece.
final class BreakingStream: HTTPBodyStream {
    struct Failure: Error {}

    private var hasBegun = false

    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        guard !hasBegun else { throw Failure() }
        hasBegun = true
        buffer.append([UInt8](repeating: UInt8(ascii: "["), count: 64_000))
        return .more
    }
}
