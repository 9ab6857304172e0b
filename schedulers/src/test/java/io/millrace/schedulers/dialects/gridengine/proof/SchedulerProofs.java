package io.millrace.schedulers.dialects.gridengine.proof;

import io.millrace.schedulers.dialects.gridengine.GridEngineScene;
import io.millrace.schedulers.dialects.gridengine.schedule.decision.PendingJob;
import io.millrace.schedulers.gridengine.language.Priorities;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

/** What each option of sched_conf changes. */
final class SchedulerProofs {

  private static final String PLAIN = "params DURATION_OFFSET=0\n";
  private static final String LOADS =
      "hostname %s\nload_values np_load_avg=%s,mem_used=%s,num_proc=1\n";

  private SchedulerProofs() {}

  static List<Proof> list() {
    return Stream.of(order(), times(), weights(), promises()).flatMap(List::stream).toList();
  }

  /** Which queues and hosts a job tries first. */
  private static List<Proof> order() {
    return List.of(
        proof(
            "schedule_interval",
            "a job that overruns is taken to end one interval later",
            PLAIN + "max_reservation 1\nschedule_interval 0:0:30\n",
            scene ->
                scene
                    .running("late", 20, "-l h_rt=10 -pe mpi 4")
                    .job("A", "-R y -l h_rt=5 -pe mpi 4")
                    .decide(),
            "A>30@all.q@node01:2@all.q@node02:2"),
        proof(
            "maxujobs",
            "the second job of a user waits",
            PLAIN + "maxujobs 1\n",
            scene -> scene.job("A", "").job("B", "").decide() + ", " + scene.reason("B"),
            "A@all.q@node01, job dropped because of user limitations"),
        proof(
            "queue_sort_method",
            "the lower seq_no wins over the lower load",
            PLAIN + "queue_sort_method seqno\n",
            scene ->
                loaded(scene, "0.9", "0.1")
                    .queue(
                        "qname all.q\nhostlist node01 node02\nslots 2\n"
                            + "seq_no 0,[node01=1],[node02=2]\n")
                    .job("A", "")
                    .decide(),
            "A@all.q@node01"),
        proof(
            "job_load_adjustments",
            "the second job goes to the other host",
            PLAIN + "load_adjustment_decay_time 0:10:0\njob_load_adjustments np_load_avg=1.0\n",
            scene -> loaded(scene, "0.1", "0.5").job("A", "").job("B", "").decide(),
            "A@all.q@node01 B@all.q@node02"),
        proof(
            "load_adjustment_decay_time",
            "a job that started a minute ago still counts as load",
            PLAIN + "job_load_adjustments np_load_avg=1.0\nload_adjustment_decay_time 0:10:0\n",
            scene -> loaded(scene, "0.1", "0.5").running("new", 60, "").job("A", "").decide(),
            "A@all.q@node02"),
        proof(
            "load_formula",
            "the host with less used memory comes first",
            PLAIN + "load_formula mem_used\n",
            scene -> loaded(scene, "0.1", "0.5").job("A", "").decide(),
            "A@all.q@node02"));
  }

  /** When it looks, and what it says. */
  private static List<Proof> times() {
    return List.of(
        proof(
            "schedd_job_info",
            "no reason is kept",
            PLAIN + "schedd_job_info false\n",
            scene -> scene.job("A", "-l license=1").reason("A"),
            ""),
        proof(
            "flush_submit_sec",
            "a job that comes at 3 starts at 4, not with the next interval",
            PLAIN + "flush_submit_sec 1\n",
            scene -> scene.comes("A", 3, 5, "").play(),
            "A=4"),
        proof(
            "flush_finish_sec",
            "what a job frees at 3 is used at 4",
            PLAIN + "flush_finish_sec 1\n",
            scene -> scene.comes("A", 0, 3, "-pe mpi 4").comes("B", 0, 3, "-pe mpi 4").play(),
            "A=0 B=4"),
        proof(
            "params",
            "durations are not lengthened",
            PLAIN + "max_reservation 1\n",
            scene ->
                scene
                    .running("first", 0, "-l h_rt=10 -pe mpi 4")
                    .job("A", "-R y -pe mpi 4")
                    .decide(),
            "A>10@all.q@node01:2@all.q@node02:2"));
  }

