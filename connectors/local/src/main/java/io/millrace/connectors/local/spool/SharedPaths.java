package io.millrace.connectors.local.spool;

import io.millrace.connectors.local.run.OutputDestination;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which paths of other hosts are files of this one: the site's file {@code usecp} with lines {@code
 * HOST:PREFIX PREFIX-HERE}, as the moms of PBS have it. HOST may begin with a star.
 */
final class SharedPaths {
  private static final Logger log = LoggerFactory.getLogger(SharedPaths.class);
  private static final Pattern LINE = Pattern.compile("([^\\s:]+):(/\\S*)\\s+(/\\S*)\\s*");

  /** Modification times of the files whose errors were logged. */
  private static final Map<Path, Object> CHANGED = new ConcurrentHashMap<>();

  /** Lines of the site's file; empty when it has none. */
  private final Optional<List<String>> lines;

  /** Reads the site's file. An error in it is logged once for each version of the file. */
  SharedPaths(Path spool) {
    this.lines = read(spool.resolve("site"));
  }

  /** Whether the site has such a file; without one homes count as shared. */
  boolean told() {
    return lines.isPresent();
  }

  /** The destination on this host, if the path is shared; else the given one. */
  OutputDestination seenFrom(OutputDestination far, String node) throws IOException {
    if (far.isHere(node)) {
      return far.here(far.path());
    }
    for (String line : lines.orElse(List.of())) {
      Matcher rule = LINE.matcher(line);
      if (rule.matches()
          && fits(rule.group(1), far.host())
          && far.path().startsWith(rule.group(2))) {
        return far.here(rule.group(3) + far.path().substring(rule.group(2).length()));
      }
    }
    return far;
  }

  private static boolean fits(String pattern, String host) {
    String wanted = pattern.toLowerCase(Locale.ROOT);
    String given = host.toLowerCase(Locale.ROOT);
    return wanted.startsWith("*") ? given.endsWith(wanted.substring(1)) : given.equals(wanted);
  }

  /**
   * The lines; empty when there is no such file. One that cannot be read shares nothing: output
   * that cannot be copied to another host is kept, while output in a wrong home directory would be
   * as good as lost.
   */
  private static Optional<List<String>> read(Path site) {
    Path file = site.resolve("usecp");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      boolean news = news(file);
      if (!safe(file, site)) {
        if (news) {
          log.error(
              "{} is not read, and nothing is shared: it must be a file of the executor's user"
                  + " that nobody else may write",
              file);
        }
        return Optional.of(List.of());
      }
      // A byte that is not UTF-8 becomes a character that no path has, so only its line has no
      // effect.
      List<String> lines =
          new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
      if (news) {
        complain(file, lines);
      }
      return Optional.of(lines);
    } catch (IOException e) {
      log.error("{} is not read, and nothing is shared: {}", file, e.toString());
      return Optional.of(List.of());
    }
  }

  private static boolean safe(Path file, Path site) throws IOException {
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
    return Files.getOwner(file).equals(Files.getOwner(site))
        && !rights.contains(PosixFilePermission.GROUP_WRITE)
        && !rights.contains(PosixFilePermission.OTHERS_WRITE);
  }

  /** Whether the file has changed since the last call; each run reads it. */
  private static boolean news(Path file) throws IOException {
    Object changed = Files.getAttribute(file, "unix:ctime");
    return !changed.equals(CHANGED.put(file.toAbsolutePath(), changed));
  }

  private static void complain(Path file, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank() && !line.startsWith("#") && !LINE.matcher(line).matches()) {
        log.error("{}, line {}: it is not HOST:/PATH /PATH-HERE", file, i + 1);
      }
    }
  }
}
