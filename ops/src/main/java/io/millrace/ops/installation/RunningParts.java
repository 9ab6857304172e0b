package io.millrace.ops.installation;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.process.Processes;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The parts that run when {@code up} begins, and which of its options they cannot satisfy. */
record RunningParts(Home home, Set<String> names) {

  private static final String CLASS_PATH = "\"-cp\"";

  static RunningParts of(Home home) throws IOException {
    return new RunningParts(home, new Processes(home).alive().keySet());
  }

  /**
   * Refuses a mix of builds: parts of two builds must not work together, since the newer one's
   * records would stop the older one.
   *
   * @throws IOException in one line when a part of another build runs
   */
  void requireBuild(Distribution dist) throws IOException {
    String own = Processes.escaped(dist.classPath());
    for (String name : names) {
      Optional<String> other = classPath(name).filter(path -> !path.equals(own));
      if (other.isPresent()) {
        throw new IOException(
            "parts of "
                + build(other.get())
                + " run in "
                + home.root()
                + " ("
                + String.join(", ", names)
                + "); ./millrace upgrade replaces them");
      }
    }
  }

  /** Class path with which a part was started; empty when it was not recorded. */
  private Optional<String> classPath(String name) throws IOException {
    Path file = home.arguments(name);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<String> arguments = Files.readAllLines(file);
    int at = arguments.indexOf(CLASS_PATH) + 1;
    return at > 0 && at < arguments.size() ? Optional.of(arguments.get(at)) : Optional.empty();
  }

  /** Folder of a distribution, taken from the first of its jars on a class path. */
  private static String build(String classPath) {
    Path jars = Path.of(classPath.substring(1).split("[:\"]", 2)[0]).getParent();
    return jars == null || jars.getParent() == null ? classPath : jars.getParent().toString();
  }

  /**
   * Running executors, which therefore do not get the option --take-over; empty when the option is
   * not given.
   *
   * @throws UsageException when no executor would get it
   */
  List<String> notTakingOver(UpSettings settings, GivenOptions options) throws UsageException {
    List<String> running = new ArrayList<>();
    if (!settings.takeOver()) {
      return running;
    }
    for (int i = 1; i <= settings.executors(); i++) {
      if (names.contains(Parts.executorName(i))) {
        running.add(Parts.executorName(i));
      }
    }
    if (running.size() == settings.executors()) {
      throw options.wrong(
          "--take-over is for executors that are started, and none is"
              + (running.isEmpty()
                  ? ""
                  : ": " + String.join(", ", running) + " runs (./millrace down before)"));
    }
    return running;
  }

  /** Running parts that the settings do not ask for. */
  List<String> surplus(ClusterSettings cluster, Parts parts) throws IOException {
    Set<String> surplus = new HashSet<>(names);
    if (cluster.isEmbedded()) {
      surplus.remove(parts.broker().name());
    }
    surplus.remove(Parts.KEEPER);
    parts.others().forEach(part -> surplus.remove(part.name()));
    return surplus.stream().sorted().toList();
  }
}
