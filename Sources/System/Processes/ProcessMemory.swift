import CLinux

package enum ProcessMemory {
    /// Returns free memory of the heap to the system (`malloc_trim`).
    ///
    /// - Complexity: O(memory of the heap).
    package static func release() {
        clinux_release_memory()
    }
}
