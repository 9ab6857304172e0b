package io.millrace.server.accounting.book;

import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.pbs.resources.ResourceTable;
import io.millrace.schemas.state.ArrayState;
import io.millrace.schemas.state.Job;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What lines tell of a job, as finished texts: a job is told several times and seldom changes.
 *
 * @param submitter whose it is
 * @param requested the list of resources
 * @param run the current run; null while the job waits
 * @param array null when it is no job array
 */
public record JobAccount(
    String id,
    Submitter submitter,
    String requested,
    WaitingAccount waiting,
    RunAccount run,
    SubjobSpan array) {

  /** Kinds of a record's bytes: the sum of what it has. */
  private static final int RUNS = 1;

  private static final int TOLD = 2;
  private static final int ARRAY = 4;
  private static final int MAILED = 8;

  /**
   * The subjobs of an array.
   *
   * @param startedMs when the first run of one began; -1 before
   */
  public record SubjobSpan(int first, int last, int step, long startedMs) {

    public String indices() {
      return "array_indices=" + first + "-" + last + (step == 1 ? "" : ":" + step) + " ";
    }

    public SubjobSpan began(long atMs) {
      return new SubjobSpan(first, last, step, atMs);
    }
  }

  /**
   * @param depend the jobs that it waits for, and at first those that it was to go before, as lines
   *     have them; empty for none
   * @param eligibleMs -1 while held
   */
  public record WaitingAccount(
      String queue, String holds, String depend, long createdMs, long queuedMs, long eligibleMs) {

    public WaitingAccount holds(String now, long eligible) {
      return new WaitingAccount(queue, now, depend, createdMs, queuedMs, eligible);
    }

    public WaitingAccount queue(String now, long queued) {
      return new WaitingAccount(now, holds, depend, createdMs, queued, eligibleMs);
    }

    public WaitingAccount depend(String now) {
      return new WaitingAccount(queue, holds, now, createdMs, queuedMs, eligibleMs);
    }

    public boolean held() {
      return eligibleMs < 0;
    }
  }

  /**
   * @param place hosts and nodes
   * @param assigned sums of what it holds there
   * @param told whether there is a line about its start
   */
  public record RunAccount(
      int number, String place, String assigned, long session, long startedMs, boolean told) {

    private static final Pattern NCPUS = Pattern.compile("resource_assigned\\.ncpus=(\\d{1,9}) ");

    /** Processors that it holds, by the sums. */
    public int ncpus() {
      Matcher match = NCPUS.matcher(assigned);
      return match.find() ? Integer.parseInt(match.group(1)) : 0;
    }

    public RunAccount began(long byProcess, long atMs) {
      return new RunAccount(number, place, assigned, byProcess, atMs, true);
    }
  }

  public static JobAccount of(Job job, ResourceTable resources) {
    JobSpec spec = job.getSpec();
    WaitingAccount waiting =
        new WaitingAccount(
            spec.getQueue(),
            job.getHolds(),
            JobTexts.depend(job.getId(), job.getDepend(), List.of()),
            job.getCreatedMs(),
            job.getQueuedMs(),
            job.getEligibleMs());
    RunAccount run = null;
    if (job.getAllocation() != null) {
      String place = JobTexts.place(job.getAllocation());
      String assigned = JobTexts.assigned(job.getAllocation(), resources);
      long session = job.getSessionId();
      run =
          new RunAccount(job.getRun(), place, assigned, session, job.getStartedMs(), session != 0);
    }
    ArrayState array = job.getArray();
    SubjobSpan span =
        array == null
            ? null
            : new SubjobSpan(
                array.getFirst(), array.getLast(), array.getStep(), job.getStartedMs());
    return new JobAccount(
        job.getId(), Submitter.of(spec), JobTexts.requested(spec), waiting, run, span);
  }

  /** The submitter changed what was asked for. */
  public JobAccount asked(JobSpec spec) {
    WaitingAccount now = waiting.queue(spec.getQueue(), waiting.queuedMs);
    return new JobAccount(id, Submitter.of(spec), JobTexts.requested(spec), now, run, array);
  }

  public JobAccount waiting(WaitingAccount now) {
    return new JobAccount(id, submitter, requested, now, run, array);
  }

  public JobAccount run(RunAccount now) {
    return new JobAccount(id, submitter, requested, waiting, now, array);
  }

  public JobAccount array(SubjobSpan now) {
    return new JobAccount(id, submitter, requested, waiting, run, now);
  }

  /** As {@link #from} reads it; nobody else does. */
  byte[] bytes() {
    List<String> all = new ArrayList<>();
    all.addAll(List.of(id, submitter.who(), requested, waiting.queue, waiting.holds));
    if (run != null) {
      all.addAll(List.of(run.place, run.assigned));
    }
    all.addAll(List.of(submitter.address(), submitter.name()));
    all.addAll(List.of(submitter.points(), submitter.users(), waiting.depend));
    byte[][] texts = new byte[all.size()][];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = all.get(i).getBytes(StandardCharsets.UTF_8);
    }
    int size = 1 + 3 * Long.BYTES + (run == null ? 0 : 2 * Long.BYTES + Integer.BYTES);
    size += array == null ? 0 : Long.BYTES + 3 * Integer.BYTES;
    for (byte[] text : texts) {
      size += Integer.BYTES + text.length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    int kind = MAILED + (run == null ? 0 : run.told ? RUNS + TOLD : RUNS);
    out.put((byte) (array == null ? kind : kind + ARRAY));
    out.putLong(waiting.createdMs).putLong(waiting.queuedMs).putLong(waiting.eligibleMs);
    if (run != null) {
      out.putInt(run.number).putLong(run.session).putLong(run.startedMs);
    }
    if (array != null) {
      out.putInt(array.first).putInt(array.last).putInt(array.step).putLong(array.startedMs);
    }
    for (byte[] text : texts) {
      out.putInt(text.length).put(text);
    }
    return out.array();
  }

  static JobAccount from(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    byte kind = in.get();
    long created = in.getLong();
    long queued = in.getLong();
    long eligible = in.getLong();
    boolean runs = (kind & RUNS) != 0;
    int number = runs ? in.getInt() : 0;
    long session = runs ? in.getLong() : 0;
    long started = runs ? in.getLong() : 0;
    SubjobSpan span =
        (kind & ARRAY) == 0
            ? null
            : new SubjobSpan(in.getInt(), in.getInt(), in.getInt(), in.getLong());
    String id = text(in);
    String who = text(in);
    String requested = text(in);
    WaitingAccount waiting = new WaitingAccount(text(in), text(in), "", created, queued, eligible);
    boolean told = (kind & TOLD) != 0;
    RunAccount run =
        runs ? new RunAccount(number, text(in), text(in), session, started, told) : null;
    if ((kind & MAILED) == 0) {
      return new JobAccount(id, Submitter.unknown(who), requested, waiting, run, span);
    }
    Submitter submitter = new Submitter(who, text(in), text(in), text(in), text(in));
    waiting = waiting.depend(in.hasRemaining() ? text(in) : "");
    return new JobAccount(id, submitter, requested, waiting, run, span);
  }

  private static String text(ByteBuffer in) {
    int length = in.getInt();
    int from = in.position();
    in.position(from + length);
    return new String(in.array(), from, length, StandardCharsets.UTF_8);
  }
}
