/// A colour of the terminal's palette.
public enum Color: Hashable, Sendable {
  /// One of the sixteen that every colour terminal has, in the shade that its owner chose.
  case basic(Basic)
  /// One of 256: the sixteen, a cube of 6 × 6 × 6 from 16 on, and greys from 232 on.
  case indexed(UInt8)

  /// The sixteen, by the number that terminals know them by.
  public enum Basic: UInt8, CaseIterable, Sendable {
    case black, red, green, yellow, blue, magenta, cyan, white
    case brightBlack, brightRed, brightGreen, brightYellow
    case brightBlue, brightMagenta, brightCyan, brightWhite
  }

  /// The number in the palette of 256.
  public var index: UInt8 {
    switch self {
    case .basic(let basic): basic.rawValue
    case .indexed(let index): index
    }
  }
}

/// How many colours a terminal shows.
public enum ColorDepth: Hashable, Sendable, Comparable {
  /// None: it has none, or its user asked for none with `NO_COLOR`.
  case none
  /// The first eight; the bright ones are shown as their darker twins.
  case eight
  /// The sixteen basic ones.
  case sixteen
  /// All 256.
  case indexed
}

extension Color {
  /// The nearest colour that a terminal shows, or `nil` where it shows none.
  public func resolved(for depth: ColorDepth) -> Color? {
    switch depth {
    case .none: nil
    case .indexed: self
    case .sixteen: .basic(nearestBasic)
    case .eight: Basic(rawValue: nearestBasic.rawValue & 7).map(Color.basic)
    }
  }

  private var nearestBasic: Basic {
    if let basic = Basic(rawValue: index) { return basic }
    let (red, green, blue) = levels
    let brightest = max(red, green, blue)
    let darkest = min(red, green, blue)
    if brightest - darkest < 48 {
      switch brightest {
      case ..<48: return .black
      case ..<128: return .brightBlack
      case ..<208: return .white
      default: return .brightWhite
      }
    }
    let middle = (brightest + darkest) / 2
    let bits =
      (red > middle ? 1 : 0) | (green > middle ? 2 : 0) | (blue > middle ? 4 : 0)
    return Basic(rawValue: UInt8(bits | (brightest > 190 ? 8 : 0))) ?? .white
  }

  /// Red, green and blue, 0 to 255, of a colour of the cube or a grey, as xterm has them.
  private var levels: (red: Int, green: Int, blue: Int) {
    let number = Int(index)
    if number >= 232 {
      let grey = 8 + (number - 232) * 10
      return (grey, grey, grey)
    }
    let cube = max(number - 16, 0)
    func level(_ step: Int) -> Int { step == 0 ? 0 : 55 + step * 40 }
    return (level(cube / 36), level(cube / 6 % 6), level(cube % 6))
  }
}
