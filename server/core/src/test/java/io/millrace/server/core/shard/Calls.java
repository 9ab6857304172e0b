package io.millrace.server.core.shard;

import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.HoldJob;
import io.millrace.schemas.command.LaunchTask;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.ReleaseJob;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunMissing;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.command.RerunJob;
import io.millrace.schemas.command.RunJob;
import io.millrace.schemas.command.SignalJob;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.output.KillRun;
import io.millrace.schemas.output.RunName;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.output.TaskOrder;
import io.millrace.server.core.state.Keys;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Makes commands as gateways, engines and executors would; ids count up and carry the time. */
public final class Calls {
  public static final String HOST = "login";

  /** Names the spool of every executor that is not said to be another one. */
  public static final String SPOOL = "spool";

  private long made;

  public CommandMeta meta(String principal, Role role, long nowMs) {
    // In their order, and far apart: what shards derive from one must not meet the next one.
    byte[] id = ByteBuffer.allocate(16).putLong(nowMs << 16).putLong(++made << 32).array();
    return CommandMeta.newBuilder()
        .setId(new CommandId(id))
        .setPrincipal(principal)
        .setHost(HOST)
        .setRole(role)
        .setReplyTo(0)
        .build();
  }

  /** The envelope of one for whom nobody waits. */
  public CommandMeta silent(String principal, Role role, long nowMs) {
    CommandMeta meta = meta(principal, role, nowMs);
    meta.setReplyTo(-1);
    return meta;
  }

  public static NewJob job(String owner, String queue, int ncpus) {
    return job(owner, queue, request("", new Chunk(1, Map.of("ncpus", (long) ncpus), Map.of())));
  }

