package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.ops.home.BuildMark;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Principal;
import io.millrace.schemas.fact.RunFinished;
import io.millrace.schemas.fact.RunGranted;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The home of a real earlier build, kept among the resources (made by {@code
 * ops/src/test/upgrade/make-home.sh}), goes on under this build: topics, stores, spool, accounting.
 */
class UpgradeIT {

  private static final Duration PATIENCE = Duration.ofSeconds(120);
  private static final String USER = "mrupgrade";

  /** What changes by itself, or says in words how things stand at the moment. */
  private static final Set<String> MOVING =
      Set.of("eligible_time", "resources_used", "comment", "estimated");

  private static final String MAIL = "Mail_Points";

  @Test
  void everyJobIsThereAndNoneRunsTwice() throws Exception {
    assumeTrue(Account.superuser(), "e2e: SKIPPED, the jobs' user can be made by root only");
    try (Site site = Site.prepare("earlier")) {
      Account user = site.user(USER);
      try (Hosts hosts = new Hosts(site.folder(), false)) {
        new Story(site, user, hosts).tell();
      }
    }
  }

  private static final class Story {
    private final Site site;
    private final Account user;
    private final Hosts hosts;
    private final ObjectMapper json = new ObjectMapper();
    private final Map<String, String> ids = new LinkedHashMap<>();

    Story(Site site, Account user, Hosts hosts) {
      this.site = site;
      this.user = user;
      this.hosts = hosts;
    }

    void tell() throws Exception {
      unpack();
      Map<String, JsonNode> before = jobs();
      List<String> accounted = AccountLines.all(site.home().accounting());

      Shell.Answer upgrade = site.launcher("upgrade", "");
      String to = "from an earlier Millrace to " + BuildMark.current().text();
      assertTrue(upgrade.must().contains(to), upgrade.toString());
      assertTrue(upgrade.out().contains("made the topics heartbeats"), upgrade.toString());
      asBefore(before, site.jobs());
      List<String> settings = site.run("qmgr -c 'print server'").must().lines().toList();
      for (String line : Files.readAllLines(site.folder().resolve("server.txt"))) {
        assertTrue(settings.contains(line), line + " is not in " + settings);
      }

      hosts.start(site, "n1", "ncpus=4", site.home().spool("n1"));
      goOn();
      String next = site.run(user, user.home(), "qsub -h -- /bin/true").must().strip();
      assertFalse(before.containsKey(next), next);
      ranOnce();
      ledgerIsReadable();
      accountsGoOn(accounted, next);
    }

    private void unpack() throws IOException, InterruptedException, URISyntaxException {
      Path packed = Path.of(UpgradeIT.class.getResource("/upgrade/home-1.tar.gz").toURI());
      site.run("tar -xzf " + packed).must();
      Instant made = Files.getLastModifiedTime(site.folder().resolve("ran")).toInstant();
      assumeTrue(
          Instant.now().isAfter(made),
          "e2e: SKIPPED, the clock is before "
              + made
              + ", when the"
              + " home was made: its shards would take every command for too old");
      for (String line : Files.readAllLines(site.folder().resolve("ids"))) {
        ids.put(line.split(" ")[0], line.split(" ")[1]);
      }
      Path ran = Files.copy(site.folder().resolve("ran"), user.home().resolve("ran"));
      user.own(site.folder(), ran);
      site.run("chown " + USER + " " + site.home().spool("n1") + "/runs/*/*.SC").must();
      freePorts();
    }

    /** Those with which it was made may be another's here. */
    private void freePorts() throws IOException {
      ClusterSettings was = site.cluster();
      ClusterSettings is = ClusterSettings.embedded(was.shards(), "");
      is.write(site.home());
      for (Principal principal : Principal.values()) {
        Path client = site.home().client(principal);
        String text = Files.readString(client);
        Files.writeString(client, text.replace(was.bootstrapServers(), is.bootstrapServers()));
      }
    }

    private Map<String, JsonNode> jobs() throws IOException {
      Map<String, JsonNode> jobs = new LinkedHashMap<>();
      json.readTree(site.folder().resolve("jobs.json").toFile())
          .path("Jobs")
          .fields()
          .forEachRemaining(job -> jobs.put(job.getKey(), job.getValue()));
      return jobs;
    }

    /** All that the earlier build said of a job is still said; there may be more. */
    private static void asBefore(Map<String, JsonNode> before, Map<String, JsonNode> now) {
      assertEquals(before.keySet(), now.keySet());
      List<String> different = new ArrayList<>();
      before.forEach(
          (id, job) -> {
            Iterator<Map.Entry<String, JsonNode>> said = job.fields();
            while (said.hasNext()) {
              Map.Entry<String, JsonNode> it = said.next();
              JsonNode is = now.get(id).get(it.getKey());
              if (it.getKey().equals(MAIL)) {
                // That build sent none; now it is as always in PBS where nothing was asked for.
                assertEquals("a", is.asText());
              } else if (!MOVING.contains(it.getKey()) && !it.getValue().equals(is)) {
                different.add(id + " " + it.getKey() + ": " + it.getValue() + ", now " + is);
              }
            }
          });
      assertEquals(List.of(), different);
    }

