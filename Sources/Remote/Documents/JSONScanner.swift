import TableFiles

/// A scanner that locates the values of a JSON document (RFC 8259) in memory.
///
/// It checks the structure only. The reader of the rows checks texts and numbers.
struct JSONScanner {
    let bytes: [UInt8]
    private(set) var index: Int
    private var depth = 0

    /// The kinds of values that a scanner distinguishes by their first byte.
    enum Kind {
        case object, array, text, null, other
    }

    init(_ bytes: [UInt8], at index: Int = 0) {
        self.bytes = bytes
        self.index = index
        if index == 0, bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.index = 3 }
    }

    /// Returns the kind of the next value.
    mutating func kind() throws(FileError) -> Kind {
        switch try next(.value) {
        case UInt8(ascii: "{"): .object
        case UInt8(ascii: "["): .array
        case UInt8(ascii: "\""): .text
        case UInt8(ascii: "n"): .null
        default: .other
        }
    }

    /// Reads an object.
    ///
    /// The closure must read the value of each member.
    mutating func members(
        _ body: (String, inout JSONScanner) throws(FileError) -> Void
    ) throws(FileError) {
        try begin(UInt8(ascii: "{"), .object)
        if try next(.nameOrEndOfObject) == UInt8(ascii: "}") { return close() }
        while true {
            let name = try text(expected: .name)
            try take(UInt8(ascii: ":"), .colon)
            try body(name, &self)
            guard try isFollowed(by: UInt8(ascii: "}"), .commaOrEndOfObject) else { return }
        }
    }

    /// Reads an array.
    ///
    /// The closure must read each element.
    mutating func elements(
        _ body: (inout JSONScanner) throws(FileError) -> Void
    ) throws(FileError) {
        try begin(UInt8(ascii: "["), .value)
        if try next(.valueOrEndOfArray) == UInt8(ascii: "]") { return close() }
        while true {
            try body(&self)
            guard try isFollowed(by: UInt8(ascii: "]"), .commaOrEndOfArray) else { return }
        }
    }

    /// Reads any value.
    ///
    /// - Returns: The range of its bytes.
    @discardableResult
    mutating func value() throws(FileError) -> Range<Int> {
        let kind = try kind()
        let start = index
        switch kind {
        case .object: try members { (_, scanner) throws(FileError) in try scanner.value() }
        case .array: try elements { (scanner) throws(FileError) in try scanner.value() }
        case .text: try skipText()
        case .null, .other:
            while index < bytes.count, Self.isOfWord(bytes[index]) { index += 1 }
            guard index > start else {
                throw FileError(.unexpectedByte(bytes[index], expected: .value), at: place(index))
            }
        }
        return start..<index
    }

    /// Reads a text and resolves its escapes.
    mutating func text(expected: JSONExpectation = .value) throws(FileError) -> String {
        guard try next(expected) == UInt8(ascii: "\"") else {
            throw FileError(.unexpectedByte(bytes[index], expected: expected), at: place(index))
        }
        let start = index
        try skipText()
        let inside = bytes[(start + 1)..<(index - 1)]
        guard inside.contains(UInt8(ascii: "\\")) else {
            return String(decoding: inside, as: UTF8.self)
        }
        return try Self.resolved(bytes[start..<index])
    }

    /// Checks that nothing follows but white space.
    mutating func end() throws(FileError) {
        skipSpace()
        guard index == bytes.count else {
            throw FileError(.unexpectedByte(bytes[index], expected: .endOfFile), at: place(index))
        }
    }

    /// Converts an index to a line and a column, counted from 1.
    ///
    /// - Complexity: O(index).
    func place(_ index: Int) -> FileLocation {
        let before = bytes[..<index]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.reduce(into: 1) { if $1 == UInt8(ascii: "\n") { $0 += 1 } }
        let column = bytes[lineStart..<index].reduce(into: 1) { if $1 & 0xC0 != 0x80 { $0 += 1 } }
        return FileLocation(line: line, column: column)
    }
}

extension JSONScanner {
    /// Skips white space and returns the byte that follows it.
    private mutating func next(_ expected: JSONExpectation) throws(FileError) -> UInt8 {
        skipSpace()
        guard index < bytes.count else {
            throw FileError(.unexpectedEnd(expected: expected), at: place(index))
        }
        return bytes[index]
    }

    private mutating func skipSpace() {
        while index < bytes.count {
            switch bytes[index] {
            case 0x20, 0x09, 0x0A, 0x0D: index += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8, _ expected: JSONExpectation) throws(FileError) {
        guard try next(expected) == byte else {
            throw FileError(.unexpectedByte(bytes[index], expected: expected), at: place(index))
        }
        index += 1
    }

    private mutating func begin(_ byte: UInt8, _ expected: JSONExpectation) throws(FileError) {
        try take(byte, expected)
        depth += 1
        guard depth <= FileLimits.maximumDepth else {
            throw FileError(.tooDeep(limit: FileLimits.maximumDepth), at: place(index - 1))
        }
    }

    /// Takes the bracket that closes an object or array.
    private mutating func close() {
        index += 1
        depth -= 1
    }

    /// Reads the comma or the closing bracket.
    ///
    /// Returns whether it was the comma.
    private mutating func isFollowed(
        by bracket: UInt8,
        _ expected: JSONExpectation
    ) throws(FileError) -> Bool {
        if try next(expected) == bracket {
            close()
            return false
        }
        try take(UInt8(ascii: ","), expected)
        return true
    }

    private mutating func skipText() throws(FileError) {
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            index += byte == UInt8(ascii: "\\") ? 2 : 1
            if byte == UInt8(ascii: "\"") { return }
        }
        throw FileError(.unexpectedEnd(expected: .endOfString), at: place(bytes.count))
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: ".")
    }

    /// Resolves the escapes of a string the same way as the reader of the rows does.
    private static func resolved(_ string: ArraySlice<UInt8>) throws(FileError) -> String {
        let document = Array("[{\"text\":".utf8) + string + Array("}]".utf8)
        var reader = JSONReader(.array)
        var record = FileRecord()
        var index = 0
        _ = try reader.read(document.span, from: &index, into: &record)
        return record.text(0) ?? ""
    }
}
