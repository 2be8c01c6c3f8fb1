package import JSON

package struct FileError: Error, Hashable, Sendable {
    package let location: FileLocation
    package let reason: Reason

    package init(_ reason: Reason, at location: FileLocation) {
        self.reason = reason
        self.location = location
    }

    package enum Reason: Hashable, Sendable {
        case emptyFile
        /// Bytes that are not UTF-8 (RFC 3629) begin at the place.
        case invalidUTF8
        /// In bytes.
        case fieldTooLarge(limit: Int)
        /// A JSON document that must be read whole exceeds the limit, in bytes.
        case documentTooLarge(limit: Int)
        /// A JSON document has no value at a path, but lists of objects at others.
        case noRows(at: String, lists: [String])
        case severalLists([String])
        /// An irregularity that is corrected in files of the operator, but not in files of clients.
        case irregular(FileRepairs.Kind)
        /// In bytes of all values.
        case recordTooLarge(limit: Int)
        case tooManyColumns(limit: Int)
        /// In bytes.
        case columnNameTooLong(limit: Int)
        case missingID(column: String)
        case duplicateID(String, first: FileLocation)

        /// The quote at the place is never closed (RFC 4180 §2.5).
        case unclosedQuote
        case fieldCount(expected: Int, found: Int)

        case unexpectedByte(UInt8, expected: JSONExpectation)
        case unexpectedEnd(expected: JSONExpectation)
        /// A line break inside an object of a file with one object per line.
        case lineBreakInObject
        case duplicateMember(String)
        case tooDeep(limit: Int)
        /// A control character that must be escaped (RFC 8259 §7).
        case controlCharacterInString
        /// An invalid escape after a backslash (RFC 8259 §7).
        case invalidEscape
        /// A surrogate without its counterpart (RFC 8259 §8.2).
        case loneSurrogate
        /// A number that violates the JSON grammar (RFC 8259 §6).
        case invalidNumber
        case numberTooLarge
    }
}

extension FileError.Reason {
    package var isAboutID: Bool {
        switch self {
        case .missingID, .duplicateID: true
        default: false
        }
    }
}

extension FileError {
    package init(_ error: JSONSyntaxError, at location: FileLocation) {
        self.init(Reason(error.reason), at: location)
    }

    package init(_ error: JSONSyntaxError, in bytes: [UInt8]) {
        self.init(error, at: FileLocation(of: error.offset, in: bytes))
    }
}

extension FileLocation {
    /// O(offset).
    init(of offset: Int, in bytes: [UInt8]) {
        let before = bytes[..<offset]
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.reduce(into: 1) { if $1 == UInt8(ascii: "\n") { $0 += 1 } }
        let column = before[lineStart...].reduce(into: 1) { if $1 & 0xC0 != 0x80 { $0 += 1 } }
        self.init(line: line, column: column)
    }
}

extension FileError.Reason {
    fileprivate init(_ reason: JSONSyntaxError.Reason) {
        self =
            switch reason {
            case .unexpectedEnd(let expected): .unexpectedEnd(expected: expected)
            case .unexpectedByte(let byte, let expected):
                .unexpectedByte(byte, expected: expected)
            case .repeatedName(let name): .duplicateMember(name)
            case .tooDeep: .tooDeep(limit: FileLimits.maximumDepth)
            case .stringTooLong: .fieldTooLarge(limit: FileLimits.maximumFieldBytes)
            case .controlCharacter: .controlCharacterInString
            case .invalidEscape: .invalidEscape
            case .missingSurrogate, .loneSurrogate: .loneSurrogate
            case .invalidUTF8: .invalidUTF8
            case .invalidNumber: .invalidNumber
            }
    }
}
