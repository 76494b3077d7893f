import Testing

@testable import DuxJSON

/// Values looked at where they lie; that relies on how the compiler lays out an enum.
struct PlacedJSONTests {
  @Test func `every kind of value is what it is where it lies`() {
    let text = "a string that is too long for the value itself"
    let values: [JSON] = [
      .null, .bool(true), .bool(false), .integer(-1), .double(0.5), .string("short"), .string(text),
      [], [1, "two"], [:], ["name": "value"],
    ]
    values.withUnsafeBufferPointer { places in
      for index in places.indices {
        guard let base = places.baseAddress else { continue }
        #expect(Self.copy(of: PlacedJSON(base + index)) == places[index])
      }
    }
  }

  @Test func `a container is changed where it lies`() {
    var object: JSON = ["a": 1]
    var array: JSON = [1]
    withUnsafeMutablePointer(to: &object) { PlacedJSON.object(at: $0).pointee["b"] = 2 }
    withUnsafeMutablePointer(to: &array) { PlacedJSON.array(at: $0).pointee.append(2) }
    #expect(object == ["a": 1, "b": 2])
    #expect(array == [1, 2])
    withUnsafeMutablePointer(to: &object) {
      for key in ["a", "b"] { PlacedJSON.object(at: $0).pointee[key] = nil }
    }
    #expect(object == [:])
  }

  private static func copy(of placed: PlacedJSON) -> JSON {
    switch placed.form {
    case .null: .null
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .string(let text): .string(text.pointee)
    case .array(let root):
      .array(JSONArray(tree: Tree(root: root?.takeUnretainedValue())))
    case .object(let root):
      .object(JSONObject(tree: Tree(root: root?.takeUnretainedValue())))
    }
  }
}
