import Bytes
import TableFiles

struct PageRecords {
    private let pages: [RemotePage]
    let nested: NestedColumns

    init(_ pages: [RemotePage], nested: NestedColumns? = nil) {
        self.pages = pages
        let first = pages.first
        let layout: JSONReader.Layout? =
            switch first?.format {
            case .json: .array
            case .ndjson: .lines
            default: nil
            }
        let rows = first?.rows ?? []
        self.nested = nested ?? layout.map { NestedColumns(in: rows.span, $0) } ?? NestedColumns()
    }

    /// Returns the columns of the records read.
    func read(
        _ body: (borrowing FileRecord, RemoteLocation) throws(RemoteError) -> Void
    ) throws(RemoteError) -> ColumnNames {
        switch pages.first?.format ?? .json {
        case .csv: try read(DelimitedReader(.commaSeparated), body)
        case .tsv: try read(DelimitedReader(.tabSeparated), body)
        case .ndjson: try read(JSONReader(.lines, nested: nested), body)
        case .json, .workbook, .archive, .database:
            try read(JSONReader(.array, nested: nested), body)
        }
    }

    private func read<Reader: RecordReader & ~Copyable>(
        _ reader: consuming Reader,
        _ body: (borrowing FileRecord, RemoteLocation) throws(RemoteError) -> Void
    ) throws(RemoteError) -> ColumnNames {
        var record = FileRecord()
        var joint = PageBoundary(pages)
        for page in pages {
            var row = 0
            while let piece = joint.nextPiece(of: page) {
                var index = 0
                // The reader is called once more if a record ends with the piece, so that it counts
                // all bytes.
                while true {
                    let progress: RecordProgress
                    do throws(FileError) {
                        progress = try reader.read(piece.span, from: &index, into: &record)
                    } catch {
                        throw self.error(error, page, row: row + 1)
                    }
                    guard progress == .complete else { break }
                    row += 1
                    if let value = reader.repairs.counts.first(where: { $0.kind == .nonFinite }) {
                        throw error(
                            FileError(.irregular(.nonFinite), at: value.first),
                            page,
                            row: row
                        )
                    }
                    try body(record, RemoteLocation(page: page.number, row: row))
                }
            }
            guard page.number == pages.count else { continue }
            do throws(FileError) {
                guard try reader.finish(into: &record) == .complete else { break }
            } catch {
                throw self.error(error, page, row: row + 1)
            }
            try body(record, RemoteLocation(page: page.number, row: row + 1))
        }
        return reader.columns
    }

    private func error(_ error: FileError, _ page: RemotePage, row: Int) -> RemoteError {
        .decoding(
            RemoteDecodingError(
                page: page.number,
                row: row,
                error,
                isLocationKnown: page.isWhole && pages.count == 1
            )
        )
    }
}

/// A splitter that turns pages into pieces of one document.
///
/// Between pages, it replaces the brackets of arrays by commas.
private struct PageBoundary {
    private let isJoined: Bool
    private let lastNumber: Int
    private var pieces: [ArraySlice<UInt8>] = []
    private var page = 0
    private var hasRows = false

    init(_ pages: [RemotePage]) {
        isJoined = pages.count > 1
        lastNumber = pages.count
    }

    mutating func nextPiece(of page: RemotePage) -> ArraySlice<UInt8>? {
        if self.page != page.number {
            self.page = page.number
            pieces = cut(page)
        }
        return pieces.isEmpty ? nil : pieces.removeFirst()
    }

    private mutating func cut(_ page: RemotePage) -> [ArraySlice<UInt8>] {
        guard isJoined else { return [page.rows[...]] }
        let opening: ArraySlice<UInt8> = [UInt8(ascii: "[")]
        let closing: ArraySlice<UInt8> = [UInt8(ascii: "]")]
        var pieces = page.number == 1 ? [opening] : []
        let inside = Self.inside(page.rows)
        if let inside, !inside.isEmpty {
            if hasRows { pieces.append([UInt8(ascii: ",")]) }
            hasRows = true
            pieces.append(inside)
        } else if inside == nil {
            // The rows are not an array, so the reader reports the error.
            pieces.append(page.rows[...])
        }
        return page.number == lastNumber ? pieces + [closing] : pieces
    }

    /// Nil if the document has no brackets.
    private static func inside(_ rows: [UInt8]) -> ArraySlice<UInt8>? {
        func isSpace(_ byte: UInt8) -> Bool {
            byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
        }
        var trimmed = rows[...]
        if trimmed.starts(with: [0xEF, 0xBB, 0xBF]) { trimmed = trimmed.dropFirst(3) }
        trimmed = trimmed.drop(while: isSpace)
        while let last = trimmed.last, isSpace(last) { trimmed.removeLast() }
        guard trimmed.count >= 2, trimmed.first == UInt8(ascii: "["),
            trimmed.last == UInt8(ascii: "]")
        else { return nil }
        let inside = trimmed.dropFirst().dropLast()
        return inside.allSatisfy(isSpace) ? [] : inside
    }
}
