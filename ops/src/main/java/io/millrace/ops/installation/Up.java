package io.millrace.ops.installation;

import io.millrace.ops.home.BuildMark;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.ServerInstance;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.init.ClusterInit;
import io.millrace.ops.init.InitException;
import io.millrace.ops.kafka.KafkaCheck;
import io.millrace.ops.kafka.KafkaFinding;
import io.millrace.ops.keys.KeyRenewal;
import io.millrace.ops.keys.ListenerCertificate;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.ConnectionBounds;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** {@code up}: initialises a home when it is new, and starts what does not run. */
public final class Up {

  private static final Duration KEEPER_PATIENCE = Duration.ofSeconds(20);

  /**
   * Option for whatever calls {@code up} again and again: it restarts only what died. No other word
   * has it.
   */
  static final String KEEP = "--keep";

  private final Home home;
  private final GivenOptions options;
  private final Console console;

  /** Whether the keeper that the settings want is left away, for whoever kills parts himself. */
  private final boolean unkept;

  /** Parts that already run with other settings. */
  private final List<String> outdated = new ArrayList<>();

  public Up(Home home, GivenOptions options, Console console) {
    this(home, options, console, false);
  }

  private Up(Home home, GivenOptions options, Console console, boolean unkept) {
    this.home = home;
    this.options = options;
    this.console = console;
    this.unkept = unkept;
  }

  /** One that starts no keeper; the next {@code up} in this home does, as its settings say. */
  static Up unkept(Home home, GivenOptions options, Console console) {
    return new Up(home, options, console, true);
  }

  public static ProgramOptions options(String word, String purpose) {
    ProgramOptions options = ProgramOptions.ofWord(word, purpose);
    if (word.equals("up")) {
      options.flag(KEEP, "only what died: nothing after ./millrace down, until the next up");
    }
    return ClusterOptions.addTo(HomeOption.addTo(options))
        .value("--shards", "N", "number of shards, fixed when the home is new (default 8)")
        .value(
            "--bootstrap-servers", "H:P", "use this Kafka cluster instead of a broker of our own")
        .value("--properties", "FILE", "with it: an administrator's Kafka client settings")
        .value(
            "--listen",
            "ADDRESS",
            "broker of our own: serve executors of other hosts there, in TLS")
        .value("--listen-certificate", "FILE", "with it: a chain in PEM; otherwise one is made")
        .value("--listen-key", "FILE", "with it: its key in PEM (PKCS #8), for the owner alone")
        .value("--executors", "N", "execution processes on this host (default 1)")
        .value("--executor", "local|null", "null starts no process: for measurements")
        .value("--resources", "LIST", "what each executor offers, such as ncpus=8,mem=16gb")
        .value(
            UpSettings.FORWARD,
            "FILE,..",
            "serve the nodes HOST@CLUSTER of these clusters of other systems")
        .flag("--no-forward", "no more; their jobs go on there")
        .optional(
            UpSettings.APART_ENGINE,
            "NAME,..",
            "engines of these scheduler objects (default) in processes of their own")
        .flag("--no-apart-engine", "all beside the server again")
        .flag("--campaigns", "a campaign server too, for gridsub")
        .flag("--no-campaigns", "no more")
        .value(UpSettings.CAMPAIGN_LOG, "FILE", "with it: a line there for what goes wrong")
        .flag("--no-campaign-log", "no more")
        .flag("--no-accounting", "no accounting files: another home of the cluster writes them")
        .flag("--accounting", "accounting files again")
        .flag("--no-keeper", "nothing starts parts again that died: something else does")
        .flag("--keeper", "parts that died are started again")
        .flag("--take-over", "the executors' earlier spools are gone for good: give up their runs")
        .flag("--durable", "nothing acknowledged is lost in a power cut; slower")
        .flag("--no-durable", "what the operating system has is acknowledged again")
        .value("--http", "[ADDRESS:]PORT", "serve HTTP there; without a certificate on loopback")
        .flag("--no-http", "no more")
        .value("--http-certificate", "FILE", "with it: the chain in PEM, for https")
        .value("--http-key", "FILE", "with it: its key in PEM (PKCS #8), for the owner alone")
        .value("--munge-socket", "PATH", "with it: of another MUNGE daemon than the host's")
        .value("--munge-root", "yes|no", "with it: root of other hosts is root here (default no)")
        .value("--registry", "[ADDRESS:]PORT", "with it: Confluent's registry calls there, to read")
        .value(
            "--health",
            "[ADDRESS:]PORT",
            "each part tells /live, /ready and /metrics there or a few ports above (status)")
        .flag("--no-health", "no more")
        .value("--otlp", "URL", "each part sends these numbers there too, by OTLP over HTTP")
        .flag("--no-otlp", "no more")
        .value("--heap", "PART=SIZE,..", "Java heaps, such as server=2g")
        .value(
            ConnectionBounds.OPTION,
            "NAME=ALL/ONE,..",
            "most of sessions, lasting, openings (of a user) and http (of an address) at once");
  }

