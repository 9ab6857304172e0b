package io.millrace.schedulers.simulator;

import io.millrace.schedulers.gridengine.language.account.AccountingFields;
import io.millrace.schemas.pbs.jobs.JobNumbers;
import io.millrace.schemas.pbs.resources.Amounts;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.schemas.pbs.resources.ResourceDefinition;
import io.millrace.schemas.pbs.resources.ResourceTable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads accounting files as a trace: of a PBS server (Millrace, PBS Professional, OpenPBS, Torque)
 * or of a Grid Engine. Each job that ended in them counts, by its last run. Times are whole
 * seconds: what took less ran for one. Lines are counted over all files.
 *
 * <p>A job of PBS counts as submitted when it could first have run: its {@code etime}, so that
 * holds and dependencies are kept, or else its {@code qtime} or {@code ctime}.
 */
public final class AccountedJobs {

  /** Above the longest list of nodes of a job that a site has. */
  private static final int LINE_MAX = 4 << 20;

  private static final Pattern RECORD =
      Pattern.compile(
          "\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d;[A-Za-z_]{1,16};[^;]*;.*", Pattern.DOTALL);

  /** The status of such a job in the Standard Workload Format. */
  private static final int COMPLETED = 1;

  /** Seconds, or hours, minutes and seconds, each of which may be left out. */
  private static final Pattern H_RT =
      Pattern.compile("\\bh_rt=(?:(\\d{0,7}):(\\d{0,7}):(\\d{0,7})|(\\d{1,10}))(?![\\d:])");

  /** What {@code failed} says of a run that its job began again. */
  private static final Set<String> AGAIN = Set.of("24", "25");

  private static final ResourceDefinition WALLTIME =
      ResourceTable.standard().find("walltime").orElseThrow();

  private final TraceFindings findings = new TraceFindings();
  private final List<Ended> jobs = new ArrayList<>();
  private final Map<String, Integer> running = new HashMap<>();
  private final Set<Long> numbers = new HashSet<>();
  private final Map<String, Long> users = new HashMap<>();
  private final Map<String, Long> groups = new HashMap<>();
  private final Map<String, Long> queues = new HashMap<>();
  private int line;

  /** A job that ended; times in seconds since 1970. */
  private record Ended(Trace.TraceLine line, long submitS, long startS, long endS) {

    private long processors() {
      return line.sizes().requested();
    }
  }

  /** What a job asked for, and since when; -1 where that is not told. */
  private record Asked(
      long submitS, long processors, long walltimeS, Trace.TraceSubmitter submitter) {}

  /** Whether a file that begins with this line is one of accounting. */
  public static boolean isRecord(String line) {
    return RECORD.matcher(line).matches() || AccountingFields.of(line).isPresent();
  }

  /** Reads one file; those of a folder come in the order of their days. */
  public void read(InputStream in) throws IOException {
    LineSource source = new LineSource(in, LINE_MAX);
    for (String text = source.next(); text != null; text = source.next()) {
      line++;
      if (!text.isBlank()) {
        take(text);
      }
    }
  }

  private void take(String text) {
    if (RECORD.matcher(text).matches()) {
      takePbs(text);
      return;
    }
    Optional<Map<String, String>> fields = AccountingFields.of(text);
    if (fields.isPresent()) {
      takeGridEngine(fields.get());
    } else if (text.charAt(0) != '#') {
      findings.add(TraceFinding.NO_RECORD, line);
    }
  }

  private void takeGridEngine(Map<String, String> fields) {
    if (!fields.get("pe_taskid").equals("NONE")) {
      return; // a part of a parallel job, which has a line of its own
    }
    if (AGAIN.contains(fields.get("failed"))) {
      findings.add(TraceFinding.RUN_REPEATED, line);
      return;
    }
    long start = AccountedFields.wholeNumber(fields.get("start_time"));
    long end = AccountedFields.wholeNumber(fields.get("end_time"));
    long submit = AccountedFields.wholeNumber(fields.get("submission_time"));
    long number = AccountedFields.wholeNumber(fields.get("job_number"));
    long task = AccountedFields.wholeNumber(fields.get("task_number"));
    if (task > 0 && task <= JobNumbers.INDEX_MAX) {
      number = JobNumbers.subjob(number, (int) task);
    }
    Matcher limit = H_RT.matcher(fields.get("category"));
    ended(
        number,
        new Asked(
            submit > 0 ? submit : -1,
            AccountedFields.wholeNumber(fields.get("slots")),
            limit.find() ? limitS(limit) : -1,
            submitter(fields.get("owner"), fields.get("group"), fields.get("qname"))),
        start > 0 ? start : -1,
        end);
  }

