package io.millrace.server.streams;

import io.millrace.schemas.Topics;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.output.RunSample;
import io.millrace.schemas.pbs.resources.Resumption;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.RunTasks;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * What runs have used so far, as their hosts' heartbeats tell it: for answers to queries, and to
 * see that a run on several hosts is over its limit. A host's samples count for what it has of a
 * run and for nothing else. They are kept in memory only; the last one counts, and a lost one is
 * soon followed by another. Samples and pulses come from one thread, questions from any.
 */
final class LiveUsages {
  /** Most samples of a host; for jobs beyond answers have the walltime only. */
  static final int SAMPLES_MAX = 100_000;

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

  /** What one host has told. */
  private static final class HostSamples {
    private final Map<Long, Heard> jobs = new ConcurrentHashMap<>();

    /** Samples of all its jobs; of the thread that hears. */
    private int held;

    /** False when there is no room for it. */
    boolean take(RunSample sample, Heard after) {
      Heard before = jobs.get(sample.getJob());
      int more = after.samples().size() - (before == null ? 0 : before.samples().size());
      if (more > 0 && held >= SAMPLES_MAX) {
        return false;
      }
      held += more;
      jobs.put(sample.getJob(), after);
      return true;
    }

    void forget(long pulses) {
      jobs.values().removeIf(heard -> pulses - heard.pulse() > KEPT);
      held = jobs.values().stream().mapToInt(heard -> heard.samples().size()).sum();
    }
  }

  private final Map<String, HostSamples> hosts = new ConcurrentHashMap<>();

  /** Runs that have tasks, by job and host: no supervisor sees all that such a run uses. */
  private final Map<JobOnHost, Integer> withTasks = new ConcurrentHashMap<>();

  /** A job, by its number, of which a host has told. */
  record JobOnHost(long number, String host) {}

  private volatile long pulses;

  /** Takes the samples of a heartbeat that this host has proven to have sent. */
  void heard(String host, List<RunSample> samples) {
    if (samples.isEmpty()) {
      return;
    }
    HostSamples its = hosts.computeIfAbsent(host, name -> new HostSamples());
    for (RunSample sample : samples) {
      if (its.take(sample, with(its.jobs.get(sample.getJob()), sample)) && sample.getTask() > 0) {
        withTasks.merge(new JobOnHost(sample.getJob(), host), sample.getRun(), Math::max);
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
      hosts.values().forEach(its -> its.forget(pulses));
      hosts.values().removeIf(its -> its.jobs.isEmpty());
      withTasks.keySet().removeIf(it -> !isHeard(it));
    }
  }

  private boolean isHeard(JobOnHost it) {
    HostSamples its = hosts.get(it.host());
    return its != null && its.jobs.containsKey(it.number());
  }

  /** Jobs of which a host told a task, each with its run as that host says. */
  Map<JobOnHost, Integer> withTasks() {
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
    if (job.getAllocation() == null) {
      return List.of();
    }
    List<RunSample> all = new ArrayList<>(1);
    Set<String> places = new LinkedHashSet<>();
    job.getAllocation().getShares().forEach(share -> places.add(share.getHost()));
    for (String host : places) {
      HostSamples its = hosts.get(host);
      Heard heard = its == null ? null : its.jobs.get(job.getNumber());
      for (RunSample sample : heard == null ? List.<RunSample>of() : heard.samples()) {
        if (sample.getRun() == job.getRun() && host.equals(place(job, sample.getTask()))) {
          all.add(sample);
        }
      }
    }
    return all;
  }

  /** The host of the script or of a live task; null for a task that is over. */
  private static String place(Job job, int number) {
    List<NodeShare> shares = job.getAllocation().getShares();
    if (number == 0) {
      return shares.get(0).getHost();
    }
    RunTasks tasks = job.getTasks();
    for (RunTask task : tasks == null ? List.<RunTask>of() : tasks.getLive()) {
      if (task.getNumber() == number) {
        return shares.get(task.getShare()).getHost();
      }
    }
    return null;
  }

  private static int ncpus(Job job) {
    long sum = 0;
    for (NodeShare share : job.getAllocation().getShares()) {
      sum += share.getAmounts().getOrDefault(NCPUS, 0L);
    }
    return (int) sum;
  }

  /** Number of jobs with samples, of all hosts. */
  int size() {
    return hosts.values().stream().mapToInt(its -> its.jobs.size()).sum();
  }
}
