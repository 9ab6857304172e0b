package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.question.QueryPace;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.OutsideState;
import io.millrace.connectors.bridge.system.Told;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks in a database for what jobs of ours have used, and how those have ended that a queue has
 * forgotten. It is asked, in a pace of its own, when the queue has shown that one of ours has ended
 * whose record is not known, with one question for all of them. Until the record is there, for half
 * a minute at most, such a job is shown as ending.
 */
final class DatabaseEnds {
  private static final Logger log = LoggerFactory.getLogger(DatabaseEnds.class);

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LEAST = Duration.ofSeconds(5);
  private static final Duration MOST = Duration.ofSeconds(300);

  /** How long it is known whether there is a database. */
  private static final Duration CONFIGURED = Duration.ofMinutes(10);

  private static final int JOBS_AT_ONCE = 500;

  /** Records that were written as soon as their jobs had ended would be there by then. */
  private static final int ASKED_ALONE = 2;

  /** The steps of a job of which nobody knows an end by then will have none. */
  private static final int ASKED_FOR_STEPS = 3;

  /** A job of ours that is over. */
  private static final class Awaited {
    private final OutsideJob job;
    private final Instant since;
    private int asked;

    Awaited(OutsideJob job, Instant since) {
      this.job = job;
      this.since = since;
    }
  }

  private final SlurmDatabase database;
  private final Supplier<Optional<Boolean>> configuredLast;
  private final String cluster;
  private final InstantSource clock;
  private final QueryPace pace = new QueryPace(LEAST, MOST);

  /** Jobs of ours that the last queue has shown as not over. */
  private Map<OutsideId, OutsideJob> living = Map.of();

  private final Map<OutsideId, Awaited> awaited = new LinkedHashMap<>();

  /** Of jobs that the queue shows as over: what the record says; empty where none has come. */
  private final Map<OutsideId, Optional<SacctJob>> settled = new HashMap<>();

  /** Jobs that the last queue has shown. */
  private Set<OutsideId> present = Set.of();

  /** In whose names the last question was not answered. */
  private final Map<String, QueryPace> failing = new HashMap<>();

  /** Jobs that were asked for so in this round. */
  private final Set<OutsideId> hiddenAsked = new HashSet<>();

  private volatile boolean there;
  private Instant configured = Instant.MIN;
  private String untold = "";

  /**
   * @param configuredLast whether the settings of the cluster had a database when they were asked
   *     for last
   * @param cluster as tags of runs name it
   */
  DatabaseEnds(
      SlurmDatabase database,
      Supplier<Optional<Boolean>> configuredLast,
      String cluster,
      InstantSource clock) {
    this.database = database;
    this.configuredLast = configuredLast;
    this.cluster = cluster;
    this.clock = clock;
  }

  /** Whether a job that is over is to be expected in the database soon. */
  synchronized boolean isAnswering() {
    return there && database.isAnswering();
  }

  /** Whether there is a database, as far as it was looked for. */
  synchronized boolean isThere() throws InterruptedException {
    Optional<Boolean> given = database.given();
    if (given.isPresent()) {
      there = given.get();
      return there;
    }
    Instant now = clock.instant();
    boolean first = configured.equals(Instant.MIN);
    if (first && configuredLast.get().isPresent()) {
      there = configuredLast.get().get();
      configured = now;
    } else if (first || now.isBefore(configured) || now.isAfter(configured.plus(CONFIGURED))) {
      if (database.isThere() instanceof Told.Answered<Boolean> answer) {
        there = answer.value();
        configured = now;
      }
    }
    return there;
  }

  /**
   * Asks when that is due.
   *
   * @return records that have come, each once: certain ones where the queue shows the same end
   */
  synchronized List<OutsideRecord> records() throws InterruptedException {
    List<OutsideRecord> records = new ArrayList<>();
    Instant now = clock.instant();
    if (!awaited.isEmpty() && pace.isDue(now) && database.isDue()) {
      ask(now, records);
      release();
    }
    return records;
  }

  /** The jobs of a queue, with what the database says of those of ours that are over. */
  synchronized List<OutsideJob> of(List<OutsideJob> jobs) throws InterruptedException {
    Map<OutsideId, OutsideJob> before = living;
    Map<OutsideId, OutsideJob> ours = new HashMap<>();
    Set<OutsideId> all = new HashSet<>();
    List<OutsideJob> over = new ArrayList<>();
    for (OutsideJob job : jobs) {
      all.add(job.id());
      boolean isOurs = job.tag().filter(it -> it.cluster().equals(cluster)).isPresent();
      if (isOurs && job.tasks().isEmpty()) {
        if (job.state() == OutsideState.ENDED) {
          over.add(job);
        } else {
          ours.put(job.id(), job);
        }
      }
    }
    living = ours;
    present = all;
    settled.keySet().retainAll(all);
    if (over.isEmpty() && awaited.isEmpty() && all.containsAll(before.keySet())) {
      return jobs;
    }
    if (!isThere()) {
      awaited.clear();
      return jobs;
    }
    Instant now = clock.instant();
    awaited.keySet().removeAll(ours.keySet());
    over.removeIf(it -> settled.containsKey(it.id()));
    before.values().stream().filter(it -> !all.contains(it.id())).forEach(over::add);
    for (OutsideJob job : over) {
      awaited.computeIfAbsent(job.id(), it -> new Awaited(job, now));
    }
    release();
    return jobs.stream().map(this::shown).toList();
  }

