extension Option {
    /// The settings of writing and of access.
    static let access: [Option] = [
        Option(
            key: .allowWrites,
            flag: "--allow-writes",
            variable: "ROSTER_ALLOW_WRITES",
            placeholder: "",
            standard: "off",
            summary: "on lets callers who have said who they are write to lists"
        ),
        Option(
            key: .allowAnonymousWrites,
            flag: "--allow-anonymous-writes",
            variable: "ROSTER_ALLOW_ANONYMOUS_WRITES",
            placeholder: "",
            standard: "off",
            summary: "on lets everybody who reaches the server write to lists"
        ),
        Option(
            key: .requireIfMatch,
            flag: "--require-if-match",
            variable: "ROSTER_REQUIRE_IF_MATCH",
            placeholder: "",
            standard: "off",
            summary: "on refuses to change a row for who does not name its entity tag (428)"
        ),
        Option(
            key: .importLimit,
            flag: "--import-limit",
            variable: "ROSTER_IMPORT_LIMIT",
            placeholder: "MEBIBYTES",
            standard: "1024",
            summary: "largest file that is imported over HTTP; kept in TMPDIR meanwhile"
        ),
        Option(
            key: .tokens,
            flag: "--tokens",
            variable: "ROSTER_TOKENS",
            placeholder: "FILE",
            standard: "none",
            summary: "file of who may do what, made by roster token; SIGHUP reads it anew"
        ),
        Option(
            key: .anonymous,
            flag: "--anonymous",
            variable: "ROSTER_ANONYMOUS",
            placeholder: "none|read",
            standard: "read",
            summary: "what those may do who do not say who they are, where there are tokens"
        ),
        Option(
            key: .trustProxy,
            flag: "--trust-proxy",
            variable: "ROSTER_TRUST_PROXY",
            placeholder: "ADDRESS[,…]",
            standard: "none",
            summary: "proxies believed when X-Forwarded-User or X-Forwarded-For says who asks"
        ),
        Option(
            key: .rateLimit,
            flag: "--rate-limit",
            variable: "ROSTER_RATE_LIMIT",
            placeholder: "NUMBER",
            standard: "any number",
            summary: "requests a second of one client address; more are answered 429"
        ),
        Option(
            key: .cursorSecret,
            flag: nil,
            variable: "ROSTER_CURSOR_SECRET",
            placeholder: "",
            standard: "none",
            summary:
                "secrets that sign cursors, one a line; the first signs, the others still count"
        ),
        Option(
            key: .cursorSecretFile,
            flag: "--cursor-secret-file",
            variable: "ROSTER_CURSOR_SECRET_FILE",
            placeholder: "FILE",
            standard: "none",
            summary: "file of such secrets, each of 32 bytes or more"
        ),
    ]
}
