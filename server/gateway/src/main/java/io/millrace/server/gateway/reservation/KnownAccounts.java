package io.millrace.server.gateway.reservation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** The accounts of this machine, to which users that a reservation names must belong. */
public final class KnownAccounts {

  private static final Pattern NUMBER = Pattern.compile("[+-]?\\p{Nd}+");

  private final UserPrincipalLookupService accounts =
      FileSystems.getDefault().getUserPrincipalLookupService();

  /**
   * The first of these names that no account has. Where the caller's is not known either, nobody's
   * is: the machine of the gateway knows no users.
   *
   * @param names those with a host behind them are another machine's
   */
  public Optional<String> stranger(String caller, List<String> names) {
    return isKnown(caller)
        ? names.stream().filter(it -> !it.contains("@") && !isKnown(it)).findFirst()
        : Optional.empty();
  }

  /** The look-up takes any number for a uid, also one that nobody has. */
  private boolean isKnown(String user) {
    if (NUMBER.matcher(user).matches()) {
      return false;
    }
    try {
      return accounts.lookupPrincipalByName(user) != null;
    } catch (UserPrincipalNotFoundException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look up the account " + user, e);
    }
  }
}
