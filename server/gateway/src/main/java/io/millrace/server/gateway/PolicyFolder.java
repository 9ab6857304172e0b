package io.millrace.server.gateway;

import io.millrace.schemas.folder.NamedText;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.pbs.schedconfig.options.PolicyFinding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A folder with the files of a PBS scheduler, looked at again and again. A state of the files
 * counts when two looks in a row have found it: editors remove a file before they write it anew,
 * and several files are often changed together.
 */
final class PolicyFolder {

  /**
   * What the folder says.
   *
   * @param texts by the names of the files
   * @param problem why they cannot be obeyed, one line; empty when they can
   */
  record PolicyContent(Map<String, String> texts, String problem) {}

  private static final int FILE_MAX = 256 << 10;

  /** What tells one state of a file from another. */
  private static final String STAMP = "unix:ino,ctime,size,mode,uid";

  private final Path folder;

  /** Stamps of the files that are there: of the last look, and of the last content. */
  private Map<String, String> seen = Map.of();

  private Map<String, String> taken;
  private PolicyContent last;

  PolicyFolder(String folder) {
    this.folder = Path.of(folder);
  }

  /** Looks at the folder; empty when nothing is new. */
  Optional<PolicyContent> look() {
    Map<String, String> now = stamps();
    boolean steady = now.equals(seen);
    seen = now;
    // What was wrong may be mended without a change of the files, as the rights of the folder.
    boolean known = now.equals(taken) && last.problem().isEmpty();
    if (!steady || known) {
      return Optional.empty();
    }
    taken = now;
    PolicyContent content = read(now);
    boolean same = content.equals(last);
    last = content;
    return same ? Optional.empty() : Optional.of(content);
  }

  private Map<String, String> stamps() {
    Map<String, String> stamps = new TreeMap<>();
    for (String name : SitePolicyFolder.FILES) {
      try {
        stamps.put(
            name,
            Files.readAttributes(folder.resolve(name), STAMP, LinkOption.NOFOLLOW_LINKS)
                .toString());
      } catch (NoSuchFileException e) {
        // Each of them may be missing.
      } catch (IOException e) {
        stamps.put(name, e.toString());
      }
    }
    return stamps;
  }

  private PolicyContent read(Map<String, String> present) {
    Map<String, String> texts = new TreeMap<>();
    try {
      for (String name : present.keySet()) {
        texts.put(name, NamedText.read(folder.resolve(name).toString(), FILE_MAX));
      }
    } catch (IOException e) {
      return new PolicyContent(Map.of(), e.getMessage());
    }
    if (!texts.containsKey(SitePolicyFolder.SCHED_CONFIG)) {
      return new PolicyContent(
          Map.of(), "there is no " + SitePolicyFolder.SCHED_CONFIG + " in " + folder);
    }
    String problem =
        SitePolicyFolder.read(texts).findings().stream()
            .filter(PolicyFinding::wrong)
            .map(PolicyFinding::text)
            .findFirst()
            .orElse("");
    return new PolicyContent(problem.isEmpty() ? texts : Map.of(), problem);
  }
}
