import DuxJSON
import Testing

@Suite struct ObjectPositionTests {
  @Test(arguments: [0, 1, 2, 31, 64, 65, 1_000, 70_000])
  func everyMemberIsFoundByItsPositionAndByItsKey(count: Int) {
    var object = JSONObject()
    for index in 0..<count { object["k\(index)"] = .integer(Int64(index)) }
    for (position, member) in object.enumerated() where count < 5_000 || position % 97 == 0 {
      let found = object.member(at: position)
      #expect(found.key == member.key && found.value == member.value)
      let place = object.position(of: member.key)
      #expect(place.position == position && place.isPresent)
    }
  }

  @Test func aKeyThatIsMissingHasThePositionItWouldTake() {
    var object = JSONObject()
    for index in stride(from: 0, to: 10_000, by: 2) { object[digits(index)] = .null }
    for index in stride(from: 1, to: 10_000, by: 2) {
      let place = object.position(of: digits(index))
      #expect(place.position == (index + 1) / 2 && !place.isPresent)
    }
    #expect(object.position(of: "").position == 0)
    #expect(object.position(of: "z").position == object.count)
    #expect(JSONObject().position(of: "a").position == 0)
  }

  @Test func positionsFollowWhatIsAddedAndRemoved() {
    var object = JSONObject()
    for index in 0..<3_000 { object[digits(index * 7_919 % 3_000)] = .null }
    for index in stride(from: 0, to: 3_000, by: 3) { object[digits(index)] = nil }
    #expect(object.count == 2_000)
    #expect(object.member(at: 0).key == digits(1))
    #expect(object.member(at: 1_999).key == digits(2_999))
    #expect(object.position(of: digits(1_500)).position == 1_000)
  }

  private func digits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: 5 - text.count) + text
  }
}
