/// A parser of one request body, which takes the bytes as they arrive (RFC 9112 §6 and §7.1).
struct BodyParser: Sendable {
    private enum Phase: Sendable {
        case data(remaining: Int)
        case chunkLine(ChunkLineParser)
        case chunkCarriageReturn
        case chunkLineFeed
        /// Trailer fields, which are consumed only when complete.
        case trailers(FieldSectionParser)
        case complete
    }

    private let isChunked: Bool
    private let keepsData: Bool
    /// Nil uses the limit of a body in memory.
    private let maximumBytes: Int?
    private var phase: Phase
    private var dataBytes = 0
    private var extensionBytes = 0

    /// Data that is not stored is checked and dropped.
    ///
    /// Without a maximum, the limit of a body in memory applies.
    init(framing: BodyFraming, keepsData: Bool, maximumBytes: Int? = nil) {
        self.keepsData = keepsData
        self.maximumBytes = maximumBytes
        switch framing {
        case .absent:
            isChunked = false
            phase = .complete
        case .length(let length):
            isChunked = false
            phase = .data(remaining: length)
        case .chunked:
            isChunked = true
            phase = .chunkLine(ChunkLineParser())
        }
    }

    /// The bytes are those not consumed before, and those after them.
    ///
    /// Limits are the same for every call. Throws the rule that the bytes break.
    mutating func parse(
        _ bytes: borrowing Span<UInt8>,
        into body: inout [UInt8],
        limits: HTTPLimits
    ) throws(ParseError) -> ParseProgress {
        var index = 0
        while index < bytes.count {
            switch phase {
            case .data(let remaining):
                let count = min(remaining, bytes.count - index)
                if keepsData { body.append(bytes.extracting(index..<index + count)) }
                index += count
                finishData(remaining: remaining - count)
            case .chunkLine(var line):
                try read(&line, from: bytes, at: &index, limits: limits)
            case .chunkCarriageReturn:
                guard bytes[index] == .carriageReturn else { throw .malformedChunk }
                index += 1
                phase = .chunkLineFeed
            case .chunkLineFeed:
                guard bytes[index] == .lineFeed else { throw .malformedChunk }
                index += 1
                phase = .chunkLine(ChunkLineParser())
            case .trailers(var section):
                let trailers = bytes.extracting(index...)
                guard try readTrailers(&section, of: trailers, limits: limits) else {
                    return ParseProgress(consumed: index, isComplete: false)
                }
                index += section.position
                phase = .complete
            case .complete:
                return ParseProgress(consumed: index, isComplete: true)
            }
        }
        if case .complete = phase { return ParseProgress(consumed: index, isComplete: true) }
        return ParseProgress(consumed: index, isComplete: false)
    }

    private mutating func finishData(remaining: Int) {
        guard remaining == 0 else {
            phase = .data(remaining: remaining)
            return
        }
        phase = isChunked ? .chunkCarriageReturn : .complete
    }

    private mutating func read(
        _ line: inout ChunkLineParser,
        from bytes: borrowing Span<UInt8>,
        at index: inout Int,
        limits: HTTPLimits
    ) throws(ParseError) {
        while index < bytes.count {
            let size = try line.accept(bytes[index], limit: limits.maximumChunkLineBytes)
            index += 1
            guard extensionBytes + line.extensionBytes <= limits.maximumChunkExtensionBytes else {
                throw .chunkExtensionsTooLarge(limit: limits.maximumChunkExtensionBytes)
            }
            guard let size else { continue }
            extensionBytes += line.extensionBytes
            let maximum = maximumBytes ?? limits.maximumBodyBytes
            guard size <= maximum - dataBytes else { throw .bodyTooLarge(limit: maximum) }
            dataBytes += size
            phase = size == 0 ? .trailers(FieldSectionParser(start: 0)) : .data(remaining: size)
            return
        }
        phase = .chunkLine(line)
    }

    /// Reads trailer fields, which are checked and dropped (RFC 9110 §6.5.1).
    ///
    /// False if the bytes end before the section does.
    private mutating func readTrailers(
        _ section: inout FieldSectionParser,
        of bytes: borrowing Span<UInt8>,
        limits: HTTPLimits
    ) throws(ParseError) -> Bool {
        let bounds = FieldSectionParser.Bounds(
            lineBytes: limits.maximumFieldLineBytes,
            sectionBytes: limits.maximumTrailerBytes,
            fields: limits.maximumTrailerFields
        )
        while true {
            switch try section.next(bytes, bounds: bounds) {
            case .field: continue
            case .end: return true
            case .needsMoreBytes:
                phase = .trailers(section)
                return false
            }
        }
    }
}

extension [UInt8] {
    mutating func append(_ bytes: borrowing Span<UInt8>) {
        append(addingCapacity: bytes.count) { output in
            for index in bytes.indices { output.append(bytes[index]) }
        }
    }
}
