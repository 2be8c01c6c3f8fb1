import Foundation

/// Creating, changing and deleting rows, and performing actions.
///
/// ```swift
/// struct Draft: Encodable { let firstName: String, lastName: String, occupation: String }
///
/// var row = try await client.create(
///     Draft(firstName: "Ada", lastName: "Byron", occupation: "Engineer"),
///     in: "/users"
/// )
/// row = try await client.update(row, with: ["lastName": "Lovelace"])
/// try await client.delete(row)
/// ```
extension RosterClient {
    /// Creates a row.
    ///
    /// - Parameters:
    ///   - values: The values by column. Dates are encoded in ISO 8601.
    ///   - list: The address of the list, such as `/users`.
    /// - Returns: The row, with the id that the server chose.
    /// - Throws: ``RosterError``, or what the session throws.
    public func create(_ values: some Encodable, in list: String) async throws -> RosterRow {
        let request = try request(list, "POST", content: encoded(values))
        return try await (decoded(request) as Written).row
    }

    /// Changes some values of a row, if the row is still the same.
    ///
    /// - Parameters:
    ///   - row: The row as it was read. A change since is refused with the status 412.
    ///   - values: The new values by column. ``RosterValue/null`` removes one.
    /// - Returns: The row after the change.
    /// - Throws: ``RosterError``, or what the session throws.
    public func update(_ row: RosterRow, with values: some Encodable) async throws -> RosterRow {
        let address = try address(of: row)
        let request = try request(address, "PATCH", content: encoded(values), tag: row.etag)
        return try await (decoded(request) as Written).row
    }

    /// Deletes a row, if the row is still the same.
    ///
    /// - Parameter row: The row as it was read. A change since is refused with the status 412.
    /// - Throws: ``RosterError``, or what the session throws.
    public func delete(_ row: RosterRow) async throws {
        _ = try await content(request(address(of: row), "DELETE", tag: row.etag))
    }

    /// Performs an action on a row.
    ///
    /// ```swift
    /// let outcome = try await client.perform("remind", on: row, with: ["days": 3])
    /// print(outcome.message ?? "done")
    /// ```
    ///
    /// - Parameters:
    ///   - action: The name of the action.
    ///   - row: The row.
    ///   - input: The values by the name of the input.
    /// - Returns: The outcome.
    /// - Throws: ``RosterError``, or what the session throws.
    public func perform(
        _ action: String,
        on row: RosterRow,
        with input: some Encodable = RosterValue.object([:])
    ) async throws -> RosterOutcome {
        let address = try address(of: row) + "/-/" + action
        return try await decoded(request(address, "POST", content: encoded(input)))
    }

    private struct Written: Decodable { let row: RosterRow }

    private func address(of row: RosterRow) throws -> String {
        guard let address = row.address else {
            throw RosterError.notUnderstood("row \(row.id) has no address")
        }
        return address
    }

    private func encoded(_ values: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return try encoder.encode(values)
    }
}

/// The outcome of an action.
public struct RosterOutcome: Hashable, Sendable, Decodable {
    /// `done`, `removed`, `redirected` or `moved`.
    public let outcome: String
    /// The message of the program.
    public let message: String?
    /// The address to which the action leads.
    public let location: String?
}
