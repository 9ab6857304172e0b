package io.millrace.server.core.run.grant;

import io.millrace.schemas.common.Allocation;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.SignalRun;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.StoredScript;
import io.millrace.schemas.state.Suspension;
import io.millrace.server.core.Context;
import io.millrace.server.core.Keys;
import java.nio.ByteBuffer;

/** Orders to executors. */
public final class Orders {
  /** Seconds between SIGTERM and SIGKILL. */
  public static final long KILL_DELAY_S = 10;

  /** Orders to hosts, and what qsig calls them. */
  public static final String SUSPEND = "suspend";

  public static final String RESUME = "resume";

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
    order.setKillDelayS(KILL_DELAY_S);
    order.setScript(text);
    order.setExecutor(executor(c, allocation));
    return order;
  }

  /** The executor that has, or gets, the runs of this allocation. */
  private static String executor(Context c, Allocation allocation) {
    Node first = c.view().nodes().get(allocation.getShares().get(0).getNode());
    return first == null ? "" : first.getExecutor();
  }

  public static KillRun kill(Context c, Job job) {
    return kill(c, job, executor(c, job.getAllocation()));
  }

  public static KillRun kill(Context c, Job job, String executor) {
    String host = host(job.getAllocation());
    return new KillRun(job.getId(), job.getRun(), c.shard(), host, KILL_DELAY_S, executor);
  }

  /** The order with this number: a signal's number, {@link #SUSPEND} or {@link #RESUME}. */
  public static SignalRun signal(Context c, Job job, int order, String signal) {
    return signal(c, job, executor(c, job.getAllocation()), order, signal);
  }

  /**
   * Says how the run stands, should the order that told it be lost. It is no order of its own: a
   * host goes by what it says and not by its number, and does nothing where it is so already.
   */
  public static SignalRun asItIs(Context c, Job job, String executor) {
    String signal = job.getSuspension() == Suspension.NONE ? RESUME : SUSPEND;
    return signal(c, job, executor, job.getOrders(), signal);
  }

  private static SignalRun signal(Context c, Job job, String executor, int order, String signal) {
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

  /** For whoever has the run. */
  public static KillRun kill(Context c, String jobId, int run, String host) {
    return new KillRun(jobId, run, c.shard(), host, KILL_DELAY_S, "");
  }
}
