import DuxJSON
import DuxStore
import Foundation
import Testing

/// A leaf that remembers what it was decoded from.
private struct Leaf: StructuralLeaf, Equatable {
  var value: JSON
  var former: JSON?

  init(_ value: JSON) { self.value = value }

  var structuralJSON: JSON {
    get throws {
      if value == "refused" {
        throw CodingFailure(kind: .unencodable, path: "/x", problem: "is no")
      }
      return ["leaf": value]
    }
  }

  init(structural json: JSON, reusing previous: Leaf?) throws {
    guard let value = json["leaf"] else {
      throw CodingFailure(kind: .badPayload, path: "/leaf", problem: "is missing")
    }
    self.value = value
    former = previous?.value
  }
}

private struct Page: Codable, Equatable {
  var title = "t"
  var leaf: Leaf
  var maybe: Leaf?
  var named: [String: Leaf] = [:]
}

private enum LeafAction: Codable, Equatable {
  case replace(Leaf)
  case both(Leaf, note: String)
}

struct CodingLeafTests {
  @Test func aLeafGoesInAsItIs() throws {
    let inner: JSON = ["big": [1, 2, 3]]
    let json = try StateCoder.encode(Page(leaf: Leaf(inner), maybe: nil))
    #expect(json == ["title": "t", "leaf": ["leaf": inner], "maybe": nil, "named": [:]])
    let object = try #require(json["leaf"]?["leaf"]?.objectValue)
    let original = try #require(inner.objectValue)
    #expect(object.isIdentical(to: original))
  }

  @Test func aLeafIsDecodedFromItsPredecessorAtTheSamePlace() throws {
    var leaves = StateLeaves()
    let page = Page(leaf: Leaf(1), maybe: Leaf(2), named: ["a/b": Leaf(3)])
    let json = try StateCoder.encode(page, collecting: &leaves)
    #expect(leaves.count == 3)
    let patched: JSON = [
      "title": "u", "leaf": ["leaf": 10], "maybe": ["leaf": 20],
      "named": ["a/b": ["leaf": 30], "c": ["leaf": 40]],
    ]
    let back = try StateCoder.decode(Page.self, from: patched, reusing: leaves)
    #expect(back.leaf.value == 10 && back.leaf.former == 1)
    #expect(back.maybe?.former == 2)
    #expect(back.named["a/b"]?.former == 3)
    #expect(back.named["c"]?.value == 40 && back.named["c"]?.former == nil)
    #expect(try StateCoder.decode(Page.self, from: json).leaf.former == nil)
  }

  @Test func collectingStartsAnewEachTime() throws {
    var leaves = StateLeaves()
    _ = try StateCoder.encode(Page(leaf: Leaf(1), maybe: Leaf(2)), collecting: &leaves)
    _ = try StateCoder.encode(Page(leaf: Leaf(1), maybe: nil), collecting: &leaves)
    #expect(leaves.count == 1)
    #expect(throws: CodingFailure.self) {
      try StateCoder.encode(Page(leaf: Leaf("refused")), collecting: &leaves)
    }
    #expect(leaves.count == 1)
  }

  @Test func aLeafsOwnFailuresAreNamedWithTheWholePath() {
    let refused = #expect(throws: CodingFailure.self) {
      try StateCoder.encode(Page(leaf: Leaf("refused")))
    }
    #expect(refused?.message == "/leaf/x is no")
    let missing = #expect(throws: CodingFailure.self) {
      try StateCoder.decode(
        Page.self, from: ["title": "", "leaf": ["leaf": 1], "named": ["a": [:]]])
    }
    #expect(missing?.message == "/named/a/leaf is missing")
    #expect(
      refusal(LeafAction.self, "both", ["_0": [:], "note": ""]).message
        == "both: /_0/leaf is missing")
    #expect(refusal(LeafAction.self, "replace").message == "replace: the payload is missing")
    #expect(refusal(LeafAction.self, "replace/x", [:]).kind == .unknownType)
  }

  @Test func aLeafIsAPayloadToo() throws {
    #expect(try wire(LeafAction.replace(Leaf(1))) == ["type": "replace", "payload": ["leaf": 1]])
    let back = try ActionCoder.decode(LeafAction.self, type: "replace", payload: ["leaf": 1])
    #expect(back == .replace(Leaf(1)))
  }

  @Test func foreignCodersSeeALeafAsPlainJSON() throws {
    let page = Page(leaf: Leaf([1, "x"]), maybe: nil)
    let data = try JSONEncoder().encode(page)
    #expect(try JSONDecoder().decode(Page.self, from: data) == page)
  }
}
