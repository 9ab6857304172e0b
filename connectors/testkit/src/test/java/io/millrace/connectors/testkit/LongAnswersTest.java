package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.Told;
import io.millrace.connectors.gridengine.SgeKind;
import io.millrace.connectors.gridengine.SgeSystem;
import io.millrace.connectors.openpbs.PbsKind;
import io.millrace.connectors.openpbs.PbsSystem;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.slurm.SlurmSystem;
import io.millrace.connectors.torque.TorqueKind;
import io.millrace.connectors.torque.TorqueSystem;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The queue of a system whose users submit much, with large environments: a hundred megabytes, read
 * by a process with less heap than that.
 */
class LongAnswersTest {

  private static final int JOBS = 10_000;
  private static final int ENVIRONMENT = 10_000;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({"gridengine", "openpbs", "torque", "slurm"})
  void aHundredMegabytesEndNoProcess(String system) throws Exception {
    Path queue = folder.resolve("queue");
    write(system, queue);
    assertEquals("jobs " + JOBS + "\n", asked(system, queue));
  }

  private String asked(String system, Path queue) throws Exception {
    Process reader =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx80m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                QueueReader.class.getName(),
                system,
                queue.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String said = new String(reader.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    reader.waitFor();
    return said;
  }

  private static void write(String system, Path queue) throws IOException {
    Random random = new Random(System.getProperty("millrace.day", "0").hashCode());
    String[] parts =
        switch (system) {
          case "gridengine" ->
              new String[] {
                "<?xml version='1.0'?>\n<detailed_job_info><djob_info>",
                "<element><JB_job_number>%d</JB_job_number><JB_owner>alice</JB_owner>"
                    + "<JB_account>mr.c1.%d.1</JB_account>"
                    + "<JB_env_list><job_sublist><VA_variable>X</VA_variable>"
                    + "<VA_value>%s</VA_value></job_sublist></JB_env_list></element>\n",
                "",
                "</djob_info></detailed_job_info>\n"
              };
          case "torque" ->
              new String[] {
                "<Data>",
                "<Job><Job_Id>%d.vm</Job_Id><Job_Owner>alice@vm</Job_Owner>"
                    + "<job_state>Q</job_state><Account_Name>mr.c1.%d.1</Account_Name>"
                    + "<Variable_List>X=%s</Variable_List></Job>\n",
                "",
                "</Data>\n"
              };
          case "openpbs" ->
              new String[] {
                "{\"pbs_server\":\"vm\",\"Jobs\":{",
                "\"%d.vm\":{\"Job_Owner\":\"alice@vm\",\"job_state\":\"Q\","
                    + "\"project\":\"mr.c1.%d.1\",\"Variable_List\":{\"X\":\"%s\"}}",
                ",\n",
                "}}\n"
              };
          default ->
              new String[] {
                "{\"errors\":[],\"jobs\":[",
                "{\"job_id\":%d,\"job_state\":\"PENDING\",\"user_name\":\"alice\","
                    + "\"comment\":\"mr.c1.%d.1\",\"command\":\"%s\"}",
                ",\n",
                "]}\n"
              };
        };
    try (PrintWriter to = new PrintWriter(Files.newBufferedWriter(queue))) {
      to.print(parts[0]);
      for (int i = 1; i <= JOBS; i++) {
        String own = Long.toHexString(random.nextLong());
        String variables = (own + ":/opt/some/path/bin").repeat(ENVIRONMENT / 35);
        to.print(i == 1 ? "" : parts[2]);
        to.print(String.format(parts[1], i, i, variables));
      }
      to.print(parts[3]);
    }
  }

  /** Reads a queue and says how many jobs are in it, or why none are. */
  static final class QueueReader {
    private QueueReader() {}

    public static void main(String[] arguments) throws Exception {
      Path queue = Path.of(arguments[1]);
      OutsideKind kind =
          switch (arguments[0]) {
            case "gridengine" -> new SgeKind();
            case "openpbs" -> new PbsKind();
            case "torque" -> new TorqueKind();
            default -> new SlurmKind();
          };
      List<String> lines = new ArrayList<>(List.of("name = c1", "system = " + arguments[0]));
      lines.addAll(List.of("spool = /spool", "user.alice = alice"));
      lines.add(
          switch (arguments[0]) {
            case "gridengine" -> "sge_root = /opt/sge";
            case "slurm" -> "cluster_name = hand";
            default -> "server = vm";
          });
      Path properties = Files.write(queue.resolveSibling("c1.properties"), lines);
      ClusterFile file = ClusterFile.read(properties, List.of(kind));
      CommandRunner runner = command -> run(command, queue);
      Told<List<OutsideJob>> told =
          switch (arguments[0]) {
            case "gridengine" -> new SgeSystem(file, runner).tagged();
            case "openpbs" -> new PbsSystem(file, runner).snapshot();
            case "torque" -> new TorqueSystem(file, runner).snapshot();
            default -> new SlurmSystem(file, runner).snapshot();
          };
      System.out.println(
          told instanceof Told.Answered<List<OutsideJob>> answer
              ? "jobs " + answer.value().size()
              : told.toString());
    }

    private static OutsideAnswer run(OutsideCommand command, Path queue)
        throws InterruptedException {
      List<String> words =
          command.program().equals("scontrol")
              ? List.of("/bin/echo", "ClusterName = hand")
              : List.of("/bin/cat", queue.toString());
      return new ProcessRunner()
          .run(
              new OutsideCommand(
                  words, new byte[0], Map.of(), Duration.ofMinutes(1), command.outputMost()));
    }
  }
}
