package io.millrace.schemas.program;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many connections and commands there may be at once, as an administrator sets it: {@code
 * sessions=1024/256,http=512/128}, the first number of all, the second of one user or address.
 */
public final class ConnectionBounds {

  /** Option of the processes and of {@code up}. */
  public static final String OPTION = "--bounds";

  private static final Pattern ITEM = Pattern.compile("([a-z]+)=([0-9]{1,6})/([0-9]{1,6})");

  /**
   * One of them.
   *
   * @param all at once
   * @param ofOne of one user or address
   */
  public record ConnectionBound(int all, int ofOne) {}

  /** With what holds when nothing is said, and the most that may be. */
  private enum Name {
    SESSIONS(512, 128, 10_000),
    LASTING(512, 256, 10_000),
    OPENINGS(2048, 256, 100_000),
    HTTP(256, 128, 10_000);

    private final ConnectionBound usual;
    private final int most;

    Name(int all, int ofOne, int most) {
      this.usual = new ConnectionBound(all, ofOne);
      this.most = most;
    }
  }

  private final Map<Name, ConnectionBound> given = new LinkedHashMap<>();

  private ConnectionBounds() {}

  /** What holds when nothing is said. */
  public static ConnectionBounds usual() {
    return new ConnectionBounds();
  }

  /** Those of a command line; the usual ones where it says nothing. */
  public static ConnectionBounds of(GivenOptions options) throws UsageException {
    try {
      return parse(options.get(OPTION).orElse(""));
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  /**
   * Those of a text.
   *
   * @throws IllegalArgumentException in one line when it is wrong
   */
  public static ConnectionBounds parse(String text) {
    ConnectionBounds bounds = new ConnectionBounds();
    for (String item : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      Matcher parts = ITEM.matcher(item.strip());
      Name name = parts.matches() ? find(parts.group(1)) : null;
      if (name == null) {
        throw new IllegalArgumentException(
            OPTION
                + " takes NAME=ALL/ONE,.. such as sessions=1024/256; names are sessions, lasting,"
                + " openings, http, not '"
                + item
                + "'");
      }
      ConnectionBound bound =
          new ConnectionBound(Integer.parseInt(parts.group(2)), Integer.parseInt(parts.group(3)));
      if (bound.ofOne() < 1 || bound.ofOne() > bound.all() || bound.all() > name.most) {
        throw new IllegalArgumentException(
            OPTION + ": " + item + " is not within 1 <= ONE <= ALL <= " + name.most);
      }
      bounds.given.put(name, bound);
    }
    return bounds;
  }

  private static Name find(String word) {
    for (Name name : Name.values()) {
      if (name.name().toLowerCase(Locale.ROOT).equals(word)) {
        return name;
      }
    }
    return null;
  }

  private ConnectionBound get(Name name) {
    return given.getOrDefault(name, name.usual);
  }

  /** Of commands that run at the gateway. */
  public ConnectionBound sessions() {
    return get(Name.SESSIONS);
  }

  /** Of those that may last for hours. */
  public ConnectionBound lasting() {
    return get(Name.LASTING);
  }

  /** Of connections to the gateway that have not said what is to run. */
  public ConnectionBound openings() {
    return get(Name.OPENINGS);
  }

  /** Of connections to the door for HTTP; of one address. */
  public ConnectionBound http() {
    return get(Name.HTTP);
  }
}
