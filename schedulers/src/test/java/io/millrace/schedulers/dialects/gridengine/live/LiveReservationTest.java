package io.millrace.schedulers.dialects.gridengine.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.core.cycle.Records;
import io.millrace.schedulers.core.cycle.SchedulerState;
import io.millrace.schedulers.core.policy.Policies;
import io.millrace.schedulers.core.state.limit.LimitGate;
import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schedulers.gridengine.language.request.OptionLineWords;
import io.millrace.schemas.common.ClassReason;
import io.millrace.schemas.common.GridEngineRequest;
import io.millrace.schemas.common.JobSpec;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.QueueSlots;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Jobs of -ar, and those beside their reservation: two hosts of four slots, two of n1 reserved. */
class LiveReservationTest {

  private static final Instant NOW = Instant.ofEpochSecond(1_000_000_000L);
  private static final Map<String, String> FILES =
      Map.of(
          "complex",
          """
          slots   s    INT    <= YES YES 1     1000
          h_rt    h_rt TIME   <= YES NO  0:0:0 0
          s_rt    s_rt TIME   <= YES NO  0:0:0 0
          license lic  INT    <= YES YES 0     10
          """,
          "sched",
          "schedule_interval 0:0:1\nparams MONITOR=1\n",
          "queue.all.q",
          "qname all.q\nhostlist n1 n2\nslots 4\npe_list mpi\n",
          "pe.mpi",
          "pe_name mpi\nslots 99\nallocation_rule $fill_up\n",
          "host.global",
          "hostname global\ncomplex_values license=3\n");

  private static final LimitGate NO_LIMITS =
      new SchedulerState("default", 0, Policies.STANDARD, 1).limits();

  private final LiveState state = new LiveState("default", 0);
  private final LiveScheduler scheduler = new LiveScheduler(state, 100, NO_LIMITS);

  LiveReservationTest() {
    configure(FILES);
    state.written(Records.queue("workq"));
    for (String name : List.of("n1", "n2")) {
      state.written(Records.object(ObjectKind.NODE, name));
      state.node(Records.node(name, "host", 4, 1L << 32));
    }
  }

  private void configure(Map<String, String> files) {
    state.written(
        Records.object(
            ObjectKind.SCHEDULER,
            "default",
            "policy",
            "gridengine",
            AttributeTable.GRID_ENGINE_CONFIGURATION,
            Configuration.join(files)));
  }

  private static Reservation reservation(boolean begun, String... options) {
    ReservationSpec spec =
        ReservationSpec.newBuilder()
            .setOwner("alice")
            .setSubmitHost("host")
            .setStartMs(NOW.toEpochMilli())
            .setEndMs(NOW.plusSeconds(100).toEpochMilli())
            .setRequest(Records.request("ncpus=2"))
            .setResourceList(List.of())
            .setGridEngine(
                new GridEngineReservation(
                    List.of(options), "mpi", List.of(new QueueSlots("all.q@n1", 2))))
            .build();
    return Reservation.newBuilder()
        .setId("R7.server")
        .setNumber(7)
        .setQueue("R7")
        .setSpec(spec)
        .setState(begun ? ReservationState.RUNNING : ReservationState.CONFIRMED)
        .setSubstate(ReservationState.CONFIRMED)
        .setBooked(List.of(new BookedNode("n1", Map.of("ncpus", 2L), false)))
        .setCreatedMs(0)
        .setModifiedMs(0)
        .setStartedMs(begun ? NOW.toEpochMilli() : -1)
        .build();
  }

  private void submit(long number, String queue, String options) {
    JobSpec spec = Records.spec(queue, 0, Records.request("ncpus=1"));
    List<String> words = OptionLineWords.of(options);
    spec.setName("job");
    spec.setGridEngine(
        GridEngineRequest.newBuilder()
            .setOptions(words)
            .setCategory(options)
            .setSlotsMax(10)
            .build());
    state.job(Records.job(number, number, spec));
  }

  private List<String> run(long second) {
    return scheduler.run(NOW.plusSeconds(second), Long.MAX_VALUE).launches().stream()
        .map(
            it ->
                it.number()
                    + " "
                    + it.grant().getQueues()
                    + it.shares().stream().map(share -> share.getChunks()).toList())
        .toList();
  }

  private String reason(long number) {
    String told = "";
    for (ClassReason reason : scheduler.takeReasons(1000)) {
      if (reason.getClassKey().endsWith(";" + number)) {
        told = reason.getSubject();
      }
    }
    return told;
  }

  @Test
  void jobsOfAReservationStartInItsWindowOnItsSlots() {
    state.reservation(reservation(false));
    submit(1, "R7", "-ar 7 -pe mpi 2");
    submit(2, "R7", "-ar 7");
    assertEquals(List.of(), run(0), "it has not begun, and outside they do not start");
    assertEquals("execution time not reached", reason(1));
    state.reservation(reservation(true));
    assertEquals(List.of("1 [all.q@n1][2]"), run(1), "there is no third slot");
    state.gone(1);
    assertEquals(List.of("2 [all.q@n1][1]"), run(2));
  }

