import Bytes
import Database

/// A row of an envelope, to be written with its cells or attributes beside its id.
struct FlatRow {
    private let bytes: [UInt8]
    private let whole: Range<Int>
    private var members: [(name: String, kind: JSONScanner.Kind, range: Range<Int>)] = []

    /// Reads the value at the scanner's place.
    init(_ scanner: inout JSONScanner) throws(FileError) {
        bytes = scanner.bytes
        var inside = scanner
        whole = try scanner.value()
        guard try inside.kind() == .object else { return }
        try inside.members { (name, scanner) throws(FileError) in
            let kind = try scanner.kind()
            members.append((name, kind, try scanner.value()))
        }
    }

    /// Whether the row is one that its upstream could not show.
    var hasFailed: Bool { Set(members.map(\.name)) == ["id", "error"] }

    /// Writes the row as one flat object; a value that is no such row is written as it is.
    ///
    /// - Parameters:
    ///   - name: The member whose members become the row's: `cells`, or `attributes` of a resource
    ///     object (JSON:API).
    ///   - buffer: Takes the row.
    func write(_ name: String, to buffer: inout ByteBuffer) {
        guard name == "cells" || isResource, let id = member("id"), id.kind != .null,
            let cells = member(name), cells.kind == .object
        else { return append(whole, to: &buffer) }
        buffer.append("{\"id\":" as StaticString)
        append(id.range, to: &buffer)
        let inside = (cells.range.lowerBound + 1)..<(cells.range.upperBound - 1)
        if bytes[inside].contains(UInt8(ascii: "\"")) { buffer.append(UInt8(ascii: ",")) }
        append(inside, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    private var isResource: Bool {
        member("type")?.kind == .text && members.allSatisfy { Self.ofResources.contains($0.name) }
    }

    private func member(_ name: String) -> (kind: JSONScanner.Kind, range: Range<Int>)? {
        members.first { $0.name == name }.map { ($0.kind, $0.range) }
    }

    private func append(_ range: Range<Int>, to buffer: inout ByteBuffer) {
        buffer.append(bytes.span.extracting(range))
    }

    /// The members of a resource object (JSON:API 1.1).
    private static let ofResources: Set<String> = [
        "id", "type", "lid", "attributes", "relationships", "links", "meta",
    ]
}
