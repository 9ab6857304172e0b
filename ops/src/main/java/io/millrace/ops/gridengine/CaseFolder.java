package io.millrace.ops.gridengine;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.cluster.NamedAttributes;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
import io.millrace.schedulers.dialects.gridengine.options.SchedulerOptions;
import io.millrace.schedulers.dialects.gridengine.options.Settings;
import io.millrace.schedulers.dialects.gridengine.replay.CaseAction;
import io.millrace.schedulers.dialects.gridengine.replay.CaseJob;
import io.millrace.schedulers.dialects.gridengine.replay.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** The folder of a recorded session: {@code config/}, cluster.json, jobs.json, seen.json. */
final class CaseFolder {

  private static final long LIMIT_S = 3600;

  private final Path folder;
  private final ObjectMapper json = new ObjectMapper();

  CaseFolder(Path folder) {
    this.folder = folder;
  }

  String name() {
    return folder.toAbsolutePath().normalize().getFileName().toString();
  }

  /** The session's description in words. */
  String what() throws IOException {
    return read("jobs.json").path("what").asText();
  }

  Session session() throws IOException {
    if (!Files.isDirectory(folder)) {
      throw new Refused(folder.toString(), 0, "there is no such folder");
    }
    JsonNode described = read("cluster.json");
    JsonNode jobs = read("jobs.json");
    CaseCommands typed = CaseCommands.of(folder);
    Cluster cluster = new CaseCluster(folder.resolve("config"), described, typed).read();
    Settings scheduler = scheduler();
    NamedAttributes.checkScheduler(scheduler, cluster.complexes());
    CaseJobs reader = new CaseJobs(cluster, file("jobs.json"), typed);
    List<CaseJob> all = reader.jobs(jobs.path("jobs"));
    List<CaseAction> actions =
        new CaseActions(file("jobs.json"), all).actions(jobs.path("actions"));
    return new Session(
        cluster, scheduler, all, actions, endSeen(), jobs.path("limit").asLong(LIMIT_S));
  }

  private Settings scheduler() throws IOException {
    Path sched = folder.resolve("config").resolve("sched");
    if (!Files.exists(sched)) {
      throw new Refused(sched.toString(), 0, "there is no such file: the scheduler's settings");
    }
    return SchedulerOptions.TABLE.parse(sched.toString(), PolicyText.read(sched));
  }

  private Map<String, Map<Integer, Long>> endSeen() throws IOException {
    Map<String, Map<Integer, Long>> seen = new HashMap<>();
    if (!Files.exists(folder.resolve("seen.json"))) {
      return seen;
    }
    JsonNode ends = read("seen.json").path("end_seen");
    for (Iterator<String> names = ends.fieldNames(); names.hasNext(); ) {
      String job = names.next();
      Map<Integer, Long> tasks = new HashMap<>();
      for (Iterator<String> numbers = ends.get(job).fieldNames(); numbers.hasNext(); ) {
        String task = numbers.next();
        if (!task.matches("\\d{1,7}")) {
          throw new Refused(file("seen.json"), 0, job + " has '" + task + "' for a task number");
        }
        tasks.put(Integer.parseInt(task), (long) Math.ceil(ends.get(job).get(task).asDouble()));
      }
      seen.put(job, tasks);
    }
    return seen;
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private JsonNode read(String name) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.exists(file)) {
      throw new Refused(file.toString(), 0, "there is no such file");
    }
    try {
      JsonNode node = json.readTree(file.toFile());
      if (!node.isObject()) {
        throw new Refused(file.toString(), 1, "this is no JSON object");
      }
      return node;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      throw new Refused(file.toString(), line, "this is no JSON: " + e.getOriginalMessage());
    }
  }
}
