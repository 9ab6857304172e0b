package io.millrace.schedulers.dialects.gridengine.proof;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.gridengine.language.options.CellOptions;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.JobLimits;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import java.util.List;
import java.util.function.Function;

/** What each option of sge_conf changes. */
final class CellProofs {

  private CellProofs() {}

  static List<Proof> list() {
    return List.of(
        proof(
            "max_aj_instances",
            "1",
            "the second task of an array waits for the first",
            limits -> {
              GridEngineScene scene = new GridEngineScene();
              GridEngineJob array =
                  scene.parse(
                      "A", "someone", GridEngineScene.NOW, "-t 1-2", GridEngineJob.Waits.NO);
              return scene.job(limits.limited(array)).decide();
            },
            "A.1@all.q@node01"),
        proof(
            "max_aj_tasks",
            "10",
            "a larger array is refused",
            limits -> refused(limits, 11, 0, 0),
            "job rejected: you tried to submit a job with more than 10 tasks"),
        proof(
            "max_u_jobs",
            "5",
            "a user's sixth job is refused",
            limits -> refused(limits, 1, 5, 5),
            "job rejected: only 5 jobs are allowed per user (current job count: 5)"),
        proof(
            "max_jobs",
            "7",
            "the cell's eighth job is refused",
            limits -> refused(limits, 1, 0, 7),
            "job rejected: only 7 jobs are allowed per cluster"));
  }

  private static String refused(JobLimits limits, long array, long ofUser, long ofAll) {
    try {
      limits.admit(array, ofUser, ofAll);
      return "taken";
    } catch (RequestRefused e) {
      return e.getMessage();
    }
  }

  private static Proof proof(
      String option, String value, String shows, Function<JobLimits, String> see, String expected) {
    return new Proof(
        CellOptions.TABLE,
        option,
        shows,
        option + " " + value + "\n",
        settings -> see.apply(JobLimits.of(settings)),
        expected);
  }
}
