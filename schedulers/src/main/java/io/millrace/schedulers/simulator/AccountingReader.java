package io.millrace.schedulers.simulator;

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
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the accounting files of a PBS server (of Millrace, PBS Professional, OpenPBS, Torque) as a
 * trace: each job that ended in them, by its last run. A job counts as submitted when it could
 * first have run: its {@code etime}, so that holds and dependencies are kept, or else its {@code
 * qtime} or {@code ctime}. Times are whole seconds: what took less ran for one. Lines are counted
 * over all files.
 */
public final class AccountingReader {

  /** Above the longest list of nodes of a job that a site has. */
  private static final int LINE_MAX = 4 << 20;

  private static final Pattern RECORD =
      Pattern.compile(
          "\\d\\d/\\d\\d/\\d{4} \\d\\d:\\d\\d:\\d\\d;[A-Za-z_]{1,16};[^;]*;.*", Pattern.DOTALL);

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

    private int processors() {
      return (int) line.sizes().requested();
    }
  }

  /** Whether a file that begins with this line is one of accounting. */
  public static boolean isRecord(String line) {
    return RECORD.matcher(line).matches();
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
    if (!isRecord(text)) {
      findings.add(TraceFinding.NO_RECORD, line);
      return;
    }
    String[] parts = text.split(";", 4);
    String id = parts[2];
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
    long start = fields.number("start");
    long end = fields.number("end");
    long submit = fields.firstAbove0("etime", "qtime", "ctime");
    long number = JobNumbers.of(id);
    if (start < 0 || end < start || submit < 0 || number < 0) {
      findings.add(TraceFinding.NO_TIMES, line);
      return;
    }
    if (!numbers.add(number)) {
      findings.add(TraceFinding.SAME_NUMBER, line);
    }
    long processors = fields.processors();
    jobs.add(
        new Ended(
            new Trace.TraceLine(
                line,
                number,
                new Trace.TraceTimes(
                    submit, Math.max(0, start - submit), Math.max(1, end - start), walltime(fields)),
                new Trace.TraceSizes(processors, processors),
                1,
                submitter(fields)),
            submit,
            start,
            end));
  }

  private static long walltime(AccountedFields fields) {
    String walltime = fields.get("Resource_List.walltime");
    try {
      return walltime.isEmpty() ? -1 : Amounts.parse(WALLTIME, walltime);
    } catch (RequestException e) {
      return -1;
    }
  }

  private Trace.TraceSubmitter submitter(AccountedFields fields) {
    String user = fields.get("user");
    String group = fields.get("group");
    String queue = fields.get("queue");
    return new Trace.TraceSubmitter(
        number(users, user), number(groups, group), number(queues, queue), user, group, queue);
  }

  /** Names are numbered in the order in which they come. */
  private static long number(Map<String, Long> known, String name) {
    return known.computeIfAbsent(name, it -> (long) known.size());
  }

  /**
   * What was read. The accounting does not tell how large the machine is: it has as many processors
   * as were in use at once.
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
      if (job.processors() > 0) {
        changes.merge(job.startS(), (long) job.processors(), Long::sum);
        changes.merge(job.endS(), -(long) job.processors(), Long::sum);
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
