package io.millrace.server.gridengine.advance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.schedulers.gridengine.language.Configuration;
import io.millrace.schemas.common.ResourceRequest;
import io.millrace.schemas.state.BookedNode;
import io.millrace.schemas.state.GridEngineReservation;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.QueueSlots;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gridengine.cell.Cell;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lines and XML as a Grid Engine 8.1.9 printed them. */
class AdvanceTextTest {

  private static final Cell CELL =
      new Cell(
          "ge",
          Configuration.stored(
              Configuration.join(
                  Map.of(
                      "complex", "slots s INT <= YES YES 1 1000\n",
                      "sched", "schedule_interval 0:0:1\n",
                      "queue.all.q", "qname all.q\nhostlist vm.site\nslots 4\n"))),
          Optional.empty());

  private static Reservation reservation(String options, String environment, QueueSlots... slots) {
    ReservationSpec spec =
        ReservationSpec.newBuilder()
            .setName("parar")
            .setOwner("alice")
            .setGroup("sgeadmin")
            .setSubmitHost("vm")
            .setStartMs(Instant.parse("2026-11-20T15:38:11Z").toEpochMilli())
            .setEndMs(Instant.parse("2026-11-20T15:38:41Z").toEpochMilli())
            .setRequest(new ResourceRequest(List.of(), "free", -1L, Map.of()))
            .setResourceList(List.of())
            .setGridEngine(
                new GridEngineReservation(List.of(options.split(" ")), environment, List.of(slots)))
            .build();
    return Reservation.newBuilder()
        .setId("R7.server")
        .setNumber(7)
        .setQueue("R7")
        .setSpec(spec)
        .setState(ReservationState.CONFIRMED)
        .setSubstate(ReservationState.CONFIRMED)
        .setCreatedMs(Instant.parse("2026-11-20T15:37:56Z").toEpochMilli())
        .setModifiedMs(0)
        .setBooked(booked(slots))
        .build();
  }

  private static List<BookedNode> booked(QueueSlots... slots) {
    return Stream.of(slots)
        .map(
            it ->
                new BookedNode(
                    it.getQueue().replaceFirst(".*@", ""),
                    Map.of("ncpus", (long) it.getSlots()),
                    false))
        .toList();
  }

  private static AdvanceText text(Reservation reservation) throws Failure {
    GridEngineReservation asked = reservation.getSpec().getGridEngine();
    List<String> words = asked == null ? List.of() : asked.getOptions();
    AdvanceOptions options = AdvanceOptions.of(words, ReserveCommand.known());
    return new AdvanceText(CELL, reservation, options, ZoneOffset.UTC);
  }

  private static Reservation parallel() {
    return reservation(
        "-N parar -l license=1 -pe mpi 4 -u alice", "mpi", new QueueSlots("all.q@vm", 4));
  }

  @Test
  void aLineOfTheList() throws Failure {
    assertEquals(
        """
        ar-id   name       owner        state start at             end at               duration
        ------------------------------------------------------------------------------------------
        """,
        AdvanceText.HEAD);
    assertEquals(
        "      7 parar      alice        w     11/20/2026 15:38:11  11/20/2026 15:38:41  00:00:30\n",
        text(parallel()).row(true));
  }

  @Test
  void allOfOne() throws Failure {
    assertEquals(
        """
        --------------------------------------------------------------------------------
        id                             7
        name                           parar
        owner                          alice
        state                          w
        start_time                     11/20/2026 15:38:11
        end_time                       11/20/2026 15:38:41
        duration                       00:00:30
        submission_time                11/20/2026 15:37:56
        group                          sgeadmin
        account                        sge
        resource_list                  license=1
        granted_slots_list             all.q@vm=4
        granted_parallel_environment   mpi slots 4
        acl_list                       alice
        """,
        text(parallel()).full(false));
  }

  @Test
  void theXmlOfOne() throws Failure {
    AdvanceXml xml = new AdvanceXml();
    text(parallel()).xml(xml, true, false);
    assertEquals(
        """
        <?xml version='1.0'?>
        <qrstat xmlns:xsd="http://arc.liv.ac.uk/repos/darcs/sge/source/dist/util/resources/schemas/qrstat/qrstat.xsd">
           <ar_summary>
              <id>7</id>
              <name>parar</name>
              <owner>alice</owner>
              <state>w</state>
              <start_time>2026-11-20T15:38:11</start_time>
              <end_time>2026-11-20T15:38:41</end_time>
              <duration>00:00:30</duration>
              <submission_time>2026-11-20T15:37:56</submission_time>
              <group>sgeadmin</group>
              <account>sge</account>
              <resource_list>
                 <resource name="license" type="1"/>
              </resource_list>
              <granted_slots_list>
                 <granted_slots  queue_instance="all.q@vm" slots="4"/>
              </granted_slots_list>
              <granted_parallel_environment>
                 <parallel_environment>mpi</parallel_environment>
                 <slots>4</slots>
              </granted_parallel_environment>
              <acl_list>
                 <acl  user="alice"/>
              </acl_list>
           </ar_summary>
        </qrstat>
        """,
        xml.end());
  }

  @Test
  void whatIsLostIsExplained() throws Failure {
    Reservation broken =
        reservation(
            "-N second -pe mpi 2 -he y",
            "mpi",
            new QueueSlots("all.q@node01", 2),
            new QueueSlots("all.q@vm", 1));
    broken.setState(ReservationState.RUNNING);
    broken.setStartedMs(1);
    broken.setLost(List.of(new LostNode("node01", "offline", 0L, "")));
    String row = text(broken).row(true);
    assertEquals(
        "       reserved queue all.q@node01 is disabled\n", row.substring(row.indexOf('\n') + 1));
    assertEquals("E", row.substring(32, 33));
    String full = text(broken).full(true);
    assertEquals(
        true, full.contains("message                        reserved queue all.q@node01 is"));
    assertEquals(true, full.contains("granted_slots_list             all.q@node01=2,all.q@vm=1\n"));
    assertEquals(true, full.contains("error_handling                 hard\n"));
    broken.setStartedMs(-1);
    broken.setState(ReservationState.DEGRADED);
    assertEquals("W", text(broken).row(false).substring(32, 33));
  }

  @Test
  void whatAnAlterationHasTakenIsNotShown() throws Failure {
    Reservation smaller =
        reservation(
            "-N x", "mpi", new QueueSlots("all.q@n1.site", 2), new QueueSlots("all.q@n2", 3));
    smaller.setBooked(booked(new QueueSlots("n2", 1)));
    assertEquals(
        true, text(smaller).full(false).contains("granted_slots_list             all.q@n2=1\n"));
  }

  @Test
  void oneOfAnotherCommandHasTheInstancesOfItsHosts() throws Failure {
    Reservation other = reservation("-N x", "", new QueueSlots("", 0));
    other.getSpec().setGridEngine(null);
    other.setBooked(List.of(new BookedNode("vm", Map.of("ncpus", 3L), false)));
    assertEquals(
        true, text(other).full(false).contains("granted_slots_list             all.q@vm.site=3\n"));
  }
}
