import TestSupport

struct Difference: CustomStringConvertible {
    let bytes: [UInt8]
    let roster: Exchange
    let peer: Exchange
    let name: PeerServer.Kind

    private var index: Int {
        zip(roster.classes, peer.classes).prefix { $0 == $1 }.count
    }

    var description: String {
        let text = String(decoding: bytes, as: UTF8.self).debugDescription
        return "\(text): Roster \(roster.statuses) \(roster.reasons), \(name) \(peer.statuses)"
    }

    /// The line of a standard Roster follows here; nil where it may be wrong.
    var ruling: String? {
        // Where Roster is silent, its last answer was a refusal that ended the connection.
        let decisive = min(index, roster.statuses.count - 1)
        if decisive >= 0, roster.statuses[decisive] >= 400 {
            let reason = roster.reasons[decisive]
            return Self.refusals.first { reason.hasPrefix($0.input) }?.expected.first
        }
        let answered = index < peer.statuses.count ? peer.statuses[index] : nil
        let text = String(decoding: bytes, as: UTF8.self)
        return Self.acceptances.first { $0.peer == name && $0.applies(text, answered) }?.line
    }

    /// Whether a text has a part that is in lower case, in any case.
    private static func contains(_ text: String, _ part: String) -> Bool {
        text.lowercased().contains(part)
    }
}

