package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.installation.Installation;
import io.millrace.schemas.Topics;
import io.millrace.schemas.command.ReportRunFinished;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The key of a host is renewed while a report of it and an order for it are on their way, as {@code
 * ./millrace keys host add} renews it before it starts the executor again; then once more after
 * {@code qterm}, when the executor is what goes on.
 */
@Tag("night")
@Order(2)
@Shared(user = "mrhostkey", site = "second")
class HostKeyIT {
  private static final Duration SOON = Duration.ofSeconds(180);

  @Test
  void anEndAndAKillGoThroughWhileTheKeyIsRenewed(Site site, Account user) throws Exception {
    Path work = site.folderOf(user, "work");
    String ending = submit(site, user, work, "ending");
    String killed = submit(site, user, work, "killed");
    String staying = submit(site, user, work, "staying");
    ProcessHandle executor = site.processes().get("executor");

    long server = site.processes().get("server").pid();
    site.run("kill -STOP " + server).must();
    try {
      Files.createFile(work.resolve("go-ending"));
      Site.await(SOON, "its end is reported", () -> isReported(site, ending));
      HostFiles.renewOwn(site.home(), Installation.host(1));
    } finally {
      site.run("kill -CONT " + server).must();
    }
    site.awaitState(ending, "F");
    site.run("qdel " + killed).must();
    site.awaitState(killed, "F");
    assertEquals(executor, site.processes().get("executor"), "which has the old key all the time");

    site.run("qterm").must();
    Site.await(SOON, "the server ends", () -> !processes(site).containsKey("server"));
    site.launcher("keys", "host add " + Installation.host(1)).must();
    assertTrue(Files.exists(site.home().down()), "nothing else is started");
    assertNotEquals(executor, processes(site).get("executor"), "it gets the key nevertheless");
    site.up("").must();
    Files.createFile(work.resolve("go-staying"));
    site.awaitState(staying, "F");
    for (String id : new String[] {ending, staying}) {
      assertEquals(7, site.job(id).path("Exit_status").asInt(), id);
      assertEquals(1, site.job(id).path("run_count").asInt(), id);
    }
  }

  private static String submit(Site site, Account user, Path work, String name) throws Exception {
    String script = "until [ -e " + work + "/go-" + name + " ]; do sleep 0.1; done; exit 7";
    String id =
        site.run(user, work, "echo '" + script + "' | qsub -N " + name + " -l select=1:ncpus=1")
            .must()
            .strip();
    site.awaitState(id, "R");
    return id;
  }

  private static boolean isReported(Site site, String id) {
    try {
      return TopicContents.read(site.client(KafkaPrincipal.ADMIN), Topics.REPORTS).stream()
          .anyMatch(it -> it instanceof ReportRunFinished end && end.getJobId().equals(id));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static Map<String, ProcessHandle> processes(Site site) throws IOException {
    return site.processes();
  }
}
