import DuxJSON
import DuxLog

/// The members of a request, read with errors that name the member, its rule and what was there.
struct Fields {
  private let object: JSONObject

  init(_ object: JSONObject) {
    self.object = object
  }

  func json(_ name: String) -> JSON? {
    object[name]
  }

  func string(_ name: String) throws(RequestError) -> String {
    guard let text = try optionalString(name) else { throw missing(name) }
    return text
  }

  func integer(_ name: String) throws(RequestError) -> Int64 {
    guard let number = try optionalInteger(name) else { throw missing(name) }
    return number
  }

  func optionalString(_ name: String) throws(RequestError) -> String? {
    guard let value = object[name] else { return nil }
    guard let text = value.stringValue else { throw wrong(name, value, should: "a string") }
    return text
  }

  func optionalInteger(_ name: String) throws(RequestError) -> Int64? {
    guard let value = object[name] else { return nil }
    guard let number = value.integerValue else {
      throw wrong(name, value, should: "an integer")
    }
    return number
  }

  func optionalBool(_ name: String) throws(RequestError) -> Bool? {
    guard let value = object[name] else { return nil }
    guard let bool = value.boolValue else { throw wrong(name, value, should: "true or false") }
    return bool
  }

  func optionalArray(_ name: String) throws(RequestError) -> JSONArray? {
    guard let value = object[name] else { return nil }
    guard let array = value.arrayValue else { throw wrong(name, value, should: "an array") }
    return array
  }

  func optionalSeq(_ name: String) throws(RequestError) -> SequenceNumber? {
    guard let number = try optionalInteger(name) else { return nil }
    guard number >= 0 else {
      throw RequestError(.badRequest, "\"\(name)\" is a sequence number from 0 up, not \(number)")
    }
    return SequenceNumber(number)
  }

  /// A wait in milliseconds, held to what can be waited: 0 to a day.
  func optionalWait(_ name: String) throws(RequestError) -> Int64? {
    try optionalInteger(name).map { min(max(0, $0), 86_400_000) }
  }

  /// The member `path`; the root where there is none.
  func path() throws(RequestError) -> JSONPointer {
    guard let text = try optionalString("path") else { return .root }
    do throws(JSONPointerError) {
      return try JSONPointer(text)
    } catch {
      throw RequestError(.badRequest, "\"path\": \(error)")
    }
  }

  func id() throws(RequestError) -> RequestID? {
    switch object["id"] {
    case nil: return nil
    case .string(let text)?: return .string(text)
    case .integer(let number)?: return .integer(number)
    case let other?: throw wrong("id", other, should: "a string or an integer")
    }
  }

  private func missing(_ name: String) -> RequestError {
    RequestError(.badRequest, "the request lacks \"\(name)\"")
  }

  private func wrong(_ name: String, _ value: JSON, should: String) -> RequestError {
    RequestError(.badRequest, "\"\(name)\" must be \(should), this is \(value.shortened)")
  }
}

extension JSON {
  /// The canonical text, as much of it as a message should hold.
  var shortened: String {
    let text = description
    // Counted in scalars, as one character can be made of any number of them.
    return text.utf8.count > 60 ? String(text.unicodeScalars.prefix(60)) + "…" : text
  }
}
