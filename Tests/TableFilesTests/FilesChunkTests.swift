import TableFiles
import TestSupport
import Testing

@Suite("Files in chunks")
struct FilesChunkTests {
    struct File: Sendable {
        let format: FileFormat
        let bytes: [UInt8]

        init(_ format: FileFormat, _ text: String, _ tail: [UInt8] = []) {
            self.format = format
            bytes = Array(text.utf8) + tail
        }
    }

    private static let files: [File] = [
        File(.csv, "\u{FEFF}id,näme\r\n1,\"é\"\"\r\n😀\"\r\n2,張\r\n"),
        File(.csv, "\u{F000}x,b\n1,2"),
        File(.csv, "a,b\n1,\"2\"x\n"),
        File(.csv, "a,b\n\"1\n2\",3,4\n"),
        File(.csv, "a,b\n1,é", [0xE2, 0x82]),
        File(.csv, "a,b\n1,2\r"),
        File(.csv, "", [0xEF, 0xBB]),
        File(.tsv, "a\tb\r\né\t\"\r\n\t\n"),
        File(.json, "\u{FEFF} [ {\"a\" : \"\\u00e9\\uD83D\\uDE00é\\n\", \"b\":-1.5e+3}, {}\n]\n"),
        File(.json, "[{\"a\":[1,{\"b\\\"\":\"x\\u0041\"} , [] ,null],\"c\":true},{\"d\":null}]"),
        File(.json, "[{\"a\":\"\\uD83D\\u0041\"}]"),
        File(.json, "[{\"a\":1,\n\"\\u0061\":2}]"),
        File(.json, "[{\"é\":tru3}]"),
        File(.json, "[{\"é\":\"", [0xED, 0xA0, 0x80]),
        File(.json, "[{\"a\":12345678901234567890},{\"b\":1e999}]"),
        File(.json, "[{\"a\":1}] x"),
        File(.ndjson, "{\"a\":1}\r\n{\"b\":\"張\"} \n\t{\"a\":false}"),
        File(.ndjson, "{\"a\":1}\n\n{\"a\":2}\n"),
        File(.ndjson, "{\"a\":\n1}\n"),
    ]

    @Test("any cut in two gives the same records and the same error", arguments: files)
    func everyCut(file: File) {
        let whole = read(file.bytes, file.format)
        for cut in 0...file.bytes.count {
            #expect(read(file.bytes, file.format, cuts: [cut]) == whole, "cut at \(cut)")
        }
    }

    @Test("bytes one by one give the same records and the same error", arguments: files)
    func singleBytes(file: File) {
        let cuts = Array(0...file.bytes.count)
        #expect(read(file.bytes, file.format, cuts: cuts) == read(file.bytes, file.format))
    }

    @Test("no bytes trap a reader, however they are cut", arguments: 0..<400 as Range<UInt64>)
    func randomBytes(seed: UInt64) {
        var numbers = SeededGenerator(seed: seed)
        let signs = Array("[{\"a\":1,]}\\u0\"\n\r\t, .e+-tfn\u{FEFF}é".utf8)
        for format in [FileFormat.csv, .tsv, .json, .ndjson] {
            var bytes: [UInt8] = Array((format == .json ? "[{\"a\":" : "").utf8)
            for _ in 0..<Int.random(in: 0...60, using: &numbers) {
                let isWild = Int.random(in: 0..<8, using: &numbers) == 0
                bytes.append(
                    isWild
                        ? UInt8.random(in: 0...255, using: &numbers)
                        : signs[Int.random(in: 0..<signs.count, using: &numbers)]
                )
            }
            let cuts = (0..<3).map { _ in Int.random(in: 0...bytes.count, using: &numbers) }
            let whole = read(bytes, format)
            #expect(read(bytes, format, cuts: cuts.sorted()) == whole, "\(format) \(bytes)")
        }
    }

    @Test("well-formed files with one byte changed never trap", arguments: files)
    func oneByteChanged(file: File) {
        for index in file.bytes.indices {
            for byte in [0x00, 0x0A, 0x22, 0x2C, 0x5C, 0x7D, 0x80, 0xC3, 0xFF] as [UInt8] {
                var bytes = file.bytes
                bytes[index] = byte
                let cuts = [index, min(index + 1, bytes.count)]
                #expect(read(bytes, file.format, cuts: cuts) == read(bytes, file.format))
            }
        }
    }
}
