package io.millrace.connectors.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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

  private final Path site;

  SharedPaths(Path spool) {
    this.site = spool.resolve("site");
  }

  /** Whether the site has said what is shared; otherwise homes are taken for shared. */
  boolean told() {
    return Files.exists(site.resolve("usecp"));
  }

  /** The same file here, where it is one of this host; else as it was. */
  Destination seenFrom(Destination far, String node) throws IOException {
    if (far.isHere(node)) {
      return far.here(far.path());
    }
    for (String line : lines()) {
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

  /** A file that is wrong is named in the log, and what it does not say is another host's. */
  private List<String> lines() throws IOException {
    Path file = site.resolve("usecp");
    if (!Files.exists(file)) {
      return List.of();
    }
    Set<PosixFilePermission> rights = Files.getPosixFilePermissions(file);
    if (!Files.getOwner(file).equals(Files.getOwner(site))
        || rights.contains(PosixFilePermission.GROUP_WRITE)
        || rights.contains(PosixFilePermission.OTHERS_WRITE)) {
      log.error(
          "{} is not read: it must be a file of the executor's user that nobody else may write",
          file);
      return List.of();
    }
    List<String> lines = Files.readAllLines(file);
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!line.isBlank() && !line.startsWith("#") && !LINE.matcher(line).matches()) {
        log.error("{}, line {}: it is not HOST:/PATH /PATH-HERE", file, i + 1);
      }
    }
    return lines;
  }
}
