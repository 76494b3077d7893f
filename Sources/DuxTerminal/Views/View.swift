/// A part of a screen, described by the parts it is made of.
///
/// ```swift
/// struct Header: View {
///   var title: String
///   var count: Int
///
///   var body: some View {
///     HStack {
///       Text(title).bold()
///       Spacer()
///       if count > 0 { Text("\(count) open").role(.secondary) }
///     }
///   }
/// }
/// ```
///
/// A view is a value, made anew for each drawing; it holds nothing of its own. ``render(_:size:theme:)``
/// makes a grid of it. What it shows of a store it gets as a ``ConnectedView``, what is typed or
/// scrolled belongs to the program.
public protocol View {
  /// What it is made of.
  associatedtype Body: View

  /// The parts; several without a stack stand one below the other, or as the stack around wants.
  @ViewBuilder var body: Body { get }

  /// What is laid out and drawn for it; there is never a reason to write one.
  var drawn: any DrawnView { get }
}

extension View {
  /// What its body is drawn as.
  public var drawn: any DrawnView { body.drawn }
}

/// A view that draws its cells itself.
///
/// Stacks ask it for its width first and then for its height at the width that it gets; nothing of
/// both depends on the theme. Then it is drawn in a canvas of some size, be it smaller than its least.
public protocol DrawnView: View where Body == Self {
  /// How many columns it wants.
  var width: Extent { get }
  /// How many rows it wants when it gets so many columns.
  func height(columns: Int) -> Extent
  /// Who gives way last and grows first in a stack; 0 for most.
  var priority: Int { get }
  /// Writes the cells.
  func draw(into canvas: inout Canvas)
}

extension DrawnView {
  /// The view itself.
  public var body: Self { self }
  /// The view itself.
  public var drawn: any DrawnView { self }
  /// 0.
  public var priority: Int { 0 }
}

/// How many cells a view wants in one direction.
public struct Extent: Hashable, Sendable {
  /// With less it loses something that matters.
  public let min: Int
  /// With that it shows all it has.
  public let ideal: Int
  /// With more it would be empty.
  public let max: Int

  /// No end.
  public static let unlimited = Size.longest

  /// Makes an extent; each is held between 0 and ``unlimited`` and at the one before at least.
  public init(min: Int = 0, ideal: Int, max: Int) {
    self.min = Swift.min(Swift.max(min, 0), Self.unlimited)
    self.ideal = Swift.min(Swift.max(ideal, self.min), Self.unlimited)
    self.max = Swift.min(Swift.max(max, self.ideal), Self.unlimited)
  }

  /// So many, no more and no less.
  public static func fixed(_ length: Int) -> Extent {
    Extent(min: length, ideal: length, max: length)
  }

  /// As many as there are.
  public static func flexible(min: Int = 0, ideal: Int? = nil) -> Extent {
    Extent(min: min, ideal: ideal ?? min, max: unlimited)
  }

  /// Longer by so many cells.
  func extended(by length: Int) -> Extent {
    Extent(min: min + length, ideal: ideal + length, max: max + length)
  }

  /// What holds this one and another side by side in the other direction.
  func covering(_ other: Extent) -> Extent {
    Extent(
      min: Swift.max(min, other.min), ideal: Swift.max(ideal, other.ideal),
      max: Swift.max(max, other.max))
  }

  /// Both, one after the other.
  func followed(by other: Extent) -> Extent {
    Extent(min: min + other.min, ideal: ideal + other.ideal, max: max + other.max)
  }
}
