package io.millrace.server.streams;

import io.millrace.schemas.command.NoteEngine;
import io.millrace.schemas.command.StartEngine;
import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.engine.EngineFactory;
import io.millrace.schemas.engine.EngineSeat;
import io.millrace.schemas.engine.SchedulingEngine;
import io.millrace.schemas.fact.EngineStarted;
import io.millrace.schemas.fact.ObjectDeleted;
import io.millrace.schemas.fact.ObjectWritten;
import io.millrace.schemas.health.Measures;
import io.millrace.schemas.health.Metric;
import io.millrace.schemas.state.Scheduler;
import io.millrace.server.core.decision.Context;
import io.millrace.server.core.engine.EngineAudience;
import io.millrace.server.core.state.View;
import io.millrace.server.streams.engine.EngineSnapshots;
import io.millrace.server.streams.engine.EngineWatch;
import io.millrace.server.streams.measure.ShardMeasures;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The engines that sit beside one shard: one for each scheduler object that lives here. */
final class Engines {
  private static final Logger LOG = LoggerFactory.getLogger(Engines.class);

  private final View view;
  private final EngineWatch watch;
  private final EngineFactory factory;
  private final Runnable wake;
  private final String server = "server";
  private final EngineSnapshots snapshots;
  private final Map<String, SchedulingEngine> seated = new HashMap<>();
  private final Set<String> talking = new HashSet<>();
  private final EngineAudience audience;

  /** Scheduler objects whose engines do not know all of their jobs. */
  private final Set<String> outdated = new HashSet<>();

  private boolean stale = true;
  private boolean apart;
  private volatile boolean listening;

  Engines(
      View view, EngineFactory factory, Runnable wake, EngineWatch watch, ShardMeasures measures) {
    this.view = view;
    this.audience = new EngineAudience(view);
    this.watch = watch;
    this.factory = factory;
    this.wake = wake;
    this.snapshots = new EngineSnapshots(view, measures, audience);
  }

  /** Whether the shard is polling for proposals, so that engines need not wake it. */
  void listening(boolean now) {
    listening = now;
  }

  private void wakeUnlessListening() {
    if (!listening) {
      wake.run();
    }
  }

  /** Tells each engine what concerns it; one that cannot keep up is replaced. */
  void hear(List<SpecificRecord> facts) {
    if (facts.isEmpty()) {
      return;
    }
    for (SpecificRecord fact : facts) {
      notice(fact);
    }
    if (!facts.stream().allMatch(EngineStarted.class::isInstance)) {
      snapshots.changed();
    }
    outdated.addAll(audience.gained(facts));
    outdated.retainAll(seated.keySet());
    stale |= !outdated.isEmpty();
    Map<String, List<SpecificRecord>> told = audience.divide(facts, seated.keySet());
    for (SchedulingEngine engine : List.copyOf(seated.values())) {
      List<SpecificRecord> its = told.get(engine.scheduler());
      if (engine.alive() && its.isEmpty()) {
        continue;
      }
      if (engine.alive() && engine.hear(its)) {
        talking.add(engine.scheduler());
        Measures.ofProcess().count(Metric.ENGINE_FACTS, its.size(), engine.scheduler());
      } else {
        LOG.warn("engine {} epoch {} is replaced", engine.scheduler(), engine.epoch());
        dismiss(engine);
        stale = true;
      }
    }
  }

  private void notice(SpecificRecord fact) {
    if (fact instanceof ObjectWritten written) {
      boolean scheduler = written.getObject().getKind() == ObjectKind.SCHEDULER;
      stale |= scheduler;
      if (scheduler) {
        watch.changed(written.getObject().getName());
      }
    } else if (fact instanceof ObjectDeleted deleted) {
      stale |= deleted.getKind() == ObjectKind.SCHEDULER;
    } else if (fact instanceof EngineStarted it && it.getApart() && !it.getShadow()) {
      leave(it.getScheduler());
      apart = true;
    }
  }

  /** True when an engine follows this shard from elsewhere, by its ledger. */
  boolean apart() {
    return apart;
  }

  /** Ends an engine that cannot go on. */
  private void dismiss(SchedulingEngine engine) {
    if (!engine.alive()) {
      watch.ended(engine.scheduler(), engine.epoch(), "its thread has ended");
    }
    leave(engine.scheduler());
  }

  private void leave(String scheduler) {
    SchedulingEngine engine = seated.remove(scheduler);
    talking.remove(scheduler);
    if (engine != null) {
      engine.close();
    }
  }

  /** Proposals that are ready. */
  List<SpecificRecord> proposals(int max) {
    List<SpecificRecord> ready = new ArrayList<>();
    for (SchedulingEngine engine : seated.values()) {
      ready.addAll(engine.proposals(max - ready.size()));
      if (ready.size() >= max) {
        break;
      }
    }
    return ready;
  }

