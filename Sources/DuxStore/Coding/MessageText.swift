import DuxJSON

// Texts from outside as messages show them.

/// Text in double quotes, escaped as JSON does.
func quoted(_ text: String) -> String {
  JSON.string(text).description
}

/// The start of a text that is long.
func clipped(_ text: String) -> String {
  // Counted in scalars, as one character can be made of any number of them.
  text.utf8.count <= 120 ? text : String(text.unicodeScalars.prefix(60)) + "…"
}
