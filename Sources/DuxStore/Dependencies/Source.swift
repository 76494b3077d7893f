package import DuxJSON
import Synchronization

/// Where a reducer gets a value that the state and the action do not determine: the time, an
/// identifier, chance, or anything of the app's own.
///
/// What a source gives while a store reduces is written down with the action, and a replay gives
/// the same again. So a reducer that takes time and chance from sources alone is still a function.
public struct Source<Value: Codable & Sendable>: Sendable {
  /// Names the source in the log; no two sources of an app share a name.
  public let name: String
  private let make: @Sendable () -> Value

  /// Makes a source.
  public init(_ name: String, _ make: @escaping @Sendable () -> Value) {
    self.name = name
    self.make = make
  }

  /// The next value.
  public func callAsFunction() -> Value {
    DependencyValues.current.record?.next(of: name, make) ?? make()
  }

  /// A source that reports an issue when it is used, and gives `placeholder` then.
  public static func failing(_ name: String, placeholder: Value) -> Source {
    Source(name) {
      unforeseen(name)
      return placeholder
    }
  }
}

/// What sources gave while one step was reduced: written live, read in a replay.
package final class InputRecord: Sendable {
  private struct Content {
    var values: [String: [JSON]]
    var taken: [String: Int] = [:]
    var fault: String?
  }

  private enum Use {
    case write
    case replay
    /// Read as far as it goes, then written on.
    case proceed
  }

  private let content: Mutex<Content>
  private let use: Use

  /// An empty record, to be written.
  package init() {
    content = Mutex(Content(values: [:]))
    use = .write
  }

  /// A record to be read.
  package init(replaying values: [String: [JSON]]) {
    content = Mutex(Content(values: values))
    use = .replay
  }

  /// A record to be read as far as it goes and written on, for a step that is reduced again in
  /// another state.
  package init(continuing values: [String: [JSON]]) {
    content = Mutex(Content(values: values))
    use = .proceed
  }

  /// What was given, by the source's name, in order.
  package var values: [String: [JSON]] { content.withLock { $0.values } }

  /// Why a replay is not the original, or why a value could not be written.
  package var fault: String? { content.withLock { $0.fault } }

  func next<Value: Codable>(of name: String, _ make: () -> Value) -> Value {
    switch use {
    case .write: return written(of: name, make)
    case .replay: return replayed(of: name) ?? make()
    case .proceed:
      return hasMore(of: name) ? replayed(of: name) ?? make() : written(of: name, make)
    }
  }

  private func hasMore(of name: String) -> Bool {
    content.withLock { $0.taken[name, default: 0] < ($0.values[name]?.count ?? 0) }
  }

  private func replayed<Value: Codable>(of name: String) -> Value? {
    do {
      return try StateCoder.decode(Value.self, from: try taken(from: name))
    } catch {
      note("\(name): \(error)")
      return nil
    }
  }

  private func written<Value: Codable>(of name: String, _ make: () -> Value) -> Value {
    let value = make()
    do {
      let json = try StateCoder.encode(value)
      content.withLock { content in
        content.values[name, default: []].append(json)
        content.taken[name, default: 0] += 1
      }
      return try StateCoder.decode(Value.self, from: json)
    } catch {
      note("\(name): \(error)")
      return value
    }
  }

  private struct Exhausted: Error, CustomStringConvertible {
    let count: Int
    var description: String { "asked more often than the \(count) times on record" }
  }

  private func taken(from name: String) throws -> JSON {
    try content.withLock { content in
      let index = content.taken[name, default: 0]
      let values = content.values[name] ?? []
      guard index < values.count else { throw Exhausted(count: values.count) }
      content.taken[name] = index + 1
      return values[index]
    }
  }

  private func note(_ fault: String) {
    content.withLock { $0.fault = $0.fault ?? fault }
  }
}
