/// What a line of the file of tokens gives to somebody: `NAME sha256:DIGEST SCOPE …`.
struct AccessEntry: Hashable, Sendable {
    /// What may be done with a list.
    enum Right: String, Sendable {
        case read, write
    }

    /// What may be done with which list.
    struct Grant: Hashable, Sendable {
        /// The list; nil for each one.
        let list: String?
        /// What may be done.
        let right: Right
        /// The conditions that rows must meet, written as in an address; nil for all rows.
        let conditions: String?
    }

    /// The longest file that is read has some hundred.
    static let maximumCount = 1000
    /// The longest name, in bytes.
    static let maximumNameBytes = 64

    /// Who it is, for the log and for a proxy that says who asks.
    let name: String
    /// What the token's digest is; nil for who is known by a proxy alone.
    let digest: TokenDigest?
    /// What may be done with which lists.
    let grants: [Grant]
    /// Whether metrics and how lists are set up are told.
    let mayOperate: Bool
    /// Where it is written.
    let place: String

    /// Reads a file: a line for each token; what begins with `#` is a comment.
    ///
    /// - Parameters:
    ///   - text: What the file holds.
    ///   - path: The file, for people.
    /// - Returns: The entries.
    /// - Throws: ``Failure`` for the first line that is not understood.
    static func read(_ text: String, of path: String) throws(Failure) -> [AccessEntry] {
        var entries: [AccessEntry] = []
        let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
        for (index, line) in lines.enumerated() {
            let words = line.split { $0 == " " || $0 == "\t" }.map(String.init)
            guard let first = words.first, !first.hasPrefix("#") else { continue }
            let place = "\(path):\(index + 1)"
            let entry = try AccessEntry(words, at: place)
            if let other = entries.first(where: { $0.name == entry.name }) {
                throw Failure(.configuration, "\(place): '\(entry.name)' is at \(other.place)")
            }
            entries.append(entry)
            guard entries.count <= maximumCount else {
                throw Failure(.configuration, "\(place): more than \(maximumCount) tokens")
            }
        }
        return entries
    }

    /// Reads the words of a line.
    ///
    /// - Throws: ``Failure`` for the first word that is not understood; it is not repeated where it
    ///   may be a token.
    init(_ words: [String], at place: String) throws(Failure) {
        func failure(_ text: String) -> Failure { Failure(.configuration, "\(place): \(text)") }
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
        self.place = place
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
    }

    private static func isName(_ text: String) -> Bool {
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

extension AccessEntry.Grant {
    /// Reads `LIST:read`, `LIST:read:CONDITIONS` or `LIST:write`; nil for everything else.
    init?(_ word: String) {
        let parts = word.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, !parts[0].isEmpty,
            let right = AccessEntry.Right(rawValue: String(parts[1])),
            parts.count == 2 || right == .read && !parts[2].isEmpty
        else { return nil }
        list = parts[0] == "*" ? nil : String(parts[0])
        self.right = right
        conditions = parts.count == 3 ? String(parts[2]) : nil
    }
}
