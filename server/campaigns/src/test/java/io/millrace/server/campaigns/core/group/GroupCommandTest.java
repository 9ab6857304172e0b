package io.millrace.server.campaigns.core.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.schemas.SampleRecords;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.pbs.jobs.WrittenSteps;
import io.millrace.server.campaigns.core.group.GroupCommand.GroupedTask;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command of a job of several tasks, run by the shell that would run it. */
final class GroupCommandTest {

  @TempDir Path folder;

  private int run(long walltimeS, Path steps, List<GroupedTask> tasks) throws Exception {
    SampleRecords samples = new SampleRecords(new SplittableRandom(1));
    CampaignCluster cluster = (CampaignCluster) samples.record(CampaignCluster.getClassSchema());
    cluster.getJob().getRequest().setWalltimeS(walltimeS);
    Path program = folder.resolve("run.sh");
    Files.writeString(
        program,
        """
        #!/bin/sh
        echo "$CIGRI_JOB_ID $CIGRI_JOBID $CIGRI_JOB_NAME $MILLRACE_ATTEMPT $#:$*:$MILLRACE_STEPS" >>said
        [ "$2" != wait ] || sleep 1.2
        [ "$1" = fail ] && exit 7
        exit 0
        """);
    assertTrue(program.toFile().setExecutable(true));
    List<String> argv =
        GroupCommand.of(cluster, folder.resolve("in/there").toString(), program.toString(), tasks);
    ProcessBuilder builder = new ProcessBuilder(argv).redirectErrorStream(true);
    builder.environment().put(WrittenSteps.VARIABLE, steps == null ? "" : steps.toString());
    Process process = builder.redirectOutput(folder.resolve("out").toFile()).start();
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    return process.exitValue();
  }

  private List<String> said() throws Exception {
    return Files.readAllLines(folder.resolve("in/there/said"));
  }

  private static List<String> ends(Path steps) throws Exception {
    return GroupStep.parse(Files.readString(steps)).stream()
        .map(it -> it.task() + " " + it.exitStatus())
        .toList();
  }

  @Test
  void oneRunsAfterTheOtherAndNoShellReadsTheirWords() throws Exception {
    Path steps = Files.createFile(folder.resolve("steps"));
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      many.add("w" + i);
    }
    List<GroupedTask> tasks =
        List.of(
            new GroupedTask(4, 1, List.of("$(touch bad)", "`x`", "\"'", "*")),
            new GroupedTask(5, 3, List.of("fail")),
            new GroupedTask(9, 2, many));
    assertEquals(1, run(-1, steps, tasks));
    assertEquals(
        List.of(
            "4 4 $(touch bad) 1 4:$(touch bad) `x` \"' *:",
            "5 5 fail 3 1:fail:",
            "9 9 w0 2 12:" + String.join(" ", many) + ":"),
        said());
    assertEquals(List.of("4 0", "5 7", "9 0"), ends(steps));
    assertEquals("", Files.readString(folder.resolve("out")));
  }

  /** As the longest line that a description may have. */
  @Test
  void aLineOfVeryManyWordsTakesNoTimeWorthMentioning() throws Exception {
    Path steps = Files.createFile(folder.resolve("steps"));
    List<String> many = new ArrayList<>();
    for (int i = 0; i < 32_000; i++) {
      many.add(i % 5 == 0 ? "*" : i % 7 == 0 ? "\u00c1" : "w");
    }
    assertEquals(0, run(-1, steps, List.of(new GroupedTask(1, 1, many))));
    assertEquals("1 1 * 1 32000:" + String.join(" ", many) + ":", said().get(0));
    long ranMs = GroupStep.parse(Files.readString(steps)).get(0).ranMs();
    assertTrue(ranMs < 1_500, ranMs + " ms");
  }

  @Test
  void anEmptyLineIsOneEmptyWord() throws Exception {
    assertEquals(0, run(-1, null, List.of(new GroupedTask(1, 1, List.of("")))));
    assertEquals(List.of("1 1  1 1::"), said());
  }

  @Test
  void itStopsWhenAHalfOfTheWalltimeIsOver() throws Exception {
    Path steps = Files.createFile(folder.resolve("steps"));
    List<GroupedTask> tasks =
        List.of(
            new GroupedTask(1, 1, List.of("a", "wait")),
            new GroupedTask(2, 1, List.of("b")),
            new GroupedTask(3, 1, List.of("c")));
    assertEquals(75, run(2, steps, tasks));
    assertEquals(List.of("1 0"), ends(steps));
    long ranMs = GroupStep.parse(Files.readString(steps)).get(0).ranMs();
    assertTrue(ranMs >= 1_100 && ranMs < 20_000, ranMs + " ms");
  }

  @Test
  void withoutAFileItRunsAllTheSame() throws Exception {
    assertEquals(0, run(-1, null, List.of(new GroupedTask(1, 1, List.of("a")))));
    assertEquals(List.of("1 1 a 1 1:a:"), said());
  }

  @Test
  void whatIsNoStepEndsTheList() {
    assertEquals(2, GroupStep.parse("1 0 20\n2 0 30\n3 0 4").size());
    assertEquals(1, GroupStep.parse("1 0 20\n\n2 0 30\n").size());
    assertEquals(0, GroupStep.parse("1 0 99999999999999\n").size());
    assertEquals(0, GroupStep.parse("").size());
  }
}
