package io.millrace.ops.installation;

import io.millrace.ops.health.HealthLines;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HomeOwner;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.process.EndReason;
import io.millrace.ops.process.NextStart;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PidFile;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.schemas.output.ShardOwner;
import io.millrace.schemas.pbs.attributes.AttributeTable;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.RegistryException;
import io.millrace.server.gateway.command.DiskRoom;
import io.millrace.server.unprivileged.UnprivilegedProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.apache.kafka.common.KafkaException;

/** {@code status}: each part with its process, and who owns the shards. */
public final class Status {

  private static final String OWNER = "owner answers at";
  private static final DateTimeFormatter SINCE = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss");

  private static final String COMMENT = "    comment = ";
  private static final String INPUTS = "    " + AttributeTable.POLICY_INPUTS + " = ";
  private static final String PROBLEM = "    " + AttributeTable.POLICY_PROBLEM + " = ";

  /** Comments that the server makes, not an administrator. */
  private static final Pattern SAID = Pattern.compile("Unable to reach .*|NEEDS_ATTENTION");

  /** How long a question to the gateway may take. */
  private static final Duration QUESTION = Duration.ofSeconds(30);

  /** Held in a field, because the runtime forgets the level of an unreferenced logger. */
  private static final Logger KAFKA = Logger.getLogger("org.apache.kafka");

  private final Home home;
  private final Console console;

  public Status(Home home, Console console) {
    this.home = home;
    this.console = console;
  }

  /**
   * Prints the state.
   *
   * @return exit status: 0 when every part can serve, 1 when one does not
   */
  public int run() throws IOException, InterruptedException, UsageException {
    ClusterSettings cluster = ClusterSettings.read(home);
    console.say("home      " + home.root());
    console.say("cluster   " + cluster.bootstrapServers() + ", " + cluster.shards() + " shards");
    boolean all = true;
    List<Part> parts = parts(cluster);
    console.say(String.format("%-12s %-10s %8s  %s", "part", "state", "pid", "since"));
    for (Part part : parts) {
      all &= line(part);
    }
    surplus(parts);
    health(parts);
    rooms(cluster);
    programs();
    if (new Processes(home).alive("broker").isPresent() || !cluster.isEmbedded()) {
      owners(cluster);
    }
    if (new Processes(home).alive("gateway").isPresent()) {
      all &= schedulers();
    }
    return all ? 0 : 1;
  }

  private List<Part> parts(ClusterSettings cluster) throws IOException, UsageException {
    Parts known = new Parts(home, Distribution.current(), cluster, UpSettings.last(home));
    List<Part> parts = new ArrayList<>();
    if (cluster.isEmbedded()) {
      parts.add(known.broker());
    }
    parts.addAll(known.others());
    if (UpSettings.last(home).keeper()) {
      parts.add(known.keeper());
    }
    return parts;
  }

  /** Where parts tell their health, and what they say. */
  private void health(List<Part> parts) throws IOException, InterruptedException {
    UpSettings last = UpSettings.last(home);
    if (!last.health().isEmpty()) {
      console.say(String.format("%-12s %-22s %s", "part", "tells its health at", "is"));
      List<String> names = parts.stream().map(Part::name).toList();
      new HealthLines(last.healthPorts()).of(names).forEach(console::say);
    }
  }

  /** What runs although nothing asks for it, as executors of hosts that were revoked. */
  private void surplus(List<Part> parts) throws IOException {
    SortedMap<String, PidFile> alive = new Processes(home).alive();
    parts.forEach(part -> alive.remove(part.name()));
    alive.forEach((name, process) -> line(name, "surplus", process));
  }

  private void line(String part, String state, PidFile process) {
    console.say(String.format("%-12s %-10s %8s  %s", part, state, process.pid(), since(process)));
  }

  private static String since(PidFile process) {
    return SINCE.format(
        ProcessHandle.of(process.pid())
            .flatMap(p -> p.info().startInstant())
            .orElse(Instant.now())
            .atZone(ZoneId.systemDefault()));
  }

  private boolean line(Part part) throws IOException {
    Processes processes = new Processes(home);
    Optional<PidFile> process = processes.alive(part.name());
    boolean ready = process.isPresent() && processes.ready(part);
    boolean drained = part.name().equals("server") && Down.isDrained(home);
    String state;
    if (ready) {
      state = serving(drained);
    } else if (process.isPresent()) {
      state = processes.waitsFor(part).isPresent() ? "waits" : "starting";
    } else {
      String ended = drained ? "drained" : "stopped";
      state = Files.exists(home.pid(part.name())) ? "died" : ended;
    }
    if (process.isPresent()) {
      line(part.name(), state, process.get());
      processes.waitsFor(part).ifPresent(why -> console.say(part.name() + " waits: " + why));
    } else {
      String last = state.equals("died") ? ended(part) : "";
      console.say(
          String.format("%-12s %-10s %8s  %s", part.name(), state, "-", last).stripTrailing());
    }
    return ready && !drained;
  }

