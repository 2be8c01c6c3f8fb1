/// A function of one text that indexes are made by.
///
/// The server itself puts what the function does in its place, so no question names it. An index is
/// small enough by it: the characters take more room than one may have. Its body is part of its
/// name, for who changes it would change what is found.
struct IndexFunction {
    /// The name that statements use.
    let name: String
    /// The statement that makes it.
    let statement: String

    /// A function by what it is for and what it does, the text being `$1`.
    init(_ purpose: String, _ body: String) {
        // FNV-1a, 32 bits (RFC 9923).
        let hash = body.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
        name = "roster_\(purpose)_\(String(hash, radix: 16))"
        statement =
            "CREATE OR REPLACE FUNCTION \(name)(text) RETURNS text LANGUAGE sql IMMUTABLE "
            + "PARALLEL SAFE AS $roster$ SELECT \(body) $roster$;"
    }
}
