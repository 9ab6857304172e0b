package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The accounting lines of a recorded session, job by job and in their order, against those of its
 * replay. Ours are told with the numbers and names of the recording; what is measured and when it
 * was are left out of both. Known differences are rows of {@link AccountChanges}; those that are
 * not needed are returned by {@link #unused}.
 */
final class RecordedAccounts {

  /** With what the recording shows them. */
  private static final Pattern SHOWN = Pattern.compile("cat \\S+/server_priv/accounting/\\d+");

  private static final String TABLE = "/golden/accounting-different.txt";
  private static final Pattern SUBJOB = Pattern.compile("\\[\\d*]$");

  private final Map<String, String> recorded = new LinkedHashMap<>();
  private final AccountChanges changes = new AccountChanges(TABLE);
  private final Map<String, String> numbers;
  private final LongerJobs longer;
  private final Map<String, Account> users;
  private final String server;
  private String last = "";
  private int equal;
  private int excused;

  /**
   * @param numbers that jobs have here, by those of the recording
   * @param longer which of them were given more time
   * @param users of here by the recorded names
   */
  RecordedAccounts(
      Recording recording,
      Map<String, String> numbers,
      LongerJobs longer,
      Map<String, Account> users,
      String server)
      throws IOException {
    this.numbers = numbers;
    this.longer = longer;
    this.users = users;
    this.server = server;
    for (Entry entry : recording.entries()) {
      if (SHOWN.matcher(entry.line()).matches()) {
        entry.out().lines().forEach(this::add);
      }
    }
  }

  private void add(String line) {
    String[] fields = line.split(";", 4);
    String job = fields[2].replaceAll("\\.vm$", "");
    Set<String> number = Set.of(SUBJOB.matcher(job).replaceAll(""));
    String text = plain(longer.recorded(number, node(fields[3])));
    recorded.merge(job, fields[1] + ";" + job + ";" + text + "\n", String::concat);
    last = fields[1] + ";" + job + ";";
  }

  /** Uses the node named by the line that ran the job there. */
  private static String node(String text) {
    return text.replace("vm[0]:ncpus=1 ", "vm[7]:ncpus=1 ");
  }

  /** Whether the last recorded line has been written here too. */
  boolean complete(Path folder) {
    return here(folder).values().stream().anyMatch(lines -> lines.contains(last));
  }

  /**
   * Differences without a reason, by job; empty when there are none.
   *
   * @param folder of the accounting files of here
   */
  List<String> differences(Path folder) {
    Map<String, String> here = here(folder);
    Set<String> jobs = new LinkedHashSet<>(recorded.keySet());
    jobs.addAll(here.keySet());
    List<String> differences = new ArrayList<>();
    for (String job : jobs) {
      String there = recorded.getOrDefault(job, "");
      String mine = here.getOrDefault(job, "");
      if (same(changes.on(there), mine)) {
        count(there, mine);
        changes.needs(there, changed -> same(changed, mine));
      } else {
        differences.add("job " + job + " recorded:\n" + there + "  here:\n" + mine);
      }
    }
    return differences;
  }

  /** Compares lines; those of a job that moved to another shard may be read in another order. */
  private static boolean same(String there, String mine) {
    boolean twoShards = there.lines().filter(line -> line.startsWith("Q;")).count() > 1;
    return twoShards
        ? there.lines().sorted().toList().equals(mine.lines().sorted().toList())
        : there.equals(mine);
  }

  private void count(String there, String mine) {
    List<String> left = new ArrayList<>(mine.lines().toList());
    for (String line : there.lines().toList()) {
      if (left.remove(line)) {
        equal++;
      } else {
        excused++;
      }
    }
  }

  /** Rows that no job needs. */
  Set<String> unused() {
    return changes.unused();
  }

  String summary() {
    return "golden: accounting: "
        + equal
        + " lines of "
        + recorded.size()
        + " jobs as recorded, "
        + excused
        + " different with a reason";
  }

  /** The local lines by the recorded numbers of their jobs; other jobs are kept under their own. */
  private Map<String, String> here(Path folder) {
    Map<String, String> there = new HashMap<>();
    numbers.forEach((recorded, mine) -> there.put(mine, recorded));
    Pattern id = Pattern.compile("\\b(\\d+)((?:\\[\\d*])?\\." + Pattern.quote(server) + ")\\b");
    Map<String, String> lines = new LinkedHashMap<>();
    for (String line : AccountLines.all(folder)) {
      String translated =
          id.matcher(line)
              .replaceAll(
                  m ->
                      Matcher.quoteReplacement(
                          there.getOrDefault(m.group(1), m.group(1)) + m.group(2)));
      for (Map.Entry<String, Account> user : users.entrySet()) {
        translated = translated.replace(user.getValue().name(), user.getKey());
      }
      translated =
          translated.replaceAll("(?<![\\w-])" + Pattern.quote(server) + "\\b(?![\\[-])", "vm");
      String[] fields = translated.split(";", 4);
      String job = fields[2].replaceAll("\\.vm$", "");
      lines.merge(job, fields[1] + ";" + job + ";" + plain(fields[3]) + "\n", String::concat);
    }
    return lines;
  }

  /** Removes the numbers behind hosts, which only help people to tell jobs apart. */
  private static String plain(String text) {
    return text.replaceAll("\\b([cqe]time|start|end)=[1-9]\\d*", "$1=TIME")
        .replaceAll("\\bsession=\\d+", "session=N")
        .replaceAll("(resources_used\\.(?:cpupercent|cput|mem|vmem|walltime))=\\S+", "$1")
        .replaceAll("(?<=[=+])vm/\\d+", "vm/N");
  }
}
