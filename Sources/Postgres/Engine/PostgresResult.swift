import CPostgres
import Listings

/// The records that a statement gave.
@safe
final class PostgresResult {
    private let pointer: OpaquePointer
    /// The number of records.
    let count: Int
    /// The numbers of the columns' types (`pg_type.oid`).
    let types: [UInt32]

    /// Takes a result of libpq, to be cleared by nobody else.
    @unsafe
    init(owning pointer: OpaquePointer) {
        // SAFETY: the caller gives the result away.
        unsafe self.pointer = unsafe pointer
        count = unsafe Int(cpostgres_rows(pointer))
        types = unsafe (0..<cpostgres_columns(pointer)).map { unsafe cpostgres_type(pointer, $0) }
    }

    deinit {
        // SAFETY: owned by this object alone.
        unsafe cpostgres_clear(pointer)
    }

    /// Why there are no records; nil where the statement was run.
    var refusal: PostgresError? {
        // SAFETY: the result lives as long as this object; texts are copied at once.
        switch unsafe Int(cpostgres_result_status(pointer)) {
        case CPOSTGRES_EMPTY_QUERY, CPOSTGRES_COMMAND_OK,
            CPOSTGRES_TUPLES_OK:
            return nil
        default:
            let state = field("C")
            let message = field("M")
            return state.isEmpty
                ? .lost(reason: message) : .refused(state: state, message: message)
        }
    }

    /// A field of a refusal; empty where it has none.
    func field(_ name: Unicode.Scalar) -> String {
        // SAFETY: the text is the result's and copied at once.
        let text = unsafe cpostgres_error_field(pointer, Int32(name.value))
        return unsafe text.map { unsafe String(cString: $0) } ?? ""
    }

    /// Whether a record has no value under a column.
    func isNull(_ row: Int, _ column: Int) -> Bool {
        // SAFETY: libpq checks both places.
        unsafe cpostgres_is_null(pointer, Int32(row), Int32(column)) != 0
    }

    /// Lends the text of a value; empty for null.
    func withText<R>(_ row: Int, _ column: Int, _ body: (borrowing Span<UInt8>) -> R) -> R {
        precondition(row < count && column < types.count, "\(row), \(column) of \(count)")
        // SAFETY: the place was checked; the text is the result's, which lives for the call.
        let start = unsafe cpostgres_value(pointer, Int32(row), Int32(column))
        let length = unsafe Int(cpostgres_length(pointer, Int32(row), Int32(column)))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
        return body(unsafe Span(_unsafeBytes: bytes))
    }

    /// A copy of the text of a value; nil for null.
    func text(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : withText(row, column) { String(decoding: $0) }
    }
}
