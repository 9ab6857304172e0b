package io.millrace.schedulers.dialects.gridengine.proof;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.gridengine.language.options.SchedulerParams;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What each setting inside params changes. */
final class ParamsProofs {

  private ParamsProofs() {}

  static List<Proof> list() {
    return List.of(
        proof(
            "MONITOR",
            "1",
            "the run has lines for the file schedule",
            scene -> "" + scene.job("A", "-l h_rt=10").decisions().section().size(),
            "1"),
        proof(
            "DURATION_OFFSET",
            "5",
            "a reservation begins 5 s after the runtime",
            scene ->
                scene
                    .running("first", 0, "-l h_rt=10 -pe mpi 4")
                    .job("A", "-R y -pe mpi 4")
                    .decide(),
            "A>15@all.q@node01:2@all.q@node02:2"),
        proof(
            "PROFILE",
            "1",
            "the run says how much it did",
            scene -> scene.job("A", "").decisions().effort().profile(),
            "PROF: 0 running, 1 waiting, 1 tried, 1 started, 0 reserved"),
        proof(
            "RUNTIME",
            "H_RT",
            "h_rt counts although s_rt is longer",
            scene ->
                scene
                    .running("first", 0, "-l h_rt=10,s_rt=20 -pe mpi 4")
                    .job("A", "-R y -pe mpi 4")
                    .decide(),
            "A>70@all.q@node01:2@all.q@node02:2"));
  }

  private static Proof proof(
      String name,
      String value,
      String shows,
      Function<GridEngineScene, String> see,
      String expected) {
    return new Proof(
        SchedulerParams.TABLE,
        name,
        shows,
        name + " " + value + "\n",
        settings -> {
          String params =
              settings.named().entrySet().stream()
                  .map(entry -> entry.getKey() + "=" + entry.getValue())
                  .collect(Collectors.joining(","));
          return see.apply(
              new GridEngineScene().scheduler("params", params.isEmpty() ? "none" : params));
        },
        expected);
  }
}
