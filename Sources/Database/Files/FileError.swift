/// What is wrong with a file, and where.
package struct FileError: Error, Hashable, Sendable {
    /// Where it is wrong.
    package let place: FilePlace
    /// What is wrong.
    package let reason: Reason

    /// Creates an error.
    package init(_ reason: Reason, at place: FilePlace) {
        self.reason = reason
        self.place = place
    }

    /// What can be wrong with a file.
    package enum Reason: Hashable, Sendable {
        /// There is nothing in the file, not even a header line.
        case emptyFile
        /// Bytes that are not UTF-8 (RFC 3629) begin here.
        case invalidUTF8
        /// A NUL character, which no list holds.
        case nulCharacter
        /// The value that begins here is longer than the limit, in bytes.
        case fieldTooLarge(limit: Int)
        /// The values of the record are longer than the limit together, in bytes.
        case recordTooLarge(limit: Int)
        /// There are more columns than the limit.
        case tooManyColumns(limit: Int)
        /// A column has no name.
        case emptyColumnName
        /// A column's name is longer than the limit, in bytes.
        case columnNameTooLong(limit: Int)
        /// A column's name holds a control character.
        case controlCharacterInColumnName
        /// A column with this name stands in the header already.
        case duplicateColumn(String)
        /// The record has no id, or an empty one.
        case missingID(column: String)
        /// The id is that of an earlier record, which began at the place given.
        case duplicateID(String, first: FilePlace)

        /// The quote that opens here is never closed (RFC 4180 §2.5).
        case unclosedQuote
        /// Something other than a separator follows a closing quote.
        case textAfterQuote
        /// A quote stands inside a field that does not begin with one.
        case quoteInUnquotedField
        /// A carriage return without a line feed.
        case carriageReturnAlone
        /// The line has another number of fields than the header.
        case fieldCount(expected: Int, found: Int)
        /// The line is empty.
        case blankLine

        /// A byte that cannot stand here.
        case unexpectedByte(UInt8, expected: JSONExpectation)
        /// The file ends too early.
        case unexpectedEnd(expected: JSONExpectation)
        /// A line break inside an object, where every line is an object.
        case lineBreakInObject
        /// The object has two members of this name.
        case duplicateMember(String)
        /// Arrays and objects are nested deeper than the limit.
        case tooDeep(limit: Int)
        /// A control character that must be escaped (RFC 8259 §7).
        case controlCharacterInString
        /// A backslash is followed by nothing JSON knows (RFC 8259 §7).
        case invalidEscape
        /// Half of a surrogate pair, which is no character (RFC 8259 §8.2).
        case loneSurrogate
        /// Not a number as JSON writes them (RFC 8259 §6).
        case invalidNumber
        /// A number past 64-bit integers and past double precision.
        case numberTooLarge
    }
}

/// What JSON may go on with at some place.
package enum JSONExpectation: Hashable, Sendable {
    /// `[`, because a `.json` file is one array of objects.
    case arrayOfObjects
    /// `{`, because each line of the file is one object.
    case objectOnLine
    /// `{`, because each element of the array is an object.
    case object
    /// `{`, or `]` at once.
    case objectOrEndOfArray
    /// `,` or `]`.
    case commaOrEndOfArray
    /// A member's name in quotes.
    case name
    /// A member's name in quotes, or `}` at once.
    case nameOrEndOfObject
    /// `:`.
    case colon
    /// A value.
    case value
    /// A value, or `]` at once.
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
