package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The accounting lines of recorded reservations, of each in their order, against those of their
 * replay. Ours are told with the recorded names, and times as what has passed since the recording
 * began.
 */
final class RecordedReservationAccounts {

  private static final Pattern SHOWN =
      Pattern.compile("grep -E ';.*' \\S+/server_priv/accounting/\\d+.*");

  private static final Pattern LINE = Pattern.compile("[^;]*;[A-Za-z];[RSM]\\d+\\..*");

  private final Map<String, List<String>> recorded = new LinkedHashMap<>();

  /** By the recorded names, those that a reservation has here. */
  private final Map<String, String> names = new LinkedHashMap<>();

  private final Map<String, RecordedReservations> sessions = new LinkedHashMap<>();
  private final AccountChanges changes;
  private final Map<String, Account> users;
  private final String server;
  private int equal;
  private int excused;

  /**
   * @param users of here by the recorded names
   */
  RecordedReservationAccounts(Map<String, Account> users, String server) throws IOException {
    this.users = users;
    this.server = server;
    this.changes = new AccountChanges("/golden/reservation-accounting-different.txt");
  }

  /** Takes the lines that a recording shows, when it has been played. */
  void add(Recording recording, RecordedReservations session) {
    for (Entry entry : recording.entries()) {
      if (SHOWN.matcher(entry.line()).matches()) {
        entry
            .out()
            .lines()
            .filter(it -> LINE.matcher(it).matches())
            .forEach(
                line -> {
                  String[] fields = line.split(";", 4);
                  String name = fields[2].replaceAll("\\..*", "");
                  String text = session.accounted(name, fields[3], true);
                  sessions.put(name, session);
                  names.put(name, session.mine(name));
                  recorded
                      .computeIfAbsent(name, it -> new ArrayList<>())
                      .add(fields[1] + ";" + name + ";" + text);
                });
      }
    }
  }

  /**
   * Differences without a reason, by reservation; empty when there are none.
   *
   * @param folder of the accounting files of here
   */
  List<String> differences(Path folder) {
    equal = 0;
    excused = 0;
    List<String> differences = new ArrayList<>();
    recorded.forEach(
        (name, lines) -> {
          String there = join(lines);
          List<String> all = here(folder, name);
          String mine = join(asShown(lines, all, count(changes.on(there))));
          if (changes.on(there).equals(mine)) {
            changes.needs(there, mine::equals);
            List<String> left = new ArrayList<>(mine.lines().toList());
            lines.forEach(line -> excused += left.remove(line) ? 0 : 1);
            equal += count(mine) - left.size();
          } else {
            differences.add(name + " recorded:\n" + there + "  here:\n" + mine);
          }
        });
    return differences;
  }

  /**
   * What the recorded line showed: not what it cut at the front, of which then the removal alone is
   * left, and not what came later, which is so where there is no removal.
   */
  private static List<String> asShown(List<String> recorded, List<String> all, int lines) {
    int shown = Math.min(lines, all.size());
    if (isRemoval(recorded.get(0))) {
      return all.subList(all.size() - shown, all.size());
    }
    return isRemoval(recorded.get(recorded.size() - 1)) ? all : all.subList(0, shown);
  }

  private static boolean isRemoval(String line) {
    return line.startsWith("K;") || line.startsWith("k;");
  }

  private static int count(String lines) {
    return (int) lines.lines().count();
  }

  private static String join(List<String> lines) {
    return lines.isEmpty() ? "" : String.join("\n", lines) + "\n";
  }

  private List<String> here(Path folder, String name) {
    List<String> lines = new ArrayList<>();
    String id = names.get(name) + "." + server;
    for (String line : AccountLines.all(folder)) {
      String[] fields = line.split(";", 4);
      if (fields[2].equals(id)) {
        String text = fields[3].replaceAll("\\b" + names.get(name) + "\\b", name);
        for (Map.Entry<String, Account> user : users.entrySet()) {
          text = text.replace(user.getValue().name(), user.getKey());
        }
        text = text.replaceAll("(?<![\\w-])" + Pattern.quote(server) + "\\b(?![\\[-])", "vm");
        lines.add(fields[1] + ";" + name + ";" + sessions.get(name).accounted(name, text, false));
      }
    }
    return lines;
  }

  /** Rows that no reservation needs. */
  Set<String> unused() {
    return changes.unused();
  }

  String summary() {
    return "golden: accounting: "
        + equal
        + " lines of "
        + recorded.size()
        + " reservations as recorded, "
        + excused
        + " different with a reason";
  }
}
