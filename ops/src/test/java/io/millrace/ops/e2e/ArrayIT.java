package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.ops.installation.Installation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/** Job arrays from the shell: limits, queries, completion, deletion, and a crash. */
@Order(2)
@Shared(user = "mrarray", site = "second")
class ArrayIT {
  private static final Duration PATIENCE = Duration.ofSeconds(180);

  private static final String SCRIPT =
      """
      cd $PBS_O_WORKDIR
      echo "$PBS_ARRAY_INDEX $PBS_ARRAY_ID $PBS_JOBID" >>seen
      echo output of $PBS_ARRAY_INDEX
      until [ -e go ]; do sleep 0.05; done
      [ $PBS_ARRAY_INDEX != 5 ]
      """;

  private static final String COUNTING =
      """
      echo $PBS_ARRAY_INDEX >>$PBS_O_WORKDIR/counted
      sleep 0.3
      """;

  @Test
  void arraysRunAndAreDeleted(Site site, Account user) throws Exception {
    new Scenario(site, user).run();
  }

  private static final class Scenario {
    private final Site site;
    private final Account user;
    private final Path work;

    Scenario(Site site, Account user) throws IOException, InterruptedException {
      this.site = site;
      this.user = user;
      this.work = site.folderOf(user, "work");
    }

    private Shell.Answer as(String line) throws Exception {
      return site.run(user, work, line);
    }

    void run() throws Exception {
      Path script = Files.writeString(work.resolve("script.sh"), SCRIPT);
      user.own(site.folder(), script);
      String array = as("qsub -N arr -J 1-7:2%2 script.sh").must().strip();
      assertTrue(array.matches("\\d+\\[]\\..+"), array);
      String server = array.substring(array.indexOf('.') + 1);
      String number = array.substring(0, array.indexOf('['));
      Site.await(PATIENCE, "two run", () -> seen().size() == 2);
      JsonNode shown = site.job(array);
      assertEquals("B", shown.path("job_state").asText());
      assertEquals("1-7:2", shown.path("array_indices_submitted").asText());
      assertEquals("5-7:2", shown.path("array_indices_remaining").asText());
      String states = as("qstat -tw | awk 'NR > 2 {print $1, $5}'").must();
      String expected = "";
      for (String row : List.of("[] B", "[1] R", "[3] R", "[5] Q", "[7] Q")) {
        expected += number + row.replace(" ", "." + server + " ") + "\n";
      }
      assertEquals(expected, states);
      assertEquals("1\n", as("qstat | grep -c " + number).must());
      Files.createFile(work.resolve("go"));
      site.awaitState(array, "F");
      assertEquals(1, site.job(array).path("Exit_status").asInt(), "one of them failed");
      assertEquals(4, seen().size());
      assertTrue(seen().contains("7 " + array + " " + number + "[7]." + server), "" + seen());
      assertEquals("output of 5\n", Files.readString(work.resolve("arr.o" + number + ".5")));
      deletion();
      everyIndexOnce();
    }

    /** Every index runs exactly once; at night server and executor are killed half-way. */
    private void everyIndexOnce() throws Exception {
      Path script = Files.writeString(work.resolve("count.sh"), COUNTING);
      user.own(site.folder(), script);
      int size = Integer.getInteger("millrace.array", Site.NIGHT ? 300 : 100);
      String host = Installation.host(1);
      site.qmgr("set node " + host + " resources_available.ncpus = 64");
      String array = as("qsub -N many -J 1-" + size + "%50 count.sh").must().strip();
      Site.await(PATIENCE, "a part of it runs", () -> counted().size() > Math.min(size / 5, 200));
      if (Site.NIGHT) {
        site.killAndUp("server", "executor");
      }
      long begin = System.nanoTime();
      Duration patience = PATIENCE.plusMillis(100L * size);
      Site.await(patience, "all have run", () -> counted().size() >= size);
      System.out.printf(
          "array: %d subjobs, the last after %d ms%n",
          size, (System.nanoTime() - begin) / 1_000_000);
      site.awaitState(array, "F");
      assertEquals(0, site.job(array).path("Exit_status").asInt());
      List<Integer> expected = IntStream.rangeClosed(1, size).boxed().toList();
      assertEquals(expected, counted().stream().map(Integer::parseInt).sorted().toList());
      String states =
          as("qstat -xt '" + array + "' | awk 'NR > 3 {print $5}' | sort | uniq -c").must();
      assertEquals(size + " F", states.strip());
      String behind = as("qsub -h -- /bin/true").must().strip();
      // Job numbers are leased in blocks, so earlier jobs of other users may have higher ones.
      String own = "awk '$3 == \"" + user.name() + "\" {print $1}'";
      String listed = as("qstat -xw | " + own + " | tail -n 2").must();
      assertEquals(array + "\n" + behind + "\n", listed, "an array is one row");
      accounts(array, size);
      site.qmgr("unset node " + host + " resources_available.ncpus");
    }

