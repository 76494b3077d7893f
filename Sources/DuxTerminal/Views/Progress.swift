/// How much of something is done.
public struct ProgressBar: DrawnView {
  private let fraction: Double

  /// Shows a part of 1; what is less than 0, more than 1 or no number is held to them.
  public init(_ fraction: Double) {
    self.fraction = fraction.isNaN ? 0 : min(max(fraction, 0), 1)
  }

  /// How many columns it wants.
  public var width: Extent { .flexible(min: 4, ideal: 20) }
  /// How many rows it wants at a width.
  public func height(columns: Int) -> Extent { .fixed(1) }

  /// Draws it.
  public func draw(into canvas: inout Canvas) {
    let percent = " " + String(Int((fraction * 100).rounded(.down))) + "%"
    let figures =
      canvas.size.columns >= 10 ? String(repeating: " ", count: 5 - percent.count) + percent : ""
    let columns = canvas.size.columns - figures.count
    let eighths = Int((fraction * Double(columns * 8)).rounded(.down))
    let full = eighths / 8
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let bar = String(repeating: "█", count: full) + parts[eighths % 8]
    let end = canvas.write(bar, row: 0, column: 0, style: canvas.theme[.accent])
    if end < columns {
      canvas.write(
        String(repeating: "░", count: columns - end), row: 0, column: end,
        style: canvas.theme[.secondary])
    }
    canvas.write(figures, row: 0, column: columns)
  }
}

/// A sign that something goes on whose end is not known.
public struct Spinner: View {
  private static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
  private let frame: Int

  /// How long a frame stays, in milliseconds: who shows a spinner draws again that often.
  public static let frameMs: Int64 = 100

  /// Shows the frame of a moment, in milliseconds since any other.
  public init(nowMs: Int64) {
    let frame = (nowMs / Self.frameMs) % Int64(Self.frames.count)
    self.frame = Int(frame < 0 ? frame + Int64(Self.frames.count) : frame)
  }

  /// The frame.
  public var body: some View {
    Text(Self.frames.indices.contains(frame) ? Self.frames[frame] : " ").role(.accent)
  }
}
