/// A setting that allows a source to wait for a lock of another program while it opens.
package enum LockWaiting {
    /// False on the thread of an event loop, where other clients would wait too.
    @TaskLocal package static var isAllowed = true
}
