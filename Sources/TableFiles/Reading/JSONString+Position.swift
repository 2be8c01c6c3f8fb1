internal import Bytes
internal import JSON

extension JSONString {
    /// True if the closing quote was read.
    mutating func read(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int,
        _ position: inout TextPosition,
        from start: FileLocation,
        into buffer: inout ByteBuffer
    ) throws(FileError) -> Bool {
        while index < chunk.count {
            do throws(JSONSyntaxError) {
                if !position.isInsideCharacter {
                    let offset = position.chunkStart
                    let progress = try read(chunk, &index, chunkStart: offset, into: &buffer)
                    guard progress == .nonASCII else { return progress == .complete }
                }
            } catch {
                throw FileError(error, at: location(of: error, position, start))
            }
            repeat {
                let first = index
                try position.takeCharacter(chunk, &index)
                buffer.append(chunk.extracting(first..<index))
                guard hasRoom(buffer) else {
                    throw FileError(.fieldTooLarge(limit: FileLimits.maximumFieldBytes), at: start)
                }
            } while index < chunk.count && chunk[index] >= 0x80
        }
        return false
    }

    private func location(
        of error: JSONSyntaxError,
        _ position: TextPosition,
        _ start: FileLocation
    ) -> FileLocation {
        switch error.reason {
        case .stringTooLong: start
        case .invalidEscape, .missingSurrogate, .loneSurrogate:
            position.location(offset: escapeOffset)
        default: position.location(offset: error.offset)
        }
    }
}