  @Test
  void othersHaveWhatIsNotReservedWhoeverRunsInside() {
    state.reservation(reservation(true));
    submit(1, "R7", "-ar 7 -pe mpi 2");
    assertEquals(List.of("1 [all.q@n1][2]"), run(0));
    for (long number = 2; number <= 9; number++) {
      submit(number, "workq", "-l h_rt=60");
    }
    assertEquals(6, run(1).size(), "four of n2 and two of n1");
    state.gone(1);
    assertEquals(List.of(), run(2), "what is reserved is not theirs when it is not used");
    submit(10, "R7", "-ar 7");
    assertEquals(List.of("10 [all.q@n1][1]"), run(3), "a full host keeps what is reserved");
  }

  @Test
  void licencesThatAreReservedAreForItsJobsAlone() {
    state.reservation(reservation(false, "-l", "license=1"));
    submit(1, "workq", "-l license=2,h_rt=60");
    submit(2, "workq", "-l license=1,h_rt=60");
    assertEquals(List.of("2 [all.q@n1][1]"), run(0), "two of three are reserved, one a slot");
    state.reservation(reservation(true, "-l", "license=1"));
    submit(3, "R7", "-ar 7 -l license=3");
    submit(4, "R7", "-ar 7 -l license=2");
    assertEquals(List.of("4 [all.q@n1][1]"), run(1), "it has two, whatever is free beside it");
    state.gone(2);
    assertEquals(List.of(), run(2));
    submit(5, "workq", "-l license=1,h_rt=60");
    assertEquals(List.of("5 [all.q@n1][1]"), run(3), "what its jobs hold is not taken twice");
    state.gone(4);
    assertEquals(List.of(), run(4), "what is reserved stays so when it is not used");
  }

  @Test
  void aReservationWithoutLicencesGivesNone() {
    state.reservation(reservation(true));
    submit(1, "R7", "-ar 7 -l license=1");
    assertEquals(List.of(), run(0));
    submit(2, "workq", "-l license=3");
    assertEquals(1, run(1).size());
  }

  /** Nobody else is on such a host then, so that it cannot be one with a reservation. */
  @Test
  void whoWantsAHostForHimselfGoesWhereNothingIsReserved() {
    Map<String, String> files = new HashMap<>(FILES);
    files.merge("complex", "exclusive excl BOOL EXCL YES YES 0 1000\n", String::concat);
    List.of("n1", "n2")
        .forEach(it -> files.put("host." + it, "hostname " + it + "\ncomplex_values excl=true\n"));
    configure(files);
    state.reservation(reservation(false));
    submit(1, "workq", "-l exclusive=true,h_rt=60");
    assertEquals(List.of("1 [all.q@n2][1]"), run(0));
    submit(2, "workq", "-l exclusive=true,h_rt=60");
    submit(3, "workq", "-l h_rt=60");
    assertEquals(List.of("3 [all.q@n1][1]"), run(1));
  }

  @Test
  void licencesThatAreReservedAreNotForJobsInReservationsOfOtherCommands() {
    state.reservation(numbered(7, "n1", "-l", "license=2"));
    Reservation other = numbered(8, "n2");
    other.getSpec().setGridEngine(null);
    state.reservation(other);
    submit(1, "R8", "-l license=2");
    submit(2, "R8", "-l license=1");
    assertEquals(List.of("2 [all.q@n2][1]"), run(0), "two of three are those of R7");
  }

  @Test
  void slotsOfQueuesAndEnvironmentsAreReserved() {
    Reservation wide = reservation(false);
    wide.getSpec().getGridEngine().setGranted(List.of(new QueueSlots("all.q@n1", 98)));
    wide.setBooked(List.of(new BookedNode("n1", Map.of("ncpus", 0L), false)));
    state.reservation(wide);
    submit(1, "workq", "-pe mpi 2 -l h_rt=60");
    submit(2, "workq", "-l h_rt=60");
    assertEquals(List.of("2 [all.q@n2][1]"), run(0), "98 of 99 and all of the queue on n1");
  }

  @Test
  void theFileScheduleTellsOfAReservationOnce() {
    state.reservation(reservation(false, "-l", "license=1"));
    submit(1, "workq", "-l license=3");
    String head = "0:0:RESERVING:1000000000:100:";
    assertEquals(
        List.of(
            head + "G:global:license:2.000000",
            head + "Q:all.q@n1:slots:2.000000",
            head + "P:mpi:slots:2.000000"),
        scheduler.run(NOW, Long.MAX_VALUE).section());
    assertEquals(List.of(), scheduler.run(NOW, Long.MAX_VALUE).section());
  }

