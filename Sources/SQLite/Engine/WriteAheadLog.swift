import CSQLite
import Synchronization

/// The bound of the write-ahead log of a database, which its writers share with its readers.
///
/// SQLite begins the log anew when the file has all of it and no reader uses it, which overlapping
/// reads prevent. From 32 MB on, a writer therefore waits after its commit until earlier reads have
/// ended, and long ones end early.
final class WriteAheadLog: Sendable {
    /// The pages from which on SQLite copies the log to the file, and those from which on it waits.
    private static let (usualPages, largePages) = (1_000, 8_000)
    /// The pages after which an attempt is repeated, and its maximum wait.
    private static let (step, wait) = (500, Duration.seconds(1))
    private static let longestRead = Duration.milliseconds(250)

    private let nextAttempt = Atomic(largePages)
    private let endsReads = Atomic(false)

    func ends(_ begin: ContinuousClock.Instant) -> Bool {
        endsReads.load(ordering: .relaxed) && begin + Self.longestRead < .now
    }

    fileprivate func bound(_ pages: Int, of handle: ConnectionHandle) {
        guard pages >= Self.usualPages else { return }
        // Another commit may have begun the log anew.
        if pages < Self.largePages { nextAttempt.store(Self.largePages, ordering: .relaxed) }
        let empties = pages >= nextAttempt.load(ordering: .relaxed)
        let usualTimeout = handle.busyTimeout
        if empties { handle.busyTimeout = Self.wait }
        endsReads.store(empties, ordering: .relaxed)
        let mode = empties ? SQLITE_CHECKPOINT_TRUNCATE : SQLITE_CHECKPOINT_PASSIVE
        // SAFETY: the connection is open, and no counters are requested.
        unsafe _ = sqlite3_wal_checkpoint_v2(handle.pointer, nil, mode, nil, nil)
        endsReads.store(false, ordering: .relaxed)
        handle.busyTimeout = usualTimeout
        // After a failure, the log grows. An empty log has fewer pages.
        if empties { nextAttempt.store(pages + Self.step, ordering: .relaxed) }
    }
}

extension ConnectionHandle {
    /// Takes the place of SQLite's own hook.
    func boundLog() {
        // SAFETY: this object closes the connection, so that it outlives every call of the hook.
        unsafe _ = sqlite3_wal_hook(
            pointer,
            { context, _, _, pages in
                guard let context = unsafe context else { return SQLITE_OK }
                // SAFETY: the context is the object that registered the hook.
                let handle = unsafe Unmanaged<ConnectionHandle>.fromOpaque(context)
                    .takeUnretainedValue()
                handle.log.bound(Int(pages), of: handle)
                // The commit has succeeded in any case.
                return SQLITE_OK
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }
}
