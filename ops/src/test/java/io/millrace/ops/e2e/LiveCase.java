package io.millrace.ops.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * One recorded session of a Grid Engine, typed again into a running Millrace: the same submissions,
 * word by word, at the same times, with jobs that really sleep.
 *
 * <p>The recorded scheduler learned of a job's end 1 to 4 s late, Millrace does at once, so starts
 * come earlier by up to the delays of all ends before them. Therefore only hosts and amounts are
 * compared with the recording. Times are compared, within 1 s, with a replay of the recording that
 * gets the ends as they were seen here; the golden test compares that replay with the recorded
 * times.
 */
final class LiveCase {

  private static final Duration PATIENCE = Duration.ofSeconds(300);
  private static final double TOLERANCE_S = 1.0;
  private static final String TIME = "time: ";
  private static final String LATER = "later than recorded: ";

  private static final Pattern HOST = Pattern.compile("\\bnode(\\d\\d)\\b");

  private final LiveCell cell;
  private final Site site;
  private final Account user;
  private final Path recorded;
  private final Path copy;
  private final ObjectMapper json = new ObjectMapper();
  private final Map<String, String> numbers = new LinkedHashMap<>();
  private final List<String> late = new ArrayList<>();
  private String disturbance = "";
  private String otherTimes = "";

  /**
   * @param cell has as many hosts as the recorded one, under names of its own
   */
  LiveCase(LiveCell cell, Account user, Path recorded) {
    this.cell = cell;
    this.site = cell.site();
    this.user = user;
    this.recorded = recorded;
    this.copy = site.folder().resolve(cell.name() + "-session");
  }

  /**
   * Plays the session and compares.
   *
   * @return a line of what came out for each task; empty when the machine was so slow that the
   *     scheduler did not run each second, which is the measure of all times here, or that a job
   *     was submitted or ended later than in the recording, or when nothing but times differ
   */
  List<String> play() throws IOException, InterruptedException {
    load();
    cell.scheduling(false);
    JsonNode jobs = json.readTree(recorded.resolve("jobs.json").toFile()).path("jobs");
    Map<String, String> typed = typed();
    TreeMap<Long, List<String>> byTime = new TreeMap<>();
    for (JsonNode job : jobs) {
      byTime
          .computeIfAbsent(job.path("t").asLong(), t -> new ArrayList<>())
          .add(job.path("name").asText());
    }
    submit(byTime.remove(0L), typed);
    cell.scheduling(true);
    long begin = System.nanoTime();
    for (Map.Entry<Long, List<String>> later : byTime.entrySet()) {
      long atNanos = begin + TimeUnit.SECONDS.toNanos(later.getKey());
      Polling.moment(atNanos);
      submit(later.getValue(), typed);
      if (System.nanoTime() - atNanos > TOLERANCE_S * TimeUnit.SECONDS.toNanos(1)) {
        late.addAll(later.getValue());
      }
    }
    Site.await(PATIENCE, "all jobs of " + recorded.getFileName() + " are finished", this::finished);
    LiveSchedule schedule =
        new LiveSchedule(named(Files.readString(cell.schedule())), Map.copyOf(numbers));
    disturbance = disturbance(schedule);
    return disturbance.isEmpty() ? compare(schedule) : List.of();
  }

  /** Why times of this session say nothing about the scheduler; empty when they do. */
  private String disturbance(LiveSchedule schedule) throws IOException {
    if (!late.isEmpty()) {
      return "submitted late: " + late;
    }
    if (!schedule.ranEachSecond(TOLERANCE_S)) {
      return "no run of the scheduler each second";
    }
    Map<String, Double> starts = latest(original(), "/tasks", "/decided_offset");
    JsonNode seen = json.readTree(recorded.resolve("seen.json").toFile());
    Map<String, Double> ends = latest(seen.path("end_seen"), "", "");
    List<String> ended = schedule.endedLate(starts, ends);
    return ended.isEmpty() ? "" : "ended late: " + ended;
  }

  /** A number of each task with the tolerance, by job name and task. */
  private static Map<String, Double> latest(JsonNode jobs, String tasks, String number) {
    Map<String, Double> latest = new HashMap<>();
    for (Map.Entry<String, JsonNode> job : jobs.properties()) {
      for (Map.Entry<String, JsonNode> task : job.getValue().at(tasks).properties()) {
        double value = task.getValue().at(number).asDouble();
        latest.put(job.getKey() + "." + task.getKey(), value + TOLERANCE_S);
      }
    }
    return latest;
  }

  private JsonNode original() throws IOException {
    return json.readTree(recorded.resolve("outcome.json").toFile()).path("jobs");
  }

  /** Why nothing could be compared; empty when everything was. */
  String disturbance() {
    return disturbance;
  }

  /**
   * Times that differ although nothing was disturbed; empty when none do, or when more than times
   * differs.
   */
  String otherTimes() {
    return otherTimes;
  }

