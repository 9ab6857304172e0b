package io.millrace.ops.faults.outside;

import io.millrace.ops.faults.evidence.OutsideAccount;
import io.millrace.ops.outside.peer.PeerCluster;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads what the outside system and its jobs have written. */
final class OutsideLedger {
  private static final Pattern CLAIM = Pattern.compile("id=([0-9]{1,18})");
  private static final Pattern END = Pattern.compile("(\\S+ [0-9]{1,9}) ([0-9]{13})");

  private OutsideLedger() {}

  /** All that its accounting has of the runs of a cluster; nothing where it has no file yet. */
  static List<OutsideAccount> accounts(PeerCluster cluster) throws IOException {
    List<OutsideAccount> accounts = new ArrayList<>();
    if (Files.exists(cluster.accounting())) {
      for (String line : Files.readAllLines(cluster.accounting())) {
        account(cluster, line).ifPresent(accounts::add);
      }
    }
    return accounts;
  }

  static Optional<OutsideAccount> account(PeerCluster cluster, String line) {
    String own = "mr." + cluster.cluster() + ".";
    Optional<OutsideAccount> account =
        cluster == PeerCluster.SLURM
            ? OutsideAccount.slurm(line, ZoneId.systemDefault())
            : OutsideAccount.gridEngine(line);
    return account.filter(it -> it.tag().startsWith(own));
  }

  /** By tag, the number of the job that has begun a run. */
  static Map<String, Long> claims(Path folder) throws IOException {
    Map<String, Long> claims = new HashMap<>();
    try (DirectoryStream<Path> runs = Files.newDirectoryStream(folder, "mr.*")) {
      for (Path run : runs) {
        Path claim = run.resolve("claim");
        Matcher said = CLAIM.matcher(Files.exists(claim) ? Files.readString(claim) : "");
        if (said.find()) {
          claims.put(
              OutsideAccount.ofHome(run.getFileName().toString()), Long.parseLong(said.group(1)));
        }
      }
    }
    return claims;
  }

  /** By job and run, when scripts wrote that they end. */
  static Map<String, Long> ends(List<String> lines) {
    Map<String, Long> ends = new HashMap<>();
    for (String line : lines) {
      Matcher said = END.matcher(line);
      if (said.matches()) {
        ends.merge(said.group(1), Long.parseLong(said.group(2)), Math::max);
      }
    }
    return ends;
  }
}
