import DuxJSON
import DuxStore
import Foundation

enum TodosAction: Codable, Equatable, Sendable {
  case clear
  case add(title: String, tags: [String], due: Date?)
  case rename(String)
  case score(Int8)
  case filter(Filter)
  case theme(Theme)
  case row(id: String, action: RowAction)
  case note(String?)
  case payload(JSON)
}

enum Filter: Codable, Equatable, Sendable {
  case all
  case tagged(String)
  case both(first: Int, second: Int)
}

enum Theme: String, Codable, Equatable, Sendable { case dark, light }

enum RowAction: Codable, Equatable, Sendable {
  case toggle
  case rename(String)
  case move(by: Int, quickly: Bool)
  case cell(column: UInt8, action: CellAction)
  case again(CellAction)
}

enum CellAction: Codable, Equatable, Sendable {
  case clear
  case set(JSON)
  case style(bold: Bool?, size: Double?)
}

struct Wrapped: Codable, Equatable, Sendable {
  var _0: Int
  var name: String?
}

indirect enum Expression: Codable, Equatable, Sendable {
  case number(Double)
  case negative(Expression)
  case sum(Expression, Expression)
}

enum Outcome<Value: Codable & Equatable & Sendable>: Codable, Equatable, Sendable {
  case success(Value)
  case failure(code: Int, reason: String)
}

/// An action with every shape of associated values.
enum AppAction: Codable, Equatable, Sendable {
  case start
  case todos(TodosAction)
  case other(action: RowAction)
  case pair(TodosAction, Int)
  case pairOrNothing(TodosAction?, id: String?)
  case maybe(TodosAction?)
  case many([Filter])
  case byName([String: Filter])
  case wrapped(Wrapped)
  case optionalWrapped(Wrapped?)
  case loaded(Outcome<[Int]>)
  case loadedMaybe(Outcome<TodosAction?>)
  case loadedAction(Outcome<TodosAction>)
  case expression(Expression)
  case number(Double)
  case identified(UUID, URL, Data, Decimal)
  case labelled(action: String)
  case été(Int)
  case custom(Point)
  case circle(OldStyle)
}

/// A value with a coding of its own in a single value container.
struct Point: Codable, Equatable, Sendable {
  var x: Int
  var y: Int

  init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }

  init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    x = try container.decode(Int.self)
    y = try container.decode(Int.self)
    guard container.isAtEnd else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "a point has two coordinates")
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    try container.encode(x)
    try container.encode(y)
  }
}

/// An enum coded by hand as those before Swift 5.5 were: by the first of all keys.
enum OldStyle: Codable, Equatable, Sendable {
  case radius(Int)
  case size(width: Int, height: Int)

  enum CodingKeys: CodingKey { case radius, size }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    switch container.allKeys.first {
    case .radius?: self = .radius(try container.decode(Int.self, forKey: .radius))
    case .size?:
      var numbers = try container.nestedUnkeyedContainer(forKey: .size)
      self = .size(width: try numbers.decode(Int.self), height: try numbers.decode(Int.self))
    case nil:
      throw DecodingError.dataCorrupted(
        DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "no shape"))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .radius(let radius): try container.encode(radius, forKey: .radius)
    case .size(let width, let height):
      var numbers = container.nestedUnkeyedContainer(forKey: .size)
      try numbers.encode(width)
      try numbers.encode(height)
    }
  }
}

/// A wire form of an action as JSON, for comparing.
func wire(_ action: some Encodable) throws -> JSON {
  let (type, payload) = try ActionCoder.encode(action)
  var object: JSONObject = ["type": .string(type)]
  object["payload"] = payload
  return .object(object)
}
