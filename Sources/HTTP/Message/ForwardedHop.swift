/// An element of the field Forwarded: a request as one proxy received it (RFC 7239 §4).
package struct ForwardedHop: Hashable, Sendable {
    /// The sender (`for`); nil if the proxy does not name it.
    package var node: String?
    package var host: String?
    package var scheme: String?

    package init(node: String? = nil) { self.node = node }

    /// The element of the proxy nearest to the client is the first.
    ///
    /// The values of several field lines are joined by commas. Nil if the value is malformed.
    package static func read(_ field: String) -> [ForwardedHop]? {
        var scanner = WeightedList.Scanner(field)
        var hops: [ForwardedHop] = []
        repeat {
            var hop = ForwardedHop()
            var isEmpty = true
            repeat {
                scanner.skipBlanks()
                guard !scanner.isAtEndOfMember, scanner.current != UInt8(ascii: ";") else {
                    continue
                }
                guard let name = scanner.token(), scanner.skip(UInt8(ascii: "=")),
                    let value = scanner.value(), hop.set(name, to: value)
                else { return nil }
                isEmpty = false
                scanner.skipBlanks()
            } while scanner.skip(UInt8(ascii: ";"))
            if !isEmpty { hops.append(hop) }
        } while scanner.skip(UInt8(ascii: ","))
        return scanner.isAtEnd ? hops : nil
    }

    /// Unknown parameters are ignored, because they are extensions.
    ///
    /// False if it is not the first of its name.
    private mutating func set(_ name: String, to value: String) -> Bool {
        func fill(_ location: inout String?) -> Bool {
            guard location == nil else { return false }
            location = value
            return true
        }
        switch name {
        case "for": return fill(&node)
        case "host": return fill(&host)
        case "proto": return fill(&scheme)
        default: return true
        }
    }
}
