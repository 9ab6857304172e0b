package io.millrace.connectors.torque;

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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong with a server is said in a line before anything is submitted. */
class TorqueCheckTest {

  @TempDir Path home;
  private final Map<String, OutsideAnswer> answers = new HashMap<>();

  @BeforeEach
  void allIsWell() throws IOException {
    Files.createDirectory(home.resolve("accounting"));
    good("qstat -B", TorqueFixtures.SERVER);
    good("qstat -x", TorqueFixtures.text("qstat.xml"));
    good("qstat -Q", TorqueFixtures.QUEUES);
    good("pbsnodes -x", TorqueFixtures.text("pbsnodes.xml"));
  }

  private void good(String words, String out) {
    answers.put(words, RecordedTexts.answer(0, out, ""));
  }

  private List<String> wrong(String... more)
      throws IOException, ClusterFault, InterruptedException {
    List<String> lines =
        new ArrayList<>(
            List.of(
                "name = c1",
                "system = torque",
                "server = vm",
                "spool = /spool",
                "user.alice = alice"));
    lines.addAll(List.of(more));
    Path properties = Files.write(home.resolve("c1.properties"), lines);
    ClusterFile file = ClusterFile.read(properties, List.of(new TorqueKind()));
    return new TorqueCheck(
            file, command -> answers.get(command.program() + " " + command.words().get(1)))
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
    good(
        "qstat -B",
        TorqueFixtures.SERVER.replace("query_other_jobs = True", "query_other_jobs = False"));
    assertEquals(
        List.of(
            "the server hides the jobs of others from this account: runs would be missed while"
                + " they live"),
        wrong());
  }

  @Test
  void anotherServer() throws Exception {
    good("qstat -B", TorqueFixtures.SERVER.replace("Server: vm", "Server: other"));
    assertEquals(List.of("this is the server 'other', not vm"), wrong());
  }

  @Test
  void aServerThatDoesNotAnswer() throws Exception {
    String said = "qstat: cannot connect to server vm (errno=111) Connection refused";
    answers.put("qstat -B", RecordedTexts.answer(111, "", said + "\n"));
    assertEquals(List.of("the server does not answer: " + said), wrong());
  }

  @Test
  void aVersionWhoseAnswersAreNotKnown() throws Exception {
    good("qstat -B", TorqueFixtures.SERVER.replace("6.1.3", "4.2.10"));
    assertEquals(List.of("Torque is '4.2.10', whose answers are not known"), wrong());
  }

  @Test
  void noWordOfEnds() throws Exception {
    good("qstat -B", TorqueFixtures.SERVER.replace("keep_completed = 300", "keep_completed = 5"));
    assertEquals(
        List.of("the server keeps jobs that are over for 5 s, and no accounting is read"), wrong());
    assertEquals(List.of(), wrong("accounting = " + home + "/accounting"));
    assertEquals(List.of("H/none cannot be read: H/none"), wrong("accounting = " + home + "/none"));
  }

  @Test
  void aQueueThatOthersHaveToo() throws Exception {
    String[] place = {"mode = place", "queue = batch"};
    assertEquals(List.of("there is no queue mr"), wrong("mode = place", "queue = mr"));
    assertEquals(List.of("queue batch takes jobs from all hosts"), wrong(place));
    good(
        "qstat -Q",
        TorqueFixtures.QUEUES.replace("started", "acl_host_enable = True\n    started"));
    assertEquals(List.of(), wrong(place));
    good("qstat -B", TorqueFixtures.SERVER.replace("keep", "default_queue = batch\n    keep"));
    assertEquals(List.of("queue batch takes jobs that name no queue"), wrong(place));
  }

  @Test
  void hostsAndQueuesThatCannotBeRead() throws Exception {
    good("qstat -x", "");
    good("pbsnodes -x", "<Data><Node>");
    List<String> wrong = wrong();
    assertEquals("the queue cannot be read: qstat: it prints nothing", wrong.get(0));
    assertEquals("the hosts cannot be read: pbsnodes: broken XML", wrong.get(1).substring(0, 46));
    assertEquals(2, wrong.size());
  }
}
