package io.millrace.ops.faults.load;

import io.millrace.ops.faults.evidence.JobPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The folder of the jobs' scripts, of the file into which they write, and of the evidence. */
public record LoadFolder(Path root) {

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

  public Path script(String token) {
    return scripts().resolve(token + ".sh");
  }

  /**
   * Writes the script of a job. It appends one short line with a single write in append mode, so
   * that lines of concurrent jobs stay whole.
   */
  Path write(JobPlan plan) throws IOException {
    String text =
        "#!/bin/sh\n"
            + "printf '%s %s %s\\n' \"$PBS_JOBID\" \"$MILLRACE_RUN\" "
            + plan.token()
            + " >>"
            + lines()
            + "\n"
            + String.format("sleep %d.%03d%n", plan.runMs() / 1000, plan.runMs() % 1000)
            + "exit "
            + plan.exitStatus()
            + "\n";
    return Files.writeString(script(plan.token()), text);
  }
}
