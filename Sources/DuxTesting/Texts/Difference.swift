import DuxJSON
import DuxStore

/// How two values differ, place by place.
struct Difference {
  /// One place.
  struct Place {
    /// A JSON pointer.
    let path: String
    /// The names on the way.
    let names: [String]
    /// What is there in the first value; `nil` for nothing.
    let old: String?
    /// What is there in the second.
    let new: String?
  }

  static let lineLimit = 20

  let places: [Place]

  /// Compares two values: as JSON where they can be written, else by reflection.
  init(from old: some Any, to new: some Any) {
    places = Self.jsonPlaces(old, new) ?? Self.mirrorPlaces(old, new)
  }

  /// The places, one a line, each as `/a/b: was 1, is 2` with the two words given.
  func text(_ oldWord: String, _ newWord: String) -> String {
    let lines = places.prefix(Self.lineLimit).map { place in
      let (old, new) = (place.old ?? "nothing", place.new ?? "nothing")
      return "  \(place.path.isEmpty ? "/" : place.path): \(oldWord) \(old.shortened())"
        + ", \(newWord) \(new.shortened())"
    }
    let rest = places.count - lines.count
    return (lines + (rest > 0 ? ["  and \(rest) more"] : [])).joined(separator: "\n")
  }

  private static func jsonPlaces(_ old: Any, _ new: Any) -> [Place]? {
    guard let places = JSONPlace.all(from: old, to: new), !places.isEmpty else { return nil }
    return places.map { place in
      Place(
        path: place.path.description, names: place.path.tokens, old: place.old?.description,
        new: place.new?.description)
    }
  }
}

// Values that cannot be written as JSON are compared by what reflection shows of them.
extension Difference {
  private typealias Leaf = (names: [String], text: String)

  private static func mirrorPlaces(_ old: Any, _ new: Any) -> [Place] {
    let (old, new) = (leaves(of: old, at: []), leaves(of: new, at: []))
    let newTexts = Dictionary(new.map { ($0.names, $0.text) }) { first, _ in first }
    let oldTexts = Dictionary(old.map { ($0.names, $0.text) }) { first, _ in first }
    let gone = old.filter { newTexts[$0.names] != $0.text }
    let added = new.filter { oldTexts[$0.names] == nil }
    let places = (gone + added).map { leaf in
      Place(
        path: leaf.names.map { "/" + $0 }.joined(), names: leaf.names, old: oldTexts[leaf.names],
        new: newTexts[leaf.names])
    }
    let whole = Place(path: "", names: [], old: "a value that looks the same", new: "another one")
    return places.isEmpty ? [whole] : places
  }

  private static func leaves(of value: Any, at names: [String]) -> [Leaf] {
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct where !mirror.children.isEmpty && names.count < 12,
      .collection where !mirror.children.isEmpty && names.count < 12:
      return mirror.children.enumerated().flatMap { index, child in
        leaves(of: child.value, at: names + [child.label ?? String(index)])
      }
    case .optional where !mirror.children.isEmpty:
      return mirror.children.flatMap { leaves(of: $0.value, at: names) }
    default: return [(names, sourceText(value))]
    }
  }
}

// What to write.
extension Difference {
  /// The assignments that make the change, where each is a plain one and they are few.
  func assignments(in state: Any) -> String? {
    guard places.count <= 3 else { return nil }
    let lines = places.compactMap { place -> String? in
      guard !place.names.isEmpty, let value = Self.value(at: place.names[...], in: state) else {
        return nil
      }
      return "$0.\(place.names.joined(separator: ".")) = \(sourceText(value))"
    }
    guard !lines.isEmpty, lines.count == places.count else { return nil }
    let text = lines.joined(separator: "; ")
    return text.count <= 100 ? text : nil
  }

  private static func value(at names: ArraySlice<String>, in value: Any) -> Any? {
    guard let name = names.first else { return value }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct else { return nil }
    let child = mirror.children.first { $0.label == name }
    return child.flatMap { Self.value(at: names.dropFirst(), in: $0.value) }
  }
}
