package io.millrace.schedulers.engine;

import io.millrace.schedulers.core.model.ObjectAttributes;
import io.millrace.schedulers.engine.place.AskingPace;
import io.millrace.schedulers.engine.place.EngineHostName;
import io.millrace.schedulers.engine.place.EnginePlace;
import io.millrace.schemas.RecordCodec;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.NoteEngine;
import io.millrace.schemas.command.RecordCycle;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.EngineCondition;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.fact.CommandAnswered;
import io.millrace.schemas.output.EngineBeat;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.Answer;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An engine in a process of its own: it follows the ledger of its shard, from the last snapshot in
 * it or the beginning, asks to be let in, and sends its proposals as commands. A command that
 * arrives twice does no harm, since the shard knows its id.
 */
final class EngineApart {

  private static final Logger LOG = LoggerFactory.getLogger(EngineApart.class);

  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * Waits this long for the cluster's objects: the cluster may be starting on the same, slow
   * machine.
   */
  private static final Duration OBJECTS_WAIT = Duration.ofSeconds(120);

  private static final Duration START_WAIT = Duration.ofSeconds(30);
  private static final int TAKEN_AT_ONCE = 200;

  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final ApartOptions options;
  private final RecordCodec codec;
  private final PrintStream out;
  private final ShadowNotes notes;
  private final CountDownLatch stopping = new CountDownLatch(1);
  private volatile boolean stopped;
  private volatile boolean following;
  private volatile Thread sending;

  /** What it waits for before it can schedule; empty for nothing. */
  private volatile String waits = "";

  /** Whether it has scheduled since it last asked to be let in. */
  private boolean scheduled;

  EngineApart(ApartOptions options, RecordCodec codec, PrintStream out) {
    this.options = options;
    this.codec = codec;
    this.out = out;
    this.notes = new ShadowNotes(out);
  }

  /** What is in the way of scheduling, in one line; empty for nothing. */
  String obstacle() {
    if (!waits.isEmpty()) {
      return waits;
    }
    return following ? "" : "it does not follow the ledger of its shard yet";
  }

  private void waitsFor(String what) {
    waits = what;
    out.println("millrace-engine: waits: " + what);
  }

  /** Ends {@link #run} soon. */
  void stop() {
    stopped = true;
    stopping.countDown();
  }

  /**
   * Works until {@link #stop}. When the server's own engine has taken over it asks to be let in
   * again. While another engine apart schedules it stands by, until that one is missed, ends or
   * fails. It waits for its scheduler object, also for a new one of that name, as PBS's scheduler
   * does.
   *
   * @throws IllegalStateException in one line, when it cannot start or cannot go on
   */
  void run() throws InterruptedException {
    AskingPace pace = new AskingPace();
    while (!stopped) {
      scheduled = false;
      switch (runOnce()) {
        case TAKEN_OVER ->
            out.println("millrace-engine: the server's own engine had taken over; coming back");
        case FREE -> out.println("millrace-engine: the other engine is gone; coming back");
        default -> {} // it is stopped, or waits for its scheduler object
      }
      stopping.await(pace.nextMs(scheduled), TimeUnit.MILLISECONDS);
    }
  }

  private EnginePlace.EngineStanding runOnce() throws InterruptedException {
    Map<String, ClusterObject> objects = objects();
    if (stopped) {
      return EnginePlace.EngineStanding.ASKED;
    }
    int shard = Integer.parseInt(attribute(objects, ObjectKind.SCHEDULER, "shard"));
    int inFlight = EngineLimits.standard().proposalsInFlight();
    Followers state = Followers.of(options.scheduler(), shard, inFlight);
    if (asOrigin(objects)) {
      state.origin().keepJobs();
    }
    try (LedgerReader ledger = new LedgerReader(options.kafka(), Topics.LEDGER, shard, codec);
        CommandSender commands = new CommandSender(options.kafka(), shard, codec)) {
      catchUp(ledger, state);
      String server = attribute(objects, ObjectKind.SERVER, "server_host");
      EnginePlace place = letIn(ledger, commands, state, shard);
      if (place.standing() == EnginePlace.EngineStanding.HELD) {
        EngineSeat seat =
            new EngineSeat(
                options.scheduler(), place.epoch(), shard, server, this::wakeSender, false);
        schedule(ledger, commands, state, place, seat);
      }
      if (place.standing() == EnginePlace.EngineStanding.REPLACED) {
        standBy(ledger, place);
      }
      return place.standing();
    }
  }

