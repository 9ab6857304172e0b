package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import io.millrace.schemas.fact.ReservationConfirmed;
import io.millrace.schemas.fact.ReservationDegraded;
import io.millrace.schemas.fact.ReservationEnded;
import io.millrace.schemas.fact.ReservationStarted;
import io.millrace.schemas.fact.ReservationSubmitted;
import io.millrace.schemas.fact.RunPreempted;
import io.millrace.schemas.state.Reservation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Reservations over hosts with networks of their own: runs of others give way, a host is lost and
 * another takes its place. What happened is read from files that scripts wrote, from the commands
 * of both families, from accounting, and from the topics by a consumer of their own.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Networks
@Tag("night")
@Order(3)
class ReservationsIT {
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final DateTimeFormatter FORM = DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss");
  private static final String ONE = "rv-one";
  private static final String TWO = "rv-two";
  private static final String THREE = "rv-three";

  /** Until the first window: two reservations have been made by then, also on a busy machine. */
  private static final int LEAD_S = 20;

  /** The other windows begin so soon. */
  private static final int NEXT_S = 12;

  /**
   * How long the first one is: the second node is long free when the first is, where a job that
   * gave way would begin otherwise, also when a host has not been heard meanwhile.
   */
  private static final int FIRST_S = 90;

  private final ObjectMapper mapper = new ObjectMapper();
  private Site site;
  private ReservationViews views;
  private Hosts hosts;
  private Account owner;
  private Account other;
  private Path work;
  private Path elsewhere;

  @BeforeAll
  void up() throws Exception {
    site = Site.prepare("reserved");
    hosts = Hosts.apart(site.folder());
    hosts.connect(ONE, TWO, THREE);
    site.up("--no-keeper --shards 2 " + hosts.upOptions()).must();
    owner = site.user("mrresv1");
    other = site.user("mrresv2");
    work = site.folderOf(owner, "work");
    elsewhere = site.folderOf(other, "elsewhere");
    views = new ReservationViews(site, owner, work);
    site.qmgr("set server max_unheard = 15");
    start(ONE);
    start(TWO);
  }

  private void start(String host) throws Exception {
    site.qmgr("create node " + host);
    hosts.start(site, host, "ncpus=4", site.folder().resolve("spool-" + host));
  }

  @AfterAll
  void down() throws Exception {
    try {
      if (hosts != null) {
        hosts.close();
      }
    } finally {
      site.close();
    }
  }

