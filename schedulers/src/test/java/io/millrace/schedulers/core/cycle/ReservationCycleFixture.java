package io.millrace.schedulers.core.cycle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.schedulers.core.policy.Policy;
import io.millrace.schedulers.core.policy.Priority;
import io.millrace.schemas.common.NodeShare;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Reservation;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;

/** Reservations, nodes and jobs before a cycle. */
abstract class ReservationCycleFixture {
  static final long GB = 1L << 30;
  static final Instant NOW = Instant.ofEpochSecond(1_795_000_000);

  SchedulerState state;
  Instant now = NOW;
  final Map<Long, Reservation> reservations = new TreeMap<>();

  @BeforeEach
  void priority() {
    begin(new Priority());
  }

  void begin(Policy policy) {
    state = new SchedulerState("default", 0, policy, 1000);
    state.facts().written(Records.scheduler());
    state.facts().written(Records.queue("workq"));
    node("n1");
    node("n2");
  }

  void node(String name, String... pairs) {
    state.facts().written(Records.object(ObjectKind.NODE, name, pairs));
    state.facts().node(Records.node(name, "h" + name.substring(1), 8, 4 * GB));
  }

  long at(int seconds) {
    return NOW.toEpochMilli() + 1000L * seconds;
  }

  void tell(Reservation record) {
    reservations.put(record.getNumber(), record);
    state.facts().reservation(record);
  }

  Reservation of(long number) {
    return reservations.get(number);
  }

  void ask(long number, int fromS, int toS, String request) {
    tell(
        SampleReservations.asked(
            number, SampleReservations.spec("pbs-default", at(fromS), at(toS), request)));
  }

  /** Looks at reservations; confirms or denies what is proposed as a shard would. */
  String decide() {
    List<ReservationDecision> decisions = ReservationCycle.run(state, now, Long.MAX_VALUE);
    for (ReservationDecision it : decisions) {
      Reservation before = of(it.number());
      assertEquals(before.getRevision(), it.revision());
      boolean isNew = before.getShares().isEmpty();
      if (it.confirms()) {
        tell(SampleReservations.confirmed(before, it.shares()));
      } else {
        tell(isNew ? SampleReservations.ended(before) : SampleReservations.asBefore(before));
      }
    }
    return decisions.stream()
        .map(it -> it.number() + ":" + (it.confirms() ? nodes(it.shares()) : it.why()))
        .collect(Collectors.joining(" "));
  }

  void reserve(long number, int fromS, int toS, String request) {
    ask(number, fromS, toS, request);
    decide();
    assertFalse(of(number).getShares().isEmpty(), "R" + number);
  }

  void start(long number) {
    now = Instant.ofEpochMilli(of(number).getSpec().getStartMs());
    tell(SampleReservations.begun(of(number), now.toEpochMilli()));
  }

  static String nodes(List<NodeShare> shares) {
    return shares.stream()
        .map(it -> it.getNode() + "*" + it.getChunks())
        .collect(Collectors.joining("+"));
  }

  void submit(long number, String queue, String request) {
    state.facts().job(Records.job(number, queue, 0, request));
  }

  String cycle() {
    CycleDecisions decisions = Cycle.run(state, now, 1_000_000);
    decisions
        .starts()
        .forEach(
            it ->
                state
                    .facts()
                    .granted(it.jobNumber(), Records.allocation(it.shares()), now.toEpochMilli()));
    return decisions.starts().stream()
        .map(it -> it.jobNumber() + ":" + nodes(it.shares()))
        .collect(Collectors.joining(" "));
  }
}
