import Bytes
import TableFiles

/// The encoding of a text that is not UTF-8, by the letters that its bytes would be.
///
/// Letters of one language count for an encoding, and so do signs at usual places. Signs between
/// letters, capitals inside words, mixed scripts and bytes that are no character count against it.
struct EncodingGuess {
    private struct Candidate {
        /// The encoding that has no rare characters, so that fewer texts fit.
        let probe: TextEncoding
        let encoding: TextEncoding
        let alphabets: [Alphabet]
        /// The first bytes of characters that are rare in the language.
        var rare: ClosedRange<UInt8>?

        init(_ probe: String, reads name: String? = nil, _ alphabets: [Alphabet]) {
            self.probe = TextEncoding(named: probe)
            encoding = name.map { .named($0) } ?? self.probe
            self.alphabets = alphabets
        }

        func rare(_ range: ClosedRange<UInt8>) -> Candidate {
            var candidate = self
            candidate.rare = range
            return candidate
        }
    }

    /// The letters of a language besides those of ASCII.
    private struct Alphabet {
        let letters: Set<Unicode.Scalar>
        let ranges: [ClosedRange<UInt32>]
        /// Those of a letter: characters of two bytes have fewer chances than two letters.
        let points: Int

        /// Capitals are added.
        init(_ letters: String) {
            self.letters = Set(letters.unicodeScalars + letters.uppercased().unicodeScalars)
            (ranges, points) = ([], 1)
        }

        init(_ ranges: ClosedRange<UInt32>..., points: Int = 1) {
            (letters, self.ranges, self.points) = ([], ranges, points)
        }

        func contains(_ scalar: Unicode.Scalar) -> Bool {
            letters.contains(scalar) || ranges.contains { $0.contains(scalar.value) }
        }
    }

    /// French, German, Spanish, Portuguese, Italian, Nordic and Estonian.
    private static let western = [
        "àâæçéèêëîïôœùûü", "äöüßé", "áéíñóúüïç", "áâãàçéêíóôõúü", "àèéìòù", "åäöæøé", "äöõüšž",
    ].map { Alphabet($0) }
    /// Polish, Czech and Slovak, Hungarian, Croatian and Romanian.
    private static let central = [
        "ąćęłńóśźż", "áčďéěíňóřšťúůýžäĺľôŕ", "áéíóöőúüű", "čćđšž", "ăâîşţ",
    ].map { Alphabet($0) }
    private static let kana = 0x3041...0x30FF as ClosedRange<UInt32>
    private static let han = 0x4E00...0x9FFF as ClosedRange<UInt32>
    private static let japanese = [Alphabet(kana, han, points: 3)]
    private static let chinese = [Alphabet(han, points: 3)]
    private static let cyrillic = [Alphabet(0x400...0x491)]

    /// Of equal ones, the first is right most often.
    private static let candidates = [
        Candidate("CP1252", western), Candidate("CP1255", [Alphabet(0x5D0...0x5EA)]),
        Candidate("CP1251", cyrillic), Candidate("KOI8-R", cyrillic), Candidate("CP866", cyrillic),
        Candidate("CP1253", [Alphabet(0x386...0x3CE)]), Candidate("ISO-8859-5", cyrillic),
        Candidate("CP1250", central), Candidate("MACINTOSH", western),
        Candidate("CP850", western), Candidate("ISO-8859-2", central),
        Candidate("CP1254", [Alphabet("çğıöşüâîûİ")]),
        Candidate("CP1252", [Alphabet("áðéíóúýþæö")]),
        Candidate("CP1256", [Alphabet(0x621...0x652)]),
        Candidate("TIS-620", [Alphabet(0xE01...0xE5B)]),
        Candidate("EUC-KR", reads: "CP949", [Alphabet(0xAC00...0xD7A3, points: 3)]),
        Candidate("EUC-JP", japanese).rare(0xD0...0xF4),
        Candidate("GB2312", reads: "GB18030", chinese).rare(0xD8...0xF7),
        Candidate("SHIFT_JIS", reads: "CP932", japanese),
        Candidate("BIG5", chinese).rare(0xC9...0xF9),
    ]

