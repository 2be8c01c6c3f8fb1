import JSON
package import TableFiles

/// A received page of a list, with its rows as a JSON array of flat objects or as a file.
package struct RemotePage: Hashable, Sendable {
    package let number: Int
    package let format: FileFormat
    /// An array for JSON, otherwise the whole file.
    package let rows: [UInt8]
    /// Whether the rows are the document itself, so that positions in them are positions in it.
    package let isWhole: Bool
    /// As written in the body.
    let next: String?

    init(number: Int, format: FileFormat, rows: [UInt8], isWhole: Bool, next: String? = nil) {
        self.number = number
        self.format = format
        self.rows = rows
        self.isWhole = isWhole
        self.next = next
    }

    init(
        number: Int,
        from address: RemoteAddress,
        _ response: consuming RemoteResponse
    ) throws(RemoteError) {
        let format = try Self.format(of: response, at: address)
        let body = response.body
        guard format == .json else {
            self.init(number: number, format: format, rows: body, isWhole: true)
            return
        }
        guard let envelope = try Self.envelope(body, number) else {
            // The reader of the rows reports the errors of anything but an array.
            self.init(number: number, format: .json, rows: body, isWhole: true)
            return
        }
        self = try envelope.page(number)
    }

    private static func envelope(_ body: [UInt8], _ number: Int) throws(RemoteError) -> Envelope? {
        guard (try? UTF8Span(validating: body.span)) != nil else {
            let error = FileError(.invalidUTF8, at: .start)
            throw .decoding(RemoteDecodingError(page: number, error))
        }
        guard !body.isEmpty else { return nil }
        do throws(JSONSyntaxError) {
            var tokenizer = JSONTokenizer(document: body)
            return try tokenizer.kind() == .object ? try Envelope(&tokenizer) : nil
        } catch {
            throw .decoding(RemoteDecodingError(page: number, FileError(error, in: body)))
        }
    }

    var rowCount: Int {
        var count = 0
        var tokenizer = JSONTokenizer(document: rows)
        // Errors in the rows are reported when they are read.
        try? tokenizer.elements { (tokenizer) throws(JSONSyntaxError) in
            try tokenizer.value()
            count += 1
        }
        return count
    }

    /// By the media type, else by the path's extension, else JSON.
    private static func format(
        of response: RemoteResponse,
        at address: RemoteAddress
    ) throws(RemoteError) -> FileFormat {
        let type = (response.field("content-type") ?? "").prefix { $0 != ";" && $0 != " " }
            .lowercased()
        switch type {
        case "application/json": return .json
        case "text/csv": return .csv
        case "text/tab-separated-values": return .tsv
        case "application/x-ndjson", "application/ndjson", "application/jsonl",
            "application/x-jsonlines":
            return .ndjson
        case "", "text/plain", "application/octet-stream", "binary/octet-stream":
            let known = FileFormat(path: address.path)
            guard let known, known != .database, !known.isContainer else { return .json }
            return known
        case _ where type.hasSuffix("+json"): return .json
        default: throw .unsupportedFormat(type)
        }
    }
}

extension JSONTokenizer {
    /// The document may have a byte order mark.
    init(document bytes: [UInt8], at index: Int = 0) {
        let hasMark = index == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
        self.init(bytes, at: hasMark ? 3 : index, maximumDepth: FileLimits.maximumDepth)
    }
}
