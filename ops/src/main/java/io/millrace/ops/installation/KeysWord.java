package io.millrace.ops.installation;

import io.millrace.ops.home.ClusterSettings;
import io.millrace.ops.home.Home;
import io.millrace.ops.home.HostFiles;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.home.KeyFiles;
import io.millrace.ops.keys.KeyRenewal;
import io.millrace.ops.keys.ListenerCertificate;
import io.millrace.ops.process.HomeLock;
import io.millrace.ops.process.Processes;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.Word;
import io.millrace.ops.word.WordFailed;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * {@code ./millrace keys}: new passwords and a new certificate for a home's own broker, and the
 * hosts that may have executors.
 */
public final class KeysWord implements Word {

  private static final String RENEW = "renew";
  private static final String CERTIFICATE = "certificate";
  private static final String HOST = "host";

  @Override
  public String name() {
    return "keys";
  }

  @Override
  public String summary() {
    return "renew passwords and the broker's certificate; admit and revoke hosts";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    GivenOptions options =
        HomeOption.only(
                "keys",
                "renew: gives these principals (default: all) new passwords at the home's own"
                    + " broker and in etc/kafka, and\nstarts the parts again that have the old"
                    + " ones. Running scripts go on.\ncertificate: the broker's certificate for"
                    + " executors of other hosts: a new one, or yours.\nhost: which hosts may have"
                    + " executors; add makes new keys. See docs/keys.md.")
            .value("--certificate", "FILE", "certificate: a chain in PEM instead of one of ours")
            .value("--key", "FILE", "with it: its key in PEM (PKCS #8), for the owner alone")
            .operands(
                "renew ["
                    + KafkaPrincipal.names(List.of(KafkaPrincipal.values()), "|")
                    + "]... | certificate | host add HOST... | host revoke HOST... | host list")
            .parse(arguments);
    boolean certificate = options.operands().equals(List.of(CERTIFICATE));
    if (options.has("--certificate") != options.has("--key")
        || options.has("--key") && !certificate) {
      throw options.wrong("--certificate and --key go together, and with certificate");
    }
    List<String> words = options.operands();
    boolean host = !words.isEmpty() && words.get(0).equals(HOST);
    Set<KafkaPrincipal> principals =
        certificate || host ? EnumSet.noneOf(KafkaPrincipal.class) : principals(options);
    Home home = HomeOption.of(options);
    check(home, host);
    try (FileChannel lock = HomeLock.take(home, console)) {
      check(home, host);
      if (host) {
        new HostKeysCommand(home, console).run(words.subList(1, words.size()), options);
      } else if (certificate) {
        certify(home, options, console);
      } else {
        renew(home, principals, console);
      }
    }
    return 0;
  }

  private static void certify(Home home, GivenOptions options, Console console)
      throws IOException, InterruptedException {
    String address = ClusterSettings.read(home).embedded().listen();
    if (address.isEmpty()) {
      throw new IOException(
          home.root()
              + " serves no executors of other hosts: its broker was made without --listen");
    }
    ListenerCertificate certificate = new ListenerCertificate(home, address);
    if (options.has("--key")) {
      certificate.take(
          Path.of(options.get("--certificate").orElseThrow()),
          Path.of(options.get("--key").orElseThrow()));
    } else {
      certificate.make();
    }
    List<String> hosts = HostFiles.refresh(home);
    console.say(
        "new certificate for "
            + address
            + "; the broker has it from its next start on"
            + (hosts.isEmpty()
                ? ""
                : ", and these hosts need the new file of "
                    + home.hostClient("HOST").getParent()
                    + ": "
                    + String.join(", ", hosts)));
  }

  private static Set<KafkaPrincipal> principals(GivenOptions options) throws UsageException {
    List<String> operands = options.operands();
    if (operands.isEmpty() || !operands.get(0).equals(RENEW)) {
      throw options.wrong("give " + RENEW + ", " + CERTIFICATE + " or " + HOST);
    }
    Set<KafkaPrincipal> principals = EnumSet.noneOf(KafkaPrincipal.class);
    for (String name : operands.subList(1, operands.size())) {
      principals.add(
          Arrays.stream(KafkaPrincipal.values())
              .filter(principal -> principal.text().equals(name))
              .findFirst()
              .orElseThrow(() -> options.wrong("there is no principal '" + name + "'")));
    }
    return principals.isEmpty() ? EnumSet.allOf(KafkaPrincipal.class) : principals;
  }

  /**
   * @param host whether it is about hosts, which have keys also where the broker is another one
   */
  private static void check(Home home, boolean host) throws IOException, UsageException {
    if (!Files.exists(home.settings()) || !Files.exists(home.initialised())) {
      throw new IOException(home.root() + " is no home of Millrace: it has no keys");
    }
    HomeCheck.pass(home);
    // Before anything is stopped, as up would refuse to start parts of this build beside others.
    RunningParts.of(home).requireBuild(Distribution.current());
    if (!host && !ClusterSettings.read(home).isEmbedded()) {
      throw new IOException(
          home.root()
              + " has no broker of its own: renew the passwords there, and write them into the"
              + " files of "
              + home.root().resolve("etc/kafka"));
    }
  }

  private static void renew(Home home, Set<KafkaPrincipal> principals, Console console)
      throws IOException, InterruptedException, UsageException, WordFailed {
    Processes processes = new Processes(home);
    console.busy("renewing keys");
    List<KafkaPrincipal> renewed;
    if (processes.alive("broker").isPresent()) {
      renewed = new KeyRenewal(home).renew(principals);
    } else {
      // The broker learns the passwords of the files at its start.
      KeyFiles.begin(home, principals);
      renewed = KeyFiles.begun(home);
      KeyFiles.finish(home);
    }
    console.say("new keys: " + KafkaPrincipal.names(renewed, ", "));
    Set<String> running = processes.alive().keySet();
    List<String> stale = StaleKeys.among(home, running);
    if (!running.isEmpty() && !Files.exists(home.down())) {
      // Starts the parts again that have the old ones.
      new Up(home, Up.options("keys", "").parse(List.of()), console).run();
    } else if (!stale.isEmpty()) {
      console.say("start again before long: " + String.join(", ", stale));
    }
  }
}
