import Foundation
import TestSupport

extension SeededGenerator {
    /// The seeds of a property: so many, or `ROSTER_SEEDS` times as many.
    static func seeds(_ count: Int) -> [UInt64] {
        let factor = ProcessInfo.processInfo.environment["ROSTER_SEEDS"].flatMap { Int($0) } ?? 1
        return Array(1...UInt64(count * max(factor, 1)))
    }

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick<T>(_ values: [T]) -> T {
        values[Int.random(in: values.indices, using: &self)]
    }
}
