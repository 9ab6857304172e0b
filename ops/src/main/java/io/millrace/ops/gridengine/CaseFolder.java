package io.millrace.ops.gridengine;

import io.millrace.schedulers.dialects.gridengine.replay.CaseAction;
import io.millrace.schedulers.dialects.gridengine.replay.CaseJob;
import io.millrace.schedulers.dialects.gridengine.replay.ReplaySession;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.cluster.NamedAttributes;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.OptionValues;
import io.millrace.schedulers.gridengine.language.options.SchedulerOptions;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The folder of a recorded session: {@code config/}, cluster.json, jobs.json, seen.json. */
final class CaseFolder {

  private static final long LIMIT_S = 3600;

  private static final Set<String> KEYS = Set.of("what", "limit", "jobs", "actions");

  private final Path folder;
  private final List<String> warnings = new ArrayList<>();

  CaseFolder(Path folder) {
    this.folder = folder;
  }

  String name() {
    return folder.toAbsolutePath().normalize().getFileName().toString();
  }

  /** The session's description in words. */
  String what() throws IOException {
    return read("jobs.json").find("what").map(CaseValue::text).orElse("");
  }

  /** Unknown parts of the files, which are ignored, in the order in which they were found. */
  List<String> warnings() {
    return List.copyOf(warnings);
  }

  ReplaySession session() throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new ConfigurationRefused(folder.toString(), 0, "there is no such folder");
    }
    CaseValue described = read("cluster.json");
    CaseValue jobs = read("jobs.json");
    warnings.addAll(described.others(CaseCluster.KEYS));
    warnings.addAll(jobs.others(KEYS));
    CaseCommands typed = CaseCommands.of(folder);
    Cluster cluster = new CaseCluster(folder.resolve("config"), described, typed).read();
    OptionValues scheduler = scheduler();
    NamedAttributes.checkScheduler(scheduler, cluster.complexes());
    List<CaseJob> all =
        new CaseJobs(cluster, typed)
            .jobs(jobs.need("jobs", "a list of jobs {\"name\": ..., \"t\": ..., \"run\": ...}"));
    CaseActions reader = new CaseActions(cluster, all);
    List<CaseAction> actions = jobs.find("actions").map(reader::actions).orElse(List.of());
    warnings.addAll(reader.warnings());
    return new ReplaySession(
        cluster,
        scheduler,
        all,
        actions,
        endSeen(all),
        jobs.find("limit").map(CaseValue::seconds).orElse(LIMIT_S));
  }

  private OptionValues scheduler() throws IOException {
    Path sched = folder.resolve("config").resolve("sched");
    if (!Files.exists(sched)) {
      throw new ConfigurationRefused(
          sched.toString(), 0, "there is no such file: the scheduler's settings");
    }
    return SchedulerOptions.TABLE.parse(sched.toString(), PolicyText.read(sched));
  }

  private Map<String, Map<Integer, Long>> endSeen(List<CaseJob> jobs) throws IOException {
    Map<String, Map<Integer, Long>> seen = new HashMap<>();
    if (!Files.exists(folder.resolve("seen.json"))) {
      return seen;
    }
    CaseValue file = read("seen.json");
    warnings.addAll(file.others(Set.of("comment", "end_seen")));
    file.find("end_seen")
        .ifPresent(
            ends ->
                ends.values()
                    .forEach(
                        (name, of) -> {
                          if (!of.isNull()) {
                            seen.put(name, tasks(job(jobs, name, of), of));
                          }
                        }));
    return seen;
  }

  private static GridEngineJob job(List<CaseJob> jobs, String name, CaseValue ends) {
    return jobs.stream()
        .map(CaseJob::job)
        .filter(job -> job.identity().name().equals(name))
        .findFirst()
        .orElseThrow(
            () -> {
              List<String> names = jobs.stream().map(it -> it.job().identity().name()).toList();
              return ends.refused("there is no such job in jobs.json" + Nearest.hint(name, names));
            });
  }

  private static Map<Integer, Long> tasks(GridEngineJob job, CaseValue ends) {
    Map<Integer, Long> tasks = new HashMap<>();
    ends.values()
        .forEach(
            (task, end) -> {
              if (!task.matches("[1-9]\\d{0,6}") || !job.tasks().contains(Integer.parseInt(task))) {
                throw end.refused("the job has no task of this number");
              }
              if (!end.isNull()) { // it was not seen to end
                tasks.put(Integer.parseInt(task), end.seconds());
              }
            });
    return tasks;
  }

  private CaseValue read(String name) throws IOException {
    return CaseValue.read(folder.resolve(name));
  }
}