    /// The bytes of lines that have others than ASCII.
    private let sample: [UInt8]

    init(_ sample: [UInt8]) { self.sample = sample }

    /// Windows-1252 where no encoding is better.
    var encoding: TextEncoding {
        guard !isDamagedUTF8 else { return .named("UTF-8") }
        var best = (encoding: TextEncoding.windows1252, points: 0)
        for candidate in Self.candidates where candidate.probe.isAvailable {
            let text = candidate.probe.decoded(sample)
            let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
            let rare = candidate.rare.map { 2 * count(of: $0) } ?? 0
            for alphabet in candidate.alphabets {
                let points = Self.points(of: scalars, alphabet) - rare
                if points > best.points { best = (candidate.encoding, points) }
            }
        }
        return best.encoding
    }

    /// Whether most characters besides ASCII are UTF-8, which other texts have by chance only.
    private var isDamagedUTF8: Bool {
        var (valid, invalid) = (0, 0)
        for scalar in String(decoding: sample, as: UTF8.self).unicodeScalars
        where !scalar.isASCII {
            if scalar == "\u{FFFD}" { invalid += 1 } else { valid += 1 }
        }
        return valid > 2 * invalid
    }

    /// The number of characters of two bytes with such a first byte.
    private func count(of range: ClosedRange<UInt8>) -> Int {
        var (count, index) = (0, 0)
        while index + 1 < sample.count {
            let isPair = sample[index] > 0xA0 && sample[index + 1] > 0xA0
            if isPair, range.contains(sample[index]) { count += 1 }
            index += isPair ? 2 : 1
        }
        return count
    }

    private static func points(of scalars: [Unicode.Scalar], _ alphabet: Alphabet) -> Int {
        var points = 0
        for (index, scalar) in scalars.enumerated() where !scalar.isASCII {
            let previous = index > 0 ? scalars[index - 1] : "\n"
            let next = index + 1 < scalars.count ? scalars[index + 1] : "\n"
            points += Self.points(of: scalar, previous, next, alphabet)
        }
        return points
    }

    private static func points(
        of scalar: Unicode.Scalar,
        _ previous: Unicode.Scalar,
        _ next: Unicode.Scalar,
        _ alphabet: Alphabet
    ) -> Int {
        let letters = [previous, next].filter(\.properties.isAlphabetic)
        switch scalar.value {
        // Controls, private characters and the replacement of bytes that are no character.
        case 0x80..<0xA0, 0xE000..<0xF900, 0xFFFD: return -10
        // Signs for drawing, of DOS.
        case 0x2300...0x25FF: return -2
        // Apostrophes, hyphens, and the punctuation of East Asia.
        case 0x2019, 0x2010...0x2014, 0x3000...0x303F, 0xFF00...0xFF60: return 1
        case _ where alphabet.contains(scalar):
            let own = letters.count { alphabet.contains($0) }
            let inside = isInside(scalar, previous, next) ? 2 : 0
            // Words of Latin letters have more of ASCII than others.
            guard !alphabet.ranges.isEmpty else { return 1 - (own == 2 ? 2 : 0) - inside }
            // One character alone may as well be two of another encoding.
            return (own > 0 ? alphabet.points : 0) - 2 * (letters.count - own) - inside
        case _ where scalar.properties.isAlphabetic && !"ªºµ".unicodeScalars.contains(scalar):
            return -2
        default:
            let follows = previous.properties.isAlphabetic
            if follows, "¿¡‚„".unicodeScalars.contains(scalar) { return -2 }
            let isOpening = "¿¡«“‘„‚©µ".unicodeScalars.contains(scalar)
            return next.properties.isAlphabetic && (!isOpening || follows) ? -2 : 1
        }
    }

    /// Whether a letter is a capital in a word of small letters.
    private static func isInside(
        _ scalar: Unicode.Scalar,
        _ previous: Unicode.Scalar,
        _ next: Unicode.Scalar
    ) -> Bool {
        let isBefore = previous.properties.isLowercase
        return scalar.properties.isUppercase
            && (isBefore || previous.properties.isAlphabetic && next.properties.isLowercase)
    }
}
