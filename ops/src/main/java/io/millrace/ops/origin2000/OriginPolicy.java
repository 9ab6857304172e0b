package io.millrace.ops.origin2000;

import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigChecks;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfigText;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.config.OriginPlace;
import io.millrace.schedulers.dialects.origin2000.live.LoadedOrigin;
import io.millrace.schedulers.dialects.origin2000.usage.Allocations;
import io.millrace.schedulers.dialects.origin2000.usage.InputFile;
import io.millrace.schedulers.dialects.origin2000.usage.PastUsage;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.ObjectTables;
import io.millrace.schemas.HostName;
import io.millrace.schemas.pbs.schedconfig.JoinedFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The texts of an Origin2000 scheduler that were read and found right.
 *
 * @param notes lines that are not looked at, with file, line and reason
 * @param summary what was read, for check
 * @param explanation what the options say, for explain
 */
public record OriginPolicy(List<String> notes, String summary, List<String> explanation) {

  private static final String CONFIG = "config";

  /** What is looked at to tell the kind of a text; comments before an option fit into it. */
  private static final int BEGINNING = 64 << 10;

  /**
   * The config that a path means, its own or that of the folder; empty when it is a text of another
   * kind.
   */
  public static Optional<Path> config(Path path) throws IOException {
    Path file = Files.isDirectory(path) ? path.resolve(CONFIG) : path;
    return Files.isRegularFile(file) && describes(beginning(file))
        ? Optional.of(file)
        : Optional.empty();
  }

  private static String beginning(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return new String(in.readNBytes(BEGINNING), StandardCharsets.ISO_8859_1);
    }
  }

  /**
   * Whether any line begins with an option, but for its case. A cell's texts may have a word of the
   * same letters: max_jobs stands in each global configuration.
   */
  private static boolean describes(String text) {
    return text.lines()
        .map(line -> line.strip().split("\\s", 2)[0])
        .filter(word -> ObjectTables.recognise(word).isEmpty())
        .map(word -> word.toUpperCase(Locale.ROOT))
        .anyMatch(
            word -> Arrays.stream(OriginOption.values()).anyMatch(it -> it.name().equals(word)));
  }

  /**
   * Reads the config, and of its folder the other files that are there: holidays, decay_usage,
   * allocations and current.
   *
   * @throws ConfigurationRefused on the first thing that is wrong
   */
  public static OriginPolicy read(Path config) throws IOException {
    OriginPlace place =
        new OriginPlace(HostName.whole().toLowerCase(Locale.ROOT), ZoneId.systemDefault());
    Path folder = config.toAbsolutePath().getParent();
    String name = config.toString();
    OriginConfigText.OriginConfigRead read =
        OriginConfigText.read(name, OriginFiles.text(config), place);
    OriginConfig options = read.config();
    OriginConfigChecks.check(name, options, command -> Files.isExecutable(folder.resolve(command)));
    List<String> notes = new ArrayList<>(read.warnings());
    List<String> files = new ArrayList<>();
    Path holidays = folder.resolve("holidays");
    if (Files.isRegularFile(holidays)) {
      files.add("holidays");
      notes.addAll(OriginHolidays.read(holidays.toString(), OriginFiles.text(holidays)).warnings());
    }
    Path usage = folder.resolve("decay_usage");
    if (Files.isRegularFile(usage)) {
      files.add("decay_usage");
      new PastUsage()
          .read(OriginFiles.text(usage), 0)
          .forEach(line -> notes.add(usage + ":" + line + ": the line is skipped"));
    }
    accounts(folder.resolve(options.word(OriginOption.SCHED_ACCT_DIR).orElse("")), files, notes);
    long set = Arrays.stream(OriginOption.values()).filter(options::gives).count();
    return new OriginPolicy(
        notes,
        "an Origin2000 scheduler, "
            + set
            + " options set, all valid"
            + (files.isEmpty() ? "" : "; with " + String.join(", ", files)),
        options.explain(place));
  }

  /**
   * The files beside the config, itself included, that a scheduler object takes.
   *
   * @param zone of the times in them
   * @throws ConfigurationRefused when one is wrong, or says what a live scheduler cannot do
   */
  public static List<Path> loaded(Path config, String zone) throws IOException {
    Path folder = config.toAbsolutePath().getParent();
    Map<String, String> texts = new LinkedHashMap<>();
    List<Path> files = new ArrayList<>();
    texts.put(JoinedFiles.ZONE, zone);
    texts.put(LoadedOrigin.HOST, HostName.whole().toLowerCase(Locale.ROOT));
    for (String name : LoadedOrigin.FILES) {
      Path file = folder.resolve(name);
      if (Files.isRegularFile(file)) {
        texts.put(name, OriginFiles.text(file));
        files.add(file);
      }
    }
    LoadedOrigin read = LoadedOrigin.read(JoinedFiles.join(texts));
    if (!read.usable()) {
      throw new ConfigurationRefused(folder.toString(), 0, read.problem());
    }
    return files;
  }

  private static void accounts(Path folder, List<String> files, List<String> notes)
      throws IOException {
    InputFile allocations = file(folder, "allocations", files);
    InputFile current = file(folder, "current", files);
    new Allocations()
        .read(allocations, current)
        .forEach(skipped -> notes.add(folder.resolve(skipped).toString()));
  }

  private static InputFile file(Path folder, String name, List<String> files) throws IOException {
    Path file = folder.resolve(name);
    if (!Files.isRegularFile(file)) {
      return InputFile.NONE;
    }
    files.add(name);
    return new InputFile(OriginFiles.text(file), 0);
  }
}