    /** What ran ends as it must, and what waited runs. */
    private void goOn() throws Exception {
      // Nobody was there when it ended; its supervisor, of the earlier build, wrote down how.
      ends("first", 7);
      // Its supervisor did not come along: nobody can say how it ended, and it is not run again.
      ends("second", -4);
      ends("waits", 0);
      // After the success of that one; the other one after the failure of the first.
      ends("behind", 0);
      ends("routed", 0);
      ends("onfail", 0);
      site.run("qrls -h s " + ids.get("array")).must();
      ends("array", 0);
      site.run("qrls " + ids.get("held")).must();
      ends("held", 0);
      site.run(
              "qmgr -c 'create node n1-night Mom=n1, partition=P1,"
                  + "resources_available.ncpus=1'")
          .must();
      ends("night", 0);
      assertEquals("W", site.state(ids.get("later")));
      assertEquals("H", site.state(ids.get("altered")));
      assertEquals(77, site.job(ids.get("altered")).path("Priority").asInt());
    }

    private void ends(String name, int status) throws Exception {
      site.awaitState(ids.get(name), "F");
      JsonNode job = site.job(ids.get(name));
      assertEquals(status, job.path("Exit_status").asInt(), job.toString());
      assertTrue(job.path("run_count").asInt(1) == 1, job.toString());
    }

    private void ranOnce() throws IOException {
      List<String> ran = Files.readAllLines(user.home().resolve("ran"));
      Set<String> expected =
          Stream.of(
                  "done", "fails", "first", "second", "waits", "behind", "routed", "onfail", "held",
                  "night")
              .map(ids::get)
              .collect(Collectors.toCollection(TreeSet::new));
      for (int i = 1; i <= 6; i++) {
        expected.add(subjob(i));
      }
      assertEquals(List.copyOf(expected), ran.stream().sorted().toList());
    }

    private String subjob(int index) {
      return ids.get("array").replace("[]", "[" + index + "]");
    }

    /**
     * From its first record, of the earlier build, to the last; each run was granted and ended
     * once.
     */
    private void ledgerIsReadable() throws Exception {
      List<String> granted = new ArrayList<>();
      List<String> finished = new ArrayList<>();
      for (Object fact : Tape.read(site.client(Principal.MONITOR), "ledger")) {
        if (fact instanceof RunGranted run) {
          granted.add(run.getJobId() + " run " + run.getRun());
        } else if (fact instanceof RunFinished run) {
          finished.add(run.getJobId() + " run " + run.getRun());
        }
      }
      assertEquals(Set.copyOf(granted).size(), granted.size(), granted.toString());
      assertEquals(granted.stream().sorted().toList(), finished.stream().sorted().toList());
      assertEquals(16, granted.size(), granted.toString());
    }

    private void accountsGoOn(List<String> before, String next) throws Exception {
      Path folder = site.home().accounting();
      // The ledger is whole by now; those who write the files may be behind it, shard by shard.
      Path again = site.folder().resolve("accounts");
      site.launcher("accounting", "--into " + again).must();
      int written = heads(again).size();
      Site.await(PATIENCE, written + " lines", () -> heads(folder).size() >= written);
      assertEquals(heads(again), heads(folder));
      List<String> lines = AccountLines.all(folder);
      assertEquals(before, lines.subList(0, before.size()));
      for (String name :
          List.of(
              "done", "first", "second", "waits", "routed", "night", "held", "behind", "onfail")) {
        assertEquals(List.of("E", "Q", "S"), AccountLines.kinds(folder, ids.get(name)), name);
      }
      for (int i = 1; i <= 6; i++) {
        assertEquals(List.of("E", "S"), AccountLines.kinds(folder, subjob(i)));
      }
      assertEquals(List.of("Q"), AccountLines.kinds(folder, next));
    }

    /**
     * When, what and whose; the rest of a line may have more in a later build. Of alterations the
     * earlier build wrote no lines, which a rebuild has.
     */
    private static List<String> heads(Path folder) {
      return AccountLines.all(folder).stream()
          .filter(line -> !line.contains(";a;"))
          .map(
              line ->
                  line.substring(
                      0, line.indexOf(';', line.indexOf(';', line.indexOf(';') + 1) + 1)))
          .sorted()
          .toList();
    }
  }
}
