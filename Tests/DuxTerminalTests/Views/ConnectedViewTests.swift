import Testing

@testable import DuxTerminal

struct ConnectedViewTests {
  private struct State: Equatable {
    var title: String
    var noise = 0
  }

  private struct Title: ConnectedView {
    struct Props: Equatable {
      var title: String
      var dispatch: Dispatch<String>
    }

    func map(_ state: State, dispatch: Dispatch<String>) -> Props {
      Props(title: state.title, dispatch: dispatch)
    }

    func body(_ props: Props) -> some View {
      Text(props.title).bold()
      Divider()
    }
  }

  private let size = Size(columns: 5, rows: 2)

  @Test func equalPropsAskForNoBodyAndDrawNothing() {
    let connected = Connected(Title())
    let first = connected.grid(of: State(title: "one"), dispatch: Dispatch { _ in }, size: size)
    #expect(first.lines == ["one", "─────"])
    for noise in 1...100 {
      let grid = connected.grid(
        of: State(title: "one", noise: noise), dispatch: Dispatch { _ in }, size: size)
      #expect(grid == first)
    }
    #expect(connected.bodyCount == 1)
    #expect(connected.drawCount == 1)
  }

  @Test func otherPropsAreDrawn() {
    let connected = Connected(Title())
    let dispatch = Dispatch<String> { _ in }
    _ = connected.grid(of: State(title: "one"), dispatch: dispatch, size: size)
    let second = connected.grid(of: State(title: "two"), dispatch: dispatch, size: size)
    #expect(second.lines == ["two", "─────"])
    #expect(connected.bodyCount == 2)
  }

  @Test func anotherSizeIsDrawnWithoutAskingForTheBody() {
    let connected = Connected(Title())
    let dispatch = Dispatch<String> { _ in }
    _ = connected.grid(of: State(title: "one"), dispatch: dispatch, size: size)
    let wide = connected.grid(
      of: State(title: "one"), dispatch: dispatch, size: Size(columns: 7, rows: 2))
    #expect(wide.lines == ["one", "───────"])
    #expect(connected.bodyCount == 1)
    #expect(connected.drawCount == 2)
  }

  @Test func aPartOfAScreenKeepsItsBodyToo() {
    let connected = Connected(Title())
    for _ in 0..<3 {
      let part = connected.view(of: State(title: "one"), dispatch: Dispatch { _ in })
      #expect(lines(of: VStack { part }, 5, 2) == ["one", "─────"])
    }
    #expect(connected.bodyCount == 1)
  }
}