    /** The files have one start and one end of each subjob and of the array. */
    private void accounts(String array, int size) throws Exception {
      String number = array.substring(0, array.indexOf('['));
      String ids = "cat " + site.home().accounting() + "/2* | cut -d';' -f2,3 | grep '%s;" + number;
      String end = ids.formatted("E") + "\\[]' | wc -l";
      Site.await(
          PATIENCE, "the end of the array is told", () -> site.told(end).strip().equals("1"));
      for (String letter : List.of("S", "E")) {
        String each = ids.formatted(letter) + "\\[' | sort | uniq -c | awk '{print $1}' | uniq -c";
        assertEquals(
            size + 1 + " 1", site.run(each).must().strip().replaceAll("\\s+", " "), letter);
      }
      assertEquals("1", site.run(ids.formatted("Q") + "\\[' | wc -l").must().strip());
    }

    private List<String> counted() throws IOException {
      Path file = work.resolve("counted");
      return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    private void deletion() throws Exception {
      site.qmgr("set server max_array_size = 100000");
      Files.delete(work.resolve("go"));
      String array = as("qsub -N big -J 1-100000 script.sh").must().strip();
      int begun = 4 + SharedSite.PROCESSORS; // with the four of the array before
      Site.await(PATIENCE, "some run", () -> seen().size() == begun);
      as("qdel " + array.replace("[]", "[50000-50004:2]")).must();
      String count = site.job(array).path("array_state_count").asText();
      assertTrue(count.endsWith("Expired:3"), count);
      as("qdel " + array.replace("[]", "[1]")).must();
      Site.await(PATIENCE, "another one runs", () -> seen().size() == begun + 1);
      String one = array.replace("[]", "[1]");
      assertEquals("X", as("qstat '" + one + "' | awk 'NR > 2 {print $5}'").must().strip());
      Shell.Answer again = as("qdel '" + one + "'");
      assertEquals("qdel: Request invalid for finished array subjob " + one + "\n", again.err());
      as("qhold " + array).must();
      assertEquals("H", site.job(array).path("job_state").asText());
      as("qrls " + array).must();
      assertEquals("B", site.job(array).path("job_state").asText());
      String next = as("qsub -W depend=afternotok:" + array + " -- /bin/true").must().strip();
      assertEquals(
          "afternotok:" + array + "@" + array.substring(array.indexOf('.') + 1),
          site.job(next).path("depend").asText());
      as("qdel " + array).must();
      site.awaitState(array, "F");
      site.awaitState(next, "F");
      Shell.Answer refused = as("qsub -J 1-200000 script.sh");
      assertEquals("qsub: Array job exceeds server or queue size limit\n", refused.err());
      assertEquals(3, refused.status());
      site.qmgr("unset server max_array_size");
    }

    private TreeSet<String> seen() throws IOException {
      Path seen = work.resolve("seen");
      return Files.exists(seen) ? new TreeSet<>(Files.readAllLines(seen)) : new TreeSet<>();
    }
  }
}
