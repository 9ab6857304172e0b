package io.millrace.ops.gridengine;

import com.fasterxml.jackson.databind.JsonNode;
import io.millrace.schedulers.dialects.gridengine.cluster.Cluster;
import io.millrace.schedulers.dialects.gridengine.options.Nearest;
import io.millrace.schedulers.dialects.gridengine.options.Refused;
import io.millrace.schedulers.dialects.gridengine.replay.CaseJob;
import io.millrace.schedulers.dialects.gridengine.replay.Replay;
import io.millrace.schedulers.dialects.gridengine.request.Job;
import io.millrace.schedulers.dialects.gridengine.request.Needs;
import io.millrace.schedulers.dialects.gridengine.request.RequestRefused;
import io.millrace.schedulers.dialects.gridengine.request.ResourceRequest;
import io.millrace.schedulers.dialects.gridengine.request.Submission;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The jobs of jobs.json: each key stands for an option of qsub. */
final class CaseJobs {

  /** Keys that are options of qsub, with how their value becomes the option's. */
  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("p", "-p"),
          Map.entry("q", "-q"),
          Map.entry("t_array", "-t"),
          Map.entry("tc", "-tc"),
          Map.entry("P", "-P"),
          Map.entry("hold_jid", "-hold_jid"));

  private static final Set<String> KEYS =
      Set.of(
          "name",
          "run",
          "t",
          "p",
          "R",
          "l",
          "soft",
          "soft_l",
          "soft_q",
          "pe",
          "q",
          "t_array",
          "tc",
          "now",
          "hold",
          "h",
          "hold_jid",
          "P",
          "user",
          "owner",
          "dl");

  private final Cluster cluster;
  private final String file;
  private final CaseCommands typed;

  CaseJobs(Cluster cluster, String file, CaseCommands typed) {
    this.cluster = cluster;
    this.file = file;
    this.typed = typed;
  }

  List<CaseJob> jobs(JsonNode nodes) {
    List<CaseJob> jobs = new ArrayList<>();
    Set<String> names = new LinkedHashSet<>();
    for (JsonNode node : nodes) {
      String name = node.path("name").asText();
      if (name.isEmpty() || !names.add(name)) {
        throw refused("job " + (jobs.size() + 1) + " has no name of its own");
      }
      try {
        jobs.add(job(node, name, jobs.size() + 1));
      } catch (RequestRefused e) {
        throw refused("job " + name + ": " + e.getMessage());
      }
    }
    return jobs;
  }

  private Refused refused(String reason) {
    return new Refused(file, 0, reason);
  }

  private CaseJob job(JsonNode node, String name, long number) {
    Submission submission = submission(node, name);
    Needs needs = submission.needs(cluster.complexes());
    long arrival = (long) Math.ceil(number(node, "t", name));
    long run = (long) Math.ceil(number(node, "run", name));
    long limit =
        needs.hard("h_rt").map(ResourceRequest::amount).orElse(Double.MAX_VALUE).longValue();
    Job.Behaviour behaviour =
        new Job.Behaviour(
            submission.immediate() || node.path("now").asBoolean(),
            submission.held() ? Job.Waits.HELD : Job.Waits.NO,
            submission.concurrent(),
            0);
    String owner = node.path("owner").asText(node.path("user").asText("root"));
    Job job =
        new Job(
            new Job.Identity(number, name, owner, submission.project()),
            needs,
            submission.reserve(),
            Replay.urge(submission.priority(), arrival, node.path("dl").asLong()),
            submission.tasks(),
            behaviour);
    return new CaseJob(job, arrival, Math.min(run, limit), submission.after());
  }

  private double number(JsonNode node, String key, String name) {
    JsonNode value = node.get(key);
    if (value == null || !value.isNumber() || value.asDouble() < 0) {
      throw refused("job " + name + ": '" + key + "' must be a number of seconds, 0 or more");
    }
    return value.asDouble();
  }

  /** What the keys ask for; with a key that is not known, the line that was typed for the job. */
  private Submission submission(JsonNode node, String name) {
    for (Iterator<String> keys = node.fieldNames(); keys.hasNext(); ) {
      String key = keys.next();
      if (!KEYS.contains(key)) {
        return typed
            .named(name)
            .orElseThrow(
                () ->
                    refused(
                        "job "
                            + name
                            + " has the key '"
                            + key
                            + "', which is not known"
                            + Nearest.hint(key, KEYS)));
      }
    }
    return Submission.of(words(node, name));
  }

  private static List<String> words(JsonNode node, String name) {
    List<String> words = new ArrayList<>(List.of("-N", name));
    OPTIONS.forEach(
        (key, option) -> {
          if (node.has(key)) {
            words.addAll(List.of(option, text(node.get(key))));
          }
        });
    if (node.has("R")) {
      words.addAll(List.of("-R", node.get("R").asBoolean() ? "y" : "n"));
    }
    if (node.has("pe")) {
      words.addAll(
          List.of("-pe", node.get("pe").path(0).asText(), node.get("pe").path(1).asText()));
    }
    if (node.path("hold").asBoolean() || node.path("h").asBoolean()) {
      words.add("-h");
    }
    if (node.has("l")) {
      words.addAll(List.of("-l", requests(node.get("l"))));
    }
    words.addAll(soft(node));
    return words;
  }

  /** Soft requests: a list of resources, or an object with l and q. */
  private static List<String> soft(JsonNode node) {
    List<String> words = new ArrayList<>(List.of("-soft"));
    JsonNode soft = node.path("soft");
    boolean byOption = soft.isObject() && (soft.path("l").isObject() || soft.has("q"));
    JsonNode resources = byOption ? soft.path("l") : soft;
    JsonNode queues = byOption ? soft.path("q") : node.path("soft_q");
    for (JsonNode each : List.of(resources, node.path("soft_l"))) {
      if (!each.isMissingNode()) {
        words.addAll(List.of("-l", requests(each)));
      }
    }
    if (!queues.isMissingNode()) {
      words.addAll(List.of("-q", text(queues)));
    }
    return words.size() > 1 ? words : List.of();
  }

  private static String requests(JsonNode node) {
    if (!node.isObject()) {
      return text(node);
    }
    List<String> pairs = new ArrayList<>();
    node.fieldNames().forEachRemaining(key -> pairs.add(key + "=" + node.get(key).asText()));
    return String.join(",", pairs);
  }

  private static String text(JsonNode node) {
    if (!node.isArray()) {
      return node.asText();
    }
    List<String> parts = new ArrayList<>();
    node.forEach(part -> parts.add(part.asText()));
    return String.join(",", parts);
  }
}
