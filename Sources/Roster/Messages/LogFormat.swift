/// The format of the log's lines.
package enum LogFormat: String, Sendable, CaseIterable {
    /// For people.
    case text
    /// One object a line, for programs.
    case json
    /// Access lines in Apache's combined log format, other lines as text.
    case combined
}

/// The urgency of a line of the log.
enum LogLevel: String, Sendable {
    /// The usual course of things.
    case info
    /// A limit was reached, or a part of the work was refused.
    case warning
    /// Something failed.
    case error
}
