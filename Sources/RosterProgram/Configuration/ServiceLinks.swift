/// A check for the variables that Kubernetes sets for its services.
///
/// A service named `roster` gives every container `ROSTER_PORT=tcp://10.0.0.7:80`, which is no
/// setting.
enum ServiceLinks {
    /// Whether a variable describes a service and is not meant as a setting.
    static func contain(_ name: String, value: String) -> Bool {
        let words = name.split(separator: "_").map(String.init)
        guard let last = words.last, words.count > 1 else { return false }
        // ROSTER_SERVICE_HOST, ROSTER_SERVICE_PORT, ROSTER_SERVICE_PORT_HTTP
        if let index = words.lastIndex(of: "SERVICE"), index > 0, index + 1 < words.count {
            let next = words[index + 1]
            if next == "PORT" || next == "HOST" && index + 2 == words.count { return true }
        }
        // ROSTER_PORT, ROSTER_PORT_80_TCP
        let isAddress = protocols.contains { value.hasPrefix($0.lowercased() + "://") }
        if isAddress, last == "PORT" || endsInPort(words) { return true }
        // ROSTER_PORT_80_TCP_PROTO, ROSTER_PORT_80_TCP_PORT, ROSTER_PORT_80_TCP_ADDR
        return ["PROTO", "PORT", "ADDR"].contains(last) && endsInPort(words.dropLast())
    }

    private static let protocols = ["TCP", "UDP", "SCTP"]

    /// Whether words end like PORT_80_TCP.
    private static func endsInPort(_ words: some BidirectionalCollection<String>) -> Bool {
        let end = Array(words.suffix(3))
        return end.count == 3 && end[0] == "PORT" && UInt16(end[1]) != nil
            && protocols.contains(end[2])
    }
}
