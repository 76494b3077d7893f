import DuxJSON
import Testing

struct MergeTests {
  /// The cases of RFC 7396, appendix A, and some more: target, patch, result.
  static let cases: [(JSON, JSON, JSON)] = [
    (["a": "b"], ["a": "c"], ["a": "c"]), (["a": "b"], ["b": "c"], ["a": "b", "b": "c"]),
    (["a": "b"], ["a": nil], [:]), (["a": "b", "b": "c"], ["a": nil], ["b": "c"]),
    (["a": ["b"]], ["a": "c"], ["a": "c"]), (["a": "c"], ["a": ["b"]], ["a": ["b"]]),
    (["a": ["b": "c"]], ["a": ["b": "d", "c": nil]], ["a": ["b": "d"]]),
    (["a": [["b": "c"]]], ["a": [1]], ["a": [1]]), (["a", "b"], ["c", "d"], ["c", "d"]),
    (["a": "b"], ["c"], ["c"]), (["a": "foo"], nil, nil), (["a": "foo"], "bar", "bar"),
    (["e": nil], ["a": 1], ["e": nil, "a": 1]), ([1, 2], ["a": "b", "c": nil], ["a": "b"]),
    ([:], ["a": ["bb": ["ccc": nil]]], ["a": ["bb": [:]]]), (1, [:], [:]),
    (["\u{e9}": 1], ["e\u{301}": nil], ["\u{e9}": 1]),
  ]

  @Test(arguments: cases)
  func aMergePatchGivesTheResultOfTheRFC(target: JSON, patch: JSON, result: JSON) {
    var merged = target
    merged.merge(patch)
    #expect(merged == result)
    merged.merge(patch)
    #expect(merged == result, "merging again changes nothing")
  }

  @Test func mergingSharesWhatItDoesNotTouch() {
    let old: JSON = ["a": ["x": [1, 2, 3]], "b": ["y": 1]]
    var new = old
    new.merge(["b": ["y": 2]])
    #expect(old == ["a": ["x": [1, 2, 3]], "b": ["y": 1]])
    #expect(new["a"]?.objectValue?.isIdentical(to: old["a"]?.objectValue ?? [:]) == true)
  }
}
