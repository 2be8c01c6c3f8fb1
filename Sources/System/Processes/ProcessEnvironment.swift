import Glibc

/// The variables with which the process was started.
package enum ProcessEnvironment {
    /// Returns all variables, with the first value of a repeated name.
    ///
    /// Call it before other threads are started.
    package static func variables() -> [String: String] {
        var variables: [String: String] = [:]
        // SAFETY: the C library keeps a list of texts that ends with nil. No thread changes it
        // while only one thread runs.
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            // SAFETY: every entry is a zero-terminated text.
            let parts = unsafe String(cString: text).split(
                separator: "=",
                maxSplits: 1,
                omittingEmptySubsequences: false
            )
            let name = String(parts[0])
            if parts.count == 2, variables[name] == nil { variables[name] = String(parts[1]) }
            unsafe entry += 1
        }
        return variables
    }
}
