package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.SomeAmounts;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.openpbs.PbsKind;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.torque.TorqueKind;
import io.millrace.schemas.Seeds;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two hundred words of users, in command lines, in scripts and in the answers of commands. */
class HostileWordsTest {

  private static final List<OutsideKind> KINDS =
      List.of(new SgeKind(), new SlurmKind(), new PbsKind(), new TorqueKind());

  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a parser of XML must not find in a text. */
  private static final Pattern NO_XML = Pattern.compile("[\\p{Cntrl}&&[^\t\n\r]]");

  /** What the systems take for options in a script. */
  private static final Pattern OPTIONS = Pattern.compile("(?m)^#(SBATCH|\\$|PBS)");

  @TempDir Path folder;

  private OutsideSystem system(String name, String key, CommandRunner runner) throws Exception {
    Path file =
        Files.write(
            folder.resolve("c"),
            List.of(
                "name = c1", "system = " + name, key, "spool = " + folder, "user.alice = alice"));
    ClusterFile cluster = ClusterFile.read(file, KINDS);
    return cluster
        .kind()
        .open(
            cluster,
            command ->
                // Where a Slurm is asked which one it is.
                command.words().contains("config")
                    ? answer("ClusterName = hand\n")
                    : runner.run(command));
  }

  private static OutsideSubmission order(String name, OutsideSubmission.SubmittedScript work) {
    return new OutsideSubmission(
        new OutsideTag("c1", "7", 1),
        "alice",
        name,
        new OutsideSubmission.OutsidePlace(Optional.empty(), List.of()),
        SomeAmounts.of(1, 0, Optional.empty()),
        work);
  }

  private static OutsideAnswer answer(String out) {
    return new OutsideAnswer(ProcessEnding.EXITED, 0, out, "", Duration.ZERO);
  }

  /** The name is one word, or a part of one, and all other words are those of any job. */
  @ParameterizedTest
  @CsvSource({
    "slurm, cluster_name = hand, --job-name=",
    "gridengine, sge_root = /sge, ''",
    "openpbs, server = vm, ''",
    "torque, server = vm, ''"
  })
  void aNameIsOneWordOfACommand(String name, String key, String before) throws Exception {
    List<OutsideCommand> commands = new ArrayList<>();
    OutsideSystem system =
        system(
            name,
            key,
            command -> {
              commands.add(command);
              return answer("no number");
            });
    OutsideSubmission.SubmittedScript work =
        new OutsideSubmission.SubmittedScript(new byte[0], List.of(), Map.of(), "/");
    system.submit(order("plain", work));
    List<String> plain = commands.get(0).words();
    int at = plain.indexOf(before + "plain");
    assertTrue(at > 0, plain::toString);
    for (String word : HostileWords.all(Seeds.TODAY)) {
      commands.clear();
      system.submit(order(word, work));
      List<String> words = new ArrayList<>(commands.get(0).words());
      String said = words.set(at, plain.get(at));
      assertEquals(plain, words);
      assertTrue(said.startsWith(before), said);
      String called = said.substring(before.length());
      assertFalse(called.isEmpty() || called.length() > 400, called);
      assertTrue(called.codePoints().noneMatch(Character::isISOControl), called);
      assertFalse(before.isEmpty() && !called.matches("[A-Za-z_][A-Za-z0-9._+-]*"), called);
    }
  }

  @Test
  void scriptsHaveNoneOfThemAsTheyAre() {
    for (String word : HostileWords.all(Seeds.TODAY)) {
      byte[] script = word.getBytes(StandardCharsets.UTF_8);
      OutsideSubmission.SubmittedScript work =
          new OutsideSubmission.SubmittedScript(script, List.of(word), Map.of("WORD", word), word);
      String text =
          new String(RunWrapper.of("/spool", order(word, work)), StandardCharsets.US_ASCII);
      assertFalse(OPTIONS.matcher(text).find(), text);
      assertFalse(text.contains("millrace-hostile"), text);
    }
  }

