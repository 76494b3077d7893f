import DuxJSON
import DuxStore
import Foundation
import Testing

extension Generator {
  /// A type that is often nearly right.
  fileprivate mutating func type() -> String {
    let parts = [
      "start", "todos", "other", "pair", "pairOrNothing", "maybe", "many", "byName", "wrapped",
      "optionalWrapped", "loaded", "loadedMaybe", "loadedAction", "expression", "number",
      "identified", "labelled", "été", "custom", "circle", "clear", "add", "rename", "score",
      "filter", "theme", "row", "note", "payload", "all", "tagged", "both", "toggle", "move",
      "cell",
      "again", "set", "style", "success", "failure", "negative", "sum", "", "_0", "action", "%2F",
      "@@init", "\u{0}", "radius", "x",
    ]
    return (0...below(5)).map { _ in parts[below(parts.count)] }.joined(separator: "/")
  }

  fileprivate mutating func json(depth: Int = 0) -> JSON {
    let keys = [
      "_0", "_1", "_2", "_3", "action", "id", "title", "tags", "due", "first", "second", "by",
      "quickly", "column", "bold", "size", "name", "code", "reason", "clear", "rename", "number",
      "negative", "sum", "", "tagged", "radius", "x/~",
    ]
    switch below(depth > 4 ? 6 : 9) {
    case 0: return .null
    case 1: return .bool(below(2) == 0)
    case 2: return .integer([0, 1, -1, 127, 128, 255, 256, .max, .min][below(9)])
    case 3: return .double([0, 0.5, -1e300, .leastNonzeroMagnitude, 1e19][below(5)])
    case 4, 5: return .string(["", "x", "dark", "a", "2025-01-01", "é"][below(6)])
    case 6: return .array(JSONArray((0..<below(4)).map { _ in json(depth: depth + 1) }))
    default:
      var object = JSONObject()
      for _ in 0..<below(5) { object[keys[below(keys.count)]] = json(depth: depth + 1) }
      return .object(object)
    }
  }

  fileprivate mutating func row() -> RowAction {
    switch below(5) {
    case 0: .toggle
    case 1: .rename(String(below(100)))
    case 2: .move(by: below(1000) - 500, quickly: below(2) == 0)
    case 3: .cell(column: UInt8(below(256)), action: cell())
    default: .again(cell())
    }
  }

  fileprivate mutating func cell() -> CellAction {
    switch below(3) {
    case 0: .clear
    case 1: .set(json())
    default: .style(bold: [nil, true, false][below(3)], size: [nil, 1, 0.1][below(3)])
    }
  }

  fileprivate mutating func todos() -> TodosAction {
    switch below(8) {
    case 0: .clear
    case 1: .add(title: "t\(below(9))", tags: ["a"], due: Date(timeIntervalSince1970: 5))
    case 2: .score(Int8(below(256) - 128))
    case 3: .filter([.all, .tagged("x"), .both(first: 1, second: 2)][below(3)])
    case 4: .theme(.light)
    case 5: .row(id: "r\(below(9))", action: row())
    case 6: .note([nil, "x"][below(2)])
    default: .payload(json())
    }
  }

  fileprivate mutating func expression(depth: Int = 0) -> Expression {
    switch below(depth > 5 ? 1 : 3) {
    case 0: .number(Double(below(100)) / 8)
    case 1: .negative(expression(depth: depth + 1))
    default: .sum(expression(depth: depth + 1), expression(depth: depth + 1))
    }
  }

  fileprivate mutating func appAction() -> AppAction {
    switch below(12) {
    case 0, 1, 2: .todos(todos())
    case 3: .other(action: row())
    case 4: .pair(todos(), below(9))
    case 5: .pairOrNothing([nil, todos()][below(2)], id: [nil, "x"][below(2)])
    case 6: .maybe([nil, todos()][below(2)])
    case 7: .many([.all, .tagged("x")])
    case 8: .optionalWrapped([nil, Wrapped(_0: below(9), name: nil)][below(2)])
    case 9: .loadedAction(.success(todos()))
    case 10: .loadedMaybe(.success([nil, todos()][below(2)]))
    default: .expression(expression())
    }
  }
}

struct CodingFuzzTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func anyTypeAndPayloadGiveAnActionOrAFailure(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    var read = 0
    for _ in 0..<3_000 {
      let type = generator.type()
      let payload: JSON? = generator.below(4) == 0 ? JSON?.none : generator.json()
      do throws(CodingFailure) {
        let action = try ActionCoder.decode(AppAction.self, type: type, payload: payload)
        read += 1
        let (again, canonical) = try ActionCoder.encode(action)
        #expect(again == type)
        #expect(
          try ActionCoder.decode(AppAction.self, type: again, payload: canonical) == action)
      } catch {
        #expect(error.kind != .unencodable)
        #expect(!error.message.isEmpty)
      }
    }
    #expect(read > 10)
  }

  @Test(arguments: 0..<8 as Range<UInt64>)
  func anyActionComesBackFromItsForm(seed: UInt64) throws {
    var generator = Generator(seed: seed)
    for _ in 0..<500 {
      let action = generator.appAction()
      let (type, payload) = try ActionCoder.encode(action)
      #expect(try ActionCoder.decode(AppAction.self, type: type, payload: payload) == action)
      let value = try StateCoder.encode(action)
      #expect(try StateCoder.decode(AppAction.self, from: value) == action)
    }
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func anyJSONGivesAStateOrAFailure(seed: UInt64) {
    var generator = Generator(seed: seed)
    for _ in 0..<3_000 {
      let json = generator.json()
      _ = try? StateCoder.decode(TodosAction.self, from: json)
      _ = try? StateCoder.decode([String: Filter].self, from: json)
      _ = try? StateCoder.decode([Expression].self, from: json)
      _ = try? StateCoder.decode([Int: Wrapped].self, from: json)
    }
  }
}
