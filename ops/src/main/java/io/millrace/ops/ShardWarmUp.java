package io.millrace.ops;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.UndecodableRecord;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.ReportNodeUp;
import io.millrace.schemas.command.ReportRunFinished;
import io.millrace.schemas.command.ReportRunStarted;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Usage;
import io.millrace.schemas.engine.EngineFactory;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.output.StartRun;
import io.millrace.schemas.program.WarmUpRounds;
import io.millrace.schemas.state.EntityUsage;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reason;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.decision.Message;
import io.millrace.server.core.shard.CommandOutcome;
import io.millrace.server.core.shard.Shard;
import io.millrace.server.core.state.Tables;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.avro.specific.SpecificRecord;

/**
 * Runs an invented history through a shard in memory, an engine and the codec, so that the first
 * user does not have to wait for class loading and JIT compilation.
 */
final class ShardWarmUp {
  private static final int JOBS = 1500;
  private static final long SETTLE_NANOS = 20_000_000;
  private static final String HOST = "warm";

  private final RecordCodec codec;
  private final HostKey key = HostKey.of(HOST, HostKey.newText(new SecureRandom()));
  private final Shard shard = new Shard(Tables.inMemory(0, 1));
  private final ArrayDeque<Message> waiting = new ArrayDeque<>();
  private long timeMs = 1;
  private long ids = 1;

  private ShardWarmUp(RecordCodec codec) {
    this.codec = codec;
  }

  /** Takes about a second of one core. */
  static void run(RecordCodec codec, EngineFactory factory)
      throws InterruptedException, UndecodableRecord {
    new ShardWarmUp(codec).history(factory);
  }

  private CommandMeta meta(Role role) {
    byte[] id = ByteBuffer.allocate(16).putLong(timeMs << 16).putLong(ids++).array();
    int replyTo = role == Role.USER || role == Role.MANAGER ? 0 : -1;
    return new CommandMeta(new CommandId(id), HOST, HOST, HOST, role, replyTo, 0L);
  }

  private CommandOutcome handle(SpecificRecord command) throws UndecodableRecord {
    return handle(CommandFamily.of(Envelope.ofCommand(command).getRole()), command);
  }

  private CommandOutcome handle(CommandFamily from, SpecificRecord command)
      throws UndecodableRecord {
    SpecificRecord heard = codec.decode(codec.encode(command));
    CommandOutcome outcome = shard.handle(from, HOST, heard, timeMs++);
    for (SpecificRecord fact : outcome.facts()) {
      codec.decode(codec.encode(fact));
    }
    waiting.addAll(outcome.messages());
    return outcome;
  }

  private void quiet() throws UndecodableRecord {
    while (!waiting.isEmpty()) {
      handle(CommandFamily.SHARD, waiting.poll().command());
    }
  }

  private void history(EngineFactory factory) throws InterruptedException, UndecodableRecord {
    handle(new Continue(meta(Role.SHARD), "initialise", HOST + ";root"));
    quiet();
    AttributeChange ncpus =
        new AttributeChange("resources_available.ncpus", "1000", AttributeOperation.ASSIGN);
    handle(
        new ChangeObject(
            meta(Role.MANAGER), ChangeOperation.CREATE, ObjectKind.NODE, HOST, List.of(ncpus)));
    quiet();
    handle(
        new ReportNodeUp(
            meta(Role.EXECUTOR), HOST, "1", Map.of("ncpus", 1000L), "warm-up", 1L, false, 0));
    handle(new StartEngine(meta(Role.ENGINE), "default", false, false, HOST));
    EngineSeat seat = new EngineSeat("default", 1, 0, HOST, () -> {});
    try (SchedulingEngine engine = factory.start(seat, new WarmUpSnapshot(shard, timeMs))) {
      int jobs = WarmUpRounds.of(JOBS);
      for (int i = 0; i < jobs; i++) {
        engine.hear(handle(submit(i)).facts());
        if (engine.awaitSettled(SETTLE_NANOS)) {
          run(engine);
        }
      }
    }
  }

  private void run(SchedulingEngine engine) throws UndecodableRecord {
    for (SpecificRecord proposal : engine.proposals(10)) {
      CommandOutcome granted = handle(proposal);
      engine.hear(granted.facts());
      engine.answered(Envelope.ofCommand(proposal).getId(), granted.code());
      for (SpecificRecord order : granted.dispatch()) {
        StartRun start = (StartRun) codec.decode(key.open(key.seal(codec.encode(order), 0), 0));
        String id = start.getJobId();
        engine.hear(
            handle(
                    new ReportRunStarted(
                        meta(Role.EXECUTOR), id, start.getRun(), HOST, 1L, timeMs, 0))
                .facts());
        engine.hear(
            handle(
                    new ReportRunFinished(
                        meta(Role.EXECUTOR),
                        id,
                        start.getRun(),
                        HOST,
                        0,
                        Usage.newBuilder().build(),
                        timeMs,
                        timeMs,
                        "",
                        0,
                        ByteBuffer.allocate(0),
                        ByteBuffer.allocate(0)))
                .facts());
      }
    }
  }

  private SubmitJobs submit(int number) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("warm" + number)
            .setOwner(HOST)
            .setSubmitHost(HOST)
            .setQueue("workq")
            .setRequest(
                ResourceRequest.newBuilder()
                    .setChunks(List.of(new Chunk(1, Map.of("ncpus", 1L + number % 3), Map.of())))
                    .build())
            .setResourceList(List.of(new Attribute("ncpus", "1")))
            .setOutputPath("warm:/o")
            .setErrorPath("warm:/e")
            .setVariables(List.of(new Attribute("PBS_O_HOME", "/home/warm")))
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of("/bin/true"))
            .setExtra(List.of())
            .build();
    return new SubmitJobs(
        meta(Role.USER), List.of(), List.of(new NewJob(spec, "n", List.of(), List.of(), null, 0L)));
  }

  private record WarmUpSnapshot(Shard shard, long timeMs) implements EngineSnapshot {

    @Override
    public void objects(Consumer<ClusterObject> each) {
      shard.view().objects().each(each);
    }

    @Override
    public void schedulers(Consumer<Scheduler> each) {
      shard.view().schedulers().each(each);
    }

    @Override
    public void usages(Consumer<EntityUsage> each) {
      shard.view().table(EntityUsage.class).each(each);
    }

    @Override
    public void reasons(Consumer<Reason> each) {
      shard.view().reasons().each(each);
    }

    @Override
    public void nodes(Consumer<Node> each) {
      shard.view().nodes().each(each);
    }

    @Override
    public void jobs(Consumer<Job> each) {
      shard.view().jobs().each(each);
    }

    @Override
    public void reservations(Consumer<Reservation> each) {
      shard.view().table(Reservation.class).each(each);
    }

    @Override
    public void past(Consumer<PastReservation> each) {
      shard.view().table(PastReservation.class).each(each);
    }
  }
}
