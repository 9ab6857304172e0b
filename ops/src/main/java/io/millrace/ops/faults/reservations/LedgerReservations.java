package io.millrace.ops.faults.reservations;

import io.millrace.ops.faults.evidence.LedgerEntry;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.fact.JobQueued;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.RunGranted;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.fact.RunShortened;
import io.millrace.schemas.fact.RunStarted;
import io.millrace.schemas.fact.WholeEnded;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.ReservationWhole;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.schemas.state.WholeState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.specific.SpecificRecord;

/**
 * The reservations of an installation, as its ledger tells them fact by fact, and what should never
 * have been in it. All of them have their nodes to themselves.
 */
final class LedgerReservations {
  /** Walltimes are whole seconds. */
  private static final long TOLERATED_MS = 1_000;

  private static final Set<ReservationState> CLOSING =
      Set.of(ReservationState.BEING_DELETED, ReservationState.DELETING_JOBS);

  private final Map<Long, Reservation> present = new TreeMap<>();
  private final Map<Long, ReservationWhole> wholes = new TreeMap<>();
  private final Map<String, Job> jobs = new HashMap<>();
  private final Set<String> doubleBooked = new TreeSet<>();
  private final Set<String> ranOver = new TreeSet<>();
  private final Map<Long, ReservationWhole> kept = new TreeMap<>();
  private final Set<Long> cancelled = new TreeSet<>();
  private final Map<TransactionKind, Set<Long>> opened = new EnumMap<>(TransactionKind.class);
  private final Map<String, RunGranted> runs = new HashMap<>();
  private final Map<String, Long> startedMs = new HashMap<>();

  /** What lasts into a reservation since it has begun late, by its job. */
  private final Map<String, String> late = new TreeMap<>();

  private int granted;
  private long facts;

  void take(LedgerEntry entry) {
    facts++;
    SpecificRecord fact = entry.fact();
    if (fact instanceof JobQueued queued) {
      jobs.put(queued.getJob().getId(), queued.getJob());
    } else if (fact instanceof RunGranted granted) {
      granted(granted);
    } else if (fact instanceof RunStarted started) {
      started(started);
    } else if (fact instanceof RunShortened shortened) {
      lasts(
          shortened.getJobId(),
          startedMs.getOrDefault(shortened.getJobId(), 0L) + shortened.getWalltimeS() * 1000);
    } else if (fact instanceof RunPreempted preempted) {
      late.remove(preempted.getJobId());
    }
    reservation(fact);
    whole(fact);
  }

  private void reservation(SpecificRecord fact) {
    if (!(field(fact, "reservation") instanceof Reservation now)) {
      return;
    }
    if (fact instanceof ReservationEnded) {
      present.remove(now.getNumber());
      return;
    }
    present.put(now.getNumber(), now);
    ReservationTransaction open = now.getPending();
    if (open != null && (open.getKind() != TransactionKind.MODIFY || open.getSpec() != null)) {
      opened.computeIfAbsent(open.getKind(), it -> new TreeSet<>()).add(now.getNumber());
    }
    for (HeldNodes mine : held(now)) {
      for (Reservation other : present.values()) {
        for (HeldNodes its :
            other.getNumber() == now.getNumber() ? List.<HeldNodes>of() : held(other)) {
          if (its.reaches(mine.startMs(), mine.endMs())) {
            Set<String> common = its.nodes();
            common.retainAll(mine.nodes());
            String both =
                String.join(" and ", new TreeSet<>(Set.of(other.getQueue(), now.getQueue())));
            common.forEach(node -> doubleBooked.add(node + " is booked for " + both));
          }
        }
      }
    }
  }

  /** What a reservation has of its nodes, or is to have: its own, from when until when. */
  private record HeldNodes(long startMs, long endMs, List<BookedNode> booked) {

    static HeldNodes of(ReservationSpec spec, List<BookedNode> booked) {
      return new HeldNodes(spec.getStartMs(), spec.getEndMs(), booked);
    }

    Set<String> nodes() {
      return booked.stream().map(BookedNode::getNode).collect(Collectors.toSet());
    }

    boolean reaches(long fromMs, long toMs) {
      return startMs < toMs && endMs > fromMs;
    }
  }

  /**
   * One that is being ended holds nothing any more; one that is changed what it is and is to be.
   */
  private static List<HeldNodes> held(Reservation reservation) {
    if (CLOSING.contains(reservation.getState())) {
      return List.of();
    }
    HeldNodes now = HeldNodes.of(reservation.getSpec(), reservation.getBooked());
    ReservationTransaction open = reservation.getPending();
    if (open == null || open.getSpec() == null) {
      return List.of(now);
    }
    boolean stays = open.getBooked().isEmpty();
    return List.of(
        now, HeldNodes.of(open.getSpec(), stays ? reservation.getBooked() : open.getBooked()));
  }