  /** The session's configuration as an administrator would load it. */
  private void load() throws IOException, InterruptedException {
    Files.createDirectories(copy.resolve("config"));
    for (String file : List.of("cluster.json", "jobs.json", "commands.sh")) {
      Files.copy(recorded.resolve(file), copy.resolve(file));
    }
    try (Stream<Path> files = Files.list(recorded.resolve("config"))) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve("config").resolve(file.getFileName()));
      }
    }
    StringBuilder offers = new StringBuilder();
    JsonNode global = json.readTree(recorded.resolve("cluster.json").toFile()).path("global");
    global
        .properties()
        .forEach(
            offer ->
                offers
                    .append(offers.length() == 0 ? "" : ",")
                    .append(offer.getKey())
                    .append('=')
                    .append(offer.getValue().asText()));
    Path config = Files.createDirectories(site.folder().resolve(cell.name() + "-config"));
    try (Stream<Path> files = Files.list(recorded.resolve("config"))) {
      for (Path file : files.toList()) {
        Files.writeString(config.resolve(file.getFileName()), here(Files.readString(file)));
      }
    }
    if (offers.length() > 0) {
      String text = "hostname global\ncomplex_values " + offers + "\n";
      Files.writeString(config.resolve("host.global"), text);
    }
    cell.policy(config).must();
  }

  /** A recorded text with the local host names. */
  private String here(String text) {
    return HOST.matcher(text).replaceAll(m -> host(m.group(1)));
  }

  private String host(String number) {
    return cell.hosts().get(Integer.parseInt(number) - 1);
  }

  /** A local text with the recorded host names. */
  private String named(String text) {
    String named = text;
    for (int i = 0; i < cell.hosts().size(); i++) {
      named = named.replace(cell.hosts().get(i), String.format(Locale.ROOT, "node%02d", i + 1));
    }
    return named;
  }

  /** The recorded command lines by the names of their jobs. */
  private Map<String, String> typed() throws IOException {
    Map<String, String> typed = new HashMap<>();
    for (String line : Files.readAllLines(recorded.resolve("commands.sh"))) {
      if (line.startsWith("qsub ")) {
        String name = line.replaceFirst(".* -N (\\S+) .*", "$1");
        typed.put(name, line);
      }
    }
    return typed;
  }

  private void submit(List<String> names, Map<String, String> typed)
      throws IOException, InterruptedException {
    List<String> lines = names.stream().map(typed::get).toList();
    List<String> said =
        cell.type(user, user.home(), String.join(" && ", lines)).must().lines().toList();
    assertEquals(names.size(), said.size(), said.toString());
    for (int i = 0; i < names.size(); i++) {
      numbers.put(said.get(i).replaceFirst("\\..*", ""), names.get(i));
    }
  }

  private boolean finished() throws IOException, InterruptedException {
    return cell.isEmpty();
  }

  private List<String> compare(LiveSchedule schedule) throws IOException, InterruptedException {
    Map<String, LiveSchedule.Start> live = schedule.starts();
    writeSeen(schedule);
    site.run(site.checkout() + "/millrace simulate --case " + copy).must();
    JsonNode replayed = json.readTree(copy.resolve("outcome.json").toFile()).path("jobs");
    List<String> lines = new ArrayList<>();
    List<String> wrong = new ArrayList<>();
    original()
        .properties()
        .forEach(
            job ->
                job.getValue()
                    .path("tasks")
                    .properties()
                    .forEach(
                        task -> {
                          String id = job.getKey() + "." + task.getKey();
                          JsonNode again =
                              replayed.path(job.getKey()).path("tasks").path(task.getKey());
                          String line = line(id, live.get(id), task.getValue(), again, wrong);
                          lines.add(recorded.getFileName() + " " + line);
                        }));
    String all = wrong + "\n" + String.join("\n", lines) + "\n" + schedule.text();
    assertTrue(wrong.stream().allMatch(LiveCase::isTime), all);
    assertEquals(lines.size(), live.size(), "tasks that nobody submitted: " + live.keySet());
    if (!wrong.isEmpty()) {
      disturbance = "other times: " + wrong;
      otherTimes = all;
      return List.of();
    }
    return lines;
  }

  private static boolean isTime(String wrong) {
    return wrong.startsWith(TIME) || wrong.startsWith(LATER);
  }

  private static String line(
      String id,
      LiveSchedule.Start live,
      JsonNode original,
      JsonNode replayed,
      List<String> wrong) {
    if (live == null) {
      wrong.add(id + " never started");
      return id;
    }
    double was = original.path("decided_offset").asDouble();
    double again = replayed.path("decided_offset").asDouble(Double.NaN);
    List<String> granted = granted(original);
    String line =
        String.format(
            Locale.ROOT,
            "%s: start %d (replay %.0f, recorded %.0f) on %s",
            id,
            live.offset(),
            again,
            was,
            live.granted());
    if (!(Math.abs(live.offset() - again) <= TOLERANCE_S)) {
      wrong.add(TIME + line);
    }
    if (live.offset() > was + TOLERANCE_S) {
      wrong.add(LATER + line);
    }
    if (!live.granted().equals(granted)) {
      wrong.add("granted: " + line + ", recorded " + granted);
    }
    return line;
  }

  private static List<String> granted(JsonNode task) {
    List<String> granted = new ArrayList<>();
    for (JsonNode use : task.path("granted")) {
      granted.add(
          String.format(
              Locale.ROOT,
              "%s:%s:%s:%.6f",
              use.path(0).asText(),
              use.path(1).asText(),
              use.path(2).asText(),
              use.path(3).asDouble()));
    }
    return granted;
  }

  /** Writes, as an input of the replay, when the scheduler first no longer saw each task run. */
  private void writeSeen(LiveSchedule schedule) throws IOException {
    Map<String, LiveSchedule.Seen> tasks = schedule.seen();
    ObjectNode seen = json.createObjectNode();
    ObjectNode ends = seen.putObject("end_seen");
    tasks.forEach(
        (id, task) -> {
          int dot = id.lastIndexOf('.');
          ends.withObject("/" + id.substring(0, dot)).put(id.substring(dot + 1), task.last() + 1);
        });
    json.writeValue(copy.resolve("seen.json").toFile(), seen);
    assertFalse(tasks.isEmpty(), "nothing ever started");
  }
}
