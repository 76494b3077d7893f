/// The slices that a reducer is made of, by name: what can be wrong with them is found here, before
/// a store takes its first action.
///
/// A slice's name is how its effects are known: two of one name beside each other would cancel each
/// other's.
///
/// ```swift
/// let outline = ReducerOutline(of: MyApp())
/// print(outline.slices)                           // [todos, todos/rows, settings]
/// precondition(outline.faults.isEmpty)
/// ```
public struct ReducerOutline: Sendable {
  /// What is wrong with a slice or its name.
  public enum Fault: Error, Hashable, Sendable {
    /// A slice has no name: it was given an empty one, or its place in the state is no stored
    /// property and it was given none.
    case emptyName(in: EffectScope)
    /// Two slices of one reducer have one name.
    case repeatedName(String, in: EffectScope)
    /// A history lies in the content that it takes back: an undo would undo the history too.
    case historyInContent(String, in: EffectScope)
  }

  /// All slices, each behind the one it lies in; elements of a table are one slice.
  public private(set) var slices: [EffectScope] = []
  /// What is wrong with them, in order; best nothing.
  public private(set) var faults: [Fault] = []

  private var place = EffectScope.root
  private var siblings: Set<String> = []
  private var reducers: [ObjectIdentifier] = []

  /// Finds the slices of a reducer.
  public init(of reducer: some Reducer) {
    reducer.describe(in: &self)
  }

  /// Enters a history, which must lie outside of its content.
  mutating func history(_ history: String, of content: String) {
    guard content == "self" || (history + ".").hasPrefix(content + "."), !content.isEmpty else {
      return
    }
    faults.append(.historyInContent(history, in: place))
  }

  /// Enters a slice of the reducer that describes itself, with all that lies inside it.
  ///
  /// A slice whose reducer holds slices of its own kind, as the branches of a tree do, is entered
  /// once on each way.
  public mutating func slice<Child: Reducer>(named name: String, _ child: Child) {
    if name.isEmpty {
      faults.append(.emptyName(in: place))
    } else if !siblings.insert(name).inserted {
      faults.append(.repeatedName(name, in: place))
    }
    let kind = ObjectIdentifier(Child.self)
    let (outerPlace, outerSiblings) = (place, siblings)
    place = EffectScope(path: place.path + [name])
    slices.append(place)
    if !reducers.contains(kind) {
      siblings = []
      reducers.append(kind)
      child.describe(in: &self)
      reducers.removeLast()
    }
    (place, siblings) = (outerPlace, outerSiblings)
  }
}

extension ReducerOutline.Fault: CustomStringConvertible {
  /// What is wrong, where, and what cures it.
  public var description: String {
    switch self {
    case .emptyName(let place):
      "a slice in \(place) has an empty name: give it one with named:"
    case .repeatedName(let name, let place):
      "two slices in \(place) have the name \"\(name)\": give one another with named:"
    case .historyInContent(let name, let place):
      "the history \(name) in \(place) lies in the content that it takes back: put it beside that"
    }
  }
}
