package io.millrace.server.streams;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.output.RunSample;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.RunTasks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What runs have used so far, as their hosts' heartbeats tell it: for answers to queries, and to
 * see that a run on several hosts is over its limit. It is kept in memory only; the last sample
 * counts, and a lost one is soon followed by another. Samples and pulses come from one thread,
 * questions from any.
 */
final class LiveUsages {
  /** Most samples of all jobs; for jobs beyond answers have the walltime only. */
  static final int SAMPLES_MAX = 500_000;

  /** A job without samples during so many pulses is forgotten. */
  static final long KEPT = TimeUnit.MINUTES.toSeconds(10) / Topics.HEARTBEAT_S;

  /**
   * Most samples of one run: more than its live tasks, so that those dropped are of tasks that
   * ended.
   */
  static final int PARTS_MAX = 512;

  private static final String NCPUS = "ncpus";

  /** The last samples of a job's run: of its script and of each task. */
  private record Heard(long pulse, List<RunSample> samples) {}

  private final Map<Long, Heard> jobs = new ConcurrentHashMap<>();

  /** Runs that have tasks, by job: no supervisor sees all that such a run uses. */
  private final Map<Long, Integer> withTasks = new ConcurrentHashMap<>();

  private volatile long pulses;

  /** Of all jobs; this thread's that hears. */
  private int held;

  /** Takes the samples of a heartbeat. */
  void heard(List<RunSample> samples) {
    for (RunSample sample : samples) {
      Heard before = jobs.get(sample.getJob());
      Heard after = with(before, sample);
      int more = after.samples().size() - (before == null ? 0 : before.samples().size());
      if (more <= 0 || held < SAMPLES_MAX) {
        held += more;
        jobs.put(sample.getJob(), after);
        if (sample.getTask() > 0) {
          withTasks.merge(sample.getJob(), sample.getRun(), Math::max);
        }
      }
    }
  }

  /** A sample takes the place of the one before it, and of those of earlier runs. */
  private Heard with(Heard before, RunSample sample) {
    List<RunSample> samples = new ArrayList<>(1);
    for (RunSample known : before == null ? List.<RunSample>of() : before.samples()) {
      if (known.getRun() > sample.getRun()) {
        return before;
      }
      if (known.getRun() == sample.getRun() && known.getTask() != sample.getTask()) {
        samples.add(known);
      }
    }
    samples.add(sample);
    if (samples.size() > PARTS_MAX) {
      samples.remove(0); // the one without a sample for the longest time
    }
    return new Heard(pulses, samples);
  }

  /** Counts a pulse. */
  void pulse() {
    pulses = pulses + 1; // written by this thread only
    if (pulses % KEPT == 0) {
      jobs.values().removeIf(heard -> pulses - heard.pulse() > KEPT);
      held = jobs.values().stream().mapToInt(heard -> heard.samples().size()).sum();
      withTasks.keySet().retainAll(jobs.keySet());
    }
  }

  /** Numbers of jobs of which a task was heard, each with its run. */
  Map<Long, Integer> withTasks() {
    return Collections.unmodifiableMap(withTasks);
  }

  /** Seconds of processor time that the job's run has used until now, as far as it was heard. */
  long cputS(Job job) {
    long cputMs = job.getTasks() == null ? 0 : job.getTasks().getUsed().getCputS() * 1000;
    for (RunSample sample : of(job)) {
      cputMs += sample.getCputMs();
    }
    return cputMs / 1000;
  }

  /**
   * Adds to a running job's record what it has used so far on all its hosts, ended tasks included.
   * Before the first sample only the walltime is known, as in PBS.
   *
   * @param job changed in place
   * @return false when it does not run, and nothing was changed
   */
  boolean complete(Job job, long nowMs) {
    boolean runs = job.getStatus() == JobStatus.RUNNING || job.getStatus() == JobStatus.EXITING;
    if (!runs || job.getSessionId() <= 0 || job.getAllocation() == null || job.getUsed() != null) {
      return false;
    }
    RunTasks tasks = job.getTasks();
    Usage used =
        tasks == null ? Usage.newBuilder().build() : Usage.newBuilder(tasks.getUsed()).build();
    long cputS = cputS(job);
    for (RunSample sample : of(job)) {
      used.setMemKb(used.getMemKb() + sample.getMemKb());
      used.setVmemKb(used.getVmemKb() + sample.getVmemKb());
    }
    long ranMs = Resumption.ranMs(job, nowMs);
    used.setCputS(cputS);
    used.setWalltimeS(ranMs / 1000);
    used.setCpupercent(
        ranMs < 1000 ? 0 : (int) Math.min(Integer.MAX_VALUE, cputS * 100_000 / ranMs));
    used.setNcpus(ncpus(job));
    job.setUsed(used);
    return true;
  }

  /** Samples of the script and of live tasks; the usage of ended tasks is in the job's record. */
  private List<RunSample> of(Job job) {
    Heard heard = jobs.get(job.getNumber());
    return heard == null
        ? List.of()
        : heard.samples().stream()
            .filter(s -> s.getRun() == job.getRun() && goesOn(job.getTasks(), s.getTask()))
            .toList();
  }

  private static boolean goesOn(RunTasks tasks, int number) {
    return number == 0
        || tasks != null && tasks.getLive().stream().anyMatch(t -> t.getNumber() == number);
  }

  private static int ncpus(Job job) {
    long sum = 0;
    for (NodeShare share : job.getAllocation().getShares()) {
      sum += share.getAmounts().getOrDefault(NCPUS, 0L);
    }
    return (int) sum;
  }

  /** Number of jobs with samples. */
  int size() {
    return jobs.size();
  }
}
