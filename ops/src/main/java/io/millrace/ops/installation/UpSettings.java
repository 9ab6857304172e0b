package io.millrace.ops.installation;

import io.millrace.connectors.local.LocalExecutor;
import io.millrace.ops.health.HealthPorts;
import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.SmallFile;
import io.millrace.ops.process.EngineParts;
import io.millrace.ops.process.HeapSizes;
import io.millrace.schemas.folder.NamedFolder;
import io.millrace.schemas.health.Health;
import io.millrace.schemas.program.ConnectionBounds;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.SocketText;
import io.millrace.schemas.program.UsageException;
import io.millrace.server.web.ListenAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The options of {@code up}. They are stored, so that a later {@code up} without options starts the
 * same parts.
 */
record UpSettings(Map<String, String> values) {

  static final int EXECUTORS_MAX = 64;

  /** Files of the outside clusters whose nodes this home serves. */
  static final String FORWARD = "--forward";

  /** Scheduler objects whose engines have processes of their own. */
  static final String APART_ENGINE = "--apart-engine";

  /** Which parts a home has that has joined a cluster. */
  static final String PARTS = "--parts";

  /** Where the server answers gateways of other hosts. */
  static final String QUERY_LISTEN = "--query-listen";

  /** Whether this home is the one of its cluster whose files with policies count. */
  static final String POLICY_FILES = "--policy-files";

  /** Where a line is written for what happens to campaigns. */
  static final String CAMPAIGN_LOG = "--campaign-log";

  private static final List<String> CHOOSABLE =
      List.of("server", "gateway", "executor", "accounting", "web");

  private static final List<String> KEPT =
      List.of(
          "--executors",
          "--executor",
          APART_ENGINE,
          "--campaigns",
          CAMPAIGN_LOG,
          "--durable",
          "--health",
          "--heap",
          ConnectionBounds.OPTION,
          "--resources",
          FORWARD,
          "--http",
          "--http-certificate",
          "--http-key",
          "--munge-socket",
          "--munge-root",
          "--registry",
          Health.OTLP,
          QUERY_LISTEN,
          POLICY_FILES,
          PARTS);

  /** Options of the HTTP server besides its address, and the names that the server has for them. */
  private static final Map<String, String> WEB =
      Map.of(
          "http-certificate", "certificate",
          "http-key", "key",
          "munge-socket", "munge-socket",
          "munge-root", "munge-root",
          "registry", "registry");

  /** What homes have unless it was refused; the refusal is stored. */
  private static final List<String> USUAL = List.of("accounting", "keeper");

  /** Not stored, because it is about the present spools. */
  private static final String TAKE_OVER = "take-over";

  /** Not stored, because it is about the parts of one start. */
  private static final String UNKEPT = "unkept";

  private static final Set<String> ONCE = Set.of(TAKE_OVER, UNKEPT);

  private static Path file(Home home) {
    return home.root().resolve("etc/up.properties");
  }

  /** Combines stored options with those given now, which win. */
  static UpSettings of(Home home, GivenOptions options) throws IOException, UsageException {
    Map<String, String> values = new LinkedHashMap<>();
    if (Files.exists(file(home))) {
      ClientSettings.read(file(home)).forEach((k, v) -> values.put(k, v.toString()));
    }
    for (String name : KEPT) {
      String undo = "--no-" + name.substring(2);
      if (options.has(name) && options.has(undo)) {
        throw options.wrong(name + " and " + undo + " contradict each other");
      }
      options.get(name).ifPresent(value -> values.put(name.substring(2), value));
      if (options.has(undo)) {
        values.remove(name.substring(2));
      }
    }
    if (options.has("--no-campaigns")) {
      values.remove(CAMPAIGN_LOG.substring(2));
    }
    if (options.has("--no-http")) {
      WEB.keySet().forEach(values::remove);
    }
    for (String file :
        List.of("http-certificate", "http-key", "munge-socket", CAMPAIGN_LOG.substring(2))) {
      // Stored as absolute paths, because the part runs in another folder.
      values.computeIfPresent(file, (name, path) -> Path.of(path).toAbsolutePath().toString());
    }
    values.computeIfPresent(FORWARD.substring(2), (name, files) -> absolute(files));
    for (String usual : USUAL) {
      if (options.has("--" + usual) && options.has("--no-" + usual)) {
        throw options.wrong("--" + usual + " and --no-" + usual + " contradict each other");
      }
      if (options.has("--" + usual)) {
        values.remove("no-" + usual);
      } else if (options.has("--no-" + usual)) {
        values.put("no-" + usual, "");
      }
    }
    if (options.has("--" + TAKE_OVER)) {
      values.put(TAKE_OVER, "");
    }
    UpSettings settings = new UpSettings(values);
    settings.check(options);
    return settings;
  }

  private static String absolute(String files) {
    return Stream.of(files.split(","))
        .filter(it -> !it.isBlank())
        .map(it -> Path.of(it.strip()).toAbsolutePath().normalize().toString())
        .distinct()
        .collect(Collectors.joining(","));
  }