  private static long limitS(Matcher limit) {
    if (limit.group(4) != null) {
      return Long.parseLong(limit.group(4));
    }
    long seconds = 0;
    for (int part = 1; part <= 3; part++) {
      String text = limit.group(part);
      seconds = 60 * seconds + (text.isEmpty() ? 0 : Long.parseLong(text));
    }
    return seconds;
  }

  private void takePbs(String text) {
    String[] parts = text.split(";", 4);
    String id = parts[2];
    if (id.contains("[]")) {
      return; // an array, each subjob of which has lines of its own
    }
    switch (parts[1]) {
      case "S" -> running.put(id, line);
      case "R" -> {
        running.remove(id);
        findings.add(TraceFinding.RUN_REPEATED, line);
      }
      case "E" -> {
        running.remove(id);
        ended(id, new AccountedFields(parts[3]));
      }
      default -> {
        // Tells nothing of when a job ran.
      }
    }
  }

  private void ended(String id, AccountedFields fields) {
    ended(
        JobNumbers.of(id),
        new Asked(
            fields.firstAbove0("etime", "qtime", "ctime"),
            fields.processors(),
            walltime(fields),
            submitter(fields.get("user"), fields.get("group"), fields.get("queue"))),
        fields.number("start"),
        fields.number("end"));
  }

  private void ended(long number, Asked asked, long start, long end) {
    if (start < 0) {
      findings.add(TraceFinding.NO_RUN_TIME, line);
      return;
    }
    if (end < start || asked.submitS() < 0 || number < 0) {
      findings.add(TraceFinding.NO_TIMES, line);
      return;
    }
    if (!numbers.add(number)) {
      findings.add(TraceFinding.SAME_NUMBER, line);
    }
    long submit = asked.submitS();
    Trace.TraceTimes times =
        new Trace.TraceTimes(
            submit, Math.max(0, start - submit), Math.max(1, end - start), asked.walltimeS());
    Trace.TraceSizes sizes = new Trace.TraceSizes(asked.processors(), asked.processors());
    jobs.add(
        new Ended(
            new Trace.TraceLine(line, number, times, sizes, COMPLETED, asked.submitter()),
            submit,
            start,
            start + times.runS()));
  }

  private static long walltime(AccountedFields fields) {
    String walltime = fields.get("Resource_List.walltime");
    try {
      return walltime.isEmpty() ? -1 : Amounts.parse(WALLTIME, walltime);
    } catch (RequestException e) {
      return -1;
    }
  }

  private Trace.TraceSubmitter submitter(String user, String group, String queue) {
    return new Trace.TraceSubmitter(
        number(users, user), number(groups, group), number(queues, queue), user, group, queue);
  }

  /** Names are numbered in the order in which they come. */
  private static long number(Map<String, Long> known, String name) {
    return known.computeIfAbsent(name, it -> (long) known.size());
  }

  /**
   * What was read. The accounting does not tell how large the machine is: it has as many processors
   * as were in use at once. A job with more than any machine has is a mistake, and left out later.
   */
  public Trace trace() {
    running.values().stream().sorted().forEach(it -> findings.add(TraceFinding.STILL_RUNNING, it));
    long begin = jobs.stream().mapToLong(Ended::submitS).min().orElse(0);
    List<Trace.TraceLine> lines = jobs.stream().map(it -> since(begin, it.line())).toList();
    return new Trace(mostInUse(), begin, lines, findings);
  }

  private static Trace.TraceLine since(long begin, Trace.TraceLine line) {
    Trace.TraceTimes times = line.times();
    return new Trace.TraceLine(
        line.number(),
        line.job(),
        new Trace.TraceTimes(
            times.submitS() - begin, times.waitS(), times.runS(), times.requestedS()),
        line.sizes(),
        line.status(),
        line.submitter());
  }

  private int mostInUse() {
    Map<Long, Long> changes = new TreeMap<>();
    for (Ended job : jobs) {
      if (job.processors() > 0 && job.processors() <= Workload.PROCESSORS_MAX) {
        changes.merge(job.startS(), job.processors(), Long::sum);
        changes.merge(job.endS(), -job.processors(), Long::sum);
      }
    }
    long now = 0;
    long most = 0;
    for (long change : changes.values()) {
      now += change;
      most = Math.max(most, now);
    }
    return (int) Math.min(most, Workload.PROCESSORS_MAX);
  }
}
