internal import JSON

extension FileError.Reason {
    package var text: String {
        switch self {
        case .emptyFile: "the file is empty; a header line or a JSON array is expected"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .fieldTooLarge(let limit): "the value is longer than \(limit) bytes"
        case .irregular(let kind): kind.text
        case .documentTooLarge(let limit):
            "a JSON document of over \(limit) bytes that is no array of objects"
        case .noRows(let path, let lists):
            "the document has no '\(path)'; "
                + (lists.isEmpty ? "it has no list of objects" : "its lists: \(Self.names(lists))")
        case .severalLists(let lists): "the document has several lists: \(Self.names(lists))"
        case .recordTooLarge(let limit): "the record is longer than \(limit) bytes"
        case .tooManyColumns(let limit): "more than \(limit) columns"
        case .columnNameTooLong(let limit): "the column's name is longer than \(limit) bytes"
        case .missingID(let column): "no value under '\(column)', which gives the ids"
        case .duplicateID(let id, let first): "id '\(id)' stands at \(first) already"
        case .unclosedQuote: "the quote that opens here is never closed"
        case .fieldCount(let expected, let found):
            "\(expected) \(expected == 1 ? "value is" : "values are") expected, as in the header, "
                + "and \(found) found"
        case .unexpectedByte(let byte, let expected):
            "\(Self.name(of: byte)) where \(expected.text) is expected"
        case .unexpectedEnd(let expected): "the file ends where \(expected.text) is expected"
        case .lineBreakInObject: "a line break inside an object; each line is one object"
        case .duplicateMember(let name): "a second member '\(name)' in one object"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .controlCharacterInString: "a control character in a string; write it as \\u00XX"
        case .invalidEscape: "a backslash followed by nothing that JSON knows"
        case .loneSurrogate: "half of a surrogate pair"
        case .invalidNumber: "not a number as JSON writes them"
        case .numberTooLarge: "a number past 64-bit integers and double precision"
        }
    }

    private static func names(_ lists: [String]) -> String {
        lists.map { "'\($0)'" }.joined(separator: ", ")
    }

    private static func name(of byte: UInt8) -> String {
        switch byte {
        case 0x0A, 0x0D: "a line break"
        case 0x21...0x7E: "'\(Character(Unicode.Scalar(byte)))'"
        default: "byte 0x\(String(byte, radix: 16, uppercase: true))"
        }
    }
}

extension JSONExpectation {
    fileprivate var text: String {
        switch self {
        case .arrayOfObjects: "'[', an array of objects,"
        case .objectOnLine: "'{', one object a line,"
        case .object: "'{', an object,"
        case .objectOrEndOfArray: "'{' or ']'"
        case .commaOrEndOfArray: "',' or ']'"
        case .name: "a name in quotes"
        case .nameOrEndOfObject: "a name in quotes or '}'"
        case .colon: "':'"
        case .value: "a value"
        case .valueOrEndOfArray: "a value or ']'"
        case .commaOrEndOfObject: "',' or '}'"
        case .endOfString: "the closing quote of the string"
        case .digit: "a digit"
        case .literal: "true, false or null"
        case .lineBreak: "a line break"
        case .endOfFile: "the end of the file"
        }
    }
}

extension FileRepairs.Kind {
    package var text: String {
        switch self {
        case .shortRow: "fewer fields than the header"
        case .emptyExtraField: "empty fields after the last column"
        case .droppedValue, .extraColumn: "values after the last column"
        case .blankLine: "blank lines"
        case .commentLine: "comment lines"
        case .footerLine: "lines after the data"
        case .totalsRow: "a last row that begins like totals"
        case .strayQuote: "quotation marks inside fields"
        case .nulCharacter: "NUL characters"
        case .loneSurrogate: "halves of surrogate pairs"
        case .nonFinite: "NaN or infinite numbers"
        case .unfinishedLine: "a last line without its end"
        }
    }

    package var correction: String {
        switch self {
        case .shortRow: "missing values are null"
        case .emptyExtraField, .droppedValue: "dropped"
        case .extraColumn: "read as further columns"
        case .blankLine: "skipped"
        case .commentLine: "skipped; --comment none reads them as rows"
        case .footerLine: "left out; --footer-lines 0 keeps them"
        case .totalsRow: "read as a row; --footer-lines 1 leaves it out"
        case .strayQuote: "read as text"
        case .nulCharacter, .loneSurrogate: "read as U+FFFD"
        case .nonFinite: "read as missing values"
        case .unfinishedLine: "left out until it is finished"
        }
    }
}
