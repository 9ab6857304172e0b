package io.millrace.schedulers.simulator;

import io.millrace.schedulers.dialects.origin2000.state.OriginHostState;
import io.millrace.schedulers.dialects.origin2000.state.OriginJob;
import io.millrace.schedulers.dialects.origin2000.state.OriginNodes;
import io.millrace.schedulers.dialects.origin2000.state.OriginQueueState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The machine of a trace as an Origin2000 scheduler sees it: hosts of nodes with two processors and
 * 512 MiB, as many as there are whole, queues without limits, and the jobs that have been submitted
 * and have not ended.
 */
final class OriginMachine {

  /** A wait that no rule of a calendar explains: all of a year has gone by. */
  private static final long STUCK_S = 400L * 86_400;

  private static final OriginQueueState.RequestBound NONE =
      new OriginQueueState.RequestBound(-1, -1, -1);

  private final Workload workload;
  private final String submitQueue;
  private final Map<String, OriginQueueState> queues = new LinkedHashMap<>();
  private final Map<String, OriginHostState> hosts = new LinkedHashMap<>();
  private final Map<Integer, OriginJob> jobs = new LinkedHashMap<>();
  private final Map<Integer, Long> startedAt = new HashMap<>();
  private int waiting;
  private long lastStartAt;

  /**
   * @param queueNames names of all queues, the submit queue first
   */
  OriginMachine(Workload workload, Collection<String> hostNames, List<String> queueNames) {
    this.workload = workload;
    submitQueue = queueNames.get(0);
    long nodes = workload.processors() / hostNames.size() / OriginNodes.PROCESSORS;
    for (TraceJob job : workload.jobs()) {
      if (OriginNodes.of(job.processors(), 0) > nodes) {
        throw new IllegalStateException(
            "job "
                + job.id()
                + " asks for "
                + job.processors()
                + " processors, and a host has "
                + nodes
                + " whole nodes of 2");
      }
    }
    for (String name : hostNames) {
      hosts.put(
          name,
          new OriginHostState(
              name, nodes * OriginNodes.PROCESSORS, nodes * OriginNodes.MEMORY, 0, "global"));
    }
    for (String name : queueNames) {
      queues.put(name, new OriginQueueState(name, true, true, -1, -1, null, NONE, NONE));
    }
  }

  Map<String, OriginQueueState> queues() {
    return queues;
  }

  Map<String, OriginHostState> hosts() {
    return hosts;
  }

  /** Number of jobs that wait. */
  int waiting() {
    return waiting;
  }

  /** True when jobs have waited since long before a time without that any was started. */
  boolean stuck(long at) {
    return startedAt.isEmpty() && at - lastStartAt > STUCK_S;
  }

  /** What the first waiting job was told. */
  String firstComment() {
    return jobs.values().stream()
        .filter(job -> job.state() == 'Q')
        .findFirst()
        .map(job -> "the first: " + job.comment())
        .orElse("");
  }

  /** The jobs as the server has them, in the order of submission. */
  List<OriginJob> jobs(long now) {
    List<OriginJob> all = new ArrayList<>(jobs.size());
    for (Map.Entry<Integer, OriginJob> entry : jobs.entrySet()) {
      OriginJob job = entry.getValue();
      all.add(job.state() == 'R' ? used(job, now - startedAt.get(entry.getKey())) : job);
    }
    return all;
  }

  void submitted(int index) {
    TraceJob job = workload.jobs().get(index);
    long at = workload.startEpochS() + job.submitS();
    lastStartAt = Math.max(lastStartAt, at);
    String own = job.submitter().queueName();
    String queue = queues.containsKey(own) ? own : submitQueue;
    waiting++;
    jobs.put(
        index,
        new OriginJob(
            String.valueOf(index),
            job.submitter().userName(),
            job.submitter().groupName(),
            queue,
            queue,
            "",
            'Q',
            job.processors(),
            0,
            job.estimateS(),
            0,
            at,
            at,
            at,
            false,
            false,
            null));
  }

  void ended(int index) {
    jobs.remove(index);
    startedAt.remove(index);
  }

  void deleted(String id) {
    jobs.remove(Integer.parseInt(id));
    waiting--;
  }

  /** A job starts; its index. */
  int started(String id, String queue, String host, long now) {
    int index = Integer.parseInt(id);
    OriginJob job = jobs.get(index);
    jobs.put(index, changed(job, queue, host, 'R', now, job.comment()));
    startedAt.put(index, now);
    lastStartAt = now;
    waiting--;
    return index;
  }

  void commented(String id, String text, long now) {
    int index = Integer.parseInt(id);
    OriginJob job = jobs.get(index);
    jobs.put(index, changed(job, job.queue(), job.execHost(), job.state(), now, text));
  }

  /** The request of a job is changed to what its nodes hold. */
  void requested(String id, long now) {
    int index = Integer.parseInt(id);
    OriginJob job = jobs.get(index);
    long nodes = OriginNodes.of(job.ncpus(), job.memory());
    OriginJob whole = job.with(nodes * OriginNodes.PROCESSORS, nodes * OriginNodes.MEMORY);
    jobs.put(index, changed(whole, job.queue(), job.execHost(), job.state(), now, job.comment()));
  }

  private static OriginJob changed(
      OriginJob job, String queue, String host, char state, long now, String comment) {
    return new OriginJob(
        job.id(),
        job.owner(),
        job.group(),
        queue,
        job.originQueue(),
        host,
        state,
        job.ncpus(),
        job.memory(),
        job.walltimeS(),
        job.usedS(),
        job.createdAt(),
        job.eligibleAt(),
        now,
        job.interactive(),
        job.hpm(),
        comment);
  }

  private static OriginJob used(OriginJob job, long seconds) {
    return new OriginJob(
        job.id(),
        job.owner(),
        job.group(),
        job.queue(),
        job.originQueue(),
        job.execHost(),
        job.state(),
        job.ncpus(),
        job.memory(),
        job.walltimeS(),
        seconds,
        job.createdAt(),
        job.eligibleAt(),
        job.modifiedAt(),
        job.interactive(),
        job.hpm(),
        job.comment());
  }
}
