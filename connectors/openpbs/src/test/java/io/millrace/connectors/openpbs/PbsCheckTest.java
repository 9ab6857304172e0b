package io.millrace.connectors.openpbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFault;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.recorded.RecordedTexts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a server is said in a line before anything is submitted. */
class PbsCheckTest {

  private static final String SERVER =
      "{\"pbs_server\":\"%s\",\"Server\":{\"vm\":{\"pbs_version\":\"%s\","
          + "\"job_history_enable\":\"%s\",\"query_other_jobs\":\"True\"}}}";

  @TempDir Path home;
  private final Map<String, OutsideAnswer> answers = new LinkedHashMap<>();

  @BeforeEach
  void allIsWell() throws IOException {
    Files.createDirectory(home.resolve("accounting"));
    server("vm", "23.06.06", "True");
    answers.put("qstat -x", RecordedTexts.answer(0, PbsFixtures.text("qstat.json"), ""));
    answers.put("qstat -f", RecordedTexts.answer(0, PbsFixtures.text("qstat.json"), ""));
    answers.put("qstat -Q", RecordedTexts.answer(0, PbsFixtures.text("queues.json"), ""));
    answers.put("pbsnodes", RecordedTexts.answer(0, PbsFixtures.text("pbsnodes.json"), ""));
  }

  private void server(String name, String version, String history) {
    answers.put("qstat -B", RecordedTexts.answer(0, SERVER.formatted(name, version, history), ""));
  }

  private List<String> wrong(String... more)
      throws IOException, ClusterFault, InterruptedException {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = openpbs",
                "server = vm",
                "spool = /spool",
                "user.alice = alice"));
    lines.addAll(List.of(more));
    Path properties = Files.write(home.resolve("c1.properties"), lines);
    ClusterFile file = ClusterFile.read(properties, List.of(new PbsKind()));
    return new PbsCheck(
            file,
            command -> {
              String line =
                  command.program() + " " + String.join(" ", command.words().subList(1, 2));
              return answers.entrySet().stream()
                  .filter(it -> line.startsWith(it.getKey()))
                  .findFirst()
                  .orElseThrow(() -> new AssertionError(line))
                  .getValue();
            })
        .lines().stream()
            .filter(it -> !it.good())
            .map(CheckLine::text)
            .map(it -> it.replace(home.toString(), "H"))
            .toList();
  }

  @Test
  void nothingIsWrong() throws Exception {
    assertEquals(List.of(), wrong());
    assertEquals(List.of(), wrong("accounting = " + home + "/accounting"));
  }

  @Test
  void jobsThatAreHiddenFromOthers() throws Exception {
    answers.put(
        "qstat -B",
        RecordedTexts.answer(
            0,
            SERVER
                .replace(",\"query_other_jobs\":\"True\"", "")
                .formatted("vm", "23.06.06", "True"),
            ""));
    assertEquals(
        List.of(
            "the server hides the jobs of others from this account: runs would be missed while"
                + " they live"),
        wrong());
  }

  @Test
  void anotherServer() throws Exception {
    server("other", "23.06.06", "True");
    assertEquals(List.of("the server does not answer: this is the server other, not vm"), wrong());
  }

  @Test
  void aServerThatDoesNotAnswer() throws Exception {
    answers.put(
        "qstat -B",
        RecordedTexts.answer(255, "", "qstat: cannot connect to server vm (errno=15008)\n"));
    assertEquals(
        List.of("the server does not answer: qstat: cannot connect to server vm (errno=15008)"),
        wrong());
  }

  @Test
  void aVersionWhoseAnswersAreNotKnown() throws Exception {
    server("vm", "19.1.3", "True");
    assertEquals(List.of("OpenPBS is '19.1.3', whose answers are not known"), wrong());
  }

  @Test
  void noWordOfEnds() throws Exception {
    server("vm", "23.06.06", "False");
    assertEquals(
        List.of("the server keeps no history of jobs, and no accounting is read"), wrong());
    assertEquals(List.of(), wrong("accounting = " + home + "/accounting"));
    assertEquals(List.of("H/none cannot be read: H/none"), wrong("accounting = " + home + "/none"));
  }

  /** A route to queues of the server itself is none of that. */
  @Test
  void aQueueThatRoutesToAnotherServer() throws Exception {
    String queues = PbsFixtures.text("queues.json");
    String away = queues.replace("\"wq1\"", "\"wq1,wq2@vm,far@other\"");
    answers.put("qstat -Q", RecordedTexts.answer(0, away, ""));
    assertEquals(List.of("queue r1 routes to another server: far@other"), wrong());
  }

  /** The scheduler must start nothing by itself where the host is chosen here. */
  @Test
  void aQueueThatOthersHaveToo() throws Exception {
    String[] place = {"mode = place", "queue = workq"};
    assertEquals(
        List.of("there is no queue mr"), wrong("mode = place", "queue = mr").subList(0, 1));
    assertEquals(
        List.of("queue workq takes jobs from all hosts", "queue workq has no host for itself"),
        wrong(place));
    String queues = PbsFixtures.text("queues.json");
    String own = queues.replaceFirst("\"started\"", "\"acl_host_enable\": \"True\", \"started\"");
    answers.put("qstat -Q", RecordedTexts.answer(0, own, ""));
    String nodes = PbsFixtures.text("pbsnodes.json");
    String bound =
        nodes.replaceFirst("(?s)(.*?\"n2\".*?)(\"state\":)", "$1\"queue\": \"workq\", $2");
    answers.put("pbsnodes", RecordedTexts.answer(0, bound, ""));
    assertEquals(List.of(), wrong(place));
    String stopped = own.replace("\"started\":\t\"True\"", "\"started\":\t\"False\"");
    answers.put("qstat -Q", RecordedTexts.answer(0, stopped, ""));
    assertEquals(List.of("queue workq starts no jobs"), wrong(place));
  }

  @Test
  void hostsAndQueuesThatCannotBeRead() throws Exception {
    answers.put("pbsnodes", RecordedTexts.answer(1, "", "pbsnodes: Unauthorized Request\n"));
    answers.put("qstat -f", RecordedTexts.answer(0, "{\"pbs_server\":\"vm\",\"Jobs\":{", ""));
    List<String> wrong = wrong();
    assertEquals(2, wrong.size(), wrong::toString);
    assertEquals("the queue cannot be read: qstat: ", wrong.get(0).substring(0, 33));
    assertEquals(
        "the hosts cannot be read: pbsnodes: pbsnodes: Unauthorized Request", wrong.get(1));
  }

  @Test
  void begins() throws Exception {
    String key = "hook_file = " + home + "/begins";
    assertEquals(List.of("H/begins cannot be read"), wrong(key));
    Files.writeString(home.resolve("begins"), "");
    assertEquals(List.of(), wrong(key));
  }
}
