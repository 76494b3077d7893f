import DuxStore
public import Foundation

/// What was entered in a form, whether somebody looks at it now or not.
public struct SignUpDraft: Codable, Equatable, Sendable, Identifiable {
  /// How far it is.
  public enum Status: String, Codable, Sendable {
    case editing
    /// It is on its way.
    case submitting
    case submitted
    /// It did not arrive; it can be changed and sent in again.
    case failed
  }

  /// The id of the flow that it is entered in.
  public let id: UUID
  /// Empty until it is entered.
  public internal(set) var firstName = ""
  /// Empty until it is entered.
  public internal(set) var lastName = ""
  /// As `1990-12-31`; empty until it is entered.
  public internal(set) var dateOfBirth = ""
  /// One of ``jobs``; empty until it is chosen.
  public internal(set) var job = ""
  /// How far it is.
  public internal(set) var status = Status.editing

  init(id: UUID) {
    self.id = id
  }

  /// What there is to choose from.
  public static let jobs = ["Actor", "Baker", "Carpenter", "Developer", "Engineer"]
}

extension SignUpDraft {
  /// Enters what a step says, and checks what it needs to go on.
  ///
  /// - Returns: whether it is to be sent in.
  /// - Throws: a `Rejection` for what can't be entered, or what is missing.
  mutating func take(_ action: SignUpStep.Action) throws -> Bool {
    switch action {
    case .name(.enter(let first, let last)): try enter(first: first, last: last)
    case .name(.complete(let first, let last)):
      try enter(first: first, last: last)
      try needName()
    case .dateOfBirth(.enter(let text)): try enter(dateOfBirth: text)
    case .dateOfBirth(.complete(let text)):
      try enter(dateOfBirth: text)
      try needDateOfBirth()
    case .job(.choose(let job)), .job(.complete(let job)): try choose(job)
    case .final(.submit): return try submit()
    case .final(.change), .final(.done): break
    }
    return false
  }

  private mutating func enter(first: String, last: String) throws {
    try edit()
    (firstName, lastName) = (try Self.name(first), try Self.name(last))
  }

  private mutating func enter(dateOfBirth text: String) throws {
    try edit()
    dateOfBirth = text.isEmpty ? "" : try Self.date(text)
  }

  private mutating func choose(_ job: String) throws {
    try edit()
    guard Self.jobs.contains(job) else {
      throw Rejection(
        reason: "unknown_job",
        message: "a job is one of \(Self.jobs.joined(separator: ", ")), not \"\(job.prefix(80))\"")
    }
    self.job = job
  }

  private func needName() throws {
    try need(!firstName.isEmpty && !lastName.isEmpty, "a first and a last name")
  }

  private func needDateOfBirth() throws { try need(!dateOfBirth.isEmpty, "a date of birth") }

  private mutating func submit() throws -> Bool {
    try needName()
    try needDateOfBirth()
    try need(!job.isEmpty, "a job")
    try edit()
    status = .submitting
    return true
  }

  /// What is on its way, or was taken, is changed no more.
  private mutating func edit() throws {
    switch status {
    case .editing, .failed: status = .editing
    case .submitting:
      throw Rejection(reason: "submitting", message: "the form is on its way")
    case .submitted:
      throw Rejection(reason: "submitted", message: "the form was sent in")
    }
  }

  private func need(_ isThere: Bool, _ what: String) throws {
    guard isThere else {
      throw Rejection(reason: "incomplete", message: "the form needs \(what)")
    }
  }

  private static func name(_ text: String) throws -> String {
    let name = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard name.count <= 100 else {
      throw Rejection(
        reason: "too_long", message: "a name may have 100 characters and has \(name.count)")
    }
    return name
  }

  private static func date(_ text: String) throws -> String {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
    }
    guard parts.map(\.count) == [4, 2, 2], numbers.count == 3, (1...12).contains(numbers[1]),
      (1...days(in: numbers[1], of: numbers[0])).contains(numbers[2])
    else {
      throw Rejection(
        reason: "bad_date",
        message: "a date is written as 1990-12-31, not \"\(text.prefix(80))\"")
    }
    return text
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2:
      year.isMultiple(of: 400) || (year.isMultiple(of: 4) && !year.isMultiple(of: 100)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
