import Glibc
import Locks
import Testing

@testable import System

@Suite("Lines that a thread writes")
struct LogWriterTests {
    /// A pipe whose reader is the test.
    private struct Pipe: ~Copyable {
        let reader: FileDescriptor
        let writer: FileDescriptor

        init() throws {
            var ends: [Int32] = [0, 0]
            _ = try checked("pipe") { unsafe pipe(&ends) }
            reader = FileDescriptor(adopting: ends[0])
            writer = FileDescriptor(adopting: ends[1])
        }

        func read() -> String {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = unsafe Glibc.read(reader.rawValue, &bytes, bytes.count)
            return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
        }

        func read(until text: String) -> String { read { $0.contains(text) } }

        /// The bytes that come until they meet a condition.
        func read(until isEnough: (String) -> Bool) -> String {
            var all = ""
            while !isEnough(all) {
                let more = read()
                guard !more.isEmpty else { return all }
                all += more
            }
            return all
        }
    }

    private static let pipes = Locked<[Int32]>([])

    private func writer(to descriptor: Int32) throws -> LogWriter {
        let own = dup(descriptor)
        Self.pipes.withLock { $0.append(own) }
        return try LogWriter(to: own) { loss in
            "lost \(loss.count): \(loss.error?.reason ?? "slow")\n"
        }
    }

    private func write(_ text: String, to writer: LogWriter) { writer.write(text.utf8.span) }

    @Test("lines arrive whole and in order")
    func order() throws {
        let pipe = try Pipe()
        let writer = try writer(to: pipe.writer.rawValue)
        for number in 0..<500 { write("line \(number)\n", to: writer) }
        write("end\n", to: writer)
        let expected = (0..<500).map { "line \($0)\n" }.joined() + "end\n"
        #expect(pipe.read(until: "end\n") == expected)
        #expect(writer.flush(within: .seconds(20)))
        #expect(writer.lostLines == 0)
    }

    @Test("who writes never waits for a reader; what is dropped is counted and told in its place")
    func stuckReader() throws {
        let pipe = try Pipe()
        let writer = try writer(to: pipe.writer.rawValue)
        let line = String(repeating: "x", count: 999) + "\n"
        // More than the pipe, the buffer and the lines that are being written hold together.
        for _ in 0..<1_000 { write(line, to: writer) }
        let lost = writer.lostLines
        #expect(lost > 0)
        #expect(!writer.flush(within: .milliseconds(1)))
        // A thread that begins late takes lines meanwhile, and reports the loss in parts.
        let text = pipe.read { text in
            let parts = text.matches(of: /x\nlost (\d+): slow\n/).compactMap { Int($0.1) }
            return parts.reduce(0, +) == lost
        }
        #expect(text.hasSuffix(": slow\n"), "\(text.suffix(200))")
        #expect(text.count { $0 == "x" } == (1_000 - lost) * 999)
        write("after\n", to: writer)
        #expect(pipe.read(until: "after\n") == "after\n")
        #expect(writer.flush(within: .seconds(20)))
    }

    @Test("a full disk and a reader that has gone cost the lines, and nothing else")
    func failures() throws {
        let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        let writer = try writer(to: full)
        for _ in 0..<10 { write("line\n", to: writer) }
        #expect(writer.flush(within: .seconds(20)))
        #expect(writer.lostLines == 10)
        close(full)
        let pipe = try Pipe()
        let other = try self.writer(to: pipe.writer.rawValue)
        let reader = pipe.reader.rawValue
        // The reader's end is replaced: writing fails with EPIPE.
        let null = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
        _ = dup2(null, reader)
        close(null)
        for _ in 0..<10 { write("line\n", to: other) }
        #expect(other.flush(within: .seconds(20)))
        #expect(other.lostLines == 10)
    }

    @Test("a line that was cut is ended before the notice, and the notice before the next line")
    func cutLine() async {
        await #expect(processExitsWith: .exitCode(0)) {
            signal(SIGXFSZ, SIG_IGN)
            let file = unsafe tmpfile()
            let descriptor = unsafe fileno(file)
            let writer = try LogWriter(to: descriptor) { loss in
                "lost \(loss.count): \(loss.error?.reason ?? "slow")\n"
            }
            func limit(_ bytes: UInt) {
                var limits = rlimit(rlim_cur: bytes, rlim_max: rlim_t.max)
                unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
            }
            limit(10)
            writer.write("123456\nabcdef\n".utf8.span)
            guard writer.flush(within: .seconds(20)), writer.lostLines == 1 else { exit(1) }
            limit(.max)
            writer.write("next\n".utf8.span)
            guard writer.flush(within: .seconds(20)) else { exit(2) }
            var bytes = [UInt8](repeating: 0, count: 100)
            let count = unsafe pread(descriptor, &bytes, 100, 0)
            let text = String(decoding: bytes.prefix(count), as: UTF8.self)
            exit(text == "123456\nabc\nlost 1: File too large\nnext\n" ? 0 : 3)
        }
    }

    @Test("a closure is called behind the lines that were there before it")
    func job() throws {
        let pipe = try Pipe()
        let writer = try writer(to: pipe.writer.rawValue)
        let descriptor = pipe.writer.rawValue
        write("before\n", to: writer)
        writer.whenWritten { _ = Stream.write(Array("job\n".utf8), to: descriptor) }
        #expect(pipe.read(until: "job\n") == "before\njob\n")
    }
}
