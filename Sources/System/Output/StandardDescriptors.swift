import Glibc

/// The descriptors 0, 1 and 2, which every program expects to be open.
package enum StandardDescriptors {
    /// Opens missing ones on /dev/null.
    ///
    /// Call it first. Otherwise a socket or a database may get the number of standard error, and
    /// messages would be written to it.
    package static func open() {
        while true {
            // SAFETY: the path is a literal; without O_CREAT there is no third argument.
            let rawValue = unsafe Glibc.open("/dev/null", O_RDWR)
            // The kernel assigns the lowest free number.
            guard rawValue >= 0, rawValue <= STDERR_FILENO else {
                if rawValue >= 0 { close(rawValue) }
                return
            }
        }
    }
}

extension StandardError {
    /// Redirects standard error to the end of a file.
    ///
    /// Child processes started from now on write there too.
    ///
    /// A missing file is created with the rights 0640 less the umask. Fails with ENXIO for a pipe
    /// without a reader. Standard error is unchanged after an error.
    package static func redirect(to path: String) throws(SystemError) {
        let rawValue = try checked("open") {
            // SAFETY: the path is a C string for the duration of the call.
            unsafe Glibc.open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o640)
        }
        _ = try checked("fcntl") { fcntl(rawValue, F_SETFL, O_APPEND) }
        let file = FileDescriptor(adopting: rawValue)
        // A line that another thread writes meanwhile goes completely to one of the two files.
        _ = try checked("dup2") { dup2(file.rawValue, STDERR_FILENO) }
    }
}
