/// The texts that people are told on forms.
enum FormText {
    static let id = "ID (made if empty)"
    static let changedMeanwhile =
        "Somebody has changed the row meanwhile. Nothing was written. What stands below is yours; "
        + "where the row has another value by now, it is told beside. Saving again writes yours."
    static let changedBeforeRemoval =
        "Somebody has changed the row meanwhile. Nothing was removed. Asking again removes it."

    static func notStored(_ count: Int) -> String {
        count == 1
            ? "A value cannot be stored; nothing was written."
            : "\(count) values cannot be stored; nothing was written."
    }
}
