import DuxJSON
import DuxStore
import Testing

struct DocumentActionTests {
  @Test func `set puts a value at a path and makes missing parents, objects always`() throws {
    #expect(
      try document([:], after: "doc/set", ["path": "/a/0/b", "value": 1])
        == ["a": ["0": ["b": 1]]])
    #expect(try document(["a": 1], after: "doc/set", ["path": "/a", "value": nil]) == ["a": nil])
    #expect(
      try document(["a": [1, 2]], after: "doc/set", ["path": "/a/1", "value": [:]]) == [
        "a": [1, [:]]
      ])
    #expect(
      try document(["a": [[:]]], after: "doc/set", ["path": "/a/0/x/y", "value": 1]) == [
        "a": [["x": ["y": 1]]]
      ])
    #expect(try document(["a": 1], after: "doc/set", ["path": "", "value": ["b": 2]]) == ["b": 2])
    #expect(try document([:], after: "doc/set", ["path": "/", "value": 1]) == ["": 1])
    #expect(
      try document([:], after: "doc/set", ["path": "/a~1b/m~0n", "value": 1]) == ["a/b": ["m~n": 1]]
    )
  }

  @Test func `remove takes a value away and moves later entries down`() throws {
    #expect(try document(["a": 1, "b": 2], after: "doc/remove", ["path": "/a"]) == ["b": 2])
    #expect(
      try document(["a": [1, 2, 3]], after: "doc/remove", ["path": "/a/1"]) == ["a": [1, 3]])
  }

  @Test func `merge follows RFC 7396, at the root too`() throws {
    #expect(
      try document(
        ["a": ["b": 1, "c": ["d": 2]]], after: "doc/merge",
        ["path": "/a", "value": ["b": nil, "c": ["e": 3], "f": [nil]]])
        == ["a": ["c": ["d": 2, "e": 3], "f": [nil]]])
    #expect(try document(["a": 1], after: "doc/merge", ["path": "", "value": ["a": nil]]) == [:])
    #expect(
      try document(["a": [1]], after: "doc/merge", ["path": "/a", "value": ["b": 1]]) == [
        "a": ["b": 1]
      ])
    #expect(
      try document(["a": ["b": 1]], after: "doc/merge", ["path": "/a", "value": 5]) == ["a": 5])
  }

  @Test func `patch carries out all operations of RFC 6902 in order`() throws {
    let operations: JSON = [
      ["op": "test", "path": "/a/0", "value": 1.0],
      ["op": "add", "path": "/a/-", "value": 2],
      ["op": "copy", "from": "/a", "path": "/b"],
      ["op": "move", "from": "/a/0", "path": "/c"],
      ["op": "replace", "path": "/b/0", "value": 9],
      ["op": "remove", "path": "/a"],
    ]
    #expect(
      try document(["a": [1]], after: "doc/patch", ["ops": operations]) == ["b": [9, 2], "c": 1])
    #expect(try document(["a": 1], after: "doc/patch", ["ops": []]) == ["a": 1])
  }

  @Test func `increment keeps integers exact and makes a double of anything with a double`() throws
  {
    #expect(try document(["a": 1], after: "doc/increment", ["path": "/a"]) == ["a": 2])
    #expect(try document(["a": 1], after: "doc/increment", ["path": "/a", "by": -3]) == ["a": -2])
    #expect(
      try document(["a": 1], after: "doc/increment", ["path": "/a", "by": 0.5]) == ["a": 1.5])
    #expect(
      try document(["a": 1.0], after: "doc/increment", ["path": "/a", "by": 1]) == ["a": 2.0])
    let big = Int64.max - 1
    #expect(
      try document(["a": .integer(big)], after: "doc/increment", ["path": "/a"])
        == ["a": .integer(.max)])
  }

  @Test func `append and insert lengthen an array`() throws {
    #expect(try document(["a": []], after: "doc/append", ["path": "/a", "value": 1]) == ["a": [1]])
    for index in 0...2 {
      var expected: [JSON] = [1, 2]
      expected.insert(0, at: index)
      #expect(
        try document(
          ["a": [1, 2]], after: "doc/insert",
          ["path": "/a", "index": .integer(Int64(index)), "value": 0])
          == ["a": .array(JSONArray(expected))])
    }
  }

  @Test func `members of a payload that nobody asked for are ignored`() throws {
    #expect(
      try document([:], after: "doc/set", ["path": "/a", "value": 1, "index": "x"]) == ["a": 1])
  }
}

struct DocumentRefusalTests {
  private static let state: JSON = ["list": [1], "text": "t", "number": 1, "object": ["x": 1]]

