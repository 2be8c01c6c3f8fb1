import ListAPI
import Listings

enum CursorSecrets {
    /// The maximum number of secrets: one that signs, and former ones that remain valid.
    private static let maximumCount = 4

    /// Reads the secrets of the environment or of the file.
    static func keys(_ configuration: Configuration) throws(Failure) -> CursorKeys {
        let text: String
        let origin: String
        switch (configuration.cursorSecret, configuration.cursorSecretFile) {
        case (nil, nil): return CursorKeys()
        case (.some, .some):
            let detail = "ROSTER_CURSOR_SECRET and a file of secrets exclude one another"
            throw Failure(.configuration, detail)
        case (let secret?, nil):
            text = secret
            origin = "ROSTER_CURSOR_SECRET"
        case (nil, let path?):
            text = try SettingsFile.text(of: path)
            origin = path
        }
        let secrets = text.split(omittingEmptySubsequences: true) { $0.isNewline }.map { line in
            Array(line.utf8)
        }
        let shortest = CursorKeys.minimumSecretBytes
        guard (1...maximumCount).contains(secrets.count) else {
            let detail = "\(origin): one to \(maximumCount) secrets, each on a line of its own"
            throw Failure(.configuration, detail)
        }
        if let line = secrets.firstIndex(where: { $0.count < shortest }) {
            let count = secrets[line].count
            let detail =
                "\(origin): secret \(line + 1) has \(count) bytes and needs \(shortest) at least; "
                + "openssl rand -hex 32 makes one"
            throw Failure(.configuration, detail)
        }
        guard let keys = CursorKeys(secrets) else {
            let detail = "\(origin): two of the secrets have the same digest; make another one"
            throw Failure(.configuration, detail)
        }
        return keys
    }
}