  public static NewJob job(String owner, String queue, ResourceRequest request) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("job")
            .setOwner(owner)
            .setSubmitHost(HOST)
            .setQueue(queue)
            .setRequest(request)
            .setResourceList(List.of())
            .setOutputPath("/o")
            .setErrorPath("/e")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of("/bin/true"))
            .setExtra(List.of())
            .build();
    return new NewJob(spec, "n", List.of(), List.of(), null, 0L);
  }

  /** The same job, as one that came in Grid Engine's way, to start at once or not at all. */
  public static NewJob ofGridEngine(NewJob job) {
    job.getSpec()
        .setGridEngine(
            GridEngineRequest.newBuilder()
                .setOptions(List.of())
                .setCategory("")
                .setSlotsMax(1)
                .setImmediate(true)
                .build());
    return job;
  }

  public static ResourceRequest request(String place, Chunk... chunks) {
    return new ResourceRequest(List.of(chunks), place, -1L, Map.of());
  }

  public static NewJob held(NewJob job, String holds) {
    job.setHolds(holds);
    return job;
  }

  public static NewJob withScript(NewJob job, Script script) {
    job.getSpec().setScriptHash(script.getHash());
    job.getSpec().setArgv(List.of());
    return job;
  }

  public static Script script(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      return new Script(ByteBuffer.wrap(hash), ByteBuffer.wrap(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  public static SubmitJobs submit(CommandMeta meta, List<Script> scripts, NewJob... jobs) {
    return new SubmitJobs(meta, scripts, List.of(jobs));
  }

  public static HoldJob hold(CommandMeta meta, String job, String holds) {
    return new HoldJob(meta, job, holds);
  }

  public static ReleaseJob release(CommandMeta meta, String job, String holds) {
    return new ReleaseJob(meta, job, holds);
  }

  public static MoveJob move(CommandMeta meta, String job, String queue) {
    return new MoveJob(meta, job, queue, -1);
  }

  public static DeleteJob delete(CommandMeta meta, String job, boolean purge) {
    return new DeleteJob(meta, job, purge, List.of(), false, false, false);
  }

  public static RerunJob rerun(CommandMeta meta, String job) {
    return new RerunJob(meta, job, false);
  }

  public static SignalJob signal(CommandMeta meta, String job, String signal) {
    return new SignalJob(meta, job, signal);
  }

  public static LaunchTask launch(CommandMeta meta, String job, int run, int place) {
    return new LaunchTask(meta, job, run, place, List.of("/bin/hostname"), true);
  }

  /** A qmgr directive; attributes are written name=value, name+=value or name-=value. */
  public static ChangeObject change(
      CommandMeta meta, ChangeOperation operation, ObjectKind kind, String name, String... pairs) {
    List<AttributeChange> attributes = new ArrayList<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      String left = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      AttributeOperation how =
          left.endsWith("+")
              ? AttributeOperation.ADD
              : left.endsWith("-") ? AttributeOperation.REMOVE : AttributeOperation.ASSIGN;
      String attribute =
          how == AttributeOperation.ASSIGN ? left : left.substring(0, left.length() - 1);
      attributes.add(new AttributeChange(attribute, value, how));
    }
    return new ChangeObject(meta, operation, kind, name, attributes);
  }

  public static ReportNodeUp nodeUp(CommandMeta meta, String host, long ncpus) {
    return nodeUp(meta, host, ncpus, "boot-1");
  }

  public static ReportNodeUp nodeUp(CommandMeta meta, String host, long ncpus, String boot) {
    Map<String, Long> measured = Map.of("ncpus", ncpus, "mem", 1L << 30);
    return new ReportNodeUp(meta, host, boot, measured, SPOOL, 1L, false, 2);
  }

  /** An announcement of the executor that has this spool. */
  public static ReportNodeUp nodeUp(
      CommandMeta meta, String host, String spool, long life, boolean takeOver) {
    Map<String, Long> measured = Map.of("ncpus", 4L, "mem", 1L << 30);
    return new ReportNodeUp(meta, host, "boot-1", measured, spool, life, takeOver, 2);
  }

  public static StartEngine startEngine(CommandMeta meta, String scheduler, boolean shadow) {
    return new StartEngine(meta, scheduler, false, shadow, HOST);
  }

  public static RunJob run(
      CommandMeta meta, String scheduler, long epoch, String job, NodeShare... shares) {
    return new RunJob(meta, scheduler, epoch, job, List.of(shares), null, "");
  }

  public static NodeShare share(String node, int chunks, long ncpus) {
    return new NodeShare(node, "", chunks, Map.of("ncpus", ncpus));
  }

  public static ReportRunStarted started(CommandMeta meta, StartRun order) {
    return new ReportRunStarted(
        meta,
        order.getJobId(),
        order.getRun(),
        order.getHost(),
        4711L,
        Keys.madeAtMs(meta.getId()),
        order.getTask() == null ? 0 : order.getTask().getNumber());
  }

  public static ReportRunFinished finished(CommandMeta meta, StartRun order, int exitStatus) {
    long nowMs = Keys.madeAtMs(meta.getId());
    return new ReportRunFinished(
        meta,
        order.getJobId(),
        order.getRun(),
        order.getHost(),
        exitStatus,
        Usage.newBuilder().setWalltimeS(order.getRun() + 4L).build(),
        nowMs - 1,
        nowMs,
        "",
        order.getTask() == null ? 0 : order.getTask().getNumber(),
        ByteBuffer.allocate(0),
        ByteBuffer.allocate(0));
  }

  public static ReportRunMissing missing(CommandMeta meta, RunName run, String host) {
    return new ReportRunMissing(meta, run.getJobId(), run.getRun(), host, run.getTask());
  }

  /** The answer of a host that was told to end a run that it does not know. */
  public static ReportRunFinished unknown(CommandMeta meta, KillRun kill) {
    StartRun order = new StartRun();
    order.setJobId(kill.getJobId());
    order.setRun(kill.getRun());
    order.setHost(kill.getHost());
    if (kill.getTask() > 0) {
      order.setTask(new TaskOrder(kill.getTask(), 0, List.of(), true));
    }
    return finished(meta, order, -4);
  }

  public static Continue initialise(CommandMeta meta, String server, String managers) {
    return new Continue(
        meta, io.millrace.server.core.cluster.Initialise.WORK, server + ";" + managers);
  }
}
