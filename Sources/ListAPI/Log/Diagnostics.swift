package import Bytes
import HTTP
package import HTTPServer
import Listings
import Locks
import Rendering
import Synchronization
import System

package enum Diagnostics {
    private struct State {
        var format = LogFormat.text
        /// Nil during the start, whose lines are bounded by the sources.
        var limit: LogRateLimit?
    }

    private static let state = Locked(State())

    package static func use(_ format: LogFormat) { state.withLock { $0.format = format } }

    /// Drops lines beyond 1,000 a second from now on.
    package static func limitRate() {
        state.withLock { $0.limit = LogRateLimit(maximum: 1000) }
    }

    /// The longest time that the program waits at its end for a reader of its log.
    package static let lastWait: Duration = .seconds(1)

    package static func writeByThread() throws(Failure) {
        do {
            try StandardError.writeByThread { loss in notice(of: loss) }
        } catch {
            throw Failure(.unavailable, "no thread for the log: \(error.reason)")
        }
    }

    static func notice(of loss: LogLoss) -> String {
        let reason = loss.error?.reason ?? "the log is not read fast enough"
        let lines = loss.count == 1 ? "1 log line was" : "\(loss.count) log lines were"
        return line(
            "\(lines) dropped: \(reason)",
            .warning,
            state.withLock { $0.format },
            second: WallClock.secondsSince1970(),
            dropped: 0
        )
    }

    package static func write(_ text: String, _ level: LogLevel = .info) {
        let second = WallClock.secondsSince1970()
        let taken = state.withLock { state -> (LogFormat, Int)? in
            guard state.limit != nil else { return (state.format, 0) }
            return state.limit?.take(second).map { (state.format, $0) }
        }
        guard let (format, dropped) = taken else { return }
        StandardError.write(line(text, level, format, second: second, dropped: dropped))
    }

    static func line(
        _ text: String,
        _ level: LogLevel,
        _ format: LogFormat,
        second: Int64,
        dropped: Int
    ) -> String {
        switch format {
        case .text, .combined:
            let note = dropped > 0 ? " (\(dropped) lines were dropped before)" : ""
            return "roster: \(onOneLine(text))\(note)\n"
        case .json:
            let line: JSONPart = [
                "time": .text(LogTime.text(second)),
                "level": .text(level.rawValue),
                "message": .text(text),
                "dropped": dropped > 0 ? .integer(dropped) : nil,
            ]
            return line.text.text() + "\n"
        }
    }

    /// Ids and errors may hold line breaks, which would forge lines of the log.
    private static func onOneLine(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch (scalar, scalar.properties.generalCategory) {
            case ("\n", _): line += "\\n"
            case (_, .control), (_, .lineSeparator), (_, .paragraphSeparator):
                line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }

    package static func write(_ event: ServerEvent) {
        switch event {
        case .handlerFailed(let method, let target, let error):
            // The query of a target may be personal data.
            write("\(method.name) \(target.prefix { $0 != "?" }): \(error)", .error)
        case .streamFailed(let method, let target, let bytes, let error):
            let request = "\(method.name) \(target.prefix { $0 != "?" })"
            write("\(request): broke off after \(bytes) bytes: \(error)", .error)
        case .acceptingPaused(let code):
            let reason = SystemError(call: "accept", code: code).reason
            write("no more connections for a while: \(reason)", .warning)
        case .addressAtLimit(let host):
            let limit = "\(host) has the maximum number of connections of one address"
            write("\(limit); more are closed", .warning)
        case .connectionsAtLimit(let maximum):
            let limit = "\(maximum) connections are open, the maximum of one loop"
            write("\(limit): idle ones are closed for new ones, or new ones wait", .warning)
        case .answersAtLimit(let bytes):
            let limit = "clients have \(bytes) bytes of responses to read"
            write("\(limit); the slowest connections are closed", .warning)
        case .leavingBegan(let delay):
            write("not ready any more; stopping in \(delay.components.seconds) s")
        case .drainingBegan(_, 0): break
        case .drainingBegan(_, let connections):
            write("stopping; finishing \(connections) open connections")
        }
    }
}

extension ByteBuffer {
    package mutating func append(milliseconds duration: Duration) {
        append(millisecondsOf: Int(duration / .nanoseconds(1)))
    }

    package mutating func append(millisecondsOf nanoseconds: Int) {
        let microseconds = max(0, nanoseconds / 1000)
        append(decimal: microseconds / 1000)
        append(UInt8(ascii: "."))
        append(decimal: microseconds % 1000, width: 3)
    }

    package mutating func append(word: String?) {
        guard let word, !word.isEmpty else { return }
        append(UInt8(ascii: " "))
        append(word)
    }

    /// Appends a text as a field of the combined log format: escaped, without spaces, `-` for none.
    package mutating func append(field: String?) {
        guard let field, !field.isEmpty else { return append(UInt8(ascii: "-")) }
        append(escaped: field.utf8.span, from: UInt8(ascii: "!"))
    }

    package mutating func append(quoted text: borrowing Span<UInt8>) {
        append(UInt8(ascii: "\""))
        append(escaped: text)
        append(UInt8(ascii: "\""))
    }

    /// Quotes and backslashes follow a backslash; bytes other than printable ASCII become `\xHH`.
    package mutating func append(
        escaped text: borrowing Span<UInt8>,
        from first: UInt8 = UInt8(ascii: " ")
    ) {
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append(UInt8(ascii: "\\"))
                append(byte)
            case first...UInt8(ascii: "~"): append(byte)
            default:
                append("\\x" as StaticString)
                if byte < 16 { append(UInt8(ascii: "0")) }
                append(hexadecimal: UInt64(byte))
            }
        }
    }
}

final class FailureLog: Sendable {
    private let count = Atomic(0)

    /// Logs a row if the count is a power of two, so that repeated requests cannot fill a disk.
    ///
    /// A row whose client has left was cancelled and did not fail.
    func add(_ failure: RowFailure) {
        guard RequestCancellation.current?.isCancelled != true else { return }
        let count = count.add(1, ordering: .relaxed).newValue
        guard count & (count - 1) == 0 else { return }
        let error = failure.error.map { ": \($0)" } ?? ""
        Diagnostics.write(
            "\(failure.list): row '\(failure.id)' (\(failure.model) as \(failure.kind)): "
                + "\(failure.code.rawValue)\(error); \(count) so far",
            .error
        )
    }
}

package enum LogFormat: String, Sendable, CaseIterable {
    case text
    case json
    /// Access lines in Apache's combined log format, other lines as text.
    case combined
}

package enum LogLevel: String, Sendable {
    case info
    case warning
    case error
}

package enum LogTime {
    package static func text(_ secondsSince1970: Int64) -> String {
        var time = ByteBuffer(minimumCapacity: 32)
        write(secondsSince1970, to: &time)
        return time.text()
    }

    package static func write(_ secondsSince1970: Int64, to buffer: inout ByteBuffer) {
        HTTPDate(secondsSince1970: secondsSince1970)?.writeTimestamp(into: &buffer)
    }
}

package struct LogRateLimit {
    private let maximum: Int
    private var second: Int64 = 0
    private var lines = 0
    private var dropped = 0

    package init(maximum: Int) { self.maximum = maximum }

    /// Returns the number of lines dropped since the last one; nil to drop this one, too.
    package mutating func take(_ now: Int64) -> Int? {
        if second != now {
            second = now
            lines = 0
        }
        guard lines < maximum else {
            dropped += 1
            return nil
        }
        lines += 1
        defer { dropped = 0 }
        return dropped
    }
}
