package io.millrace.connectors.local.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Processors in the control groups of runs ({@code cpuset}). What a run has stands in its group and
 * nowhere else, so that whoever comes later finds it there.
 */
public final class ProcessorGroups {
  static final String OWN = "cpuset.cpus";
  private static final String DEAD = "populated 0";

  private final Path place;
  private final HostTopology topology;

  /**
   * @param place the folder of the groups of a spool; beside it are those of other spools
   */
  public ProcessorGroups(Path place, HostTopology topology) {
    this.place = place;
    this.topology = topology;
  }

  /** The processors that runs here may have at all. */
  public ProcessorSet available() throws IOException {
    return ProcessorSet.of(Files.readString(place.resolve("cpuset.cpus.effective")));
  }

  /** See {@link HostTopology#choose}. */
  public Optional<ProcessorSet> choose(ProcessorSet free, int wanted) {
    return topology.choose(free, wanted);
  }

  /** What the group of a run has; none where there is no such group, or it is not bound. */
  public ProcessorSet of(String run) throws IOException {
    return own(place.resolve(run));
  }

  /**
   * Binds the group of a run.
   *
   * @param processors none: it may have them all
   */
  public void bind(String run, ProcessorSet processors) throws IOException {
    Path own = place.resolve(run).resolve(OWN);
    Files.writeString(
        own,
        processors.text() + "\n",
        StandardOpenOption.WRITE,
        StandardOpenOption.TRUNCATE_EXISTING);
  }

  /**
   * What groups have that are not of these runs, of this spool and of all others of the host: of
   * what could not be ended, and of other executors.
   */
  public ProcessorSet ofOthers(Set<String> runs) throws IOException {
    ProcessorSet found = ProcessorSet.NONE;
    for (Path other : folders(place.getParent())) {
      found = found.and(ofPlace(other, other.equals(place) ? runs : Set.of()));
    }
    return found;
  }

  private static ProcessorSet ofPlace(Path place, Set<String> known) throws IOException {
    ProcessorSet found = ProcessorSet.NONE;
    for (Path group : folders(place)) {
      if (!known.contains(group.getFileName().toString()) && lives(group)) {
        found = found.and(own(group));
      }
    }
    return found;
  }

  private static List<Path> folders(Path place) throws IOException {
    try (Stream<Path> all = Files.list(place)) {
      return all.filter(Files::isDirectory).toList();
    } catch (UncheckedIOException e) {
      return noneOf(place, e.getCause());
    } catch (IOException e) {
      return noneOf(place, e);
    }
  }

  private static List<Path> noneOf(Path place, IOException e) throws IOException {
    if (Files.exists(place)) {
      throw e;
    }
    return List.of(); // it was removed meanwhile
  }

  /** Not so the group that a supervisor was killed too early to remove. */
  private static boolean lives(Path group) throws IOException {
    return !text(group.resolve("cgroup.events")).contains(DEAD);
  }

  private static ProcessorSet own(Path group) throws IOException {
    return ProcessorSet.of(text(group.resolve(OWN)));
  }

  private static String text(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      // The kernel takes the files of an ended run also from those who have them open just then.
      if (Files.exists(file)) {
        throw e;
      }
      return "";
    }
  }
}
