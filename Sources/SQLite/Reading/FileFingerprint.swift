import Database
import Glibc
import Listings

/// The file system's state of a database's files, which changes when the database is written.
struct FileFingerprint: Hashable, Sendable {
    private struct File: Hashable {
        var device: UInt64 = 0
        var number: UInt64 = 0
        var size: Int64 = 0
        var modifiedSeconds: Int64 = 0
        var modifiedNanoseconds: Int64 = 0
    }
    private var database = File()
    /// Nil if it is missing or empty, or if the state visible to readers is known.
    private var log: File?
    /// An empty one has a number.
    private let logNumber: UInt64?
    /// A writer fills the log before it commits.
    ///
    /// A long write may therefore commit without a visible change of the file. If this state is
    /// known, the rest of the log is ignored, because it grows during an uncommitted write.
    var logIndexHeader: [UInt32]? {
        didSet { if logIndexHeader != nil { log = nil } }
    }

    init(path: [UInt8], withLog: Bool = true) throws(ReadingError) {
        var error: Int32 = 0
        guard let database = Self.inspect(at: path, error: &error) else {
            throw .engine(.unavailable(reason: "the database file: errno \(error)"))
        }
        self.database = database
        guard withLog else {
            logNumber = nil
            return
        }
        let log = Self.inspect(at: path + Array("-wal".utf8), error: &error)
        logNumber = log?.number
        self.log = log.flatMap { $0.size == 0 ? nil : $0 }
    }

    private static func inspect(at path: [UInt8], error: inout Int32) -> File? {
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

    var isEmpty: Bool { database.size == 0 }

    var hasLog: Bool { logNumber != nil }

    static func logBytes(of location: DatabaseLocation) -> Int {
        guard case .file(let path) = location else { return 0 }
        var error: Int32 = 0
        return inspect(at: path + Array("-wal".utf8), error: &error).map { Int($0.size) } ?? 0
    }

    static func hasEmptyLog(_ path: [UInt8]) -> Bool? {
        // The cause of a failure does not matter.
        (try? FileFingerprint(path: path)).map { $0.log == nil }
    }

    func isSameFile(as other: FileFingerprint) -> Bool {
        database.device == other.database.device && database.number == other.database.number
    }

    /// Whether both states are of the same database with different write-ahead logs.
    func hasLostLog(of other: FileFingerprint) -> Bool {
        // Another program may begin to use a log.
        isSameFile(as: other) && other.logNumber != nil && logNumber != other.logNumber
    }

    /// The clock of file times ticks every few milliseconds, on some file systems every one or two
    /// seconds.
    ///
    /// A second write within the tick of the last one does not change the time. A future time comes
    /// from another clock, and the next write is stamped by this one.
    func isSettled(at now: FileTime) -> Bool {
        [database, log].compactMap { $0 }.allSatisfy { file in
            let tick: Int64 = file.modifiedNanoseconds == 0 ? 2_000_000_000 : 20_000_000
            let age =
                (now.seconds - file.modifiedSeconds) * 1_000_000_000
                + (now.nanoseconds - file.modifiedNanoseconds)
            return age.magnitude > tick
        }
    }

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

struct FileTime {
    let seconds: Int64
    let nanoseconds: Int64

    static func now() -> FileTime {
        var time = timespec()
        // SAFETY: the kernel fills `time` and keeps nothing. This clock always exists.
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
