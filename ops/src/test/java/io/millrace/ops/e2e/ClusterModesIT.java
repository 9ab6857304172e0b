package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.schemas.Topics;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * A real Grid Engine of three hosts, in which one queue is Millrace's and whose rest is only looked
 * at; only root can start it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock(OutsidePeer.ALL)
@Tag("night")
class ClusterModesIT {

  private static final Duration SOON = Duration.ofSeconds(180);
  private static final OutsidePeer PEER = OutsidePeer.GRID_ENGINE;
  private static final String GRID = "export SGE_ROOT=/var/lib/gridengine; ";

  private Site site;
  private Account user;
  private Path spool;
  private Path placed;
  private Path observed;
  private Path reserved;

  @BeforeAll
  void up() throws Exception {
    assumeTrue(Account.superuser(), "only root can start a Grid Engine");
    site = Site.prepare("modes");
    user = site.user("mrmodes");
    PEER.up();
    PEER.assumeUp();
    PEER.more();
    spool = site.folder().resolve("outside");
    site.run("install -d -m 755 " + spool + " && install -d -o mrmodes " + spool + "/mrmodes")
        .must();
    placed = cluster("c5", List.of("mode = place", "queue = mr.place"));
    observed = cluster("c6", List.of("mode = observe"));
    reserved =
        cluster("c7", List.of("mode = reserve", "queue = mr.q", "reservation_start = resubmit"));
    String files = placed + "," + observed + "," + reserved;
    site.up("--no-keeper --shards 2 --executors 0 --forward " + files).must();
    Site.await(SOON, "it is served", () -> said("pbsnodes " + host() + "@c7", "state = free"));
    for (String host : List.of("mrhost1", "mrhost2")) {
      Site.await(SOON, host + " is served", () -> said("pbsnodes " + host + "@c5", "state = free"));
    }
  }

  private Path cluster(String name, List<String> lines) throws IOException {
    Path file = PEER.file(site, name, spool, user);
    List<String> all = new ArrayList<>(Files.readAllLines(file));
    all.addAll(lines);
    return Files.write(file, all);
  }

  @AfterAll
  void down() throws Exception {
    if (site == null) {
      return;
    }
    try {
      PEER.down();
    } finally {
      site.close();
    }
  }

  private boolean said(String line, String word) throws IOException, InterruptedException {
    return site.told(line).contains(word);
  }

  /** Its own scheduler begins with mrhost1 as long as that has room. */
  @Test
  void aJobGoesToTheHostThatWasChosenHere() throws Exception {
    Shell.Answer check = site.run(site.checkout() + "/millrace outside check " + placed);
    assertTrue(check.out().contains("ok: queue mr.place has jobs from here only"), check::toString);
    Path output = site.folderOf(user, "place").resolve("out");
    String submit = "echo 'echo $QUEUE; hostname' | qsub -j oe -o " + output + " -q c5 ";
    List<String> hosts = new ArrayList<>();
    for (String options : List.of("", "-l select=1:host=mrhost2@c5")) {
      String id = site.run(user, site.folder(), submit + options).must().strip();
      site.awaitState(id, "F");
      JsonNode job = site.job(id);
      assertEquals(0, job.path("Exit_status").asInt(), job::toString);
      String chosen = job.path("exec_host").asText().replaceFirst("@.*", "");
      assertEquals(List.of("mr.place", chosen), Files.readAllLines(output));
      hosts.add(chosen);
    }
    assertEquals("mrhost2", hosts.get(1));
    // What nobody has chosen a host for begins on the other one, which was idle all the while.
    String by = "su mrmodes -s /bin/sh -c 'cd /; " + GRID;
    String own = "/usr/bin/qsub -terse -b y -q mr.place -o /dev/null -e /dev/null ";
    String number = site.run(by + own + "-l millrace=TRUE sleep 60'").must().strip();
    Site.await(
        SOON,
        "it begins there",
        () -> said(GRID + "/usr/bin/qstat -u mrmodes -s r", "mr.place@mrhost1"));
    String waits = site.run(by + own + "sleep 60'").must().strip();
    assertTrue(
        said(GRID + "sleep 3; /usr/bin/qstat -u mrmodes -s p", " " + waits + " "),
        "it does not ask for the complex");
    site.run(GRID + "/usr/bin/qdel " + number + " " + waits).must();
  }

  /** Both hosts are those that were chosen here, and the node file names them. */
  @Test
  void aRunOfTwoHostsGoesToBoth() throws Exception {
    Path output = site.folderOf(user, "two").resolve("out");
    String id =
        site.run(
                user,
                site.folder(),
                "echo 'sort $PBS_NODEFILE; echo $PE $NSLOTS $NHOSTS' | qsub -j oe -o "
                    + output
                    + " -q c5 -l select=2:ncpus=1 -l place=scatter")
            .must()
            .strip();
    site.awaitState(id, "F");
    JsonNode job = site.job(id);
    assertEquals(0, job.path("Exit_status").asInt(), job::toString);
    assertEquals(List.of("mrhost1", "mrhost2", "mrpe.1 2 2"), Files.readAllLines(output));
    String hosts = job.path("exec_host").asText();
    assertTrue(hosts.contains("mrhost1@c5/") && hosts.contains("mrhost2@c5/"), hosts);
  }

