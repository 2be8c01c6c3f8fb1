import Testing

@testable import ListAPI

@Suite("Forms with a file")
struct FileEnvelopeTests {
    private let type = "multipart/form-data; boundary=----x7"

    private func form(_ content: String, end: String = "--\r\n") -> [UInt8] {
        Array(
            """
            ------x7\r
            Content-Disposition: form-data; name="on_duplicate"\r
            \r
            merge\r
            ------x7\r
            Content-Disposition: form-data; name="file"; filename="people.csv"\r
            Content-Type: text/csv\r
            \r
            \(content)\r
            ------x7\(end)
            """.utf8
        )
    }

    private func read(_ bytes: [UInt8], by size: Int) throws -> (FileEnvelope, String) {
        var envelope = try #require(FileEnvelope(mediaType: type))
        var content: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            let part = Array(bytes[start..<min(start + size, bytes.count)])
            content += envelope.take(part.span)
        }
        return (envelope, String(decoding: content, as: UTF8.self))
    }

    @Test(
        "the file is the same for parts of any size",
        arguments: ["", "id,name\r\n1,Ada\r\n", "\r\n------x", "------x7 within\n", "\r\r\n\r\n"]
    )
    func content(_ content: String) throws {
        for size in 1...40 {
            let (envelope, read) = try read(form(content), by: size)
            try envelope.finish()
            #expect(read == content)
            #expect(envelope.fileName == "people.csv")
            #expect(envelope.fields == ["on_duplicate": "merge"])
        }
    }

    @Test("a form that does not end with its only file is refused")
    func malformed() throws {
        #expect(throws: FileEnvelope.Failure.notEnded) {
            try read(form("a", end: ""), by: 7).0.finish()
        }
        let another = form("a", end: "\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\nb")
        #expect(throws: FileEnvelope.Failure.notEnded) { try read(another, by: 7).0.finish() }
        #expect(throws: FileEnvelope.Failure.noFile) { try read(Array("a".utf8), by: 7).0.finish() }
        let long = Array(repeating: UInt8(ascii: "a"), count: 9_000)
        #expect(throws: FileEnvelope.Failure.tooLong) { try read(long, by: 100).0.finish() }
    }

    @Test(
        "other media types are no forms",
        arguments: ["text/csv", "multipart/form-data", "multipart/form-data; boundary="]
    )
    func others(_ type: String) { #expect(FileEnvelope(mediaType: type) == nil) }
}
