package io.millrace.ops.faults.load;

import io.millrace.ops.campaigns.CampaignOwner;
import io.millrace.ops.faults.evidence.JobPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The folder of the jobs' scripts, of the file into which they write, and of the evidence. */
public record LoadFolder(Path root) {

  /** Tasks that hold up the end of a campaign, which then runs them a second time elsewhere. */
  private static final int LATE_TASKS = 2;

  private static final int LATE_S = 20;

  public static LoadFolder in(Path home) throws IOException {
    LoadFolder folder = new LoadFolder(home.resolve("faults"));
    for (Path each : List.of(folder.scripts(), folder.outputs(), folder.evidence())) {
      Files.createDirectories(each);
    }
    return folder;
  }

  Path scripts() {
    return root.resolve("scripts");
  }

  public Path outputs() {
    return root.resolve("outputs");
  }

  /**
   * Folder for the output of parts that ended by themselves, and for the evidence of a failed
   * verdict.
   */
  public Path evidence() {
    return root.resolve("evidence");
  }

  public Path lines() {
    return root.resolve("lines");
  }

  /** Where scripts say when they end, if they do. */
  public Path ends() {
    return root.resolve("ends");
  }

  /** Folder in which the tasks of a campaign run, and into which only their owner writes. */
  public Path tasks() {
    return root.resolve("tasks");
  }

  /** What the tasks of a campaign write. */
  public Path attempts() {
    return tasks().resolve("attempts");
  }

  /** When they wrote that they end. */
  public Path taskEnds() {
    return tasks().resolve("ends");
  }

  public Path script(String token) {
    return scripts().resolve(token + ".sh");
  }

  /**
   * Writes the script of a job. It appends one short line with a single write in append mode, so
   * that lines of concurrent jobs stay whole.
   */
  Path write(JobPlan plan) throws IOException {
    return write(plan, plan.runMs(), "");
  }

  /** The same of a job that lasts as long as is said here. */
  public Path write(JobPlan plan, int runMs) throws IOException {
    return write(plan, runMs, "");
  }

  /** The same of a job that also says when it ends, and lasts as long as is said here. */
  public Path writeWithEnd(JobPlan plan, int runMs) throws IOException {
    return write(plan, runMs, end(ends()) + "\n");
  }

  private static String end(Path file) {
    return "echo \"$PBS_JOBID $MILLRACE_RUN $(date +%s%3N)\" >>" + file;
  }

  private Path write(JobPlan plan, int runMs, String end) throws IOException {
    String text =
        "#!/bin/sh\n"
            + "printf '%s %s %s\\n' \"$PBS_JOBID\" \"$MILLRACE_RUN\" "
            + plan.token()
            + " >>"
            + lines()
            + "\n"
            + String.format("sleep %d.%03d%n", runMs / 1000, runMs % 1000)
            + end
            + "exit "
            + plan.exitStatus()
            + "\n";
    return Files.writeString(script(plan.token()), text);
  }

  /**
   * Writes the script of all tasks of a campaign, which appends its line in the same way, and
   * another one when it was not told to end before. The last tasks take long at their first
   * attempt. It lies where their owner cannot write.
   */
  Path writeTask(int tasks, CampaignOwner owner, int lessThanS) throws IOException {
    owner.give(tasks());
    String text =
        """
        #!/bin/sh
        printf '%%s %%s %%s %%s\\n' "$PBS_JOBID" "$MILLRACE_RUN" "$CIGRI_JOB_ID" "$MILLRACE_ATTEMPT" >>%s
        time=$((CIGRI_JOB_ID %% %d)).$((CIGRI_JOB_ID %% 10))
        [ "$CIGRI_JOB_ID" -ge %d ] && [ "$MILLRACE_ATTEMPT" = 1 ] && time=%d
        sleep $time && %s
        """
            .formatted(attempts(), lessThanS, tasks - LATE_TASKS, LATE_S, end(taskEnds()));
    Path script = Files.writeString(scripts().resolve("task.sh"), text);
    for (Path each : List.of(root, scripts(), script)) {
      Files.setPosixFilePermissions(each, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    return script;
  }
}
