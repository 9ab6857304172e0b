package io.millrace.connectors.bridge.http;

import io.millrace.schemas.door.AccountNumbers;
import io.millrace.schemas.door.DoorOwner;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Addresses of servers that are sent proofs of who asks: https of any host, or http of this one,
 * where the kernel says whose process listens.
 */
public final class HostPort {

  /** Anything else that begins with 127 is a name, which may be another host's. */
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

  private static final Pattern OF_THIS_HOST =
      Pattern.compile("http://(localhost|127(\\." + BYTE + "){3})(:[0-9]{1,5})?(/.*)?");

  private static final Pattern WITH_PORT = Pattern.compile("https?://[^/:]*:([0-9]{1,5})(/.*)?");

  private static final int HTTP_PORT = 80;
  private static final int LAST_PORT = 65535;

  private HostPort() {}

  /**
   * What is wrong with an address; empty when nothing is.
   *
   * @param key that has it
   * @param account the key that says who may listen there
   * @param given whether that one has a value
   * @param proofs what would go there
   */
  public static Optional<String> unfit(
      String key, String address, String account, boolean given, String proofs) {
    Matcher port = WITH_PORT.matcher(address);
    if (port.matches() && !isPort(Integer.parseInt(port.group(1)))) {
      return Optional.of(key + " takes a port from 1 to " + LAST_PORT + ", not " + port.group(1));
    }
    boolean plain = address.startsWith("http:");
    if (plain && !OF_THIS_HOST.matcher(address).matches()) {
      return Optional.of(
          key + " takes https for another host: " + proofs + " do not go there in the open");
    }
    return given && !plain
        ? Optional.of(
            account + " says who listens at http of this host, which " + key + " does not name")
        : Optional.empty();
  }

  private static boolean isPort(int number) {
    return number > 0 && number <= LAST_PORT;
  }

  /** Whether anybody here could listen there, so that it must be asked who does. */
  public static boolean isAnybodys(String address) {
    int port = URI.create(address).getPort();
    return address.startsWith("http:")
        && !DoorOwner.isOpenedByRootOnly(port < 0 ? HTTP_PORT : port);
  }

  /**
   * Who may listen there.
   *
   * @param account besides root and the account of this process
   * @throws IOException in one line when there is no such account
   */
  static DoorOwner owner(Optional<String> account) throws IOException {
    if (account.isEmpty()) {
      return new DoorOwner(Set.of());
    }
    OptionalInt uid = AccountNumbers.of(account.get());
    if (uid.isEmpty()) {
      throw new IOException(
          "/etc/passwd of this host has no account " + account.get() + "; give its number");
    }
    return new DoorOwner(Set.of(uid.getAsInt()));
  }
}
