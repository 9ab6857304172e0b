package io.millrace.ops.part;

import io.millrace.ops.home.Home;
import io.millrace.ops.home.JoinFile;
import io.millrace.ops.home.KafkaPrincipal;
import io.millrace.ops.word.Console;
import io.millrace.ops.word.HomeOption;
import io.millrace.ops.word.OneLine;
import io.millrace.ops.word.Word;
import io.millrace.schemas.HostName;
import io.millrace.schemas.program.GivenOptions;
import io.millrace.schemas.program.UsageException;
import io.millrace.schemas.registry.RegistryException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;

/** {@code ./millrace part}: what an image runs. */
public final class PartWord implements Word {

  private static final String ACCOUNTS = "--accounts";
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

  @Override
  public String name() {
    return "part";
  }

  @Override
  public String summary() {
    return "one part of a joined cluster in the foreground, for images (PART -- its options)";
  }

  @Override
  public int run(List<String> arguments, Console console)
      throws IOException, InterruptedException, UsageException {
    GivenOptions options =
        HomeOption.only("part", "Runs one part in the foreground: " + LonePart.names() + ".")
            .value("--join", "FILE", "of ./millrace cluster init")
            .value("--name", "NAME", "of this place in the cluster (default: host name)")
            .value(
                ACCOUNTS,
                "PRINCIPAL=FOLDER,..",
                "log in by these secrets, not by the join file's accounts")
            .value("--authority", "FILE", "with it: the brokers' certificate, in PEM")
            .value("--bootstrap-servers", "H:P,..", "not the join file's")
            .operands("PART [-- options of the part]")
            .parse(arguments);
    LonePart part = part(options);
    PartHome place = place(options, part);
    place.prepare(part);
    List<String> all = new ArrayList<>(place.arguments(part));
    all.addAll(options.operands().subList(1, options.operands().size()));
    begin(part, all);
    return 0;
  }

  private static LonePart part(GivenOptions options) throws UsageException {
    if (options.operands().isEmpty()) {
      throw options.wrong("which part? one of " + LonePart.names());
    }
    String named = options.operands().get(0);
    return LonePart.of(named)
        .orElseThrow(
            () -> options.wrong("there is no part '" + named + "': one of " + LonePart.names()));
  }

  private static PartHome place(GivenOptions options, LonePart part)
      throws IOException, UsageException {
    String name = options.get("--name").orElse(HostName.untilDot());
    if (!NAME.matcher(name).matches()) {
      throw options.wrong("--name takes letters, digits, '.', '_' and '-', not '" + name + "'");
    }
    Home home = HomeOption.of(options);
    JoinFile join = accounts(options, JoinFile.ofSecret(Path.of(options.require("--join"))));
    if (options.has("--bootstrap-servers")) {
      join = join.withServers(options.require("--bootstrap-servers"));
    }
    return new PartHome(home, join, name);
  }

  /** The join file with the accounts of secrets in the place of its own. */
  private static JoinFile accounts(GivenOptions options, JoinFile join)
      throws IOException, UsageException {
    Path authority = options.get("--authority").map(Path::of).orElse(null);
    if (!options.has(ACCOUNTS)) {
      if (authority != null) {
        throw options.wrong("--authority goes with " + ACCOUNTS);
      }
      return join;
    }
    JoinFile changed = join;
    for (String item : options.require(ACCOUNTS).split(",")) {
      String[] halves = item.split("=", 2);
      Optional<KafkaPrincipal> principal =
          JoinFile.principals().stream().filter(it -> it.text().equals(halves[0])).findFirst();
      if (halves.length < 2 || principal.isEmpty()) {
        throw options.wrong(
            ACCOUNTS
                + " takes PRINCIPAL=FOLDER with one of "
                + KafkaPrincipal.names(JoinFile.principals(), ", ")
                + ", not '"
                + item
                + "'");
      }
      Map<String, Object> account = AccountFolder.read(Path.of(halves[1]), authority);
      changed = changed.withAccount(principal.get(), account);
    }
    return changed;
  }

  /** Of the entries a gateway's alone comes back while the part serves. */
  private static void begin(LonePart part, List<String> arguments)
      throws IOException, InterruptedException {
    try {
      part.begin(arguments);
    } catch (RegistryException | ExecutionException | TimeoutException e) {
      throw new IOException(part.text() + " cannot begin: " + OneLine.of(e), e);
    }
    if (part == LonePart.GATEWAY) {
      new CountDownLatch(1).await();
    }
  }
}
