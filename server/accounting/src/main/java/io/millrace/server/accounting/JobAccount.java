package io.millrace.server.accounting;

import io.millrace.reservations.resources.ResourceTable;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.state.Job;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What lines tell of a job, as finished texts: a job is told several times and seldom changes.
 *
 * @param who user, group, account, project and name
 * @param requested the list of resources
 * @param run the current run; null while the job waits
 */
record JobAccount(String id, String who, String requested, Waiting waiting, Run run) {

  /**
   * @param eligibleMs -1 while held
   */
  record Waiting(String queue, String holds, long createdMs, long queuedMs, long eligibleMs) {

    Waiting holds(String now, long eligible) {
      return new Waiting(queue, now, createdMs, queuedMs, eligible);
    }

    Waiting queue(String now, long queued) {
      return new Waiting(now, holds, createdMs, queued, eligibleMs);
    }

    boolean held() {
      return eligibleMs < 0;
    }
  }

  /**
   * @param place hosts and nodes
   * @param assigned sums of what it holds there
   * @param told whether there is a line about its start
   */
  record Run(
      int number, String place, String assigned, long session, long startedMs, boolean told) {

    Run began(long byProcess, long atMs) {
      return new Run(number, place, assigned, byProcess, atMs, true);
    }
  }

  static JobAccount of(Job job, ResourceTable resources) {
    JobSpec spec = job.getSpec();
    Waiting waiting =
        new Waiting(
            spec.getQueue(),
            job.getHolds(),
            job.getCreatedMs(),
            job.getQueuedMs(),
            job.getEligibleMs());
    Run run = null;
    if (job.getAllocation() != null) {
      String place = JobTexts.place(job.getAllocation());
      String assigned = JobTexts.assigned(job.getAllocation(), resources);
      long session = job.getSessionId();
      run = new Run(job.getRun(), place, assigned, session, job.getStartedMs(), session != 0);
    }
    return new JobAccount(job.getId(), JobTexts.who(spec), JobTexts.requested(spec), waiting, run);
  }

  /** The submitter changed what was asked for. */
  JobAccount asked(JobSpec spec) {
    Waiting now = waiting.queue(spec.getQueue(), waiting.queuedMs);
    return new JobAccount(id, JobTexts.who(spec), JobTexts.requested(spec), now, run);
  }

  JobAccount waiting(Waiting now) {
    return new JobAccount(id, who, requested, now, run);
  }

  JobAccount run(Run now) {
    return new JobAccount(id, who, requested, waiting, now);
  }

  /** As {@link #from} reads it; nobody else does. */
  byte[] bytes() {
    byte[][] texts =
        run == null
            ? utf8(id, who, requested, waiting.queue, waiting.holds)
            : utf8(id, who, requested, waiting.queue, waiting.holds, run.place, run.assigned);
    int size = 1 + 3 * Long.BYTES + (run == null ? 0 : 2 * Long.BYTES + Integer.BYTES);
    for (byte[] text : texts) {
      size += Integer.BYTES + text.length;
    }
    ByteBuffer out = ByteBuffer.allocate(size);
    out.put((byte) (run == null ? 0 : run.told ? 2 : 1));
    out.putLong(waiting.createdMs).putLong(waiting.queuedMs).putLong(waiting.eligibleMs);
    if (run != null) {
      out.putInt(run.number).putLong(run.session).putLong(run.startedMs);
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
    int number = kind == 0 ? 0 : in.getInt();
    long session = kind == 0 ? 0 : in.getLong();
    long started = kind == 0 ? 0 : in.getLong();
    String id = text(in);
    String who = text(in);
    String requested = text(in);
    Waiting waiting = new Waiting(text(in), text(in), created, queued, eligible);
    Run run = kind == 0 ? null : new Run(number, text(in), text(in), session, started, kind == 2);
    return new JobAccount(id, who, requested, waiting, run);
  }

  private static byte[][] utf8(String... texts) {
    byte[][] all = new byte[texts.length][];
    for (int i = 0; i < texts.length; i++) {
      all[i] = texts[i].getBytes(StandardCharsets.UTF_8);
    }
    return all;
  }

  private static String text(ByteBuffer in) {
    int length = in.getInt();
    int from = in.position();
    in.position(from + length);
    return new String(in.array(), from, length, StandardCharsets.UTF_8);
  }
}
