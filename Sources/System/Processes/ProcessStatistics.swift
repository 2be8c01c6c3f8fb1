import Glibc

/// The kernel's statistics of this process.
///
/// A value is nil if its file in `/proc` or its call cannot be read.
package struct ProcessStatistics: Sendable {
    /// Of all threads, in user and kernel mode.
    package var processorNanoseconds: Int?
    package var residentBytes: Int?
    package var virtualBytes: Int?
    package var openDescriptors: Int?
    package var maximumDescriptors: Int?
    /// Since 1970-01-01 00:00 UTC.
    package var startNanoseconds: Int?
    package var threads: Int?

    /// The start of the process, computed once, so that it does not move with the clock.
    private static let start = startTime()

    /// O(open descriptors).
    package static func current() -> ProcessStatistics {
        var statistics = ProcessStatistics()
        statistics.processorNanoseconds = processorTime()
        if let status = status() {
            statistics.residentBytes = status.residentPages * sysconf(Int32(_SC_PAGESIZE))
            statistics.virtualBytes = status.virtualBytes
            statistics.threads = status.threads
        }
        statistics.openDescriptors = openDescriptorCount()
        statistics.maximumDescriptors = try? DescriptorLimit.current()
        statistics.startNanoseconds = start
        return statistics
    }

    private static func status() -> ProcessStatus? {
        let content = try? FolderFiles.content(of: "/proc/self/stat", maximumBytes: 4096)
        return content.flatMap { ProcessStatus(String(decoding: $0, as: UTF8.self)) }
    }

    private static func processorTime() -> Int? {
        var usage = rusage()
        // SAFETY: the kernel fills the structure during the call only.
        guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else {
            return nil
        }
        let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
        let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
        return Int(seconds) * 1_000_000_000 + Int(microseconds) * 1_000
    }

    /// Omits the descriptor that reads `/proc/self/fd`.
    private static func openDescriptorCount() -> Int? {
        // SAFETY: the path is a literal; the folder is closed below, and used nowhere else.
        guard let folder = unsafe opendir("/proc/self/fd") else { return nil }
        // SAFETY: the folder is open, and no code uses it afterwards.
        defer { unsafe closedir(folder) }
        var count = 0
        // SAFETY: an entry is only compared with nil.
        while unsafe readdir(folder) != nil { count += 1 }
        // The folder itself, its parent and the descriptor of this loop.
        return max(0, count - 3)
    }

    private static func startTime() -> Int? {
        guard let status = status() else { return nil }
        func now(_ clock: clockid_t) -> Int {
            var time = timespec()
            // SAFETY: the C library fills the structure during the call only; both clocks exist.
            _ = unsafe clock_gettime(clock, &time)
            return time.tv_sec * 1_000_000_000 + time.tv_nsec
        }
        let ticks = max(1, sysconf(Int32(_SC_CLK_TCK)))
        let sinceBoot = status.startTicks * (1_000_000_000 / ticks)
        return now(CLOCK_REALTIME) - now(CLOCK_BOOTTIME) + sinceBoot
    }
}

/// The line of `/proc/PID/stat` (proc_pid_stat(5)).
struct ProcessStatus: Equatable {
    let threads: Int
    /// Since the machine's start.
    let startTicks: Int
    let virtualBytes: Int
    let residentPages: Int

    init?(_ text: String) {
        // The name of the program is in parentheses, and may itself contain blanks and parentheses.
        guard let end = text.lastIndex(of: ")") else { return nil }
        // The first of these words is the third of the manual page.
        let rest = text[text.index(after: end)...]
        let words = rest.split { $0 == " " || $0 == "\n" }
        func number(_ field: Int) -> Int? {
            words.indices.contains(field - 3) ? Int(words[field - 3]) : nil
        }
        guard let threads = number(20), let startTicks = number(22),
            let virtualBytes = number(23), let residentPages = number(24)
        else { return nil }
        self.threads = threads
        self.startTicks = startTicks
        self.virtualBytes = virtualBytes
        self.residentPages = residentPages
    }
}
