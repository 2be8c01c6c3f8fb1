import Bytes
import HTTP
import Listings
import Rendering

/// Responses with single cells: bytes as a file, every other value as its text.
extension Service {
    /// Responds with a cell of a row.
    func showCell(
        _ captures: RouteCaptures,
        _ request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        let (id, name) = (FormatSuffix.name(ofInner: captures[1]), captures[2])
        guard let endpoint = try endpoint(captures[0], request, suffix: nil) else {
            throw Refusal(problem: noList(captures[0]), suffix: nil)
        }
        let target = target(endpoint, .cell(id, column: name), nil)
        var parameters = ListParameters(request, of: endpoint, accepted: target.accepted)
        guard target.query(&parameters) != nil else { throw refusal(parameters, request, target) }
        guard let column = endpoint.schema.index(of: name) else {
            throw Refusal(problem: noColumn(name, of: endpoint), suffix: nil)
        }
        var bytes: [UInt8]?
        guard try endpoint.readRow(id, bytesOf: column, &bytes) else {
            throw Refusal(problem: noRow(id, in: endpoint.definition), suffix: nil)
        }
        guard endpoint.page.link(ofRow: 0) != .closed else {
            let detail = "Row '\(id)' cannot be opened."
            throw Refusal(problem: problem(.forbidden, detail), suffix: nil)
        }
        let value = endpoint.page.value(row: 0, column: column)
        guard !value.isNull, value.kind != .bytes || bytes != nil else {
            let what = value.isNull ? "no value" : "bytes that cannot be read"
            let detail = "Row '\(id)' has \(what) in column '\(name)'."
            throw Refusal(problem: problem(.notFound, detail), suffix: nil)
        }
        response.addField(.cacheControl, "no-cache" as StaticString)
        response.addField(.xContentTypeOptions, "nosniff" as StaticString)
        response.addField(.vary, "Accept-Encoding" as StaticString)
        if let tag = tag(ofRowOf: endpoint.page) {
            response.addField(.etag) { tag.write(into: &$0) }
            if isKnown(tag, request) { return sayNotModified(with: &response) }
        }
        if value.kind == .bytes {
            let file = "\(endpoint.definition.name)-\(id)-\(name)".inFileName
            response.addField(.contentType, "application/octet-stream" as StaticString)
            response.addField(.contentDisposition, "attachment; filename=\"\(file).bin\"")
            response.body.append(bytes ?? [])
        } else {
            response.addField(.contentType, "text/plain; charset=utf-8" as StaticString)
            response.body.append(value.plainText)
        }
    }

    private func noColumn(_ name: String, of endpoint: ServedList) -> Problem {
        let list = endpoint.definition.name
        let near = Suggestion.nearest(to: name, among: endpoint.schema.columns.map(\.id))
        let hint = near.map { "; the nearest is '\($0)'" } ?? ""
        let way = Problem.Way("schema", label: "All columns", address: addresses.schema(of: list))
        return problem(.notFound, "No column '\(name)' in \(list)\(hint).", ways: [way])
    }
}

extension String {
    /// The text with `_` instead of every character that is special in a file system.
    fileprivate var inFileName: String {
        String(
            prefix(200).map { character in
                let isPlain = character.isASCII && (character.isLetter || character.isNumber)
                return isPlain || "-._".contains(character) ? character : "_"
            }
        )
    }
}
