import Bytes
import HTTP
import TestSupport

struct Exchange: Equatable {
    /// The status of each final answer; 0 for what is no answer of HTTP/1, the last then.
    var statuses: [Int] = []

    /// For each answer why the request was refused, in Roster's words; empty for others.
    var reasons: [String] = []

    var classes: [Int] { statuses.map { $0 / 100 } }

    /// Sends the bytes and `Vector.last`, and reads until the server ends the connection.
    ///
    /// With `endsOutput` the client then sends no more for sure, which spares a server that waits
    /// for more its deadline.
    init(_ bytes: [UInt8], with connection: RawConnection, endsOutput: Bool) throws {
        // A server may have refused and closed before everything is sent.
        try? connection.send(bytes + Vector.last)
        if endsOutput { try? connection.endOutput() }
        var rest = try connection.receiveAll()[...]
        while !rest.isEmpty {
            guard let (response, count) = Self.answer(Array(rest)) else {
                statuses.append(0)
                reasons.append("")
                return
            }
            rest = rest.dropFirst(count)
            guard response.status >= 200 else { continue }
            statuses.append(response.status)
            let detail = response.text.firstMatch(of: /"detail":"([^"]*)"/)
            reasons.append(detail.map { String($0.1) } ?? "")
        }
    }

    /// The first answer; one to HEAD is known by what follows it.
    private static func answer(_ bytes: [UInt8]) -> (response: RawResponse, count: Int)? {
        let head = try? RawResponse.parse(bytes, method: "HEAD", isEnded: true)
        if let head, head.count == bytes.count || bytes[head.count...].starts(with: "HTTP/1.".utf8)
        {
            return head
        }
        return try? RawResponse.parse(bytes, isEnded: true)
    }
}

extension TestServer {
    /// A server that sends bodies back, and answers `Vector.last` with 307.
    static func conforming() throws -> TestServer {
        try TestServer { request, response in
            if request.path.rawPath == "/the-end" {
                response.status = .temporaryRedirect
                response.addField("Location", "/")
            } else {
                response.addField(.contentType, "application/octet-stream")
                response.body.append(request.body)
            }
        }
    }
}
