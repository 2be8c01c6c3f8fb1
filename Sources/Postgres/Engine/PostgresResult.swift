import CPostgres
import Listings

@safe
final class PostgresResult {
    private let pointer: OpaquePointer
    let count: Int
    /// The type numbers of the columns (`pg_type.oid`).
    let types: [UInt32]

    @unsafe
    init(owning pointer: OpaquePointer) {
        // SAFETY: the caller transfers ownership of the result.
        unsafe self.pointer = unsafe pointer
        count = unsafe Int(cpostgres_rows(pointer))
        types = unsafe (0..<cpostgres_columns(pointer)).map { unsafe cpostgres_type(pointer, $0) }
    }

    deinit {
        // SAFETY: this object alone owns the result.
        unsafe cpostgres_clear(pointer)
    }

    var refusal: PostgresError? {
        // SAFETY: the result lives as long as this object, and texts are copied immediately.
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

    /// Whether the server waits for the rows of a `COPY`.
    var isCopying: Bool {
        // SAFETY: the result lives as long as this object.
        unsafe Int(cpostgres_result_status(pointer)) == CPOSTGRES_COPY_IN
    }

    var changedRows: Int {
        // SAFETY: the result owns the text, which is copied immediately.
        let digits = unsafe cpostgres_changed_rows(pointer).map { unsafe String(cString: $0) }
        return digits.flatMap { Int($0) } ?? 0
    }

    func field(_ name: Unicode.Scalar) -> String {
        // SAFETY: the result owns the text, which is copied immediately.
        let text = unsafe cpostgres_error_field(pointer, Int32(name.value))
        return unsafe text.map { unsafe String(cString: $0) } ?? ""
    }

    func isNull(_ row: Int, _ column: Int) -> Bool {
        // SAFETY: libpq checks both indices.
        unsafe cpostgres_is_null(pointer, Int32(row), Int32(column)) != 0
    }

    /// Null is empty.
    ///
    /// The text is valid during the call.
    func withText<R>(_ row: Int, _ column: Int, _ body: (borrowing Span<UInt8>) -> R) -> R {
        precondition(row < count && column < types.count, "\(row), \(column) of \(count)")
        // SAFETY: the indices are checked. The text belongs to the result, which outlives the call.
        let start = unsafe cpostgres_value(pointer, Int32(row), Int32(column))
        let length = unsafe Int(cpostgres_length(pointer, Int32(row), Int32(column)))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
        return body(unsafe Span(_unsafeBytes: bytes))
    }

    func text(_ row: Int, _ column: Int) -> String? {
        isNull(row, column) ? nil : withText(row, column) { String(decoding: $0) }
    }
}
