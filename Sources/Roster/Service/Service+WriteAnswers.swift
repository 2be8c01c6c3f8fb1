import Bytes
import HTTP
import Listings
import Rendering

extension Service {
    /// Sends the response of a write, either new or stored for its key.
    func send(
        _ answer: WriteResponse,
        _ call: WriteCall,
        with response: inout HTTPResponse
    ) throws {
        let bytes =
            switch answer {
            case .performed(let bytes), .repeated(let bytes): bytes
            }
        guard let stored = IdempotentResponse(bytes) else {
            throw SourceError.corrupted(reason: "the answer kept for a request cannot be read")
        }
        stored.send(with: &response)
        if case .repeated = answer {
            response.addField("Idempotent-Replayed", "true" as StaticString)
        }
    }

    /// Returns the response for one written row: to people a redirect, to programs the current row.
    func answer(
        _ call: WriteCall,
        _ page: borrowing Page,
        _ row: ChangedRow,
        _ method: HTTPMethod
    ) -> IdempotentResponse {
        var answer = begin(call)
        if call.isOfPerson {
            answer.status = .seeOther
            answer.addField(.location, call.listAddress)
            return answer
        }
        let address = call.address(ofRow: row.id)
        let isCreated = row.effect == .created
        if isCreated { answer.addField(.location, address) }
        // GET shows other bytes than a PUT has sent, whose response therefore has no tag (RFC 9110
        // §9.3.4). Its row has the tag under `etag`. The tag of a whole row does not fit a part of
        // it.
        let isWhole = call.answer.query.columns == nil
        if method != .put, isWhole, let revision = row.revision {
            answer.addField(.etag, EntityTag.row(row.id, revision: revision).value)
        }
        guard row.effect != .deleted, !call.preferences.wantsMinimal, page.rowCount > 0 else {
            if row.effect != .deleted, call.preferences.wantsMinimal {
                answer.addField("Preference-Applied", "return=minimal")
            }
            answer.status = isCreated ? .created : .noContent
            return answer
        }
        if call.preferences.wantsRepresentation {
            answer.addField("Preference-Applied", "return=representation")
        }
        answer.status = isCreated ? .created : .ok
        if isWhole { answer.addField("Content-Location", address) }
        var body = ByteBuffer(minimumCapacity: 1024)
        json.renderRow(of: page, in: call.context(ofRow: row.id), to: &body)
        addContent(&body, to: &answer)
        return answer
    }

    /// Returns the response for each of many written rows.
    func answer(
        _ call: WriteCall,
        _ rows: BulkRows,
        _ results: [Result<ChangedRow, RowRefusal>]
    ) -> IdempotentResponse {
        var answer = begin(call)
        if call.preferences.isLenient {
            answer.addField("Preference-Applied", "handling=lenient")
        } else if call.preferences.wantsMinimal {
            answer.addField("Preference-Applied", "return=minimal")
            answer.status = .noContent
            return answer
        }
        let lines = rows.rows.map { row -> BulkDocument.Line in
            switch row {
            case .faulty(let faults):
                return .init(status: ProblemKind.invalidRow.status, faults: faults)
            case .change(let index):
                switch results[index] {
                case .success(let row):
                    let address = call.address(ofRow: row.id)
                    return .init(
                        status: row.effect == .created ? 201 : 200,
                        row: row,
                        address: address
                    )
                case .failure(let refusal):
                    let (kind, faults) = told(refusal, rows.notations[index], call)
                    return .init(status: kind.status, faults: faults)
                }
            }
        }
        var body = ByteBuffer(minimumCapacity: lines.count * 96 + 64)
        BulkDocument(list: call.list.name, address: call.listAddress, lines: lines)
            .render(to: &body)
        addContent(&body, to: &answer)
        return answer
    }

    private func begin(_ call: WriteCall) -> IdempotentResponse {
        var answer = IdempotentResponse(.ok)
        answer.addField(.cacheControl, "no-store")
        answer.addField(.vary, "Accept, Prefer")
        return answer
    }

    private func addContent(_ body: inout ByteBuffer, to answer: inout IdempotentResponse) {
        body.append(UInt8(ascii: "\n"))
        answer.addField(.contentType, "application/json")
        answer.addField(.xContentTypeOptions, "nosniff")
        answer.body = body.array()
    }

    // MARK: - Problems

    /// Returns the problem of values that cannot be stored, with a limited number of faults.
    func invalid(_ faults: [Problem.Fault], _ call: WriteCall) -> Refusal {
        let count = faults.count
        let detail =
            count == 1
            ? "A value cannot be stored; nothing was written."
            : "\(count) values cannot be stored; nothing was written."
        return refusal(
            call,
            .invalidRow,
            detail,
            faults: Array(faults.prefix(ListParameters.maximumErrors))
        )
    }

