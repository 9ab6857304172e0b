package io.millrace.server.streams;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.CommandFamily;
import io.millrace.schemas.Envelope;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.Continue;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.NoteEngine;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.EngineSnapshot;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.fact.JobAccepted;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.shard.CommandOutcome;
import io.millrace.server.core.shard.Shard;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.Tables;
import io.millrace.server.streams.engine.EngineLiveness;
import io.millrace.server.streams.engine.EngineWatch;
import io.millrace.server.streams.measure.ShardMeasures;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Who sits beside a shard while others come and go. */
class EnginesTest {
  private static final long NOW = 1_700_000_000_000L;

  private final Tables tables = Tables.inMemory(0, 1);
  private final Shard shard = new Shard(tables);
  private Seated seated;
  private final Heard heard = new Heard();
  private final Engines engines =
      new Engines(
          tables,
          (seat, snapshot) -> seated = new Seated(seat),
          () -> {},
          new EngineWatch(tables, heard),
          new ShardMeasures(0));

  /** Those who are told the facts. */
  private Engines told = engines;

  private long made;

  /** An engine that only sits there. */
  private static final class Seated implements SchedulingEngine {
    private final EngineSeat seat;

    /** Jobs of which it was told. */
    private final Set<String> jobs = new TreeSet<>();

    private boolean closed;
    private boolean outdated;

    Seated(EngineSeat seat) {
      this.seat = seat;
    }

    /** One that reads a snapshot, as engines do. */
    Seated(EngineSeat seat, EngineSnapshot snapshot) {
      this(seat);
      snapshot.jobs(job -> jobs.add(job.getId()));
    }

    @Override
    public String scheduler() {
      return seat.scheduler();
    }

    @Override
    public long epoch() {
      return seat.epoch();
    }

    @Override
    public boolean hear(List<? extends SpecificRecord> facts) {
      for (SpecificRecord fact : facts) {
        if (fact instanceof JobQueued queued) {
          jobs.add(queued.getJob().getId());
        } else if (fact instanceof JobAccepted accepted) {
          jobs.add(accepted.getJob().getId());
        }
      }
      return true;
    }

    @Override
    public List<SpecificRecord> proposals(int max) {
      return List.of();
    }

    @Override
    public boolean awaitSettled(long budgetNanos) {
      return true;
    }

    @Override
    public void answered(CommandId proposal, int code) {
      // it proposes nothing
    }

    @Override
    public boolean alive() {
      return !closed;
    }

