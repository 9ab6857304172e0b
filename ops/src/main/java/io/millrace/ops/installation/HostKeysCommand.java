package io.millrace.ops.installation;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.keys.HostLogins;
import io.millrace.ops.process.Part;
import io.millrace.ops.process.PartFailed;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.hostkey.HostKey;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** {@code ./millrace keys host}: which hosts may have executors. */
final class HostKeysCommand {

  private static final String GRACE = HostKey.GRACE.toMinutes() + " minutes";

  private final Home home;
  private final Console console;
  private final ClusterSettings cluster;
  private final Parts parts;
  private final List<String> own;

  HostKeysCommand(Home home, Console console) throws IOException, UsageException {
    this.home = home;
    this.console = console;
    this.cluster = ClusterSettings.read(home);
    UpSettings settings = UpSettings.of(home, Up.options("keys", "").parse(List.of()));
    this.parts = new Parts(home, Distribution.current(), cluster, settings);
    this.own = new ArrayList<>(parts.executorHosts());
    own.addAll(parts.revoked());
  }

  /**
   * @param words what follows {@code host}
   */
  void run(List<String> words, GivenOptions options)
      throws IOException, InterruptedException, UsageException, WordFailed {
    String what = words.isEmpty() ? "" : words.get(0);
    List<String> hosts = words.isEmpty() ? words : words.subList(1, words.size());
    boolean list = what.equals("list");
    if (!List.of("add", "revoke", "list").contains(what) || list != hosts.isEmpty()) {
      throw options.wrong("give host add HOST..., host revoke HOST..., or host list");
    }
    for (String host : hosts) {
      if (!HostKey.isName(host)) {
        throw options.wrong("'" + host + "' is no name of a host");
      }
    }
    switch (what) {
      case "add" -> add(hosts);
      case "revoke" -> revoke(hosts);
      default -> list();
    }
  }

  private void add(List<String> hosts)
      throws IOException, InterruptedException, UsageException, WordFailed {
    boolean others = !own.containsAll(hosts);
    if (cluster.isEmbedded() && others && !brokerRuns()) {
      throw new IOException("the broker is to be told and does not run: ./millrace up, then again");
    }
    for (String host : hosts) {
      if (own.contains(host)) {
        HostFiles.renewOwn(home, host);
        console.say("new key of host " + host);
        continue;
      }
      boolean renewed = HostFiles.admitted(home).contains(host);
      HostFiles.make(home, host);
      if (cluster.isEmbedded()) {
        new HostLogins(home).admit(host);
      }
      console.say(
          "new keys of host "
              + host
              + ": copy "
              + home.hostClient(host)
              + " there, as /etc/millrace/executor.properties with mode 0600"
              + (renewed ? "; the key before is good for " + GRACE : "")
              + (renewed && cluster.isEmbedded() ? ", its password is void" : ""));
      if (!cluster.isEmbedded() && HostFiles.lacksLogin(home, host)) {
        console.say(
            "there is no login in it: write that of an account for this host into it, with the"
                + " rules of ./millrace acls "
                + host);
      }
    }
    if (hosts.stream().anyMatch(own::contains)) {
      startAgain(hosts);
      if (!new Processes(home).alive().isEmpty() && !Down.isAsked(home)) {
        // Those that had no key, and were not started. A server that is drained stays so.
        new Up(home, Up.options("up", "").parse(Up.KEEP), console).run();
      }
    }
  }

  /** Executors that run read their key at their start only, whatever else is down. */
  private void startAgain(List<String> hosts)
      throws IOException, InterruptedException, UsageException, PartFailed {
    Processes processes = new Processes(home);
    List<Part> executors = parts.executors();
    List<String> theirs = parts.executorHosts();
    List<Part> running = new ArrayList<>();
    for (int i = 0; i < executors.size(); i++) {
      Part executor = executors.get(i);
      if (hosts.contains(theirs.get(i)) && processes.alive(executor.name()).isPresent()) {
        running.add(executor);
      }
    }
    List<String> stopped = new Down(home, console).stop(running.stream().map(Part::name).toList());
    for (Part executor : running) {
      processes.start(executor);
    }
    for (Part executor : running) {
      processes.awaitReady(executor);
    }
    if (!stopped.isEmpty()) {
      console.say("started " + String.join(", ", stopped) + " again, with the new key");
    }
  }

  private void revoke(List<String> hosts) throws IOException, InterruptedException, WordFailed {
    for (String host : hosts) {
      boolean admitted = HostFiles.admitted(home).contains(host);
      if (!admitted && !HostFiles.isRevoked(home, host)) {
        throw new IOException("host " + host + " has no keys");
      }
      // Said again, it goes on with what failed, most likely since the broker did not answer.
      boolean other = admitted ? HostFiles.isOther(home, host) : !own.contains(host);
      HostFiles.revoke(home, host);
      if (cluster.isEmbedded() && other && brokerRuns()) {
        new HostLogins(home).expel(host);
      }
      console.say(
          "host "
              + host
              + " is revoked: nothing that it says is heard, and no order goes there"
              + (cluster.isEmbedded() ? "" : "; take its account at your Kafka cluster back too"));
    }
  }

  private boolean brokerRuns() throws IOException {
    return new Processes(home).alive("broker").isPresent();
  }

  private void list() throws IOException {
    TreeSet<String> all = new TreeSet<>(HostFiles.admitted(home));
    all.addAll(HostFiles.revoked(home));
    for (String host : all) {
      String state = "admitted";
      if (HostFiles.isRevoked(home, host)) {
        state = "revoked";
      }
      console.say(
          String.format(
              "%-24s %-8s %s %s",
              host,
              state,
              Files.getLastModifiedTime(HostFiles.since(home, host))
                  .toInstant()
                  .truncatedTo(ChronoUnit.SECONDS),
              principal(host)));
    }
  }

  private String principal(String host) throws IOException {
    if (!cluster.isEmbedded() && !own.contains(host)) {
      return HostFiles.login(home, host).orElse("-");
    }
    boolean gone = HostFiles.isRevoked(home, host) && !own.contains(host);
    return gone || HostFiles.isOther(home, host) ? HostFiles.principal(host) : "executor";
  }
}
