package io.millrace.connectors.local.run;

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
public record OutputDestination(String host, String path) {
  private static final Pattern WITH_HOST = Pattern.compile("([^/:]+):(.+)", Pattern.DOTALL);

  public static OutputDestination of(String hostAndPath) {
    Matcher matcher = WITH_HOST.matcher(hostAndPath);
    return matcher.matches() && !matcher.group(2).equals("/dev/null")
        ? new OutputDestination(matcher.group(1), matcher.group(2))
        : new OutputDestination("", hostAndPath.endsWith(":/dev/null") ? "/dev/null" : hostAndPath);
  }

  public OutputDestination here(String otherPath) {
    return new OutputDestination("", otherPath);
  }

  /** Whether the host is this one, by one of its names, with a domain or without. */
  public boolean isHere(String node) throws IOException {
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
