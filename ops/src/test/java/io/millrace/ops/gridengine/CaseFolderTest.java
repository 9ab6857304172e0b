package io.millrace.ops.gridengine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.ops.word.Console;
import io.millrace.schedulers.dialects.gridengine.replay.CaseJob;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
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

/** A session worked out by hand, its files, and the messages about wrong ones. */
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
        "B 0, A 3",
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

  private List<String> table(String jobs, String actions) throws IOException {
    file("seen.json", "{}");
    file("jobs.json", "{\"jobs\": [" + jobs + "], \"actions\": [" + actions + "]}");
    return play().lines().skip(1).map(line -> line.replaceAll(" +", " ")).toList();
  }

  @Test
  void actionsMeanSingleTasks() throws IOException {
    String array = "{\"name\": \"A\", \"run\": 9, \"t\": 0, \"t_array\": \"1-4\"%s}";
    // Tasks 1 and 2 run on the two nodes; the slot of 2 goes to 4, as 3 was deleted as well.
    assertEquals(
        List.of(
            "A.1 0 9 all.q@node01 1",
            "A.2 0 3 all.q@node02 1",
            "A.3 - - never started",
            "A.4 3 12 all.q@node02 1"),
        table(array.formatted(""), "{\"t\": 3, \"cmd\": \"qdel A -t 2-3\"}"));
    // Of a held job 3 is released first, and has one of the two slots until 11.
    assertEquals(
        List.of("A.1 7 16", "A.2 11 20", "A.3 2 11", "A.4 16 25"),
        starting(
            table(
                array.formatted(", \"hold\": true"),
                "{\"t\": 2, \"cmd\": \"qrls A.3\"}, {\"t\": 7, \"cmd\": \"qrls A\"}")));
    assertEquals(
        List.of("A.1 0 9", "A.2 20 29", "A.3 0 9", "A.4 9 18"),
        starting(
            table(
                array.formatted(""),
                "{\"t\": 0, \"cmd\": \"qhold A.2\"}, {\"t\": 20, \"cmd\": \"qrls A -t 2\"}")));
    table(array.formatted(""), "{\"t\": 2, \"cmd\": \"qmod -sj A.2\"}");
    List<String> schedule = Files.readAllLines(folder.resolve("schedule"));
    assertTrue(schedule.stream().anyMatch(line -> line.startsWith("1:2:SUSPENDED:")));
    assertTrue(schedule.stream().noneMatch(line -> line.startsWith("1:1:SUSPENDED:")));
  }

  private static List<String> starting(List<String> table) {
    return table.stream().map(line -> line.replaceFirst(" all.*", "")).toList();
  }

  @Test
  void qalterReplacesLists() throws IOException {
    String full =
        "{\"name\": \"R\", \"run\": 5, \"t\": 0, \"t_array\": \"1-2\"}, {\"name\": \"A\","
            + " \"run\": 9, \"t\": 0, \"l\": {\"h_rt\": 2}}";
    assertEquals("A.1 5 7 all.q@node01 1", table(full, "").get(2));
    String alter = "{\"t\": 1, \"cmd\": \"qalter %s A\"}";
    assertEquals("A.1 5 13 all.q@node01 1", table(full, alter.formatted("-l h_rt=8")).get(2));
    assertEquals("A.1 5 7 all.q@node02 1", table(full, alter.formatted("-q *@node02")).get(2));
    assertEquals(
        "A.1 5 7 all.q@node01 1, all.q@node02 1", table(full, alter.formatted("-pe mpi 2")).get(2));
  }

  @Test
  void wrongActionsOnTasksAndListsAreRefused() throws IOException {
    file("seen.json", "{}");
    String session =
        "{\"jobs\": [{\"name\": \"A\", \"run\": 1, \"t\": 0, \"t_array\": \"1-3\"}],"
            + " \"actions\": [[1, \"%s\"]]}";
    for (String wrong :
        List.of("qdel A.4", "qdel A.x", "qhold A -t 0", "qalter -l foo=1 A", "qalter -h A")) {
      file("jobs.json", session.formatted(wrong));
      assertTrue(refusal().contains("'" + wrong + "'"), refusal());
    }
    file("jobs.json", session.formatted("qdel B.1"));
    assertTrue(refusal().contains("names no job of this session"), refusal());
  }

  @Test
  void jobsAreNumberedInTheOrderOfTheirTimes() throws IOException {
    String late = "{\"name\": \"L\", \"run\": 2, \"t\": 4}, ";
    String early = "{\"name\": \"E\", \"run\": 2, \"t\": 1}";
    assertEquals(List.of("E.1 1 3", "L.1 4 6"), starting(table(late + early, "")));
    String schedule = Files.readString(folder.resolve("schedule"));
    assertTrue(schedule.contains("1:1:STARTING:1000000001"), schedule);
    assertTrue(schedule.contains("2:1:STARTING:1000000004"), schedule);
  }

  @Test
  void aJobThatIsDeletedHoldsWhatItHasUntilItsEndWasSeen() throws IOException {
    String wants = "{\"name\": \"%s\", \"run\": %d, \"t\": 0, \"l\": {\"license\": 2}}";
    file("seen.json", "{\"end_seen\": {\"A\": {\"1\": 7}}}");
    file(
        "jobs.json",
        "{\"jobs\": ["
            + wants.formatted("A", 20)
            + ", "
            + wants.formatted("B", 1)
            + "], \"actions\": [{\"t\": 5, \"cmd\": \"qdel A\"}]}");
    List<String> table = play().lines().map(line -> line.replaceAll(" +", " ")).toList();
    assertEquals("A.1 0 5 all.q@node01 1", table.get(1));
    assertEquals("B.1 7 8 all.q@node01 1", table.get(2));
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
    return assertThrows(ConfigurationRefused.class, () -> new CaseFolder(folder).session())
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
    assertEquals("DIR/jobs.json: job A: there is no key 'sotf' (nearest: soft)", refusal());
    file("jobs.json", "{\"jobs\": [\n");
    assertTrue(refusal().startsWith("DIR/jobs.json:2: this is no JSON"));
    Files.delete(folder.resolve("jobs.json"));
    assertEquals("DIR/jobs.json: there is no such file", refusal());
    file("config/sched", "max_reservation 3\nparams MONITOR=1\nfoo 1\n");
    file("jobs.json", "{\"jobs\": []}");
    assertEquals("DIR/config/sched:3: 'foo' is no option of the scheduler", refusal());
  }

  @Test
  void valuesMayBeWrittenAsQsubTakesThem() throws IOException {
    String job = "{\"name\": \"A\", \"run\": 1, \"t\": 0, %s}";
    String jobs = job.formatted("\"R\": \"y\", \"p\": \"-500\", \"tc\": \"2\", \"now\": 1");
    file("jobs.json", "{\"jobs\": [" + jobs + "]}");
    file("seen.json", "{\"end_seen\": {\"A\": {\"1\": null}}}");
    file("cluster.json", "{\"np\": 4, \"global\": null, \"host_consumables\": {\"node01\": null}}");
    GridEngineJob read = new CaseFolder(folder).session().jobs().get(0).job();
    assertTrue(read.reserve());
    assertTrue(read.behaviour().immediate());
    assertEquals(2, read.behaviour().concurrent());
    assertEquals(-500, read.urge().priority());
  }

  @Test
  void typedLinesCountWhereAValueIsOfAnUnknownForm() throws IOException {
    file("commands.sh", "qsub -N A -h -b y sleep 1\n");
    String held = "{\"name\": \"A\", \"run\": 1, \"t\": 0, \"hold\": \"user\"}";
    file("jobs.json", "{\"jobs\": [" + held + "]}");
    file("seen.json", "{}");
    CaseJob read = new CaseFolder(folder).session().jobs().get(0);
    assertEquals(GridEngineJob.Waits.HELD, read.job().behaviour().waits());
  }

  private String refusalOf(String jobs) throws IOException {
    file("jobs.json", jobs);
    return refusal().replace("DIR/jobs.json: ", "");
  }

  private String refusalOfJob(String keys) throws IOException {
    return refusalOf("{\"jobs\": [{\"name\": \"A\", \"run\": 1, \"t\": 0, " + keys + "}]}")
        .replace("job A: ", "");
  }

  @Test
  void aValueThatIsNotWhatItMustBeIsNeverReadAsSomethingElse() throws IOException {
    file("seen.json", "{}");
    assertEquals("'R' is \"yy\", but must be true or false", refusalOfJob("\"R\": \"yy\""));
    assertEquals("'now' is 7, but must be true or false", refusalOfJob("\"now\": 7"));
    assertEquals("'h' is \"u\", but must be true or false", refusalOfJob("\"h\": \"u\""));
    assertEquals("'p' is \"x\", but must be a whole number", refusalOfJob("\"p\": \"x\""));
    assertEquals("'tc' is 1.5, but must be a whole number", refusalOfJob("\"tc\": 1.5"));
    assertEquals(
        "'l': 'h_rt' is [5], but must be a number, a text, true or false",
        refusalOfJob("\"l\": {\"h_rt\": [5]}"));
    assertEquals("'pe': this must be [\"NAME\", \"SLOTS\"]", refusalOfJob("\"pe\": \"mpi 2\""));
    assertEquals("'pe': part 1 is 2, but must be a text", refusalOfJob("\"pe\": [2, \"mpi\"]"));
    assertEquals("'owner' is [], but must be a text", refusalOfJob("\"owner\": []"));
    assertEquals(
        "'hold_jid': name 2 is {}, but must be a text or a whole number",
        refusalOfJob("\"hold_jid\": [\"B\", {}]"));
    String seconds = ", but must be a number of seconds, 0 or more";
    assertEquals("'dl' is -1" + seconds, refusalOfJob("\"dl\": -1"));
    String job = "{\"jobs\": [{\"name\": \"A\", \"run\": %s, \"t\": %s}]}";
    assertEquals("job A: 't' is -1" + seconds, refusalOf(job.formatted("1", "-1")));
    assertEquals("job A: 'run' is \"1\"" + seconds, refusalOf(job.formatted("\"1\"", "0")));
    assertEquals("job A: 'run' is 1.0E300" + seconds, refusalOf(job.formatted("1e300", "0")));
    assertEquals(
        "job 1: 'name' is missing: a text", refusalOf("{\"jobs\": [{\"run\": 1, \"t\": 0}]}"));
    assertEquals("job 1 is 7, but must be an object {...}", refusalOf("{\"jobs\": [7]}"));
    assertEquals("'jobs' is {}, but must be a list [...]", refusalOf("{\"jobs\": {}}"));
    assertEquals("'limit' is \"90\"" + seconds, refusalOf("{\"jobs\": [], \"limit\": \"90\"}"));
  }

  @Test
  void theFilesHaveTheKeysThatTheyMustHaveAndNothingBehindThem() throws IOException {
    file("seen.json", "{}");
    String needed = "'jobs' is missing: a list of jobs {\"name\": ..., \"t\": ..., \"run\": ...}";
    assertEquals(needed, refusalOf("{}"));
    assertEquals("there is no key 'jobz' (nearest: jobs)", refusalOf("{\"jobz\": []}"));
    assertEquals(
        "there is no key 'action' (nearest: actions)", refusalOf("{\"jobs\": [], \"action\": []}"));
    assertTrue(refusalOf("{\"jobs\": []}\n x").startsWith("DIR/jobs.json:2: this is no JSON"));
    assertTrue(refusalOf("{\"jobs\": []} {}").startsWith("DIR/jobs.json:1: this is no JSON"));
    assertTrue(refusalOf("{\"jobs\": [], \"jobs\": []}").contains("Duplicate field 'jobs'"));
    assertEquals("DIR/jobs.json:1: this is no JSON object", refusalOf("[]"));
    assertEquals("DIR/jobs.json:1: this is no JSON object", refusalOf(""));
    file("jobs.json", "{\"jobs\": [], \"notes\": 1}");
    CaseFolder given = new CaseFolder(folder);
    given.session();
    assertEquals(List.of(folder + "/jobs.json: 'notes' is not looked at"), given.warnings());
    file("cluster.json", "{\"globl\": {\"license\": 2}}");
    assertEquals("DIR/cluster.json: there is no key 'globl' (nearest: global)", refusal());
    file("cluster.json", "{\"global\": {\"license\": [2]}}");
    assertEquals(
        "DIR/cluster.json: 'global': 'license' is [2], but must be a number, a text, true or false",
        refusal());
    file("cluster.json", "{\"host_consumables\": {\"node01\": 3}}");
    assertEquals(
        "DIR/cluster.json: 'host_consumables': 'node01' is 3, but must be an object {...}",
        refusal());
  }

  @Test
  void whatWasSeenIsOfJobsAndTasksThatThereAre() throws IOException {
    file("seen.json", "{\"end_seen\": {\"Q\": {\"1\": 7}}}");
    assertTrue(
        refusal().startsWith("DIR/seen.json: 'end_seen': 'Q': there is no such job in jobs.json"),
        refusal());
    file("seen.json", "{\"end_seen\": {\"R\": {\"2\": 7}}}");
    assertEquals(
        "DIR/seen.json: 'end_seen': 'R': '2': the job has no task of this number", refusal());
    file("seen.json", "{\"end_seen\": {\"R\": {\"1\": \"7\"}}}");
    assertEquals(
        "DIR/seen.json: 'end_seen': 'R': '1' is \"7\", but must be a number of seconds, 0 or more",
        refusal());
    file("seen.json", "{\"end_sen\": {}}");
    assertEquals("DIR/seen.json: there is no key 'end_sen' (nearest: end_seen)", refusal());
  }

  private String refusalOfAction(String action) throws IOException {
    return refusalOf(
            "{\"jobs\": [{\"name\": \"A\", \"run\": 1, \"t\": 0}], \"actions\": [" + action + "]}")
        .replace("action 1: ", "");
  }

  @Test
  void actionsAreCommandsOnWhatThereIs() throws IOException {
    file("seen.json", "{}");
    assertEquals("'t' is missing: a number of seconds", refusalOfAction("{\"cmd\": \"qdel A\"}"));
    assertEquals(
        "part 1 is \"5\", but must be a number of seconds, 0 or more",
        refusalOfAction("[\"5\", \"qdel A\"]"));
    assertEquals("this must be [SECONDS, \"COMMAND\"]", refusalOfAction("[5]"));
    assertEquals("'cmd' is missing: a command as qdel JOB", refusalOfAction("{\"t\": 5}"));
    assertEquals(
        "'qdel B' names no job of this session (nearest: A)", refusalOfAction("[5, \"qdel B\"]"));
    assertTrue(refusalOfAction("[5, \"qrerun A\"]").startsWith("'qrerun A' is not known"));
    assertEquals(
        "'qmod -d all.q@@nosuch' names no queue instance: there is no all.q@@nosuch; it must be"
            + " QUEUE, QUEUE@HOST, QUEUE@@GROUP or a pattern",
        refusalOfAction("[5, \"qmod -d all.q@@nosuch\"]"));
  }

  @Test
  void queuesAreSwitchedByHostGroupAndByListToo() throws IOException {
    file("config/hgrp2", "group_name @second\nhostlist node02\n");
    String jobs =
        "{\"name\": \"A\", \"run\": 3, \"t\": 2}, {\"name\": \"B\", \"run\": 3, \"t\": 2}";
    String open = "{\"t\": 9, \"cmd\": \"qmod -e all.q\"}";
    assertEquals("A 9, B 9", starts(jobs, "{\"t\": 1, \"cmd\": \"qmod -d all.q@@all\"}, " + open));
    assertEquals(
        "A 2, B 5", starts(jobs, "{\"t\": 1, \"cmd\": \"qmod -sq all.q@@second\"}, " + open));
    assertEquals(
        "A 9, B 9",
        starts(jobs, "{\"t\": 1, \"cmd\": \"qmod -d all.q@node01,all.q@node02\"}, " + open));
  }
}