    /// Returns the problem of a writer's error.
    ///
    /// - Parameters:
    ///   - call: The request.
    ///   - error: The error of the writer.
    ///   - notations: The notation of each change of the batch.
    /// - Returns: The refusal.
    /// - Throws: ``SourceError`` when the current row cannot be read.
    func refusal(
        _ call: WriteCall,
        _ error: WriteError,
        _ notations: [RowDecoder.Notation]
    ) throws -> Refusal {
        switch error {
        case .refused(let refusals):
            let sorted = refusals.sorted { $0.key < $1.key }
            if notations.count == 1, let first = sorted.first {
                return try refusal(call, first.value, notations[0])
            }
            let all = sorted.map { told($0.value, notations[$0.key], call) }
            let kind = all.first?.kind ?? .conflict
            let detail = "Nothing was written: \(all.count) rows were refused."
            let faults = all.flatMap(\.faults).prefix(ListParameters.maximumErrors)
            return refusal(call, kind, detail, faults: Array(faults))
        case .reusedKey:
            let detail = "The key of this request was used for another one; nothing was written."
            return refusal(call, .reusedKey, detail)
        case .busy:
            return refusal(call, .unavailable, "Somebody else is writing; nothing was written.")
        case .keepsNoAnswers:
            let detail =
                "This list keeps no answers, so it takes no Idempotency-Key; nothing was written."
            return refusal(call, .malformedContent, detail)
        case .uncertain:
            Diagnostics.write("\(requestID()): \(error)", .error)
            let detail =
                "The database was lost while it saved: this may have been written. Look before you "
                + "ask again; a request with an Idempotency-Key can just be repeated."
            return refusal(call, .unavailable, detail)
        case .full:
            Diagnostics.write("\(requestID()): no room left to write", .error)
            return refusal(call, .outOfRoom, "There is no room left; nothing was written.")
        case .readOnly, .unavailable:
            let cause =
                if case .unavailable(let reason) = error { reason } else {
                    "the database may only be read"
                }
            let list = call.list.name
            Diagnostics.write("\(requestID()): \(list) cannot be written to: \(cause)", .error)
            let detail = "The list cannot be written to at the moment; nothing was written."
            return refusal(call, .unavailable, detail)
        }
    }

    /// Returns the problem of a single refused row.
    func refusal(
        _ call: WriteCall,
        _ refusal: RowRefusal,
        _ notation: RowDecoder.Notation = .json("")
    ) throws -> Refusal {
        let (kind, faults) = told(refusal, notation, call)
        switch refusal {
        case .unknownRow(let id):
            return Refusal(problem: noRow(id, in: call.list), suffix: call.suffix)
        case .invalid: return invalid(faults, call)
        case .existingRow(let id):
            return self.refusal(call, kind, "There is a row '\(id)' already.", faults: faults)
        case .takenValues:
            let detail = "Another row has what may be there once; nothing was written."
            return self.refusal(call, kind, detail, faults: faults)
        case .againstPolicy:
            let detail =
                "A row-level security policy of the database does not allow this row; nothing was "
                + "written."
            return self.refusal(call, kind, detail, faults: faults)
        case .referredTo(let id, let constraint):
            let violation = RowRefusal.violation(of: constraint)
            let detail = "Other rows refer to row '\(id)'; nothing was written.\(violation)"
            return self.refusal(call, kind, detail)
        case .failedCondition(let id):
            let detail = "Row '\(id)' is not in the state that the request means."
            var refusal = self.refusal(call, kind, detail)
            guard try call.endpoint.readRow(id) else {
                // Other rows do not exist for a caller with row filters.
                guard call.endpoint.view.conditions.isEmpty else {
                    return Refusal(problem: noRow(id, in: call.list), suffix: call.suffix)
                }
                return refusal
            }
            var row = ByteBuffer(minimumCapacity: 512)
            json.renderRowAlone(of: call.endpoint.page, in: call.context(ofRow: id), to: &row)
            refusal.problem.currentRow = row.array()
            return refusal
        }
    }

    /// Returns the problem kind and the faults of a refused row.
    private func told(
        _ refusal: RowRefusal,
        _ notation: RowDecoder.Notation,
        _ call: WriteCall
    ) -> (kind: ProblemKind, faults: [Problem.Fault]) {
        refusal.told(call.writer.rules, notation, list: call.list.name)
    }
}
