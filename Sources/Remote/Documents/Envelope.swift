import Bytes
import TableFiles

/// A JSON object that has the rows of a page inside.
///
/// It understands lists of this program and JSON:API. In any other object, the rows are under a
/// usual name or are the only array.
struct Envelope {
    private let bytes: [UInt8]
    private var members: [String] = []
    /// The arrays among the members.
    private var arrays: [(name: String, range: Range<Int>)] = []
    /// The row arrays of the sections, if the object is a list of this program.
    private var sectionRows: [Range<Int>] = []
    private var hasList = false
    private var next: String?

    /// Reads the object at the scanner's index and checks that nothing follows it.
    init(_ scanner: inout JSONScanner) throws(FileError) {
        bytes = scanner.bytes
        try scanner.members { (name, scanner) throws(FileError) in
            try take(name, &scanner)
        }
        try scanner.end()
    }

    private mutating func take(
        _ name: String,
        _ scanner: inout JSONScanner
    ) throws(FileError) {
        members.append(name)
        let kind = try scanner.kind()
        switch (name, kind) {
        case ("links", .object), ("_links", .object):
            next = try Self.nextLink(&scanner) ?? next
        case ("next", .text):
            let text = try scanner.text()
            next = next ?? text
        case (_, .array):
            if name == "sections" { sectionRows = try Self.rowsOfSections(scanner) }
            arrays.append((name, try scanner.value()))
        default:
            if name == "list" { hasList = true }
            try scanner.value()
        }
    }

    /// Reads `next` of links, which is a text or an object with `href`.
    private static func nextLink(_ scanner: inout JSONScanner) throws(FileError) -> String? {
        var next: String?
        try scanner.members { (name, scanner) throws(FileError) in
            let kind = try scanner.kind()
            switch (name, kind) {
            case ("next", .text): next = try scanner.text()
            case ("next", .object):
                try scanner.members { (name, scanner) throws(FileError) in
                    guard name == "href", try scanner.kind() == .text else {
                        try scanner.value()
                        return
                    }
                    next = try scanner.text()
                }
            default: try scanner.value()
            }
        }
        return next
    }

    /// Returns the ranges of the row arrays in the sections of a list, on a copy of the scanner.
    private static func rowsOfSections(_ scanner: JSONScanner) throws(FileError) -> [Range<Int>] {
        var scanner = scanner
        var rows: [Range<Int>] = []
        try scanner.elements { (scanner) throws(FileError) in
            guard try scanner.kind() == .object else {
                try scanner.value()
                return
            }
            try scanner.members { (name, scanner) throws(FileError) in
                let kind = try scanner.kind()
                let isRows = name == "rows" && kind == .array
                let range = try scanner.value()
                if isRows { rows.append(range) }
            }
        }
        return rows
    }

    /// Builds the page from the rows found.
    ///
    /// - Throws: ``RemoteError/decoding(_:)``.
    func page(_ number: Int) throws(RemoteError) -> RemotePage {
        var rows = ByteBuffer()
        var count = 0
        rows.append(UInt8(ascii: "["))
        for range in try rowRanges(number) {
            var scanner = JSONScanner(bytes, at: range.lowerBound)
            var failedRow: Int?
            do throws(FileError) {
                try scanner.elements { (scanner) throws(FileError) in
                    count += 1
                    if count > 1 { rows.append(UInt8(ascii: ",")) }
                    let row = try FlatRow(&scanner)
                    if isOwnList, row.hasFailed { failedRow = failedRow ?? count }
                    row.write(isOwnList ? "cells" : "attributes", to: &rows)
                }
            } catch {
                throw .decoding(RemoteDecodingError(page: number, row: count, error))
            }
            if let failedRow {
                throw .decoding(RemoteDecodingError(page: number, row: failedRow, .failedRow))
            }
        }
        rows.append(UInt8(ascii: "]"))
        return RemotePage(
            number: number,
            format: .json,
            rows: rows.array(),
            isWhole: false,
            next: next
        )
    }

    /// Whether the object is a list of this program.
    private var isOwnList: Bool { hasList && members.contains("sections") }

    private func rowRanges(_ page: Int) throws(RemoteError) -> [Range<Int>] {
        if isOwnList { return sectionRows }
        for name in Self.usualNames {
            if let array = arrays.first(where: { $0.name == name }) { return [array.range] }
        }
        guard arrays.count == 1 else {
            throw .decoding(RemoteDecodingError(page: page, .noRows(members)))
        }
        return [arrays[0].range]
    }

    /// The usual members that hold rows, in the order in which they are tried.
    private static let usualNames = ["data", "items", "results", "rows", "records", "entries"]
}
