import TestSupport
import Testing

@Suite("What clients send, well-formed and not, over sockets")
struct VectorTests {
    @Test("every vector of the table is answered as it says")
    func vectors() throws {
        let server = try TestServer.conforming()
        for vector in Vector.all {
            let exchange = try Exchange(vector.bytes, with: server.connect(), endsOutput: true)
            let expected = vector.statuses + (vector.isKept ? [307] : [])
            #expect(exchange.statuses == expected, "\(vector.testDescription)")
        }
    }

    @Test(
        "a request that is cut anywhere is waited for",
        arguments: [
            "G", "GET ", "GET /", "GET / ", "GET / HTTP", "GET / HTTP/1.1", "GET / HTTP/1.1\r",
            "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHos", "GET / HTTP/1.1\r\nHost:",
            "GET / HTTP/1.1\r\nHost: a", "GET / HTTP/1.1\r\nHost: a\r",
            "GET / HTTP/1.1\r\nHost: a\r\n", "GET / HTTP/1.1\r\nHost: a\r\n\r",
        ]
    )
    func cut(beginning: String) throws {
        let whole = Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
        let server = try TestServer.conforming()
        let client = try server.connect()
        try client.send(beginning)
        // The server's loop takes clients in turn: with this answer it has seen the beginning.
        let other = try server.connect()
        try other.send(whole)
        #expect(try other.receiveResponse().status == 200)
        try client.send(Array(whole.dropFirst(beginning.utf8.count)))
        #expect(try client.receiveResponse().status == 200)
    }
}
