import DuxStore
import DuxTerminal
import Navigator
import Testing

@testable import dux_navigator

/// What terminals show of the app `navigator`, key by key.
struct NavigatorScreenTests {
  @Test func theMenuLeadsToBothFlows() {
    let stage = NavigatorStage("ann")
    #expect(stage.trail("ann") == "Menu")
    #expect(stage.screen("ann").contains("1  Numbers"))
    stage.press("1", on: "ann")
    #expect(stage.trail("ann") == "Menu › Numbers")
    stage.press("<Esc>2", on: "ann")
    #expect(stage.trail("ann") == "Menu › Name")
  }

  @Test func aNumberIsPickedAndItsDoubleLiesOverIt() {
    let stage = NavigatorStage("ann")
    stage.press("1<Down><Down><Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Numbers › 3")
    stage.press("id", on: "ann")
    #expect(stage.trail("ann") == "Menu › Numbers › 4 › 8")
    let screen = stage.screen("ann")
    #expect(screen.contains("┌ 8 ─"))
    #expect(screen.contains("\n  4"))
  }

  @Test(arguments: ["<Esc>", "b", "<Backspace>"])
  func theBackKeysLeadBackAndNeverBeyondTheMenu(key: String) {
    let stage = NavigatorStage("ann")
    stage.press("1<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Numbers › 1")
    for trail in ["Menu › Numbers", "Menu"] {
      stage.press(key, on: "ann")
      #expect(stage.trail("ann") == trail)
    }
    stage.press(key, on: "ann")
    #expect(stage.trail("ann") == "Menu")
    #expect(stage.screen("ann").contains("✗ the root stays"))
    stage.press("?", on: "ann")
    #expect(!stage.screen("ann").contains("✗ the root stays"))
  }

  @Test func aLinkIsTyped() {
    let stage = NavigatorStage("ann")
    stage.press("onumbers/2/4", on: "ann")
    #expect(stage.screen("ann").contains("┌ Open a link ─"))
    stage.press("<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Numbers › 2 › 4")
    stage.press("onowhere<Enter>", on: "ann")
    #expect(stage.screen("ann").contains("✗ a link is numbers"))
    #expect(stage.trail("ann") == "Menu › Numbers › 2 › 4")
    stage.press("osignUp<Esc>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Numbers › 2 › 4")
    stage.take(.key(Key(.character("o"))), on: "ann")
    stage.take(.paste("signUp/job\n"), on: "ann")
    stage.press("<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Name › Date of birth › Job")
  }

  @Test func twoTerminalsFollowEachOther() {
    let stage = NavigatorStage("ann", "ben")
    stage.press("onumbers/2<Enter>", on: "ann")
    stage.press("f<Enter>", on: "ben")
    #expect(stage.trail("ben").hasPrefix("Menu › Numbers › 2 "))
    #expect(stage.trail("ben").hasSuffix("👁 watching ann"))
    stage.press("d", on: "ann")
    #expect(stage.trail("ben").hasPrefix("Menu › Numbers › 2 › 4"))
    stage.press("<Esc>", on: "ben")
    #expect(stage.trail("ann") == "Menu › Numbers › 2 › 4")
    #expect(stage.screen("ben").contains("✗ you only watch what \"ann\" does"))
    stage.press("f<Enter>", on: "ann")
    #expect(stage.screen("ann").contains("✗ \"ann\" can't follow \"ben\""))
    stage.press("u", on: "ben")
    #expect(stage.trail("ben") == "Menu")
    stage.press("f<Enter>", on: "ann")
    #expect(stage.trail("ann").hasSuffix("👁 watching ben"))
  }

  @Test func bothSteerWhatTheyShareAndOneKeyIsOneStepBack() {
    let stage = NavigatorStage("ann", "ben")
    for name in ["ann", "ben"] { stage.press("f<Down><Down><Enter>", on: name) }
    #expect(stage.trail("ann").hasSuffix("with all on \"tour\""))
    stage.press("onumbers/2/4<Enter>", on: "ben")
    #expect(stage.trail("ann").hasPrefix("Menu › Numbers › 2 › 4"))
    stage.press("<Esc>", on: "ann")
    #expect(stage.trail("ben").hasPrefix("Menu › Numbers › 2 "))
    stage.press("u", on: "ann")
    #expect(stage.trail("ann") == "Menu")
    #expect(stage.trail("ben").hasPrefix("Menu › Numbers › 2 "))
  }