  /**
   * The state of a part that serves.
   *
   * @param drained whether it is a server that somebody has begun to drain: nothing would start it
   *     again if it died
   */
  static String serving(boolean drained) {
    return drained ? "serves, drain unfinished" : "serves";
  }

  /** Says which disks are full. */
  private void rooms(ClusterSettings cluster) throws IOException {
    String full = DiskRoom.words(home.root());
    if (!full.isEmpty()) {
      console.say(full);
    }
    if (cluster.isEmbedded() && new LogReserve(home).isGiven()) {
      console.say(
          (full.isEmpty() ? "disk full: " + home.brokerData() + ": " : "")
              + "the log has the room that was kept back for it, until "
              + (LogReserve.WANTED_BYTES >> 20)
              + " MiB are free");
    }
  }

  private String ended(Part part) throws IOException {
    String why = EndReason.ofDead(home, part);
    String next = NextStart.words(home, part.name());
    return why.isEmpty() || next.isEmpty() ? why + next : why + "; " + next;
  }

  /** Says why programs that attributes name are not started; to the owner, who can change that. */
  private void programs() throws IOException, InterruptedException {
    if (HomeOwner.isCallers(home.settings())) {
      new UnprivilegedProgram(home.root())
          .obstacle()
          .ifPresent(why -> console.say("programs  of attributes are not started: " + why));
    }
  }

  /** Names the schedulers that cannot be reached, as the administrative shard knows them. */
  private boolean schedulers() throws IOException, InterruptedException, UsageException {
    HomeClient client = new HomeClient(home, Distribution.current(), QUESTION);
    HomeClient.HomeCommandResult said =
        client.call(
            home.root(), "qmgr", "-c", "list sched state,comment,policy_inputs,policy_problem");
    if (said.status() != 0) {
      console.say("schedulers not known: " + said.lines().stream().findFirst().orElse(""));
      return false;
    }
    List<String> unreachable = unreachable(said.lines());
    unreachable.forEach(console::say);
    unread(said.lines()).forEach(console::say);
    return unreachable.isEmpty();
  }

  /**
   * A line for each scheduler whose engine is down. One without a partition has nothing to do.
   *
   * @param listed what {@code qmgr -c "list sched state,comment,policy_inputs"} prints
   */
  static List<String> unreachable(List<String> listed) {
    List<String> lines = new ArrayList<>();
    String name = "";
    String comment = "";
    for (String line : listed) {
      if (line.startsWith("Sched ")) {
        name = line.substring("Sched ".length());
        comment = "";
      } else if (line.startsWith(COMMENT)) {
        comment = line.substring(COMMENT.length());
      } else if (line.equals("    state = down") && SAID.matcher(comment).matches()) {
        lines.add("scheduler " + name + " is down: " + comment);
      }
    }
    return lines;
  }

  /**
   * A line for each scheduler with an input, or files, that cannot be read and keep their content.
   *
   * @param listed as for {@link #unreachable}
   */
  static List<String> unread(List<String> listed) {
    List<String> lines = new ArrayList<>();
    String name = "";
    for (String line : listed) {
      if (line.startsWith("Sched ")) {
        name = line.substring("Sched ".length());
      } else if (line.startsWith(INPUTS) && line.contains(AttributeTable.NOT_READ)) {
        lines.add("scheduler " + name + " goes by old inputs: " + line.substring(INPUTS.length()));
      } else if (line.startsWith(PROBLEM)) {
        lines.add("scheduler " + name + " goes by old files: " + line.substring(PROBLEM.length()));
      }
    }
    return lines;
  }

  private void owners(ClusterSettings cluster) {
    if (!Files.isReadable(home.client(KafkaPrincipal.GATEWAY))) {
      console.say("shards    shown to the owner of this home only");
      return;
    }
    SortedMap<Integer, ShardOwner> owners;
    // An unreachable broker is reported below, in one line.
    KAFKA.setLevel(Level.OFF);
    try {
      owners = ShardOwners.read(home);
    } catch (KafkaException | IOException | RegistryException e) {
      console.say("shards    not known: " + String.valueOf(e.getMessage()).replace('\n', ' '));
      return;
    }
    int width =
        owners.values().stream().mapToInt(it -> it.getQueryAddress().length()).max().orElse(0);
    String form = "%-12s %-" + Math.max(width, OWNER.length()) + "s %s";
    console.say(String.format(form, "shard", OWNER, "since"));
    for (int shard = 0; shard < cluster.shards(); shard++) {
      ShardOwner owner = owners.get(shard);
      console.say(
          owner == null
              ? String.format("%-12s %s", shard, "nobody")
              : String.format(
                  form,
                  shard,
                  owner.getQueryAddress(),
                  SINCE.format(
                      Instant.ofEpochMilli(owner.getSinceMs()).atZone(ZoneId.systemDefault()))));
    }
  }
}
