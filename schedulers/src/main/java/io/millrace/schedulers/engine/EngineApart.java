package io.millrace.schedulers.engine;

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
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.output.EngineBeat;
import io.millrace.schemas.pbs.PbsError;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.avro.specific.SpecificRecord;

/**
 * An engine in a process of its own: it follows the ledger of its shard, from the last snapshot in
 * it or the beginning, asks to be let in, and sends its proposals as commands. A command that
 * arrives twice does no harm, since the shard knows its id.
 */
final class EngineApart {

  /** Why {@link #run} came back. */
  enum Ending {
    /** Another engine owns the scheduler object now. */
    REPLACED,
    /** The server's own engine has taken over, as this one was not heard or the server began. */
    TAKEN_OVER,
    /** There is no such scheduler object, or no more. */
    UNKNOWN,
    /** {@link #stop} was called. */
    STOPPED
  }

  private static final Duration POLL = Duration.ofMillis(200);

  /**
   * Waits this long for the cluster's objects: the cluster may be starting on the same, slow
   * machine.
   */
  private static final Duration OBJECTS_WAIT = Duration.ofSeconds(120);

  private static final Duration START_WAIT = Duration.ofSeconds(30);
  private static final int TAKEN_AT_ONCE = 200;

  /** In the place of an epoch: the shard does not know the scheduler object yet, or no more. */
  private static final long NOT_KNOWN = -2;

  private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long FULL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final ApartOptions options;
  private final RecordCodec codec;
  private final PrintStream out;
  private final ShadowNotes notes;
  private volatile boolean stopped;
  private volatile boolean following;
  private volatile boolean unknown;
  private volatile Thread sending;

  EngineApart(ApartOptions options, RecordCodec codec, PrintStream out) {
    this.options = options;
    this.codec = codec;
    this.out = out;
    this.notes = new ShadowNotes(out);
  }

  /** What is in the way of scheduling, in one line; empty for nothing. */
  String obstacle() {
    if (unknown) {
      return unknown();
    }
    return following ? "" : "it does not follow the ledger of its shard yet";
  }

  private String unknown() {
    return PbsError.UNKNOWN_SCHEDULER.text() + " " + options.scheduler();
  }

  /** Ends {@link #run} soon. */
  void stop() {
    stopped = true;
  }

  /**
   * Works until another engine apart takes over or {@link #stop}. When the server's own engine has
   * taken over it asks to be let in again. It waits for its scheduler object, also for a new one of
   * that name, as PBS's scheduler does.
   *
   * @throws IllegalStateException in one line, when it cannot start or cannot go on
   */
  Ending run() throws InterruptedException {
    Ending ending = runOnce();
    while (ending == Ending.TAKEN_OVER || ending == Ending.UNKNOWN) {
      if (ending == Ending.TAKEN_OVER) {
        out.println("millrace-engine: the server's own engine had taken over; coming back");
      }
      ending = runOnce();
    }
    return ending;
  }

  private Ending runOnce() throws InterruptedException {
    Map<String, ClusterObject> objects = objects();
    if (stopped) {
      return Ending.STOPPED;
    }
    int shard = Integer.parseInt(attribute(objects, ObjectKind.SCHEDULER, "shard"));
    int inFlight = EngineLimits.standard().proposalsInFlight();
    Followers state = Followers.of(options.scheduler(), shard, inFlight);
    try (LedgerReader ledger = new LedgerReader(options.kafka(), Topics.LEDGER, shard, codec);
        CycleTopic cycles = new CycleTopic(options.kafka(), codec);
        CommandSender commands = new CommandSender(options.kafka(), shard, codec)) {
      catchUp(ledger, state);
      String server = attribute(objects, ObjectKind.SERVER, "server_host");
      long epoch = letIn(ledger, commands, state);
      if (epoch == NOT_KNOWN) {
        return Ending.UNKNOWN;
      }
      EngineSeat seat =
          new EngineSeat(options.scheduler(), epoch, shard, server, this::wakeSender, false);
      EngineThreads threads =
          new EngineThreads(EngineLimits.standard(), options.monitorFolder(), cycles);
      AtomicBoolean alive = new AtomicBoolean(!options.shadow());
      try (SignsOfLife signs = signs(commands, epoch, alive);
          SchedulingEngine engine = threads.start(seat, state)) {
        String role = options.shadow() ? "shadow" : "engine";
        String where = "scheduler " + options.scheduler() + ", shard " + shard;
        out.println("millrace-engine: ready, " + role + " of " + where + ", epoch " + epoch);
        Ending ending = follow(ledger, commands, engine, alive);
        if (ending == Ending.STOPPED) {
          note(commands, epoch, EngineCondition.ENDED, "it was ended");
        }
        return ending;
      }
    }
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
    try (LedgerReader table =
        new LedgerReader(options.kafka(), topic, Topics.ADMINISTRATIVE_SHARD, codec)) {
      long giveUp = System.nanoTime() + OBJECTS_WAIT.toNanos();
      boolean whole = false;
      while (!stopped && !(whole && objects.containsKey(wanted))) {
        for (LedgerReader.Entry entry : table.poll(POLL)) {
          if (entry.value() instanceof ClusterObject object) {
            objects.put(object.getKind() + "/" + object.getName(), object);
          } else {
            objects.remove(entry.key());
          }
        }
        whole |= table.position() >= table.end();
        if (objects.isEmpty() && System.nanoTime() - giveUp > 0) {
          throw new IllegalStateException("the cluster has no objects yet; is the server running?");
        }
        if (whole && !objects.isEmpty() && !objects.containsKey(wanted) && !unknown) {
          unknown = true;
          out.println("millrace-engine: waits: " + unknown());
        }
      }
    }
    unknown = false;
    return objects;
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
    while (ledger.position() < ledger.end() && !stopped) {
      for (LedgerReader.Entry entry : ledger.poll(POLL)) {
        state.follow(entry.value());
      }
    }
  }

