package io.millrace.server.gateway.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.state.Holding;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.Node;
import io.millrace.schemas.state.Placement;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationState;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.RecordedReservations;
import io.millrace.server.gateway.status.Views;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lists of reservations look as those of a real OpenPBS. */
class RstatTest {

  private final FakeSite site = new FakeSite();

  @BeforeEach
  void reservations() {
    site.reservations.put(66L, RecordedReservations.r66());
    site.reservations.put(73L, RecordedReservations.r73());
  }

  @Test
  void theShortListIsAsRecorded() throws Exception {
    String recorded =
        """
        Resv ID    Queue    User     State             Start / Duration / End
        ---------------------------------------------------------------------
        R66.vm     R66      pbsu1@vm CO          Today 15:50 / 86100 / Sat 15:45
        R73.vm     R73      pbsu1@vm CO          Today 16:10 / 600 / Today 16:20
        """
            .replace("End\n", "End              \n")
            .replace("Sat 15:45\n", "Sat 15:45        \n")
            .replace("Today 16:20\n", "Today 16:20      \n");
    assertEquals(recorded, site.run("pbsu1", "pbs_rstat").output());
    assertEquals(recorded, site.run("pbsu2", "pbs_rstat", "-S").output(), "to others too");
    assertEquals(recorded, site.run("pbsu1", "pbs_rstat", "-f", "-S").output(), "the last counts");
  }

  @Test
  void namesAlone() throws Exception {
    assertEquals(
        "Resv ID: R66.vm\nResv ID: R73.vm\n", site.run("pbsu1", "pbs_rstat", "-B").output());
  }

  @Test
  void thoseOfSeveralShardsComeAsTheyWereMade() throws Exception {
    Reservation first = site.reservations.get(73L);
    first.setCreatedMs(site.reservations.get(66L).getCreatedMs() - 1);
    assertEquals(
        "Resv ID: R73.vm\nResv ID: R66.vm\n", site.run("pbsu1", "pbs_rstat", "-B").output());
  }

  @Test
  void theLongFormIsAsRecorded() throws Exception {
    String recorded =
        """
        Resv ID: R73.vm
        Reserve_Name = r1
        Reserve_Owner = pbsu1@vm
        reserve_state = RESV_CONFIRMED
        reserve_substate = 2
        reserve_start = Fri Nov 20 16:10:00 2026
        reserve_end = Fri Nov 20 16:20:00 2026
        reserve_duration = 600
        queue = R73
        Resource_List.ncpus = 4
        Resource_List.nodect = 1
        Resource_List.select = 1:ncpus=4
        Resource_List.place = free
        Resource_List.walltime = 00:10:00
        resv_nodes = (vm[0]:ncpus=4)
        Authorized_Users = pbsu1@vm
        server = vm
        ctime = Fri Nov 20 15:40:53 2026
        mtime = Fri Nov 20 15:40:53 2026
        Variable_List = PBS_O_LOGNAME=pbsu1,PBS_O_HOST=vm,PBS_O_MAIL=/var/mail/pbsu1
        reserve_count = 1
        Submit_Host = vm
        partition = P1

        """;
    for (String option : List.of("-f", "-F")) {
      for (String name : List.of("R73", "R73.vm", "R73@vm", "R73.vm@vm")) {
        assertEquals(recorded, site.run("pbsu2", "pbs_rstat", option, name).output(), name);
      }
    }
  }

  @Test
  void aManagerSeesMore() throws Exception {
    site.reservations.get(73L).setInteractiveS(10);
    String shown = site.run("root", "pbs_rstat", "-f", "R73").output();
    assertTrue(shown.contains("walltime = 00:10:00\nschedselect = 1:ncpus=4\nresv_nodes"), shown);
    assertTrue(shown.contains("2026\ninteractive = 10\nVariable_List"), shown);
    assertTrue(shown.contains("mail/pbsu1\neuser = pbsu1\negroup = pbsu1\nreserve_count"), shown);
  }

