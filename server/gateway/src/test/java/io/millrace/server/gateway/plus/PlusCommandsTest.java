package io.millrace.server.gateway.plus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.command.AlterReservation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.DeleteReservation;
import io.millrace.schemas.command.ForgetReservation;
import io.millrace.schemas.command.SettleReservation;
import io.millrace.schemas.command.SubmitReservation;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.LostNode;
import io.millrace.schemas.state.PastReservation;
import io.millrace.schemas.state.Reservation;
import io.millrace.schemas.state.ReservationSpec;
import io.millrace.schemas.state.ReservationTransaction;
import io.millrace.schemas.state.TransactionKind;
import io.millrace.server.gateway.command.FakeInvocation;
import io.millrace.server.gateway.command.FakeSite;
import io.millrace.server.gateway.command.RecordedReservations;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xml.sax.SAXException;

/** What PluS's commands send, show and refuse. */
class PlusCommandsTest {

  private final FakeSite site = new FakeSite();

  @BeforeEach
  void answers() {
    site.put(ObjectKind.PARTITION, "P1", "shard", "0", "scheduler", "sc1");
    site.put(ObjectKind.QUEUE, "east", "queue_type", "Execution", "partition", "P1");
    site.reservations.put(73L, RecordedReservations.r73());
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R74.vm CONFIRMED"), false));
  }

  private FakeInvocation run(String user, String line) throws Exception {
    return site.run(
        new FakeInvocation(user, Arrays.asList(line.split(" ")), new HashMap<>(), site.id()));
  }

  private <T> T sent(Class<T> type) {
    return type.cast(site.sent.get(site.sent.size() - 1).command());
  }

  private ReservationSpec reserved(String options) throws Exception {
    FakeInvocation done = run("pbsu1", "plus_reserve " + options);
    assertEquals("R74\n", done.output(), done::errors);
    assertEquals(0, site.status);
    return sent(SubmitReservation.class).getSpec();
  }

  private static String shown(ReservationSpec spec) {
    return spec.getResourceList().stream()
        .map(it -> it.getName() + "=" + it.getValue())
        .collect(Collectors.joining(" "));
  }

  private static long ms(String instant) {
    return Instant.parse(instant).toEpochMilli();
  }

