import Listings
import TestSupport
import Testing

@Suite("Text order")
struct TextCollationTests {
    @Test("letters stand by their base, whatever case and accent, behind everything else")
    func order() {
        let expected = [
            "", " x", "#", "-1", "007", "1", "10", "_", "~", "A", "a", "Á", "ab", "Abc", "Ábd",
            "de Bora", "Élan", "elána", "Łukasz", "Luke", "O'Brien", "Øre", "Zoe", "Zoë", "zoé",
            "Ωmega", "Анна", "борис", "שרה", "王",
        ]
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<20 {
            let sorted = expected.shuffled(using: &generator)
                .sorted { TextCollation.isLess($0, than: $1) }
            #expect(sorted == expected)
        }
    }

    @Test("the order is total: exactly one of less, equal, greater, and equal means same bytes")
    func total() {
        var generator = SeededGenerator(seed: 4)
        func text() -> [UInt8] {
            let bytes: [UInt8] = [
                0x41, 0x61, 0xC3, 0x89, 0xA9, 0x20, 0xFF, 0xE7, 0x8E, 0x8B, 0xCC, 0x81, 0,
            ]
            return (0..<Int.random(in: 0...5, using: &generator)).map { _ in
                bytes.randomElement(using: &generator)!
            }
        }
        for _ in 0..<20_000 {
            let (a, b, c) = (text(), text(), text())
            let ab = TextCollation.compare(a.span, b.span)
            let ba = TextCollation.compare(b.span, a.span)
            let bc = TextCollation.compare(b.span, c.span)
            let ac = TextCollation.compare(a.span, c.span)
            #expect(ab.signum() == -ba.signum())
            #expect((ab == 0) == (a == b))
            if ab <= 0, bc <= 0 { #expect(ac <= 0, "\(a) \(b) \(c)") }
        }
    }

    @Test("what two texts begin with in common changes nothing of their order")
    func commonBeginning() {
        let ends = ["", "a", "B", "\u{301}", "é", "e\u{301}", " ", "-", "zoë", "Zoe", "王", "\0"]
        let beginning = "Abernathy-O'Brien 7 xyz"
        for length in 0...beginning.count {
            let common = String(beginning.prefix(length))
            for left in ends {
                for right in ends {
                    // A mark that stands alone weighs nothing either way.
                    let expected = TextCollation.compare(
                        ("É" + left).utf8.span,
                        ("É" + right).utf8.span
                    )
                    let found = TextCollation.compare(
                        (common + left).utf8.span,
                        (common + right).utf8.span
                    )
                    #expect(found.signum() == expected.signum(), "\(common) \(left) \(right)")
                }
            }
        }
    }

    @Test(
        "initials",
        arguments: [
            ("Élodie", "E"), ("łukasz", "L"), ("O'Brien", "O"), ("#x", "#"), ("7", "#"), ("", "#"),
            ("\u{301}x", "X"), ("王", "王"), ("שרה", "ש"), ("ωx", "Ω"), ("ẞ", "S"), (" a", "#"),
        ]
    )
    func initials(text: String, initial: String) {
        #expect(TextCollation.initial(of: text) == initial)
    }

    @Test("rows in text order have their initials in order, so that sections are contiguous")
    func monotonic() {
        let scalars = (1...0x2FFF).compactMap(Unicode.Scalar.init).map(String.init)
        let sorted = scalars.sorted { TextCollation.isLess($0, than: $1) }
        var seen: [[UInt8]] = []
        for text in sorted {
            let initial = Array(TextCollation.initial(of: text).utf8)
            if seen.last != initial { seen.append(initial) }
        }
        let repeated = Dictionary(grouping: seen) { $0 }.filter { $1.count > 1 }.keys
        #expect(repeated.isEmpty)
        let misplaced = zip(seen, seen.dropFirst())
            .filter { TextCollation.compare($0.span, $1.span) > 0 }
            .map { "\(String(decoding: $0, as: UTF8.self)) \(String(decoding: $1, as: UTF8.self))" }
        #expect(misplaced.isEmpty)
    }
}