  @Test
  void hostsUnderMaintenanceAreShownAsRecorded() throws Exception {
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "managers", "pbsu2@*");
    site.reservations.put(105L, RecordedReservations.m105());
    String recorded =
        """
        Resv ID: M105.vm
        Reserve_Name = NULL
        Reserve_Owner = pbsu2@vm
        reserve_state = RESV_CONFIRMED
        reserve_substate = 2
        reserve_start = Fri Nov 20 15:48:31 2026
        reserve_end = Fri Nov 20 15:49:31 2026
        reserve_duration = 60
        queue = M105
        Resource_List.ncpus = 64
        Resource_List.nodect = 1
        Resource_List.select = host=vm:ncpus=64
        Resource_List.place = exclhost
        Resource_List.walltime = 00:01:00
        schedselect = 1:host=vm:ncpus=64
        resv_nodes = (vm[0]:ncpus=8)+(vm[1]:ncpus=8)+(vm[2]:ncpus=8)+(vm[3]:ncpus=8)\
        +(vm[4]:ncpus=8)+(vm[5]:ncpus=8)+(vm[6]:ncpus=8)+(vm[7]:ncpus=8)
        Authorized_Users = pbsu2@vm
        server = vm
        ctime = Fri Nov 20 15:43:31 2026
        mtime = Fri Nov 20 15:43:31 2026
        Variable_List = PBS_O_LOGNAME=pbsu2,PBS_O_HOST=vm,PBS_O_MAIL=/var/mail/pbsu2
        euser = pbsu2
        egroup = pbsu2
        reserve_count = 1
        Submit_Host = vm
        partition = pbs-default

        """;
    assertEquals(recorded, site.run("pbsu2", "pbs_rstat", "-f", "M105").output());
  }

  @Test
  void aStandingOneTellsItsRuleAndItsOccurrences() throws Exception {
    Reservation one = site.reservations.get(73L);
    one.getSpec().setRule("FREQ=HOURLY;COUNT=3");
    one.getSpec().setLaterMs(List.of(1795194600000L));
    one.setPlacements(List.of(new Placement(List.of(), List.of(), "(vm[1]:ncpus=4)")));
    one.setLies(List.of(0));
    one.setOccurrence(2);
    one.setOccurrences(3);
    String shown = site.run("pbsu1", "pbs_rstat", "-f", "R73").output();
    String lines =
        "\nreserve_rrule = FREQ=HOURLY;COUNT=3\nreserve_index = 2\nreserve_count = 3\nSubmit_Host";
    assertTrue(shown.contains(lines), shown);
    JsonNode all = new ObjectMapper().readTree(site.run("pbsu1", "pbs_rstat", "--json").output());
    assertEquals(
        "1795194600 (vm[1]:ncpus=4)", all.get("resvs").get("R73.vm").get("reserve_later").asText());
  }

  @Test
  void oneOfAJobTellsWhichAsPbsDoes() throws Exception {
    site.reservations.get(73L).setJob("91.vm");
    site.reservations.get(73L).getSpec().setDeleteIdleS(600);
    String shown = site.run("pbsu1", "pbs_rstat", "-f", "R73").output();
    String idle = "\nresv_nodes = (vm[0]:ncpus=4)\ndelete_idle_time = 00:10:00\n";
    assertTrue(shown.contains(idle), shown);
    assertTrue(shown.contains("\nreserve_count = 1\nreserve_job = 91\nSubmit_Host = "), shown);
  }

  @Test
  void anEmptyListHasNoHead() throws Exception {
    site.reservations.clear();
    assertEquals("", site.run("pbsu1", "pbs_rstat").output());
    assertEquals(0, site.status);
  }

  @Test
  void programsGetJson() throws Exception {
    JsonNode all = new ObjectMapper().readTree(site.run("pbsu1", "pbs_rstat", "--json").output());
    JsonNode r73 = all.get("resvs").get("R73.vm");
    assertEquals(1795191000L, r73.get("reserve_start").asLong());
    assertEquals("RESV_CONFIRMED", r73.get("reserve_state").asText());
    assertEquals(4, r73.get("Resource_List").get("ncpus").asInt());
    assertEquals(2, all.get("resvs").size());
  }

  @Test
  void onlyTheWholeNameNamesIt() throws Exception {
    for (String wrong : List.of("S73", "M73", "R073", "73", "R7", "R730", "R73.vm@elsewhere")) {
      FakeInvocation shown = site.run("pbsu1", "pbs_rstat", "-f", wrong);
      assertEquals("", shown.output(), wrong);
      assertFalse(shown.errors().isEmpty(), wrong);
    }
  }

  @Test
  void aMissingOneHidesNoOther() throws Exception {
    FakeInvocation shown = site.run("pbsu1", "pbs_rstat", "-B", "R72", "R73");
    assertEquals("Resv ID: R73.vm\n", shown.output());
    assertEquals("pbs_rstat: Unknown Reservation Id\n", shown.errors().replace(" \n", "\n"));
    assertEquals(0, site.status, "as in PBS");
  }

  @Test
  void eachStateHasItsLetters() throws Exception {
    Reservation one = site.reservations.get(73L);
    String letters = "";
    for (ReservationState state : ReservationState.values()) {
      one.setState(state);
      letters +=
          site.run("pbsu1", "pbs_rstat", "R73").output().lines().toList().get(2).substring(29, 31);
    }
    assertEquals("NOUNCOWTTRRNFNBDDEDJDGALIC", letters);
  }

  @Test
  void aNameCannotForgeALine() throws Exception {
    site.reservations.get(73L).getSpec().setName("x\nreserve_state = RESV_RUNNING");
    String shown = site.run("pbsu1", "pbs_rstat", "-f", "R73").output();
    assertTrue(shown.contains("Reserve_Name = x^Jreserve_state"), shown);
  }

  @Test
  void timesAreTheShorterTheNearer() {
    ZoneId utc = ZoneOffset.UTC;
    long now = Instant.parse("2026-11-20T15:36:00Z").toEpochMilli(); // a Friday
    for (String[] each :
        new String[][] {
          {"2026-11-20T15:50:00Z", "Today 15:50"},
          {"2026-11-21T15:45:00Z", "Sat 15:45"},
          {"2026-11-15T00:00:00Z", "Sun 00:00"},
          {"2026-11-22T00:00:00Z", "Sun Nov 22 00:00"},
          {"2026-11-14T23:59:00Z", "Sat Nov 14 23:59"},
          {"2027-01-05T15:50:00Z", "Jan 05 2027 15:50"}
        }) {
      long then = Instant.parse(each[0]).toEpochMilli();
      assertEquals(each[1], ReservationTimes.text(then, now, utc));
    }
  }

  @Test
  void queuesOfReservationsAreShownAsQueues() throws Exception {
    assertEquals(
        """
        Queue: R73
            queue_type = Execution
            total_jobs = 0
            state_count = Transit:0 Queued:0 Held:0 Waiting:0 Running:0 Exiting:0 Begun
        \t:0
            acl_user_enable = True
            acl_users = pbsu1@vm
            resources_max.ncpus = 4
            resources_available.ncpus = 4
            enabled = True
            started = False
            partition = P1

        """
            .replace("\t:0\n", "\t:0 \n"),
        site.run("pbsu1", "qstat", "-Qf", "R73").output());
    List<String> rows = site.run("pbsu1", "qstat", "-Q").output().lines().toList();
    assertEquals(
        "R66                  0     0 yes  no     0     0     0     0     0     0 Exe*",
        rows.get(rows.size() - 2));
    assertEquals("", site.run("pbsu1", "qstat", "R73").errors());
    for (String wrong : List.of("S73", "M73", "R073", "R7")) {
      assertEquals(
          "qstat: Unknown queue destination " + wrong + "\n",
          site.run("pbsu1", "qstat", wrong).errors());
    }
    site.reservations.get(73L).setShares(List.of());
    assertEquals(
        "qstat: Unknown queue R73\n",
        site.run("pbsu1", "qstat", "-Qf", "R73").errors(),
        "before it is confirmed");
  }

  @Test
  void aNodeTellsWhatIsReservedOfIt() throws Exception {
    site.put(ObjectKind.NODE, "vm[0]", "Mom", "vm");
    String shown = site.run("pbsu1", "pbsnodes", "-v", "vm[0]").output();
    assertTrue(shown.contains("     resv = R73.vm\n"), shown);
    assertFalse(shown.contains("resv-exclusive"), shown);
    Reservation one = site.reservations.get(73L);
    one.getBooked().get(0).setExclusive(true);
    one.setStartedMs(FakeSite.NOW_MS);
    shown = site.run("pbsu1", "pbsnodes", "-v", "vm[0]").output();
    assertTrue(shown.contains("resv-exclusive\n"), shown);
    site.nodes.add(
        Node.newBuilder()
            .setName("vm[0]")
            .setHost("vm")
            .setUp(true)
            .setMeasured(Map.of("ncpus", 8L))
            .setHoldings(List.of(new Holding("75.vm", 75L, 1, Map.of("ncpus", 4L), 1, 0, true)))
            .setStateSinceMs(FakeSite.NOW_MS)
            .build());
    shown = site.run("pbsu1", "pbsnodes", "-v", "vm[0]").output();
    assertTrue(shown.contains("     state = job-exclusive,resv-exclusive\n"), shown);
  }

  @Test
  void programsGetThemInPages() throws Exception {
    Views views = new Views(site.site());
    Views.ViewPage first = views.reservations(0, 1);
    assertEquals("R66.vm", first.entries().get(0).name());
    assertEquals(Optional.of("66"), first.next());
    Views.ViewPage second = views.reservations(66, 1);
    assertEquals("R73.vm", second.entries().get(0).name());
    assertEquals(Optional.empty(), second.next());
    assertEquals("R73.vm", views.reservation("R73").orElseThrow().name());
    assertEquals("R73.vm", views.reservation("R73.vm").orElseThrow().name());
    for (String wrong : List.of("73", "S73", "R073", "R73.elsewhere", "")) {
      assertEquals(Optional.empty(), views.reservation(wrong), wrong);
    }
  }

  @Test
  void whatIsLostIsTold() throws Exception {
    Reservation one = site.reservations.get(73L);
    one.setState(ReservationState.DEGRADED);
    one.setSubstate(ReservationState.DEGRADED);
    one.setLost(List.of(new LostNode("vm[0]", "offline", 0L, "")));
    one.setRetryMs(one.getCreatedMs());
    String shown = site.run("pbsu1", "pbs_rstat", "-f", "R73").output();
    assertTrue(shown.contains("reserve_state = RESV_DEGRADED\nreserve_substate = 10\n"), shown);
    assertTrue(
        shown.contains("resv_nodes = (vm[0]:ncpus=4)\nlost_nodes = vm[0] (offline)\n"), shown);
    assertTrue(shown.contains("\nreserve_retry = Fri Nov 20 15:40:53 2026\n"), shown);
  }
}
