import Bytes

/// The path of a request target, percent-decoded once, with dot segments resolved (RFC 3986
/// §5.2.4).
///
/// `/` has one empty segment, `/users` has one, `/users/` has two, of which the last is empty. A
/// path is split before it is decoded: a `/` sent as `%2F` belongs to its segment. The target `*`
/// has no segment at all.
public struct RequestPath: Sendable, Hashable {
    /// The path as it was sent.
    private var raw: [UInt8] = [UInt8(ascii: "/")]

    /// The decoded segments, one after the other.
    private var decoded: [UInt8] = []

    /// The end of each segment in `decoded`.
    private var ends: [Int] = [0]

    /// Whether the path is within the limits for segments and bytes; otherwise no route matches
    /// (404).
    package private(set) var isWithinLimits = true

    /// Creates the path `/`.
    package init() {}

    /// The path as it was sent, without the query.
    public var rawPath: String { String(decoding: raw, as: UTF8.self) }

    /// The decoded segments.
    ///
    /// - Complexity: O(bytes of the path). It makes a string for each segment.
    public var segments: [String] { ends.indices.map { segment($0) } }

    /// The number of segments.
    package var count: Int { ends.count }

    /// Whether the target was `*`, the server as a whole.
    package var isAsterisk: Bool { ends.isEmpty }

    /// Returns the text of one segment.
    package func segment(_ index: Int) -> String {
        String(decoding: decoded[bounds(of: index)], as: UTF8.self)
    }

    /// Whether a segment holds exactly these bytes.
    package func segment(_ index: Int, equals bytes: [UInt8]) -> Bool {
        decoded.span.extracting(bounds(of: index)).equals(bytes.span)
    }

    /// Whether a segment is empty.
    package func isSegmentEmpty(_ index: Int) -> Bool { bounds(of: index).isEmpty }

    private func bounds(of index: Int) -> Range<Int> {
        (index == 0 ? 0 : ends[index - 1])..<ends[index]
    }
}

extension RequestPath {
    /// Reads the target `*`.
    mutating func readAsterisk() {
        clear()
        raw.append(UInt8(ascii: "*"))
    }

    /// Reads a path from the bytes of a target.
    ///
    /// - Parameters:
    ///   - path: The path as it was sent: empty, or with a `/` first.
    ///   - limits: The limits of segments and bytes.
    /// - Throws: The rule that the path breaks.
    mutating func read(
        _ path: borrowing Span<UInt8>,
        limits: HTTPLimits
    ) throws(ParseError) {
        clear()
        raw.append(path)
        if raw.isEmpty { raw.append(UInt8(ascii: "/")) }
        var index = 1
        repeat {
            index = try readSegment(from: index)
        } while index <= raw.count
        isWithinLimits =
            ends.count <= limits.maximumPathSegments && decoded.count <= limits.maximumPathBytes
    }

    /// Removes the first segments, except from ``rawPath``, and leaves `/` if none remains.
    mutating func removeFirst(_ count: Int) {
        guard count > 0 else { return }
        let length = ends[count - 1]
        decoded.removeFirst(length)
        ends.removeFirst(count)
        for index in ends.indices { ends[index] -= length }
        if ends.isEmpty { ends.append(0) }
    }

    private mutating func clear() {
        raw.removeAll(keepingCapacity: true)
        decoded.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        isWithinLimits = true
    }

    /// Decodes the segment that begins at an index of `raw`.
    ///
    /// - Returns: The index of the next segment; past the end after the last one.
    private mutating func readSegment(from start: Int) throws(ParseError) -> Int {
        let segmentStart = decoded.count
        var index = start
        var isASCII = true
        while index < raw.count, raw[index] != UInt8(ascii: "/") {
            let byte: UInt8
            if raw[index] == UInt8(ascii: "%") {
                guard let value = PercentEncoding.byte(in: raw.span, at: index) else {
                    throw .malformedPercentEncoding
                }
                byte = value
                index += 3
            } else {
                byte = raw[index]
                index += 1
            }
            guard byte != 0 else { throw .nulInPath }
            isASCII = isASCII && byte < 0x80
            decoded.append(byte)
        }
        if !isASCII, !decoded.span.extracting(segmentStart...).isUTF8 { throw .invalidUTF8InPath }
        try resolveDots(from: segmentStart, isLast: index == raw.count)
        return index + 1
    }

    /// Appends the segment decoded last to the path, unless it is `.` or `..`.
    private mutating func resolveDots(from start: Int, isLast: Bool) throws(ParseError) {
        let dot = UInt8(ascii: ".")
        switch decoded[start...] {
        case [dot]:
            decoded.removeLast()
        case [dot, dot]:
            guard ends.popLast() != nil else { throw .pathAboveRoot }
            decoded.removeSubrange((ends.last ?? 0)...)
        default:
            ends.append(decoded.count)
            return
        }
        // A path that ends in a dot segment names the directory: `/a/.` is `/a/`.
        if isLast { ends.append(decoded.count) }
    }
}

extension Span where Element == UInt8 {
    /// Whether the bytes are well-formed UTF-8.
    var isUTF8: Bool {
        do {
            _ = try UTF8Span(validating: self)
            return true
        } catch {
            return false
        }
    }
}
