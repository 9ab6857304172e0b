package io.millrace.server.core.order;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.MessageRun;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.output.TaskOrder;
import io.millrace.schemas.pbs.Sizes;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.RunTask;
import io.millrace.schemas.state.StoredScript;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.decision.Decision;
import io.millrace.server.core.placement.PartitionTable;
import io.millrace.server.core.state.Keys;
import java.nio.ByteBuffer;
import java.util.List;

/** Orders to executors. */
public final class Orders {
  /** Seconds between SIGTERM and SIGKILL where the queue does not say it. */
  private static final String KILL_DELAY_S = "10";

  /** Orders to hosts, and what qsig calls them. */
  public static final String SUSPEND = "suspend";

  public static final String RESUME = "resume";

  private static final String CPUT = "cput";

  /** The share of an allocation on whose host the script runs. */
  private static final int SCRIPT = 0;

  private Orders() {}

  /** The host that starts the script: that of the first chunk. */
  public static String host(Allocation allocation) {
    return allocation.getShares().get(0).getHost();
  }

  public static StartRun start(Context c, Job job, int run, Allocation allocation) {
    ByteBuffer hash = job.getSpec().getScriptHash();
    ByteBuffer text = ByteBuffer.allocate(0);
    if (hash.hasRemaining()) {
      StoredScript script = c.view().scripts().get(Keys.script(hash));
      text = script.getText().duplicate();
    }
    StartRun order = new StartRun();
    order.setJobId(job.getId());
    order.setRun(run);
    order.setShard(c.shard());
    order.setHost(host(allocation));
    order.setSpec(job.getSpec());
    order.setAllocation(allocation);
    order.setServer(c.serverName());
    order.setKillDelayS(killDelayS(c, job));
    order.setOutputMaxKb(outputMaxKb(c, job));
    order.setScript(text);
    order.setExecutor(executor(c, allocation, SCRIPT));
    return order;
  }

  /** Has the host of its share start a task of the job's run. */
  public static StartRun start(Context c, Job job, RunTask task, List<String> argv) {
    StartRun order = new StartRun();
    order.setJobId(job.getId());
    order.setRun(job.getRun());
    order.setShard(c.shard());
    order.setHost(job.getAllocation().getShares().get(task.getShare()).getHost());
    order.setSpec(job.getSpec());
    order.setAllocation(job.getAllocation());
    order.setServer(c.serverName());
    order.setKillDelayS(killDelayS(c, job));
    order.setOutputMaxKb(outputMaxKb(c, job));
    order.setScript(ByteBuffer.allocate(0));
    order.setExecutor(executor(c, job.getAllocation(), task.getShare()));
    order.setTask(
        new TaskOrder(task.getNumber(), task.getPlace(), argv, task.getWaiting() != null));
    return order;
  }

  /** The executor that has, or gets, what this share of the allocation is for. */
  private static String executor(Context c, Allocation allocation, int share) {
    Node node = c.view().nodes().get(allocation.getShares().get(share).getNode());
    return node == null ? "" : node.getExecutor();
  }

  /** Ends the run on all its hosts. */
  public static Decision kill(Context c, Job job, Decision decision) {
    decision.dispatch(kill(c, job, executor(c, job.getAllocation(), SCRIPT)));
    for (RunTask task : live(job)) {
      decision.dispatch(killTask(c, job, task, killDelayS(c, job)));
    }
    return decision;
  }

  /** Seconds between SIGTERM and SIGKILL for the runs of this job. */
  public static long killDelayS(Context c, Job job) {
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    return Long.parseLong(
        queue == null ? KILL_DELAY_S : Context.attribute(queue, "kill_delay", KILL_DELAY_S));
  }

  /** How much the runs of this job may print, each task for itself; 0 for no bound. */
  private static long outputMaxKb(Context c, Job job) {
    ClusterObject queue = PartitionTable.queue(c.view(), job.getSpec().getQueue());
    String ofServer = c.server(AttributeTable.MAX_OUTPUT, "0");
    String bound = Context.attribute(queue, AttributeTable.MAX_OUTPUT, ofServer);
    return Sizes.parse(bound).orElse(0L) / Sizes.KB;
  }

  public static KillRun kill(Context c, Job job, String executor) {
    String host = host(job.getAllocation());
    return new KillRun(
        job.getId(), job.getRun(), c.shard(), host, killDelayS(c, job), executor, 0, false);
  }

  /** Ends what is left of the run when its script is over: at once, as PBS does. */
  public static void killTasks(Context c, Job job, Decision decision) {
    for (RunTask task : live(job)) {
      decision.dispatch(killTask(c, job, task, 0));
    }
  }

