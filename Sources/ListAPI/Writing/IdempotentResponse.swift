import Bytes
import HTTP

struct IdempotentResponse: Sendable {
    var status: HTTPStatus
    private(set) var fields: [(name: FieldName, value: String)] = []
    var body: [UInt8] = []

    init(_ status: HTTPStatus) { self.status = status }

    mutating func addField(_ name: FieldName, _ value: String) {
        fields.append((name, value))
    }

    init?(_ bytes: [UInt8]) {
        let end = bytes.firstIndex(of: UInt8(ascii: "\0")) ?? bytes.endIndex
        guard let head = String(validating: bytes[..<end], as: UTF8.self) else { return nil }
        var lines = head.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard let code = lines.popFirst().flatMap({ Int($0) }), (100...599).contains(code) else {
            return nil
        }
        status = HTTPStatus(code: code)
        for line in lines where !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { return nil }
            fields.append((FieldName(String(parts[0])), String(parts[1])))
        }
        body = Array(bytes[end...].dropFirst())
    }

    /// The stored form of the response; no field holds a control character.
    var bytes: [UInt8] {
        let head = fields.reduce("\(status.code)\n") { $0 + "\($1.name.name):\($1.value)\n" }
        return Array(head.utf8) + [0] + body
    }

    func send(with response: inout HTTPResponse) {
        response.status = status
        for field in fields { response.addField(field.name, field.value) }
        response.body.append(body)
    }
}
