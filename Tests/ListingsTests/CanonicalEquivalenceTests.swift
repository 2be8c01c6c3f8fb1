import Foundation
import Listings
import TestSupport
import Testing

@Suite("Texts that are canonically equivalent")
struct CanonicalEquivalenceTests {
    /// All scalars that Unicode 13 has: decompositions of later versions are not heeded.
    private static var scalars: some Sequence<Unicode.Scalar> {
        (0x80...0x10FFFF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
            .filter { $0.properties.age.map { $0 <= (13, 0) } ?? false }
            .filter { $0.properties.generalCategory != .privateUse }
    }

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("every character folds to the letters of its decomposition, whatever its script")
    func everyCharacter() {
        var wrong: [String] = []
        for scalar in Self.scalars {
            let text = String(scalar)
            let decomposed = text.decomposedStringWithCanonicalMapping
            let folded = Self.bytes(TextCollation.folded(text))
            if Self.bytes(TextCollation.folded(decomposed)) != folded
                || Self.bytes(TextCollation.initial(of: decomposed))
                    != Self.bytes(TextCollation.initial(of: text))
                || Self.bytes(TextCollation.folded(String(decoding: folded, as: UTF8.self)))
                    != folded
            {
                wrong.append(String(scalar.value, radix: 16))
            }
        }
        #expect(wrong.isEmpty)
    }

    @Test("texts of composed characters and marks in any order fold as their decomposition does")
    func sequences() {
        var random = SeededGenerator(seed: 7)
        let bases = Array("aÉйΐᾲשׁأがケ한각ไทยกำབོโตகொക്ക്ộ豈".unicodeScalars)
        let marks =
            (0x300...0x36F).compactMap { Unicode.Scalar(UInt32($0)) }
            + "\u{5B0}\u{5C1}\u{64B}\u{651}\u{654}\u{3099}\u{E48}\u{1AB0}\u{20D0}".unicodeScalars
        for _ in 0..<5_000 {
            var text = ""
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let isMark = Bool.random(using: &random)
                text.unicodeScalars.append((isMark ? marks : bases).randomElement(using: &random)!)
            }
            let expected = Self.bytes(TextCollation.folded(text))
            let forms = [
                text.decomposedStringWithCanonicalMapping,
                text.precomposedStringWithCanonicalMapping,
            ]
            for form in forms {
                #expect(Self.bytes(TextCollation.folded(form)) == expected, "\(text)")
                #expect(TextCollation.initial(of: form) == TextCollation.initial(of: text))
                #expect(
                    Self.bytes(form) == Self.bytes(text)
                        || TextCollation.compare(form.utf8.span, text.utf8.span) != 0
                )
            }
        }
    }

    @Test(
        "marks and case are left out in every script",
        arguments: [
            ("Άλφα ΟΔΟΣ ὁδός ᾳ", "αλφα οδοσ οδοσ α"), ("Й Ё Ї ѝ", "и е і и"),
            ("Tiếng Việt Đường", "tieng viet duong"), ("שָׁלוֹם", "שלום"), ("مُحَمَّد أحمد", "محمد احمد"),
            ("Ångström Kelvin ﷐", "angstrom kelvin ﷐"), ("น้ำ ปู่", "นำ ปู"), ("हिन्दी", "हिनदी"), ("≠;", "=;"),
            ("❤\u{FE0F} a\u{34F}b", "❤ ab"), ("Ǣ ß ẞ Ø", "a s s o"),
        ]
    )
    func scripts(text: String, folded: String) {
        for form in [text, text.decomposedStringWithCanonicalMapping] {
            let found = TextCollation.folded(form).unicodeScalars.map(\.value)
            #expect(found == folded.unicodeScalars.map(\.value), "\(text)")
        }
    }

    @Test("Hangul is compared by its letters, composed or not, in the order of its syllables")
    func hangul() {
        let syllables = ["가", "각", "나", "하", "한", "한국", "힣"]
        #expect(syllables.sorted { TextCollation.isLess($0, than: $1) } == syllables)
        for text in syllables {
            let jamo = text.decomposedStringWithCanonicalMapping
            #expect(Self.bytes(TextCollation.folded(text)) == Self.bytes(jamo))
            #expect(TextCollation.initial(of: text) == TextCollation.initial(of: jamo))
        }
        #expect(TextCollation.initial(of: "한국") == "\u{1112}")
    }

    @Test("two texts fold to the same exactly where their order is of bytes")
    func ties() {
        var random = SeededGenerator(seed: 9)
        let pool = Array("aAÀ\u{300}éЙийσςΣ한각가\u{11A8} -か\u{3099}が".unicodeScalars)
        func text() -> String {
            var text = ""
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                text.unicodeScalars.append(pool.randomElement(using: &random)!)
            }
            return text
        }
        for _ in 0..<20_000 {
            let (left, right) = (text(), text())
            let isTie =
                Self.bytes(TextCollation.folded(left))
                == Self.bytes(TextCollation.folded(right))
            // What is put behind both decides where the letters do not.
            let first = TextCollation.compare((left + "a").utf8.span, (right + "b").utf8.span) < 0
            let last = TextCollation.compare((left + "b").utf8.span, (right + "a").utf8.span) > 0
            #expect((first && last) == isTie || !isTie, "\(left) \(right)")
            if !isTie {
                #expect(
                    TextCollation.isLess(left, than: right)
                        != TextCollation.isLess(right, than: left)
                )
            }
        }
    }

    @Test("no text that begins with a letter stands before the first one of that letter")
    func firstTexts() {
        var misplaced: [String] = []
        var firsts: [String: String] = [:]
        for scalar in Self.scalars {
            let text = String(scalar)
            let letter = TextCollation.initial(of: text)
            let first = firsts[letter] ?? TextCollation.firstText(of: letter)
            firsts[letter] = first
            if TextCollation.isLess(text, than: first)
                || letter != "#" && TextCollation.initial(of: first) != letter
            {
                misplaced.append("\(String(scalar.value, radix: 16)) \(letter)")
            }
        }
        #expect(misplaced.isEmpty)
        #expect(TextCollation.firstText(of: "Е") == "Ѐ")
        #expect(TextCollation.firstText(of: "Μ") == "µ")
        #expect(TextCollation.firstText(of: "A") == "A")
    }
}
