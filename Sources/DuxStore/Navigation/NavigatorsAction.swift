/// What may be asked of ``Navigators``: a case of the app's action, carried out by
/// ``Reducer/forEachNavigator(_:action:named:initial:content:)``.
///
/// Who asks is the author of the action (``DependencyValues/author``). On the wire, as a case `navigators`:
/// `navigators/here/nav/goBack`, `navigators/follow {"client":"ann"}`.
public enum NavigatorsAction<ContentAction: NavigatorContent>: Codable, Equatable, Sendable {
  /// For what the author sees: their own, or what they share with others.
  case here(ContentAction)
  /// For what is a client's own. Effects answer like this; by hand only that client, or the app itself.
  case client(id: String, action: ContentAction)
  /// For what several share.
  case shared(id: String, action: ContentAction)
  /// Gives the author an entry, if there is none.
  case join
  /// Lets the author look at something else.
  case follow(Followed)
  /// Lets the author look at their own again.
  case unfollow
  /// Takes the author's entry out.
  case leave
  /// Takes a client's entry out: one that is gone for good.
  case remove(client: String)
  /// Takes out what was shared.
  case close(shared: String)
}
