import HTTP
import ListAPITestSupport

struct ReplayRequest {
    enum Accept: String {
        case json = "application/json"
        case html = "text/html"
        case csv = "text/csv"
        case ndjson = "application/x-ndjson"
    }

    var method = "GET"
    var target: String
    var fields: [(name: String, value: String)] = []
    var body = ""
    var links: [String] = []
    /// Whether it is sent once more with the entity tag of its answer.
    var asksAgain = false

    static func get(
        _ target: String,
        _ accept: Accept? = nil,
        fields: [(name: String, value: String)] = []
    ) -> ReplayRequest {
        let type = accept.map { [(name: "Accept", value: $0.rawValue)] } ?? []
        return ReplayRequest(target: target, fields: type + fields)
    }

    static func send(_ method: String, _ target: String, _ json: String) -> ReplayRequest {
        ReplayRequest(
            method: method,
            target: target,
            fields: [(name: "Content-Type", value: "application/json")],
            body: json
        )
    }

    func following(_ links: String...) -> ReplayRequest {
        var request = self
        request.links = links
        return request
    }

    /// The same request, sent once more with the entity tag of its answer.
    var again: ReplayRequest {
        var request = self
        request.asksAgain = true
        return request
    }

    func `as`(_ name: String) -> ReplayRequest {
        adding("Authorization", "Bearer \(AuthorizedClient.token(of: name))")
    }

    func adding(_ name: String, _ value: String) -> ReplayRequest {
        var request = self
        request.fields.append((name, value))
        return request
    }

    var heading: String {
        let lines = ["\(method) \(target)"] + fields.map { "\($0.name): \($0.value)" }
        return lines.map { $0 + "\n" }.joined() + (body.isEmpty ? "" : "\n\(body)\n") + "---\n"
    }

    /// The bytes that a client sends.
    ///
    /// It names the request, so that answers name it alike.
    var bytes: [UInt8] {
        var text =
            "\(method) \(target) HTTP/1.1\r\nHost: replay.example\r\nX-Request-ID: replay\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        return Array((text + "\r\n" + body).utf8)
    }
}

extension [ReplayRequest] {
    func `as`(_ name: String) -> [ReplayRequest] { map { $0.as(name) } }
}
