/// An SQL function of one text that indexes use.
///
/// The server inlines its body, so queries do not name it. Without it, the index definition would
/// exceed its size limit. A hash of its body is part of its name, because a changed body would
/// change search results.
struct IndexFunction {
    /// The name in statements.
    let name: String
    /// The statement that creates it.
    let statement: String

    /// Creates a function from its purpose and its body, in which `$1` is the text.
    init(_ purpose: String, _ body: String) {
        // FNV-1a, 32 bits (RFC 9923).
        let hash = body.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        name = "roster_\(purpose)_\(String(hash, radix: 16))"
        statement =
            "CREATE OR REPLACE FUNCTION \(name)(text) RETURNS text LANGUAGE sql IMMUTABLE "
            + "PARALLEL SAFE AS $roster$ SELECT \(body) $roster$;"
    }
}
