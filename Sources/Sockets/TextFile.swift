import Glibc

/// Files that are written whole.
package enum TextFile {
    /// Writes a file, in place of one that is there.
    ///
    /// - Throws: ``SystemError`` when it cannot be.
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
