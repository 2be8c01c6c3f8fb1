/// The format of log lines.
package enum LogFormat: String, Sendable, CaseIterable {
    /// Text for people.
    case text
    /// One JSON object a line, for programs.
    case json
    /// Access lines in Apache's combined log format, other lines as text.
    case combined
}

/// The urgency of a line of the log.
package enum LogLevel: String, Sendable {
    /// An event of normal operation.
    case info
    /// An event where a limit was reached, or a part of the work was refused.
    case warning
    /// A failure.
    case error
}
