package io.millrace.ops.e2e;

import io.millrace.ops.e2e.Recording.Entry;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

  /** How a reason begins that is one for another priority, and for nothing else. */
  private static final String PRIORITIES = "priorities: ";

  private static final Pattern SUBMITTED =
      Pattern.compile("(?m)^(?:Your job(?:-array)? )?(\\d+)(?:\\.\\d+-\\d+:\\d+)?(?: \\(.*|$)");

  private final LiveCell cell;
  private final Map<String, Account> users;
  private final RecordedAnswer answers;
  private final Reasons inapplicable;
  private final Reasons different;
  private final Map<String, String> here = new LinkedHashMap<>();
  private final Map<String, String> there = new LinkedHashMap<>();
  private final Map<String, Integer> occurred = new HashMap<>();
  private final List<String> unlisted = new ArrayList<>();
  private final List<String> listed = new ArrayList<>();
  private final Map<String, Shares> ofTranscripts = new LinkedHashMap<>();
  private int equal;
  private int skipped;

  /** Of a session about reservations; null in others. */
  private RecordedWindows windows;

  private RecordedFiles files;

  /**
   * A replay.
   *
   * @param tables how the names of the tables of reasons begin
   */
  TranscriptReplay(LiveCell cell, Map<String, Account> users, String tables) throws IOException {
    this.cell = cell;
    this.users = users;
    this.inapplicable = Reasons.read("/golden/" + tables + "-not-applicable.txt");
    this.different = Reasons.read("/golden/" + tables + "-different.txt");
    this.answers = new RecordedAnswer(users, cell.machine(), this::recordedNumber);
  }

  /** What is played from now on has these windows. */
  void with(RecordedWindows windows) throws IOException, InterruptedException {
    this.windows = windows;
    this.files = new RecordedFiles(cell, windows, there);
    answers.keep(windows::isAsked);
  }

  /** Submits a job that an earlier session had left, which lasts here. */
  void submitted(String recordedNumber, Entry entry) throws IOException, InterruptedException {
    Matcher mine = SUBMITTED.matcher(type(entry.user(), LengthenedJobs.typed(entry.line())).must());
    if (!mine.find()) {
      throw new AssertionError(mine + " tells no number");
    }
    here.put(recordedNumber, mine.group(1));
    there.put(mine.group(1), recordedNumber);
  }

  /** Lines of one session that are as recorded, and all that apply. */
  private static final class Shares {
    private int equal;
    private int all;
  }

  /** Preparation before a recorded line is typed. */
  interface Before {
    void line(String line) throws IOException, InterruptedException;
  }

  void play(Transcript transcript, Before preparation) throws IOException, InterruptedException {
    for (Entry entry : transcript.entries()) {
      preparation.line(entry.line());
      String name = transcript.name() + ": " + entry.line();
      if (inapplicable.why(name).isPresent()) {
        inapplicable.needed(name);
        skipped++;
        continue;
      }
      name += occurrence(name);
      Optional<String> why = different.why(name);
      boolean priorities = why.filter(it -> it.startsWith(PRIORITIES)).isPresent();
      answers.leavePriorities(priorities);
      boolean excused = why.isPresent() && !priorities;
      String difference = compare(entry, excused ? EXCUSED_NANOS : PATIENCE_NANOS);
      Shares its = ofTranscripts.computeIfAbsent(transcript.name(), it -> new Shares());
      int before = equal;
      count(name, difference, excused, priorities);
      its.all++;
      its.equal += equal - before;
    }
  }

  /**
   * Counts a line.
   *
   * @param excused whether it has a reason to differ
   * @param priorities whether it has a reason to differ in these alone, which were not compared
   */
  private void count(String name, String difference, boolean excused, boolean priorities) {
    if (difference.isEmpty() && !priorities) {
      equal++;
      return;
    }
    if (!difference.isEmpty() && !excused) {
      unlisted.add(name + "\n" + difference);
      return;
    }
    different.needed(name);
    listed.add(name + "\n" + (priorities ? "  equal but for priorities\n" : difference));
  }

  /** Suffix with the number of the occurrence, for a line that the recording has more than once. */
  private String occurrence(String name) {
    int times = occurred.merge(name, 1, Integer::sum);
    return times == 1 ? "" : " (" + times + ")";
  }

  private String compare(Entry entry, long patienceNanos) throws IOException, InterruptedException {
    String line = typed(entry.line());
    boolean query = entry.line().matches("(qstat|qrstat|qacct|grep|tail)\\b.*");
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
    return windows == null
        ? answers.difference(entry, answer)
        : answers.difference(files.recorded(entry), files.answered(entry, answer));
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
    if (windows != null) {
      windows.learn(entry, answer, there);
    }
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

  /** The line with local numbers, names and times. */
  private String typed(String line) {
    String typed =
        windows == null
            ? LengthenedJobs.typed(line)
            : files.typed(windows.typed(RecordedAnswer.uncut(line)));
    if (typed.matches("(qdel|qhold|qrls|qalter|qmod|qstat) .*|qsub .*-hold_jid .*")) {
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

  /** Patterns of what does not apply that match no line. */
  Set<String> needless() {
    return inapplicable.unused();
  }

  /** The part of the applicable lines that are as recorded. */
  double share() {
    return (double) equal / (equal + listed.size() + unlisted.size());
  }

  /** The same of each session, by its name. */
  Map<String, Double> shares() {
    Map<String, Double> shares = new LinkedHashMap<>();
    ofTranscripts.forEach((name, its) -> shares.put(name, (double) its.equal / its.all));
    return shares;
  }

  /** How much of each session is as recorded, as text. */
  String sharesTold() {
    StringBuilder text = new StringBuilder();
    ofTranscripts.forEach(
        (name, its) ->
            text.append(String.format("gridengine: %s: %d of %d%n", name, its.equal, its.all)));
    return text.toString().stripTrailing();
  }

  String summary() {
    return String.format(
        "gridengine: %d lines as recorded, %d different with a reason, %d not applicable, %d"
            + " different without a reason",
        equal, listed.size(), skipped, unlisted.size());
  }
}
