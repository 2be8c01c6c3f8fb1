import ListDiff
import Listings
import TestSupport
import Testing

@Suite("Differences of models")
struct ModelDifferenceTests {
    /// A name whose hash says next to nothing.
    private struct Colliding: Hashable, CustomStringConvertible {
        let number: UInt64
        var description: String { "\(number)" }

        func hash(into hasher: inout Hasher) { hasher.combine(number % 3) }
    }

    private typealias Sections = [(section: SectionInfo, rows: [SampleList.Row])]

    private static func sections(_ list: SampleList) -> Sections {
        list.sections.map {
            (SectionInfo(SectionID("\($0.id)"), header: "\($0.revision)"), $0.rows)
        }
    }

    @Test("of any sections they are those of their numbers, even where names share their hashes")
    func same() {
        var differ = ListDiffer()
        for seed in 0..<600 {
            var generator = SeededGenerator(seed: UInt64(seed))
            var old = SampleList.dense(&generator)
            var new = old.edited(&generator)
            if seed % 3 == 0 {
                (old, new) = (old.repeating(&generator), new.repeating(&generator))
            }
            for uniqueness in [ListDiffer.Uniqueness.trusted, .checked] {
                let wanted = differ.numbered(
                    from: old.digest,
                    to: new.digest,
                    uniqueness: uniqueness,
                    limit: .max
                )
                let plain = differ.difference(
                    from: Self.sections(old),
                    to: Self.sections(new),
                    uniqueness: uniqueness,
                    limit: .max,
                    id: \.id,
                    isEqual: { $0.revision == $1.revision }
                )
                let colliding = differ.difference(
                    from: Self.sections(old),
                    to: Self.sections(new),
                    uniqueness: uniqueness,
                    limit: .max,
                    id: { Colliding(number: $0.id) },
                    isEqual: { $0.revision == $1.revision }
                )
                #expect(colliding == plain, "seed \(seed)")
                guard seed % 3 != 0 else { continue }
                #expect(plain == wanted, "seed \(seed)")
            }
        }
    }
}
