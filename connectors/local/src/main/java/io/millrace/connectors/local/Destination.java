package io.millrace.connectors.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where one file of output belongs.
 *
 * @param host empty for this one
 * @param path on that host; relative to the owner's home
 */
record Destination(String host, String path) {
  private static final Pattern WITH_HOST = Pattern.compile("([^/:]+):(.+)", Pattern.DOTALL);

  static Destination of(String hostAndPath) {
    Matcher matcher = WITH_HOST.matcher(hostAndPath);
    return matcher.matches() && !matcher.group(2).equals("/dev/null")
        ? new Destination(matcher.group(1), matcher.group(2))
        : new Destination("", hostAndPath.endsWith(":/dev/null") ? "/dev/null" : hostAndPath);
  }

  Destination here(String otherPath) {
    return new Destination("", otherPath);
  }

  /** Whether the host is this one, by one of its names, with a domain or without. */
  boolean isHere(String node) throws IOException {
    String name = label(host);
    return name.isEmpty()
        || name.equalsIgnoreCase("localhost")
        || name.equalsIgnoreCase(label(node))
        || name.equalsIgnoreCase(label(ownName()));
  }

  private static String label(String host) {
    int dot = host.indexOf('.');
    return dot < 0 ? host : host.substring(0, dot);
  }

  private static String ownName() throws IOException {
    return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
  }
}
