package io.millrace.ops.gridengine;

import io.millrace.ops.dialect.PolicyDialect;
import io.millrace.ops.home.Home;
import io.millrace.ops.installation.HomeClient;
import io.millrace.ops.origin2000.OriginPolicy;
import io.millrace.ops.plus.PlusDialect;
import io.millrace.ops.plus.ReservableText;
import io.millrace.ops.plus.SampleQuestion;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import io.millrace.schemas.pbs.attributes.Nearest;
import io.millrace.schemas.pbs.schedconfig.SitePolicyFolder;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** {@code ./millrace policy check|explain FILE} and {@code policy load|show SCHEDULER}. */
public final class PolicyWord implements Word {

  @Override
  public String name() {
    return "policy";
  }

  @Override
  public String summary() {
    return "check, explain or load a policy";
  }

  private static final String FOLLOW = "--follow";
  private static final String ONLY_PBS = "--as-pbs is for the files of a PBS scheduler";

  private static final List<String> VERBS = List.of("check", "explain", "load", "show");

  private static ProgramOptions known() {
    return ProgramOptions.ofWord(
            "policy",
            "Reads a policy file: settings of a Grid Engine scheduler, a cluster queue, a"
                + " parallel environment,\n"
                + "a host, a host group or the complex, as qconf prints them; or a PBS"
                + " scheduler's sched_config,\n"
                + "holidays, dedicated_time or resource_group; or the config of an Origin2000"
                + " scheduler with the files\n"
                + "beside it; or a sched_conf or reservable.ad of PluS. check refuses what is"
                + " wrong with file,\n"
                + "line and reason; explain says what each set option means and what it"
                + " changes. The files\n"
                + "of a FOLDER are held against each other too, as load takes them;\n"
                + "load makes the files of a folder the configuration of a scheduler object,"
                + " or a reservable.ad\n"
                + "what it asks before nodes are reserved; show prints them.")
        .operands("check|explain FILE|FOLDER... | load SCHEDULER FOLDER|FILE | show SCHEDULER")
        .value("--home", "DIR", "home folder, for load and show (default as for up)")
        .value(
            "--zone",
            "ZONE",
            "time zone of a PBS, Origin2000 or PluS scheduler's files, for load (this host's)")
        .flag(
            FOLLOW, "load: from now on changes of a PBS scheduler's files are loaded by themselves")
        .flag("--as-pbs", "take wrong lines of a PBS scheduler as OpenPBS takes them");
  }

