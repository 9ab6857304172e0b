package io.millrace.server.web.credential;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tokens that are no longer good, one line each until they would have expired by themselves: {@code
 * token ID EXPIRES}, or {@code user NAME EXPIRES ISSUED} for all of a user that were issued up to
 * then. Times are seconds since 1970.
 */
final class Revocations {

  private final Map<String, Long> tokens = new HashMap<>();
  private final Map<String, Long> users = new HashMap<>();
  private final List<String> lines = new ArrayList<>();

  private Revocations() {}

  static Revocations parse(String text) throws IOException {
    Revocations all = new Revocations();
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ");
      try {
        if (words.length == 3 && words[0].equals("token")) {
          all.tokens.put(words[1], Long.parseLong(words[2]));
        } else if (words.length == 4 && words[0].equals("user")) {
          all.users.merge(words[1], Long.parseLong(words[3]), Math::max);
        } else {
          throw new IOException("a line that is no revocation: " + line);
        }
      } catch (NumberFormatException e) {
        throw new IOException("a line that is no revocation: " + line, e);
      }
      all.lines.add(line);
    }
    return all;
  }

  boolean has(String token, String user, long issuedS) {
    return tokens.containsKey(token) || users.getOrDefault(user, -1L) >= issuedS;
  }

  /** The lines that are still needed, and more. */
  String with(List<String> more, long nowS) {
    StringBuilder text = new StringBuilder();
    for (String each : lines) {
      if (Long.parseLong(each.split(" ")[2]) > nowS && !more.contains(each)) {
        text.append(each).append('\n');
      }
    }
    more.forEach(line -> text.append(line).append('\n'));
    return text.toString();
  }
}
