package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A real Slurm with a partition of two hosts that is Millrace's; only root can start it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock(OutsidePeer.ALL)
@Tag("night")
class SlurmPlaceIT {

  private static final Duration SOON = Duration.ofSeconds(180);
  private static final OutsidePeer PEER = OutsidePeer.SLURM;
  private static final List<String> HOSTS = List.of("mrhost1", "mrhost2");

  private Site site;
  private Account user;
  private Path placed;

  @BeforeAll
  void up() throws Exception {
    assumeTrue(Account.superuser(), "only root can start a Slurm");
    site = Site.prepare("place");
    user = site.user("mrplacer");
    PEER.up();
    PEER.assumeUp();
    PEER.more();
    Path spool = site.folder().resolve("outside");
    site.run("install -d -m 755 " + spool + " && install -d -o mrplacer " + spool + "/mrplacer")
        .must();
    Path file = PEER.file(site, "c5", spool, user);
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.addAll(List.of("mode = place", "queue = mrplace"));
    placed = Files.write(file, lines);
    site.up("--no-keeper --shards 2 --executors 0 --forward " + placed).must();
    for (String host : HOSTS) {
      Site.await(SOON, host + " is served", () -> said("pbsnodes " + host + "@c5", "state = free"));
    }
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

  private String check() throws IOException, InterruptedException {
    return site.run(site.checkout() + "/millrace outside check " + placed).out();
  }

  /** Slurm begins with mrhost1 as long as that has room. */
  @Test
  void aJobGoesToTheHostThatWasChosenHere() throws Exception {
    Path output = site.folderOf(user, "place").resolve("out");
    String job = "echo 'echo $SLURM_JOB_PARTITION; echo $SLURMD_NODENAME' | qsub -j oe -q c5 -o ";
    List<String> hosts = new ArrayList<>();
    for (String options : List.of("", " -l select=1:host=mrhost2@c5")) {
      String id = site.run(user, site.folder(), job + output + options).must().strip();
      site.awaitState(id, "F");
      JsonNode shown = site.job(id);
      assertEquals(0, shown.path("Exit_status").asInt(), shown::toString);
      String chosen = shown.path("exec_host").asText().replaceFirst("@.*", "");
      assertEquals(List.of("mrplace", chosen), Files.readAllLines(output), shown::toString);
      hosts.add(chosen);
    }
    assertEquals("mrhost2", hosts.get(1));
    // What nobody has chosen a host for begins on the other one, which was idle all the while.
    String own = "sbatch --parsable --wrap 'sleep 30' -p mrplace -o /dev/null -D /";
    String by = "su mrplacer -s /bin/sh -c \"cd /; " + own + "\"";
    String number = site.run(by).must().strip();
    Site.await(
        SOON, "it begins there", () -> said("squeue -h -t R -o '%A %N'", number + " mrhost1"));
    site.run("scancel " + number).must();
  }

  /** Each mistake of the partition is a line; without any it is said to be well. */
  @Test
  void theCheckFindsMistakesOfThePartition() throws Exception {
    String good = "ok: partition mrplace has jobs from here only";
    assertTrue(check().contains(good), check());
    String update = "scontrol update PartitionName=mrplace ";
    site.run(update + "Default=YES").must();
    assertTrue(check().contains("mrplace takes jobs that name no partition"), check());
    site.run("scontrol update PartitionName=batch Default=YES").must();
    String from = site.told("scontrol show partition mrplace | grep -o 'AllocNodes=[^ ]*'").strip();
    site.run(update + "AllocNodes=ALL").must();
    assertTrue(check().contains("mrplace takes jobs from all hosts"), check());
    site.run(update + from).must();
    site.run("scontrol update PartitionName=batch Nodes=$(hostname),mrhost1").must();
    assertTrue(check().contains("host mrhost1 is in "), check());
    site.run("scontrol update PartitionName=batch Nodes=$(hostname)").must();
    assertTrue(check().contains(good), check());
  }
}