  /** Whether there is anything to do: {@code up --keep} does nothing after a {@code down}. */
  public boolean isWanted() throws IOException {
    return !options.has(KEEP) || !Down.isAsked(home);
  }

  /**
   * Checks what can be checked before anything is created, because the folder may be somebody
   * else's or being restored. {@link #run} checks again.
   *
   * @throws IOException why the home stays as it is, in one line
   * @throws UsageException when the options contradict each other or the home
   */
  public void check() throws IOException, UsageException {
    new ClusterOptions(home, options).check();
    HomeCheck.pass(home);
    UpSettings.of(home, options);
  }

  public void run() throws IOException, InterruptedException, UsageException, WordFailed {
    check();
    ClusterOptions given = new ClusterOptions(home, options);
    given.ask();
    Distribution dist = Distribution.current();
    Processes processes = new Processes(home);
    RunningParts before = RunningParts.of(home);
    before.requireBuild(dist);
    home.create();
    UpSettings asked = UpSettings.of(home, options);
    UpSettings settings = unkept ? asked.unkept() : asked;
    List<String> spared = before.notTakingOver(settings, options);
    ClusterSettings cluster = given.settle();
    settings.write(home);
    // Before any part of this build writes anything.
    BuildMark.current().write(home);
    ServerInstance.ensure(home);
    if (cluster.isEmbedded() && !cluster.embedded().listen().isEmpty()) {
      certificate(cluster.embedded().listen());
    }
    Parts parts = new Parts(home, dist, cluster, settings);
    List<String> running = new ArrayList<>();
    // From here on this up overrides an earlier down; one that was refused before leaves its mark.
    boolean drained = Down.forget(home, options.has(KEEP));
    if (cluster.isEmbedded()) {
      start(processes, List.of(parts.broker()), running);
      finishRenewal();
    }
    stopStale(processes, parts);
    initialise(cluster);
    if (!cluster.isEmbedded()) {
      sayRed();
      refuseHostsElsewhere(processes, parts);
    }
    for (String host : parts.executorHosts()) {
      HostFiles.ensureOwn(home, host);
    }
    parts.revoked().forEach(this::sayRevoked);
    Forwarders forwarders = new Forwarders(home, dist, console);
    forwarders.admit(settings.forward());
    HomeBin.fill(home, dist);
    start(processes, drained ? parts.withoutServer() : parts.others(), running);
    for (String host : parts.executorHosts()) {
      makeNode(dist, host);
    }
    forwarders.makeNodes(settings.forward());
    if (dist.clientIsJava()) {
      new HomeClient(home, dist).archiveJavaClient();
    }
    keeper(processes, parts, settings);
    awaitService(processes, parts, dist, settings);
    if (!running.isEmpty()) {
      console.say("already there: " + String.join(", ", running));
    }
    sayNotApplied(before.surplus(cluster, parts), spared);
  }

  /** Whether no administrator's account is here: the cluster was made ready by somebody else. */
  private boolean joined() {
    return Files.exists(home.joined());
  }

