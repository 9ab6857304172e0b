package io.millrace.connectors.testkit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.oar.OarAnswer;
import io.millrace.connectors.oar.OarAnswer.ExchangeEnding;
import io.millrace.connectors.oar.OarExchange;
import io.millrace.connectors.oar.OarKind;
import io.millrace.connectors.oar.OarRequest;
import io.millrace.connectors.oar.OarSystem;
import io.millrace.connectors.slurm.SlurmKind;
import io.millrace.connectors.slurm.SlurmSystem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A system whose jobs are those of {@link SimulatedSlurm}, behind its own interface. */
enum SimulatedCluster {
  SLURM {
    @Override
    OutsideKind kind() {
      return new SlurmKind();
    }

    @Override
    String keys(Path home) {
      return "cluster_name = sim\naccounting = " + home.resolve("jobcomp") + "\n";
    }

    @Override
    String submitting() {
      return "sbatch";
    }

    @Override
    String word(OutsideTag tag) {
      return "--comment=" + tag;
    }

    @Override
    CommandRunner real(SimulatedSlurm jobs, HandClock clock, long seed) {
      return jobs;
    }

    @Override
    OutsideSystem open(ClusterFile file, CommandRunner runner) {
      return new SlurmSystem(file, runner);
    }
  },

  OAR {
    @Override
    OutsideKind kind() {
      return new OarKind();
    }

    @Override
    String keys(Path home) {
      return "url = http://127.0.0.1/oarapi\ncredentials = /nowhere\n";
    }

    @Override
    String submitting() {
      return RequestsAsCommands.SUBMISSION;
    }

    @Override
    String word(OutsideTag tag) {
      return RequestsAsCommands.word(tag.toString());
    }

    @Override
    CommandRunner real(SimulatedSlurm jobs, HandClock clock, long seed) {
      jobs.keepsAll();
      // mkdir and dd do what they are told to.
      return RequestsAsCommands.to(
          new OarApi(jobs, clock, seed), command -> SimulatedSlurm.answer(0, "", ""));
    }

    @Override
    OutsideSystem open(ClusterFile file, CommandRunner runner) {
      return new OarSystem(file, runner, RequestsAsCommands.by(runner));
    }
  };

  abstract OutsideKind kind();

  /** The keys of a cluster file that this kind must have. */
  abstract String keys(Path home);

  /** The word by which a submission is known. */
  abstract String submitting();

  /** The word of a submission that names its run. */
  abstract String word(OutsideTag tag);

  /** What is asked when there is no fault. */
  abstract CommandRunner real(SimulatedSlurm jobs, HandClock clock, long seed);

  abstract OutsideSystem open(ClusterFile file, CommandRunner runner);

  /**
   * The answers that OAR 2.5.9 gives to these questions, from the jobs that are simulated. One in
   * ten lists of jobs is empty, as when its database breaks off, and the one behind it is not. Its
   * clock is an hour behind.
   */
  private static final class OarApi implements OarExchange {

    private static final int LIES = 10;
    private static final Duration BEHIND = Duration.ofHours(1);

    private static final ObjectMapper JSON = new ObjectMapper();

    private static final Map<String, String> STATES =
        Map.of(
            "PENDING", "Waiting",
            "RUNNING", "Running",
            "COMPLETED", "Terminated",
            "FAILED", "Terminated",
            "CANCELLED", "Error");

    private final SimulatedSlurm jobs;
    private final HandClock clock;
    private final Random random;
    private boolean lied;

    private record ArrayJob(String name, String command) {}

    /** By number. */
    private final TreeMap<Long, ArrayJob> together = new TreeMap<>();

    OarApi(SimulatedSlurm jobs, HandClock clock, long seed) {
      this.jobs = jobs;
      this.clock = clock;
      this.random = new Random(seed);
    }