  private OutsideJob shown(OutsideJob job) {
    if (job.state() != OutsideState.ENDED) {
      return job;
    }
    if (awaited.containsKey(job.id()) && isAnswering()) {
      return with(job, OutsideState.ENDING, Optional.empty());
    }
    return settled
        .getOrDefault(job.id(), Optional.empty())
        .map(it -> with(job, OutsideState.ENDED, Optional.of(merged(job.end(), it))))
        .orElse(job);
  }

  private static OutsideJob with(OutsideJob job, OutsideState state, Optional<OutsideEnd> end) {
    return new OutsideJob(
        job.id(),
        job.name(),
        job.account(),
        job.tag(),
        state,
        job.word(),
        job.submitted(),
        job.place(),
        job.slots(),
        end,
        job.tasks(),
        job.holdings());
  }

  /** As the queue says, with what the job has used and by whom it was cancelled. */
  private static OutsideEnd merged(Optional<OutsideEnd> shown, SacctJob said) {
    OutsideEnd record = said.end().orElseThrow();
    if (shown.isEmpty()) {
      return record;
    }
    OutsideEnd end = shown.get();
    String words = end.cause() == record.cause() ? record.words() : end.words();
    return new OutsideEnd(end.status(), end.signal(), end.cause(), words, record.usage());
  }

  private void ask(Instant now, List<OutsideRecord> records) throws InterruptedException {
    List<OutsideId> wanted = awaited.keySet().stream().limit(JOBS_AT_ONCE).toList();
    Told<List<SacctJob>> told = database.jobs(wanted);
    Duration took = Duration.between(now, clock.instant());
    if (told instanceof Told.Nothing<List<SacctJob>> nothing) {
      pace.failed(now, took);
      if (!nothing.why().equals(untold)) {
        log.warn("what jobs have used is not told: {}", nothing.why());
        untold = nothing.why();
      }
      return;
    }
    pace.asked(now, took);
    untold = "";
    wanted.forEach(it -> awaited.get(it).asked++);
    take(((Told.Answered<List<SacctJob>>) told).value(), records);
    askHidden(now, records);
  }

  /** One account at a time is asked for what the database may hide from others. */
  private void askHidden(Instant now, List<OutsideRecord> records) throws InterruptedException {
    Map<String, List<OutsideId>> hidden = new LinkedHashMap<>();
    hiddenAsked.retainAll(awaited.keySet());
    for (Awaited each : awaited.values()) {
      QueryPace last = failing.get(each.job.account());
      if (each.asked >= ASKED_ALONE
          && !hiddenAsked.contains(each.job.id())
          && (last == null || last.isDue(now))) {
        hidden.computeIfAbsent(each.job.account(), it -> new ArrayList<>()).add(each.job.id());
      }
    }
    if (hidden.isEmpty()) {
      hiddenAsked.clear();
      return;
    }
    String account = hidden.keySet().iterator().next();
    List<OutsideId> ids = hidden.get(account).stream().limit(JOBS_AT_ONCE).toList();
    Instant begun = clock.instant();
    Told<List<SacctJob>> told = database.jobsAs(account, ids);
    if (told instanceof Told.Answered<List<SacctJob>> answer) {
      failing.remove(account);
      take(answer.value(), records);
      hiddenAsked.addAll(ids);
    } else {
      Duration took = Duration.between(begun, clock.instant());
      failing.computeIfAbsent(account, it -> new QueryPace(LEAST, MOST)).failed(begun, took);
    }
  }

  private void take(List<SacctJob> jobs, List<OutsideRecord> records) {
    for (SacctJob said : jobs) {
      Awaited wanted = awaited.get(said.id());
      boolean over =
          wanted != null
              && said.end().isPresent()
              && (said.whole() || wanted.asked >= ASKED_FOR_STEPS);
      if (over && said.is(wanted.job)) {
        awaited.remove(said.id());
        SacctJob whose = said.of(wanted.job.account());
        if (present.contains(said.id()) && wanted.job.end().isPresent()) {
          settled.put(said.id(), Optional.of(said));
          records.add(whose.record(merged(wanted.job.end(), said), true));
        } else if (said.tellsEnd()) {
          // A queue that shows it again counts more: one that is begun anew is not over.
          records.add(whose.record(said.end().orElseThrow(), false));
        }
      }
    }
  }

  /** Those whose records have not come in time, also where the clock was put back. */
  private void release() {
    Instant now = clock.instant();
    awaited
        .values()
        .removeIf(
            it -> {
              boolean over = now.isBefore(it.since) || now.isAfter(it.since.plus(PATIENCE));
              if (over && present.contains(it.job.id())) {
                settled.put(it.job.id(), Optional.empty());
              }
              return over;
            });
  }
}
