import Glibc

/// A small integer from the kernel with one owner, closed when the owner lets go of it.
package struct Descriptor: ~Copyable, Sendable {
    /// The kernel's number.
    package let rawValue: Int32

    /// Takes over an open descriptor.
    package init(adopting rawValue: Int32) {
        precondition(rawValue >= 0, "descriptor \(rawValue)")
        self.rawValue = rawValue
    }

    deinit {
        // Linux releases the descriptor even when close(2) reports EINTR: a second call could close
        // a descriptor that another thread has been given meanwhile.
        _ = close(rawValue)
    }

    /// Opens a descriptor that is only held, to be given back when the process runs out of them.
    package static func spare() throws(SystemError) -> Descriptor {
        // SAFETY: the path is a literal; without O_CREAT there is no third argument.
        let rawValue = try checked("open") { unsafe open("/dev/null", O_RDONLY | O_CLOEXEC) }
        return Descriptor(adopting: rawValue)
    }
}

/// How many descriptors the process may have open.
package enum DescriptorLimit {
    /// The limit in force (the soft limit of RLIMIT_NOFILE).
    package static func current() throws(SystemError) -> Int {
        Int(clamping: try limits().rlim_cur)
    }

    /// Raises the limit in force as far as the hard limit allows, never lowers it.
    ///
    /// - Parameter wanted: The number of descriptors that are needed.
    /// - Returns: The limit in force afterwards, which may be below `wanted`.
    /// - Throws: What getrlimit and setrlimit report.
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
