import CLinux

/// The memory of the process.
package enum ProcessMemory {
    /// Gives back what is not needed while nothing happens.
    ///
    /// Of the 15 MB of a server that has answered and waits, ten are pages of its own program. What is
    /// needed again is mapped again, from the memory of the system or from the file. Parts of the
    /// program that were written to, as a debugger writes breakpoints, are kept.
    ///
    /// - Complexity: O(memory).
    package static func release() {
        clinux_release_memory()
    }
}
