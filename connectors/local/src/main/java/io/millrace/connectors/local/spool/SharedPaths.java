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

  /** When the files of which the log has told were changed. */
  private static final Map<Path, Object> CHANGED = new ConcurrentHashMap<>();

  /** What the site has said; empty when it has said nothing. */
  private final Optional<List<String>> lines;

  /** As the site's file is now. One that is wrong is named in the log, once as long as it stays. */
  SharedPaths(Path spool) {
    this.lines = read(spool.resolve("site"));
  }

  /** Whether the site has said what is shared; otherwise homes are taken for shared. */
  boolean told() {
    return lines.isPresent();
  }

  /** The same file here, where it is one of this host; else as it was. */
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
   * Empty when there is no such file. One that is not read shares nothing: its site has homes of
   * which its hosts are told, and output that is brought over in vain is kept, while what lies in a
   * home that nobody looks at is as good as lost.
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
      // A byte that is no UTF-8 becomes a sign that no path has: only its line says nothing then.
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

  /** Whether the file is not as it was when this was asked last: each run reads it. */
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
