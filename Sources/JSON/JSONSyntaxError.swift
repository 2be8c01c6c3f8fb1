/// A syntax error of a JSON document (RFC 8259) and its position.
package struct JSONSyntaxError: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The document is incomplete.
        case unexpectedEnd(expected: JSONExpectation)
        /// The grammar does not allow the byte here.
        case unexpectedByte(UInt8, expected: JSONExpectation)
        /// An object repeats a name.
        case repeatedName(String)
        /// Arrays and objects are nested deeper than this limit.
        case tooDeep(limit: Int)
        /// A string is longer than its reader allows.
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
    /// The offset in bytes from the start of the document.
    package let offset: Int

    package init(_ reason: Reason, at offset: Int) {
        self.reason = reason
        self.offset = offset
    }
}

/// The tokens that JSON allows at a place.
package enum JSONExpectation: Hashable, Sendable {
    /// `[`, because a `.json` file is one array of objects.
    case arrayOfObjects
    /// `{`, because each line of the file is one object.
    case objectOnLine
    /// `{`, because each element of the array is an object.
    case object
    /// `{`, or an immediate `]`.
    case objectOrEndOfArray
    /// `,` or `]`.
    case commaOrEndOfArray
    /// A member name in quotes.
    case name
    /// A member name in quotes, or an immediate `}`.
    case nameOrEndOfObject
    /// `:`.
    case colon
    case value
    /// A value, or an immediate `]`.
    case valueOrEndOfArray
    /// `,` or `}`.
    case commaOrEndOfObject
    /// The rest of a string, with its closing quote.
    case endOfString
    /// The rest of a number.
    case digit
    /// The rest of `true`, `false` or `null`.
    case literal
    /// A line break, because each line of the file is one object.
    case lineBreak
    /// Nothing, because the array has ended.
    case endOfFile
}
