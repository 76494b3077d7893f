import DuxJSON

/// Random wishes for the app with effects.
extension SeededGenerator {
  /// An action of ``Errands``; some can't be taken.
  mutating func errand() -> JSON {
    let porter = pick(["ann", "bob"])
    switch below(20) {
    case 0, 1, 2:
      return Self.errand(
        "order",
        [
          "parcel": .string(parcel()), "id": .string(pick(["x", "y"])),
          "policy": .string(pick(["parallel", "takeLatest", "takeFirst", "queue"])),
        ])
    case 3:
      return Self.errand(
        "orderBoth", ["first": .string(parcel()), "second": .string(parcel())])
    case 4:
      return Self.errand(
        "orderLater", ["parcel": .string(parcel()), "ms": .integer(Int64(below(300)))])
    case 5: return Self.errand("cancel", ["id": .string(pick(["x", "y", "later", "ear"]))])
    case 6: return Self.errand("chain", .integer(Int64(chance(10) ? below(60) : below(20))))
    case 7: return Self.errand("spread", .integer(Int64(chance(10) ? below(60) : below(6))))
    case 8: return Self.errand("tick")
    case 9, 10: return Self.errand("listen", .string(parcel()))
    case 11: return Self.errand("draw")
    case 12: return Self.errand(pick(["deny", "denyLater", "nonsense"]))
    case 13, 14: return Self.errand("hire", .string(porter))
    case 15: return Self.errand("dismiss", .string(porter))
    case 16, 17:
      return Self.errand("crew/carry", ["id": .string(porter), "action": .string(parcel())])
    case 18:
      return Self.errand(
        "crew/walk", ["id": .string(porter), "action": .integer(Int64(below(20)))])
    default: return Self.errand("crew/whistle", ["id": .string(porter)])
    }
  }

  private mutating func parcel() -> String { "p\(below(8))" }

  private static func errand(_ type: String, _ payload: JSON? = nil) -> JSON {
    var members: JSONObject = ["type": .string(type)]
    members["payload"] = payload
    return .object(members)
  }
}