  private long letIn(LedgerReader ledger, CommandSender commands, Followers state) {
    CommandMeta meta = meta();
    CommandId id = meta.getId();
    String host = EngineHostName.local();
    commands.send(new StartEngine(meta, options.scheduler(), true, options.shadow(), host), id);
    long giveUp = System.nanoTime() + START_WAIT.toNanos();
    long epoch = -1;
    while (epoch < 0) {
      if (stopped || System.nanoTime() - giveUp > 0) {
        throw new IllegalStateException("the shard did not answer to the start of the engine");
      }
      // Follow the whole batch before the engine starts, records behind the answer included.
      for (LedgerReader.Entry entry : ledger.poll(POLL)) {
        SpecificRecord fact = entry.value();
        state.follow(fact);
        if (fact instanceof EngineStarted it && it.getMeta().getCause().equals(id)) {
          epoch = it.getEpoch();
        } else if (fact instanceof EngineStarted it && epoch >= 0 && replaces(it, epoch)) {
          throw new IllegalStateException("another engine took over at once");
        } else if (fact instanceof CommandAnswered it && it.getAnswer().getId().equals(id)) {
          if (it.getAnswer().getCode() == PbsError.UNKNOWN_SCHEDULER.code()) {
            return NOT_KNOWN;
          }
          refuse(it);
        }
      }
    }
    return epoch;
  }

  private static void refuse(CommandAnswered answered) {
    if (answered.getAnswer().getCode() != 0) {
      throw new IllegalStateException(
          "the shard refused the engine: "
              + String.join(" ", answered.getAnswer().getLines())
              + " ("
              + answered.getAnswer().getCode()
              + ")");
    }
  }

  private Ending follow(
      LedgerReader ledger, CommandSender commands, SchedulingEngine engine, AtomicBoolean alive)
      throws InterruptedException {
    following = true;
    Thread sender = new Thread(() -> send(commands, engine), "proposals");
    sender.setDaemon(true);
    sending = sender;
    sender.start();
    try {
      while (!stopped) {
        List<SpecificRecord> facts = new ArrayList<>();
        for (LedgerReader.Entry entry : ledger.poll(POLL)) {
          facts.add(entry.value());
        }
        hear(engine, facts);
        if (options.shadow()) {
          facts.forEach(notes::heard);
        }
        for (SpecificRecord fact : facts) {
          if (fact instanceof EngineStarted it && replaces(it, engine.epoch())) {
            return it.getApart() ? Ending.REPLACED : Ending.TAKEN_OVER;
          }
          if (fact instanceof ObjectDeleted it && isOwn(it)) {
            return Ending.UNKNOWN;
          }
          if (fact instanceof CommandAnswered it) {
            engine.answered(it.getAnswer().getId(), it.getAnswer().getCode());
          }
        }
        if (!stopped && (!engine.alive() || !sender.isAlive())) {
          alive.set(false);
          note(commands, engine.epoch(), EngineCondition.FAILED, "its thread has ended");
          throw new IllegalStateException("the engine ended; see the lines above");
        }
      }
      return Ending.STOPPED;
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

  private boolean isOwn(ObjectDeleted fact) {
    return fact.getKind() == ObjectKind.SCHEDULER && fact.getName().equals(options.scheduler());
  }

  private boolean replaces(EngineStarted fact, long epoch) {
    return !options.shadow()
        && !fact.getShadow()
        && fact.getScheduler().equals(options.scheduler())
        && fact.getEpoch() > epoch;
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