  @Test
  void anEndedReservationStartsNothing() {
    state.reservation(reservation(true));
    submit(1, "R7", "-ar 7");
    Reservation over = reservation(true);
    over.setState(ReservationState.FINISHED);
    state.reservation(over);
    assertEquals(List.of(), run(0));
  }

  @Test
  void aLostHostStopsOnlyAReservationWithHardErrors() {
    LostNode lost = new LostNode("n2", "down", 0L, "");
    Reservation soft = reservation(true);
    soft.setLost(List.of(lost));
    Reservation hard = reservation(true, "-he", "y");
    hard.setLost(List.of(lost));
    state.reservation(hard);
    submit(1, "R7", "-ar 7");
    assertEquals(List.of(), run(0));
    state.reservation(soft);
    assertEquals(List.of("1 [all.q@n1][1]"), run(1));
  }

  @Test
  void aValueThatReadsAsTheOptionForHardErrorsIsNone() {
    LostNode lost = new LostNode("n2", "down", 0L, "");
    submit(1, "R7", "-ar 7");
    for (List<String> words :
        List.of(
            List.of("-A", "-he"),
            List.of("-N", "-he", "-A", "yes"),
            List.of("-pe", "-he", "y"),
            List.of("-N", "-he", "-he", "n"))) {
      Reservation soft = reservation(true, words.toArray(String[]::new));
      soft.setLost(List.of(lost));
      assertEquals(false, ReservedCluster.fails(soft), words.toString());
    }
    Reservation hard = reservation(true, "-A", "-he", "-he", "YES", "-pe", "mpi", "2");
    hard.setLost(List.of(lost));
    assertEquals(true, ReservedCluster.fails(hard));
    Reservation soft = reservation(true, "-A", "-he");
    soft.setLost(List.of(lost));
    state.reservation(soft);
    assertEquals(List.of("1 [all.q@n1][1]"), run(0));
  }

  @Test
  void nothingStartsOnAHostThatMaintenanceHasTaken() {
    Reservation taken = reservation(true);
    taken.setBooked(
        List.of(
            new BookedNode("n1", Map.of("ncpus", 2L), false),
            new BookedNode("n2", Map.of("ncpus", 1L), false)));
    taken
        .getSpec()
        .getGridEngine()
        .setGranted(List.of(new QueueSlots("all.q@n1", 2), new QueueSlots("all.q@n2", 1)));
    taken.setLost(List.of(new LostNode("n1", "under maintenance", 0L, "M9.server")));
    state.reservation(taken);
    for (long number = 1; number <= 3; number++) {
      submit(number, "R7", "-ar 7");
    }
    assertEquals(List.of("1 [all.q@n2][1]"), run(0));
    taken.setLost(List.of());
    state.reservation(taken);
    assertEquals(List.of("2 [all.q@n1][1]", "3 [all.q@n1][1]"), run(1));
  }

  private static Reservation numbered(long number, String node, String... options) {
    Reservation begun = reservation(true, options);
    begun.setNumber(number);
    begun.setId("R" + number + ".server");
    begun.setQueue("R" + number);
    begun.setBooked(List.of(new BookedNode(node, Map.of("ncpus", 1L), false)));
    begun.getSpec().getGridEngine().setGranted(List.of(new QueueSlots("all.q@" + node, 1)));
    return begun;
  }

  @Test
  void whatOneReservationStartsTheNextOneSees() {
    state.reservation(numbered(7, "n1", "-l", "license=1"));
    state.reservation(numbered(8, "n2", "-l", "license=1"));
    submit(1, "R7", "-ar 7 -l license=1");
    submit(2, "R8", "-ar 8 -l license=2");
    submit(3, "workq", "-l license=2");
    submit(4, "workq", "-l license=1");
    assertEquals(List.of("1 [all.q@n1][1]", "4 [all.q@n1][1]"), run(0));
    submit(5, "R8", "-ar 8 -l license=1");
    assertEquals(List.of("5 [all.q@n2][1]"), run(1));
  }

  @Test
  void allReservationsHaveHalfOfTheWorkOfARun() {
    for (long each = 10; each < 20; each++) {
      state.reservation(numbered(each, "n1"));
      for (long job = 0; job < 40; job++) {
        submit(100 * each + job, "R" + each, "-ar " + each + " -l license=" + (4 + job));
      }
    }
    submit(5000, "workq", "-l license=1");
    LiveScheduler.LiveOutcome some = scheduler.run(NOW, 60);
    assertEquals(true, some.effort().cut());
    assertEquals(true, some.effort().units() <= 60, some.effort().toString());
    assertEquals(List.of(5000L), some.launches().stream().map(ProposedStart::number).toList());
    LiveScheduler.LiveOutcome all = scheduler.run(NOW.plusSeconds(1), 100_000);
    assertEquals(false, all.effort().cut());
    assertEquals(401 - 1, all.looked());
  }
}