  /** As variables of a script, which it tells again. */
  @Test
  void valuesOfVariablesComeThroughAsTheyAre() throws Exception {
    Files.createDirectory(folder.resolve("alice"));
    Map<String, String> variables = new LinkedHashMap<>();
    StringBuilder script = new StringBuilder("#!/bin/bash\n");
    StringBuilder expected = new StringBuilder();
    for (String word : HostileWords.all(Seeds.TODAY)) {
      String variable = "V" + variables.size();
      variables.put(variable, word);
      script.append("printf '%s\\0' \"$").append(variable).append("\"\n");
      expected.append(word).append('\0');
    }
    OutsideSubmission.SubmittedScript work =
        new OutsideSubmission.SubmittedScript(
            script.toString().getBytes(StandardCharsets.UTF_8), List.of(), variables, "/");
    OutsideSubmission order = order("x", work);
    OutsideAnswer said =
        new ProcessRunner()
            .run(
                new OutsideCommand(
                    List.of("/bin/bash", "-s"),
                    RunWrapper.of(folder.toString(), order),
                    Map.of("JOB_ID", "7"),
                    Duration.ofSeconds(60),
                    100_000));
    assertEquals(0, said.status(), said.err());
    Path output =
        Path.of(RunWrapper.folder(folder.toString(), "alice", order.tag())).resolve("stdout");
    assertEquals(expected.toString(), Files.readString(output));
    assertFalse(Files.exists(Path.of("/tmp/millrace-hostile")));
  }

  private static List<OutsideJob> jobs(Told<List<OutsideJob>> told) {
    assertInstanceOf(Told.Answered.class, told, told::toString);
    return ((Told.Answered<List<OutsideJob>>) told).value();
  }

  /** Whoever calls a job by a tag has none, and what it is called is what is read. */
  private static void assertTold(List<String> names, List<OutsideJob> jobs, boolean tagged) {
    assertEquals(names, jobs.stream().map(OutsideJob::name).toList());
    for (int i = 0; i < jobs.size(); i++) {
      assertEquals(i + 1, jobs.get(i).id().number());
      assertEquals("bob", jobs.get(i).account());
      Optional<OutsideTag> own = Optional.of(new OutsideTag("c1", "" + (i + 1), 1));
      assertEquals(tagged ? own : Optional.empty(), jobs.get(i).tag());
    }
  }

  @Test
  void namesInSlurmsQueue() throws Exception {
    ObjectNode root = JSON.createObjectNode();
    root.putArray("errors");
    ArrayNode list = root.putArray("jobs");
    for (String name : HostileWords.all(Seeds.TODAY)) {
      ObjectNode job = list.addObject();
      job.put("job_id", list.size()).put("name", name).put("user_name", "bob");
      job.put("comment", "mr.c1." + list.size() + ".1").put("job_state", "RUNNING");
    }
    String said = root.toString();
    OutsideSystem slurm = system("slurm", "cluster_name = hand", command -> answer(said));
    assertTold(HostileWords.all(Seeds.TODAY), jobs(slurm.snapshot()), true);
  }