  /** A script that says where it begins, and goes on until its file is there. */
  private String submit(Account account, Path folder, String name, String options)
      throws Exception {
    Path script =
        Files.writeString(
            folder.resolve(name + ".sh"),
            """
            cd %s
            echo "$(date +%%s) $(cat $PBS_NODEFILE | head -1) $MILLRACE_RUN" >>begun-%s
            until [ -e go-%s ]; do sleep 0.2; done
            echo done >>done-%s
            """
                .formatted(folder, name, name, name));
    account.own(site.folder(), script);
    String line = "qsub -N " + name + " " + options + " " + script;
    return site.run(account, folder, line).must().strip();
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private void begins(Path folder, String name, String node, int run) throws Exception {
    Path file = folder.resolve("begun-" + name);
    String end = " " + node + " " + run;
    boolean begun =
        Polling.within(SOON, () -> lines(file).stream().anyMatch(it -> it.endsWith(end)));
    if (!begun) {
      fail(
          name
              + " begins on "
              + node
              + ", run "
              + run
              + ", not only "
              + lines(file)
              + "\n"
              + site.told("qstat -xf")
              + site.told("pbsnodes -av")
              + site.told("pbs_rstat -f"));
    }
  }

  private static String at(int seconds) {
    return LocalDateTime.now().withNano(0).plusSeconds(seconds).format(FORM);
  }

  private String reserved(String line) throws Exception {
    String[] answer = site.run(owner, work, line).must().strip().split(" ");
    assertTrue(answer.length == 1 || answer[1].equals("CONFIRMED"), line);
    return answer[0].replaceFirst("\\..*", "");
  }

  private JsonNode shown(String name) throws IOException, InterruptedException {
    JsonNode all = mapper.readTree(site.run("pbs_rstat --json").must()).path("resvs");
    return all.properties().stream()
        .filter(it -> it.getKey().startsWith(name + "."))
        .map(java.util.Map.Entry::getValue)
        .findFirst()
        .orElse(mapper.missingNode());
  }

  private void awaitGone(String name) throws Exception {
    Site.await(SOON, name + " is gone", () -> isGone(name));
    views.isGone(name);
  }

  private boolean isGone(String name) throws IOException, InterruptedException {
    return shown(name).isMissingNode();
  }

  private String in(String name) throws IOException, InterruptedException {
    return shown(name).path("resv_nodes").asText();
  }

  /** The facts of a type in the ledger, as a consumer of its own reads them. */
  private <F> List<F> facts(Class<F> type) throws Exception {
    return TopicContents.read(site.client(KafkaPrincipal.MONITOR), Topics.LEDGER).stream()
        .filter(type::isInstance)
        .map(type::cast)
        .toList();
  }

  @Test
  @Order(1)
  void runsOfOthersGiveWayAndRunElsewhereLater() throws Exception {
    String again = submit(other, elsewhere, "again", "-l select=1:ncpus=4");
    begins(elsewhere, "again", ONE, 1);
    String once = submit(other, elsewhere, "once", "-r n -l select=1:ncpus=4");
    begins(elsewhere, "once", TWO, 1);
    String noRoom = "pbs_rsub -I 10 -R " + at(LEAD_S) + " -D 60 -l select=1:ncpus=1";
    String denied = site.run(owner, work, noRoom).must();
    assertTrue(denied.endsWith(" DENIED\n"), denied);

    long startS = System.currentTimeMillis() / 1000 + LEAD_S;
    String start = at(LEAD_S);
    String first = reserved("plus_reserve -n 1 -ncpu 4 -s " + start + " -D " + FIRST_S);
    String second = reserved("plus_reserve -n 1 -ncpu 4 -s " + start + " -D 15");
    String comment = site.run("qstat -fw " + again).must();
    assertTrue(comment.contains(", to be requeued at "), comment);
    assertTrue(site.run("qstat -fw " + once).must().contains(", to be ended at "), "-r n");
    String inside = submit(owner, work, "inside", "-q " + first + " -l select=1:ncpus=4");
    assertEquals("Q", site.state(inside));
    assertTrue(site.run("pbsnodes " + ONE).must().contains("resv = " + first + "."), ONE);

    begins(work, "inside", ONE, 1);
    long begunS = Long.parseLong(lines(work.resolve("begun-inside")).get(0).split(" ")[0]);
    assertTrue(begunS >= startS, begunS + " is not before " + startS);
    assertTrue(site.run("pbsnodes " + ONE).must().contains("resv-exclusive"), "in its window");
    String queue = site.run("qstat -Qf " + first).must();
    assertTrue(queue.contains("Running:1"), queue);
    assertTrue(queue.contains("acl_users = " + owner.name() + "@"), queue);
    String full = site.run(owner, work, "pbs_rstat -f " + first).must();
    assertTrue(full.contains("reserve_state = RESV_RUNNING\n"), full);
    assertTrue(full.contains("resv_nodes = (" + ONE + ":ncpus=4)\n"), full);
    assertTrue(full.contains("reservation_start = requeue\n"), full);
    views.readBack(first, "RUNNING", ONE);

    site.awaitState(once, "F");
    assertEquals(-33, site.job(once).path("Exit_status").asInt());
    // It waits until the second window is over, and then runs where that was.
    begins(elsewhere, "again", TWO, 2);
    assertTrue(isGone(second), "no job of others in its window");
    Files.createFile(elsewhere.resolve("go-again"));
    site.awaitState(again, "F");
    assertEquals(0, site.job(again).path("Exit_status").asInt());
    assertEquals(List.of("done"), lines(elsewhere.resolve("done-again")));

    // The end deletes the job that is left, the queue and the reservation.
    site.awaitState(inside, "F");
    awaitGone(first);
    assertEquals(List.of(), lines(work.resolve("done-inside")));
    assertEquals("", site.told("qstat -Q | grep '^" + first + " '"));
    ended(first, again, once);
  }

  /** What accounting and the ledger tell. */
  private void ended(String name, String again, String once) throws Exception {
    Path accounts = site.home().accounting();
    String id = name + "." + again.replaceFirst("\\d+\\.", "");
    Site.await(
        SOON,
        "accounting tells each turn of it once",
        () -> List.of("B", "F", "K", "U", "Y").equals(AccountLines.kinds(accounts, id)));
    assertEquals(1, of(accounts, again, "PREEMPTED"));
    assertEquals(1, of(accounts, once, "PREEMPTED"));
    assertEquals(1, of(accounts, again, "R"));
    assertEquals(1, of(accounts, again, "E"));
    assertEquals(0, of(accounts, once, "R"));
    Set<String> turns = new TreeSet<>();
    for (ReservationSubmitted fact : facts(ReservationSubmitted.class)) {
      turns.add(turn(fact.getReservation(), id, "submitted"));
    }
    for (ReservationConfirmed fact : facts(ReservationConfirmed.class)) {
      turns.add(turn(fact.getReservation(), id, "confirmed"));
    }
    for (ReservationStarted fact : facts(ReservationStarted.class)) {
      turns.add(turn(fact.getReservation(), id, "started"));
    }
    for (ReservationEnded fact : facts(ReservationEnded.class)) {
      turns.add(turn(fact.getReservation(), id, "ended"));
    }
    turns.remove("");
    assertEquals(Set.of("submitted", "confirmed", "started", "ended"), turns);
    Set<String> gave = new HashSet<>();
    for (RunPreempted fact : facts(RunPreempted.class)) {
      gave.add(fact.getJobId() + " " + fact.getAgain());
    }
    assertEquals(Set.of(again + " true", once + " false"), gave);
  }

  private static String turn(Reservation record, String id, String what) {
    return record.getId().equals(id) ? what : "";
  }

  private static long of(Path accounts, String id, String kind) {
    return AccountLines.kinds(accounts, id).stream().filter(kind::equals).count();
  }

  @Test
  @Order(2)
  void aLostHostIsReplacedAndTheOthersJobGoesOn() throws Exception {
    String both = " -l select=2:ncpus=4 -l place=scatter";
    String name = reserved("pbs_rsub -I 10 -R " + at(NEXT_S) + " -D 600" + both);
    assertEquals("(" + ONE + ":ncpus=4)+(" + TWO + ":ncpus=4)", in(name));
    views.readBack(name, "CONFIRMED", ONE, TWO);
    String stays = submit(owner, work, "stays", "-q " + name + " -l select=1:ncpus=4");
    begins(work, "stays", ONE, 1);
    start(THREE);
    hosts.cut(TWO, true);
    Site.await(SOON, "another host takes its place", () -> in(name).contains(THREE));
    assertEquals("(" + ONE + ":ncpus=4)+(" + THREE + ":ncpus=4)", in(name));
    views.readBack(name, "RUNNING", ONE, THREE);
    assertTrue(site.run("pbsnodes " + TWO).must().contains("state = down"), "it is not heard");
    String next = submit(owner, work, "next", "-q " + name + " -l select=1:ncpus=4");
    begins(work, "next", THREE, 1);
    assertEquals(1, site.job(stays).path("run_count").asInt());
    assertEquals(1, lines(work.resolve("begun-stays")).size());
    boolean told =
        facts(ReservationDegraded.class).stream()
            .flatMap(it -> it.getReservation().getLost().stream())
            .anyMatch(it -> it.getNode().equals(TWO) && it.getWhy().equals("down"));
    assertTrue(told, "the ledger tells which was lost, and why");

    conflict(name);
    for (String job : List.of("stays", "next")) {
      Files.createFile(work.resolve("go-" + job));
    }
    site.awaitState(stays, "F");
    site.awaitState(next, "F");
    assertEquals(0, site.job(stays).path("Exit_status").asInt());
    assertEquals(0, site.job(next).path("Exit_status").asInt());
    site.run(owner, work, "pbs_rdel " + name).must();
    awaitGone(name);
    hosts.cut(TWO, false);
    Site.await(SOON, TWO + " is back", () -> isFree(TWO));
  }

  private boolean isFree(String host) throws IOException, InterruptedException {
    return site.run("pbsnodes " + host).must().contains("state = free");
  }

  /** Maintenance over one of its hosts: in conflict until that is gone; its job there goes on. */
  private void conflict(String name) throws Exception {
    String manager = owner.name() + "@*";
    site.qmgr("set server managers += " + manager);
    String kept = reserved("pbs_rsub -R " + at(NEXT_S) + " -D 300 --hosts " + THREE);
    assertTrue(kept.startsWith("M"), kept);
    views.readBack(kept, "CONFIRMED", THREE);
    Site.await(
        SOON,
        "they are in conflict",
        () -> shown(name).path("lost_nodes").asText().contains("with " + kept));
    String full = site.run(owner, work, "pbs_rstat -f " + name).must();
    assertTrue(full.contains("reserve_substate = 12\n"), full);
    String xml = site.run(owner, work, "plus_status -x -r " + name).must();
    assertTrue(xml.contains("<node name=\"" + THREE + "\" lost=\"under maintenance\"/>"), xml);
    site.run(owner, work, "pbs_rdel " + kept).must();
    awaitGone(kept);
    Site.await(SOON, "it is whole again", () -> isWhole(name));
    views.readBack(name, "RUNNING", ONE, THREE);
    site.qmgr("set server managers -= " + manager);
  }

  private boolean isWhole(String name) throws IOException, InterruptedException {
    return shown(name).path("lost_nodes").isMissingNode();
  }

  /**
   * The local time stays, whatever the clocks do: one that does not exist comes by the gap later,
   * and one that comes twice is the first. Berlin's clocks go from UTC+1 to UTC+2 on 29 March 2037
   * at 2, and back on 25 October at 3.
   */
  @Test
  @Order(3)
  void oneThatComesAgainGoesOverAChangeOfClocks() throws Exception {
    overAChange(
        "20370326",
        "2037-03-26T01:30:00Z 2037-03-27T01:30:00Z 2037-03-28T01:30:00Z 2037-03-29T01:30:00Z"
            + " 2037-03-30T00:30:00Z 2037-03-31T00:30:00Z 2037-04-01T00:30:00Z");
    overAChange(
        "20371022",
        "2037-10-22T00:30:00Z 2037-10-23T00:30:00Z 2037-10-24T00:30:00Z 2037-10-25T00:30:00Z"
            + " 2037-10-26T01:30:00Z 2037-10-27T01:30:00Z 2037-10-28T01:30:00Z");
    fromADay("20370328", "Sat Mar 28 01:30:00 2037", "Sat Mar 28 02:30:00 2037");
    fromADay("20370329", "Sun Mar 29 01:30:00 2037", "Sun Mar 29 03:30:00 2037");
    fromADay("20370330", "Mon Mar 30 00:30:00 2037", "Mon Mar 30 02:30:00 2037");
    fromADay("20371024", "Sat Oct 24 00:30:00 2037", "Sat Oct 24 02:30:00 2037");
    fromADay("20371025", "Sun Oct 25 00:30:00 2037", "Sun Oct 25 02:30:00 2037");
    fromADay("20371026", "Mon Oct 26 01:30:00 2037", "Mon Oct 26 02:30:00 2037");
  }

  /** So many days, each at half past two in Berlin. */
  private String daily(String first, int count) throws Exception {
    return reserved(
        "TZ=Europe/Berlin PBS_TZID=Europe/Berlin pbs_rsub -I 10 -r 'FREQ=DAILY;COUNT="
            + count
            + "' -D 600 -l select=1:ncpus=1 -R "
            + first
            + "0230");
  }

  /** Of those to come pbs_rstat -f shows the next alone, and --json all, in seconds since 1970. */
  private void overAChange(String first, String wanted) throws Exception {
    String name = daily(first, 7);
    List<String> found = new ArrayList<>();
    for (Object record :
        TopicContents.read(site.client(KafkaPrincipal.MONITOR), Topics.table("reservations"))) {
      if (record instanceof Reservation one
          && one.getQueue().equals(name)
          && !one.getShares().isEmpty()) {
        found.clear();
        found.add(Instant.ofEpochMilli(one.getSpec().getStartMs()).toString());
        one.getSpec().getLaterMs().forEach(it -> found.add(Instant.ofEpochMilli(it).toString()));
      }
    }
    assertEquals(List.of(wanted.split(" ")), found);
    List<String> shown = new ArrayList<>();
    shown.add(Instant.ofEpochSecond(shown(name).path("reserve_start").asLong()).toString());
    for (String each : shown(name).path("reserve_later").asText().split(", ")) {
      shown.add(Instant.ofEpochSecond(Long.parseLong(each.split(" ")[0])).toString());
    }
    assertEquals(found, shown);
    views.readBack(name, "CONFIRMED", in(name).replaceAll("\\((.*):ncpus=1\\)", "$1"));
    String full = site.run(owner, work, "pbs_rstat -f " + name).must();
    assertTrue(full.contains("reserve_count = 7\n"), full);
    site.run(owner, work, "pbs_rdel " + name).must();
    awaitGone(name);
  }

  /** The next one as somebody in UTC and somebody in Berlin sees it. */
  private void fromADay(String first, String utc, String berlin) throws Exception {
    String name = daily(first, 2);
    String full = site.run(owner, work, "TZ=UTC pbs_rstat -f " + name).must();
    assertTrue(full.contains("reserve_start = " + utc + "\n"), full);
    full = site.run(owner, work, "TZ=Europe/Berlin pbs_rstat -f " + name).must();
    assertTrue(full.contains("reserve_start = " + berlin + "\n"), full);
    site.run(owner, work, "pbs_rdel " + name).must();
    awaitGone(name);
  }

  @Test
  @Order(4)
  void whatARunHasStaysItsUsers() throws Exception {
    String first = submit(owner, work, "first", "-l select=1:ncpus=4,walltime=600");
    site.awaitState(first, "R");
    String name = reserved("pbs_rsub -W delete_idle_time=2 --job " + first);
    assertEquals(name, site.job(first).path("queue").asText());
    String host = site.job(first).path("exec_host").asText().replaceFirst("/.*", "");
    views.readBack(name, "RUNNING", host);
    String behind = submit(owner, work, "behind", "-q " + name + " -l select=1:ncpus=4");
    assertEquals("Q", site.state(behind));
    Files.createFile(work.resolve("go-first"));
    Files.createFile(work.resolve("go-behind"));
    site.awaitState(first, "F");
    begins(work, "behind", host, 1);
    site.awaitState(behind, "F");
    awaitGone(name);
  }
}
