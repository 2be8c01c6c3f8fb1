import Glibc

/// Files that are written as a whole.
package enum TextFile {
    /// Writes a file, and replaces an existing one.
    ///
    /// - Throws: ``SystemError`` if it cannot be written.
    package static func write(_ text: String, to path: String) throws(SystemError) {
        // SAFETY: the path lives for the call.
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
        defer { close(descriptor) }
        if let code = Stream.write(Array(text.utf8), to: descriptor) {
            throw SystemError(call: "write", code: code)
        }
    }
}
