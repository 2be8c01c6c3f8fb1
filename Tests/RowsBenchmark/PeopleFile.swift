import Bytes
import Foundation

/// A CSV file of invented users: the same for the same number, wherever it is written.
///
/// Three occupations of a third each, teams of three, a city in forty thousand rows with forty
/// people or fewer, names and ages that are missing now and then.
struct PeopleFile {
    let path: String
    let rows: Int

    private static let given = [
        "Ada", "Zoë", "Émile", "Søren", "Łukasz", "Chiara", "Yusuf", "Ingrid", "Kwame", "Priya",
        "Ana", "Björk", "Marcus", "Olena", "Hannah", "Quang", "Leilani", "Étienne", "Ruth",
        "Samuel",
    ]
    private static let heads = [
        "Ander", "Berg", "Carl", "Dvor", "Eriks", "Fair", "Gold", "Hal", "Isak", "Jóns", "Kov",
        "Lind", "Mül", "Nyl", "Øster", "Peters", "Quist", "Ryd", "Sven", "Thor", "Ulf", "Vik",
        "Weiß", "Yıl", "Ång",
    ]
    private static let tails = ["son", "man", "feld", "ström", "ák", "sen", "vik", "lund"]
    private static let occupations = ["Designer", "Engineer", "Writer"]

    func write(_ progress: (Int) -> Void) throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        guard let file = FileHandle(forWritingAtPath: path) else {
            throw CocoaError(.fileWriteUnknown)
        }
        var lines = ByteBuffer(minimumCapacity: 1 << 20)
        lines.append("id,firstName,lastName,occupation,email,city,joined,age,team\n")
        for number in 1...rows {
            append(number, to: &lines)
            guard lines.count > 1 << 20 || number == rows else { continue }
            try file.write(contentsOf: Data(lines.array()))
            lines.removeAll()
            progress(number)
        }
        try file.close()
    }

    private func append(_ number: Int, to line: inout ByteBuffer) {
        let mixed = Self.mixed(UInt64(number))
        func part(_ shift: UInt64, _ count: Int) -> Int { Int((mixed >> shift) % UInt64(count)) }
        let given = mixed % 97 == 0 ? "" : Self.given[part(7, 20)]
        let family = Self.heads[part(11, 25)] + Self.tails[part(17, 8)]
        line.append("\(number),\(given),\(family)-\(part(23, 40_000)),")
        line.append(Self.occupations[number % 3])
        line.append(",u\(number)@example.org,")
        line.append(number % 250_000 == 1 ? "Rare" : "City \(part(29, 5_000))")
        line.append(",\(1990 + part(37, 35))-0\(1 + part(41, 9))-\(10 + part(43, 18)),")
        if mixed % 89 != 0 { line.append("\(18 + part(47, 60))") }
        line.append(",\((number - 1) / 3)\n")
    }

    /// SplitMix64's mixing of a number.
    private static func mixed(_ number: UInt64) -> UInt64 {
        var mixed = number &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
