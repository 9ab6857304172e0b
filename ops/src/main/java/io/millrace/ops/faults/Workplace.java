package io.millrace.ops.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The folder of the jobs' scripts, of the file into which they write, and of the evidence. */
record Workplace(Path root) {

  static Workplace in(Path home) throws IOException {
    Workplace place = new Workplace(home.resolve("faults"));
    for (Path folder : List.of(place.scripts(), place.outputs(), place.evidence())) {
      Files.createDirectories(folder);
    }
    return place;
  }

  Path scripts() {
    return root.resolve("scripts");
  }

  Path outputs() {
    return root.resolve("outputs");
  }

  /** What parts printed that ended by themselves, and what a bad verdict rests on. */
  Path evidence() {
    return root.resolve("evidence");
  }

  Path lines() {
    return root.resolve("lines");
  }

  Path script(String token) {
    return scripts().resolve(token + ".sh");
  }

  /** One write of one short line in append mode: lines of jobs that run at once stay whole. */
  Path write(ErrandPlan plan) throws IOException {
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
