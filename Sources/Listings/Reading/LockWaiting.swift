/// Whether a source that is opened may wait for a lock of another program.
package enum LockWaiting {
    /// False on the thread of an event loop, where other clients would wait too.
    @TaskLocal package static var isAllowed = true
}
