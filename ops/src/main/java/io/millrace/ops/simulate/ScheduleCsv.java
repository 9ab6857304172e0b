package io.millrace.ops.simulate;

import io.millrace.schedulers.simulator.Metrics;
import io.millrace.schedulers.simulator.Schedule;
import io.millrace.schedulers.simulator.TraceJob;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The times of each job under each policy. Seconds count from the trace's start. */
final class ScheduleCsv {

  private static final String HEAD =
      "policy,job,processors,submit_s,start_s,end_s,wait_s,run_s,estimate_s,bounded_slowdown";

  private ScheduleCsv() {}

  static void write(Path file, List<Result> results) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      out.write(HEAD);
      out.newLine();
      for (Result result : results) {
        List<TraceJob> jobs = result.schedule().workload().jobs();
        for (int i = 0; i < jobs.size(); i++) {
          out.write(line(result, jobs.get(i), i));
          out.newLine();
        }
      }
    }
  }

  private static String line(Result result, TraceJob job, int index) {
    Schedule schedule = result.schedule();
    double slowdown = Metrics.boundedSlowdown(schedule.waitS(index), job.runS());
    return quoted(result.policy())
        + ','
        + job.name()
        + ','
        + job.processors()
        + ','
        + job.submitS()
        + ','
        + schedule.startS()[index]
        + ','
        + schedule.endS(index)
        + ','
        + schedule.waitS(index)
        + ','
        + job.runS()
        + ','
        + job.estimateS()
        + ','
        + String.format(Locale.ROOT, "%.3f", slowdown);
  }

  private static String quoted(String text) {
    return text.matches("[^,\"\\r\\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
