package io.millrace.ops.installation;

import io.millrace.ops.home.ClientSettings;
import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.JoinFile;
import io.millrace.ops.join.JoinCheck;
import io.millrace.ops.process.Processes;
import io.millrace.schemas.Topics;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.ProgramOptions;
import io.millrace.schemas.program.SocketText;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The options of {@code up} about the cluster, most of which are fixed once a home is initialised.
 */
record ClusterOptions(Home home, GivenOptions options) {

  private static final int SHARDS_MAX = 1024;
  private static final String JOIN = "--join";

  /** Adds those about a cluster that homes join. */
  static ProgramOptions addTo(ProgramOptions options) {
    return options
        .value("--join", "FILE", "join the cluster that ./millrace cluster init has made ready")
        .value(
            UpSettings.PARTS,
            "LIST",
            "with it: which parts, of server,gateway,executor,accounting,web (default all)")
        .value(
            UpSettings.QUERY_LISTEN,
            "ADDRESS:PORT",
            "with it: the server answers gateways of other hosts there, in TLS")
        .value(
            UpSettings.POLICY_FILES,
            "yes|no",
            "whether the files with policies of this host count, as those of one home of a cluster"
                + " (default no in a home that has joined)");
  }

  /** Refuses options that would have no effect. */
  void check() throws IOException, UsageException {
    boolean joins = options.has("--bootstrap-servers");
    checkJoin();
    if (options.has("--properties") && !joins) {
      throw options.wrong("--properties goes with --bootstrap-servers only");
    }
    options.number("--shards", Topics.DEFAULT_SHARDS, 1, SHARDS_MAX);
    if (options.has("--listen") && joins) {
      throw options.wrong("--listen goes with a broker of our own, not with --bootstrap-servers");
    }
    if (options.has("--listen-certificate") != options.has("--listen-key")) {
      throw options.wrong("--listen-certificate and --listen-key go together");
    }
    if (options.has("--listen-key") && listen().isEmpty()) {
      throw options.wrong("--listen-certificate goes with --listen");
    }
  }

  /** Refuses what a join file says already, and a home that is another cluster's. */
  private void checkJoin() throws IOException, UsageException {
    for (String only : List.of(UpSettings.PARTS, UpSettings.QUERY_LISTEN)) {
      if (options.has(only) && !options.has(JOIN) && !Files.exists(home.joined())) {
        throw options.wrong(only + " goes with --join, or with a home that has joined");
      }
    }
    if (!options.has(JOIN)) {
      if (Files.exists(home.joined()) && !Files.exists(home.settings())) {
        throw options.wrong(home.root() + " has joined a cluster by half: give --join once more");
      }
      return;
    }
    for (String said : List.of("--bootstrap-servers", "--properties", "--shards", "--listen")) {
      if (options.has(said)) {
        throw options.wrong(JOIN + " says that already: leave " + said + " away");
      }
    }
    JoinFile join = join();
    if (!Files.exists(home.joined())) {
      if (Files.exists(home.settings())) {
        throw options.wrong(
            home.root() + " is a home of a cluster already: to join one give another --home");
      }
    } else if (!Files.readString(home.joined()).strip().equals(join.clusterId())) {
      throw options.wrong(
          home.root()
              + " has joined the cluster "
              + Files.readString(home.joined()).strip()
              + ", and the join file is of "
              + join.clusterId()
              + ": give another --home");
    }
  }

  private JoinFile join() throws IOException, UsageException {
    return JoinFile.read(Path.of(options.require(JOIN)));
  }

  /** Asks the cluster of the join file, where one is given, before the home is touched. */
  void ask() throws IOException, UsageException, InterruptedException {
    if (options.has(JOIN)) {
      JoinCheck.pass(join());
    }
    if (options.has(UpSettings.QUERY_LISTEN) && new Processes(home).alive("server").isEmpty()) {
      JoinCheck.free(SocketText.parse(options.require(UpSettings.QUERY_LISTEN)));
    }
  }

  /** Address for executors of other hosts, of the options or of the home; empty for none. */
  private String listen() throws IOException {
    if (options.has("--listen") || !Files.exists(home.settings())) {
      return options.get("--listen").orElse("");
    }
    ClusterSettings cluster = ClusterSettings.read(home);
    return cluster.isEmbedded() ? cluster.embedded().listen() : "";
  }

  /** The settings of an initialised home, or else those of the options, which are then stored. */
  ClusterSettings settle() throws IOException, UsageException {
    if (options.has(JOIN)) {
      JoinFile join = join();
      ClusterSettings cluster = new ClusterSettings(join.servers(), join.shards(), null);
      join.give(home);
      cluster.write(home);
      return cluster;
    }
    boolean again = options.has("--bootstrap-servers") && !Files.exists(home.initialised());
    if (Files.exists(home.settings()) && !again) {
      ClusterSettings cluster = ClusterSettings.read(home);
      String given = options.get("--bootstrap-servers").orElse(cluster.bootstrapServers());
      if (!given.equals(cluster.bootstrapServers())) {
        throw options.wrong(
            home.root()
                + " belongs to the cluster at "
                + cluster.bootstrapServers()
                + ": for another one give another --home");
      }
      checkFixed(cluster);
      int shards = options.number("--shards", cluster.shards(), 1, SHARDS_MAX);
      if (shards != cluster.shards()) {
        throw options.wrong(
            home.root()
                + " was initialised with "
                + cluster.shards()
                + " shards, which is fixed; --shards "
                + shards
                + " is refused");
      }
      if (cluster.isEmbedded() && !Files.exists(home.initialised())) {
        // An earlier up may have ended before it had written all of them.
        ClientSettings.generate(home, cluster.bootstrapServers());
      }
      return cluster;
    }
    int shards = options.number("--shards", Topics.DEFAULT_SHARDS, 1, SHARDS_MAX);
    ClusterSettings cluster =
        options.has("--bootstrap-servers")
            ? joined(shards)
            : ClusterSettings.embedded(shards, options.get("--listen").orElse(""));
    // Before other files that name the port, or else the next up would choose another one.
    cluster.write(home);
    if (cluster.isEmbedded()) {
      ClientSettings.generate(home, cluster.bootstrapServers());
    }
    return cluster;
  }

  private ClusterSettings joined(int shards) throws IOException, UsageException {
    Map<String, Object> given = new HashMap<>();
    if (options.has("--properties")) {
      Path file = Path.of(options.require("--properties"));
      if (!Files.isReadable(file)) {
        throw options.wrong("--properties " + file + " cannot be read");
      }
      given.putAll(ClientSettings.read(file));
    }
    String servers = options.require("--bootstrap-servers");
    given.put("bootstrap.servers", servers);
    ClientSettings.copy(home, given);
    return new ClusterSettings(servers, shards, null);
  }

  private void checkFixed(ClusterSettings cluster) throws UsageException {
    String listen = cluster.isEmbedded() ? cluster.embedded().listen() : "";
    if (!options.get("--listen").orElse(listen).equals(listen)) {
      throw options.wrong(
          "--listen is for a new home; set broker.listen in " + home.settings() + " instead");
    }
    if (options.has("--properties")) {
      throw options.wrong(
          "--properties is for a new home; its copies are in " + home.root().resolve("etc/kafka"));
    }
  }
}