  private void schedule(
      LedgerReader ledger,
      CommandSender commands,
      Followers state,
      EnginePlace place,
      EngineSeat seat)
      throws InterruptedException {
    scheduled = true;
    AtomicBoolean alive = new AtomicBoolean(!options.shadow());
    try (CycleTopic cycles = new CycleTopic(options.kafka(), codec);
        SignsOfLife signs = signs(commands, place.epoch(), alive);
        SchedulingEngine engine =
            new EngineThreads(EngineLimits.standard(), options.monitorFolder(), cycles)
                .start(seat, state)) {
      String role = options.shadow() ? "shadow" : "engine";
      String where = "scheduler " + options.scheduler() + ", shard " + seat.shard();
      out.println("millrace-engine: ready, " + role + " of " + where + ", epoch " + place.epoch());
      follow(ledger, commands, engine, place, alive);
      if (place.standing() == EnginePlace.EngineStanding.HELD && !engine.outdated()) {
        note(commands, place.epoch(), EngineCondition.ENDED, "it was ended");
      }
    }
  }

  /** Another engine apart schedules: both would replace each other for ever. */
  private void standBy(LedgerReader ledger, EnginePlace place) {
    waitsFor("another engine schedules " + options.scheduler());
    while (!stopped && !place.isOver()) {
      ledger.poll(POLL).forEach(entry -> place.follow(entry.value()));
    }
    waits = "";
  }

  private SignsOfLife signs(CommandSender commands, long epoch, AtomicBoolean alive) {
    EngineBeat beat = new EngineBeat(options.scheduler(), epoch, EngineHostName.local());
    return new SignsOfLife(beat, alive::get, commands::beat);
  }

  /** Tells the shard what becomes of this engine; a shadow is nobody's loss. */
  private void note(CommandSender commands, long epoch, EngineCondition condition, String why) {
    if (!options.shadow()) {
      CommandMeta meta = meta();
      commands.send(new NoteEngine(meta, options.scheduler(), epoch, condition, why), meta.getId());
    }
  }

  private CommandMeta meta() {
    CommandId id = new ProposalIds().next(System.currentTimeMillis());
    String host = EngineHostName.local();
    return new CommandMeta(id, options.scheduler(), "", host, Role.ENGINE, -1, 0L);
  }

  /**
   * The administrative shard's copy of all cluster objects, once the engine's own is among them, or
   * when the process is to end.
   */
  private Map<String, ClusterObject> objects() {
    Map<String, ClusterObject> objects = new HashMap<>();
    String wanted = ObjectKind.SCHEDULER + "/" + options.scheduler();
    String topic = Topics.table("objects");
    LOG.info("looks for the scheduler object {}", options.scheduler());
    try (LedgerReader table =
        new LedgerReader(options.kafka(), topic, Topics.ADMINISTRATIVE_SHARD, codec)) {
      long giveUp = System.nanoTime() + OBJECTS_WAIT.toNanos();
      boolean whole = false;
      while (!stopped && !(whole && objects.containsKey(wanted))) {
        for (LedgerReader.KeyedRecord entry : table.poll(POLL)) {
          if (entry.value() instanceof ClusterObject object) {
            objects.put(object.getKind() + "/" + object.getName(), object);
          } else {
            objects.remove(entry.key());
          }
        }
        if (!whole) {
          whole = table.position() >= table.end();
        }
        if (objects.isEmpty() && System.nanoTime() - giveUp > 0) {
          throw new IllegalStateException("the cluster has no objects yet; is the server running?");
        }
        boolean lacks = whole && !objects.isEmpty() && !objects.containsKey(wanted);
        if (lacks && waits.isEmpty()) {
          waitsFor(PbsError.UNKNOWN_SCHEDULER.text() + " " + options.scheduler());
        }
      }
    }
    waits = "";
    return objects;
  }

  private boolean asOrigin(Map<String, ClusterObject> objects) {
    ClusterObject object = objects.get(ObjectKind.SCHEDULER + "/" + options.scheduler());
    return ObjectAttributes.text(object, "policy", "").equals(AttributeTable.ORIGIN2000);
  }

  private String attribute(Map<String, ClusterObject> objects, ObjectKind kind, String name) {
    for (ClusterObject object : objects.values()) {
      boolean one = kind != ObjectKind.SCHEDULER || object.getName().equals(options.scheduler());
      if (object.getKind() == kind && one) {
        for (Attribute attribute : object.getAttributes()) {
          if (attribute.getName().equals(name)) {
            return attribute.getValue();
          }
        }
      }
    }
    throw new IllegalStateException("no " + kind + " object has the attribute " + name);
  }

