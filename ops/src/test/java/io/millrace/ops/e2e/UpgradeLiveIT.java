package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.home.BuildMark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Parts are replaced by those of the same build while scripts run: what can be tested without a
 * second build.
 */
@Beside
@Tag("night")
class UpgradeLiveIT {

  private static final Duration PATIENCE = Duration.ofSeconds(180);

  /** The job "alone" ends while there is no gateway, in the middle of the upgrade. */
  private static final String SCRIPT =
      """
      cd $PBS_O_WORKDIR
      echo $$ >pid-$PBS_JOBNAME.new; mv pid-$PBS_JOBNAME.new pid-$PBS_JOBNAME
      echo $PBS_JOBID >>begun
      n=0
      until [ -e go ] || [ $PBS_JOBNAME = alone -a -e armed -a ! -e GATEWAY ] || [ $n -ge 9000 ]; do
        n=$((n+1)); echo step $n; sleep 0.1
      done
      echo last
      exit 5
      """;

  @Test
  void scriptsRunOnWhilePartsAreReplaced() throws Exception {
    try (Site site = Site.prepare("upgrade")) {
      new Live(site, site.user("mrparts")).tell();
    }
  }

  private static final class Live {
    private final Site site;
    private final Account user;
    private final Path work;
    private final Map<String, String> ids = new LinkedHashMap<>();

    Live(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work");
    }

    void tell() throws Exception {
      site.up("--shards 2 --resources ncpus=5").must();
      site.run("qmgr -c 'set server job_history_enable = True'").must();
      String gateway = site.home().pid("gateway").toString();
      Path script = work.resolve("script.sh");
      user.own(site.folder(), Files.writeString(script, SCRIPT.replace("GATEWAY", gateway)));
      submit("one", "-l ncpus=1");
      submit("two", "-l ncpus=1");
      submit("alone", "-l ncpus=1");
      submit("waits", "-l ncpus=3");
      Site.await(PATIENCE, "three scripts run", () -> lines("begun") == 3);
      Map<String, Long> processes = processes();
      String reserved = reserve();

      for (String part : List.of("executor", "gateway", "server")) {
        replace(part);
        assertEquals(processes, processes(), "scripts live after the " + part);
        assertEquals(reserved, reservations(), "reserved after the " + part);
      }
      Files.createFile(work.resolve("armed"));
      Map<String, ProcessHandle> parts = site.processes();
      Shell.Answer upgrade = site.launcher("upgrade", "");
      String both = BuildMark.current().text();
      assertTrue(upgrade.must().contains("from " + both + " to " + both), upgrade.toString());
      assertEquals(parts.keySet(), site.processes().keySet());
      parts.forEach((part, was) -> assertTrue(Machine.gone(was), part + " was replaced"));
      refusesTheHomeOfANewerOne();
      assertEquals(reserved, reservations(), "reserved after the upgrade");

      site.awaitState(ids.get("alone"), "F");
      for (String name : List.of("one", "two")) {
        assertEquals("R", site.state(ids.get(name)));
        assertTrue(alive(processes.get(name)), name + " lives");
      }
      Files.createFile(work.resolve("go"));
      for (Map.Entry<String, String> job : ids.entrySet()) {
        site.awaitState(job.getValue(), "F");
        endedOnce(job.getKey(), site.job(job.getValue()));
      }
      assertEquals(ids.size(), lines("begun"));
      accounted();
    }

    /** In two days; what is told of it. */
    private String reserve() throws Exception {
      String start = site.run("date -d '+2 days' +%Y%m%d%H%M").must().strip();
      String line = "pbs_rsub -I 60 -N kept -R " + start + " -D 3600 -l select=1:ncpus=2";
      assertTrue(site.run(user, work, line).must().contains(" CONFIRMED"));
      return reservations();
    }

    private String reservations() throws Exception {
      return site.run("pbs_rstat -f").must();
    }

    private void submit(String name, String options) throws Exception {
      String line = "umask 022; qsub -j oe -N " + name + " " + options + " script.sh";
      ids.put(name, site.run(user, work, line).must().strip());
    }

    private void replace(String part) throws Exception {
      ProcessHandle was = site.processes().get(part);
      was.destroy();
      Site.await(PATIENCE, part + " ended", () -> Machine.gone(was));
      site.up("").must();
      assertTrue(site.processes().containsKey(part));
    }

    /** The refusal stops no part either. */
    private void refusesTheHomeOfANewerOne() throws Exception {
      String own = Files.readString(site.home().build());
      Map<String, ProcessHandle> parts = site.processes();
      Files.writeString(site.home().build(), "version=99.1\nschema_level=12345\n");
      for (String word : List.of("up", "upgrade")) {
        Shell.Answer refused = site.launcher(word, "");
        assertEquals(1, refused.status(), refused.toString());
        assertEquals(1, refused.err().lines().count(), refused.err());
        assertTrue(refused.err().contains("Millrace 99.1 (schema level 12345)"), refused.err());
        assertTrue(refused.err().contains(BuildMark.current().text()), refused.err());
      }
      Files.writeString(site.home().build(), own);
      assertEquals(parts, site.processes());
    }

    private void endedOnce(String name, JsonNode job) throws IOException {
      assertEquals(5, job.path("Exit_status").asInt(), job.toString());
      assertEquals(1, job.path("run_count").asInt(), job.toString());
      String number = ids.get(name).replaceFirst("\\..*", "");
      List<String> output = Files.readAllLines(work.resolve(name + ".o" + number));
      assertEquals("last", output.get(output.size() - 1));
      for (int i = 0; i < output.size() - 1; i++) {
        assertEquals("step " + (i + 1), output.get(i), name);
      }
    }

    private void accounted() throws Exception {
      Path folder = site.home().accounting();
      Site.await(
          PATIENCE, "all ends are told", () -> AccountLines.count(folder, "E") == ids.size());
      for (String id : ids.values()) {
        assertEquals(List.of("E", "Q", "S"), AccountLines.kinds(folder, id));
      }
    }

    private Map<String, Long> processes() throws IOException {
      Map<String, Long> processes = new LinkedHashMap<>();
      for (String name : List.of("one", "two", "alone")) {
        long pid = Long.parseLong(Files.readString(work.resolve("pid-" + name)).strip());
        assertTrue(alive(pid), name + " lives");
        processes.put(name, pid);
      }
      return processes;
    }

    private static boolean alive(long pid) {
      return ProcessHandle.of(pid).map(it -> !Machine.gone(it)).orElse(false);
    }

    private long lines(String file) throws IOException {
      return Files.exists(work.resolve(file)) ? Files.readAllLines(work.resolve(file)).size() : 0;
    }
  }
}