  /** What counts how much in a priority. */
  private static List<Proof> weights() {
    return List.of(
        proof(
            "weight_ticket",
            "half of the weight is part of each priority",
            PLAIN + "weight_ticket 1.0\n",
            scene -> priority(scene.job("A", "")),
            "1.05000"),
        proof(
            "weight_waiting_time",
            "who waits longer comes first",
            PLAIN + "weight_waiting_time 1.0\n",
            scene ->
                scene
                    .job("young", "someone", GridEngineScene.NOW, "-pe mpi 4")
                    .job("old", "someone", GridEngineScene.NOW - 100, "-pe mpi 4")
                    .decide(),
            "old@all.q@node01:2@all.q@node02:2"),
        proof(
            "weight_deadline",
            "a deadline counts for nothing, so the lower number comes first",
            PLAIN + "weight_deadline 0.0\n",
            scene -> scene.job("A", "-pe mpi 4").job(due(scene)).decide(),
            "A@all.q@node01:2@all.q@node02:2"),
        proof(
            "weight_urgency",
            "more requested licenses beat -p",
            PLAIN + "weight_urgency 10.0\n",
            scene ->
                scene
                    .host("hostname global\ncomplex_values license=5\n")
                    .job("pushed", "-p 1000 -l license=1")
                    .job("urgent", "-l license=5")
                    .decide(),
            "urgent@all.q@node01"),
        proof(
            "weight_priority",
            "-p counts for nothing, urgency decides",
            PLAIN + "weight_priority 0.0\n",
            scene ->
                scene
                    .host("hostname global\ncomplex_values license=5\n")
                    .job("pushed", "-p 1000 -l license=1")
                    .job("urgent", "-l license=5")
                    .decide(),
            "urgent@all.q@node01"));
  }

  /** Promises of a later start. */
  private static List<Proof> promises() {
    return List.of(
        proof(
            "max_reservation",
            "one of two jobs is promised a start",
            PLAIN + "max_reservation 1\n",
            scene ->
                scene
                    .running("first", 0, "-l h_rt=10 -pe mpi 3")
                    .job("A", "-R y -l h_rt=10 -pe mpi 4")
                    .job("B", "-R y -l h_rt=10 -pe mpi 3")
                    .decide(),
            "A>10@all.q@node02:2@all.q@node01:2"),
        proof(
            "default_duration",
            "a job without a limit is assumed to end",
            PLAIN + "max_reservation 1\ndefault_duration 0:0:10\n",
            scene -> scene.running("first", 0, "-pe mpi 4").job("A", "-R y -pe mpi 4").decide(),
            "A>10@all.q@node01:2@all.q@node02:2"));
  }

  private static Proof proof(
      String option,
      String shows,
      String text,
      Function<GridEngineScene, String> see,
      String expected) {
    return Proofs.scene(SchedulerOptions.TABLE, option, shows, text, see, expected);
  }

  private static GridEngineScene loaded(GridEngineScene scene, String first, String second) {
    return scene
        .host(String.format(Locale.ROOT, LOADS, "node01", first, "9G"))
        .host(String.format(Locale.ROOT, LOADS, "node02", second, "1G"));
  }

  private static GridEngineJob due(GridEngineScene scene) {
    GridEngineJob job =
        scene.parse("due", "someone", GridEngineScene.NOW, "-pe mpi 4", GridEngineJob.Waits.NO);
    return new GridEngineJob(
        job.identity(),
        job.needs(),
        false,
        new GridEngineJob.Urge(0, GridEngineScene.NOW, GridEngineScene.NOW + 100),
        job.tasks(),
        job.behaviour());
  }

  private static String priority(GridEngineScene scene) {
    GridEngineJob job = scene.state().pending().get(0).job();
    List<GridEngineJob> all = scene.state().pending().stream().map(PendingJob::job).toList();
    Priorities priorities =
        new Priorities(
            scene.state().cluster(), scene.state().scheduler(), all, GridEngineScene.NOW);
    return String.format(Locale.ROOT, "%.5f", priorities.of(job).total());
  }
}
