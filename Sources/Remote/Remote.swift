// Embedding programs import this module alone. The server imports only those that it needs, because
// `RemoteCodable` links FoundationEssentials.
@_exported public import RemoteCodable
@_exported public import RemoteCurl
@_exported public import RemoteLists
