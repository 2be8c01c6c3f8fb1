import HTTP
import Testing

@Suite("Addresses in text (RFC 4291 §2.2, RFC 5952, RFC 7239 §6)")
struct IPAddressTests {
    private static let spellings: [(text: String, bits: UInt128)] = [
        ("0.0.0.0", 0xFFFF_0000_0000), ("7.7.7.7", 0xFFFF_0707_0707),
        ("255.255.255.255", 0xFFFF_FFFF_FFFF), ("::ffff:7.7.7.7", 0xFFFF_0707_0707),
        ("::FFFF:707:707", 0xFFFF_0707_0707), ("0:0:0:0:0:ffff:7.7.7.7", 0xFFFF_0707_0707),
        ("::", 0), ("::1", 1), ("0:0:0:0:0:0:0:1", 1), ("1::", 1 << 112),
        ("::7.7.7.7", 0x0707_0707), ("fe80::1%eth0", 0xFE80 << 112 | 1),
        ("2001:db8::1", 0x2001_0DB8 << 96 | 1), ("2001:DB8:0:0:0:0:0:1", 0x2001_0DB8 << 96 | 1),
        ("2001:0db8::0001", 0x2001_0DB8 << 96 | 1),
        ("1:2:3:4:5:6:7:8", 0x0001_0002_0003_0004_0005_0006_0007_0008),
        ("1:2:3:4:5:6:7::", 0x0001_0002_0003_0004_0005_0006_0007_0000),
        ("::2:3:4:5:6:7:8", 0x0000_0002_0003_0004_0005_0006_0007_0008),
        ("1:2::7:8", 0x0001_0002_0000_0000_0000_0000_0007_0008),
        ("1:2:3:4:5:6:7.7.7.7", 0x0001_0002_0003_0004_0005_0006_0707_0707),
        ("64:ff9b::192.0.2.1", 0x0064_FF9B << 96 | 0xC000_0201),
    ]

    @Test("every spelling of an address is the same number", arguments: spellings)
    func spelling(_ spelling: (text: String, bits: UInt128)) {
        #expect(IPAddress(spelling.text)?.bits == spelling.bits)
        #expect(IPAddress(node: spelling.text)?.bits == spelling.bits)
    }

