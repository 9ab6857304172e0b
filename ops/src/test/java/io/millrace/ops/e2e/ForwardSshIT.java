package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.testkit.PeerSshd;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Jobs in a real Slurm that is reached by a real sshd; only root can start them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ResourceLock(OutsidePeer.ALL)
@Tag("night")
class ForwardSshIT {

  private static final Duration SOON = Duration.ofSeconds(180);
  private static final OutsidePeer PEER = OutsidePeer.SLURM;

  private Site site;
  private Account user;
  private PeerSshd sshd;
  private Path work;
  private Path file;

  @BeforeAll
  void up() throws Exception {
    assumeTrue(Account.superuser(), "only root can start a Slurm and an sshd");
    site = Site.prepare("forward-ssh");
    user = site.user("mrssh");
    PEER.up();
    PEER.assumeUp();
    sshd = new PeerSshd();
    Optional<String> absent = sshd.up();
    absent.ifPresent(it -> System.out.println("e2e: SKIPPED with an sshd: " + it));
    assumeTrue(absent.isEmpty(), () -> absent.orElse(""));
    work = site.folderOf(user, "work");
    Path spool = site.folder().resolve("outside");
    site.run("install -d -m 755 " + spool + " && install -d -o mrssh " + spool + "/mrssh").must();
    file = PEER.file(site, PEER.cluster, spool, user);
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.removeIf(it -> it.startsWith("user.root"));
    lines.addAll(PeerSshd.keys());
    Files.write(file, lines);
    site.up("--no-keeper --shards 2 --executors 0 --forward " + file).must();
    Site.await(SOON, PEER.node() + " is served", () -> nodeIs("free"));
  }

  @AfterAll
  void down() throws Exception {
    if (site == null) {
      return;
    }
    try {
      PEER.down();
      if (sshd != null) {
        sshd.down();
      }
    } finally {
      site.close();
    }
  }

  private boolean nodeIs(String state) throws Exception {
    return site.told("pbsnodes " + PEER.node()).contains("state = " + state + "\n");
  }

  private String submit(String name, String script) throws Exception {
    String line =
        "echo '%s' | qsub -j oe -o %s -q %s".formatted(script, work.resolve(name), PEER.cluster);
    return site.run(user, site.folder(), line).must().strip();
  }

  @Test
  void theCheckFindsAllWell() throws Exception {
    String said = site.run(site.checkout() + "/millrace outside check " + file).must();
    assertTrue(said.contains("ok: connection as mrconnect on 127.0.0.1\n"), said);
    assertTrue(said.contains("ok: account mrssh\n"), said);
    assertTrue(said.endsWith(PEER.cluster + " can be used\n"), said);
  }

  @Test
  void anUnknownHostIsNamed() throws Exception {
    Path none = Files.writeString(site.folder().resolve("known-none"), "# nobody\n");
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.removeIf(it -> it.startsWith("ssh_known_hosts"));
    lines.add("ssh_known_hosts = " + none);
    Path other = Files.write(site.folder().resolve("other.properties"), lines);
    Shell.Answer answer = site.run(site.checkout() + "/millrace outside check " + other);
    assertEquals(1, answer.status(), answer::toString);
    assertTrue(answer.out().contains("is not known: ssh-ed25519 SHA256:"), answer::out);
  }

  /** The connection breaks off while it runs, and the end comes back all the same. */
  @Test
  void aScriptRunsThereAsItsUserAndItsStatusComesBack() throws Exception {
    String id = submit("out", "id -un; echo $SLURM_JOB_ID; sleep 5; exit 7");
    Site.await(SOON, id + " runs", () -> "R".equals(site.state(id)));
    sshd.cut();
    site.awaitState(id, "F");
    assertEquals(7, site.job(id).get("Exit_status").asInt());
    List<String> printed = Files.readAllLines(work.resolve("out"));
    assertEquals("mrssh", printed.get(0));
    assertTrue(printed.get(1).matches("[0-9]+"), printed::toString);
  }

  @Test
  void aJobIsDeletedThere() throws Exception {
    String id = submit("deleted", "sleep 300");
    Site.await(SOON, id + " runs", () -> "R".equals(site.state(id)));
    site.run(user, site.folder(), "qdel " + id).must();
    site.awaitState(id, "F");
    assertEquals(271, site.job(id).get("Exit_status").asInt());
    Site.await(SOON, "its queue is empty", () -> PEER.present(site, user).isEmpty());
  }
}
