/// The position of a reader in a chunked file, with a check for UTF-8.
struct TextPosition {
    var chunkStart = 0
    private(set) var line = 1
    /// The file offset of column 1 if all earlier characters of the line were one byte long.
    private var lineStart = 0
    private var check = UTF8Check()
    private var characterStart = FileLocation.start

    func location(_ index: Int) -> FileLocation { location(offset: chunkStart + index) }

    /// Only ASCII may follow the byte up to the current one.
    func location(offset: Int) -> FileLocation {
        FileLocation(line: line, column: offset - lineStart + 1)
    }

    mutating func endLine(_ index: Int) {
        line += 1
        lineStart = chunkStart + index + 1
    }

    /// Records that the file begins with a byte order mark, which is not part of the text.
    mutating func skipByteOrderMark() { lineStart = 3 }

    var isInsideCharacter: Bool { check.remaining > 0 }

    /// The chunk may end inside it.
    mutating func takeCharacter(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int
    ) throws(FileError) {
        if check.remaining == 0 { characterStart = location(index) }
        repeat {
            let isContinuation = check.remaining > 0
            guard check.take(chunk[index]) else {
                throw FileError(.invalidUTF8, at: characterStart)
            }
            if isContinuation { lineStart += 1 }
            index += 1
        } while check.remaining > 0 && index < chunk.count
    }

    mutating func forgetCharacter() { check = UTF8Check() }

    func requireWholeCharacter() throws(FileError) {
        guard !isInsideCharacter else { throw FileError(.invalidUTF8, at: characterStart) }
    }
}

struct ByteOrderMark {
    /// U+FEFF.
    static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
    private(set) var matched = 0

    /// The length of the mark at the beginning of a text; 0 without one.
    static func length(in text: borrowing Span<UInt8>) -> Int {
        guard text.count >= bytes.count else { return 0 }
        return bytes.indices.allSatisfy { text[$0] == bytes[$0] } ? bytes.count : 0
    }

    var isComplete: Bool { matched == Self.bytes.count }

    enum Match {
        case needsMoreBytes
        case complete
        /// The file does not begin with a mark. This byte and the matched ones are text.
        case absent
    }

    mutating func take(_ byte: UInt8) -> Match {
        guard byte == Self.bytes[matched] else { return .absent }
        matched += 1
        return isComplete ? .complete : .needsMoreBytes
    }
}