extension Difference {
    /// Why Roster refuses, by the beginning of what it says, and the line that asks for it or
    /// leaves it to the server.
    static let refusals = InputRow.table(
        #"""
        Over 2 empty lines
          RFC 9112 §2.2: a server SHOULD ignore at least one empty line before a request line
        A line ends in LF without CR.
          RFC 9112 §2.2: a recipient MAY recognize a single LF as a line terminator
        A CR is not followed by LF.
          RFC 9112 §2.2: a bare CR MUST be considered invalid or replaced with SP
        The request line is not
          RFC 9112 §3: an invalid request-line SHOULD be answered with 400
        The request line is over
          RFC 9112 §3: a request-target longer than wanted MUST be answered with 414
        The method is over
          RFC 9112 §3: a method longer than any implemented SHOULD be answered with 501
        The method is not known here.
          RFC 9110 §9.1: an unrecognized method SHOULD be answered with 501
        CONNECT is not served here.
          RFC 9110 §9.3.6: most origin servers do not implement CONNECT
        The version is not
          RFC 9112 §2.3: HTTP-version = %s"HTTP" "/" DIGIT "." DIGIT, case-sensitive
        HTTP version
          RFC 9110 §15.6.6: 505 refuses a major version that is not supported
        The request target is neither
          RFC 9112 §3.2: request-target has four forms; RFC 3986 §2 lists the characters
        The request target holds
          RFC 3986 §2: the characters of a URI; all others are percent-encoded
        The query is not UTF-8.
          RFC 3986 §2.5: characters of a new scheme's components are UTF-8
        A % in the path
          RFC 3986 §2.1: pct-encoded = "%" HEXDIG HEXDIG
        The path holds U+0000.
          RFC 3986 §7.3: applications should handle %00 and the like as suspicious
        The path is not UTF-8.
          RFC 3986 §2.5: characters of a new scheme's components are UTF-8
        The path leads above its root.
          RFC 9112 §3: an invalid target SHOULD be answered with 400; RFC 3986 §5.2.4
        A field line is not
          RFC 9112 §5: field-line = field-name ":" OWS field-value OWS; §5.1: MUST be 400
        A field line begins with a blank.
          RFC 9112 §5.2: obs-fold MUST be refused with 400 or replaced; §2.2 for the first line
        A field value holds a control character.
          RFC 9110 §5.5: CR, LF and NUL MUST be refused or replaced, others are invalid
        A field line is over
          RFC 6585 §5: 431 refuses fields that are too large
        The fields together are over
          RFC 6585 §5: 431 refuses fields that are too large
        There are over
          RFC 6585 §5: 431 refuses fields that are too many
        The field Host is there twice.
          RFC 9112 §3.2: more than one Host line MUST be answered with 400
        The field Content-Length is there twice.
          RFC 9112 §6.3: repeated lengths are an error, or MAY be one where they are alike
        The field 
          RFC 9110 §5.3 and RFC 9112 §3.2: a single field twice, or Host missing or invalid
        The only expectation known here
          RFC 9110 §10.1.1: an expectation that cannot be met MAY be answered with 417
        Content-Length is not
          RFC 9110 §8.6: Content-Length = 1*DIGIT; a recipient MUST anticipate large numerals
        Content-Length and Transfer-Encoding
          RFC 9112 §6.1: a server MAY reject a request that contains both
        HTTP/1.0 has no Transfer-Encoding.
          RFC 9112 §6.1: Transfer-Encoding in HTTP/1.0 MUST be treated as faulty framing
        Transfer-Encoding is malformed.
          RFC 9112 §6.3: where chunked is not final and once, the answer MUST be 400
        The only transfer coding known here
          RFC 9112 §6.1: a coding that is not understood SHOULD be answered with 501
        The body is over
          RFC 9110 §15.5.14: 413 refuses content that is larger than the server wants
        A chunk of the body is malformed.
          RFC 9112 §7.1: chunk = chunk-size [ chunk-ext ] CRLF chunk-data CRLF
        A chunk-size line is over
          RFC 9112 §7.1.1: a server ought to limit the total length of chunk extensions
        The connection was closed inside
          RFC 9112 §8: an incomplete request MAY be answered with an error before closing
        """#
    )

    /// What Roster accepts and another server does not, and the line that asks for accepting.
    static let acceptances:
        [(peer: PeerServer.Kind, line: String, applies: @Sendable (String, Int?) -> Bool)] = [
            (
                .haproxy, "RFC 9112 §3.2.2: an absolute target replaces Host, whatever it says",
                { contains($0, " http://") && $1 == 400 }
            ),
            (
                .haproxy,
                "WHATWG URL: a query leaves ^ ` { | } and \\ as they are; curl sends UTF-8",
                { text, status in
                    let line = text.prefix { $0 != "\r\n" }
                    return status == 400
                        && line.unicodeScalars.contains {
                            !$0.isASCII || "^`{|}\\".unicodeScalars.contains($0)
                        }
                }
            ),
            (
                .haproxy, "RFC 9110 §7.8: a server MAY ignore Upgrade",
                { contains($0, "upgrade") && $1 == 400 }
            ),
            (
                .haproxy, "RFC 9110 §5.4: how many fields are too many is the server's choice",
                { text, status in text.split(separator: "\r\n").count > 100 && status == 400 }
            ),
            (
                .apache2, "RFC 9110 §5.4: how many fields are too many is the server's choice",
                { text, status in text.split(separator: "\r\n").count > 100 && status == 400 }
            ),
            (
                .apache2, "RFC 3986 §3.2.3: port = *DIGIT, so it may be empty",
                { $0.contains(":\r\n") && $1 == 400 }
            ),
            (
                .apache2, "RFC 3986 §3.2.2: reg-name = *( unreserved / pct-encoded / sub-delims )",
                { contains($0, "host: ") && $1 == 400 }
            ),
            (
                .apache2, "RFC 9110 §9.3.8: TRACE is answered or refused by the resource",
                { $0.contains("TRACE ") && $1 == 405 }
            ),
            (
                .apache2,
                "RFC 9112 §9.3: only the options close and keep-alive decide, whole words",
                { contains($0, "connection: ") && ($1 == 307 || $1 == nil) }
            ),
            (
                .nginx, "RFC 9112 §9.3: only the options close and keep-alive decide, whole words",
                { contains($0, "keep-alive") && $1 == 307 }
            ),
            (
                .nginx, "RFC 9110 §9.3.8: TRACE is answered or refused by the resource",
                { $0.contains("TRACE ") && $1 == 405 }
            ),
            (
                .nginx, "RFC 9112 §3.2.4: OPTIONS * asks about the server as a whole",
                { $0.contains("OPTIONS * ") && $1 == 400 }
            ),
            (
                .nginx, "RFC 9110 §5.6.3: OWS = *( SP / HTAB )",
                { $0.contains("\t") && ($1 == 400 || $1 == 501 || $1 == nil) }
            ),
        ]
}