    @Override
    public boolean outdated() {
      return outdated;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  /** What is heard of engines apart. */
  private static final class Heard implements EngineLiveness {
    private long unheardS;
    private boolean expected;

    @Override
    public long unheardS(String scheduler, long epoch) {
      return unheardS;
    }

    @Override
    public boolean beats(String scheduler, long epoch) {
      return unheardS == 0;
    }

    @Override
    public boolean expected(String scheduler) {
      return expected;
    }
  }

  private CommandMeta meta(Role role) {
    byte[] id = ByteBuffer.allocate(16).putLong(NOW << 16).putLong(++made << 32).array();
    return new CommandMeta(new CommandId(id), "someone", "", "here", role, -1, 0L);
  }

  private void tell(SpecificRecord command) {
    ArrayDeque<SpecificRecord> waiting = new ArrayDeque<>(List.of(command));
    while (!waiting.isEmpty()) {
      SpecificRecord next = waiting.poll();
      CommandFamily from = CommandFamily.of(Envelope.ofCommand(next).getRole());
      CommandOutcome outcome = shard.handle(from, next, NOW);
      told.hear(outcome.facts());
      outcome.messages().forEach(message -> waiting.add(message.command()));
    }
  }

  private void start(boolean shadow) {
    tell(new StartEngine(meta(Role.ENGINE), "default", true, shadow, "elsewhere"));
  }

  @BeforeEach
  void seat() {
    tell(new Continue(meta(Role.SHARD), "initialise", "mill;root"));
    List<StartEngine> missing = engines.missing();
    assertEquals(1, missing.size());
    tell(missing.get(0));
    engines.seat("default");
    assertTrue(seated.epoch() > 0);
  }

  @Test
  void aShadowLeavesTheEngineInItsSeat() {
    start(true);
    assertFalse(seated.closed);
    assertEquals(List.of(), engines.missing());
    assertEquals(seated.epoch(), tables.schedulers().get("default").getEpoch());
  }

  @Test
  void anEngineApartTakesTheSeat() {
    start(false);
    assertTrue(seated.closed);
    assertTrue(engines.apart());
    assertTrue(tables.schedulers().get("default").getEpoch() > seated.epoch());
  }

  @Test
  void anEngineWhosePolicyNeedsMoreIsReplacedAndThatIsNoFailure() {
    Seated first = seated;
    first.outdated = true;
    assertTrue(engines.look());
    assertEquals(List.of(), engines.notes());
    attend();
    assertTrue(first.closed);
    assertFalse(seated.closed);
    assertTrue(seated.epoch() > first.epoch());
  }

  @Test
  void anEngineThatCannotBeMadeIsSaidAndTriedAgainAfterAPause() {
    Engines without =
        new Engines(
            tables,
            (seat, snapshot) -> {
              throw new IllegalArgumentException("no such\nengine");
            },
            () -> {},
            new EngineWatch(tables, heard),
            new ShardMeasures(0));
    for (int i = 0; i < 3; i++) {
      assertTrue(i == 0 || without.look());
      tell(without.missing().get(0));
      without.seat("default");
      assertTrue(without.look());
      NoteEngine note = without.notes().get(0);
      assertEquals(
          "it cannot be started: java.lang.IllegalArgumentException: no such", note.getWhy());
      tell(note);
    }
    assertFalse(without.look());
    assertEquals("NEEDS_ATTENTION", tables.schedulers().get("default").getComment());
    assertEquals(List.of(), without.missing(), "it is not tried again and again");
    ClusterObject object = tables.objects().get(Keys.object(ObjectKind.SCHEDULER, "default"));
    without.hear(List.of(new ObjectWritten(new FactMeta(), object)));
    assertEquals(1, without.missing().size(), "another object may do");
  }

  /** As the shard does it when it was woken. */
  private void attend() {
    attend(engines);
  }

  private void attend(Engines some) {
    List<StartEngine> missing = some.missing();
    some.notes().forEach(this::tell);
    for (StartEngine start : missing) {
      tell(start);
      some.seat(start.getScheduler());
    }
  }

  private void change(ChangeOperation how, ObjectKind kind, String name, String... pairs) {
    List<AttributeChange> attributes = new ArrayList<>();
    for (String pair : pairs) {
      String[] sides = pair.split("=", 2);
      attributes.add(new AttributeChange(sides[0], sides[1], AttributeOperation.ASSIGN));
    }
    tell(new ChangeObject(meta(Role.MANAGER), how, kind, name, attributes));
  }

  private void submit(String queue) {
    JobSpec spec =
        JobSpec.newBuilder()
            .setName("job")
            .setOwner("someone")
            .setSubmitHost("here")
            .setQueue(queue)
            .setRequest(
                new ResourceRequest(
                    List.of(new Chunk(1, Map.of("ncpus", 1L), Map.of())), "", -1L, Map.of()))
            .setResourceList(List.of())
            .setOutputPath("/o")
            .setErrorPath("/e")
            .setVariables(List.of())
            .setScriptHash(ByteBuffer.allocate(0))
            .setArgv(List.of("/bin/true"))
            .setExtra(List.of())
            .build();
    NewJob job = new NewJob(spec, "n", List.of(), List.of(), null, 0L);
    tell(new SubmitJobs(meta(Role.USER), List.of(), List.of(job)));
  }

  /** Jobs of the queue, as the shard has them. */
  private Set<String> in(String queue) {
    Set<String> jobs = new TreeSet<>();
    tables
        .jobs()
        .each(
            job -> {
              if (job.getSpec().getQueue().equals(queue)) {
                jobs.add(job.getId());
              }
            });
    return jobs;
  }

  @Test
  void ofTwoEnginesEachHearsOfTheJobsOfItsScheduler() {
    Map<String, Seated> seats = new HashMap<>();
    Engines two =
        new Engines(
            tables,
            (seat, snapshot) -> {
              seats.put(seat.scheduler(), new Seated(seat, snapshot));
              return seats.get(seat.scheduler());
            },
            () -> {},
            new EngineWatch(tables, heard),
            new ShardMeasures(0));
    told = two;
    change(ChangeOperation.CREATE, ObjectKind.SCHEDULER, "night", "partition=p1");
    change(
        ChangeOperation.CREATE,
        ObjectKind.QUEUE,
        "nightq",
        "queue_type=e",
        "enabled=t",
        "started=t",
        "partition=p1");
    submit("workq");
    attend(two);
    assertEquals(Set.of("default", "night"), seats.keySet());
    assertEquals(in("workq"), seats.get("default").jobs);
    assertEquals(Set.of(), seats.get("night").jobs);
    submit("workq");
    submit("nightq");
    assertEquals(2, in("workq").size());
    assertEquals(in("workq"), seats.get("default").jobs);
    assertEquals(in("nightq"), seats.get("night").jobs);
    attend(two);
    Seated first = seats.get("night");
    change(ChangeOperation.SET, ObjectKind.QUEUE, "workq", "partition=p1");
    attend(two);
    assertTrue(first.closed, "it does not know the jobs that it has got");
    Set<String> both = new TreeSet<>(in("workq"));
    both.addAll(in("nightq"));
    assertEquals(both, seats.get("night").jobs);
    assertFalse(seats.get("default").closed);
  }

  private Scheduler state() {
    return tables.schedulers().get("default");
  }

  @Test
  void anEngineApartThatDiedIsDownAndTheServersOwnTakesOverUntilItIsBack() {
    start(false);
    long epoch = state().getEpoch();
    assertFalse(engines.look());
    heard.unheardS = 4;
    assertTrue(engines.look());
    attend();
    assertEquals(EngineCondition.SILENT, state().getCondition());
    assertEquals(
        "Unable to reach scheduler associated with partition pbs-default", state().getComment());
    assertTrue(engines.apart());
    assertFalse(engines.look());
    heard.unheardS = 30;
    assertTrue(engines.look());
    attend();
    assertFalse(seated.closed);
    assertTrue(state().getEpoch() > epoch);
    assertFalse(state().getApart());
    assertEquals(EngineCondition.WORKS, state().getCondition());
    assertEquals("", state().getComment());
    start(false);
    assertTrue(seated.closed, "the seat is given back");
    heard.unheardS = 0;
    assertFalse(engines.look());
    assertEquals(List.of(), engines.missing());
  }

  @Test
  void anEngineThatThrowsAgainAndAgainNeedsAttention() {
    for (int i = 0; i < 3; i++) {
      assertEquals("", state().getComment(), i + " ends");
      seated.closed = true;
      assertTrue(engines.look());
      attend();
    }
    assertEquals("NEEDS_ATTENTION", state().getComment());
    assertEquals(EngineCondition.FAILED, state().getCondition(), "the next one has to wait");
    assertTrue(seated.closed);
    await().atMost(60, TimeUnit.SECONDS).until(engines::look);
    attend();
    assertFalse(seated.closed);
    assertEquals(EngineCondition.WORKS, state().getCondition());
    assertEquals("NEEDS_ATTENTION", state().getComment(), "until it has worked for a while");
  }
}
