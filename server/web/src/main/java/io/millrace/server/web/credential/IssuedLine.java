package io.millrace.server.web.credential;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of the list of issued tokens: {@code ID USER ISSUED EXPIRES}, times in seconds since 1970.
 */
record IssuedLine(String id, String user, long issuedS, long expiresS) {

  private static final Pattern FORM =
      Pattern.compile("([0-9a-f-]{36}) (\\S+) (\\d{1,18}) (\\d{1,18})");

  /** Empty when it is none, such as one that was cut. */
  static Optional<IssuedLine> parse(String text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(
            new IssuedLine(
                form.group(1),
                form.group(2),
                Long.parseLong(form.group(3)),
                Long.parseLong(form.group(4))))
        : Optional.empty();
  }

  String text() {
    return id + " " + user + " " + issuedS + " " + expiresS;
  }

  /** The line that revokes it. It is needed until the token has expired, by any clock. */
  String revoked(Instant now) {
    long longest = Math.max(expiresS, now.getEpochSecond()) + TokenFolder.LONGEST.getSeconds();
    return "token " + id + " " + longest;
  }
}
