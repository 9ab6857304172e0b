package io.millrace.connectors.testkit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideAnswer.ProcessEnding;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.run.RunFolders;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A Slurm behind its commands, in the time of a clock that is moved by hand. Its jobs start after a
 * while, take their claim as the wrapper does, run for a while and end; the queue forgets them, and
 * the file of its job completion plugin keeps them.
 */
public final class SimulatedSlurm implements CommandRunner, RunFolders {

  private static final Duration AGE = Duration.ofSeconds(40);
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Who has taken a claim that no job may take any more. */
  private static final OutsideId OURS = OutsideId.of(-1);

  /** What wrappers name by their folders: the runs of a script, in their order. */
  private static final Pattern RUN = Pattern.compile("(?m)^folder=\\S*/(mr\\.\\S+)$");

  /** One submission that was carried out, or one task of it. */
  private static final class Job {
    private final long id;
    private final OutsideId named;
    private final String mark;
    private final String tag;
    private final String account;
    private final Instant submitted;
    private Instant start;
    private Instant end;
    private String state = "PENDING";
    private int status;
    private boolean holder;
    private boolean ran;

    /**
     * @param named with its task where it is one
     * @param mark what its submission was marked with
     * @param tag of the run that it is
     */
    Job(long id, OutsideId named, String mark, String tag, String account, Instant submitted) {
      this.id = id;
      this.named = named;
      this.mark = mark;
      this.tag = tag;
      this.account = account;
      this.submitted = submitted;
    }

    boolean isOver() {
      return !state.equals("PENDING") && !state.equals("RUNNING");
    }
  }

  private final HandClock clock;
  private final Random random;
  private final Path completions;
  private final String account;
  private final Map<Long, Job> jobs = new TreeMap<>();
  private final Map<String, List<Job>> byTag = new HashMap<>();
  private final Map<String, OutsideId> claims = new HashMap<>();
  private final Map<String, Integer> begun = new HashMap<>();
  private final Map<String, Integer> copies = new HashMap<>();
  private boolean claiming = true;
  private Duration age = AGE;
  private Instant advanced = Instant.MIN;
  private long last;

  public SimulatedSlurm(HandClock clock, long seed, Path completions, String account) {
    this.clock = clock;
    this.random = new Random(seed);
    this.completions = completions;
    this.account = account;
  }

  /** Has copies run without a claim, as a wrapper without one would. */
  public void withoutClaims() {
    claiming = false;
  }

  /** The queue forgets no job. */
  public void keepsAll() {
    age = Duration.ofDays(1);
  }

  /** How often a run's script was begun. */
  public int begun(OutsideTag tag) {
    advance();
    return begun.getOrDefault(tag.toString(), 0);
  }

  /** How often a run was taken as a job, or as a task of one. */
  public int copies(OutsideTag tag) {
    return copies.getOrDefault(tag.toString(), 0);
  }

  /** What the submissions of a run were marked with. */
  public List<OutsideTag> marks(OutsideTag tag) {
    return byTag.getOrDefault(tag.toString(), List.of()).stream()
        .flatMap(it -> OutsideTag.read(it.mark).stream())
        .toList();
  }

  /** How many runs were tasks of arrays. */
  public long tasks() {
    return jobs.values().stream().filter(it -> it.named.task() > 0).count();
  }

  /** Whether a script of a run is running, or could still begin. */
  public boolean lives(OutsideTag tag) {
    advance();
    return byTag.getOrDefault(tag.toString(), List.of()).stream()
        .filter(it -> !it.isOver())
        .anyMatch(it -> it.holder || (it.state.equals("PENDING") && !isTaken(it)));
  }

  private boolean isTaken(Job job) {
    return claiming && claims.containsKey(job.tag);
  }

  /** Exit status of the script of a run; empty when it was not begun or was ended by a signal. */
  public Optional<Integer> status(OutsideTag tag) {
    return byTag.getOrDefault(tag.toString(), List.of()).stream()
        .filter(it -> it.holder)
        .filter(it -> it.state.equals("COMPLETED") || it.state.equals("FAILED"))
        .map(it -> it.status)
        .findFirst();
  }

  @Override
  public OutsideAnswer run(OutsideCommand command) {
    advance();
    clock.pass(Duration.ofMillis(20));
    List<String> words = command.words();
    return switch (command.program()) {
      case "sbatch" -> submit(words, new String(command.input(), StandardCharsets.US_ASCII));
      case "squeue" -> answer(0, queue(), "");
      case "scontrol" -> answer(0, "ClusterName             = sim\n", "");
      case "scancel" -> cancel(words.get(words.size() - 1));
      default -> answer(1, "", command.program() + ": error: not simulated");
    };
  }

  static OutsideAnswer answer(int status, String out, String err) {
    return new OutsideAnswer(ProcessEnding.EXITED, status, out, err, Duration.ofMillis(20));
  }

  private OutsideAnswer submit(List<String> words, String script) {
    String mark =
        words.stream()
            .filter(it -> it.startsWith("--comment="))
            .findFirst()
            .orElseThrow()
            .substring("--comment=".length());
    long number = last + 1;
    if (words.stream().noneMatch(it -> it.startsWith("--array="))) {
      add(OutsideId.of(number), mark, mark);
    } else {
      List<String> runs = RUN.matcher(script).results().map(it -> it.group(1)).toList();
      for (int i = 0; i < runs.size(); i++) {
        add(new OutsideId(number, i + 1), mark, runs.get(i));
      }
    }
    return answer(0, number + "\n", "");
  }