  private static KillRun killTask(Context c, Job job, RunTask task, long delayS) {
    return killTask(c, job, task, delayS, executor(c, job.getAllocation(), task.getShare()));
  }

  /** Ends a task; without a delay at once. */
  public static KillRun killTask(Context c, Job job, RunTask task, long delayS, String executor) {
    String host = job.getAllocation().getShares().get(task.getShare()).getHost();
    return new KillRun(
        job.getId(), job.getRun(), c.shard(), host, delayS, executor, task.getNumber(), false);
  }

  private static List<RunTask> live(Job job) {
    return job.getTasks() == null ? List.of() : job.getTasks().getLive();
  }

  /**
   * The order with this number, to all hosts of the run: a signal's number, {@link #SUSPEND},
   * {@link #RESUME} or what {@link RunLimit} says.
   */
  public static Decision signal(Context c, Job job, int order, String signal, Decision decision) {
    String executor = executor(c, job.getAllocation(), SCRIPT);
    decision.dispatch(signal(c, job, executor, order, signal));
    for (RunTask task : live(job)) {
      String there = executor(c, job.getAllocation(), task.getShare());
      decision.dispatch(signalTask(signal(c, job, there, order, signal), job, task));
    }
    return decision;
  }

  /** Repeats whether a task is suspended, as {@link #asItIs} does for the script. */
  public static SignalRun asItIs(Context c, Job job, RunTask task) {
    String executor = executor(c, job.getAllocation(), task.getShare());
    return asItIs(c, job, task, executor);
  }

  public static SignalRun asItIs(Context c, Job job, RunTask task, String executor) {
    return signalTask(signal(c, job, executor, job.getOrders(), standing(job)), job, task);
  }

  private static SignalRun signalTask(SignalRun told, Job job, RunTask task) {
    told.setHost(job.getAllocation().getShares().get(task.getShare()).getHost());
    told.setTask(task.getNumber());
    return told;
  }

  /** Tells the host of the script what the run has used on all its hosts, in seconds. */
  public static Decision cput(Context c, Job job, long cputS, Decision decision) {
    String executor = executor(c, job.getAllocation(), SCRIPT);
    return decision.dispatch(signal(c, job, executor, job.getOrders(), CPUT + cputS));
  }

  /** A line for the output of the run. */
  public static MessageRun message(Context c, Job job, String streams, String text) {
    String executor = executor(c, job.getAllocation(), SCRIPT);
    String host = host(job.getAllocation());
    return new MessageRun(job.getId(), job.getRun(), c.shard(), host, streams, text, executor);
  }

  /**
   * Repeats whether the run is suspended, in case the order was lost. It has no number of its own:
   * a host does nothing when the run is in that state already.
   */
  public static SignalRun asItIs(Context c, Job job, String executor) {
    return signal(c, job, executor, job.getOrders(), standing(job));
  }

  private static String standing(Job job) {
    return job.getSuspension() == Suspension.NONE ? RESUME : SUSPEND;
  }

  static SignalRun signal(Context c, Job job, String executor, int order, String signal) {
    String host = host(job.getAllocation());
    return SignalRun.newBuilder()
        .setJobId(job.getId())
        .setRun(job.getRun())
        .setShard(c.shard())
        .setHost(host)
        .setOrder(order)
        .setSignal(signal)
        .setExecutor(executor)
        .build();
  }

  /**
   * Ends a run that was given up, with its tasks: at once, and without a report of their output, as
   * another run of the job may have ended since.
   */
  public static void discard(Context c, Job job, String executor, Decision decision) {
    String host = host(job.getAllocation());
    decision.dispatch(discarded(c, job.getId(), job.getRun(), host, executor, 0));
    for (RunTask task : live(job)) {
      discard(c, job, task, decision);
    }
  }

  public static void discard(Context c, Job job, RunTask task, Decision decision) {
    String host = job.getAllocation().getShares().get(task.getShare()).getHost();
    String executor = executor(c, job.getAllocation(), task.getShare());
    decision.dispatch(discarded(c, job.getId(), job.getRun(), host, executor, task.getNumber()));
  }

  /** The order to end a run, or one task of it, for any executor that has it. */
  public static KillRun discard(Context c, String jobId, int run, String host, int task) {
    return discarded(c, jobId, run, host, "", task);
  }

  private static KillRun discarded(
      Context c, String jobId, int run, String host, String executor, int task) {
    return new KillRun(jobId, run, c.shard(), host, 0L, executor, task, true);
  }
}
