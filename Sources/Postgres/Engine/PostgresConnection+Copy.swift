import Bytes
import CPostgres
import Glibc

/// `COPY … FROM STDIN`: rows that the server receives without a response to each.
extension PostgresConnection {
    /// The caller must end with ``endCopy(until:)``.
    func beginCopy(
        _ sql: String,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        // SAFETY: the text outlives the call.
        try check(unsafe cpostgres_send_query(pointer, sql))
        guard let result = try next(until: deadline) else { throw lost() }
        guard !result.isCopying else { return }
        // The error follows the results.
        _ = try answer(until: deadline, after: result)
        throw lost()
    }

    /// The server reports errors at the end.
    ///
    /// The rows are sent before this returns, so that libpq does not hold them in memory.
    func copy(
        _ rows: borrowing ByteBuffer,
        until deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        let sent = unsafe rows.withUnsafeBytes { bytes in
            // SAFETY: libpq copies the bytes during the call.
            unsafe cpostgres_put_copy_data(
                pointer,
                bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                Int32(bytes.count)
            )
        }
        guard sent == 1 else { throw lost() }
        while true {
            // SAFETY: libpq keeps the pointer valid until deinit.
            let rest = unsafe cpostgres_flush(pointer)
            if rest < 0 { throw lost() }
            if rest == 0 { return }
            guard try wait(for: Int16(POLLIN) | Int16(POLLOUT), until: deadline) else {
                throw lost()
            }
            guard unsafe cpostgres_consume(pointer) == 1 else { throw lost() }
        }
    }

    /// After an error, no row was copied.
    func endCopy(until deadline: ContinuousClock.Instant) throws(PostgresError) -> Int {
        // SAFETY: libpq keeps the pointer valid until deinit.
        guard unsafe cpostgres_put_copy_end(pointer) == 1 else { throw lost() }
        return try answer(until: deadline).changedRows
    }
}