  private void catchUp(LedgerReader ledger, Followers state) {
    long beginning = ledger.position();
    LedgerSnapshot snapshot = new LedgerSnapshot(ledger);
    if (snapshot.found()) {
      snapshot.load(state);
      out.println(
          "millrace-engine: starts from a snapshot of "
              + state.core().waiting().jobCount()
              + " jobs");
    } else if (beginning > 0) {
      throw new IllegalStateException(
          "the ledger begins at offset " + beginning + " and has no completed snapshot");
    } else {
      ledger.seek(beginning);
    }
    // Who waits for it in vain is shown the last line of its log.
    LOG.info("follows the ledger from offset {} to about {}", ledger.position(), ledger.end());
    ledger.catchUp(() -> stopped, entry -> state.follow(entry.value()));
  }

  private EnginePlace letIn(
      LedgerReader ledger, CommandSender commands, Followers state, int shard) {
    CommandMeta meta = meta();
    CommandId id = meta.getId();
    String host = EngineHostName.local();
    commands.send(new StartEngine(meta, options.scheduler(), true, options.shadow(), host), id);
    LOG.info("asks to be let in at offset {}", ledger.position());
    long giveUp = System.nanoTime() + START_WAIT.toNanos();
    EnginePlace place = new EnginePlace(options.scheduler(), shard, options.shadow(), id);
    while (place.standing() == EnginePlace.EngineStanding.ASKED) {
      if (stopped || System.nanoTime() - giveUp > 0) {
        throw new IllegalStateException("the shard did not answer to the start of the engine");
      }
      // Follow the whole batch before the engine starts, records behind the answer included.
      for (LedgerReader.KeyedRecord entry : ledger.poll(POLL)) {
        state.follow(entry.value());
        place.follow(entry.value());
      }
    }
    place.refusal().ifPresent(EngineApart::refuse);
    return place;
  }

  private static void refuse(Answer answer) {
    if (answer.getCode() != PbsError.UNKNOWN_SCHEDULER.code()) {
      throw new IllegalStateException(
          "the shard refused the engine: "
              + String.join(" ", answer.getLines())
              + " ("
              + answer.getCode()
              + ")");
    }
  }

  private void follow(
      LedgerReader ledger,
      CommandSender commands,
      SchedulingEngine engine,
      EnginePlace place,
      AtomicBoolean alive)
      throws InterruptedException {
    following = true;
    Thread sender = new Thread(() -> send(commands, engine), "proposals");
    sender.setDaemon(true);
    sending = sender;
    sender.start();
    try {
      while (!stopped && place.standing() == EnginePlace.EngineStanding.HELD) {
        List<SpecificRecord> facts = new ArrayList<>();
        for (LedgerReader.KeyedRecord entry : ledger.poll(POLL)) {
          facts.add(entry.value());
        }
        hear(engine, facts);
        if (options.shadow()) {
          facts.forEach(notes::heard);
        }
        for (SpecificRecord fact : facts) {
          place.follow(fact);
          if (fact instanceof CommandAnswered it) {
            engine.answered(it.getAnswer().getId(), it.getAnswer().getCode());
          }
        }
        if (engine.outdated()) {
          out.println("millrace-engine: begins anew: its policy needs all jobs");
          return;
        }
        boolean held = place.standing() == EnginePlace.EngineStanding.HELD;
        if (!stopped && held && (!engine.alive() || !sender.isAlive())) {
          alive.set(false);
          note(commands, engine.epoch(), EngineCondition.FAILED, "its thread has ended");
          throw new IllegalStateException("the engine ended; see the lines above");
        }
      }
    } finally {
      alive.set(false);
      following = false;
      wakeSender();
      sender.join();
      if (options.shadow()) {
        notes.sum();
      }
    }
  }

  /** Reading the ledger pauses while the mailbox is full; nothing else waits for this engine. */
  private void hear(SchedulingEngine engine, List<SpecificRecord> facts) {
    while (!stopped && engine.alive() && !engine.hear(facts)) {
      LockSupport.parkNanos(this, FULL_NANOS);
    }
  }

  private void send(CommandSender commands, SchedulingEngine engine) {
    while (following && engine.alive()) {
      List<SpecificRecord> proposals = engine.proposals(TAKEN_AT_ONCE);
      for (SpecificRecord proposal : proposals) {
        if (!options.shadow()) {
          commands.send(proposal, CommandSender.idOf(proposal));
        } else if (proposal instanceof RecordCycle) {
          // The shard never answers a shadow's RecordCycle, so the engine gets an answer here.
          engine.answered(CommandSender.idOf(proposal), 0);
        } else {
          notes.decided(proposal);
        }
      }
      if (proposals.isEmpty()) {
        LockSupport.parkNanos(this, IDLE_NANOS);
      }
    }
  }

  private void wakeSender() {
    Thread sender = sending;
    if (sender != null) {
      LockSupport.unpark(sender);
    }
  }
}
