package io.millrace.ops.backup;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which files of a home belong into a backup, and how they may be taken. Names are relative. */
final class HomeContents {

  /** Folder in which a backup gathers what it will write; in data, where nobody else looks. */
  static final String GATHERED = "data/backup.new";

  /** Marks of processes, words of the past, copies of the programs. */
  private static final Set<String> MADE_AGAIN = Set.of("run", "log", "bin", "share", ".restore");

  /** What an executor clears when it opens its spool. */
  private static final Set<String> CLEARED =
      Set.of("new", "trash", "spare", "nodes", "events", "executor.lock");

  private static final Pattern INDEX = Pattern.compile("([0-9]{20})\\.(index|timeindex|txnindex)");
  private static final Pattern SEGMENT = Pattern.compile("([0-9]{20})\\.log");
  private static final Pattern CLUSTER_METADATA =
      Pattern.compile("data/kafka/__cluster_metadata-0/[0-9]{20}\\.log");
  private static final long SMALL = 256 << 10;

  private HomeContents() {}

  /** Whether a file or folder is left out, with all that is in it. */
  static boolean leftOut(Path name) {
    String first = name.getName(0).toString();
    if (MADE_AGAIN.contains(first)) {
      return true;
    }
    if (first.equals("data")) {
      // The shards' stores are made again from their topics.
      return name.getNameCount() > 1 && !name.startsWith("data/kafka")
          || name.endsWith(".lock")
          || name.toString().endsWith(".deleted")
          || name.toString().endsWith(".cleaned");
    }
    return first.equals("spool")
        && name.getNameCount() == 3
        && CLEARED.contains(name.getFileName().toString());
  }

  /**
   * Whether a link to a folder of this name would leave out what belongs to the home. In the spool
   * of a host there are links of its administrator, to programs of the site.
   */
  static boolean mustBeFolder(Path name) {
    return !name.startsWith("spool") || name.getNameCount() <= 2;
  }

  /** Whether it is a segment of what the broker knows of its topics. */
  static boolean isClusterMetadata(String name) {
    return CLUSTER_METADATA.matcher(name).matches();
  }

  /**
   * The indexes of a topic's last segment are written in place; a broker that misses them makes
   * them from the segment, which it reads after a crash anyway.
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
   * Whether a file may become shorter while it is read. What a job prints is the job's own file: it
   * may empty it ({@code : >/dev/stdout}). Nobody may do that to a topic or to accounting.
   */
  static boolean mayShrink(String name) {
    return name.startsWith("spool/");
  }

  /**
   * Whether a file only ever grows at its end or is replaced as a whole, so that a further link to
   * it and its length keep what it is now. Others are copied while the parts stand still.
   */
  static boolean onlyGrows(Path name, long bytes) {
    if (name.startsWith("data/kafka")) {
      return true;
    }
    if (name.startsWith("spool")) {
      // What jobs print. The run directories serve again, with their files.
      String folder = name.getNameCount() > 3 ? name.getName(2).toString() : "";
      return folder.equals("spool") || folder.equals("undelivered");
    }
    // Accounting and day logs; nothing else in a home gets long.
    return bytes > SMALL;
  }
}