  @Override
  public int run(List<String> args, Console console)
      throws IOException, UsageException, InterruptedException {
    GivenOptions options = SampleQuestion.add(known()).parse(args);
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
    if (options.has("--as-pbs") && !List.of("check", "explain").contains(operands.get(0))) {
      throw options.wrong("--as-pbs is for check and explain");
    }
    boolean live = List.of("load", "show").contains(operands.get(0));
    if (options.has("--home") && !live) {
      throw options.wrong("--home is for load and show");
    }
    if (options.has("--zone") && !operands.get(0).equals("load")) {
      throw options.wrong("--zone is for load");
    }
    if (options.has(FOLLOW) && !operands.get(0).equals("load")) {
      throw options.wrong(FOLLOW + " is for load");
    }
    if (operands.get(0).equals("load")) {
      if (operands.size() != 3) {
        throw options.wrong("load takes the name of a scheduler object, and a folder or file");
      }
      return load(
          HomeOption.of(options),
          operands.get(1),
          Path.of(operands.get(2)),
          options.get("--zone").orElseGet(() -> ZoneId.systemDefault().getId()),
          options.has(FOLLOW),
          console);
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
  private static int load(
      Home home, String scheduler, Path folder, String zone, boolean follow, Console console)
      throws IOException, UsageException, InterruptedException {
    if (follow && !Files.isRegularFile(folder.resolve(SitePolicyFolder.SCHED_CONFIG))) {
      System.err.println(
          "millrace policy: --follow is for a folder with the sched_config of a PBS scheduler");
      return 1;
    }
    ReservableLoading reservable = new ReservableLoading(home, scheduler, zone);
    if (ReservableLoading.isFor(folder)) {
      return reservable.load(folder, console);
    }
    if (!Files.isDirectory(folder)) {
      System.err.println("millrace policy: " + folder + ": there is no such folder");
      return 1;
    }
    Map<String, String> texts;
    try {
      Optional<Path> origin = OriginPolicy.config(folder);
      if (origin.isPresent()) {
        tellNotes(OriginPolicy.read(origin.get()));
        List<String> words = new ArrayList<>(List.of("origin2000-load", scheduler, zone));
        OriginPolicy.loaded(origin.get(), zone).forEach(file -> words.add(file.toString()));
        return gateway(home, folder, words, console);
      }
      texts = Dialects.texts(folder);
    } catch (ConfigurationRefused e) {
      System.err.println("millrace policy: " + e.getMessage());
      return 1;
    }
    Optional<PolicyDialect> dialect = Dialects.of(texts);
    if (dialect.isPresent() && !texts.containsKey(dialect.get().principal())) {
      String principal = dialect.get().principal();
      System.err.println("millrace policy: " + folder + ": there is no " + principal + " in it");
      return 1;
    }
    if (dialect.isPresent()) {
      int status =
          new DialectLoad(home, scheduler, folder, zone, follow)
              .load(dialect.get(), texts, console);
      boolean asks = status == 0 && dialect.get() instanceof PlusDialect;
      Path beside = folder.resolve(ReservableLoading.FILE);
      return asks && Files.exists(beside) ? reservable.load(beside, console) : status;
    }
    List<String> words = new ArrayList<>(List.of("policy-load", scheduler));
    Dialects.files(folder).forEach(file -> words.add(file.toAbsolutePath().toString()));
    return gateway(home, folder, words, console);
  }

  static int gateway(Home home, Path folder, List<String> words, Console console)
      throws IOException, UsageException, InterruptedException {
    if (!Files.exists(home.settings())) {
      throw new IOException(home.root() + " is no home of Millrace: run ./millrace up");
    }
    HomeClient.HomeCommandResult said =
        new HomeClient(home)
            .call(folder.toAbsolutePath(), "millrace-client", words.toArray(String[]::new));
    said.lines().forEach(said.status() == 0 ? console::say : System.err::println);
    return said.status();
  }

  private static int read(GivenOptions options, String file, Console console)
      throws IOException, UsageException {
    String verb = options.operands().get(0);
    boolean asPbs = options.has("--as-pbs");
    try {
      Path path = Path.of(file);
      if (other(options, path, console)) {
        return 0;
      }
      Map<String, String> texts = Dialects.texts(path);
      Optional<PolicyDialect> dialect = Dialects.of(texts);
      if (dialect.filter(it -> !asPbs || it.canBeLenient()).isPresent()) {
        return say(verb, file, dialect.get().read(texts, asPbs), console);
      }
      if (asPbs) {
        throw new ConfigurationRefused(file, 0, ONLY_PBS);
      }
      PolicyText policy =
          Files.isDirectory(path)
              ? together(path, texts)
              : PolicyText.parse(file, Dialects.text(path));
      if (verb.equals("check")) {
        console.say(file + ": " + policy.summary());
      } else {
        policy.explain().forEach(console::say);
      }
      return 0;
    } catch (ConfigurationRefused e) {
      System.err.println("millrace policy: " + e.getMessage());
      return 1;
    }
  }

  /** Says what an Origin2000 scheduler's config or a reservable.ad says; false for other texts. */
  private static boolean other(GivenOptions options, Path path, Console console)
      throws IOException, UsageException {
    boolean check = options.operands().get(0).equals("check");
    boolean reservable =
        Files.isRegularFile(path) && ReservableText.describes(PolicyText.read(path));
    SampleQuestion.onlyWhen(reservable, options);
    if (reservable && options.has("--as-pbs")) {
      throw new ConfigurationRefused(path.toString(), 0, ONLY_PBS);
    }
    if (reservable) {
      ReservableText read = ReservableText.of(path.toString(), PolicyText.read(path));
      (check ? read.check() : read.explain(SampleQuestion.of(options, Clock.systemDefaultZone())))
          .forEach(console::say);
      return true;
    }
    Optional<Path> config = OriginPolicy.config(path);
    if (config.isEmpty()) {
      return false;
    }
    if (options.has("--as-pbs")) {
      throw new ConfigurationRefused(path.toString(), 0, ONLY_PBS);
    }
    OriginPolicy policy = OriginPolicy.read(config.get());
    tellNotes(policy);
    (check ? List.of(path + ": " + policy.summary()) : policy.explanation()).forEach(console::say);
    return true;
  }

  private static void tellNotes(OriginPolicy policy) {
    policy.notes().forEach(note -> System.err.println("millrace policy: note: " + note));
  }

  /** Says what a policy of another dialect than Grid Engine's says. */
  private static int say(
      String verb, String file, PolicyDialect.PolicyReading reading, Console console) {
    String folder = Files.isDirectory(Path.of(file)) ? file + "/" : parent(file);
    reading.notes().forEach(line -> System.err.println("millrace policy: note: " + folder + line));
    if (!reading.refusals().isEmpty()) {
      reading.refusals().forEach(line -> System.err.println("millrace policy: " + folder + line));
      return 1;
    }
    if (verb.equals("check")) {
      console.say(file + ": " + reading.summary());
    } else {
      reading.explanation().forEach(console::say);
    }
    return 0;
  }

  private static String parent(String file) {
    return file.substring(0, file.lastIndexOf('/') + 1);
  }

  private static PolicyText together(Path folder, Map<String, String> texts) {
    try {
      return PolicyText.together(texts);
    } catch (ConfigurationRefused e) {
      throw e.in(folder.toString());
    }
  }
}
