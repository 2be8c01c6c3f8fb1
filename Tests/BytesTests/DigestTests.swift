import Bytes
import Testing

@Suite("SHA-256 and HMAC, by the vectors of their RFCs")
struct DigestTests {
    private static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        hash.add(bytes.span)
        return hexadecimal(hash.digest())
    }

    @Test(
        "the digests of FIPS 180-4 and RFC 6234 §8.5",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
            (
                "0123456701234567012345670123456701234567012345670123456701234567", 10,
                "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5"
            ),
        ]
    )
    func digests(text: String, repeats: Int, digest: String) {
        let bytes = Array(text.utf8)
        #expect(Self.digest((0..<repeats).flatMap { _ in bytes }) == digest)
    }

    @Test("bytes that come one by one have the digest of all, at every length of the padding")
    func lengths() {
        for length in 0...200 {
            let bytes = (0..<length).map { UInt8($0) }
            var hash = SHA256()
            for byte in bytes { hash.add(byte) }
            #expect(Self.hexadecimal(hash.digest()) == Self.digest(bytes), "\(length)")
        }
    }

    /// RFC 4231 §4.2 to §4.8.
    static let codes: [(key: [UInt8], data: [UInt8], code: String)] = [
        (
            .init(repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            .init(repeating: 0xAA, count: 20), .init(repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(1...25), .init(repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            .init(repeating: 0x0C, count: 20), Array("Test With Truncation".utf8),
            "a3b6167473100ee06e0c796c2955552b"
        ),
        (
            .init(repeating: 0xAA, count: 131),
            Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            .init(repeating: 0xAA, count: 131),
            Array(
                ("This is a test using a larger than block-size key and a larger than block-size "
                    + "data. The key needs to be hashed before being used by the HMAC algorithm.")
                    .utf8
            ),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ]

    @Test("the codes of RFC 4231", arguments: codes)
    func code(key: [UInt8], data: [UInt8], code: String) {
        let made = HMACSHA256(key: key).code(of: data.span)
        #expect(Self.hexadecimal(made.prefix(code.count / 2)) == code)
    }

    @Test("codes are equal when all their bytes are")
    func comparison() {
        let code: [UInt8] = [1, 2, 3]
        #expect(HMACSHA256.areEqual(code, [1, 2, 3][...]))
        for other in [[], [1, 2], [1, 2, 4], [0, 2, 3], [1, 2, 3, 0]] as [[UInt8]] {
            #expect(!HMACSHA256.areEqual(code, other))
        }
    }
}
