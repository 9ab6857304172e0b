package io.millrace.ops.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.launcher.Console;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A session worked out by hand, its files, and what is said about wrong ones. */
class CaseFolderTest {

  @TempDir Path folder;

  @BeforeEach
  void write() throws IOException {
    Files.createDirectories(folder.resolve("config"));
    file(
        "config/complex",
        """
        slots   s    INT  <= YES YES 1 1000
        license lic  INT  <= YES YES 0 10
        h_rt    h_rt TIME <= YES NO  0 0
        """);
    file("config/hgrp", "group_name @all\nhostlist node01 node02\n");
    file(
        "config/queue.all.q",
        "qname all.q\nhostlist @all\nslots 1\npe_list mpi\nseq_no 0,[node02=1]\n");
    file("config/pe.mpi", "pe_name mpi\nslots 9\nallocation_rule $fill_up\n");
    file(
        "config/sched",
        "queue_sort_method seqno\nschedule_interval 1\nmax_reservation 3\nparams MONITOR=1,DURATION_OFFSET=0\n");
    file("cluster.json", "{\"global\": {\"license\": 2}}");
    file(
        "jobs.json",
        """
        {"what": "by hand", "jobs": [
          {"name": "R", "run": 4, "t": 0, "l": {"h_rt": 6}},
          {"name": "A", "run": 3, "t": 1, "p": 10, "R": true, "pe": ["mpi", "2"], "l": {"h_rt": 3}},
          {"name": "B", "run": 2, "t": 2, "l": {"h_rt": 4, "license": 1}},
          {"name": "C", "run": 2, "t": 2, "l": {"h_rt": 5, "license": 1}}],
         "actions": [{"t": 8, "cmd": "qdel C"}]}
        """);
    file("seen.json", "{\"end_seen\": {\"R\": {\"1\": 7}}}");
  }

  private void file(String name, String text) throws IOException {
    Files.writeString(folder.resolve(name), text);
  }

  private String play() throws IOException {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    assertEquals(0, CaseReplay.run(folder, false, new Console(new PrintStream(said), false)));
    return said.toString();
  }

  @Test
  void byHand() throws IOException {
    // R holds node01 until 6 and is seen to end at 7. A is promised 6. B (4 s) ends with that.
    // C (5 s) does not, and is deleted at 8, while A runs from 7 to 10.
    List<String> table = play().lines().map(line -> line.replaceAll(" +", " ")).toList();
    assertEquals(
        List.of(
            "task start end where",
            "R.1 0 4 all.q@node01 1",
            "A.1 7 10 all.q@node01 1, all.q@node02 1",
            "B.1 2 4 all.q@node02 1",
            "C.1 - - never started"),
        table);
    List<String> schedule = Files.readAllLines(folder.resolve("schedule"));
    assertEquals(
        List.of(
            "::::::::",
            "1:1:STARTING:1000000000:6:Q:all.q@node01:slots:1.000000",
            "::::::::",
            "1:1:RUNNING:1000000000:6:Q:all.q@node01:slots:1.000000",
            "2:1:RESERVING:1000000006:3:P:mpi:slots:2.000000",
            "2:1:RESERVING:1000000006:3:Q:all.q@node01:slots:1.000000",
            "2:1:RESERVING:1000000006:3:Q:all.q@node02:slots:1.000000"),
        schedule.subList(0, 7));
    assertTrue(Files.readString(folder.resolve("outcome.json")).contains("\"decided_offset\" : 7"));
  }

  private String starts(String jobs, String actions) throws IOException {
    file("seen.json", "{}");
    file("jobs.json", "{\"jobs\": [" + jobs + "], \"actions\": [" + actions + "]}");
    return play()
        .lines()
        .skip(1)
        .map(line -> line.replaceFirst("\\.1 +(\\S+) .*", " $1"))
        .collect(Collectors.joining(", "));
  }

  @Test
  void aHoldAndADependencyAreTwoReasonsToWait() throws IOException {
    String first = "{\"name\": \"A\", \"run\": 20, \"t\": 0}, ";
    String behind = "{\"name\": \"B\", \"run\": 1, \"t\": 0, \"hold_jid\": \"%s\"%s}";
    assertEquals(
        "A 0, B 20",
        starts(
            first + behind.formatted("A", ""),
            "{\"t\": 2, \"cmd\": \"qhold B\"}, {\"t\": 4, \"cmd\": \"qrls B\"}"));
    assertEquals(
        "A 0, B 25",
        starts(
            first + behind.formatted("1", ", \"hold\": true"), "{\"t\": 25, \"cmd\": \"qrls B\"}"));
    assertEquals("A 0, B 20", starts(first + behind.formatted("A*", ""), ""));
    assertEquals("A 0, B 0", starts(first + behind.formatted("nosuch", ""), ""));
    assertEquals(
        "A 3, B 0",
        starts(first.replace("\"t\": 0", "\"t\": 3") + behind.formatted("A", ""), ""),
        "A came later");
  }

  @Test
  void aJobThatIsDeletedWhileItRunsEndsThen() throws IOException {
    String job = "{\"name\": \"A\", \"run\": 20, \"t\": 0}";
    assertEquals("A 0", starts(job, "{\"t\": 5, \"cmd\": \"qdel A\"}"));
    String outcome = Files.readString(folder.resolve("outcome.json"));
    assertTrue(outcome.contains("\"acct_end_offset\" : 5"), outcome);
  }

  @Test
  void typedLinesCountWhereAJobNeedsThem() throws IOException {
    file("commands.sh", "qsub -ckpt x -N A -b y sleep 1\nqsub -terse -shell n -b y sleep 1\n");
    String job = "{\"name\": \"A\", \"run\": 1, \"t\": 0%s}";
    assertEquals("A 0", starts(job.formatted(""), ""));
    file("jobs.json", "{\"jobs\": [" + job.formatted(", \"ckpt\": \"x\"") + "]}");
    assertTrue(refusal().startsWith("commands.sh: job A: "), refusal());
  }

  private String refusal() {
    return assertThrows(Refused.class, () -> new CaseFolder(folder).session())
        .getMessage()
        .replace(folder.toString(), "DIR");
  }

  @Test
  void wrongFoldersAreRefusedInOneLine() throws IOException {
    file(
        "jobs.json",
        "{\"jobs\": [{\"name\": \"A\", \"run\": 1, \"t\": 0, \"l\": {\"lic\": \"x\"}}]}");
    assertEquals("DIR/jobs.json: job A: attribute \"lic\" is not an integer value", refusal());
    file("jobs.json", "{\"jobs\": [{\"name\": \"A\", \"run\": 1, \"t\": 0, \"sotf\": 1}]}");
    assertEquals(
        "DIR/jobs.json: job A has the key 'sotf', which is not known (nearest: soft)", refusal());
    file("jobs.json", "{\"jobs\": [\n");
    assertTrue(refusal().startsWith("DIR/jobs.json:2: this is no JSON"));
    Files.delete(folder.resolve("jobs.json"));
    assertEquals("DIR/jobs.json: there is no such file", refusal());
    file("config/sched", "max_reservation 3\nparams MONITOR=1\nfoo 1\n");
    file("jobs.json", "{\"jobs\": []}");
    assertEquals("DIR/config/sched:3: 'foo' is no option of the scheduler", refusal());
  }
}
