package import Listings

/// A line of the token file: `NAME sha256:DIGEST SCOPE …`; or a caller that the program identifies.
package struct AccessCredential: Hashable, Sendable {
    enum Right: String, Sendable {
        case read, write
    }

    enum Conditions: Hashable, Sendable {
        case query(String)
        case values([String: CellValue])
    }

    package struct Grant: Hashable, Sendable {
        /// The list; nil for all lists.
        let list: String?
        let right: Right
        /// The conditions that rows must meet; nil for all rows.
        let conditions: Conditions?
    }

    static let maximumCount = 1000
    static let maximumNameBytes = 64

    let name: String
    /// The digest of the token; nil for a caller that only a proxy can name.
    let digest: TokenDigest?
    let grants: [Grant]
    let mayOperate: Bool
    let location: String

    /// Reads a file with one line for each token; lines that begin with `#` are comments.
    static func read(_ text: String, of path: String) throws(Failure) -> [AccessCredential] {
        var entries: [AccessCredential] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let location = "\(path):\(index + 1)"
            let entry = try AccessCredential(words, at: location)
            if let other = entries.first(where: { $0.name == entry.name }) {
                throw Failure(
                    .configuration,
                    "\(location): '\(entry.name)' is at \(other.location)"
                )
            }
            entries.append(entry)
            guard entries.count <= maximumCount else {
                throw Failure(.configuration, "\(location): more than \(maximumCount) tokens")
            }
        }
        return entries
    }

    /// The message of the failure does not repeat a word that may be a token.
    package init(_ words: [String], at location: String) throws(Failure) {
        func failure(_ text: String) -> Failure { Failure(.configuration, "\(location): \(text)") }
        guard words.count >= 3 else {
            throw failure("a line is NAME sha256:DIGEST SCOPE …; roster token NAME SCOPE makes one")
        }
        guard Self.isName(words[0]) else {
            throw failure("a name has 1 to 64 letters, digits, '.', '_', '-' and '@'")
        }
        guard words[1] == "-" || TokenDigest(text: words[1]) != nil else {
            throw failure(
                "no digest where one is expected; allowed: sha256: and 64 digits, or - for who is "
                    + "named by a proxy; roster token NAME SCOPE makes one"
            )
        }
        name = words[0]
        digest = TokenDigest(text: words[1])
        self.location = location
        var grants: [Grant] = []
        var mayOperate = false
        for word in words[2...] {
            if word == "operate" {
                mayOperate = true
                continue
            }
            guard let grant = Grant(word) else {
                throw failure(
                    "'\(word)' is no scope; allowed: LIST:read, LIST:read:CONDITIONS, LIST:write "
                        + "and operate, with * for every list and conditions as in an address"
                )
            }
            grants.append(grant)
        }
        self.grants = grants
        self.mayOperate = mayOperate
        if let conflict = Self.conflict(among: grants) { throw failure(conflict) }
    }

    /// The name is any text; a nil grant permits to operate.
    package init(identified name: String, _ grants: [Grant?]) throws(Failure) {
        (self.name, digest, location) = (name, nil, "authentication")
        self.grants = grants.compactMap(\.self)
        mayOperate = grants.contains(nil)
        let error = grants.isEmpty ? "no scope, such as .read" : Self.conflict(among: self.grants)
        if let error {
            throw Failure(.configuration, "\(location): the caller '\(name)': \(error)")
        }
    }

    /// Returns the scopes that hold for a list: those that name it, or else those of every list.
    func grants(for list: String) -> [Grant] {
        let own = grants.filter { $0.list == list }
        return own.isEmpty ? grants.filter { $0.list == nil } : own
    }

    /// Whether the scopes permit to read and write each row of a list that none of them names.
    func mayWriteOthers(_ open: ListView) -> Bool {
        let others = grants.filter { $0.list == nil }
        let mayWrite = open.mayWrite || others.contains { $0.right == .write }
        return mayWrite && (open.mayRead || !others.isEmpty)
            && others.allSatisfy { $0.conditions == nil }
    }

    private static func conflict(among grants: [Grant]) -> String? {
        var reading: [String?: Grant] = [:]
        for grant in grants where grant.right == .read {
            guard let other = reading.updateValue(grant, forKey: grant.list), other != grant else {
                continue
            }
            let scopes = "'\(other.text)' and '\(grant.text)' contradict each other; "
            guard other.conditions != nil, grant.conditions != nil else {
                return scopes + "write one, with conditions or for every row"
            }
            return scopes + "write one: & joins conditions that a row must meet together, and "
                + "team__in=red,blue allows several values"
        }
        return nil
    }

    static func isName(_ text: String) -> Bool {
        (1...maximumNameBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
                    UInt8(ascii: "-"), UInt8(ascii: "@"):
                    true
                default: false
                }
            }
    }
}

extension AccessCredential.Grant {
    var text: String {
        let all = "\(list ?? "*"):\(right.rawValue)"
        return switch conditions {
        case nil: all
        case .query(let query): "\(all):\(query)"
        case .values(let values): "\(all):\(values.keys.sorted().joined(separator: ","))"
        }
    }

    /// Reads `LIST:read`, `LIST:read:CONDITIONS` or `LIST:write`; nil for any other text.
    package init?(_ word: String) {
        let parts = word.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty,
            let right = AccessCredential.Right(rawValue: String(parts[1])),
            parts.count == 2 || right == .read && !parts[2].isEmpty
        else { return nil }
        list = parts[0] == "*" ? nil : String(parts[0])
        self.right = right
        conditions = parts.count == 3 ? .query(String(parts[2])) : nil
    }

    package init(reading list: String?, where values: [String: CellValue]) {
        (self.list, right, conditions) = (list, .read, values.isEmpty ? nil : .values(values))
    }

    package init(writing list: String?) { (self.list, right, conditions) = (list, .write, nil) }
}

/// The token of an Authorization field (RFC 6750 §2.1).
enum BearerToken {
    /// The syntax is that of RFC 9110 §11.4: the scheme in any case, spaces, the token.
    static func find(in value: String) -> Substring? {
        let bytes = value.utf8
        let scheme = "bearer".utf8
        let blank = UInt8(ascii: " ")
        // Setting the bit makes letters lowercase.
        guard bytes.count > scheme.count, bytes.starts(with: scheme, by: { $0 | 0x20 == $1 }) else {
            return nil
        }
        let rest = bytes.dropFirst(scheme.count)
        let token = rest.drop { $0 == blank }
        guard token.count < rest.count, !token.isEmpty, !token.contains(blank) else { return nil }
        return value[token.startIndex...]
    }
}
