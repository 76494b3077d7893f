public import DuxStore
public import Foundation

/// Something to do: a row of the list.
public struct Todo: Codable, Equatable, Sendable, Identifiable {
  /// How much it matters.
  public enum Priority: String, Codable, CaseIterable, Sendable {
    case low, normal, high
  }

  /// What may be asked of one todo.
  public enum Action: Codable, Equatable, Sendable {
    case rename(String)
    case toggle
    case remove
    /// Sets one of ``Todo/fields``, as a form on a screen does.
    case set(BindingAction<Todo>)
  }

  /// What it is known by, whatever its title.
  public let id: UUID
  /// What is to be done, in one line.
  public internal(set) var title: String
  /// What else there is to say of it.
  public var notes = ""
  /// How much it matters.
  public var priority = Priority.normal
  /// Whether it is done.
  public internal(set) var isCompleted = false
  /// When it was added.
  public let created: Date
}

extension Todo: Bindable {
  /// What may be set as it is; the title has an action of its own, since it obeys more rules.
  public static var fields: [BindableField<Todo>] {
    [
      BindableField("notes", \.notes) { try checkLength(of: "the notes", $0, limit: 10_000) },
      BindableField("priority", \.priority),
    ]
  }
}

extension Todo {
  /// A title as it is kept: without space around it.
  ///
  /// - Throws: a `Rejection` for one that says nothing or too much.
  static func title(_ text: String) throws -> String {
    let title = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !title.isEmpty else {
      throw Rejection(reason: "empty_title", message: "a todo needs a title, this one is empty")
    }
    try checkLength(of: "the title", title, limit: 200)
    return title
  }

  private static func checkLength(of part: String, _ text: String, limit: Int) throws {
    guard text.count <= limit else {
      throw Rejection(
        reason: "too_long",
        message: "\(part) may have \(limit) characters and has \(text.count)")
    }
  }
}
