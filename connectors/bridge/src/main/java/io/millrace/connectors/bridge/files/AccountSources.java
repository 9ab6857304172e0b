package io.millrace.connectors.bridge.files;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/** Where a host has its accounts from, as its nsswitch.conf says. */
final class AccountSources {

  static final Path FILE = Path.of("/etc/nsswitch.conf");

  static final int BYTES_MOST = 64 * 1024;

  private static final String DATABASE = "passwd:";

  /** Those that cannot be away; a directory that is says as little as one without the account. */
  private static final Set<String> LOCAL = Set.of("files", "db", "systemd");

  private AccountSources() {}

  /** Whether all of them are on the host itself; without a line they are. */
  static boolean areLocal(String text) {
    Optional<String> sources =
        text.lines()
            .map(it -> it.replaceFirst("#.*", "").strip())
            .filter(it -> it.startsWith(DATABASE))
            .findFirst()
            // What stands in brackets says what follows of an answer.
            .map(it -> it.substring(DATABASE.length()).replaceAll("\\[[^]]*]", " ").strip());
    return sources.filter(it -> !it.isEmpty()).stream()
        .flatMap(it -> Arrays.stream(it.split("\\s+")))
        .allMatch(LOCAL::contains);
  }
}
