import TestSupport

extension SeededGenerator {
    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    mutating func pick<T>(_ values: [T]) -> T {
        values[Int.random(in: values.indices, using: &self)]
    }
}
