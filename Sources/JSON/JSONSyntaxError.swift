/// A syntax error of a JSON document (RFC 8259) and its position.
package struct JSONSyntaxError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        case unexpectedEnd(expected: JSONExpectation)
        case unexpectedByte(UInt8, expected: JSONExpectation)
        case repeatedName(String)
        case tooDeep(limit: Int)
        case stringTooLong
        /// A control character that must be escaped (§7).
        case controlCharacter
        /// An invalid byte after a backslash (§7).
        case invalidEscape
        /// Something other than an escape follows a high surrogate (§8.2).
        case missingSurrogate
        /// A surrogate without its counterpart (§8.2).
        case loneSurrogate
        /// A string contains bytes that are not UTF-8.
        case invalidUTF8
        /// A number that violates the grammar (§6).
        case invalidNumber
    }

    package let reason: Reason
    /// In bytes from the start of the document.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

package enum JSONExpectation: Hashable, Sendable {
    /// `[`, because a `.json` file is one array of objects.
    case arrayOfObjects
    /// `{`, because each line of the file is one object.
    case objectOnLine
    /// `{`, because each element of the array is an object.
    case object
    case objectOrEndOfArray
    case commaOrEndOfArray
    case name
    case nameOrEndOfObject
    case colon
    case value
    case valueOrEndOfArray
    case commaOrEndOfObject
    /// The rest of a string, with its closing quote.
    case endOfString
    case digit
    case literal
    /// A line break, because each line of the file is one object.
    case lineBreak
    /// Nothing, because the array has ended.
    case endOfFile
}