    @Test(
        "what is no address is refused",
        arguments: [
            "", "7", "7.7.7", "7.7.7.7.7", "7.7.7.256", "7.7.7.07", "7.7.7.", ".7.7.7", "7.7.7.-7",
            " 7.7.7.7", "7.7.7.7 ", "7.7.7.7%eth0", "7.7.7.0x7", ":", ":1", "1:", ":::", "1:::2",
            "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::12345",
            "::g", "::7.7.7", "::7.7.7.7:1", "1:2:3:4:5:6:7:7.7.7.7", "[::1]", "::1%", "%eth0",
            "unknown", "_hidden", "localhost", "cafe.ad", "::１",
        ]
    )
    func refused(text: String) { #expect(IPAddress(text) == nil) }

    @Test(
        "a proxy may add brackets and a port",
        arguments: [
            ("7.7.7.7:1234", "7.7.7.7"), ("7.7.7.7:_a-1", "7.7.7.7"), ("[::1]", "::1"),
            ("[2001:db8::1]:443", "2001:db8::1"), ("[2001:db8::1]:_x", "2001:db8::1"),
            ("[::ffff:7.7.7.7]:1", "7.7.7.7"), ("[fe80::1%eth0]:9", "fe80::1"),
            ("2001:db8::1:443", "2001:db8::1:443"), ("::ffff:7.7.7.7", "7.7.7.7"),
        ]
    )
    func node(text: String, address: String) {
        #expect(IPAddress(address) != nil)
        #expect(IPAddress(node: text) == IPAddress(address))
    }

    @Test(
        "a node with anything else around its address is none",
        arguments: [
            "[7.7.7.7]", "[::1", "::1]", "[::1]443", "[::1]:", "[::1]:65536", "[::1]:-1",
            "[::1]:_", "fe80::1%x 8.8.8.8", "[fe80::1%\u{9B}31m]", "fe80::1%", "7.7.7.7:",
            "7.7.7.7:a", "7.7.7.7:1:1", "7.7.7.7:123456", "[]", "[", "_gate",
            "unknown", "unknown:80", "\"7.7.7.7\"", "",
        ]
    )
    func refusedNode(text: String) { #expect(IPAddress(node: text) == nil) }

    @Test("clients are told apart by the IPv4 address and by the first 64 bits of IPv6")
    func networks() {
        func network(_ text: String) -> UInt64? { IPAddress(text)?.network }
        #expect(network("7.7.7.7") == 0x0707_0707)
        #expect(network("7.7.7.7") == network("::ffff:7.7.7.7"))
        #expect(network("7.7.7.7") != network("7.7.7.8"))
        #expect(network("2001:db8::1") == network("2001:db8:0:0:ffff::2"))
        #expect(network("2001:db8::1") == network("2001:0db8:0000:0000:1:2:3:4"))
        #expect(network("2001:db8::1") != network("2001:db8:0:1::1"))
        #expect(network("::1") != network("::2:0:0:0:1"))
    }

    private static let ranges: [(range: String, inside: [String], outside: [String])] = [
        ("10.0.0.7", ["10.0.0.7", "::ffff:10.0.0.7"], ["10.0.0.8", "::10.0.0.7"]),
        ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:a00:1"], ["11.0.0.0", "a00::"]),
        ("0.0.0.0/0", ["0.0.0.0", "255.0.0.1"], ["::", "::1", "2001:db8::1"]),
        ("10.0.0.7/32", ["10.0.0.7"], ["10.0.0.6"]),
        ("::ffff:10.0.0.0/104", ["10.1.2.3"], ["11.0.0.0"]),
        ("2001:db8::/32", ["2001:db8::", "2001:db8:ffff::1"], ["2001:db9::", "10.0.0.1"]),
        ("::/0", ["::", "ffff::1"], ["10.0.0.1", "::ffff:10.0.0.1"]),
        ("fe80::/10", ["fe80::1", "febf::1"], ["fec0::1"]),
        ("::1", ["::1", "0:0:0:0:0:0:0:1"], ["::2", "127.0.0.1", "0.0.0.1"]),
    ]

    @Test("a range holds the addresses that share its first bits", arguments: ranges)
    func range(_ example: (range: String, inside: [String], outside: [String])) throws {
        let range = try IPNetwork(example.range)
        for text in example.inside {
            #expect(range.contains(try #require(IPAddress(text))), "\(text)")
        }
        for text in example.outside {
            #expect(!range.contains(try #require(IPAddress(text))), "\(text)")
        }
    }

    @Test(
        "a text that is no range is refused with what is wrong",
        arguments: [
            ("", .noAddress), ("/8", .noAddress), ("a/8", .noAddress), ("10.0.0.0 /8", .noAddress),
            ("fe80::1%eth0", .noAddress), ("[::1]", .noAddress), ("unix:", .noAddress),
            ("10.0.0", .noAddress), ("10.0.0.0/", .noLength(maximum: 32)),
            ("10.0.0.0/33", .noLength(maximum: 32)), ("10.0.0.0/+8", .noLength(maximum: 32)),
            ("10.0.0.0/8/8", .noLength(maximum: 32)), ("10.0.0.0/ 8", .noLength(maximum: 32)),
            ("::/129", .noLength(maximum: 128)), ("::/-1", .noLength(maximum: 128)),
            ("::/1000", .noLength(maximum: 128)), ("::/a", .noLength(maximum: 128)),
            ("10.0.0.7/8", .bitsBehindLength(8)), ("0.0.0.1/0", .bitsBehindLength(0)),
            ("2001:db8::1/64", .bitsBehindLength(64)),
        ] as [(String, IPNetwork.Fault)]
    )
    func refusedRange(text: String, fault: IPNetwork.Fault) {
        #expect(throws: fault) { try IPNetwork(text) }
    }

    @Test("a range may be one address")
    func narrowRange() throws { #expect(throws: Never.self) { try IPNetwork("::1/128") } }
}
