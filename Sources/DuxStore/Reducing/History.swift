import DuxJSON

/// What each author has done and can take back, as a part of the state.
///
/// It lies in the state so that it survives restarts and reaches everybody; ``Reducer/undoable(_:history:action:limits:entry:)``
/// keeps it. For each step it holds what changed, by path, and what it was before: never a whole
/// state, unless a step changed all of it. A new step adds one member to it in JSON:
///
/// ```json
/// {"authors":{"ann":{"undo":{"000000000017":{"changes":{"/title":{"was":"a","now":"b"}}}},"redo":{}}},"next":18}
/// ```
public struct History: Equatable, Sendable {
  /// By author: the steps that can be taken back and made again, each under its number.
  var authors = JSONObject()
  /// The number of the next step of anybody.
  var next: Int64 = 1

  /// Makes a history in which nothing happened.
  public init() {}

  /// The steps that an author can take back.
  public func undoCount(of author: String) -> Int { steps(.undo, of: author).count }

  /// The steps that an author can make again.
  public func redoCount(of author: String) -> Int { steps(.redo, of: author).count }
}

extension History: Codable {
  private enum CodingKeys: CodingKey { case authors, next }

  /// Reads a history.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    next = try container.decode(Int64.self, forKey: .next)
    guard case .object(let authors) = try container.decode(JSON.self, forKey: .authors) else {
      throw DecodingError.dataCorruptedError(
        forKey: .authors, in: container, debugDescription: "the authors are an object")
    }
    self.authors = authors
  }

  /// Writes a history.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(JSON.object(authors), forKey: .authors)
    try container.encode(next, forKey: .next)
  }
}

/// One of an author's two lists of steps.
enum HistorySide: String {
  case undo, redo
}

/// A step as it lies in the history.
struct HistoryStep {
  var key: String
  var changes: ContentChanges
  /// What further actions may join it by.
  var group: String?
}

extension History {
  /// An author's steps by number, which has as many digits in all so that their order is by bytes.
  func steps(_ side: HistorySide, of author: String) -> JSONObject {
    authors[author]?[side.rawValue]?.objectValue ?? JSONObject()
  }

  /// The step that comes next on a side: the latest to take back, the earliest to make again.
  ///
  /// - Complexity: O(steps of the author), which are limited.
  func top(_ side: HistorySide, of author: String) throws(Rejection) -> HistoryStep? {
    let steps = steps(side, of: author)
    var iterator = steps.makeIterator()
    var found = iterator.next()
    if side == .undo { while let later = iterator.next() { found = later } }
    guard let found else { return nil }
    guard let json = found.value["changes"], let changes = ContentChanges(json: json) else {
      throw Rejection(
        reason: "failed", message: "step \(found.key) of the history of \(author) is unreadable")
    }
    return HistoryStep(
      key: found.key, changes: changes, group: found.value["group"]?.stringValue)
  }

  /// Puts a step on a side, in place of one with its number.
  mutating func put(_ step: HistoryStep, on side: HistorySide, of author: String) {
    var json = JSONObject()
    json["changes"] = step.changes.json
    json["group"] = step.group.map { .string($0) }
    set(.object(json), step.key, on: side, of: author)
  }

  /// Takes the step with a number off a side.
  mutating func remove(_ key: String, from side: HistorySide, of author: String) {
    set(nil, key, on: side, of: author)
  }

  /// Adds a new step of an author, who can then make nothing again, and drops what is too much.
  mutating func push(
    _ changes: ContentChanges, group: String?, by author: String, _ limits: HistoryLimits
  ) {
    if redoCount(of: author) > 0 { setSteps(JSONObject(), .redo, of: author) }
    let digits = String(next)
    let key = String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
    next &+= 1
    put(HistoryStep(key: key, changes: changes, group: group), on: .undo, of: author)
    var steps = steps(.undo, of: author)
    while steps.count > limits.depth, let oldest = steps.first(where: { _ in true }) {
      steps[oldest.key] = nil
      remove(oldest.key, from: .undo, of: author)
    }
    while authors.count > limits.authors, let quiet = quietest(but: author) {
      authors[quiet] = nil
    }
  }

  private mutating func set(
    _ value: JSON?, _ key: String, on side: HistorySide, of author: String
  ) {
    var steps = steps(side, of: author)
    steps[key] = value
    setSteps(steps, side, of: author)
  }

  private mutating func setSteps(_ steps: JSONObject, _ side: HistorySide, of author: String) {
    var sides = authors[author]?.objectValue ?? ["undo": [:], "redo": [:]]
    sides[side.rawValue] = .object(steps)
    authors[author] = .object(sides)
  }

  /// The author whose last step is the oldest.
  private func quietest(but active: String) -> String? {
    let others = authors.filter { !$0.key.utf8.elementsEqual(active.utf8) }
    return others.min { latest(of: $0.key) < latest(of: $1.key) }?.key
  }

  private func latest(of author: String) -> String {
    [HistorySide.undo, .redo].flatMap { steps($0, of: author).map(\.key) }.max() ?? ""
  }
}
