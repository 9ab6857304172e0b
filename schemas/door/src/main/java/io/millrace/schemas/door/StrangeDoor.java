package io.millrace.schemas.door;

/** Another account than those that may hear a request has the port. */
public final class StrangeDoor extends NothingSent {
  private static final long serialVersionUID = 1L;

  private final String account;

  StrangeDoor(String account) {
    super("it belongs to account " + account);
    this.account = account;
  }

  /** Whose it is: a name where this host's own file of accounts has one, else a number. */
  public String account() {
    return account;
  }
}
