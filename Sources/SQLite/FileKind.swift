import Glibc

package enum FileKind: Hashable, Sendable {
    case regular
    case directory
    /// A pipe, a device or a socket.
    case other
    case missing

    /// Follows symbolic links.
    package init(atPath path: String) {
        var status = stat()
        // SAFETY: the path lives for the call, and the kernel fills the structure before it ends.
        guard !path.utf8.contains(0), unsafe stat(path, &status) == 0 else {
            self = .missing
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: self = .regular
        case S_IFDIR: self = .directory
        default: self = .other
        }
    }
}