  @Test
  void wholeNodesAreReservedOnHostsOfTheirOwn() throws Exception {
    ReservationSpec spec = reserved("-s 1610 -D 00:10:00 -n 2 -U pbsu2,x@h");
    assertEquals(ms("2026-11-20T16:10:00Z"), spec.getStartMs());
    assertEquals(ms("2026-11-20T16:20:00Z"), spec.getEndMs());
    assertEquals(List.of("pbsu2", "x@h"), spec.getUsers());
    assertEquals("pbsu1", spec.getOwner());
    assertEquals("pbs-default", spec.getPartition());
    assertEquals(
        "ncpus=2 nodect=2 place=scatter:excl select=2:ncpus=1 walltime=00:10:00", shown(spec));
    assertEquals("scatter:excl", spec.getRequest().getPlace());
    assertTrue(sent(SubmitReservation.class).getInteractiveS() < 0, "it is held or it is not");
    assertTrue(sent(SubmitReservation.class).getAtOnce());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plus_reserve -s 1610 -D 60 -n 1 -U root,nosuchuser",
        "plus_reserve -s 1610 -D 60 --at P1=1 -U nosuchuser",
        "plus_modify -r R73 -U nosuchuser",
      })
  void usersWhoDoNotExistAreRefused(String line) throws Exception {
    FakeInvocation done = run("root", line);
    String name = line.substring(0, line.indexOf(' '));
    assertEquals(name + ": option -U: unknown user: nosuchuser\n", done.errors());
    assertEquals(1, site.status);
    assertTrue(site.sent.isEmpty());
  }

  /** Who asks has no account on the gateway's machine: it cannot know who has one elsewhere. */
  @ParameterizedTest
  @CsvSource({"pbsu1,nosuchuser", "root,nosuchuser@elsewhere"})
  void usersOfOtherMachinesAreTaken(String caller, String user) throws Exception {
    run(caller, "plus_modify -r R73 -U " + user);
    assertEquals(user, sent(AlterReservation.class).getUsers().get(0));
  }

  /** The account in whose name another installation asks is not the user who asked there. */
  @Test
  void aPartForAnotherInstallationNamesItsUsers() throws Exception {
    FakeInvocation done = run("root", "plus_reserve -T --at P1=1 -s 1610 -D 60 -U nosuchuser");
    assertFalse(done.errors().contains("nosuchuser"), done::errors);
  }

  @Test
  void whatANodeMustHave() throws Exception {
    ReservationSpec spec =
        reserved("-s 1610 -e 1700 -n 3 -ncpu 4 -mem 2gb -arch linux -l host=n1 -sgeq east");
    assertEquals("P1", spec.getPartition());
    assertTrue(
        shown(spec).contains("select=3:ncpus=4:mem=2gb:arch=linux:host=n1 "), () -> shown(spec));
    assertEquals(4L, spec.getRequest().getChunks().get(0).getAmounts().get("ncpus"));
    site.put(ObjectKind.RESOURCE, "os", "type", "string", "flag", "h");
    assertTrue(shown(reserved("-s 1610 -e 1700 -n 1 -os rocky")).contains(":os=rocky"));
    ReservationSpec part = reserved("-s 1610 -e 1700 -n 2 -sn 3");
    assertTrue(shown(part).contains("place=scatter select=2:ncpus=3 "), () -> shown(part));
  }

  @ParameterizedTest
  @CsvSource({
    "2026-11-20T16:10,2026-11-20T16:10:00Z",
    "2026-11-20T16:10:30+09:00,2026-11-20T07:10:30Z",
    "202711201542.59,2027-11-20T15:42:59Z",
  })
  void times(String text, String then) throws Exception {
    FakeInvocation done = run("pbsu1", "plus_reserve -n 1 -D 60 -s " + text);
    if (ms(then) < FakeSite.NOW_MS) {
      assertEquals("plus_reserve: Bad time specification(s)\n", done.errors());
      assertEquals(1, site.status);
    } else {
      assertEquals(ms(then), sent(SubmitReservation.class).getSpec().getStartMs());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "plus_reserve -s 1610 -D 60 -n 1 -p|option -p is not supported: what it means is lost|2",
        "plus_reserve -s 1610 -D 60|option -n is needed|2",
        "plus_reserve -D 60 -n 1|option -s is needed|2",
        "plus_reserve -s 1610 -n 1|one of the options -e and -D is needed|2",
        "plus_reserve -s 1610 -e 1700 -D 60 -n 1|options -e and -D exclude each other|2",
        "plus_reserve -s 1610 -D 60 -n 0|option -n: not from 1 to 5000: 0|2",
        "plus_reserve -s 1610 -D 60 -n two|option -n: no number: two|2",
        "plus_reserve -s 1610 -D 60 -n|option -n needs a value|2",
        "plus_reserve -s 1610 -D 60 -n 1 -n 2|option -n is given twice|2",
        "plus_reserve -s 1610 -D 60 -n 1 -q x|there is no option -q|2",
        "plus_reserve -s 1610 -D 60 -n 1 more|not expected: more|2",
        "plus_reserve -s 01320000 -D 60 -n 1|option -s: no time: 01320000|2",
        "plus_reserve -s 1610 -D x -n 1|option -D: no duration: x|2",
        "plus_reserve -s 1610 -D 60 -n 1 -l gpus|option -l: not attr=value: gpus|2",
        "plus_reserve -s 1610 -D 60 -n 1 -mem 1+2:a|option -mem: no value: 1+2:a|2",
        "plus_reserve -s 1610 -D 60 -n 1 -sn 1 -ncpu 1|options -sn and -ncpu exclude each other|2",
        "plus_reserve -s 1610 -D 60 -n 1 -ncpu 2 -l ncpus=1|option -l: ncpus is given twice|2",
        "plus_reserve -s 1610 -D 0 -n 1|Bad time specification(s)|1",
        "plus_reserve -s 202611211600 -e 202611201600 -n 1|Bad time specification(s)|1",
        "plus_reserve -s 1610 -D 60 -n 1 -sgeq nowhere|unknown queue: nowhere|1",
        "plus_reserve -s 1610 -D 60 -n 1 -sgeq workq,east|the queues are of several partitions: P1, pbs-default|1",
        "plus_modify -s 1610|option -r is needed|2",
        "plus_modify -r R73|nothing is to be changed|2",
        "plus_modify -r R99 -D 60|Unknown Reservation Id R99|1",
        "plus_modify -r 7x -D 60|illegally formed reservation identifier: 7x|2",
        "plus_modify -r R73 -D 0|Bad time specification(s)|1",
        "plus_cancel|one of the options -r and -o is needed|2",
        "plus_availnodes -s 1610|option -e is needed|2",
        "plus_availnodes -s 1610 -e 1610|Bad time specification(s)|1",
        "plus_account -f log|option -f is not supported: what was reserved is in the ledger, not in a log file|2",
        "plus_account -s 1610 -e 1700 -d 1|two of the options -s, -e and -d are enough|2",
        "plus_cancel -T -o pbsu1|options -o and -T exclude each other|2",
        "plus_destroy -T -o pbsu1|options -o and -T exclude each other|2",
        "plus_commit|option -r is needed|2",
        "plus_abort -r R99 more|not expected: more|2",
        "plus_cancel -o nobody|no such reservation of nobody|1",
        "plus_status -r R99|Unknown Reservation Id R99|1",
        "plus_scheduler -a Sort|option -a is not supported: ./millrace policy load says by what a scheduler decides|2",
        "plus_scheduler -c sched_conf|option -c is not supported: ./millrace policy load says by what a scheduler decides|2",
        "plus_scheduler -r file|option -r is not supported: reservations are in the ledger, not in a file|2",
        "plus_scheduler -ne 5|option -ne is not supported: what has ended is kept for job_history_duration|2",
        "plus_scheduler -sgeq east|option -sgeq is not supported: a scheduler has the queues of its partitions|2",
        "plus_scheduler|Unauthorized Request|1",
        "plus_schedkill|Unauthorized Request|1",
        "plus_schedkill all|not expected: all|2",
        "plus_status -ne 0|option -ne: not from 1 to 100000: 0|2",
      })
  void wrongLines(String line, String text, int status) throws Exception {
    FakeInvocation done = run("pbsu1", line);
    String name = line.split(" ")[0];
    assertEquals(name + ": " + text, done.errors().lines().findFirst().orElse(""));
    assertEquals(status, site.status);
    assertTrue(site.sent.isEmpty(), "nothing went out");
  }

  @Test
  void aDenialComesWithItsReason() throws Exception {
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R74.vm DENIED", "no room"), false));
    FakeInvocation done = run("pbsu1", "plus_reserve -s 1610 -D 60 -n 1");
    assertEquals("plus_reserve: denied: no room\n", done.errors());
    assertEquals(1, site.status);
    site.refuse(PbsError.RESERVATION_LIMIT.code());
    run("pbsu1", "plus_reserve -s 1610 -D 60 -n 1");
    assertEquals(1, site.status);
  }

  @Test
  void aReservationIsChanged() throws Exception {
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R73.vm CONFIRMED"), false));
    Reservation now = site.reservations.get(73L);
    long startMs = now.getSpec().getStartMs();
    assertEquals("R73\n", run("pbsu1", "plus_modify -r R73 -D 01:00:00 -U a,b -n 4").output());
    AlterReservation command = sent(AlterReservation.class);
    assertNull(command.getStartMs());
    assertEquals(startMs + 3_600_000, command.getEndMs());
    assertEquals(List.of("a", "b", "pbsu1@vm"), command.getUsers(), "its owner, too");
    assertEquals(4, command.getRequest().getChunks().get(0).getCount());
    assertTrue(command.getMore());
    assertFalse(command.getForce());
    run("pbsu1", "plus_modify -r R73 -s 202611210000 -e 202611210100");
    assertEquals(ms("2026-11-21T00:00:00Z"), sent(AlterReservation.class).getStartMs());
    assertEquals(ms("2026-11-21T01:00:00Z"), sent(AlterReservation.class).getEndMs());
    assertNull(sent(AlterReservation.class).getRequest());
  }

  @Test
  void reservationsAreCancelled() throws Exception {
    site.answer(sent -> new Reply(sent.id(), 0, List.of(), false));
    assertEquals("R73\n", run("pbsu1", "plus_cancel -r R73").output());
    assertEquals("R73.vm", sent(DeleteReservation.class).getReservationId());
    assertFalse(sent(DeleteReservation.class).getForget());
    assertEquals("R73\n", run("pbsu1", "plus_destroy -r R73").output());
    assertTrue(sent(DeleteReservation.class).getForget());
    String owner = site.reservations.get(73L).getSpec().getOwner();
    assertEquals("R73\n", run("pbsu1", "plus_cancel -o " + owner).output());
    site.refuse(PbsError.UNAUTHORIZED.code(), "Unauthorized Request ");
    FakeInvocation refused = run("pbsu9", "plus_cancel -r R73");
    assertTrue(refused.errors().startsWith("plus_cancel: Unauthorized Request"), refused::errors);
    assertEquals(1, site.status);
  }

  @Test
  void whatHasEndedIsForgotten() throws Exception {
    site.answer(
        sent -> {
          boolean forgets = sent.command() instanceof ForgetReservation;
          int code = forgets ? 0 : PbsError.UNKNOWN_RESERVATION.code();
          return new Reply(sent.id(), code, List.of(), false);
        });
    assertEquals("R70\n", run("pbsu1", "plus_destroy -r R70").output());
    assertEquals("R70.vm", sent(ForgetReservation.class).getReservationId());
  }

  @Test
  void whatIsDoneWithTIsHeld() throws Exception {
    run("pbsu1", "plus_reserve -T -s 1610 -D 60 -n 1");
    assertTrue(sent(SubmitReservation.class).getTransaction());
    site.answer(sent -> new Reply(sent.id(), 0, List.of("R73.vm CONFIRMED"), false));
    run("pbsu1", "plus_modify -T -r R73 -n 2");
    assertTrue(sent(AlterReservation.class).getTransaction());
    run("pbsu1", "plus_cancel -T -r R73");
    assertTrue(sent(DeleteReservation.class).getTransaction());
    assertFalse(sent(DeleteReservation.class).getForget());
    run("pbsu1", "plus_destroy -T -r R73");
    assertTrue(sent(DeleteReservation.class).getForget());
    assertEquals("R73\n", run("pbsu1", "plus_commit -r R73").output());
    assertTrue(sent(SettleReservation.class).getCommit());
    assertEquals("R73\n", run("pbsu1", "plus_abort -r R73").output());
    assertFalse(sent(SettleReservation.class).getCommit());
    site.refuse(PbsError.BAD_STATE.code(), "Request invalid: no transaction is open");
    FakeInvocation twice = run("pbsu1", "plus_commit -r R73");
    assertEquals("plus_commit: Request invalid: no transaction is open R73\n", twice.errors());
    assertEquals(1, site.status);
  }

  @Test
  void aSchedulerDecidesAndStops() throws Exception {
    site.put(ObjectKind.SCHEDULER, "sc1", "scheduling", "True", "policy", "priority");
    assertEquals("scheduler sc1 has stopped\n", run("root", "plus_schedkill -t sc1").output());
    assertEquals(List.of("SCHEDULER sc1 scheduling=False"), changed());
    assertEquals(
        "scheduler sc1 decides by policy priority\n",
        run("root", "plus_scheduler -t sc1").output());
    assertEquals(List.of("SCHEDULER sc1 scheduling=True"), changed());
    int before = site.sent.size();
    FakeInvocation none = run("root", "plus_schedkill -t nowhere");
    assertEquals("plus_schedkill: there is no scheduler nowhere\n", none.errors());
    assertEquals(1, site.status);
    run("pbsu1", "plus_schedkill -t sc1");
    assertEquals(1, site.status);
    assertEquals(before, site.sent.size(), "nothing is asked of the shard");
  }

  private List<String> changed() {
    ChangeObject sent = sent(ChangeObject.class);
    return sent.getAttributes().stream()
        .map(it -> sent.getKind() + " " + sent.getName() + " " + it.getName() + "=" + it.getValue())
        .toList();
  }

  private static PastReservation ended(long number, long endedMs) {
    Reservation last = RecordedReservations.r73();
    last.setNumber(number);
    last.setQueue("R" + number);
    last.setId("R" + number + ".vm");
    return new PastReservation(last, endedMs, endedMs + 1, "a < \"b\" & c");
  }

  @Test
  void reservationsAreShown() throws Exception {
    for (long number = 70; number < 73; number++) {
      site.past.add(ended(number, FakeSite.NOW_MS - number));
    }
    assertTrue(run("x", "plus_status").output().contains("\nR73 "));
    assertFalse(run("x", "plus_status").output().contains("R70"));
    String two = run("x", "plus_status -ne 2").output();
    assertEquals(
        List.of("ID", "R71", "R70", "R73"), two.lines().map(it -> it.split(" ")[0]).toList());
    Reservation now = site.reservations.get(73L);
    String node = now.getShares().get(0).getNode();
    assertFalse(run("x", "plus_status").output().contains(node));
    assertTrue(run("x", "plus_status -n").output().contains("  " + node));
    String owner = now.getSpec().getOwner();
    assertEquals("", run("x", "plus_status -o not" + owner).output());
    assertTrue(run("x", "plus_status -o " + owner + " -r R73").output().contains("R73"));
    String end = Instant.ofEpochMilli(now.getSpec().getEndMs()).toString();
    String start = Instant.ofEpochMilli(now.getSpec().getStartMs()).toString();
    assertEquals("", run("x", "plus_status -s " + end).output());
    assertEquals("", run("x", "plus_status -e " + start).output());
    assertTrue(run("x", "plus_status -s " + start + " -e " + end).output().contains("R73"));
    assertTrue(run("x", "plus_status -r R71 -ne 1").output().contains("R71"));
  }

  @Test
  void theXmlIsOfItsSchema() throws Exception {
    site.past.add(ended(70, FakeSite.NOW_MS));
    Reservation now = site.reservations.get(73L);
    now.setLost(List.of(new LostNode(now.getShares().get(0).getNode(), "down", 1L, "")));
    now.setPending(
        new ReservationTransaction(
            TransactionKind.MODIFY, "a@b", 0L, now.getSpec(), List.of(), "", List.of()));
    assertTrue(run("x", "plus_status").output().contains(" CONFIRMED+modify "));
    String xml = run("x", "plus_status -x -ne 5").output();
    assertTrue(xml.contains("<pending operation=\"modify\" by=\"a@b\""), xml);
    assertTrue(xml.contains("lost=\"down\""), xml);
    assertTrue(xml.contains("why=\"a &lt; &quot;b&quot; &amp; c\""), xml);
    validate(xml);
    validate(run("pbsu1", "plus_reserve -x -s 1610 -D 60 -n 1").output());
    assertThrows(SAXException.class, () -> validate(xml.replace(" state=", " stat=")));
  }

  private void validate(String xml) throws Exception {
    XmlCheck.validate(xml, run("x", "plus_status --schema").output());
  }
}
