package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The files {@code reporting} and {@code schedule} of a recorded session, which are read here from
 * where they were when the session began. What the recorded line cuts from them is not cut here.
 * Lines of reservations that begin or end together have no order.
 */
final class RecordedFiles {

  private static final String COMMON = "/var/lib/gridengine/default/common/";
  private static final String REPORTING = COMMON + "reporting";
  private static final String SCHEDULE = COMMON + "schedule";

  /** A line of the report up to the number of its reservation, without when it was written. */
  private static final Pattern REPORTED =
      Pattern.compile("\\d{10}:(new_ar|ar_\\w+):\\d{10}:(\\d{10}:)?(\\d+)(:.*)");

  private static final Pattern SECONDS = Pattern.compile("(?<=:)\\d{10}(?=:)");
  private static final Pattern RESERVING = Pattern.compile("(0:0:RESERVING:)(\\d{10})(:.*)");
  private static final Pattern OF_JOB = Pattern.compile("(\\d+)(:\\d+:[A-Z]+:)\\d{10}:(\\d+)(:.*)");

  private final LiveCell cell;
  private final RecordedWindows windows;
  private final Map<String, String> there;
  private String reportedBefore = "0";
  private String scheduledBefore = "0";

  /**
   * Files of a session.
   *
   * @param there recorded numbers of jobs and reservations by those here
   */
  RecordedFiles(LiveCell cell, RecordedWindows windows, Map<String, String> there)
      throws IOException, InterruptedException {
    this.cell = cell;
    this.windows = windows;
    this.there = there;
    reportedBefore = cell.type(content(REPORTING) + " | wc -c").must().strip();
    scheduledBefore = cell.type(content(SCHEDULE) + " | wc -c").must().strip();
  }

  private String content(String recorded) {
    return recorded.equals(SCHEDULE)
        ? "cat " + cell.schedule()
        : "cat " + cell.site().home().root().resolve("server_priv/reporting") + "/*";
  }

  /** A recorded line that reads what was written since the session began. */
  String typed(String line) {
    return line.replaceAll("^tail -\\d+ (?=" + COMMON + ")", "cat ")
        .replaceAll("^cat " + REPORTING, since(REPORTING, reportedBefore))
        .replaceAll("^cat " + SCHEDULE, since(SCHEDULE, scheduledBefore))
        .replaceAll("^(grep .*) " + REPORTING, since(REPORTING, reportedBefore) + " | $1");
  }

  private String since(String recorded, String bytes) {
    return content(recorded) + " | tail -c +" + (Long.parseLong(bytes) + 1);
  }

  /** What is compared of a recorded answer. */
  Entry recorded(Entry entry) {
    String out = entry.out();
    if (entry.line().contains(REPORTING)) {
      out = report(out, windows::recordedSeconds, UnaryOperator.identity());
    } else if (entry.line().contains(SCHEDULE)) {
      out =
          join(
              plan(out, windows::recordedSeconds, UnaryOperator.identity()).stream()
                  .sorted()
                  .toList());
    }
    return new Entry(entry.user(), entry.line(), out, entry.err(), entry.exit());
  }

  /** What is compared of a local answer. */
  Shell.Answer answered(Entry entry, Shell.Answer answer) {
    String out = answer.out();
    UnaryOperator<String> number = it -> there.getOrDefault(it, it);
    if (entry.line().contains(REPORTING)) {
      out = report(out, windows::localSeconds, number);
    } else if (entry.line().contains(SCHEDULE)) {
      List<String> cut = plan(entry.out(), windows::recordedSeconds, UnaryOperator.identity());
      out = join(asShown(cut, plan(out, windows::localSeconds, number)));
    } else if (entry.line().startsWith("qrstat")) {
      out = windows.onRecordedClock(out);
    }
    return new Shell.Answer(answer.line(), answer.status(), out, answer.err(), answer.tookMs());
  }

  /**
   * The lines of a plan that a recorded cut of it can be compared with. The recorded line shows the
   * last lines of the file only; so those of what it shows nothing of are left out. What it shows
   * something of has no other line, and none more often; but for what its first line is about, of
   * which others may have stood before that.
   *
   * @param cut what the recording shows
   * @param all what is here, of all cycles since the session began
   */
  static List<String> asShown(List<String> cut, List<String> all) {
    Set<String> shown = new TreeSet<>();
    cut.forEach(line -> shown.add(subject(line)));
    String first = cut.isEmpty() ? "" : subject(cut.get(0));
    return all.stream()
        .filter(line -> shown.contains(subject(line)))
        .filter(line -> !subject(line).equals(first) || cut.contains(line))
        .sorted()
        .toList();
  }

  /** What a line is about: a reservation's share of an object from some second on, or a job. */
  private static String subject(String line) {
    String[] fields = line.split(":");
    return String.join(":", List.of(fields).subList(0, Math.min(fields.length, 4)));
  }

  private static String report(
      String text, UnaryOperator<String> seconds, UnaryOperator<String> number) {
    record Line(int number, String text) {}

    return text.lines()
        .map(REPORTED::matcher)
        .filter(Matcher::matches)
        .map(
            m -> {
              String its = number.apply(m.group(3));
              String rest = SECONDS.matcher(m.group(4)).replaceAll(at -> seconds.apply(at.group()));
              return new Line(Integer.parseInt(its), m.group(1) + ":" + its + rest + "\n");
            })
        .sorted(Comparator.comparing(Line::number))
        .map(Line::text)
        .collect(Collectors.joining());
  }

  /** Lines of the schedule, those of a job's slots once, and none of jobs of other sessions. */
  private List<String> plan(
      String text, UnaryOperator<String> seconds, UnaryOperator<String> number) {
    Set<String> ofJobs = new TreeSet<>();
    List<String> plan = new ArrayList<>();
    for (String line : text.lines().toList()) {
      Matcher reserving = RESERVING.matcher(line);
      Matcher job = OF_JOB.matcher(line);
      if (reserving.matches()) {
        plan.add(reserving.group(1) + seconds.apply(reserving.group(2)) + reserving.group(3));
      } else if (job.matches() && there.containsValue(number.apply(job.group(1)))) {
        String length = job.group(3).length() < 10 ? job.group(3) : "FOREVER";
        ofJobs.add(number.apply(job.group(1)) + job.group(2) + "TIME:" + length + job.group(4));
      }
    }
    plan.addAll(ofJobs);
    return plan;
  }

  private static String join(Iterable<String> lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(it -> text.append(it).append('\n'));
    return text.toString();
  }
}
