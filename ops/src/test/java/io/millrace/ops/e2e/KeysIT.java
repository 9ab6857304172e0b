package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.KeyFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code ./millrace keys renew} while a job runs; one that is killed half-way. */
@Beside
@Tag("night")
class KeysIT {

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  @Test
  void passwordsAreRenewedWhileAJobRuns() throws Exception {
    try (Site site = Site.prepare("keys")) {
      site.up("--shards 2").must();
      site.qmgr("set server acl_roots += root");
      Path go = site.folder().resolve("go");
      String script = "while [ ! -e " + go + " ]; do sleep 0.1; done";
      String id = site.run("echo '" + script + "' | qsub -l select=1:ncpus=1").must().strip();
      site.awaitState(id, "R");

      Map<String, Object> admin = site.client(KafkaPrincipal.ADMIN);
      Map<String, ProcessHandle> before = site.processes();
      Shell.Answer answer = site.launcher("keys", "renew admin gateway executor monitor");
      answer.must();
      assertTrue(
          answer.out().contains("new keys: admin, gateway, executor, monitor"), answer.toString());
      Map<String, ProcessHandle> after = site.processes();
      assertEquals(before.keySet(), after.keySet());
      for (String part : before.keySet()) {
        boolean same = List.of("broker", "server", "keeper").contains(part);
        assertEquals(same, before.get(part).equals(after.get(part)), part);
      }
      assertRefused(admin);

      killedHalfWay(site);
      Site.await(PATIENCE, "the executor serves", () -> ExecutorNodes.allServe(site));
      Files.createFile(go);
      site.awaitState(id, "F");
      assertEquals(1, site.job(id).path("run_count").asInt());
    }
  }

  private static void killedHalfWay(Site site) throws Exception {
    Map<String, Object> admin = site.client(KafkaPrincipal.ADMIN);
    Process renewal =
        new ProcessBuilder(
                site.checkout() + "/millrace",
                "keys",
                "renew",
                "--home",
                site.home().root().toString())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path next = KeyFiles.next(site.home(), KafkaPrincipal.MONITOR);
    Site.await(PATIENCE, "it has begun", () -> Files.exists(next) || !renewal.isAlive());
    renewal.destroyForcibly().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    site.qmgr("set server scheduling = True");
    site.up().must();
    assertEquals(List.of(), KeyFiles.begun(site.home()));
    assertNotEquals(admin, site.client(KafkaPrincipal.ADMIN));
    for (KafkaPrincipal principal : KafkaPrincipal.values()) {
      logIn(site.client(principal));
    }
    site.launcher("keys", "renew").must();
    site.qmgr("set server scheduling = True");
  }

  private static void logIn(Map<String, Object> settings) throws Exception {
    try (Admin admin = Admin.create(settings)) {
      admin.describeCluster().clusterId().get();
    }
  }

  private static void assertRefused(Map<String, Object> settings) {
    ExecutionException refused = assertThrows(ExecutionException.class, () -> logIn(settings));
    assertInstanceOf(SaslAuthenticationException.class, refused.getCause());
  }
}
