import Synchronization

/// A field that makes the compiler borrow its struct by address.
///
/// The compiler copies a large struct for many reads of one field, because its bits can be moved.
/// An atomic value has a fixed address, so its struct is never copied to be read.
package struct AddressOnly: ~Copyable, Sendable {
    private let address = Atomic<Bool>(false)

    /// Creates a field that says nothing else.
    package init() {}
}