  /** Nothing of it is Millrace's, and all of it is shown. */
  @Test
  void whatIsOnlyLookedAtIsShown() throws Exception {
    String by = "su mrmodes -s /bin/sh -c 'cd /; " + GRID;
    String number =
        site.run(
                by
                    + "/usr/bin/qsub -terse -b y -q mr.q -N seen -o /dev/null -e /dev/null sleep 60'")
            .must()
            .strip();
    String id = number + ".c6";
    Site.await(SOON, "it is shown", () -> !line("qstat @c6", id).isEmpty());
    Site.await(SOON, "it runs", () -> line("qstat @c6", id).contains(" R "));
    String running = line("qstat @c6", id);
    assertTrue(running.contains(" mrmodes "), running);
    Site.await(
        SOON,
        "its host has it",
        () -> said("pbsnodes " + host() + "@c6", "resources_assigned.ncpus = 1"));
    assertTrue(shown(Topics.OUTSIDE_JOBS).contains("c6/" + number));
    assertTrue(shown(Topics.OUTSIDE_NODES).contains(host() + "@c6"));
    Site.await(SOON, "it has left the queue", () -> line("qstat @c6", id).isEmpty());
    String ended = line("qstat -x @c6", id);
    assertTrue(ended.contains(" F "), ended);
    assertTrue(said("pbsnodes -a", "mrhost1@c5"));
    ProcessHandle forwarder = site.processes().get("forward-c6");
    forwarder.destroy();
    forwarder.onExit().get();
    Shell.Answer forgotten = site.launcher("forward", "--cluster " + observed + " --forget");
    assertTrue(forgotten.out().contains(" of c6 taken back"), forgotten::toString);
    Set<String> left = shown(Topics.OUTSIDE_JOBS);
    left.addAll(shown(Topics.OUTSIDE_NODES));
    assertEquals(List.of(), left.stream().filter(it -> it.contains("c6")).toList());
  }

  /** A local job goes back to the queue; the forwarder is killed while the reservation lasts. */
  @Test
  void aReservationHasItsHostsForItsTime() throws Exception {
    Shell.Answer check = site.run(site.checkout() + "/millrace outside check " + reserved);
    assertTrue(check.out().contains("ok: reservations by root"), check::toString);
    String by = "su mrmodes -s /bin/sh -c 'cd /; " + GRID;
    site.run(by + "/usr/bin/qsub -terse -b y -q mr.q -N local -o /dev/null -e /dev/null sleep 600'")
        .must()
        .strip();
    Site.await(SOON, "it runs", () -> state("local").equals("r"));
    String start =
        DateTimeFormatter.ofPattern("yyyyMMddHHmm.ss").format(LocalDateTime.now().plusSeconds(75));
    String options =
        "-p c7 -I 60 -R " + start + " -D 900 -l select=1:ncpus=1:host=" + host() + "@c7";
    String made = site.run(user, site.folder(), "pbs_rsub " + options).must();
    assertTrue(made.contains(" CONFIRMED"), made);
    String name = made.replaceFirst("(?s)\\..*", "");
    String queue = "mr.c7." + name;
    Path output = site.folderOf(user, "reserve").resolve("out");
    String id =
        site.run(
                user, site.folder(), "echo 'echo $QUEUE' | qsub -j oe -o " + output + " -q " + name)
            .must()
            .strip();
    String instances = GRID + "/usr/bin/qstat -f -q " + queue;
    Site.await(SOON, "its queue is there, and suspended", () -> said(instances, " ds\n"));
    assertEquals("r", state("local"));
    site.awaitState(id, "F");
    assertEquals(0, site.job(id).path("Exit_status").asInt(), site.job(id)::toString);
    assertEquals(List.of(queue), Files.readAllLines(output));
    Site.await(SOON, "it waits again", () -> state("local").equals("qw"));
    ProcessHandle forwarder = site.processes().get("forward-c7");
    forwarder.destroyForcibly();
    forwarder.onExit().get();
    site.run(user, site.folder(), "pbs_rdel " + name).must();
    site.up("").must();
    Site.await(SOON, "the local job goes on", () -> state("local").equals("r"));
    Site.await(
        SOON,
        "nothing is left of it",
        () ->
            !said(
                GRID + "/usr/bin/qconf -sql; /usr/bin/qconf -sul; /usr/bin/qconf -shgrpl",
                "mr.c7."));
    site.run(GRID + "/usr/bin/qdel -u mrmodes").must();
  }

  /** Letters of the one job of a name in the cell. */
  private String state(String name) throws IOException, InterruptedException {
    String all = site.run(GRID + "/usr/bin/qstat -u mrmodes").out();
    List<String> found =
        all.lines()
            .map(it -> it.strip().split(" +"))
            .filter(it -> it.length > 4 && it[2].equals(name))
            .map(it -> it[4])
            .toList();
    return found.size() == 1 ? found.get(0) : found.toString();
  }

  private String host() throws IOException {
    return PEER.node().replaceFirst("@.*", "");
  }

  /** The line of a job; empty when it is not shown. */
  private String line(String command, String id) throws IOException, InterruptedException {
    return site.run(command).out().lines().filter(it -> it.startsWith(id)).findAny().orElse("");
  }

  /**
   * Keys of the records of a topic that were not taken back, as an independent reader sees them.
   */
  private Set<String> shown(String topic) throws IOException {
    Set<String> keys = new TreeSet<>();
    TopicContents.records(site.client(KafkaPrincipal.MONITOR), topic)
        .forEach(
            it -> {
              String key = new String(it.key(), StandardCharsets.UTF_8);
              if (it.value() == null) {
                keys.remove(key);
              } else {
                keys.add(key);
              }
            });
    return keys;
  }
}
