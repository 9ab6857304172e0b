package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Jobs in a real Slurm whose master is in a container of a real docker; only root can start them.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("night")
class ForwardContainerIT {

  private static final Duration SOON = Duration.ofSeconds(180);
  private static final String NODE = "mr-host@c1";

  /** Programs that it takes, by Debian's packages. */
  private static final Map<String, String> NEEDED =
      Map.of(
          "dockerd", "docker.io",
          "/usr/bin/docker", "docker.io",
          "iptables", "iptables",
          "mmdebstrap", "mmdebstrap",
          "ip", "iproute2");

  private Site site;
  private Account user;
  private ContainerEngine engine;
  private SlurmContainers slurm;
  private Path shared;
  private Path file;

  @BeforeAll
  void up() throws Exception {
    assumeTrue(Account.superuser(), "SKIPPED: a container engine takes root's rights");
    site = Site.prepare("forward-container");
    for (Map.Entry<String, String> program : NEEDED.entrySet()) {
      assumeTrue(
          site.run("PATH=$PATH:/usr/sbin:/sbin command -v " + program.getKey()).status() == 0,
          () ->
              "SKIPPED: there is no "
                  + program.getKey()
                  + " here: apt-get install "
                  + program.getValue());
    }
    user = site.user("mrcont");
    engine = ContainerEngine.start(site.folder().resolve("engine"));
    shared = site.folder().resolve("shared");
    Path spool = shared.resolve("outside");
    site.run("install -d -m 755 " + shared + " " + spool).must();
    site.run("install -d -o mrcont " + spool + "/mrcont " + shared + "/work").must();
    Path parts = Files.createDirectory(site.folder().resolve("slurm"));
    slurm = new SlurmContainers(site, engine, parts, shared);
    slurm.up(user);
    file = Files.write(site.folder().resolve("c1.properties"), keys(spool));
    site.up("--no-keeper --shards 2 --executors 0 --forward " + file).must();
    Site.await(SOON, NODE + " is served", () -> nodeIs("free"));
  }

  private List<String> keys(Path spool) {
    return List.of(
        "name = c1",
        "system = slurm",
        "cluster_name = hand",
        "accounting = /var/spool/jobcomp",
        "spool = " + spool,
        "as = engine",
        "user.mrcont = mrcont",
        "transport = container",
        "container = " + SlurmContainers.MASTER,
        "container_socket = " + site.folder().resolve("engine/docker.sock"),
        "container_account = mrconnect");
  }

  @AfterAll
  void down() throws Exception {
    if (site == null) {
      return;
    }
    try {
      if (engine != null) {
        engine.close();
      }
    } finally {
      site.close();
    }
  }

  private boolean nodeIs(String state) throws Exception {
    return site.told("pbsnodes " + NODE).contains("state = " + state + "\n");
  }

  private String submit(String name, String script) throws Exception {
    String line =
        "echo '%s' | qsub -j oe -o %s -q c1".formatted(script, shared.resolve("work/" + name));
    return site.run(user, site.folder(), line).must().strip();
  }

  private String running(String name, String script) throws Exception {
    String id = submit(name, script);
    Site.await(SOON, id + " runs", () -> "R".equals(site.state(id)));
    Path begun = shared.resolve("work/" + name + ".begun");
    Site.await(SOON, id + " has begun", () -> Files.exists(begun));
    return id;
  }

  private int status(String id) throws Exception {
    site.awaitState(id, "F");
    return site.job(id).get("Exit_status").asInt();
  }

  private String script(String name, String rest) {
    return "touch " + shared.resolve("work/" + name + ".begun") + "; " + rest;
  }

  @Test
  void theCheckFindsAllWell() throws Exception {
    String said = site.run(site.checkout() + "/millrace outside check " + file).must();
    assertTrue(said.contains("ok: connection as mrconnect in container mr-master\n"), said);
    assertTrue(said.contains("ok: account mrcont\n"), said);
    assertTrue(said.endsWith("c1 can be used\n"), said);
  }

  @Test
  void theCheckNamesWhatIsWrong() throws Exception {
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.removeIf(it -> it.startsWith("container = "));
    lines.add("container = nosuch");
    Path other = Files.write(site.folder().resolve("other.properties"), lines);
    Shell.Answer answer = site.run(site.checkout() + "/millrace outside check " + other);
    assertEquals(1, answer.status(), answer::toString);
    assertTrue(answer.out().contains("there is no container nosuch; see 'container'"), answer::out);
  }

  @Test
  void scriptsRunAsTheirUserAndTheirStatusComesBack() throws Exception {
    String good = submit("good", "id -un; echo $SLURM_JOB_ID; hostname");
    String bad = submit("bad", "exit 7");
    assertEquals(0, status(good));
    assertEquals(7, status(bad));
    List<String> printed = Files.readAllLines(shared.resolve("work/good"));
    assertEquals("mrcont", printed.get(0));
    assertTrue(printed.get(1).matches("[0-9]+"), printed::toString);
    assertEquals("mr-host", printed.get(2));
  }

  @Test
  void aJobIsDeletedThere() throws Exception {
    String id = running("deleted", script("deleted", "sleep 300"));
    site.run(user, site.folder(), "qdel " + id).must();
    assertEquals(271, status(id));
    Site.await(
        SOON, "its queue is empty", () -> slurm.in(SlurmContainers.MASTER, "squeue -h").isBlank());
  }

  /** What runs goes on, and its end comes back by way of the container that was begun anew. */
  @Test
  void aMasterThatIsBegunAnewEndsNoRun() throws Exception {
    String id = running("anew", script("anew", "sleep 20; exit 5"));
    slurm.docker("restart --time 60 " + SlurmContainers.MASTER).must();
    assertEquals(5, status(id));
    assertEquals(1, site.job(id).get("run_count").asInt());
    assertEquals(0, status(submit("behind", "true")));
  }

  /** Another container of its name would say that it has no such job. */
  @Test
  void aMasterInThePlaceOfTheOldOneIsNotBelieved() throws Exception {
    String id = running("other", script("other", "sleep 60; exit 6"));
    slurm.docker("rename " + SlurmContainers.MASTER + " mr-old").must();
    slurm.docker("stop --time 60 mr-old").must();
    try {
      String uid = site.run("id -u mrcont").must().strip();
      slurm.start(SlurmContainers.MASTER, "master", uid, "--network none");
      Site.await(
          SOON, "it is said", () -> site.told("why " + id).contains("mr-master is another one ("));
      assertEquals("R", site.state(id));
    } finally {
      slurm.docker("rm --force " + SlurmContainers.MASTER).must();
      slurm.docker("rename mr-old " + SlurmContainers.MASTER).must();
      slurm.docker("start " + SlurmContainers.MASTER).must();
    }
    assertEquals(6, status(id));
    assertEquals(1, site.job(id).get("run_count").asInt());
  }
}
