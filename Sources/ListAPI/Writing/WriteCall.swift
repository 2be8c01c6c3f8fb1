import Bytes
import HTTP
import Listings
import Rendering

/// A request to write rows of a list, with parsed address and fields.
struct WriteCall: ListCall {
    let endpoint: ServedList
    let writer: any ListWriter
    let prepared: PreparedRequest
    let preferences: Preferences
    /// The conditions on the row of the address.
    let conditions: [RowCondition]
    let receipt: WriteReceipt?

    var listAddress: String {
        if case .row = prepared.target.place {
            return prepared.addresses.list(list.name)
        }
        var buffer = ByteBuffer()
        prepared.links.write(.current, to: &buffer)
        return buffer.text()
    }

    /// Returns the rendering context of a row, as GET shows it in JSON.
    func context(ofRow id: String) -> RenderContext {
        var request = ListRequest(RequestedList(endpoint))
        request.place = .row(id)
        request.query.segment = endpoint.segment
        request.query.columns = prepared.query.columns
        return PreparedRequest(
            request,
            of: ListResource(endpoint, .row(id), nil, segments: prepared.target.segments),
            under: prepared.addresses,
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
        guard let dash = tag.opaque.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        let end = tag.opaque[dash...].firstIndex(of: ";") ?? tag.opaque.endIndex
        guard let revision = Int64(tag.opaque[tag.opaque.index(after: dash)..<end]),
            EntityTag.row(id, revision: revision).opaque == tag.opaque[..<end]
        else { return nil }
        return revision
    }
}

extension EntityTag {
    /// Returns the strong tag of a row as JSON at a revision.
    static func row(_ id: String, revision: Int64) -> EntityTag {
        row(id.utf8.span, revision: revision)
    }

    static func row(_ id: Span<UInt8>, revision: Int64) -> EntityTag {
        var quoted = ByteBuffer(minimumCapacity: 64)
        RowETag.write(id: id, revision: revision, to: &quoted)
        return EntityTag(String(quoted.text().dropFirst().dropLast()), isWeak: false)
    }

    /// Returns the tag of a representation of the row that has more than the row.
    ///
    /// Writes that name it compare the revision alone.
    func with(_ hash: String) -> EntityTag { EntityTag("\(opaque);\(hash)", isWeak: false) }
}

extension WriteReceipt {
    static let maximumKeyBytes = 255

