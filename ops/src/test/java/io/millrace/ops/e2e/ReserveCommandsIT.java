package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * Advance reservations from the shell: a job in one runs in its window only, one of another user
 * that would reach into it waits and is told why, the end deletes what is left. One that comes
 * again is in conflict with maintenance. At night the server is killed before the window begins.
 */
@Order(2)
@Shared(user = "mrresv", site = SharedSite.OTHER_HOSTS)
class ReserveCommandsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final DateTimeFormatter START = DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss");

  /** Seconds until the window begins: what comes before is done by then, also on a busy machine. */
  private static final int LEAD_S = Site.NIGHT ? 40 : 15;

  private static final int LENGTH_S = 12;

  private final ObjectMapper mapper = new ObjectMapper();

  @Test
  void nodesAreReserved(Site site, Account user) throws Exception {
    Account other = Account.ordinary("mrresv2", site.folder());
    try {
      reserved(site, user, other);
    } finally {
      other.remove(Path.of("/tmp"));
    }
  }

  @Test
  void jobsThatWaitForOthersRunInsideToo(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work-depend");
    String start = LocalDateTime.now().withNano(0).plusSeconds(LEAD_S).format(START);
    String reserve = "pbs_rsub -I 10 -R " + start + " -D 600 -l select=1:ncpus=1";
    String[] answer = site.run(user, work, reserve).must().strip().split(" ");
    assertEquals("CONFIRMED", answer[1]);
    String submit = "qsub -q " + answer[0].substring(0, answer[0].indexOf('.'));
    String first = site.run(user, work, submit + " -- /bin/false").must().strip();
    String never = submit + " -W depend=afterok:" + first + " -- /bin/true";
    String second = submit + " -W depend=afternotok:" + first + " -- /bin/true";
    String unwanted = site.run(user, work, never).must().strip();
    String wanted = site.run(user, work, second).must().strip();
    assertEquals("H", site.state(wanted));
    site.awaitState(wanted, "F");
    assertEquals(0, site.job(wanted).path("Exit_status").asInt());
    site.awaitState(unwanted, "F");
    assertEquals(0, site.job(unwanted).path("run_count").asInt(), "what it waited for failed");
    site.run(user, work, "pbs_rdel " + answer[0]).must();
  }

  /** On whole nodes nobody has anything in the window: before it, in it, and after it. */
  @Test
  void whatIsFreeBesideWhatIsBooked(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work-free");
    LocalDateTime day = LocalDateTime.now().withNano(0).plusDays(30);
    String p1 = Installation.host(2); // see SharedSite
    List<String> hours = List.of("0 60", "60 120", "120 180", "0 61", "119 180", "0 10080");
    for (String each : hours) {
      assertEquals("p1 1, p2 1", free(site, user, work, day, each), each);
    }
    String whole = " -l select=1:ncpus=" + SharedSite.PROCESSORS;
    String hour = " -p p1 -R " + day.plusHours(1).format(START) + " -E ";
    String one = confirmed(site, user, work, hour + day.plusHours(2).format(START) + whole);
    String later = " -p p2 -R " + day.plusHours(2).format(START) + " -D 3600 -l select=1:ncpus=1";
    String other = confirmed(site, user, work, later);
    List<String> found = new ArrayList<>();
    for (String each : hours) {
      found.add(free(site, user, work, day, each));
    }
    List<String> both =
        List.of("p1 1, p2 1", "p1 0, p2 1", "p1 1, p2 0", "p1 0, p2 1", "p1 0, p2 0", "p1 0, p2 0");
    assertEquals(both, found, "of windows " + hours);
    String before = site.run(user, work, available(day, "0 60") + " -x").must();
    String within = site.run(user, work, available(day, "60 120") + " -x").must();
    String host = "<host name=\"" + p1 + "\"/>";
    assertTrue(before.contains(host) && !within.contains(host), before + within);
    site.run(user, work, "pbs_rdel " + one).must();
    Site.await(PATIENCE, "it is gone", () -> shownNow(site, one).isMissingNode());
    assertEquals("p1 1, p2 1", free(site, user, work, day, "60 120"));
    assertEquals("p1 1, p2 0", free(site, user, work, day, "120 180"));
    site.run(user, work, "pbs_rdel " + other).must();
  }

  /** The id of what is reserved. */
  private static String confirmed(Site site, Account user, Path work, String options)
      throws Exception {
    String[] answer = site.run(user, work, "pbs_rsub -I 10" + options).must().strip().split(" ");
    assertEquals("CONFIRMED", answer[1]);
    return answer[0];
  }

  /** How many nodes of the two partitions are free from one minute of a day to another. */
  private static String free(Site site, Account user, Path work, LocalDateTime day, String minutes)
      throws Exception {
    String said = site.run(user, work, available(day, minutes)).must();
    return said.lines()
        .filter(it -> it.startsWith("p"))
        .filter(it -> !it.startsWith("pbs"))
        .collect(Collectors.joining(", "));
  }

  private static String available(LocalDateTime day, String minutes) {
    String[] words = minutes.split(" ");
    return "plus_availnodes -s "
        + day.plusMinutes(Long.parseLong(words[0])).format(START)
        + " -e "
        + day.plusMinutes(Long.parseLong(words[1])).format(START);
  }

  /** Why a job waits, and until when. */
  private void told(Site site, Account user, Account other, String waiting, String queue)
      throws Exception {
    Path work = site.folder().resolve("work");
    Path elsewhere = site.folder().resolve("elsewhere");
    Site.await(
        PATIENCE,
        "it is told why it waits",
        () -> said(site, other, elsewhere, "why " + waiting).contains(queue));
    String until =
        said(site, user, work, "pbs_rstat -f " + queue + " | sed -n 's/^reserve_end = //p'");
    String waits = said(site, other, elsewhere, "why " + waiting);
    assertTrue(waits.contains("Reservation " + queue), waits);
    assertTrue(!until.isBlank() && waits.contains(until.strip()), waits + " until " + until);
  }

  private void reserved(Site site, Account user, Account other) throws Exception {
    Path work = site.folderOf(user, "work");
    Path elsewhere = site.folderOf(other, "elsewhere");
    long startS = System.currentTimeMillis() / 1000 + LEAD_S;
    String start = LocalDateTime.now().withNano(0).plusSeconds(LEAD_S).format(START);
    String all = "-l select=1:ncpus=" + SharedSite.PROCESSORS;
    String reserve = "pbs_rsub -I 10 -N win -R " + start + " -D " + LENGTH_S + " " + all;
    String[] answer = site.run(user, work, reserve).must().strip().split(" ");
    assertEquals("CONFIRMED", answer[1]);
    String id = answer[0];
    String queue = id.substring(0, id.indexOf('.'));
    assertTrue(id.matches("R\\d+\\..+"), id);

    String begun = "sh -c 'date +%s >>" + work + "/begun; sleep 60'";
    String inside = site.run(user, work, "qsub -q " + queue + " -- " + begun).must().strip();
    for (String wrong : List.of("S", "M", "R0")) {
      String name = queue.replace("R", wrong);
      assertEquals(
          "qsub: Unknown queue\n", site.run(user, work, "qsub -q " + name + " -- /bin/true").err());
    }
    assertEquals("Q", site.state(inside));
    others(site, other, elsewhere, id);

    // A long job of another would hold the node when it is reserved; a short one is over by then.
    String longJob = "qsub -l walltime=01:00:00 " + all + " -- /bin/true";
    String waiting = site.run(other, elsewhere, longJob).must().strip();
    told(site, user, other, waiting, queue);

    if (Site.NIGHT) {
      Site.kill(List.of(site.processes().get("server")));
      site.up("").must();
    }

    Path written = begun(site, inside, work, startS);
    assertEquals("RESV_RUNNING", shown(site, id).path("reserve_state").asText());
    assertEquals("Q", site.state(waiting), "meanwhile");

    // The end deletes the job that is left, the queue and the reservation.
    site.awaitState(inside, "F");
    Site.await(PATIENCE, "it is gone", () -> shownNow(site, id).isMissingNode());
    assertEquals(1, Files.readAllLines(written).size(), "it ran once");
    site.awaitState(waiting, "F");
    assertEquals(0, site.job(waiting).path("Exit_status").asInt());
    String why = said(site, other, elsewhere, "why " + queue);
    assertTrue(why.startsWith(id + ": its time is over; ended at "), why);
    ended(site, user, id);

    deletion(site, user, work);
    ofRuns(site, user, work);
    soonest(site, user, work);
    site.qmgr("set server managers += " + user.name() + "@*");
    try {
      maintained(site, user, work);
    } finally {
      site.run("qmgr -c 'set server managers -= " + user.name() + "@*'");
    }
  }

  /** The file in which a job of the reservation has written when it began. */
  private Path begun(Site site, String inside, Path work, long startS) throws Exception {
    Site.await(PATIENCE, "the window has begun", () -> "R".equals(stateOf(site, inside)));
    // A job is shown as running from its start on, which is before its script has written a line.
    Path written = work.resolve("begun");
    Site.await(PATIENCE, "the script has begun", () -> written.toFile().length() > 0);
    List<String> times = Files.readAllLines(written);
    assertTrue(Long.parseLong(times.get(0)) >= startS - 1, "not before it: " + times);
    return written;
  }

  /** Nobody else submits to its queue, or deletes it. */
  private static void others(Site site, Account other, Path elsewhere, String id) throws Exception {
    String queue = id.substring(0, id.indexOf('.'));
    Shell.Answer stranger = site.run(other, elsewhere, "qsub -q " + queue + " -- /bin/true");
    assertEquals("qsub: Unauthorized Request \n", stranger.err());
    assertEquals(
        "pbs_rdel: Unauthorized Request  " + id + "\n",
        site.run(other, elsewhere, "pbs_rdel " + id).err());
  }

  /** What accounting and the log tell of a reservation whose window is over. */
  private void ended(Site site, Account user, String id) throws Exception {
    Path accounts = site.home().accounting();
    Site.await(
        PATIENCE,
        "accounting tells each turn of it once",
        () -> List.of("B", "F", "K", "U", "Y").equals(AccountLines.kinds(accounts, id)));
    String traced = site.run("tracejob -n 2 " + id.substring(0, id.indexOf('.'))).must();
    assertTrue(traced.contains("  A    requestor=" + user.name() + "@"), traced);
    assertTrue(traced.contains("  S    Its window begins\n"), traced);
  }

  /** What a run has stays its user's when it has ended, for as long as that is of use. */
  private void ofRuns(Site site, Account user, Path work) throws Exception {
    String job = site.run(user, work, "qsub -l walltime=600 -- /bin/sleep 60").must().strip();
    site.awaitState(job, "R");
    String reserve = "pbs_rsub -W delete_idle_time=2 --job " + job;
    String[] answer = site.run(user, work, reserve).must().strip().split(" ");
    assertEquals("CONFIRMED", answer[1]);
    String id = answer[0];
    String queue = id.substring(0, id.indexOf('.'));
    assertEquals(queue, site.job(job).path("queue").asText());
    assertEquals("RESV_RUNNING", shown(site, id).path("reserve_state").asText());
    String next = site.run(user, work, "qsub -q " + queue + " -- /bin/true").must().strip();
    assertEquals("Q", site.state(next), "the first one has all of it");
    site.run(user, work, "qdel " + job).must();
    site.awaitState(next, "F");
    assertEquals(0, site.job(next).path("Exit_status").asInt());
    Site.await(PATIENCE, "it is deleted", () -> shownNow(site, id).isMissingNode());
    String wish = "qsub -W create_resv_from_job=1 -l walltime=60 -- /bin/sleep 60";
    String asked = site.run(user, work, wish).must().strip();
    Site.await(
        PATIENCE,
        "it is in a reservation",
        () -> said(site, user, work, "qstat -f " + asked).contains("queue = R"));
    site.run(user, work, "pbs_rdel " + site.job(asked).path("queue").asText()).must();
    site.awaitState(asked, "F");
  }

  /** As soon as there is room: the job waits in the queue of the reservation, and runs in it. */
  private void soonest(Site site, Account user, Path work) throws Exception {
    String job = site.run(user, work, "qsub -h -l walltime=60 -- /bin/true").must().strip();
    String[] answer = site.run(user, work, "pbs_rsub -Wqmove=" + job).must().strip().split(" ");
    assertEquals("CONFIRMED", answer[1]);
    String queue = answer[0].substring(0, answer[0].indexOf('.'));
    assertEquals(queue, site.job(job).path("queue").asText());
    site.run(user, work, "qrls " + job).must();
    site.awaitState(job, "F");
    assertEquals(0, site.job(job).path("Exit_status").asInt());
    site.run(user, work, "pbs_rdel " + queue).must();
    String large = "qsub -h -l select=1:ncpus=4096 -- /bin/true";
    String never = site.run(user, work, large).must().strip();
    String denied = site.run(user, work, "pbs_rsub -Wqmove=" + never).must();
    assertTrue(denied.endsWith(" DENIED\n"), denied);
    assertEquals("workq", site.job(never).path("queue").asText());
    site.run(user, work, "qdel " + never).must();
  }

  /** A standing reservation is in conflict with maintenance of its host until that is gone. */
  private void maintained(Site site, Account user, Path work) throws Exception {
    String at = " -R " + LocalDateTime.now().plusHours(2).format(START) + " -D 60";
    String repeat = "PBS_TZID=Europe/Berlin pbs_rsub -I 10 -r 'FREQ=DAILY;COUNT=3' -p p1" + at;
    String[] answer = site.run(user, work, repeat).must().strip().split(" ");
    assertEquals("CONFIRMED", answer[1]);
    String id = answer[0];
    assertTrue(id.startsWith("S"), id);
    String host = Installation.host(2); // of p1, see SharedSite
    String keep = "pbs_rsub" + at + " --hosts " + host;
    site.qmgr("set server reserve_retry_time = 1");
    String[] kept = site.run(user, work, keep).must().strip().split(" ");
    assertEquals("CONFIRMED", kept[1]);
    assertTrue(kept[0].startsWith("M"), kept[0]);
    Site.await(
        PATIENCE,
        "they are in conflict",
        () -> shownNow(site, id).path("lost_nodes").asText().contains("with " + kept[0]));
    String full = site.run(user, work, "pbs_rstat -f " + id).must();
    String rule = "reserve_rrule = FREQ=DAILY;COUNT=3\nreserve_index = 1\nreserve_count = 3\n";
    assertTrue(full.contains(rule), full);
    assertTrue(full.contains("reserve_substate = 12\n"), full);
    String due = shown(site, id).path("reserve_retry").asText();
    assertTrue(full.contains("reserve_retry = "), full);
    Site.await(
        PATIENCE,
        "it is looked at again",
        () -> !shownNow(site, id).path("reserve_retry").asText().equals(due));
    site.qmgr("unset server reserve_retry_time");
    site.run(user, work, "pbs_rdel " + kept[0]).must();
    Site.await(
        PATIENCE, "it is whole again", () -> shownNow(site, id).path("lost_nodes").isMissingNode());
    assertEquals(2, shown(site, id).path("reserve_later").asText().split(", ").length);
    // The next occurrence alone is altered, and does not reach the one behind it.
    assertEquals(
        "pbs_ralter: " + id + " CONFIRMED\n",
        site.run(user, work, "pbs_ralter -I 10 -D 30 " + id).must());
    assertEquals("30", shown(site, id).path("reserve_duration").asText());
    Shell.Answer reaching = site.run(user, work, "pbs_ralter -D 86400 " + id);
    String conflict = "pbs_ralter: Requested time(s) will interfere with a later occurrence\n";
    assertEquals(conflict, reaching.err());
    assertEquals(75, reaching.status());
    site.run(user, work, "pbs_rdel " + id).must();
    Site.await(PATIENCE, "it is gone", () -> shownNow(site, id).isMissingNode());
  }

  /** A reservation that is deleted before it begins goes with its jobs, or without them. */
  private void deletion(Site site, Account user, Path work) throws Exception {
    String start = LocalDateTime.now().plusHours(1).format(START);
    String reserve = "pbs_rsub -I 10 -R " + start + " -D 60 -p p1";
    String id = site.run(user, work, reserve).must().strip().split(" ")[0];
    String queue = id.substring(0, id.indexOf('.'));
    String job = site.run(user, work, "qsub -q " + queue + " -- /bin/true").must().strip();
    site.run(user, work, "pbs_rdel " + id).must();
    site.awaitState(job, "F");
    Site.await(PATIENCE, "it is gone", () -> shownNow(site, id).isMissingNode());
    assertEquals(
        "pbs_rdel: Unknown Reservation Id " + id + "\n",
        site.run(user, work, "pbs_rdel " + id).err());

    String other = site.run(user, work, reserve).must().strip().split(" ")[0];
    String into = other.substring(0, other.indexOf('.'));
    String kept = site.run(user, work, "qsub -h -q " + into + " -- /bin/true").must().strip();
    site.run(user, work, "pbs_rdel -q workq " + other).must();
    Site.await(PATIENCE, "it is gone", () -> shownNow(site, other).isMissingNode());
    assertEquals("workq", site.job(kept).path("queue").asText(), "it was moved before");
    assertEquals("H", site.state(kept));
    site.run(user, work, "qdel " + kept).must();
  }

  private JsonNode shown(Site site, String id) throws IOException, InterruptedException {
    return mapper.readTree(site.run("pbs_rstat --json").must()).path("resvs").path(id);
  }

  private JsonNode shownNow(Site site, String id) throws IOException, InterruptedException {
    return shown(site, id);
  }

  private static String said(Site site, Account user, Path folder, String line)
      throws IOException, InterruptedException {
    return site.run(user, folder, line).out();
  }

  private static String stateOf(Site site, String job) throws IOException, InterruptedException {
    return site.state(job);
  }
}
