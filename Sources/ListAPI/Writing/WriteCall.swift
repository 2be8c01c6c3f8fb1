import Bytes
import HTTP
import Listings
import Rendering

struct WriteCall: ListCall {
    let endpoint: ServedList
    let writer: any ListWriter
    let prepared: PreparedRequest
    let preferences: Preferences
    let conditions: [RowCondition]
    let receipt: WriteReceipt?

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
    /// An invalid If-Match never holds; an invalid If-None-Match is ignored (RFC 9110 §13.1).
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
    static func row(_ id: String, revision: Int64) -> EntityTag {
        row(id.utf8.span, revision: revision)
    }

    static func row(_ id: Span<UInt8>, revision: Int64) -> EntityTag {
        var quoted = ByteBuffer(minimumCapacity: 64)
        RowETag.write(id: id, revision: revision, to: &quoted)
        return EntityTag(String(quoted.text().dropFirst().dropLast()), isWeak: false)
    }

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
        // The stored response has one format, so that a browser's is not for programs.
        for name in [
            FieldName.contentType, .contentEncoding, .accept, .ifMatch, .ifNoneMatch, .prefer,
        ] {
            add((request.field(name) ?? "").utf8)
        }
        add(request.body)
        // Neither part contains a space, so that each caller has keys of its own.
        self.init(key: caller.map { "\($0) \(key)" } ?? key, fingerprint: String(hash, radix: 16))
    }
}

extension WriteCall {
    func invalid(_ faults: [Problem.Fault]) -> Problem {
        problem(
            .invalidRow,
            faults.count == 1
                ? "A value cannot be stored; nothing was written."
                : "\(faults.count) values cannot be stored; nothing was written.",
            faults: Array(faults.prefix(ListParameters.maximumErrors))
        )
    }

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
        case .redefined: throw .redefined
        case .unsaved(let file, let reason):
            return problem(.conflict, .unsaved(file, reason) + " Nothing was written.")
        case .unavailable(let reason): return unwritable(reason)
        case .failed(let reason):
            return problem(
                .internalError,
                "The change failed, which has been logged; nothing was written.",
                cause: "a change of \(list.name): \(reason)"
            )
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
        case .existingRow, .takenValues, .againstPolicy, .changedInFile:
            return problem(refused.kind, refused.detail, faults: refused.faults)
        case .referredTo, .byProgram: return problem(refused.kind, refused.detail)
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

    func response(
        for row: ChangedRow,
        on page: borrowing Page,
        to method: HTTPMethod,
        by service: Service,
        _ language: PageLanguage
    ) -> IdempotentResponse {
        var response = Self.begin()
        let address = address(ofRow: row.id)
        let isCreated = row.effect == .created
        if isFromBrowser {
            let text = FormDocument.success(.create, in: language)
            let noticing = service.options.notices.address
            response.status = .seeOther
            response.addField(
                .location,
                isCreated ? noticing(listAddress, [text], address) : listAddress
            )
            return response
        }
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
        service.json.renderRow(of: page, in: context(ofRow: row.id), to: &body)
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
        var body = ByteBuffer(minimumCapacity: rows.rows.count * 96 + 64)
        JSONWriter.write(to: &body) { json in
            json.object { json in
                let written = results.count { if case .success = $0 { true } else { false } }
                json.member("list", list.name)
                json.member("written", written)
                json.member("refused", rows.rows.count - written)
                json.array("results") { json in
                    for row in rows.rows { json.object { write(row, of: rows, results, to: &$0) } }
                }
                json.object("links") { $0.member("list", listAddress) }
            }
        }
        response.setContent(&body)
        return response
    }

    /// Writes the members of a row, whose status is that of the row if it were written alone.
    private func write(
        _ row: BulkRows.Row,
        of rows: BulkRows,
        _ results: [Result<ChangedRow, RowRefusal>],
        to json: inout JSONWriter
    ) {
        let refusal: (kind: ProblemKind, faults: [Problem.Fault])
        switch row {
        case .faulty(let faults): refusal = (.invalidRow, faults)
        case .change(let index):
            switch results[index] {
            case .success(let row):
                json.member("status", row.effect == .created ? 201 : 200)
                json.member("id", row.id)
                json.member("effect", row.effect.rawValue)
                if let revision = row.revision {
                    json.string("etag") { etag in
                        RowETag.write(id: row.id.utf8.span, revision: revision, to: &etag)
                    }
                }
                return json.object("links") { $0.member("self", address(ofRow: row.id)) }
            case .failure(let refused):
                let problem = refused.problem(writer.rules, rows.notations[index], list.name)
                refusal = (problem.kind, problem.faults)
            }
        }
        json.member("status", refusal.kind.status)
        if !refusal.faults.isEmpty { json.faults(refusal.faults) }
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
