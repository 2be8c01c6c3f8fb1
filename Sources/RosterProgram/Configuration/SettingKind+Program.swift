import Database
import HTTP
import ListAPI
import Rendering

struct OperationsAddress: Hashable, Sendable {
    /// Nil is the address of the lists.
    let host: String?
    let port: UInt16
}

extension SettingKind<OperationsAddress> {
    static var operations: Self {
        let number = SettingKind<UInt16>.number(0...65_535)
        return Self("[ADDRESS:]NUMBER", range: number.range) {
            (text, origin) throws(Failure) in
            guard let colon = text.lastIndex(of: ":") else {
                return OperationsAddress(host: nil, port: try number.read(text, origin))
            }
            let port = try number.read(String(text[text.index(after: colon)...]), origin)
            let address = String(text[..<colon])
            guard address.hasPrefix("[") == address.contains(":") else {
                let allowed = "NUMBER, ADDRESS:NUMBER or [IPV6]:NUMBER"
                throw .invalidValue(origin, value: text, allowed: allowed)
            }
            let host = try SettingKind<String>.host.read(address, origin)
            return OperationsAddress(host: host, port: port)
        }
    }
}

extension SettingKind<AllowedHosts> {
    static var hosts: Self {
        let allowed = "hosts such as lists.example.org, with commas between"
        return Self("HOST[,…]", allowed: allowed) { AllowedHosts($0) }
    }
}

extension SettingKind<ImageHosts> {
    static var imageHosts: Self {
        let allowed = "hosts such as cdn.example.org, with commas between"
        return Self("HOST[,…]", allowed: allowed) { ImageHosts($0) }
    }
}

extension SettingKind<CrossOrigin> {
    static var origins: Self {
        let allowed = "* or origins such as https://example.org, with commas between"
        return Self("ORIGIN[,…]", allowed: allowed) { CrossOrigin($0) }
    }
}

extension SettingKind<BasePath> {
    static var basePath: Self {
        Self("PATH", allowed: BasePath.allowed, text: { _ in "/" }, parse: { BasePath($0) })
    }
}

extension SettingKind<TrustedProxies> {
    static var proxies: Self {
        Self("ADDRESS[/BITS][,…]") { (text, origin) throws(Failure) in
            do throws(TrustedProxies.Fault) {
                return try TrustedProxies(text)
            } catch {
                throw .invalidValue(origin, value: error.part, allowed: error.allowed)
            }
        }
    }
}

extension SettingKind<[String]> {
    static var names: Self {
        Self("LIST[,…]") { text, _ in text.split(separator: ",").map(String.init) }
    }
}

extension SettingKind<Set<String>> {
    static var tables: Self {
        Self("LIST[,…]", allowed: "names of tables, as in orders,people") { text in
            let names = text.split(separator: ",", omittingEmptySubsequences: false)
            return names.contains("") ? nil : Set(names.map(String.init))
        }
    }
}

extension TableSelection {
    static func keys(
        _ value: String,
        origin: String
    ) throws(Failure) -> [String: [String]] {
        var keys: [String: [String]] = [:]
        var list: String?
        for part in value.split(separator: ",", omittingEmptySubsequences: false) {
            let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if words.count == 2 {
                list = String(words[0])
                guard keys[String(words[0])] == nil else {
                    throw .invalidValue(origin, value: value, allowed: "one key for each list")
                }
            }
            guard let list, let column = words.last, !list.isEmpty, !column.isEmpty else {
                let allowed = "LIST=COLUMN[,COLUMN], as in orders=customer,number"
                throw .invalidValue(origin, value: value, allowed: allowed)
            }
            keys[list, default: []].append(String(column))
        }
        return keys
    }
}
