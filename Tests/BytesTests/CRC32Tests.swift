import Bytes
import Testing

@Suite("The checksum of zip files")
struct CRC32Tests {
    @Test(
        "texts have the checksums that zlib computes, in one piece or two",
        arguments: [("", 0), ("a", 0xE8B7_BE43), ("123456789", 0xCBF4_3926)] as [(String, UInt32)]
    )
    func checksums(text: String, expected: UInt32) {
        let bytes = Array(text.utf8)
        for cut in 0...bytes.count {
            var checksum = CRC32()
            checksum.add(Array(bytes[..<cut]).span)
            checksum.add(Array(bytes[cut...]).span)
            #expect(checksum.value == expected)
        }
    }
}
