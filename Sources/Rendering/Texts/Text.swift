/// A text of the program in English.
package typealias Text = String