    /// Reads the Idempotency-Key field: visible ASCII characters, quoted or not; nil without one.
    init?(_ request: borrowing HTTPRequest, of caller: String?) throws(Problem.Fault) {
        guard let field = request.field(.idempotencyKey) else { return nil }
        let isQuoted = field.utf8.count >= 2 && field.hasPrefix("\"") && field.hasSuffix("\"")
        let key = isQuoted ? String(field.dropFirst().dropLast()) : field
        let isVisible = key.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") }
        guard !key.isEmpty, isVisible, key.utf8.count <= Self.maximumKeyBytes else {
            let wanted: Text = "1 to 255 visible ASCII characters, quoted or not"
            throw .malformed(.field("Idempotency-Key"), wanted)
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

extension WriteCall {
    /// Returns the problem of values that cannot be stored, with a limited number of faults.
    func invalid(_ faults: [Problem.Fault]) -> Problem {
        problem(
            .invalidRow,
            faults.count == 1
                ? "A value cannot be stored; nothing was written."
                : "\(faults.count) values cannot be stored; nothing was written.",
            faults: Array(faults.prefix(ListParameters.maximumErrors))
        )
    }

    /// Returns the problem of a writer's error in a batch of changes with these notations.
    func problem(
        of error: WriteError,
        _ notations: [RowDecoder.Notation],
        in call: borrowing Call
    ) throws(SourceError) -> Problem {
        switch error {
        case .refused(let refusals):
            let sorted = refusals.sorted { $0.key < $1.key }
            if notations.count == 1, let first = sorted.first {
                return try problem(of: first.value, notations[0], in: call)
            }
            let all = sorted.map { $0.value.problem(writer.rules, notations[$0.key], list.name) }
            let detail: Text = "Nothing was written: \(all.count) rows were refused."
            let faults = all.flatMap(\.faults).prefix(ListParameters.maximumErrors)
            return problem(all.first?.kind ?? .conflict, detail, faults: Array(faults))
        case .reusedKey:
            let detail: Text =
                "The key of this request was used for another one; nothing was written."
            return problem(.reusedKey, detail)
        case .busy:
            return problem(.unavailable, "Another client is writing; nothing was written.")
        case .keepsNoAnswers:
            let detail: Text =
                "This list stores no responses, so it allows no Idempotency-Key; nothing was "
                + "written."
            return problem(.malformedContent, detail)
        case .uncertain:
            let detail: Text =
                "The connection to the database broke during the commit. The change may be "
                + "written: check before you repeat the request; one with an Idempotency-Key "
                + "can be repeated at once."
            return problem(.unavailable, detail, cause: "\(error)")
        case .full:
            let detail: Text = "There is no room left; nothing was written."
            return problem(.outOfRoom, detail, cause: "no room left to write")
        case .readOnly: return unwritable("the database may only be read")
        case .unavailable(let reason): return unwritable(reason)
        }
    }

    private func unwritable(_ cause: String) -> Problem {
        problem(
            .unavailable,
            "The list cannot be written to at the moment; nothing was written.",
            cause: "\(list.name) cannot be written to: \(cause)"
        )
    }

    func problem(
        of refusal: RowRefusal,
        _ notation: RowDecoder.Notation = .json(""),
        in call: borrowing Call
    ) throws(SourceError) -> Problem {
        let refused = refusal.problem(writer.rules, notation, list.name)
        switch refusal {
        case .invalid: return invalid(refused.faults)
        case .unknownRow(let id): return call.noRow(id, in: list)
        case .existingRow, .takenValues, .againstPolicy:
            return problem(refused.kind, refused.detail, faults: refused.faults)
        case .referredTo: return problem(refused.kind, refused.detail)
        case .failedCondition(let id):
            var problem = problem(refused.kind, refused.detail)
            guard try endpoint.readRow(id) else {
                // Other rows do not exist for a caller with row filters.
                return endpoint.view.scope.isEveryRow ? problem : call.noRow(id, in: list)
            }
            var row = ByteBuffer(minimumCapacity: 512)
            call.service.json.renderRowAlone(
                of: endpoint.page,
                in: self.context(ofRow: id),
                to: &row
            )
            problem.currentRow = row.array()
            return problem
        }
    }
}

/// The responses to writes, as they are stored for repeated requests.
extension WriteCall {
    /// Returns the response for one written row: to people a redirect, to programs the current row.
    func response(
        for row: ChangedRow,
        on page: borrowing Page,
        to method: HTTPMethod,
        _ json: JSONPageRenderer
    ) -> IdempotentResponse {
        var response = Self.begin()
        if isFromBrowser {
            response.status = .seeOther
            response.addField(.location, listAddress)
            return response
        }
        let address = address(ofRow: row.id)
        let isCreated = row.effect == .created
        if isCreated { response.addField(.location, address) }
        // GET shows other bytes than a PUT has sent, whose response therefore has no tag (RFC 9110
        // §9.3.4). Its row has the tag under `etag`. The tag of a whole row does not fit a part of
        // it.
        let isWhole = prepared.query.columns == nil
        if method != .put, isWhole, let revision = row.revision {
            response.addField(.etag, EntityTag.row(row.id, revision: revision).value)
        }
        guard row.effect != .deleted, !preferences.wantsMinimal, page.rowCount > 0 else {
            if row.effect != .deleted, preferences.wantsMinimal {
                response.addField("Preference-Applied", "return=minimal")
            }
            response.status = isCreated ? .created : .noContent
            return response
        }
        if preferences.wantsRepresentation {
            response.addField("Preference-Applied", "return=representation")
        }
        response.status = isCreated ? .created : .ok
        if isWhole { response.addField("Content-Location", address) }
        var body = ByteBuffer(minimumCapacity: 1024)
        json.renderRow(of: page, in: context(ofRow: row.id), to: &body)
        response.setContent(&body)
        return response
    }

    func response(
        for rows: BulkRows,
        _ results: [Result<ChangedRow, RowRefusal>]
    ) -> IdempotentResponse {
        var response = Self.begin()
        if preferences.isLenient {
            response.addField("Preference-Applied", "handling=lenient")
        } else if preferences.wantsMinimal {
            response.addField("Preference-Applied", "return=minimal")
            response.status = .noContent
            return response
        }
        let lines = rows.rows.map { row -> BulkDocument.Line in
            switch row {
            case .faulty(let faults):
                return .init(status: ProblemKind.invalidRow.status, faults: faults)
            case .change(let index):
                switch results[index] {
                case .success(let row):
                    let address = address(ofRow: row.id)
                    return .init(
                        status: row.effect == .created ? 201 : 200,
                        row: row,
                        address: address
                    )
                case .failure(let refusal):
                    let notation = rows.notations[index]
                    let problem = refusal.problem(writer.rules, notation, list.name)
                    return .init(status: problem.kind.status, faults: problem.faults)
                }
            }
        }
        var body = ByteBuffer(minimumCapacity: lines.count * 96 + 64)
        BulkDocument(list: list.name, address: listAddress, lines: lines)
            .render(to: &body)
        response.setContent(&body)
        return response
    }

    private static func begin() -> IdempotentResponse {
        var response = IdempotentResponse(.ok)
        response.addField(.cacheControl, "no-store")
        response.addField(.vary, "Accept, Prefer")
        return response
    }
}

extension IdempotentResponse {
    fileprivate mutating func setContent(_ body: inout ByteBuffer) {
        body.append(UInt8(ascii: "\n"))
        addField(.contentType, "application/json")
        addField(.xContentTypeOptions, "nosniff")
        self.body = body.array()
    }
}
