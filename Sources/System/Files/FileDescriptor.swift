import Glibc

/// A file descriptor with one owner, closed when its lifetime ends.
package struct FileDescriptor: ~Copyable, Sendable {
    package let rawValue: Int32

    package init(adopting rawValue: Int32) {
        precondition(rawValue >= 0, "descriptor \(rawValue)")
        self.rawValue = rawValue
    }

    deinit {
        // Linux releases the descriptor even if close(2) reports EINTR. A second call could close a
        // descriptor that another thread has opened meanwhile.
        _ = close(rawValue)
    }

    /// Opens a reserve descriptor, to be closed when the process runs out of descriptors.
    package static func spare() throws(SystemError) -> FileDescriptor {
        // SAFETY: the path is a literal; without O_CREAT there is no third argument.
        let rawValue = try checked("open") { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
        return FileDescriptor(adopting: rawValue)
    }
}

package enum DescriptorLimit {
    /// The soft limit of RLIMIT_NOFILE.
    package static func current() throws(SystemError) -> Int {
        Int(clamping: try limits().rlim_cur)
    }

    /// Raises the limit in force up to the hard limit, and never lowers it.
    ///
    /// Returns the limit in force afterwards, which may be below `wanted`.
    @discardableResult
    package static func raise(to wanted: Int) throws(SystemError) -> Int {
        var limits = try limits()
        let raised = min(rlim_t(clamping: wanted), limits.rlim_max)
        guard raised > limits.rlim_cur else { return Int(clamping: limits.rlim_cur) }
        limits.rlim_cur = raised
        _ = try checked("setrlimit") {
            // SAFETY: the kernel reads the structure during the call only.
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        }
        return Int(clamping: raised)
    }

    private static func limits() throws(SystemError) -> rlimit {
        var limits = rlimit()
        _ = try checked("getrlimit") {
            // SAFETY: the kernel fills the structure during the call only.
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limits)
        }
        return limits
    }
}
