import Bytes
import JSON
import TableFiles

struct FlatRow {
    private let bytes: [UInt8]
    private let whole: Range<Int>
    private var members: [Member] = []

    private struct Member {
        let name: String
        let kind: JSONTokenizer.Kind
        let range: Range<Int>
        let hasID: Bool
    }

    init(_ tokenizer: inout JSONTokenizer) throws(JSONSyntaxError) {
        bytes = tokenizer.bytes
        guard try tokenizer.kind() == .object else {
            whole = try tokenizer.value()
            return
        }
        let start = tokenizer.index
        var members: [Member] = []
        try tokenizer.members { (name, tokenizer) throws(JSONSyntaxError) in
            let kind = try tokenizer.kind()
            let start = tokenizer.index
            var hasID = false
            if kind == .object {
                try tokenizer.members { (name, tokenizer) throws(JSONSyntaxError) in
                    if name == "id" { hasID = true }
                    try tokenizer.value()
                }
            } else {
                try tokenizer.value()
            }
            let range = start..<tokenizer.index
            members.append(Member(name: name, kind: kind, range: range, hasID: hasID))
        }
        whole = start..<tokenizer.index
        self.members = members
    }

    var hasFailed: Bool { Set(members.map(\.name)) == ["id", "error"] }

    /// Writes the row as one flat object, or unchanged if it does not have the expected members.
    ///
    /// Cells that contain an id get no second one.
    ///
    /// The name is `cells`, or `attributes` of a resource object (JSON:API).
    func write(_ name: String, to buffer: inout ByteBuffer) {
        guard name == "cells" || isResource, let id = member("id"), id.kind != .null,
            let cells = member(name), cells.kind == .object
        else { return append(whole, to: &buffer) }
        guard !cells.hasID else { return append(cells.range, to: &buffer) }
        buffer.append("{\"id\":" as StaticString)
        append(id.range, to: &buffer)
        let inside = (cells.range.lowerBound + 1)..<(cells.range.upperBound - 1)
        if bytes[inside].contains(UInt8(ascii: "\"")) { buffer.append(UInt8(ascii: ",")) }
        append(inside, to: &buffer)
        buffer.append(UInt8(ascii: "}"))
    }

    private var isResource: Bool {
        member("type")?.kind == .string && members.allSatisfy { Self.ofResources.contains($0.name) }
    }

    private func member(_ name: String) -> Member? { members.first { $0.name == name } }

    private func append(_ range: Range<Int>, to buffer: inout ByteBuffer) {
        buffer.append(bytes.span.extracting(range))
    }

    /// JSON:API 1.1.
    private static let ofResources: Set<String> = [
        "id", "type", "lid", "attributes", "relationships", "links", "meta",
    ]
}
