package io.millrace.ops.installation;

import io.millrace.ops.home.Home;
import io.millrace.ops.home.KafkaPrincipal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds parts that were started before the settings with which they log in were changed. A part
 * reads them at its start only, and a renewed password is not let in again with the old one.
 */
final class StaleKeys {

  private static final Pattern EXECUTOR = Pattern.compile("executor(?:-([0-9]{1,6}))?");

  private StaleKeys() {}

  /** Those of the running parts that must be started again. */
  static List<String> among(Home home, Collection<String> running) throws IOException {
    List<String> stale = new ArrayList<>();
    for (String part : running) {
      // Written at each start, by the clock that dates the settings too.
      Path started = home.arguments(part);
      for (KafkaPrincipal principal : KafkaPrincipal.values()) {
        if (uses(part, principal)
            && !stale.contains(part)
            && later(home.client(principal), started)) {
          stale.add(part);
        }
      }
      if (part.startsWith(Forwarders.PART)
          && !stale.contains(part)
          && later(home.hostClient("@" + part.substring(Forwarders.PART.length())), started)) {
        stale.add(part);
      }
      Matcher executor = EXECUTOR.matcher(part);
      if (executor.matches() && !stale.contains(part)) {
        String number = executor.group(1);
        String host = Parts.executorHost(number == null ? 1 : Integer.parseInt(number));
        if (later(home.hostClient(host), started)) {
          stale.add(part);
        }
      }
    }
    return stale;
  }

  private static boolean later(Path file, Path other) throws IOException {
    return Files.exists(file)
        && Files.exists(other)
        && Files.getLastModifiedTime(file).compareTo(Files.getLastModifiedTime(other)) > 0;
  }

  /** Whether a part logs in as this principal. */
  static boolean uses(String part, KafkaPrincipal principal) {
    String kind = part.replaceFirst("-.*", "");
    return switch (principal) {
      case ADMIN -> false;
      case SERVER -> kind.equals("server");
      case ENGINE -> kind.equals("engine");
      case GATEWAY -> kind.equals("gateway") || kind.equals("web");
      case EXECUTOR -> kind.equals("executor");
      case CAMPAIGNS -> kind.equals("campaigns");
      case SITES -> kind.equals("sites");
      case MONITOR -> kind.equals("accounting") || kind.equals("web");
    };
  }
}
