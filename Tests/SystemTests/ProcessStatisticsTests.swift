import Glibc
import Testing

@testable import System

@Suite("What the kernel counts of a process")
struct ProcessStatisticsTests {
    @Test("the line is read behind the name of the program, whatever that holds")
    func line() throws {
        let rest = "S 1 7 7 0 -1 4194560 1 0 0 0 5 6 0 0 20 0 9 0 4321 123456 77 1844\n"
        for name in ["roster", "a b", "x) S 2 (y", "("] {
            let status = try #require(ProcessStatus("42 (\(name)) \(rest)"))
            #expect(status.threads == 9)
            #expect(status.startTicks == 4321)
            #expect(status.virtualBytes == 123_456)
            #expect(status.residentPages == 77)
        }
        #expect(ProcessStatus("") == nil)
        #expect(ProcessStatus("42 (roster) S 1 7") == nil)
    }

    @Test("this process has memory, threads, descriptors and a past")
    func current() throws {
        let before = ProcessStatistics.current()
        let descriptors = try (0..<50).map { _ in try EventFD() }
        let after = ProcessStatistics.current()
        let now = Int(WallClock.secondsSince1970()) * 1_000_000_000
        #expect(try #require(after.residentBytes) > 1_000_000)
        #expect(try #require(after.virtualBytes) > #require(after.residentBytes))
        #expect(try #require(after.threads) >= 1)
        // Other tests of this process open and close some as well.
        #expect(try #require(after.openDescriptors) >= descriptors.count)
        #expect(try after.maximumDescriptors == DescriptorLimit.current())
        #expect(
            try #require(before.processorNanoseconds) <= #require(after.processorNanoseconds)
        )
        #expect(before.startNanoseconds == after.startNanoseconds)
        let age = now - (try #require(after.startNanoseconds))
        #expect((-2_000_000_000...86_400_000_000_000).contains(age))
    }
}
