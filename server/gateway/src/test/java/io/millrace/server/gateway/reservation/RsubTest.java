package io.millrace.server.gateway.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.MoveJob;
import io.millrace.schemas.command.ReserveForJob;
import io.millrace.schemas.command.ReserveRun;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.state.JobStatus;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.Jobs;
import io.millrace.server.gateway.command.RecordedReservations;
import io.millrace.server.gateway.link.LinkException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the commands of reservations send, and what they refuse by themselves. */
class RsubTest {

  private final FakeSite site = new FakeSite();

  @BeforeEach
  void answers() {
    site.put(ObjectKind.PARTITION, "P1", "shard", "0", "scheduler", "sc1");
    site.reservations.put(73L, RecordedReservations.r73());
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R73.vm UNCONFIRMED"), false));
  }

  private FakeInvocation run(String user, String line) throws Exception {
    FakeInvocation invocation =
        new FakeInvocation(user, Arrays.asList(line.split(" ")), new HashMap<>(), site.id());
    return site.run(invocation.with("LOGNAME", "root").with("MAIL", "/var/mail/pbsu1"));
  }

  private <T> T sent(Class<T> type) {
    return type.cast(site.sent.get(site.sent.size() - 1).command());
  }

  private static long ms(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  @Test
  void whatIsAskedForGoesToTheShard() throws Exception {
    FakeInvocation done =
        run(
            "pbsu1",
            "pbs_rsub -N r1 -R 1610 -D 00:10:00 -l select=2:ncpus=2 -l place=scatter -U pbsu2,x@h"
                + " -G g1 -H h1 -m abc -M a@b -p P1");
    assertEquals("R73.vm UNCONFIRMED\n", done.output());
    SubmitReservation command = sent(SubmitReservation.class);
    ReservationSpec spec = command.getSpec();
    assertEquals("r1", spec.getName());
    assertEquals(ms("2026-11-20T16:10:00Z"), spec.getStartMs());
    assertEquals(ms("2026-11-20T16:20:00Z"), spec.getEndMs());
    assertEquals(List.of("pbsu2", "x@h"), spec.getUsers());
    assertEquals(List.of("g1"), spec.getGroups());
    assertEquals(List.of("h1"), spec.getHosts());
    assertEquals("abc", spec.getMailPoints());
    assertEquals(List.of("a@b"), spec.getMailUsers());
    assertEquals("P1", spec.getPartition());
    assertEquals(
        "ncpus=4 nodect=2 select=2:ncpus=2 place=scatter walltime=00:10:00",
        spec.getResourceList().stream()
            .map(it -> it.getName() + "=" + it.getValue())
            .collect(Collectors.joining(" ")));
    assertEquals(600L, spec.getRequest().getWalltimeS());
  }

  /** What a job may not ask for, or could not be held to, is no part of a reservation either. */
  @Test
  void resourcesThatBoundNothingAreRefused() throws Exception {
    FakeInvocation shrinking = run("pbsu1", "pbs_rsub -R 1610 -D 60 -l min_walltime=5");
    assertEquals(
        "pbs_rsub: \"min_walltime\" and \"max_walltime\" are not valid resources for a reservation\n",
        shrinking.errors());
    assertEquals(60, site.status);
    FakeInvocation file = run("pbsu1", "pbs_rsub -R 1610 -D 60 -l file=5mb");
    assertEquals(
        "pbs_rsub: option -l file is not supported: the size of files is not bounded\n",
        file.errors());
    assertEquals(2, site.status);
    assertTrue(site.sent.isEmpty());
  }

  /** The environment says what it likes; who asks is known from the socket. */
  @Test
  void theOwnerIsWhoAsks() throws Exception {
    run("pbsu1", "pbs_rsub -R 1610 -D 60");
    SubmitReservation command = sent(SubmitReservation.class);
    assertEquals("pbsu1", command.getSpec().getOwner());
    assertEquals("pbsu1", command.getMeta().getPrincipal());
    assertEquals(Role.USER, command.getMeta().getRole());
    assertEquals(
        "PBS_O_LOGNAME=root PBS_O_HOST=vm PBS_O_MAIL=/var/mail/pbsu1",
        command.getSpec().getVariables().stream()
            .map(it -> it.getName() + "=" + it.getValue())
            .collect(Collectors.joining(" ")));
  }

  @Test
  void withoutResourcesItIsOneProcessor() throws Exception {
    run("pbsu1", "pbs_rsub -R 1610 -D 60");
    List<Attribute> shown = sent(SubmitReservation.class).getSpec().getResourceList();
    assertEquals(
        "ncpus=1 nodect=1 select=1:ncpus=1 place=free walltime=00:01:00",
        shown.stream()
            .map(it -> it.getName() + "=" + it.getValue())
            .collect(Collectors.joining(" ")));
  }

  @ParameterizedTest
  @CsvSource({
    "-R 1550 -E 1545,2026-11-20T15:50:00Z,2026-11-21T15:45:00Z",
    "-R 1536 -D 60,2026-11-21T15:36:00Z,2026-11-21T15:37:00Z",
    "-E 1700 -D 60,2026-11-20T16:59:00Z,2026-11-20T17:00:00Z",
    "-R 1600 -E 1700 -D 3600,2026-11-20T16:00:00Z,2026-11-20T17:00:00Z",
    "-R 202611201542.59 -D 20,2026-11-20T15:42:59Z,2026-11-20T15:43:19Z",
    "-R 1610 -l walltime=00:01:00,2026-11-20T16:10:00Z,2026-11-20T16:11:00Z",
    "-E 1700 -l walltime=00:01:00,2026-11-20T16:59:00Z,2026-11-20T17:00:00Z",
    "-R 1610 -D 4288896000,2026-11-20T16:10:00Z,2162-10-18T16:10:00Z",
  })
  void windows(String options, String start, String end) throws Exception {
    assertEquals("", run("pbsu1", "pbs_rsub " + options).errors());
    ReservationSpec spec = sent(SubmitReservation.class).getSpec();
    assertEquals(Instant.parse(start), Instant.ofEpochMilli(spec.getStartMs()));
    assertEquals(Instant.parse(end), Instant.ofEpochMilli(spec.getEndMs()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "-R 01320000 -D 60|pbs_rsub: illegal -R time value|2",
        "-R 9999 -D 60|pbs_rsub: illegal -R time value|2",
        "-R 1610 -E 2460|pbs_rsub: illegal -E time value|2",
        "-R 202611191540 -D 60|pbs_rsub: Bad time specification(s)|238",
        "-R 202611201640 -E 202611201540|pbs_rsub: Bad time specification(s)|238",
        "-R 1610 -D 0|pbs_rsub: Bad time specification(s)|238",
        "-R 1610|pbs_rsub: Bad time specification(s)|238",
        "-R 1610 -E 1630 -D 60|pbs_rsub: Bad time specification(s)|238",
        "-E 202611201537 -D 120|pbs_rsub: Bad time specification(s)|238",
        "-R 1610 -D 60 -N a/b|pbs_rsub: illegal -N value|2",
        "-R 1610 -D 60 -m abx|pbs_rsub: illegal -m value|2",
        "-R 1610 -D 60 -U a,,b|pbs_rsub: illegal -U value|2",
        "-R 1610 -D 60 -M a@b@c|pbs_rsub: illegal -M value|2",
        "-R 1610 -D 60 -I 09|pbs_rsub: illegal -I time value|2",
        "-R 1610 -D 60 -I 4000|pbs_rsub: -I waits for 3600 seconds at most|2",
        "-R 1610 -D 60 -p nosuch|pbs_rsub: unknown partition: nosuch|2",
        "-R 1610 -D 60 operand|pbs_rsub: directive error: -R 1610 -D 60 operand |2",
        "-R 1610 -D 60 -W colour=red|pbs_rsub: Undefined attribute |154",
        "-R 1610 -D 60 -W =red|pbs_rsub: illegal -W value|2",
        "-R 1610 --job 7|pbs_rsub: Start/End time cannot be used with --job option|2",
        "-D 60 --job 7|pbs_rsub: can't use -D with --job|2",
        "-l ncpus=1 --job 7|pbs_rsub: can't use -l with --job|2",
        "-R 1610 -D 60 -W delete_idle_time=x|pbs_rsub: Illegal attribute or resource value"
            + " delete_idle_time|166",
        "-W qmove=7 --job 7|pbs_rsub: can't use -Wqmove with --job|2",
        "--job 99999|pbs_rsub: Unknown Job Id|153",
        "-W qmove=7 -l ncpus=2|pbs_rsub: can't use -l with -Wqmove|2",
        "-W qmove=7 -D 60|pbs_rsub: can't use -D with -Wqmove|2",
        "-W qmove=99999|Job 99999.vm does not exist|2",
        "-W qmove=7 -R 1610|pbs_rsub: -Wqmove is not compatible with -R or -E option|2",
      })
  void wrongLines(String options, String said, int status) throws Exception {
    String[] errors = run("pbsu1", "pbs_rsub " + options).errors().split("\n");
    assertEquals(said.strip(), errors[0].strip());
    assertEquals(status, site.status);
    assertTrue(site.sent.isEmpty(), "nothing was sent");
  }

  @ParameterizedTest
  @ValueSource(strings = {"-u x", "-g x"})
  void whatIsNotThereIsRefusedByName(String option) throws Exception {
    site.put(ObjectKind.NODE, "vm", "Mom", "vm");
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "managers", "pbsu1@*");
    FakeInvocation refused =
        site.run(
            new FakeInvocation(
                    "pbsu1",
                    Arrays.asList(("pbs_rsub -R 1610 -D 60 " + option).split(" ")),
                    new HashMap<>(),
                    site.id())
                .with("PBS_TZID", "Europe/Berlin"));
    assertTrue(refused.errors().contains("is not supported: "), refused.errors());
    assertEquals(2, site.status);
    assertTrue(site.sent.isEmpty(), "nothing was sent");
  }

  @Test
  void ofAJobThatRunsTheShardIsAskedThatGaveItsNumber() throws Exception {
    site.jobs.put(91L, Jobs.fromScript(91, JobStatus.RUNNING));
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R92.vm CONFIRMED"), false));
    FakeInvocation made = run("pbsu1", "pbs_rsub --job 91 -N mine -U pbsu2 -m e");
    assertEquals("R92.vm CONFIRMED\n", made.output());
    ReserveRun command = sent(ReserveRun.class);
    assertEquals("91.vm", command.getJobId());
    assertEquals("mine", command.getSpec().getName());
    assertEquals(List.of("pbsu2"), command.getSpec().getUsers());
    assertEquals("e", command.getSpec().getMailPoints());
    site.answer(
        sent -> new Reply(sent.id(), 15018, List.of("Request invalid for state of job"), false));
    assertEquals(
        "pbs_rsub: Request invalid for state of job\n",
        run("pbsu1", "pbs_rsub --job 91").errors().replace(" \n", "\n"));
    assertEquals(15018 % 256, site.status);
  }

  @Test
  void forAJobThatWaitsTheShardIsAskedThatGaveItsNumber() throws Exception {
    site.jobs.put(91L, Jobs.fromScript(91, JobStatus.HELD));
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R92.vm CONFIRMED"), false));
    assertEquals("R92.vm CONFIRMED\n", run("pbsu1", "pbs_rsub -Wqmove=91 -N mine").output());
    ReserveForJob command = sent(ReserveForJob.class);
    assertEquals("91.vm", command.getJobId());
    assertEquals("mine", command.getSpec().getName());
    assertEquals(-10, command.getInteractiveS(), "as in PBS");
    run("pbsu1", "pbs_rsub -I -5 -Wqmove=91,delete_idle_time=90");
    assertEquals(-5, sent(ReserveForJob.class).getInteractiveS());
    assertEquals(90, sent(ReserveForJob.class).getSpec().getDeleteIdleS());
    site.sent.clear();
    site.jobs.put(91L, Jobs.fromScript(91, JobStatus.RUNNING));
    assertEquals("Job not in qmove state\n", run("pbsu1", "pbs_rsub -Wqmove=91").errors());
    assertTrue(site.sent.isEmpty(), "nothing was sent");
  }

  @Test
  void howLongItMayBeWithoutAJob() throws Exception {
    run("pbsu1", "pbs_rsub -R 1610 -D 60 -W delete_idle_time=00:01:30");
    assertEquals(90, sent(SubmitReservation.class).getSpec().getDeleteIdleS());
    site.sent.clear();
    run("pbsu1", "pbs_rsub -R 1610 -D 60");
    assertEquals(-1, sent(SubmitReservation.class).getSpec().getDeleteIdleS(), "as usual");
  }

  private static SubmitReservation submission(FakeSite.Sent sent) {
    return (SubmitReservation) sent.command();
  }

  /** Each shard with nodes of the hosts has a reservation of its own. */
  @Test
  void maintenanceIsAskedOfEachShardThatHasNodesOfTheHosts() throws Exception {
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "managers", "pbsu1@*");
    site.put(ObjectKind.PARTITION, "P1", "shard", "2", "scheduler", "sc1");
    site.put(ObjectKind.NODE, "a", "Mom", "vm", "partition", "P1");
    site.put(ObjectKind.NODE, "b", "Mom", "vm");
    site.put(ObjectKind.NODE, "c");
    site.answer(
        sent ->
            new Reply(
                sent.id(),
                0,
                List.of("M" + submission(sent).getSpec().getPartition() + ".vm CONFIRMED"),
                false));
    FakeInvocation made = run("pbsu1", "pbs_rsub -R 1610 -D 60 --hosts vm");
    assertEquals("Mpbs-default.vm CONFIRMED\nMP1.vm CONFIRMED\n", made.output());
    SubmitReservation first = submission(site.sent.get(0));
    assertEquals(List.of("vm"), first.getSpec().getMaintained());
    assertEquals(
        "pbs_rsub: Unauthorized Request \n",
        run("pbsu2", "pbs_rsub -R 1610 -D 60 --hosts vm").errors());
    assertEquals(
        "pbs_rsub: Host with resources not found: a\n",
        run("pbsu1", "pbs_rsub -R 1610 -D 60 --hosts vm a").errors());
    String unknown = "u".repeat(8) + " v".repeat(199);
    assertTrue(
        run("pbsu1", "pbs_rsub -R 1610 -D 60 --hosts " + unknown)
            .errors()
            .startsWith("pbs_rsub: Duplicate host: v\n"));
    String many = IntStream.range(0, 200).mapToObj(it -> "x" + it).collect(Collectors.joining(" "));
    assertEquals(
        "pbs_rsub: Host with resources not found: x0\n",
        run("pbsu1", "pbs_rsub -R 1610 -D 60 --hosts " + many).errors());
    String none = run("pbsu1", "pbs_rsub -R 1610 -D 60 --hosts").errors();
    assertTrue(none.startsWith("pbs_rsub: missing host(s)\n"), none);
    String both = run("pbsu1", "pbs_rsub -R 1610 -D 60 -p P1 --hosts vm").errors();
    assertTrue(both.startsWith("pbs_rsub: can't use -p with --hosts\n"), both);
    String idle = run("pbsu1", "pbs_rsub -R 1610 -D 60 -W delete_idle_time=60 --hosts vm").errors();
    assertTrue(idle.startsWith("pbs_rsub: can't use -Wdelete_idle_time with --hosts\n"), idle);
  }

