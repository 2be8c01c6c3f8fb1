import Bytes
import HTTP
import HTTPServer
import Synchronization
import System
import TestSupport

final class SampleHandler: HTTPHandler {
    struct Failure: Error {}

    let probe: Probe

    init(_ probe: Probe = Probe()) {
        self.probe = probe
    }

    func respond(
        to request: borrowing HTTPRequest,
        with response: inout HTTPResponse
    ) throws {
        response.addField(.contentType, "text/plain")
        switch request.path.rawPath {
        case "/hello": response.body.append("hello\n")
        case "/echo": response.body.append(request.body)
        case "/host": response.body.append(request.field(.host) ?? "")
        case "/large": fill(&response.body, Int(request.query ?? "") ?? 0)
        case "/stream":
            response.stream = PatternStream(probe, bytes: Int(request.query ?? "") ?? 0)
        case "/broken-stream": response.stream = BrokenStream()
        case "/produced": response.body.append(decimal: probe.producedBytes)
        case "/fail":
            response.body.append("never to be seen")
            throw Failure()
        default: response.status = .notFound
        }
    }

    private func fill(_ body: inout ByteBuffer, _ count: Int) {
        body.reserve(count)
        for index in 0..<count { body.append(patternByte(at: index)) }
    }
}

/// The byte at a place of every large answer: a mistake in the order or the count shows.
func patternByte(at index: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: index &* 31 &+ index >> 8)
}

final class Probe: Sendable {
    private let produced = Atomic(0)

    /// Readable once a stream has been released.
    let streamReleased: EventFD?

    init() {
        // Without one the test that waits for it fails.
        streamReleased = try? EventFD()
    }

    var producedBytes: Int { produced.load(ordering: .relaxed) }

    func add(_ bytes: Int) { produced.add(bytes, ordering: .relaxed) }
}

/// So many bytes of the pattern, in pieces of 8000.
final class PatternStream: HTTPBodyStream {
    private let probe: Probe
    private let count: Int
    private var position = 0

    init(_ probe: Probe, bytes: Int) {
        self.probe = probe
        count = bytes
    }

    deinit { probe.streamReleased?.wake() }

    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        let end = min(count, position + 8_000)
        for index in position..<end { buffer.append(patternByte(at: index)) }
        probe.add(end - position)
        position = end
        return position == count ? .finished : .more
    }
}

/// A stream that fails after its first piece, which is sent before it is asked for more.
final class BrokenStream: HTTPBodyStream {
    private var isBegun = false

    func write(into buffer: inout ByteBuffer) throws -> HTTPStreamState {
        guard !isBegun else { throw SampleHandler.Failure() }
        isBegun = true
        for index in 0..<20_000 { buffer.append(patternByte(at: index)) }
        return .more
    }
}

extension TestServer {
    /// A server of the samples, with one loop unless configured otherwise.
    static func sample(
        _ probe: Probe = Probe(),
        configure: (inout HTTPServer.Configuration) -> Void = { _ in }
    ) throws -> TestServer {
        try TestServer(configure: configure, makeHandler: { _ in SampleHandler(probe) })
    }
}
