package io.millrace.ops.gridengine;

import io.millrace.schedulers.dialects.gridengine.replay.CaseJob;
import io.millrace.schedulers.dialects.gridengine.replay.SessionReplay;
import io.millrace.schedulers.gridengine.language.cluster.Cluster;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.request.GridEngineJob;
import io.millrace.schedulers.gridengine.language.request.Needs;
import io.millrace.schedulers.gridengine.language.request.RequestRefused;
import io.millrace.schedulers.gridengine.language.request.Submission;
import io.millrace.schemas.pbs.attributes.Nearest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The jobs of jobs.json: each key stands for an option of qsub. */
final class CaseJobs {

  /** Keys with a whole number that is the value of an option of qsub. */
  private static final Map<String, String> NUMBERS = Map.of("p", "-p", "tc", "-tc");

  /** Keys with a word, or several, that are the value of an option of qsub. */
  private static final Map<String, String> OPTIONS =
      Map.ofEntries(
          Map.entry("q", "-q"),
          Map.entry("t_array", "-t"),
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
  private final CaseCommands typed;

  CaseJobs(Cluster cluster, CaseCommands typed) {
    this.cluster = cluster;
    this.typed = typed;
  }

  /** The jobs in the order of their times, which numbers them; of equal times as they are given. */
  List<CaseJob> jobs(CaseValue list) {
    Map<String, CaseValue> named = new LinkedHashMap<>();
    for (CaseValue item : list.items("job")) {
      String name = item.need("name", "a text").text();
      if (named.putIfAbsent(name, item.called("job " + name)) != null) {
        throw item.refused("there is a job " + name + " before it");
      }
    }
    List<String> names = new ArrayList<>(named.keySet());
    names.sort(Comparator.comparingLong(name -> arrival(named.get(name))));
    List<CaseJob> jobs = new ArrayList<>();
    for (String name : names) {
      try {
        jobs.add(job(named.get(name), name, jobs.size() + 1));
      } catch (RequestRefused e) {
        throw named.get(name).refused(e.getMessage());
      }
    }
    return jobs;
  }

  private static long arrival(CaseValue job) {
    return job.need("t", "seconds from the begin").seconds();
  }

  private CaseJob job(CaseValue job, String name, long number) {
    Submission submission = submission(job, name);
    Needs needs = submission.needs(cluster.complexes());
    long arrival = arrival(job);
    long run = job.need("run", "for how many seconds it runs").seconds();
    GridEngineJob.Behaviour behaviour =
        new GridEngineJob.Behaviour(
            submission.immediate(),
            submission.held() ? GridEngineJob.Waits.HELD : GridEngineJob.Waits.NO,
            submission.concurrent(),
            0);
    String owner = job.find("owner").or(() -> job.find("user")).map(CaseValue::text).orElse("root");
    long deadline = job.find("dl").map(CaseValue::seconds).orElse(0L);
    GridEngineJob made =
        new GridEngineJob(
            new GridEngineJob.Identity(number, name, owner, submission.project()),
            needs,
            submission.reserve(),
            SessionReplay.urge(submission.priority(), arrival, deadline),
            submission.tasks(),
            behaviour);
    return new CaseJob(made, arrival, run, true, submission.after());
  }

  private static boolean truth(CaseValue job, String key) {
    return job.find(key).map(CaseValue::truth).orElse(false);
  }

  /**
   * The submission that the keys describe; the typed command line instead when a key or the form of
   * its value is unknown.
   */
  private Submission submission(CaseValue job, String name) {
    for (String key : job.values().keySet()) {
      if (!KEYS.contains(key)) {
        return typed
            .named(name)
            .orElseThrow(
                () -> job.refused("there is no key '" + key + "'" + Nearest.hint(key, KEYS)));
      }
    }
    List<String> words;
    try {
      words = words(job, name);
    } catch (ConfigurationRefused e) {
      return typed.named(name).orElseThrow(() -> e);
    }
    return Submission.of(words);
  }

  private static List<String> words(CaseValue job, String name) {
    List<String> words = new ArrayList<>(List.of("-N", name));
    NUMBERS.forEach(
        (key, option) ->
            job.find(key).ifPresent(it -> words.addAll(List.of(option, it.wholeNumber()))));
    OPTIONS.forEach(
        (key, option) ->
            job.find(key).ifPresent(it -> words.addAll(List.of(option, it.words("name")))));
    job.find("R").ifPresent(it -> words.addAll(List.of("-R", it.truth() ? "y" : "n")));
    job.find("pe").ifPresent(it -> words.addAll(environment(it)));
    if (truth(job, "now")) {
      words.addAll(List.of("-now", "y"));
    }
    if (truth(job, "hold") | truth(job, "h")) {
      words.add("-h");
    }
    job.find("l").ifPresent(it -> words.addAll(List.of("-l", requests(it))));
    words.addAll(soft(job));
    return words;
  }

  private static List<String> environment(CaseValue pe) {
    List<CaseValue> parts = pe.isList() ? pe.items("part") : List.of();
    if (parts.size() != 2) {
      throw pe.refused("this must be [\"NAME\", \"SLOTS\"]");
    }
    return List.of("-pe", parts.get(0).text(), parts.get(1).word());
  }

  /** Soft requests: resources, or an object with l and q. */
  private static List<String> soft(CaseValue job) {
    List<String> words = new ArrayList<>(List.of("-soft"));
    Optional<CaseValue> soft = job.find("soft");
    boolean byOption =
        soft.filter(CaseValue::isObject)
            .filter(
                it ->
                    it.find("q").isPresent()
                        || it.find("l").filter(CaseValue::isObject).isPresent())
            .isPresent();
    Optional<CaseValue> resources = byOption ? soft.flatMap(it -> it.find("l")) : soft;
    Optional<CaseValue> queues = byOption ? soft.flatMap(it -> it.find("q")) : Optional.empty();
    resources.ifPresent(it -> words.addAll(List.of("-l", requests(it))));
    job.find("soft_l").ifPresent(it -> words.addAll(List.of("-l", requests(it))));
    queues.ifPresent(it -> words.addAll(List.of("-q", it.words("name"))));
    job.find("soft_q").ifPresent(it -> words.addAll(List.of("-q", it.words("name"))));
    return words.size() > 1 ? words : List.of();
  }

  private static String requests(CaseValue resources) {
    if (!resources.isObject()) {
      return resources.words("name");
    }
    List<String> pairs = new ArrayList<>();
    resources.values().forEach((key, value) -> pairs.add(key + "=" + value.amount()));
    return String.join(",", pairs);
  }
}