  private static let rejections: [(String, JSON, String)] = [
    ("doc/set", ["path": "/text/x", "value": 1], "not_a_container"),
    ("doc/set", ["path": "/text/x/y", "value": 1], "not_a_container"),
    ("doc/set", ["path": "/list/1", "value": 1], "index_out_of_range"),
    ("doc/set", ["path": "/list/-", "value": 1], "index_out_of_range"),
    ("doc/set", ["path": "/list/x", "value": 1], "index_out_of_range"),
    ("doc/set", ["path": "/list/00", "value": 1], "index_out_of_range"),
    ("doc/set", ["path": "/list/9/x", "value": 1], "index_out_of_range"),
    ("doc/set", ["path": "", "value": 1], "root_not_object"),
    ("doc/set", ["path": "", "value": []], "root_not_object"),
    ("doc/remove", ["path": ""], "root_removed"),
    ("doc/remove", ["path": "/none"], "missing"),
    ("doc/remove", ["path": "/list/1"], "missing"),
    ("doc/remove", ["path": "/list/-"], "missing"),
    ("doc/remove", ["path": "/text/x"], "missing"),
    ("doc/merge", ["path": "/none", "value": [:]], "missing"),
    ("doc/merge", ["path": "", "value": [1]], "root_not_object"),
    ("doc/increment", ["path": "/none"], "missing"),
    ("doc/increment", ["path": "/text"], "not_a_number"),
    ("doc/increment", ["path": "/number", "by": .integer(.max)], "overflow"),
    ("doc/append", ["path": "/none", "value": 1], "missing"),
    ("doc/append", ["path": "/object", "value": 1], "not_an_array"),
    ("doc/append", ["path": "", "value": 1], "not_an_array"),
    ("doc/insert", ["path": "/none", "index": 0, "value": 1], "missing"),
    ("doc/insert", ["path": "/text", "index": 0, "value": 1], "not_an_array"),
    ("doc/insert", ["path": "/list", "index": 2, "value": 1], "index_out_of_range"),
    ("doc/insert", ["path": "/list", "index": -1, "value": 1], "index_out_of_range"),
    ("doc/insert", ["path": "/list", "index": .integer(.max), "value": 1], "index_out_of_range"),
    ("doc/patch", ["ops": [["op": "test", "path": "/number", "value": 2]]], "test_failed"),
    ("doc/patch", ["ops": [["op": "remove", "path": "/none"]]], "missing"),
    ("doc/patch", ["ops": [["op": "replace", "path": "/list/1", "value": 1]]], "missing"),
    ("doc/patch", ["ops": [["op": "copy", "from": "/none", "path": "/x"]]], "missing"),
    ("doc/patch", ["ops": [["op": "add", "path": "/none/x", "value": 1]]], "missing"),
    ("doc/patch", ["ops": [["op": "add", "path": "/text/x", "value": 1]]], "not_a_container"),
    ("doc/patch", ["ops": [["op": "add", "path": "/list/2", "value": 1]]], "index_out_of_range"),
    ("doc/patch", ["ops": [["op": "replace", "path": "", "value": 1]]], "root_not_object"),
    ("doc/patch", ["ops": [["op": "remove", "path": ""]]], "root_removed"),
  ]

  @Test(arguments: rejections)
  func `is told by the app's own word and changes nothing`(
    type: String, payload: JSON, expected: String
  ) throws {
    #expect(try reason(of: type, payload, on: Self.state) == expected)
  }

  private static let badPayloads: [(String, JSON?, String)] = [
    ("doc/set", ["value": 1], "path"), ("doc/set", ["path": "/a"], "value"),
    ("doc/set", ["path": "a", "value": 1], "path"), ("doc/set", ["path": 1, "value": 1], "path"),
    ("doc/set", nil, "payload"), ("doc/set", [1], "payload"), ("doc/remove", [:], "path"),
    ("doc/remove", nil, "payload"), ("doc/merge", ["path": ""], "value"),
    ("doc/patch", [:], "ops"), ("doc/patch", ["ops": [:]], "ops"),
    ("doc/patch", ["ops": [["op": "add", "path": "/a"]]], "ops"),
    ("doc/patch", ["ops": [["op": "jump", "path": "/a"]]], "ops"),
    ("doc/increment", ["path": "/number", "by": "1"], "by"),
    ("doc/increment", ["path": "/number", "by": nil], "by"),
    ("doc/append", ["path": "/list"], "value"),
    ("doc/insert", ["path": "/list", "value": 1], "index"),
    ("doc/insert", ["path": "/list", "value": 1, "index": 0.0], "index"),
  ]

  @Test(arguments: badPayloads)
  func `a payload that can't be read is told by the member's name`(
    type: String, payload: JSON?, member: String
  ) throws {
    guard case .badAction(let message) = try refusal(of: type, payload, on: Self.state) else {
      Issue.record("it was taken")
      return
    }
    #expect(message.contains("\"\(member)\""), "\(message)")
  }

  @Test(arguments: ["", "doc", "doc/sett", "DOC/SET", "doc/set "])
  func `an unknown type is told as such`(type: String) throws {
    guard case .unknownAction = try refusal(of: type, [:], on: Self.state) else {
      Issue.record("it was taken")
      return
    }
  }

  @Test func `no number of increments makes a double that is not finite`() throws {
    let greatest = Double.greatestFiniteMagnitude
    #expect(
      try reason(
        of: "doc/increment", ["path": "/a", "by": .double(greatest)], on: ["a": .double(greatest)])
        == "overflow")
  }
}