  private void whole(SpecificRecord fact) {
    if (field(fact, "whole") instanceof ReservationWhole now) {
      if (fact instanceof WholeEnded) {
        wholes.remove(now.getNumber());
        if (kept.containsKey(now.getNumber())) {
          cancelled.add(now.getNumber());
        }
        return;
      }
      wholes.put(now.getNumber(), now);
      if (now.getState() == WholeState.KEPT) {
        kept.put(now.getNumber(), now);
      }
    }
  }

  /**
   * A run is granted by the shard that has its nodes, so that the ledger's order says what was
   * booked.
   */
  private void granted(RunGranted run) {
    granted++;
    runs.put(run.getJobId(), run);
    late.remove(run.getJobId());
    Job job = jobs.get(run.getJobId());
    long walltimeS = job == null ? -1 : job.getSpec().getRequest().getWalltimeS();
    long beginMs = run.getMeta().getAtMs();
    long endMs = walltimeS < 0 ? Long.MAX_VALUE : beginMs + walltimeS * 1000;
    for (NodeShare share : run.getAllocation().getShares()) {
      for (Reservation each : present.values()) {
        boolean own = job != null && job.getSpec().getQueue().equals(each.getQueue());
        boolean over =
            held(each).stream()
                .anyMatch(it -> it.nodes().contains(share.getNode()) && it.reaches(beginMs, endMs));
        if (over && !own) {
          ranOver.add(run.getJobId() + " runs on " + share.getNode() + " into " + each.getQueue());
        }
      }
    }
  }

  /**
   * The end that counts is that of the start by the host, which may be long after the grant. What
   * the run then reaches into is found here; the facts that follow have to say that it does not.
   */
  private void started(RunStarted run) {
    RunGranted granted = runs.get(run.getJobId());
    Job job = jobs.get(run.getJobId());
    long walltimeS = job == null ? -1 : job.getSpec().getRequest().getWalltimeS();
    if (granted == null || granted.getRun() != run.getRun() || walltimeS < 0) {
      return;
    }
    startedMs.put(run.getJobId(), run.getStartedMs());
    lasts(run.getJobId(), run.getStartedMs() + walltimeS * 1000);
  }

  private void lasts(String jobId, long endMs) {
    RunGranted granted = runs.get(jobId);
    Job job = jobs.get(jobId);
    late.remove(jobId);
    if (granted == null || job == null) {
      return;
    }
    long plannedMs = granted.getMeta().getAtMs() + job.getSpec().getRequest().getWalltimeS() * 1000;
    for (NodeShare share : granted.getAllocation().getShares()) {
      for (Reservation each : present.values()) {
        boolean over =
            held(each).stream()
                .anyMatch(
                    it ->
                        it.startMs() >= plannedMs
                            && it.startMs() + TOLERATED_MS <= endMs
                            && it.nodes().contains(share.getNode()));
        if (over && !job.getSpec().getQueue().equals(each.getQueue())) {
          late.put(jobId, jobId + " lasts on " + share.getNode() + " into " + each.getQueue());
        }
      }
    }
  }

  private static Object field(SpecificRecord fact, String name) {
    Schema.Field field = fact.getSchema().getField(name);
    return field == null ? null : fact.get(field.pos());
  }

  /** How many wholes stay that were kept. */
  int wholesKept() {
    return kept.size() - cancelled.size();
  }

  /** How many wholes were kept, and have ended. */
  int wholesCancelled() {
    return cancelled.size();
  }

  /** How many wholes were kept with a part in another installation, also of those that ended. */
  int wholesAcross() {
    return (int)
        kept.values().stream()
            .filter(it -> it.getParts().stream().anyMatch(part -> part.getThere() != null))
            .count();
  }

  /** Of how many a change of this kind was held; of a modification, when room was found for it. */
  int heldTo(TransactionKind kind) {
    return opened.getOrDefault(kind, Set.of()).size();
  }

  /** How many runs were granted. */
  int granted() {
    return granted;
  }

  long facts() {
    return facts;
  }

  Collection<Reservation> present() {
    return present.values();
  }

  Collection<ReservationWhole> wholes() {
    return wholes.values();
  }

  /** By the name of its queue. */
  boolean has(String queue) {
    return present.values().stream().anyMatch(it -> it.getQueue().equals(queue));
  }

  /** What waits for a decision. */
  List<String> held() {
    List<String> held = new ArrayList<>();
    for (Reservation each : present.values()) {
      if (each.getPending() != null || each.getBooked().isEmpty()) {
        held.add(each.getId() + " is held");
      }
    }
    for (ReservationWhole each : wholes.values()) {
      if (each.getState() != WholeState.KEPT) {
        held.add(each.getId() + " is " + each.getState());
      }
    }
    return held;
  }

  Set<String> doubleBooked() {
    return doubleBooked;
  }

  Set<String> ranOver() {
    Set<String> all = new TreeSet<>(ranOver);
    all.addAll(late.values());
    return all;
  }
}