  @Test func theFormIsFilledInAndSentIn() async {
    let stage = NavigatorStage("ann")
    stage.press("2Ada<Tab>Lovelace<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Name › Date of birth")
    stage.press("1990-12-31<Enter><Down><Down><Enter>", on: "ann")
    let screen = stage.screen("ann")
    #expect(screen.contains("1  Name           Ada Lovelace"))
    #expect(screen.contains("3  Job            Carpenter"))
    stage.press("3", on: "ann")
    #expect(stage.screen("ann").contains("✓ Carpenter"))
    stage.press("<Enter><Enter>", on: "ann")
    #expect(stage.screen("ann").contains("… on its way"))
    // The effect is a task of its own, which may not have begun to wait when the clock is moved.
    for _ in 0..<10_000 {
      if stage.screen("ann").contains("✓ Welcome, Ada!") { break }
      await stage.clock.advance(by: Home.pretendedDelay)
      await Task.yield()
    }
    #expect(stage.screen("ann").contains("✓ Welcome, Ada!"))
    stage.press("<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu")
  }

  @Test func whatIsRefusedStaysAsItWasTyped() {
    let stage = NavigatorStage("ann")
    stage.press("osignUp/dateOfBirth<Enter>1990-02-31<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Name › Date of birth")
    #expect(stage.screen("ann").contains("✗ a date is written as 1990-12-31"))
    #expect(stage.screen("ann").contains("1990-02-31"))
    stage.press("<Backspace><Backspace>28<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Name › Date of birth › Job")
  }

  @Test func lettersAreTypedWhereThereAreFields() {
    let stage = NavigatorStage("ann")
    stage.press("2quobm", on: "ann")
    #expect(stage.trail("ann") == "Menu › Name")
    #expect(stage.screen("ann").contains("quobm"))
    stage.press("<Ctrl-O>numbers<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Numbers")
    stage.press("<Esc>2", on: "ann")
    #expect(!stage.screen("ann").contains("quobm"))
  }

  @Test func keysGoOnBeforeTheDaemonHasConfirmedTheScreen() {
    let stage = NavigatorStage("ann")
    stage.isAnswering = false
    stage.press("1<Down><Enter>iid", on: "ann")
    #expect(stage.trail("ann") == "Menu › Numbers › 4 › 8")
    stage.press("<Esc>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Numbers › 4")
    stage.press("m2Ada<Tab>Lovelace<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Name › Date of birth")
    stage.press("1990", on: "ann")
    stage.isAnswering = true
    #expect(stage.screen("ann").contains("1990"))
    stage.press("-12-31<Enter>", on: "ann")
    #expect(stage.trail("ann") == "Menu › Name › Date of birth › Job")
  }

  @Test func everybodyIsShownWhereTheyAre() {
    let stage = NavigatorStage("ann", "ben", columns: 80)
    stage.press("onumbers/7<Enter>", on: "ann")
    stage.press("f<Enter>", on: "ben")
    let screen = stage.screen("ben")
    #expect(screen.contains("● ann\n"))
    #expect(screen.contains("● ben (you)\n"))
    #expect(screen.contains("  watches ann\n"))
  }

  @Test func whoLeavesIsGoneAndWhoQuitsStays() {
    let stage = NavigatorStage("ann", "ben")
    for name in ["ann", "ben"] { stage.press("1", on: name) }
    stage.press("q", on: "ann")
    #expect(stage.reaction == .quit)
    #expect(stage.state.navigators.clients.map(\.id) == ["ben"])
    stage.press("<Ctrl-C>", on: "ben")
    #expect(stage.reaction == .quit)
    #expect(stage.state.navigators.clients.map(\.id) == ["ben"])
  }

  @Test func theKeysAreShown() {
    let stage = NavigatorStage("ann", rows: 24)
    stage.press("1<Enter>?", on: "ann")
    let screen = stage.screen("ann")
    #expect(screen.contains("┌ Keys ─"))
    #expect(screen.contains("The double, as a sheet"))
    #expect(screen.contains("Leave and quit"))
    stage.press("x", on: "ann")
    #expect(!stage.screen("ann").contains("┌ Keys ─"))
  }

  @Test(arguments: [
    "", "1", "1<Enter>d", "2", "osignUp/job<Enter>", "osignUp/final<Enter>", "f", "?", "o",
  ])
  func anyRoomIsRoomEnough(keys: String) {
    let stage = NavigatorStage("ann", "ben")
    stage.press(keys, on: "ann")
    for columns in [0, 1, 2, 7, 20, 69, 70, 400] {
      for rows in [0, 1, 2, 5, 24, 120] { _ = stage.screen("ann", columns: columns, rows: rows) }
    }
    #expect(stage.screen("ann", columns: 80, rows: 24).contains("dux-navigator"))
  }
}
