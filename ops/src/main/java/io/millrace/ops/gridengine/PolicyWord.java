package io.millrace.ops.gridengine;

import io.millrace.ops.home.Home;
import io.millrace.ops.installation.HomeClient;
import io.millrace.ops.origin2000.OriginPolicy;
import io.millrace.ops.plus.ReservableText;
import io.millrace.ops.plus.SampleQuestion;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schedulers.gridengine.language.options.Nearest;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** {@code ./millrace policy check FILE} and {@code ./millrace policy explain FILE}. */
public final class PolicyWord implements Word {

  @Override
  public String name() {
    return "policy";
  }

  @Override
  public String summary() {
    return "check, explain or load a policy";
  }

  private static final List<String> VERBS = List.of("check", "explain", "load", "show");

  @Override
  public int run(List<String> args, Console console)
      throws IOException, UsageException, InterruptedException {
    ProgramOptions known =
        ProgramOptions.ofWord(
                "policy",
                "Reads a policy file: settings of a Grid Engine scheduler, a cluster queue, a"
                    + " parallel environment,\na host, a host group or the complex, as qconf prints"
                    + " them;\nor the config of an Origin2000 scheduler with the files beside it, or a"
                    + " reservable.ad of PluS."
                    + " check refuses what is wrong with file,\nline and reason; explain says"
                    + " what each set option means and what it changes. The files\nof a FOLDER are"
                    + " held against each other too, as load takes them;\nload makes the files of a"
                    + " folder the configuration of a scheduler object, show prints them.")
            .operands("check|explain FILE|FOLDER... | load SCHEDULER FOLDER | show SCHEDULER")
            .value("--home", "DIR", "home folder, for load and show (default as for up)");
    GivenOptions options = SampleQuestion.add(known).parse(args);
    List<String> operands = options.operands();
    if (operands.isEmpty() || !VERBS.contains(operands.get(0))) {
      String given = operands.isEmpty() ? "" : operands.get(0);
      throw options.wrong(
          given.isEmpty()
              ? "check or explain is missing"
              : "'" + given + "' is not understood" + Nearest.hint(given, VERBS));
    }
    if (operands.size() < 2) {
      throw options.wrong("FILE is missing");
    }
    SampleQuestion.onlyWhen(operands.get(0).equals("explain"), options);
    if (operands.get(0).equals("load")) {
      if (operands.size() != 3) {
        throw options.wrong("load takes the name of a scheduler object and a folder");
      }
      return load(HomeOption.of(options), operands.get(1), Path.of(operands.get(2)), console);
    }
    if (operands.get(0).equals("show")) {
      if (operands.size() != 2) {
        throw options.wrong("show takes the name of a scheduler object");
      }
      List<String> words = List.of("policy-show", operands.get(1));
      return gateway(HomeOption.of(options), Path.of("."), words, console);
    }
    int status = 0;
    for (String file : operands.subList(1, operands.size())) {
      status = Math.max(status, read(options, file, console));
    }
    return status;
  }

  /**
   * Loads a folder. This process reads the files with its user's rights and passes their texts to
   * the gateway.
   */
  private static int load(Home home, String scheduler, Path folder, Console console)
      throws IOException, UsageException, InterruptedException {
    if (!Files.isDirectory(folder)) {
      System.err.println("millrace policy: " + folder + ": there is no such folder");
      return 1;
    }
    List<String> words = new ArrayList<>(List.of("policy-load", scheduler));
    files(folder).forEach(file -> words.add(file.toAbsolutePath().toString()));
    return gateway(home, folder, words, console);
  }

  /** The folder's files except hidden ones, by name. */
  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> !file.getFileName().toString().startsWith("."))
          .sorted()
          .toList();
    }
  }

  private static int gateway(Home home, Path folder, List<String> words, Console console)
      throws IOException, UsageException, InterruptedException {
    HomeClient.Said said =
        new HomeClient(home)
            .call(folder.toAbsolutePath(), "millrace-client", words.toArray(String[]::new));
    said.lines().forEach(said.status() == 0 ? console::say : System.err::println);
    return said.status();
  }

  private static int read(GivenOptions options, String file, Console console)
      throws IOException, UsageException {
    String verb = options.operands().get(0);
    try {
      Path path = Path.of(file);
      boolean reservable =
          Files.isRegularFile(path) && ReservableText.describes(PolicyText.read(path));
      SampleQuestion.onlyWhen(reservable, options);
      if (reservable) {
        ReservableText read = ReservableText.of(file, PolicyText.read(path));
        (verb.equals("check")
                ? read.check()
                : read.explain(SampleQuestion.of(options, Clock.systemDefaultZone())))
            .forEach(console::say);
        return 0;
      }
      Optional<Path> config = OriginPolicy.config(path);
      if (config.isPresent()) {
        OriginPolicy policy = OriginPolicy.read(config.get());
        policy.notes().forEach(note -> System.err.println("millrace policy: note: " + note));
        say(verb, file, policy.summary(), policy.explanation(), console);
        return 0;
      }
      PolicyText policy =
          Files.isDirectory(path) ? together(path) : PolicyText.parse(file, text(path));
      say(verb, file, policy.summary(), policy.explain(), console);
      return 0;
    } catch (ConfigurationRefused e) {
      System.err.println("millrace policy: " + e.getMessage());
      return 1;
    }
  }

  private static void say(
      String verb, String file, String summary, List<String> explanation, Console console) {
    if (verb.equals("check")) {
      console.say(file + ": " + summary);
    } else {
      explanation.forEach(console::say);
    }
  }

  private static PolicyText together(Path folder) throws IOException {
    Map<String, String> texts = new LinkedHashMap<>();
    for (Path file : files(folder)) {
      texts.put(file.getFileName().toString(), text(file));
    }
    try {
      return PolicyText.together(texts);
    } catch (ConfigurationRefused e) {
      throw e.in(folder.toString());
    }
  }

  private static String text(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new ConfigurationRefused(
          file.toString(), 0, Files.exists(file) ? "this is no file" : "there is no such file");
    }
    return PolicyText.read(file);
  }
}
