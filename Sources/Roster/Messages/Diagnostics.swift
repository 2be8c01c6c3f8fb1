import Sockets

/// What the program tells its operator, line by line on standard error.
enum Diagnostics {
    /// Writes a line.
    static func write(_ text: String) { StandardError.write("roster: \(text)\n") }
}