  static UpSettings last(Home home) throws IOException {
    Map<String, String> values = new HashMap<>();
    if (Files.exists(file(home))) {
      ClientSettings.read(file(home)).forEach((k, v) -> values.put(k, v.toString()));
    }
    return new UpSettings(values);
  }

  void write(Home home) throws IOException {
    StringBuilder text = new StringBuilder("# What the last ./millrace up was asked for.\n");
    values.forEach(
        (k, v) -> {
          if (!ONCE.contains(k)) {
            text.append(k).append('=').append(v).append('\n');
          }
        });
    SmallFile.write(file(home), text.toString());
  }

  private void check(GivenOptions options) throws UsageException {
    options.number("--executors", 1, 0, EXECUTORS_MAX);
    if (!values.getOrDefault("executors", "1").matches("[0-9]{1,2}")) {
      throw options.wrong("--executors must be a number, not '" + values.get("executors") + "'");
    }
    try {
      LocalExecutor.checkResources(resources());
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
    try {
      enginesApart();
    } catch (IllegalArgumentException e) {
      throw options.wrong(APART_ENGINE + ": " + e.getMessage());
    }
    options.isFirst(POLICY_FILES, "yes", "no", "no");
    checkParts(options);
    checkHttp(options);
    checkCampaignLog(options);
    checkHealth(options);
    if (!otlp().isEmpty()) {
      Health.receiver(otlp(), options);
    }
    try {
      ConnectionBounds.parse(bounds());
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
    checkForward(options);
    String kind = values.getOrDefault("executor", "local");
    if (!List.of("local", "null").contains(kind)) {
      throw options.wrong("--executor is local or null, not '" + kind + "'");
    }
    try {
      heaps();
    } catch (IllegalArgumentException e) {
      throw options.wrong(e.getMessage());
    }
  }

  private void checkParts(GivenOptions options) throws UsageException {
    for (String part : chosen()) {
      if (!CHOOSABLE.contains(part)) {
        throw options.wrong(
            PARTS + " takes some of " + String.join(",", CHOOSABLE) + ", not '" + part + "'");
      }
    }
    if (!has("gateway") && has("executor") && executors() > 0) {
      throw options.wrong(
          PARTS + ": an executor needs the gateway of its home, which makes its node");
    }
    if (!queryListen().isEmpty()) {
      try {
        InetSocketAddress address = SocketText.parse(queryListen());
        if (!has("server")) {
          throw options.wrong(
              QUERY_LISTEN + " " + queryListen() + " is the server's, and " + PARTS + " has none");
        }
        if (address.getPort() == 0
            || address.getAddress().isAnyLocalAddress()
            || queryListen().indexOf(':') < 0) {
          throw options.wrong(
              QUERY_LISTEN + " takes the address and port at which gateways reach the server");
        }
      } catch (IllegalArgumentException e) {
        throw options.wrong(QUERY_LISTEN + ": " + e.getMessage());
      }
    }
    if (chosen().contains("web") && http().isEmpty()) {
      throw options.wrong(PARTS + ": web needs --http [ADDRESS:]PORT");
    }
  }

  /** Where the server answers gateways of other hosts; empty when it does not. */
  String queryListen() {
    return values.getOrDefault(QUERY_LISTEN.substring(2), "");
  }

  /**
   * Whether the gateway looks at the files with policies of its host.
   *
   * @param unsaid whether it does where nobody said
   */
  boolean policyFiles(boolean unsaid) {
    return values.getOrDefault(POLICY_FILES.substring(2), unsaid ? "yes" : "no").equals("yes");
  }

  /** Parts that were asked for by name; empty for all. */
  private List<String> chosen() {
    String text = values.getOrDefault(PARTS.substring(2), "");
    return text.isEmpty() ? List.of() : List.of(text.split(",", -1));
  }

  /** Whether a home has a part of this kind. */
  boolean has(String part) {
    return chosen().isEmpty() || chosen().contains(part);
  }

  private void checkForward(GivenOptions options) throws UsageException {
    Map<String, Path> clusters = new HashMap<>();
    for (Path file : forward()) {
      try {
        String cluster = Forwarders.read(file).name();
        Path other = clusters.put(cluster, file);
        if (other != null) {
          throw options.wrong(
              FORWARD + ": " + file + " and " + other + " have the same name, " + cluster);
        }
      } catch (IOException e) {
        throw options.wrong(FORWARD + ": " + e.getMessage());
      }
    }
  }

  private void checkHealth(GivenOptions options) throws UsageException {
    if (health().isEmpty()) {
      return;
    }
    try {
      healthPorts();
    } catch (IOException e) {
      throw options.wrong(FORWARD + ": " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw options.wrong("--health: " + e.getMessage());
    }
  }

  private void checkHttp(GivenOptions options) throws UsageException {
    boolean certificate = values.containsKey("http-certificate");
    if (certificate != values.containsKey("http-key")) {
      throw options.wrong("--http-certificate and --http-key go together");
    }
    if (!List.of("yes", "no").contains(values.getOrDefault("munge-root", "no"))) {
      throw options.wrong("--munge-root is yes or no, not '" + values.get("munge-root") + "'");
    }
    for (String name : WEB.keySet()) {
      if (values.containsKey(name) && http().isEmpty()) {
        throw options.wrong("--" + name + " goes with --http");
      }
    }
    if (!http().isEmpty()) {
      try {
        ListenAddress.parse(http(), certificate);
      } catch (IllegalArgumentException e) {
        throw options.wrong("--http: " + e.getMessage());
      }
    }
  }

  /**
   * How large the heaps of the parts may become.
   *
   * @throws IllegalArgumentException in one line
   */
  HeapSizes heaps() {
    return HeapSizes.parse(values.getOrDefault("heap", ""));
  }

  int executors() {
    return Integer.parseInt(values.getOrDefault("executors", "1"));
  }

  /** Files of the outside clusters whose nodes this home serves. */
  List<Path> forward() {
    String files = values.getOrDefault(FORWARD.substring(2), "");
    return files.isEmpty() ? List.of() : Stream.of(files.split(",")).map(Path::of).toList();
  }

  String executorKind() {
    return values.getOrDefault("executor", "local");
  }

  String resources() {
    return values.getOrDefault("resources", "");
  }

  /** How many connections there may be; empty for the usual ones. */
  private String bounds() {
    return values.getOrDefault("bounds", "");
  }

  /** The same as an option of gateway and HTTP server. */
  List<String> boundsOption() {
    return bounds().isEmpty() ? List.of() : List.of(ConnectionBounds.OPTION, bounds());
  }

  /** Address on which the HTTP server listens; empty when there is none. */
  String http() {
    return values.getOrDefault("http", "");
  }

  /** Further options of the HTTP server, by its own names for them. */
  Map<String, String> webOptions() {
    Map<String, String> given = new TreeMap<>();
    WEB.forEach(
        (name, known) -> {
          if (values.containsKey(name)) {
            given.put(known, values.get(name));
          }
        });
    return given;
  }

  /** Where parts tell their health, as it was given; empty when they do not. */
  String health() {
    return values.getOrDefault("health", "");
  }

  /**
   * Where each part tells its health.
   *
   * @throws IllegalArgumentException in one line
   * @throws IOException the same of the file of an outside cluster
   */
  HealthPorts healthPorts() throws IOException {
    List<String> forwarders = new ArrayList<>();
    for (Path file : forward()) {
      forwarders.add(Forwarders.PART + Forwarders.read(file).name());
    }
    return HealthPorts.of(health(), forwarders, enginesApart().named());
  }

  /** Where parts send their numbers, as it was given; empty when they do not. */
  private String otlp() {
    return values.getOrDefault(Health.OTLP.substring(2), "");
  }

  /** The same as an option of each part. */
  List<String> otlpOption() {
    return otlp().isEmpty() ? List.of() : List.of(Health.OTLP, otlp());
  }

  private void checkCampaignLog(GivenOptions options) throws UsageException {
    if (campaignLog().isEmpty()) {
      return;
    }
    if (!campaigns() || !accounting()) {
      throw options.wrong(CAMPAIGN_LOG + " goes with --campaigns and --accounting");
    }
    Optional<String> refused = NamedFolder.refuseFile(campaignLog());
    if (refused.isPresent()) {
      throw options.wrong(CAMPAIGN_LOG + ": " + campaignLog() + " " + refused.get());
    }
  }

  /** Where lines about campaigns are written; empty: nowhere. */
  String campaignLog() {
    return values.getOrDefault(CAMPAIGN_LOG.substring(2), "");
  }

  /** Whether there is a campaign server. */
  boolean campaigns() {
    return values.containsKey("campaigns");
  }

  boolean accounting() {
    return has("accounting") && !values.containsKey("no-accounting");
  }

  /** Whether a process of its own starts parts again that died. */
  boolean keeper() {
    return !values.containsKey("no-keeper") && !values.containsKey(UNKEPT);
  }

  /** The same without a keeper this time, whatever is stored. */
  UpSettings unkept() {
    Map<String, String> without = new LinkedHashMap<>(values);
    without.put(UNKEPT, "");
    return new UpSettings(without);
  }

  /**
   * The engines that run in processes of their own.
   *
   * @throws IllegalArgumentException in one line
   */
  EngineParts enginesApart() {
    String names = values.get(APART_ENGINE.substring(2));
    return names == null ? EngineParts.none() : EngineParts.parse(names);
  }

  /** Whether the executors replace earlier ones of their hosts whose spools are lost. */
  boolean takeOver() {
    return values.containsKey(TAKE_OVER);
  }

  boolean durable() {
    return values.containsKey("durable");
  }
}