  /** What the others have made is told: it is there, and somebody has to know its name. */
  @Test
  void maintenanceOfWhichAShardSaysNothingIsToldAsFarAsItGoes() throws Exception {
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "managers", "pbsu1@*");
    site.put(ObjectKind.PARTITION, "P1", "shard", "2", "scheduler", "sc1");
    site.put(ObjectKind.NODE, "a", "Mom", "vm", "partition", "P1");
    site.put(ObjectKind.NODE, "b", "Mom", "vm");
    site.answer(sent -> new Reply(sent.id(), 0, List.of("M1.vm CONFIRMED"), false));
    site.dark.put(2, LinkException.LinkFailureKind.UNANSWERED);
    FakeInvocation made = run("pbsu1", "pbs_rsub -R 1610 -D 60 --hosts vm");
    assertEquals("M1.vm CONFIRMED\n", made.output());
    assertTrue(made.errors().contains("it may still be carried out"), made.errors());
    assertEquals(2, site.sent.size(), "it may be repeated, so nothing is deleted");
    assertEquals(110, site.status);
  }

  /** Another shard refuses, and what was made cannot be deleted. */
  @Test
  void maintenanceThatIsNotDeletedIsTold() throws Exception {
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "managers", "pbsu1@*");
    site.put(ObjectKind.PARTITION, "P1", "shard", "2", "scheduler", "sc1");
    site.put(ObjectKind.NODE, "a", "Mom", "vm", "partition", "P1");
    site.put(ObjectKind.NODE, "b", "Mom", "vm");
    site.answer(
        sent -> {
          if (sent.shard() == 0) {
            return new Reply(sent.id(), 0, List.of("M1.vm CONFIRMED"), false);
          }
          site.dark.put(0, LinkException.LinkFailureKind.UNREACHABLE);
          return new Reply(sent.id(), 15014, List.of("no"), false);
        });
    FakeInvocation made = run("pbsu1", "pbs_rsub -R 1610 -D 60 --hosts vm");
    assertEquals("M1.vm CONFIRMED\n", made.output());
    assertTrue(made.errors().contains("carried out in part only"), made.errors());
  }

  /** The clocks of Berlin go forward on 28 March 2027: 02:30 is 03:30 on that day. */
  @Test
  void aRuleIsMeantInItsTimeZone() throws Exception {
    List<String> line =
        List.of("pbs_rsub", "-R", "202703270130.00", "-D", "60", "-r", "FREQ=DAILY;COUNT=3");
    FakeInvocation made =
        site.run(
            new FakeInvocation("pbsu1", line, new HashMap<>(), site.id())
                .with("PBS_TZID", "Europe/Berlin"));
    assertEquals("", made.errors());
    ReservationSpec spec = submission(site.sent.get(0)).getSpec();
    assertEquals("FREQ=DAILY;COUNT=3", spec.getRule());
    assertEquals(Instant.parse("2027-03-27T01:30:00Z").toEpochMilli(), spec.getStartMs());
    assertEquals(
        List.of("2027-03-28T01:30:00Z", "2027-03-29T00:30:00Z"),
        spec.getLaterMs().stream().map(it -> Instant.ofEpochMilli(it).toString()).toList());
    assertEquals(60_000, spec.getEndMs() - spec.getStartMs());
  }

  /** It is a Friday, and the time of day has passed: the next Sunday is meant. */
  @Test
  void aRuleMeansTheNextOfItsDays() throws Exception {
    String line = "pbs_rsub -R 1436 -E 1636 -r FREQ=WEEKLY;BYDAY=SU;COUNT=3";
    FakeInvocation made =
        site.run(
            new FakeInvocation("pbsu1", List.of(line.split(" ")), new HashMap<>(), site.id())
                .with("PBS_TZID", "UTC"));
    assertEquals("", made.errors());
    ReservationSpec spec = sent(SubmitReservation.class).getSpec();
    assertEquals(ms("2026-11-22T14:36:00Z"), spec.getStartMs());
    assertEquals(ms("2026-11-22T16:36:00Z"), spec.getEndMs());
    assertEquals(ms("2026-12-06T14:36:00Z"), spec.getLaterMs().get(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FREQ=BOGUS|60|Undefined iCalendar syntax|29",
        "FREQ=DAILY|60|Undefined iCalendar syntax. A valid COUNT or UNTIL is required|30",
        "FREQ=HOURLY;COUNT=2|3601|HOURLY recurrence duration cannot exceed 1 hour|26",
        "FREQ=YEARLY;COUNT=2|8784:0:0|YEARLY recurrence duration cannot exceed 1 year|22",
        "FREQ=MONTHLY;COUNT=2|745:0:0|MONTHLY recurrence duration cannot exceed 1 month|23",
        "FREQ=WEEKLY;COUNT=2|169:0:0|WEEKLY recurrence duration cannot exceed 1 week|24",
        "FREQ=DAILY;COUNT=2|25:0:0|DAILY recurrence duration cannot exceed 24 hours|25",
        "FREQ=MINUTELY;COUNT=2|61|MINUTELY recurrence duration cannot exceed 1 minute|27",
        "FREQ=SECONDLY;COUNT=2|2|SECONDLY recurrence duration cannot exceed 1 second|28",
        "FREQ=WEEKLY;BYDAY=MO,TU;COUNT=4|25:0:0|Bad time specification(s)|238",
        "FREQ=DAILY;COUNT=2001|60|Bad time specification(s): at most 2000 occurrences|238",
        "FREQ=DAILY;UNTIL=20200101|60|Bad time specification(s)|238",
      })
  void wrongRules(String rule, String duration, String said, int status) throws Exception {
    List<String> line =
        new ArrayList<>(List.of("pbs_rsub", "-R", "1610", "-D", duration, "-r", rule));
    FakeInvocation refused =
        site.run(
            new FakeInvocation("pbsu1", line, new HashMap<>(), site.id())
                .with("PBS_TZID", "Europe/Berlin"));
    assertEquals("pbs_rsub: " + said + "\n", refused.errors());
    assertEquals(status, site.status);
  }

  @Test
  void namesAndListsAreBounded() throws Exception {
    assertEquals("", run("pbsu1", "pbs_rsub -R 1610 -D 60 -N " + "n".repeat(230)).errors());
    assertEquals(
        "pbs_rsub: Reservation name is too long \n",
        run("pbsu1", "pbs_rsub -R 1610 -D 60 -N " + "n".repeat(231)).errors());
    String many = String.join(",", java.util.Collections.nCopies(501, "u"));
    assertTrue(
        run("pbsu1", "pbs_rsub -R 1610 -D 60 -U " + many)
            .errors()
            .startsWith("pbs_rsub: illegal -U value\n"));
  }

  @Test
  void minusIIsSentAndItsAnswerPrinted() throws Exception {
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R76.vm DENIED"), false));
    assertEquals("R76.vm DENIED\n", run("pbsu1", "pbs_rsub -I -30 -R 1610 -D 60").output());
    assertEquals(0, site.status, "as PBS has it");
    assertEquals(-30L, sent(SubmitReservation.class).getInteractiveS());
  }

  @Test
  void rootMayReserveWhereAListSaysSo() throws Exception {
    assertEquals(
        "pbs_rsub: Bad effective UID for reservation\n",
        run("root", "pbs_rsub -R 1610 -D 60").errors());
    assertEquals(247, site.status);
    site.put(ObjectKind.SERVER, "server", "server_host", "vm", "acl_roots", "root@*");
    assertEquals("", run("root", "pbs_rsub -R 1610 -D 60").errors());
  }

  @Test
  void deletionNamesTheWholeReservation() throws Exception {
    assertEquals("", run("pbsu1", "pbs_rdel R73").errors());
    assertEquals("R73.vm", sent(DeleteReservation.class).getReservationId());
    site.sent.clear();
    for (String wrong : List.of("R073", "73")) {
      assertEquals(
          "pbs_rdel: Unknown Reservation Id " + wrong + ".vm\n",
          run("pbsu1", "pbs_rdel " + wrong).errors());
      assertEquals(236, site.status);
    }
    assertTrue(site.sent.isEmpty(), "nothing was sent");
  }

  @Test
  void jobsGoToTheShardOfTheirReservation() throws Exception {
    site.answer(sent -> new Reply(sent.id(), 0, List.of("74.vm"), false));
    assertEquals("", run("pbsu1", "qsub -q R73 -- /bin/true").errors());
    assertEquals("R73", sent(SubmitJobs.class).getJobs().get(0).getSpec().getQueue());
    run("pbsu1", "qmove R73 7");
    assertEquals(0, sent(MoveJob.class).getQueueShard());
    run("pbsu1", "qmove workq 7");
    assertEquals(-1, sent(MoveJob.class).getQueueShard());
    site.sent.clear();
    assertEquals("qsub: Unknown queue\n", run("pbsu1", "qsub -q R073 -- /bin/true").errors());
    assertEquals(170, site.status);
    assertTrue(site.sent.isEmpty(), "nothing was sent");
  }

  /** Another server is not asked, so what is for it goes nowhere. */
  @ParameterizedTest
  @ValueSource(strings = {"pbs_rsub -R 1610 -D 60 -q @nosuch", "pbs_ralter -D 60 -q @nosuch R73"})
  void whatIsForAnotherServerIsRefused(String line) throws Exception {
    String word = line.split(" ")[0];
    assertEquals(
        "Unknown Host.\n" + word + ": cannot connect to server vm (errno=15008)\n",
        run("pbsu1", line).errors());
    assertEquals(List.of(), site.sent);
    assertEquals("", run("pbsu1", line.replace("@nosuch", "@vm")).errors());
    assertEquals("", run("pbsu1", line.replace("@nosuch", "@")).errors());
    assertEquals(2, site.sent.size());
  }
}