  private void add(OutsideId named, String mark, String tag) {
    Job job = new Job(++last, named, mark, tag, account, clock.instant());
    job.start = clock.instant().plusSeconds(random.nextInt(30));
    job.end = job.start.plusSeconds(1 + random.nextInt(90));
    job.status = random.nextInt(3) == 0 ? 1 + random.nextInt(9) : 0;
    jobs.put(job.id, job);
    byTag.computeIfAbsent(tag, it -> new ArrayList<>()).add(job);
    copies.merge(tag, 1, Integer::sum);
  }

  private OutsideAnswer cancel(String id) {
    Job job =
        jobs.values().stream()
            .filter(it -> it.named.toString().equals(id.replace('_', '.')))
            .findFirst()
            .orElse(null);
    if (job != null && job.state.equals("PENDING")) {
      finish(job, "CANCELLED", clock.instant());
    } else if (job != null && job.state.equals("RUNNING")) {
      job.end = clock.instant();
      finish(job, "CANCELLED", clock.instant());
    }
    return answer(0, "", "");
  }

  /** Lets all happen that is due. */
  private void advance() {
    Instant now = clock.instant();
    if (now.equals(advanced)) {
      return;
    }
    advanced = now;
    for (Job job : jobs.values()) {
      if (job.state.equals("PENDING") && !now.isBefore(job.start)) {
        begin(job);
      }
      if (job.state.equals("RUNNING") && !now.isBefore(job.end)) {
        finish(job, job.status == 0 ? "COMPLETED" : "FAILED", job.end);
      }
    }
  }

  private void begin(Job job) {
    job.state = "RUNNING";
    job.ran = true;
    if (!claiming || claims.putIfAbsent(job.tag, job.named) == null) {
      job.holder = true;
      begun.merge(job.tag, 1, Integer::sum);
    } else {
      job.status = 0;
      job.end = job.start;
    }
  }

  private void finish(Job job, String state, Instant at) {
    job.state = state;
    job.end = at;
    int status = state.equals("CANCELLED") ? 0 : job.status;
    int signal = state.equals("CANCELLED") ? 15 : 0;
    String line =
        "JobId=%d UserId=%s(1001) GroupId=x(1001) Name=x JobState=%s Partition=batch TimeLimit=5"
            + " StartTime=%s EndTime=%s NodeList=vm NodeCnt=1 ProcCnt=1 WorkDir=/ ReservationName="
            + " Tres=cpu=1 Account= QOS= WcKey=%s Cluster=unknown SubmitTime=%s EligibleTime=%s"
            + " DerivedExitCode=0:0 ExitCode=%d:%d \n";
    try {
      Files.writeString(
          completions,
          line.formatted(
              job.id,
              job.account,
              state,
              local(job.start),
              local(at),
              job.mark,
              local(job.submitted),
              local(job.submitted),
              status,
              signal),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String local(Instant time) {
    return LocalDateTime.ofInstant(time, ZoneId.systemDefault()).withNano(0).toString();
  }

  private String queue() {
    ObjectNode root = JSON.createObjectNode();
    root.putArray("errors");
    ArrayNode list = root.putArray("jobs");
    Map<Long, ObjectNode> arrays = new HashMap<>();
    for (Job job : new ArrayList<>(jobs.values())) {
      boolean waits = job.state.equals("PENDING") && job.named.task() > 0;
      ObjectNode array = waits ? arrays.get(job.named.number()) : null;
      if (array != null) {
        // Tasks that wait are one entry.
        array.put(
            "array_task_string", array.get("array_task_string").asText() + "," + job.named.task());
      } else if (!job.isOver() || clock.instant().isBefore(job.end.plus(age))) {
        ObjectNode one = list.addObject();
        one.put("job_id", job.id).put("name", "x").put("cluster", "sim");
        one.put("array_job_id", job.named.task() > 0 ? job.named.number() : 0);
        if (waits) {
          arrays.put(job.named.number(), one);
          one.put("array_task_string", Long.toString(job.named.task()));
        } else {
          one.put("array_task_id", job.named.task());
        }
        one.put("user_name", job.account).put("comment", job.mark).put("wckey", job.mark);
        one.put("job_state", job.state).put("state_reason", "None").put("cpus", 1);
        one.put("submit_time", job.submitted.getEpochSecond());
        one.put("start_time", job.ran ? job.start.getEpochSecond() : 0);
        one.put("end_time", job.end.getEpochSecond());
        int raw = job.state.equals("CANCELLED") ? 15 : job.status << 8;
        one.put("exit_code", job.isOver() ? raw : 0);
      }
    }
    return root.toString();
  }

  @Override
  public Told<Boolean> remove(List<OutsideTag> tags, String owner) {
    tags.forEach(it -> claims.remove(it.toString()));
    return Told.of(true);
  }

  @Override
  public Told<RunClaim> close(OutsideTag tag, String owner) {
    advance();
    OutsideId holder = claims.putIfAbsent(tag.toString(), OURS);
    return Told.of(holder == null || holder == OURS ? RunClaim.CLOSED : RunClaim.RUN);
  }

  @Override
  public Optional<OutsideId> begunAs(OutsideTag tag, String owner) {
    advance();
    return Optional.ofNullable(claims.get(tag.toString())).filter(it -> it != OURS);
  }

  @Override
  public Optional<OutsideEnd> exit(OutsideTag tag, String owner) {
    advance();
    return status(tag).map(it -> new OutsideEnd(it, 0, OutsideCause.EXITED, "exit"));
  }
}
