package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.files.FileFacts;
import io.millrace.connectors.bridge.files.OutsideFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks whether begins and ends of jobs are written, and can be read. */
final class StartsCheck {

  private static final List<String> SETTINGS = List.of("PrologSlurmctld", "EpilogSlurmctld");

  private static final int OTHERS_WRITE = 0022;

  private final Optional<Path> path;
  private final OutsideFiles files;

  StartsCheck(ClusterFile file, OutsideFiles files) {
    this.path = file.given(SlurmKind.STARTS).map(Path::of);
    this.files = files;
  }

  /**
   * What was found.
   *
   * @param settings of the controller
   */
  List<CheckLine> lines(Map<String, String> settings) {
    if (path.isEmpty()) {
      return List.of(CheckLine.good("starts: none; begins of jobs are read from the queue"));
    }
    List<CheckLine> lines = new ArrayList<>();
    for (String setting : SETTINGS) {
      String program = settings.getOrDefault(setting, "");
      if (!program.endsWith("/" + SlurmKind.STARTS_SCRIPT)) {
        lines.add(
            CheckLine.wrong(
                setting + " is " + program + ", which may write nothing to " + path.get(),
                "set it to the path of "
                    + SlurmKind.STARTS_SCRIPT
                    + " in slurm.conf, or leave 'starts' out"));
      }
    }
    file(path.get()).ifPresent(lines::add);
    return lines.isEmpty() ? List.of(CheckLine.good("starts in " + path.get())) : lines;
  }

  private Optional<CheckLine> file(Path file) {
    try {
      Optional<FileFacts> facts = files.facts(file);
      if (facts.filter(FileFacts::isRegular).isEmpty()) {
        return Optional.of(
            CheckLine.wrong(
                "there is no file " + file,
                "make it for the account of slurmctld: install -o slurm -m 644 /dev/null " + file));
      }
      if ((facts.get().rights() & OTHERS_WRITE) != 0) {
        return Optional.of(
            CheckLine.wrong(
                "others than " + facts.get().owner() + " may write to " + file,
                "as root: chmod go-w " + file));
      }
      return files.isReadable(file)
          ? Optional.empty()
          : Optional.of(
              CheckLine.wrong(file + " cannot be read", "give this account the right to read it"));
    } catch (IOException e) {
      return Optional.of(
          CheckLine.wrong(file + ": ", String.valueOf(e.getMessage()), "try it again"));
    }
  }
}