  private void refuseHostsElsewhere(Processes processes, Parts parts)
      throws IOException, InterruptedException, WordFailed {
    if (!options.has("--take-over")) {
      HostsElsewhere.refuse(home, toBeStarted(processes, parts), console);
    }
  }

  /** What is wrong with a given cluster; that it does not tell is no reason to start nothing. */
  private void sayRed() throws IOException, InterruptedException {
    if (joined()) {
      return; // what is wrong was said to whoever made it ready
    }
    Map<String, Object> admin = ClientSettings.read(home.client(KafkaPrincipal.ADMIN));
    try {
      KafkaCheck.of(admin).stream()
          .filter(KafkaFinding::isRed)
          .forEach(found -> console.say(found.line()));
    } catch (WordFailed e) {
      console.say("its settings are not checked: " + e.getMessage());
    }
  }

  /** Hosts of the executors that do not run yet. */
  private static List<String> toBeStarted(Processes processes, Parts parts) throws IOException {
    List<String> hosts = new ArrayList<>();
    List<Part> executors = parts.executors();
    for (int i = 0; i < executors.size(); i++) {
      if (processes.alive(executors.get(i).name()).isEmpty()) {
        hosts.add(parts.executorHosts().get(i));
      }
    }
    return hosts;
  }

  /** What executors of other hosts know the broker by; without it nothing is started. */
  private void certificate(String address) throws IOException, InterruptedException {
    ListenerCertificate certificate = new ListenerCertificate(home, address);
    if (options.has("--listen-certificate")) {
      certificate.take(
          Path.of(options.get("--listen-certificate").orElseThrow()),
          Path.of(options.get("--listen-key").orElseThrow()));
    } else {
      certificate.ensure();
    }
    String notice = certificate.check();
    if (!notice.isEmpty()) {
      console.say(notice);
    }
    HostFiles.refresh(home);
  }

  /** Goes on with an interrupted renewal of keys. */
  private void finishRenewal() throws IOException, InterruptedException, WordFailed {
    List<KafkaPrincipal> renewed = new KeyRenewal(home).finish();
    if (!renewed.isEmpty()) {
      console.say("new keys: " + KafkaPrincipal.names(renewed, ", "));
    }
  }

  /** Stops the parts that have old keys, so that they are started again. */
  private void stopStale(Processes processes, Parts parts)
      throws IOException, InterruptedException, UsageException, PartFailed {
    List<String> wanted = parts.others().stream().map(Part::name).toList();
    List<String> stale = new ArrayList<>(StaleKeys.among(home, processes.alive().keySet()));
    stale.retainAll(wanted);
    if (!stale.isEmpty()) {
      List<String> stopped = new Down(home, console).stop(stale);
      console.say("stopped " + String.join(", ", stopped) + ", which had old keys");
    }
  }

  private void sayRevoked(String host) {
    console.say(
        "no executor for " + host + ", which was revoked: ./millrace keys host add " + host);
  }

  /**
   * Begins the keeper, or ends it where it is not wanted. One that looks after other parts than
   * these is replaced: what it does is nothing that anybody would miss meanwhile.
   */
  private void keeper(Processes processes, Parts parts, UpSettings settings)
      throws IOException, InterruptedException, PartFailed {
    Part keeper = parts.keeper();
    if (!settings.keeper() || !processes.runsAs(keeper)) {
      processes.stop(Parts.KEEPER, KEEPER_PATIENCE);
    }
    if (settings.keeper()) {
      processes.start(keeper);
    }
  }

  /** Waits until it serves whoever asks its gateway, where it has one, and is looked after. */
  private void awaitService(
      Processes processes, Parts parts, Distribution dist, UpSettings settings)
      throws IOException, InterruptedException, PartFailed {
    if (settings.has("gateway")) {
      new AwaitedService(home, processes, new HomeClient(home, dist), console).await(parts);
    }
    if (settings.keeper()) {
      processes.awaitReady(parts.keeper());
    }
  }

