package io.millrace.ops.e2e;

import io.millrace.ops.home.Home;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the page on security says of the files of a home.
 *
 * @param modes by patterns of paths below the home; of several that fit the first one counts
 */
public record HomePlaces(Map<String, Integer> modes) {

  private static final Pattern SOCKET = Pattern.compile("\\| `([^`]+)`, mode ([0-7]{4}) \\|.*");
  private static final Pattern FILES = Pattern.compile("\\| (`[^|]+`) \\| ([0-7]{4}) \\|.+\\|");
  private static final Pattern NAME = Pattern.compile("`([^`]+)`");
  private static final int PERMISSIONS = 0777;

  /** Folders each of whose files is named, if only by a pattern. */
  private static final List<String> WHOLE =
      List.of("etc", "etc/kafka", "etc/kafka/hosts", "etc/hosts", "etc/tls", "etc/tokens", "run");

  public static HomePlaces of(String page) {
    Map<String, Integer> modes = new LinkedHashMap<>();
    for (String line : page.lines().toList()) {
      Matcher socket = SOCKET.matcher(line);
      Matcher files = FILES.matcher(line);
      if (socket.matches()) {
        modes.put(socket.group(1), Integer.parseInt(socket.group(2), 8));
      } else if (files.matches()) {
        Matcher name = NAME.matcher(files.group(1));
        while (name.find()) {
          modes.put(name.group(1), Integer.parseInt(files.group(2), 8));
        }
      }
    }
    return new HomePlaces(modes);
  }

  /** Whether something is said of a path below the home. */
  public boolean names(Path path) {
    return modes.keySet().stream().anyMatch(pattern -> matches(pattern, path));
  }

  private static boolean matches(String pattern, Path path) {
    return FileSystems.getDefault().getPathMatcher("glob:" + pattern).matches(path);
  }

  /** Files that have another mode, or of which nothing is said. */
  public List<String> wrong(Home home) throws IOException {
    List<String> wrong = new ArrayList<>();
    try (Stream<Path> all = Files.walk(home.root(), 3)) {
      for (Path each : all.filter(it -> !Files.isSymbolicLink(it)).sorted().toList()) {
        Path path = home.root().relativize(each);
        int mode =
            (int) Files.getAttribute(each, "unix:mode", LinkOption.NOFOLLOW_LINKS) & PERMISSIONS;
        String said =
            modes.keySet().stream().filter(it -> matches(it, path)).findFirst().orElse("");
        boolean file = !Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS);
        if (!said.isEmpty() && modes.get(said) != mode) {
          wrong.add(path + " is " + Integer.toOctalString(mode) + ", not as " + said);
        } else if (said.isEmpty() && file && WHOLE.contains(String.valueOf(path.getParent()))) {
          wrong.add(path + " is not on the page");
        }
      }
    }
    return wrong;
  }
}
