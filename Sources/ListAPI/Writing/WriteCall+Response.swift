import Bytes
import HTTP
import Listings
import Rendering

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

    /// Returns the response for each of many written rows.
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
                    let (kind, faults) = self.problem(of: refusal, rows.notations[index])
                    return .init(status: kind.status, faults: faults)
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
