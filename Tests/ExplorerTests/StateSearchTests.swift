import DuxJSON
import Testing

@testable import dux

@Suite struct StateSearchTests {
  private let state: JSON = [
    "Deploy": ["web": "v42", "db": "V42-beta"], "list": [1, 42, ["needle": 1]], "n": 142,
  ]

  private func find(_ query: String, in value: JSON? = nil) -> [String] {
    var search = StateSearch(for: query, in: value ?? state)
    while !search.isDone { search.run(entries: 3) }
    return search.matches.map(\.description)
  }

  @Test func namesAndValuesAreFoundInTheOrderOfTheState() {
    #expect(find("42") == ["/Deploy/db", "/Deploy/web", "/list/1", "/n"])
    #expect(find("needle") == ["/list/2/needle"])
    #expect(find("nothing of the kind") == [])
    #expect(find("") == [])
    #expect(find("x", in: 7) == [])
  }

  @Test func smallLettersStandForCapitalsToo() {
    #expect(find("deploy") == ["/Deploy"])
    #expect(find("DEPLOY") == [])
    #expect(find("v42") == ["/Deploy/db", "/Deploy/web"])
    #expect(find("V42") == ["/Deploy/db"])
  }

  @Test func whatBeginsWithASlashIsLookedForInPaths() {
    #expect(find("/list/") == ["/list/0", "/list/1", "/list/2", "/list/2/needle"])
    #expect(find("/web") == ["/Deploy/web"])
  }

  @Test func indicesAreNoNames() {
    #expect(find("2", in: ["a": ["x", "y", "z"]]) == [])
  }

  @Test func aSearchGoesOnInPiecesAndTellsHowFarItIs() {
    var object = JSONObject()
    for index in 0..<50_000 { object["key\(index)"] = .integer(Int64(index)) }
    var search = StateSearch(for: "key4999", in: .object(object))
    search.run(entries: 1_000)
    #expect(!search.isDone && search.seenCount <= 1_000)
    #expect(search.progress > 0 && search.progress < 0.1)
    while !search.isDone { search.run(entries: 1_000) }
    #expect(search.progress == 1)
    #expect(search.matches.count == 11)
  }

  @Test func moreMatchesThanAreKeptEndTheSearch() {
    var search = StateSearch(
      for: "x", in: .array(JSONArray(repeatElement("x", count: 30_000))))
    while !search.isDone { search.run(entries: 100_000) }
    #expect(search.matches.count == StateSearch.matchLimit && search.isCut)
  }
}
