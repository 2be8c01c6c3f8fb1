import Bytes
import HTTP
import Listings
import Rendering

/// A request to write rows of a list, understood as far as its address and its fields.
struct WriteCall: ListCall {
    let endpoint: ListEndpoint
    let writer: any ListWriter
    /// The list as it was looked at: where a person is led back to.
    let answer: PreparedRequest
    let preferences: Preferences
    /// What must be true of the row that the address names.
    let conditions: [RowCondition]
    let receipt: WriteReceipt?

    /// The address of the list as it was looked at.
    var listAddress: String {
        if case .row = answer.target.place { return answer.links.links.addresses.list(list.name) }
        var buffer = ByteBuffer()
        answer.links.write(.current, to: &buffer)
        return buffer.text()
    }

    /// A row of the list, as GET shows it in JSON.
    func context(ofRow id: String) -> ListingContext {
        PreparedRequest(
            addresses: answer.links.links.addresses,
            target: ListTarget(endpoint, .row(id), nil, segments: answer.target.segments),
            representation: Representation(forced: .json, suffix: nil),
            query: ListQuery(
                grouping: endpoint.schema.defaultGrouping,
                sort: endpoint.schema.defaultSort,
                columns: answer.query.columns,
                shape: .flow(limit: endpoint.schema.defaultLimit)
            ),
            sent: [],
            fingerprint: answer.fingerprint,
            language: answer.language
        ).context()
    }

    /// Where the form of a row is sent to; it keeps where a person is led back to.
    func formAddress(_ purpose: FormDocument.Purpose, ofRow id: String) -> String {
        var buffer = ByteBuffer()
        let name = purpose == .remove ? "delete" : "edit"
        answer.links.writeAction(name, ofRow: id.utf8.span, to: &buffer)
        return buffer.text()
    }

    /// The address of a row.
    func address(ofRow id: String) -> String {
        var buffer = ByteBuffer()
        context(ofRow: id).links.writeRow(id.utf8.span, to: &buffer)
        return buffer.text()
    }
}

extension RowCondition {
    /// The conditions that a request puts on the row it names (RFC 9110 §13.1).
    ///
    /// An If-Match that cannot be read is never true; an If-None-Match that cannot be read asks for
    /// nothing.
    static func conditions(of request: borrowing HTTPRequest, row id: String) -> [RowCondition] {
        var conditions: [RowCondition] = []
        if let field = request.field(.ifMatch) {
            switch EntityTagCondition(parsing: field) {
            case .any: conditions.append(.exists)
            case .tags(let tags):
                let strong = tags.filter { !$0.isWeak }
                conditions.append(.isAt(strong.compactMap { revision(in: $0, of: id) }))
            case nil: conditions.append(.isAt([]))
            }
        }
        switch request.field(.ifNoneMatch).flatMap(EntityTagCondition.init(parsing:)) {
        case .any: conditions.append(.isAbsent)
        case .tags(let tags):
            conditions.append(.isNotAt(tags.compactMap { revision(in: $0, of: id) }))
        case nil: break
        }
        return conditions
    }

    /// The revision that the opaque part of a tag names, as forms send it; nil for anything else.
    static func revision(inOpaque text: String, of id: String) -> Int64? {
        guard case .tags(let tags)? = EntityTagCondition(parsing: "\"\(text)\""), tags.count == 1
        else { return nil }
        return revision(in: tags[0], of: id)
    }

    /// The revision that a tag of the row names; nil for a tag of anything else.
    static func revision(in tag: EntityTag, of id: String) -> Int64? {
        guard let dash = tag.opaque.utf8.lastIndex(of: UInt8(ascii: "-")),
            let revision = Int64(tag.opaque[tag.opaque.index(after: dash)...]),
            EntityTag.row(id, revision: revision).opaque == tag.opaque
        else { return nil }
        return revision
    }
}

extension EntityTag {
    /// Names a row as JSON at a revision.
    static func row(_ id: String, revision: Int64) -> EntityTag {
        var quoted = ByteBuffer(minimumCapacity: 64)
        RowETag.write(id: id.utf8.span, revision: revision, to: &quoted)
        return EntityTag(String(quoted.text().dropFirst().dropLast()), isWeak: false)
    }
}

extension WriteReceipt {
    /// The longest key in bytes.
    static let maximumKeyBytes = 255

    /// Reads the field Idempotency-Key: a text of visible ASCII characters, quoted or not; nil
    /// without one.
    ///
    /// - Throws: ``ContentFault`` for a key that is none.
    init?(_ request: borrowing HTTPRequest, of caller: String?) throws(ContentFault) {
        guard let field = request.field(.idempotencyKey) else { return nil }
        let isQuoted = field.utf8.count >= 2 && field.hasPrefix("\"") && field.hasSuffix("\"")
        let key = isQuoted ? String(field.dropFirst().dropLast()) : field
        let isVisible = key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        guard !key.isEmpty, isVisible, key.utf8.count <= Self.maximumKeyBytes else {
            throw ContentFault(place: .field("Idempotency-Key"), kind: .malformed(wanted: .key))
        }
        // FNV-1a, 128 bits (RFC 9923): tells a client's own requests apart, and no more.
        var hash: UInt128 = 0x6C62_272E_07BB_0142_62B8_2175_6295_C58D
        func add(_ bytes: some Sequence<UInt8>) {
            for byte in bytes {
                hash = (hash ^ UInt128(byte)) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
            }
            hash = (hash ^ 0xFF) &* 0x0000_0000_0100_0000_0000_0000_0000_013B
        }
        add(request.method.name.utf8)
        add(request.path.rawPath.utf8)
        add((request.query ?? "").utf8)
        add((request.field(.contentType) ?? "").utf8)
        add((request.field(.contentEncoding) ?? "").utf8)
        // The answer is kept as it was drawn: a person's is not for a program.
        add((request.field(.accept) ?? "").utf8)
        add((request.field(.ifMatch) ?? "").utf8)
        add((request.field(.ifNoneMatch) ?? "").utf8)
        add((request.field(.prefer) ?? "").utf8)
        add(request.body)
        // Neither part holds a space: each caller has keys of its own.
        self.init(key: caller.map { "\($0) \(key)" } ?? key, fingerprint: String(hash, radix: 16))
    }
}
