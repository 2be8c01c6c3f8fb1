import Glibc

/// What a path leads to.
package enum FileKind: Hashable, Sendable {
    /// Bytes on a disk.
    case regular
    /// A folder.
    case directory
    /// A pipe, a device or a socket.
    case other
    /// Nothing, or nothing that may be looked at.
    case missing

    /// Looks at a path; a link counts as what it leads to.
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
