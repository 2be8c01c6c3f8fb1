import Database
import Glibc
import Listings

/// What the file system says of a database's files: what changes when somebody writes to them.
struct FileState: Hashable, Sendable {
    private struct File: Hashable {
        var device: UInt64 = 0
        var number: UInt64 = 0
        var size: Int64 = 0
        var modifiedSeconds: Int64 = 0
        var modifiedNanoseconds: Int64 = 0
    }
    private var database = File()
    /// The write-ahead log; nil when there is none or it is empty, which is the same, or what a
    /// reader sees of it is known.
    private var log: File?
    /// Tells the write-ahead log, be it empty, from another one; nil when there is none.
    private let logNumber: UInt64?
    /// What a reader sees of the log; nil where it was not looked at, or there is none to be seen.
    ///
    /// A writer fills the log before it commits: where that takes long, the file system says no more
    /// when it does. Where this is known, nothing else of the log counts, which grows while somebody
    /// writes without a commit.
    var logIndexHeader: [UInt32]? {
        didSet { if logIndexHeader != nil { log = nil } }
    }

    /// Looks at the file of a database and at its log.
    ///
    /// - Parameters:
    ///   - path: Where the file is.
    ///   - withLog: Whether the log is looked at; without it only the file itself is known.
    /// - Throws: ``ReadingError`` where the file cannot be looked at.
    init(path: [UInt8], withLog: Bool = true) throws(ReadingError) {
        var error: Int32 = 0
        guard let database = Self.look(at: path, error: &error) else {
            throw .engine(.unavailable(reason: "the database file: errno \(error)"))
        }
        self.database = database
        guard withLog else {
            logNumber = nil
            return
        }
        let log = Self.look(at: path + Array("-wal".utf8), error: &error)
        logNumber = log?.number
        self.log = log.flatMap { $0.size == 0 ? nil : $0 }
    }

    private static func look(at path: [UInt8], error: inout Int32) -> File? {
        var status = stat()
        let name = path.map(CChar.init(bitPattern:)) + [0]
        // SAFETY: `name` ends in NUL; the kernel fills `status` and keeps neither.
        guard unsafe stat(name, &status) == 0 else {
            error = errno
            return nil
        }
        return File(
            device: UInt64(status.st_dev),
            number: UInt64(status.st_ino),
            size: Int64(status.st_size),
            modifiedSeconds: Int64(status.st_mtim.tv_sec),
            modifiedNanoseconds: Int64(status.st_mtim.tv_nsec)
        )
    }

    /// Whether there is a write-ahead log, be it empty.
    var hasLog: Bool { logNumber != nil }

    /// Whether a database is there and nothing waits in its write-ahead log.
    static func hasEmptyLog(_ path: [UInt8]) -> Bool {
        // Why it cannot be looked at makes no difference.
        (try? FileState(path: path)).map { $0.log == nil } ?? false
    }

    /// Whether the path still leads to the file that another look saw.
    func isSameFile(as other: FileState) -> Bool {
        database.device == other.database.device && database.number == other.database.number
    }

    /// Whether the database is the one that another look saw, and its write-ahead log is not.
    func hasLostLog(of other: FileState) -> Bool {
        isSameFile(as: other) && logNumber != other.logNumber
    }

    /// Whether somebody may write again without a trace.
    ///
    /// The kernel's clock for files ticks every few milliseconds, that of some file systems every
    /// second or two: a write in the tick of the last one changes no time. A time that lies ahead
    /// is of another clock; the next write is stamped by this one.
    func isSettled(at now: FileTime) -> Bool {
        [database, log].compactMap { $0 }.allSatisfy { file in
            let tick: Int64 = file.modifiedNanoseconds == 0 ? 2_000_000_000 : 20_000_000
            let age =
                (now.seconds - file.modifiedSeconds) * 1_000_000_000
                + (now.nanoseconds - file.modifiedNanoseconds)
            return age.magnitude > tick
        }
    }

    /// A version that differs whenever the state does, but for collisions of 64 bits.
    func version() -> ListVersion {
        var hash = Mixer()
        for file in [database, log].compactMap({ $0 }) {
            hash.add(UInt64(bitPattern: file.size))
            hash.add(UInt64(bitPattern: file.modifiedSeconds))
            hash.add(UInt64(bitPattern: file.modifiedNanoseconds))
            hash.add(file.number)
        }
        for word in logIndexHeader ?? [] { hash.add(UInt64(word)) }
        var epoch = Mixer()
        epoch.add(database.device)
        epoch.add(database.number)
        return ListVersion(epoch: epoch.value, counter: hash.value)
    }
}

/// A time of the clock that files are stamped by.
struct FileTime {
    let seconds: Int64
    let nanoseconds: Int64

    static func now() -> FileTime {
        var time = timespec()
        // SAFETY: the kernel fills `time` and keeps nothing; this clock exists always.
        unsafe _ = clock_gettime(CLOCK_REALTIME, &time)
        return FileTime(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }
}

/// FNV-1a, 64 bits (RFC 9923).
private struct Mixer {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ word: UInt64) {
        var rest = word
        for _ in 0..<8 {
            value = (value ^ (rest & 0xFF)) &* 0x0000_0100_0000_01B3
            rest >>= 8
        }
    }
}
