package io.millrace.connectors.connect;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What a Slurm says whose jobs a test submits, starts and ends by hand. */
final class PlayedSlurm implements CommandRunner {

  private static final String LINE =
      "JobId=%d UserId=alice(1001) GroupId=x(1001) Name=x JobState=%s Partition=batch TimeLimit=5"
          + " StartTime=2026-11-20T10:00:00 EndTime=2026-11-20T10:00:09 NodeList=n1 NodeCnt=1"
          + " ProcCnt=1 WorkDir=/ ReservationName= Tres=cpu=1 Account= QOS= WcKey= Cluster=unknown"
          + " SubmitTime=2026-11-20T10:00:00 EligibleTime=2026-11-20T10:00:00 DerivedExitCode=0:0"
          + " ExitCode=%d:0 \n";

  private final Path completions;
  private final Map<Long, String> jobs = new TreeMap<>();
  private OutsideAnswer broken;
  private int asked;

  /**
   * @param completions the file of its job completion plugin
   */
  PlayedSlurm(Path completions) {
    this.completions = completions;
  }

  synchronized void is(long job, String state) {
    jobs.put(job, state);
  }

  /** A job ends, of which the queue says nothing more. */
  synchronized void ends(long job, int status) throws IOException {
    jobs.remove(job);
    tells(job, status);
  }

  /** A job has ended, which the queue goes on to show. */
  synchronized void tells(long job, int status) throws IOException {
    Files.writeString(
        completions,
        LINE.formatted(job, status == 0 ? "COMPLETED" : "FAILED", status),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }

  /** The queue shows a job no more. */
  synchronized void forgets(long job) {
    jobs.remove(job);
  }

  /** All of its commands fail so from now on; null for none of them. */
  synchronized void breaks(OutsideAnswer answer) {
    broken = answer;
  }

  /** How many questions it was asked. */
  synchronized int asked() {
    return asked;
  }

  synchronized String squeue() {
    return "{\"errors\":[],\"jobs\":["
        + jobs.entrySet().stream()
            .map(it -> job(it.getKey(), it.getValue()))
            .collect(Collectors.joining(","))
        + "]}";
  }

  private static String job(long id, String state) {
    return ("{\"job_id\":%d,\"array_job_id\":0,\"name\":\"x\",\"user_name\":\"alice\","
            + "\"job_state\":\"%s\",\"state_reason\":\"None\",\"cpus\":1,\"nodes\":\"%s\","
            + "\"submit_time\":1795168800,\"exit_code\":0}")
        .formatted(id, state, state.equals("RUNNING") ? "n1" : "");
  }

  /** What {@code scontrol show config} says. */
  static final String CONFIG = "ClusterName             = sim\n";

  static String sinfo() {
    return "{\"errors\":[],\"nodes\":["
        + "{\"name\":\"n1\",\"state\":\"mixed\",\"state_flags\":[],\"cpus\":4,"
        + "\"real_memory\":4096,\"partitions\":[\"batch\"]},"
        + "{\"name\":\"n2\",\"state\":\"idle\",\"state_flags\":[\"DRAIN\"],\"cpus\":4,"
        + "\"real_memory\":4096,\"partitions\":[\"batch\"]}]}";
  }

  @Override
  public synchronized OutsideAnswer run(OutsideCommand command) {
    asked++;
    if (broken != null) {
      return broken;
    }
    return switch (command.program()) {
      case "squeue" -> answer(ProcessEnding.EXITED, squeue());
      case "sinfo" -> answer(ProcessEnding.EXITED, sinfo());
      case "scontrol" -> answer(ProcessEnding.EXITED, CONFIG);
      default -> throw new IllegalArgumentException(command.words().toString());
    };
  }

  static OutsideAnswer answer(ProcessEnding ending, String out) {
    return new OutsideAnswer(ending, 0, out, "", Duration.ofMillis(20));
  }
}
