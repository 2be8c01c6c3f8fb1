/// Where a reader stands in a file that comes in chunks, and whether what it has read is UTF-8.
struct TextPosition {
    /// The offset of the current chunk in the file.
    var chunkStart = 0
    /// 1 for the first line.
    private(set) var line = 1
    /// The offset in the file that column 1 would have if all characters before were one byte.
    private var lineStart = 0
    private var check = UTF8Check()
    private var characterStart = FilePlace.start

    /// The place of a byte of the current chunk.
    func place(_ index: Int) -> FilePlace {
        FilePlace(line: line, column: chunkStart + index - lineStart + 1)
    }

    /// Notes that the byte is a line feed.
    mutating func endLine(_ index: Int) {
        line += 1
        lineStart = chunkStart + index + 1
    }

    /// Notes that the file begins with a byte order mark, which is no character of the text.
    mutating func skipByteOrderMark() { lineStart = 3 }

    /// Whether the chunk before ended inside a character.
    var isInsideCharacter: Bool { check.remaining > 0 }

    /// Takes the bytes of one character that is not ASCII, or its rest; the chunk may end inside.
    mutating func takeCharacter(
        _ chunk: borrowing Span<UInt8>,
        _ index: inout Int
    ) throws(FileError) {
        if check.remaining == 0 { characterStart = place(index) }
        repeat {
            let isContinuation = check.remaining > 0
            guard check.take(chunk[index]) else {
                throw FileError(.invalidUTF8, at: characterStart)
            }
            if isContinuation { lineStart += 1 }
            index += 1
        } while check.remaining > 0 && index < chunk.count
    }

    /// Forgets the character that was begun, which is none.
    mutating func forgetCharacter() { check = UTF8Check() }

    /// Refuses a file that ends inside a character.
    func requireWholeCharacter() throws(FileError) {
        guard !isInsideCharacter else { throw FileError(.invalidUTF8, at: characterStart) }
    }
}

/// Finds the byte order mark at the beginning of a file.
struct ByteOrderMark {
    /// The mark, U+FEFF.
    static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]
    /// The bytes of it seen so far.
    private(set) var matched = 0

    /// Whether the file begins with the mark.
    var isComplete: Bool { matched == Self.bytes.count }

    /// What the next byte makes of it.
    enum Match {
        /// Another byte decides.
        case needsMoreBytes
        /// The mark is there, up to this byte.
        case complete
        /// The file does not begin with a mark; this byte and those matched are its text.
        case absent
    }

    /// Takes the next byte of the file.
    mutating func take(_ byte: UInt8) -> Match {
        guard byte == Self.bytes[matched] else { return .absent }
        matched += 1
        return isComplete ? .complete : .needsMoreBytes
    }
}
