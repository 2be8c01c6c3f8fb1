import TestSupport
import Testing

@Suite("The same bytes to Roster and to other servers")
struct DifferentialTests {
    @Test(
        "every difference to nginx is decided by a line of a standard",
        .enabled(if: PeerServer.Kind.nginx.program != nil, "nginx is not installed")
    )
    func nginx() throws { try compare(with: .nginx) }

    @Test(
        "every difference to Apache is decided by a line of a standard",
        .enabled(if: PeerServer.Kind.apache2.program != nil, "apache2 is not installed")
    )
    func apache() throws { try compare(with: .apache2) }

    @Test(
        "every difference to HAProxy is decided by a line of a standard",
        .enabled(if: PeerServer.Kind.haproxy.program != nil, "haproxy is not installed")
    )
    func haproxy() throws { try compare(with: .haproxy) }

    /// Sends every vector, and a thousand changed ones, to both.
    private func compare(with kind: PeerServer.Kind) throws {
        let server = try TestServer.conforming()
        let peer = try PeerServer(kind)
        var mutations = Mutations(seed: 9112)
        let changed = (0..<1_000).map { _ in mutations.next() }
        var agreed = 0
        for bytes in Vector.all.map(\.bytes) + changed {
            let roster = try exchange(bytes, with: server)
            let isCut = roster.reasons.last?.hasPrefix("The connection was closed") ?? false
            let other = try Exchange(bytes, with: peer.connect(), endsOutput: isCut)
            guard roster.classes != other.classes else {
                agreed += 1
                continue
            }
            let difference = Difference(bytes: bytes, roster: roster, peer: other, name: kind)
            #expect(difference.ruling != nil, "\(difference)")
        }
        // Where both refuse everything, or nothing, nothing was compared.
        #expect(agreed > 400)
    }

    private func exchange(_ bytes: [UInt8], with server: TestServer) throws -> Exchange {
        var exchange = try Exchange(bytes, with: server.connect(), endsOutput: true)
        guard exchange.reasons.last == "", exchange.statuses.last ?? 0 >= 400 else {
            return exchange
        }
        // The refusal of a HEAD has no body; another method is refused for the same reason.
        let text = String(decoding: bytes, as: UTF8.self).replacing("HEAD ", with: "GET ")
        let asGet = try Exchange(Array(text.utf8), with: server.connect(), endsOutput: true)
        exchange.reasons = asGet.reasons
        return exchange
    }
}
