package io.millrace.ops.backup;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which files of a home belong into a backup, and how they can be copied. Names are relative to the
 * home.
 */
final class HomeContents {

  /** Folder in which a backup collects its files; below data, where no part looks at it. */
  static final String GATHERED = "data/backup.new";

  /** Folders that are recreated: pid files, logs, copies of programs. */
  private static final Set<String> MADE_AGAIN = Set.of("run", "log", "bin", "share", ".restore");

  /** Files that an executor deletes when it opens its spool. */
  private static final Set<String> CLEARED =
      Set.of("new", "trash", "spare", "nodes", "events", "executor.lock");

  /**
   * What a spool for a cluster outside marks its runs with: numbers of jobs are given again after a
   * restore, and what has run under them there is not theirs.
   */
  private static final String MARK = "mark";

  /** Room that is kept back for the log; see LogReserve. */
  private static final Path RESERVE = Path.of("data/kafka/reserve");

  private static final Pattern INDEX = Pattern.compile("([0-9]{20})\\.(index|timeindex|txnindex)");
  private static final Pattern SEGMENT = Pattern.compile("([0-9]{20})\\.log");
  private static final Pattern CLUSTER_METADATA =
      Pattern.compile("data/kafka/__cluster_metadata-0/[0-9]{20}\\.log");
  private static final long SMALL = 256 << 10;

  private HomeContents() {}

  /** Whether a file, or a folder with its content, is left out of backups. */
  static boolean leftOut(Path name) {
    String first = name.getName(0).toString();
    if (MADE_AGAIN.contains(first)) {
      return true;
    }
    if (first.equals("data")) {
      // The shards' stores are restored from their changelog topics.
      return name.getNameCount() > 1 && !name.startsWith("data/kafka")
          || name.endsWith(".lock")
          || name.equals(RESERVE)
          || name.toString().endsWith(".deleted")
          || name.toString().endsWith(".cleaned");
    }
    if (!first.equals("spool") || name.getNameCount() != 3) {
      return false;
    }
    String file = name.getFileName().toString();
    boolean outside = name.getName(1).toString().startsWith("@");
    return outside ? file.equals(MARK) : CLEARED.contains(file);
  }

  /**
   * Whether the folder of this name must not be a symbolic link, because its content would then be
   * missing from the backup. Links in an executor's spool are an administrator's own, to programs
   * of the site.
   */
  static boolean mustBeFolder(Path name) {
    return !name.startsWith("spool") || name.getNameCount() <= 2;
  }

  /** Whether the file is a segment of the broker's cluster metadata log. */
  static boolean isClusterMetadata(String name) {
    return CLUSTER_METADATA.matcher(name).matches();
  }

  /**
   * Whether the file is an index of a partition's last segment. Those are written in place, and a
   * broker rebuilds missing ones from the segment, which it reads after a crash anyway.
   *
   * @param folder names of all files beside it
   */
  static boolean isOpenIndex(String name, List<String> folder) {
    Matcher index = INDEX.matcher(name);
    return index.matches() && index.group(1).equals(lastSegment(folder));
  }

  private static String lastSegment(List<String> folder) {
    return folder.stream()
        .map(SEGMENT::matcher)
        .filter(Matcher::matches)
        .map(segment -> segment.group(1))
        .max(String::compareTo)
        .orElse("");
  }

  /**
   * Whether a file may be truncated while it is read. A job may truncate its own output ({@code :
   * >/dev/stdout}); nobody truncates topics or accounting files.
   */
  static boolean mayShrink(String name) {
    return name.startsWith("spool/");
  }

  /**
   * Whether a file only grows at its end or is replaced as a whole, so that a hard link and the
   * present length preserve its content. Other files are copied while the parts are stopped.
   */
  static boolean onlyGrows(Path name, long bytes) {
    if (name.startsWith("data/kafka")) {
      return true;
    }
    if (name.startsWith("spool")) {
      // Output of jobs. Run directories are reused together with their files.
      String folder = name.getNameCount() > 3 ? name.getName(2).toString() : "";
      return folder.equals("spool") || folder.equals("undelivered");
    }
    // Accounting and daily logs; no other files of a home get long.
    return bytes > SMALL;
  }
}
