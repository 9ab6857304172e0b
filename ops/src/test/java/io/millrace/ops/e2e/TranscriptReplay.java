package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Types the lines of a Grid Engine's recorded session into a shell and compares. Numbers of jobs
 * differ, since Grid Engine gives one to each refused job: recorded numbers are translated before
 * typing, and local ones before the comparison, each in its column.
 */
final class TranscriptReplay {

  /**
   * How long to wait for what a query shows only after a while: a job starts, or a reason is
   * reported.
   */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(90);

  /** How long to wait for an equal answer where a reason for a difference is known. */
  private static final long EXCUSED_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  private static final Pattern SUBMITTED =
      Pattern.compile("(?m)^(?:Your job(?:-array)? )?(\\d+)(?:\\.\\d+-\\d+:\\d+)?(?: \\(.*|$)");

  private final LiveCell cell;
  private final Map<String, Account> users;
  private final RecordedAnswer answers;
  private final Reasons inapplicable = Reasons.read("/golden/gridengine-not-applicable.txt");
  private final Reasons different = Reasons.read("/golden/gridengine-different.txt");
  private final Map<String, String> here = new LinkedHashMap<>();
  private final Map<String, String> there = new LinkedHashMap<>();
  private final Map<String, Integer> occurred = new HashMap<>();
  private final List<String> unlisted = new ArrayList<>();
  private final List<String> listed = new ArrayList<>();
  private int equal;
  private int skipped;

  TranscriptReplay(LiveCell cell, Map<String, Account> users) throws IOException {
    this.cell = cell;
    this.users = users;
    this.answers = new RecordedAnswer(users, cell.machine(), this::recordedNumber);
  }

  /** Preparation before a recorded line is typed. */
  interface Before {
    void line(String line) throws IOException, InterruptedException;
  }

  void play(Transcript transcript, Before before) throws IOException, InterruptedException {
    for (Entry entry : transcript.entries()) {
      before.line(entry.line());
      String name = transcript.name() + ": " + entry.line();
      if (inapplicable.why(name).isPresent()) {
        skipped++;
        continue;
      }
      name += occurrence(name);
      boolean excused = different.why(name).isPresent();
      String difference = compare(entry, excused ? EXCUSED_NANOS : PATIENCE_NANOS);
      if (difference.isEmpty()) {
        equal++;
      } else {
        different.needed(name);
        (excused ? listed : unlisted).add(name + "\n" + difference);
      }
    }
  }

  /** Suffix with the number of the occurrence, for a line that the recording has more than once. */
  private String occurrence(String name) {
    int times = occurred.merge(name, 1, Integer::sum);
    return times == 1 ? "" : " (" + times + ")";
  }

  private String compare(Entry entry, long patienceNanos) throws IOException, InterruptedException {
    String line = typed(entry.line());
    boolean query = entry.line().startsWith("qstat");
    AtomicReference<String> difference = new AtomicReference<>();
    Polling.within(
        Duration.ofNanos(query ? patienceNanos : 0),
        () -> {
          difference.set(look(entry, line));
          return difference.get().isEmpty() || !query;
        });
    return difference.get();
  }

  private String look(Entry entry, String line) throws IOException, InterruptedException {
    Shell.Answer answer = type(entry.user(), line);
    learn(entry, answer);
    return answers.difference(entry, answer);
  }

  private Shell.Answer type(String user, String line) throws IOException, InterruptedException {
    Account account = users.get(user);
    return account == null
        ? cell.type(line)
        : cell.type(
            account,
            account.home(),
            "export SHELL=/bin/bash MAIL=/var/mail/" + account.name() + "; " + line);
  }

  /** Records the local number of a submitted job. */
  private void learn(Entry entry, Shell.Answer answer) {
    Matcher recorded = SUBMITTED.matcher(entry.out());
    Matcher mine = SUBMITTED.matcher(answer.out());
    if (entry.line().contains("qsub") && recorded.find() && mine.find()) {
      here.put(recorded.group(1), mine.group(1));
      there.put(mine.group(1), recorded.group(1));
    }
  }

  private String recordedNumber(String mine) {
    return there.getOrDefault(mine, mine);
  }

  /** The line with local numbers and names, and with longer times for its jobs. */
  private String typed(String line) {
    String typed = LengthenedJobs.typed(line);
    if (typed.matches("(qdel|qhold|qrls|qalter|qstat) .*|qsub .*-hold_jid .*")) {
      Pattern operand =
          typed.startsWith("qsub")
              ? Pattern.compile("(?<=-hold_jid [^ ]{0,40}[ ,])\\d+(?=[ ,])")
              : Pattern.compile("(?<=[ ,])(?<!-[pt] )(?<!head -)\\d+(?=$|[ .,|])");
      typed = operand.matcher(typed).replaceAll(this::numberHere);
    }
    for (Map.Entry<String, Account> user : users.entrySet()) {
      typed = typed.replaceAll("\\b" + user.getKey() + "\\b", user.getValue().name());
    }
    return typed;
  }

  private String numberHere(MatchResult number) {
    return here.getOrDefault(number.group(), number.group());
  }

  /** The first line that differs without a reason, and how; empty when there is none. */
  String firstUnlisted() {
    return unlisted.stream().findFirst().orElse("");
  }

  /** All lines that differ without a reason; those after the first may be consequences of it. */
  String unlistedLines() {
    return unlisted.stream()
        .map(difference -> difference.lines().findFirst().orElseThrow())
        .collect(Collectors.joining("; ", "different without a reason: ", ""));
  }

  /** Differences that have a reason. */
  List<String> listed() {
    return listed;
  }

  Reasons different() {
    return different;
  }

  String summary() {
    return String.format(
        "gridengine: %d lines as recorded, %d different with a reason, %d not applicable, %d"
            + " different without a reason",
        equal, listed.size(), skipped, unlisted.size());
  }
}
