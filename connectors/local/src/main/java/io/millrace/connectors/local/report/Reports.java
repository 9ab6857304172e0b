package io.millrace.connectors.local.report;

import io.millrace.connectors.local.host.HostClaim;
import io.millrace.connectors.local.run.FinishedRun;
import io.millrace.connectors.local.run.OutsideReply;
import io.millrace.connectors.local.run.RunId;
import io.millrace.connectors.local.run.RunOutcome;
import io.millrace.connectors.local.run.RunUsage;
import io.millrace.connectors.local.run.StartedRun;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.ReportRunAnswered;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunMissing;
import io.millrace.schemas.command.ReportRunOutside;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.output.RunName;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import org.apache.avro.specific.SpecificRecord;

/**
 * Writes the executor's commands. The id of a report about a run follows from the run and the time,
 * so that a report that is sent twice is the same command twice.
 */
public final class Reports {
  /** The executor's Kafka principal and its name in commands. */
  static final String PRINCIPAL = "executor";

  private static final int ID_BYTES = 16;
  private static final int TIME_BYTES = 6;
  private static final int NO_REPLY = -1;

  private final HostKey key;
  private final String host;

  /**
   * @param key of the host whose executor it is
   */
  public Reports(HostKey key) {
    this.key = key;
    this.host = key.host();
  }

  public Report started(StartedRun run) {
    return begun(run, meta(run.startedMs(), "started", run.id().directoryName()));
  }

  /** Tells a shard that a run which an earlier process of the executor started goes on. */
  Report goesOn(StartedRun run) {
    return begun(run, meta(System.currentTimeMillis(), "goes on", run.id().directoryName()));
  }

  private Report begun(StartedRun run, CommandMeta meta) {
    RunId id = run.id();
    ReportRunStarted command =
        new ReportRunStarted(
            meta, id.jobId(), id.run(), host, run.sessionId(), run.startedMs(), id.task());
    return report(ReportOrigin.of(run.origin()).shard(), meta, command, () -> {});
  }

  /** What an outside system says of a run. */
  public Report outside(RunId id, String origin, String text) {
    CommandMeta meta = meta(System.currentTimeMillis(), "outside", id.directoryName() + " " + text);
    ReportRunOutside command = new ReportRunOutside(meta, id.jobId(), id.run(), host, text);
    return report(ReportOrigin.of(origin).shard(), meta, command, () -> {});
  }

  /** What an outside system has answered to an order about a run. */
  public Report answered(RunId id, String origin, OutsideReply reply) {
    String what = id.directoryName() + " " + reply;
    CommandMeta meta = meta(System.currentTimeMillis(), "answered", what);
    ReportRunAnswered command =
        new ReportRunAnswered(
            meta, id.jobId(), id.run(), host, reply.order(), reply.refused(), reply.text());
    return report(ReportOrigin.of(origin).shard(), meta, command, () -> {});
  }

  public Report finished(FinishedRun run, Runnable delivered) {
    ReportOrigin origin = ReportOrigin.of(run.origin());
    RunOutcome outcome = run.outcome();
    RunOutcome.StartAndEnd times = outcome.times();
    CommandMeta meta = meta(times.endedMs(), "finished", run.id().directoryName());
    ReportRunFinished command =
        new ReportRunFinished(
            meta,
            run.id().jobId(),
            run.id().run(),
            host,
            outcome.exitStatus(),
            used(outcome.usage(), origin),
            times.startedMs(),
            times.endedMs(),
            outcome.message(),
            run.id().task(),
            ByteBuffer.wrap(run.printed().output()),
            ByteBuffer.wrap(run.printed().error()));
    return report(origin.shard(), meta, command, delivered);
  }

  /** A run that is not in the spool: it could not be started, or it is not known here. */
  public record AbsentRun(
      int shard, String jobId, int run, int task, int exitStatus, String message) {}

  public Report gone(AbsentRun gone, Runnable delivered) {
    long now = System.currentTimeMillis();
    CommandMeta meta = meta(now, "gone", name(gone.jobId(), gone.run(), gone.task()));
    ReportRunFinished command =
        new ReportRunFinished(
            meta,
            gone.jobId(),
            gone.run(),
            host,
            gone.exitStatus(),
            new Usage(0L, 0L, 0L, 0L, 0, 0),
            now,
            now,
            gone.message(),
            gone.task(),
            ByteBuffer.allocate(0),
            ByteBuffer.allocate(0));
    return report(gone.shard(), meta, command, delivered);
  }

  /** Tells a shard that a run which it asked after is not known here. */
  public Report missing(int shard, RunName run) {
    String name = name(run.getJobId(), run.getRun(), run.getTask());
    CommandMeta meta = meta(System.currentTimeMillis(), "missing", name);
    ReportRunMissing command =
        new ReportRunMissing(meta, run.getJobId(), run.getRun(), host, run.getTask());
    return report(shard, meta, command, () -> {});
  }

  /** The form of {@link RunId#directoryName}, also for an illegal id. */
  private static String name(String jobId, int run, int task) {
    return jobId + "." + run + (task == 0 ? "" : "-" + task);
  }

  /** What an executor says of itself and its host. */
  public record Self(
      String bootId, Map<String, Long> measured, HostClaim claim, boolean takeOver) {}

  Report nodeUp(int shard, Self self, Runnable delivered) {
    long now = System.currentTimeMillis();
    CommandMeta meta = meta(now, "node up", shard + " " + System.nanoTime());
    ReportNodeUp command =
        new ReportNodeUp(
            meta,
            host,
            self.bootId(),
            self.measured(),
            self.claim().executor(),
            self.claim().life(),
            self.takeOver(),
            Topics.HEARTBEAT_S);
    return report(shard, meta, command, delivered);
  }

  /** PBS counts whole seconds and cuts the rest off. */
  private static Usage used(RunUsage usage, ReportOrigin origin) {
    long percent = usage.walltimeMs() == 0 ? 0 : usage.cputMs() * 100 / usage.walltimeMs();
    return new Usage(
        usage.cputMs() / 1000,
        usage.memKb(),
        usage.vmemKb(),
        usage.walltimeMs() / 1000,
        origin.ncpus(),
        // A run of a few milliseconds has no meaningful share.
        usage.walltimeMs() < 1000 ? 0 : (int) percent);
  }

  private Report report(int shard, CommandMeta meta, SpecificRecord command, Runnable delivered) {
    return new Report(key, shard, ByteBuffer.wrap(meta.getId().bytes()), command, delivered);
  }

  private CommandMeta meta(long timeMs, String what, String which) {
    CommandMeta meta = new CommandMeta();
    meta.setId(id(timeMs, host + "\0" + what + "\0" + which));
    meta.setPrincipal(PRINCIPAL);
    meta.setGroup("");
    meta.setHost(host);
    meta.setRole(Role.EXECUTOR);
    meta.setReplyTo(NO_REPLY);
    return meta;
  }

  private static CommandId id(long timeMs, String name) {
    ByteBuffer id = ByteBuffer.allocate(ID_BYTES);
    id.putLong(timeMs << 16);
    id.position(TIME_BYTES);
    id.put(sha256(name), 0, ID_BYTES - TIME_BYTES);
    return new CommandId(id.array());
  }

  private static byte[] sha256(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