  /** Slurm writes names as they are, so that a line of it is never enough for an end. */
  @Test
  void namesInSlurmsCompletions() throws Exception {
    Path completions = Files.createFile(folder.resolve("jobcomp"));
    String key = "cluster_name = hand\naccounting = " + completions;
    OutsideSystem slurm = system("slurm", key, command -> answer(""));
    String cursor = ((Told.Answered<OutsideChanges>) slurm.changes("")).value().cursor();
    for (String name : HostileWords.all(Seeds.TODAY)) {
      Files.writeString(
          completions,
          "JobId=5 UserId=bob(1002) GroupId=bob(1002) Name="
              + name
              + " JobState=COMPLETED Partition=batch TimeLimit=5 StartTime=2026-11-25T10:00:00"
              + " EndTime=2026-11-25T10:00:07 NodeList=vm NodeCnt=1 ProcCnt=1 WorkDir=/"
              + " ReservationName= Tres=cpu=1 Account= QOS= WcKey= Cluster=unknown"
              + " SubmitTime=2026-11-25T10:00:00 EligibleTime=2026-11-25T10:00:00"
              + " DerivedExitCode=0:0 ExitCode=0:0 \n",
          StandardOpenOption.APPEND);
    }
    OutsideChanges changes = ((Told.Answered<OutsideChanges>) slurm.changes(cursor)).value();
    assertTrue(changes.records().size() > 100, changes.records().size() + " records");
    assertTrue(changes.records().stream().noneMatch(it -> it.certain()));
    assertTrue(changes.records().stream().allMatch(it -> it.tag().isEmpty()));
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\r", "&#13;");
  }

  private static List<String> namesOfXml() {
    List<String> names =
        HostileWords.all(Seeds.TODAY).stream().filter(it -> !it.isBlank()).toList();
    return names.stream().filter(it -> !NO_XML.matcher(it).find()).toList();
  }

  @Test
  void namesInGridEnginesQueue() throws Exception {
    StringBuilder xml = new StringBuilder("<?xml version='1.0'?>\n<detailed_job_info><djob_info>");
    int number = 0;
    for (String name : namesOfXml()) {
      number++;
      xml.append("<element><JB_job_number>").append(number).append("</JB_job_number>");
      xml.append("<JB_owner>bob</JB_owner><JB_account>mr.c1.").append(number);
      xml.append(".1</JB_account><JB_job_name>").append(escaped(name));
      xml.append("</JB_job_name></element>");
    }
    String said = xml.append("</djob_info></detailed_job_info>\n").toString();
    OutsideSystem cell = system("gridengine", "sge_root = /sge", command -> answer(said));
    List<OutsideJob> jobs = jobs(cell.tagged());
    assertEquals(namesOfXml().size(), jobs.size());
    for (OutsideJob job : jobs) {
      assertEquals("" + job.id().number(), job.tag().orElseThrow().job());
    }
  }

  @Test
  void namesInOpenPbsQueue() throws Exception {
    ObjectNode root = JSON.createObjectNode();
    root.put("timestamp", 1).put("pbs_version", "23.06").put("pbs_server", "vm");
    ObjectNode list = root.putObject("Jobs");
    for (String name : HostileWords.all(Seeds.TODAY)) {
      ObjectNode job = list.putObject((list.size() + 1) + ".vm");
      job.put("Job_Name", name).put("Job_Owner", "bob@vm").put("job_state", "R");
      job.put("project", "_pbs_project_default");
      job.putObject("Variable_List").put("PBS_O_NAME", name);
    }
    String said = root.toString();
    OutsideSystem pbs = system("openpbs", "server = vm", command -> answer(said));
    assertTold(HostileWords.all(Seeds.TODAY), jobs(pbs.snapshot()), false);
  }

  @Test
  void namesInTorquesQueue() throws Exception {
    StringBuilder xml = new StringBuilder("<Data>");
    int number = 0;
    for (String name : namesOfXml()) {
      number++;
      xml.append("<Job><Job_Id>").append(number).append(".vm</Job_Id><Job_Name>");
      xml.append(escaped(name)).append("</Job_Name><Job_Owner>bob@vm</Job_Owner>");
      xml.append("<job_state>R</job_state></Job>");
    }
    String said = xml.append("</Data>").toString();
    OutsideSystem torque = system("torque", "server = vm", command -> answer(said));
    List<OutsideJob> jobs = jobs(torque.snapshot());
    assertEquals(namesOfXml().size(), jobs.size());
    assertTrue(jobs.stream().allMatch(it -> it.tag().isEmpty()));
  }
}
