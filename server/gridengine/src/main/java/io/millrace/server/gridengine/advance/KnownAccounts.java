package io.millrace.server.gridengine.advance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.nio.file.attribute.UserPrincipalNotFoundException;

/** The accounts of this machine. */
final class KnownAccounts {

  private final UserPrincipalLookupService accounts =
      FileSystems.getDefault().getUserPrincipalLookupService();

  /** Whether there is an account of this name. */
  boolean isKnown(String user) {
    try {
      return accounts.lookupPrincipalByName(user) != null;
    } catch (UserPrincipalNotFoundException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look up the account " + user, e);
    }
  }
}