    @Override
    public OarAnswer ask(OarRequest request) {
      try {
        return answer(request);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private OarAnswer answer(OarRequest request) throws IOException {
      String path = request.path();
      if (request.submits()) {
        return submitted(JSON.readTree(request.body().orElseThrow()));
      }
      if (path.endsWith("/deletions/new.json")) {
        by("scancel", path.split("/")[2]);
        return told(202, JSON.createObjectNode().put("cmd_output", "REGISTERED."));
      }
      if (path.startsWith("/version")) {
        return told(200, JSON.createObjectNode().put("api_timestamp", now()));
      }
      if (path.startsWith("/resources/network_address/")) {
        return items(it -> false, false, JSON.createObjectNode().put("network_address", "vm"));
      }
      lied = !lied && random.nextInt(LIES) == 0;
      if (lied) {
        return told(
            200, JSON.createObjectNode().put("total", 0).set("items", JSON.createArrayNode()));
      }
      if (path.startsWith("/jobs/details")) {
        Set<String> ids = Set.of(value(path, "ids").split(":"));
        return items(it -> ids.contains(it.path("job_id").asText()), true);
      }
      List<String> states = List.of(value(path, "state").split(","));
      long from = path.contains("from=") ? Long.parseLong(value(path, "from")) : 0;
      return items(it -> states.contains(state(it)) && isSince(it, from), false);
    }

    /** One job, or an array with a job for each script; all of these have the array's name. */
    private OarAnswer submitted(JsonNode body) {
      String name = body.path("name").asText();
      if (!body.has("param_file")) {
        return told(201, JSON.createObjectNode().put("id", made(name)));
      }
      StringBuilder output = new StringBuilder("Simple array job submission is used\n");
      for (String path : body.path("param_file").asText().lines().toList()) {
        long id = made(path.replaceFirst(".*/(.*)\\.[0-9a-f]{8}", "$1"));
        together.put(id, new ArrayJob(name, body.path("command").asText() + " " + path));
        output.append("OAR_JOB_ID=").append(id).append('\n');
      }
      long first = together.lastKey() - body.path("param_file").asText().lines().count() + 1;
      output.append("OAR_ARRAY_ID=").append(first).append('\n');
      return told(
          201, JSON.createObjectNode().put("id", first).put("cmd_output", output.toString()));
    }

    private long made(String tag) {
      return Long.parseLong(by("sbatch", "--comment=" + tag).out().strip());
    }

    /** Of one that never began OAR looks at the time of its submission. */
    private static boolean isSince(JsonNode job, long from) {
      long start = job.path("start_time").asLong();
      long moment = job.path(start == 0 ? "submit_time" : "end_time").asLong();
      return moment - BEHIND.toSeconds() >= from;
    }

    private long now() {
      return clock.instant().minus(BEHIND).getEpochSecond();
    }

    private static String state(JsonNode job) {
      return STATES.get(job.path("job_state").asText());
    }

    private static String value(String path, String key) {
      return path.replaceFirst(".*[?&]" + key + "=([^&]*).*", "$1");
    }

    private OutsideAnswer by(String... words) {
      return jobs.run(
          new OutsideCommand(
              List.of(words), new byte[0], Map.of(), Duration.ofSeconds(20), 1 << 20));
    }

    private OarAnswer items(Predicate<JsonNode> which, boolean details, ObjectNode... more)
        throws IOException {
      ObjectNode answer = JSON.createObjectNode();
      ArrayNode items = answer.putArray("items");
      List.of(more).forEach(items::add);
      for (JsonNode job : JSON.readTree(by("squeue", "--json").out()).path("jobs")) {
        if (which.test(job)) {
          items.add(item(job, details));
        }
      }
      answer.put("total", items.size());
      if (!items.isEmpty()) {
        answer.put("api_timestamp", now());
      }
      return told(200, answer);
    }

    /** Only details have the command, by which a job of an array is told from the others. */
    private ObjectNode item(JsonNode job, boolean details) {
      ObjectNode item = JSON.createObjectNode();
      long id = job.path("job_id").asLong();
      ArrayJob ofArray = together.get(id);
      item.put("id", id).put("state", state(job));
      item.put("owner", job.path("user_name").asText());
      item.put("name", ofArray == null ? job.path("comment").asText() : ofArray.name());
      if (details && ofArray != null) {
        item.put("command", ofArray.command());
      }
      item.put("submission", job.path("submit_time").asLong());
      item.put("start_time", job.path("start_time").asLong());
      if (state(job).equals("Terminated")) {
        item.put("exit_code", job.path("exit_code").asInt());
      }
      if (state(job).equals("Error")) {
        item.putArray("events").addObject().put("type", "FRAG_JOB_REQUEST");
      }
      return item;
    }

    private static OarAnswer told(int status, ObjectNode body) {
      return new OarAnswer(ExchangeEnding.ANSWERED, status, body.toString(), Duration.ofMillis(20));
    }
  }
}
