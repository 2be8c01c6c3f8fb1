import Bytes
import JSON
import TableFiles

/// A JSON object that has the rows of a page inside.
///
/// It understands lists of this program and JSON:API. In any other object, the rows are under a
/// usual name, are the only array, or are found as in files (``JSONRows``).
struct Envelope {
    private let bytes: [UInt8]
    private var members: [String] = []
    private var arrays: [(name: String, range: Range<Int>)] = []
    /// Empty if the object is no list of this program.
    private var sectionRows: [Range<Int>] = []
    private var hasList = false
    private var next: String?

    /// Nothing may follow the object.
    init(_ tokenizer: inout JSONTokenizer) throws(JSONSyntaxError) {
        bytes = tokenizer.bytes
        try tokenizer.members { (name, tokenizer) throws(JSONSyntaxError) in
            try take(name, &tokenizer)
        }
        try tokenizer.finish()
    }

    private mutating func take(
        _ name: String,
        _ tokenizer: inout JSONTokenizer
    ) throws(JSONSyntaxError) {
        members.append(name)
        let kind = try tokenizer.kind()
        switch (name, kind) {
        case ("links", .object), ("_links", .object):
            next = try Self.nextLink(&tokenizer) ?? next
        case ("next", .string):
            let text = try tokenizer.string()
            next = next ?? text
        case (_, .array):
            let range = try tokenizer.value()
            if name == "sections" { sectionRows = try Self.rowsOfSections(range, of: bytes) }
            arrays.append((name, range))
        default:
            if name == "list" { hasList = true }
            try tokenizer.value()
        }
    }

    private static func nextLink(
        _ tokenizer: inout JSONTokenizer
    ) throws(JSONSyntaxError) -> String? {
        var next: String?
        try tokenizer.members { (name, tokenizer) throws(JSONSyntaxError) in
            let kind = try tokenizer.kind()
            switch (name, kind) {
            case ("next", .string): next = try tokenizer.string()
            case ("next", .object):
                try tokenizer.members { (name, tokenizer) throws(JSONSyntaxError) in
                    guard name == "href", try tokenizer.kind() == .string else {
                        try tokenizer.value()
                        return
                    }
                    next = try tokenizer.string()
                }
            default: try tokenizer.value()
            }
        }
        return next
    }

    private static func rowsOfSections(
        _ range: Range<Int>,
        of bytes: [UInt8]
    ) throws(JSONSyntaxError) -> [Range<Int>] {
        var tokenizer = JSONTokenizer(document: bytes, at: range.lowerBound)
        var rows: [Range<Int>] = []
        try tokenizer.elements { (tokenizer) throws(JSONSyntaxError) in
            guard try tokenizer.kind() == .object else {
                try tokenizer.value()
                return
            }
            try tokenizer.members { (name, tokenizer) throws(JSONSyntaxError) in
                let kind = try tokenizer.kind()
                let isRows = name == "rows" && kind == .array
                let range = try tokenizer.value()
                if isRows { rows.append(range) }
            }
        }
        return rows
    }

    func page(_ number: Int) throws(RemoteError) -> RemotePage {
        guard let ranges = rowRanges else { return try documentPage(number) }
        var rows = ByteBuffer()
        var count = 0
        rows.append(UInt8(ascii: "["))
        for range in ranges {
            var tokenizer = JSONTokenizer(document: bytes, at: range.lowerBound)
            var failedRow: Int?
            do throws(JSONSyntaxError) {
                try tokenizer.elements { (tokenizer) throws(JSONSyntaxError) in
                    count += 1
                    if count > 1 { rows.append(UInt8(ascii: ",")) }
                    let row = try FlatRow(&tokenizer)
                    if isOwnList, row.hasFailed { failedRow = failedRow ?? count }
                    row.write(isOwnList ? "cells" : "attributes", to: &rows)
                }
            } catch {
                let error = FileError(error, in: bytes)
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

    private var isOwnList: Bool { hasList && members.contains("sections") }

    /// Nil if the rows are elsewhere.
    private var rowRanges: [Range<Int>]? {
        if isOwnList { return sectionRows }
        for name in Self.usualNames {
            if let array = arrays.first(where: { $0.name == name }) { return [array.range] }
        }
        let isGeographic = members.contains("type") && arrays.first?.name == "features"
        return arrays.count == 1 && !isGeographic ? [arrays[0].range] : nil
    }

    private func documentPage(_ number: Int) throws(RemoteError) -> RemotePage {
        let document: JSONRows
        do throws(FileError) { document = try JSONRows(bytes) } catch {
            throw .decoding(RemoteDecodingError(page: number, row: nil, error))
        }
        guard document.lists.isEmpty, !document.isSingleObject else {
            throw .decoding(RemoteDecodingError(page: number, .noRows(members)))
        }
        return RemotePage(
            number: number,
            format: .ndjson,
            rows: document.lines,
            isWhole: false,
            next: next
        )
    }

    private static let usualNames = ["data", "items", "results", "rows", "records", "entries"]
}