  void answered(String scheduler, CommandId proposal, int code) {
    SchedulingEngine engine = seated.get(scheduler);
    if (engine != null) {
      engine.answered(proposal, code);
    }
  }

  /** Waits until every engine has handled the facts that it was told, or the time is over. */
  void awaitSettled(long deadlineNanos) {
    for (String name : List.copyOf(talking)) {
      long left = deadlineNanos - System.nanoTime();
      SchedulingEngine engine = seated.get(name);
      if (engine == null || left <= 0) {
        continue;
      }
      try {
        if (engine.awaitSettled(left)) {
          talking.remove(name);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Commands that start an engine for each scheduler object of this shard that has none. */
  List<StartEngine> missing() {
    boolean over =
        seated.values().stream().anyMatch(engine -> !engine.alive() || engine.outdated());
    if (!stale && !over) {
      return List.of();
    }
    stale = false;
    Set<String> here = new HashSet<>();
    List<StartEngine> missing = new ArrayList<>();
    String prefix = ObjectKind.SCHEDULER.name() + "/";
    view.objects()
        .scan(
            prefix,
            prefix + Character.MAX_VALUE,
            (key, object) -> {
              String shard = Context.attribute(object, "shard", "-1");
              if (Integer.parseInt(shard) == view.shard()) {
                here.add(object.getName());
              }
              return true;
            });
    audience.among(here.size());
    for (String scheduler : List.copyOf(seated.keySet())) {
      if (!here.contains(scheduler)) {
        leave(scheduler);
      } else if (!seated.get(scheduler).alive()) {
        dismiss(seated.get(scheduler));
      } else if (outdated.contains(scheduler)) {
        LOG.info("engine {} begins anew: it has got a queue with jobs", scheduler);
        leave(scheduler);
      } else if (seated.get(scheduler).outdated()) {
        LOG.info("engine {} begins anew: its policy needs all jobs", scheduler);
        leave(scheduler);
      }
    }
    outdated.clear();
    apart = false;
    for (String scheduler : here) {
      boolean elsewhere = watch.elsewhere(scheduler);
      apart |= elsewhere;
      boolean waits = elsewhere || watch.pauses(scheduler);
      if (!seated.containsKey(scheduler) && !waits) {
        missing.add(start(scheduler));
      }
    }
    watch.begun();
    snapshots.expect(missing.stream().map(StartEngine::getScheduler).toList());
    return missing;
  }

  /**
   * Looks after all engines, those apart too.
   *
   * @return whether the shard has something to decide: {@link #notes} or {@link #missing}
   */
  boolean look() {
    stale |= watch.look();
    boolean missing = !missing().isEmpty();
    stale |= missing;
    return missing || watch.hasNotes();
  }

  /** Commands that say what became of engines. To be decided before any is started anew. */
  List<NoteEngine> notes() {
    List<NoteEngine> notes = new ArrayList<>();
    for (EngineWatch.Note note : watch.take()) {
      CommandMeta meta = meta(note.scheduler());
      notes.add(new NoteEngine(meta, note.scheduler(), note.epoch(), note.condition(), note.why()));
    }
    return notes;
  }

  private StartEngine start(String scheduler) {
    return new StartEngine(meta(scheduler), scheduler, false, false, server);
  }

  private CommandMeta meta(String scheduler) {
    UUID random = UUID.randomUUID();
    byte[] id =
        ByteBuffer.allocate(16)
            .putLong(System.currentTimeMillis() << 16 | random.getMostSignificantBits() & 0xffff)
            .putLong(random.getLeastSignificantBits())
            .array();
    return new CommandMeta(
        new CommandId(id), "engine-" + scheduler, "", server, Role.ENGINE, -1, 0L);
  }

  /** Starts an engine under the epoch that the shard has just recorded. */
  void seat(String scheduler) {
    Scheduler state = view.schedulers().get(scheduler);
    leave(scheduler);
    String name =
        Context.attribute(
            view.objects().get(ObjectKind.SERVER.name() + "/server"), "server_host", server);
    EngineSeat seat =
        new EngineSeat(scheduler, state.getEpoch(), view.shard(), name, this::wakeUnlessListening);
    try {
      seated.put(scheduler, factory.start(seat, snapshots.of(scheduler)));
      talking.add(scheduler);
      watch.seated(scheduler);
    } catch (RuntimeException e) {
      // A shard goes on without an engine; it is tried again, at once with another object.
      LOG.error("engine {} cannot be started", scheduler, e);
      String why = e.toString().lines().findFirst().orElse("");
      watch.ended(scheduler, state.getEpoch(), "it cannot be started: " + why);
    }
  }

  void close() {
    for (String scheduler : List.copyOf(seated.keySet())) {
      leave(scheduler);
    }
  }
}
