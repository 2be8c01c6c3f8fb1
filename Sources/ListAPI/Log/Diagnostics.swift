import Bytes
import HTTP
package import HTTPServer
import Locks
import Rendering
import System

/// The log of the program on standard error, for its operator.
package enum Diagnostics {
    private struct State {
        var format = LogFormat.text
        var budget = LogRateLimit(maximum: 1000)
    }

    /// The state of the one log of the process.
    private static let state = Locked(State())

    /// Sets the format of all lines from now on.
    package static func use(_ format: LogFormat) { state.withLock { $0.format = format } }

    /// The longest time that the program waits at its end for a reader of its log.
    package static let lastWait: Duration = .seconds(1)

    /// Makes a thread write all lines from now on.
    ///
    /// - Throws: ``Failure`` when no descriptor or thread is available.
    package static func writeByThread() throws(Failure) {
        do {
            try StandardError.writeByThread { loss in notice(of: loss) }
        } catch {
            throw Failure(.unavailable, "no thread for the log: \(error.reason)")
        }
    }

    /// The line that reports lost lines.
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

    /// Writes a line, unless the budget of this second is used up.
    package static func write(_ text: String, _ level: LogLevel = .info) {
        let second = WallClock.secondsSince1970()
        let taken = state.withLock { state in
            state.budget.take(second).map { (state.format, $0) }
        }
        guard let (format, dropped) = taken else { return }
        StandardError.write(line(text, level, format, second: second, dropped: dropped))
    }

    /// Returns a line with its line break.
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
            var buffer = ByteBuffer(minimumCapacity: 256)
            JSONWriter.write(to: &buffer) { writer in
                writer.object { object in
                    object.member("time", LogTime.text(second))
                    object.member("level", level.rawValue)
                    object.member("message", text)
                    if dropped > 0 { object.member("dropped", dropped) }
                }
            }
            return buffer.text() + "\n"
        }
    }

    /// Returns a text without line breaks and other control characters.
    ///
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

    /// Writes the line of an event of the running server.
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
            let limit = "\(host) has as many connections as one address may have"
            write("\(limit); more are closed", .warning)
        case .connectionsAtLimit(let maximum):
            let limit = "\(maximum) connections are open, as many as one loop may have"
            write("\(limit): idle ones are closed for new ones, or new ones wait", .warning)
        case .answersAtLimit(let bytes):
            let limit = "clients leave \(bytes) bytes of answers untaken"
            write("\(limit); the slowest are let go", .warning)
        case .leavingBegan(let delay):
            write("not ready any more; stopping in \(delay.components.seconds) s")
        case .drainingBegan(_, 0): break
        case .drainingBegan(_, let connections):
            write("stopping; finishing \(connections) open connections")
        }
    }
}