  private void sayNotApplied(List<String> surplus, List<String> spared) {
    if (!outdated.isEmpty()) {
      console.say(
          "not applied yet: "
              + String.join(", ", outdated)
              + " still runs with the settings of its start; ./millrace down, then up, applies"
              + " those that are asked for now");
    }
    if (!surplus.isEmpty()) {
      console.say(
          "not applied yet: "
              + String.join(", ", surplus)
              + " still runs and is not asked for any more; ./millrace down, then up, leaves it"
              + " away");
    }
    if (!spared.isEmpty()) {
      console.say("not applied: " + String.join(", ", spared) + " runs and takes over nothing");
    }
  }

  private void start(Processes processes, List<Part> parts, List<String> running)
      throws IOException, InterruptedException, PartFailed {
    long begin = System.nanoTime();
    List<String> started = new ArrayList<>();
    for (Part part : parts) {
      (processes.start(part) ? started : running).add(part.name());
      if (!started.contains(part.name()) && !processes.runsAs(part)) {
        outdated.add(part.name());
      }
    }
    console.busy("starting " + String.join(", ", started));
    for (Part part : parts) {
      processes.awaitReady(part).ifPresent(why -> console.say(part.name() + " waits: " + why));
    }
    if (!started.isEmpty()) {
      console.say("started " + String.join(", ", started) + " " + console.since(begin));
    }
  }

  /**
   * Creates the node of an executor of this host once; a node that an administrator deleted stays
   * deleted.
   */
  private void makeNode(Distribution dist, String host)
      throws IOException, InterruptedException, PartFailed {
    Path mark = home.root().resolve("etc/nodes/" + host);
    if (Files.exists(mark)) {
      return;
    }
    console.busy("making the node " + host);
    HomeClient.HomeCommandResult said =
        new HomeClient(home, dist)
            .call(home.root(), "qmgr", "-c", "create node " + host + " Mom=" + host);
    if (said.status() != 0 && !said.out().contains("already exists")) {
      throw new PartFailed("the node " + host + " was not made: " + said.out().strip());
    }
    Files.createDirectories(mark.getParent());
    Files.createFile(mark);
    console.say("made the node " + host);
  }

  /** Initialises the cluster unless this build has done so already. */
  private void initialise(ClusterSettings cluster)
      throws IOException, InterruptedException, InitException {
    String mark = fingerprint(cluster.shards());
    Path file = home.initialised();
    if (Files.exists(file) && Files.readString(file).equals(mark)) {
      return;
    }
    if (joined()) {
      SmallFile.write(file, mark);
      return;
    }
    console.busy("initialising the cluster");
    Map<String, Object> admin = ClientSettings.read(home.client(KafkaPrincipal.ADMIN));
    new ClusterInit(admin, cluster.shards(), console::say).run(cluster.isEmbedded());
    SmallFile.write(file, mark);
  }

  /** Fingerprint that changes when topics, access rules or schemas do. */
  private static String fingerprint(int shards) {
    byte[] all = ClusterInit.described(shards).getBytes(StandardCharsets.UTF_8);
    return UUID.nameUUIDFromBytes(all) + "\n";
  }

  /** Prints what to type next. */
  public void next() throws IOException {
    console.say("");
    console.say("Millrace is up; its home is " + home.root());
    console.say("  export PATH=" + home.bin() + ":$PATH");
    console.say("  echo 'sleep 5; hostname' | qsub -N first -l select=1:ncpus=1");
    console.say("  qstat; pbsnodes -a; ./millrace status");
    if (Files.exists(home.ready("web"))) {
      String url = Files.readString(home.ready("web")).strip();
      console.say(
          "  curl -H \"Authorization: Bearer $(./millrace token create)\" " + url + "/v1/jobs");
    }
    ClusterSettings cluster = ClusterSettings.read(home);
    if (cluster.isEmbedded()) {
      console.say(
          "Kafka: "
              + cluster.bootstrapServers()
              + " ("
              + home.client(KafkaPrincipal.MONITOR)
              + "), schemas: http://127.0.0.1:"
              + cluster.embedded().registry());
    }
  }
}
