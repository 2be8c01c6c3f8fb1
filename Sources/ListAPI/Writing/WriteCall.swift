import Bytes
import HTTP
import Listings
import Rendering

/// A request to write rows of a list, with parsed address and fields.
struct WriteCall: ListCall {
    let endpoint: ServedList
    let writer: any ListWriter
    /// The list as the address shows it, which people return to.
    let prepared: PreparedRequest
    let preferences: Preferences
    /// The conditions on the row of the address.
    let conditions: [RowCondition]
    let receipt: WriteReceipt?

    /// The address of the list that people return to.
    var listAddress: String {
        if case .row = prepared.target.place {
            return prepared.links.links.addresses.list(list.name)
        }
        var buffer = ByteBuffer()
        prepared.links.write(.current, to: &buffer)
        return buffer.text()
    }

    /// Returns the rendering context of a row, as GET shows it in JSON.
    func context(ofRow id: String) -> RenderContext {
        PreparedRequest(
            addresses: prepared.links.links.addresses,
            target: ListResource(endpoint, .row(id), nil, segments: prepared.target.segments),
            representation: Representation(forced: .json, suffix: nil),
            query: ListQuery(
                grouping: endpoint.schema.defaultGrouping,
                sort: endpoint.schema.defaultSort,
                columns: prepared.query.columns,
                shape: .flow(limit: endpoint.schema.defaultLimit)
            ),
            sent: [],
            fingerprint: prepared.fingerprint,
            language: prepared.language
        ).context()
    }

    /// Returns the address of a row's form, which preserves the page to return to.
    func formAddress(_ purpose: FormDocument.Purpose, ofRow id: String) -> String {
        var buffer = ByteBuffer()
        let name = purpose == .remove ? "delete" : "edit"
        prepared.links.writeAction(name, ofRow: id.utf8.span, to: &buffer)
        return buffer.text()
    }

    /// Returns the address of a row.
    func address(ofRow id: String) -> String {
        var buffer = ByteBuffer()
        context(ofRow: id).links.writeRow(id.utf8.span, to: &buffer)
        return buffer.text()
    }
}

extension RowCondition {
    /// Returns the conditions of a request on its row (RFC 9110 §13.1).
    ///
    /// An invalid If-Match never holds; an invalid If-None-Match is ignored.
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

    /// Returns the revision in the opaque part of a tag, as forms send it; nil for anything else.
    static func revision(inOpaque text: String, of id: String) -> Int64? {
        guard case .tags(let tags)? = EntityTagCondition(parsing: "\"\(text)\""), tags.count == 1
        else { return nil }
        return revision(in: tags[0], of: id)
    }

    /// Returns the revision in a tag of the row; nil for a tag of anything else.
    static func revision(in tag: EntityTag, of id: String) -> Int64? {
        guard let dash = tag.opaque.utf8.lastIndex(of: UInt8(ascii: "-")),
            let revision = Int64(tag.opaque[tag.opaque.index(after: dash)...]),
            EntityTag.row(id, revision: revision).opaque == tag.opaque
        else { return nil }
        return revision
    }
}

extension EntityTag {
    /// Returns the strong tag of a row as JSON at a revision.
    static func row(_ id: String, revision: Int64) -> EntityTag {
        row(id.utf8.span, revision: revision)
    }

    /// Returns the strong tag of a row as JSON at a revision.
    static func row(_ id: Span<UInt8>, revision: Int64) -> EntityTag {
        var quoted = ByteBuffer(minimumCapacity: 64)
        RowETag.write(id: id, revision: revision, to: &quoted)
        return EntityTag(String(quoted.text().dropFirst().dropLast()), isWeak: false)
    }
}

extension WriteReceipt {
    /// The maximum number of bytes in a key.
    static let maximumKeyBytes = 255

    /// Reads the Idempotency-Key field: visible ASCII characters, quoted or not; nil without one.
    ///
    /// - Throws: ``ContentValidationError`` for an invalid key.
    init?(_ request: borrowing HTTPRequest, of caller: String?) throws(ContentValidationError) {
        guard let field = request.field(.idempotencyKey) else { return nil }
        let isQuoted = field.utf8.count >= 2 && field.hasPrefix("\"") && field.hasSuffix("\"")
        let key = isQuoted ? String(field.dropFirst().dropLast()) : field
        let isVisible = key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        guard !key.isEmpty, isVisible, key.utf8.count <= Self.maximumKeyBytes else {
            throw ContentValidationError(
                place: .field("Idempotency-Key"),
                kind: .malformed(wanted: .key)
            )
        }
        // FNV-1a, 128 bits (RFC 9923): it only distinguishes a client's own requests.
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
        // The stored response has one format, so that a browser's is not for programs.
        add((request.field(.accept) ?? "").utf8)
        add((request.field(.ifMatch) ?? "").utf8)
        add((request.field(.ifNoneMatch) ?? "").utf8)
        add((request.field(.prefer) ?? "").utf8)
        add(request.body)
        // Neither part contains a space, so that each caller has keys of its own.
        self.init(key: caller.map { "\($0) \(key)" } ?? key, fingerprint: String(hash, radix: 16))
    }
}
