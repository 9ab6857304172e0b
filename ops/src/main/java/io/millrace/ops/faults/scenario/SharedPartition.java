package io.millrace.ops.faults.scenario;

import io.millrace.ops.faults.evidence.JobPlan;
import io.millrace.ops.faults.load.CommandClient;
import io.millrace.ops.faults.load.LoadFolder;
import io.millrace.ops.gridengine.PolicyWord;
import io.millrace.ops.home.Home;
import io.millrace.ops.word.Console;
import io.millrace.schemas.program.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cluster as {@code up} makes it, with the policy of a site that charges accounts for the time
 * that their jobs ran. Some jobs run for so long that a part is charged while they do.
 */
public final class SharedPartition implements Scenario {

  public static final List<String> ACCOUNTS = List.of("ants", "bees", "cats", "dogs");

  /** What an entity has used that has used nothing, as pbsfs tells it. */
  private static final long NOTHING = 1;

  private static final Pattern LINE = Pattern.compile("(\\S+) *: Grp: .* Usage: (\\d+) .*");

  private static final String SCHED_CONFIG =
      """
      fair_share: true
      fairshare_entity: Account_Name
      fairshare_usage_res: walltime
      """;

  /** No run is as short as nothing, and each so-manieth is longer than a minute. */
  private static final int LEAST_MS = 1_000;

  private static final int LONG_EVERY = 20;
  private static final int LONG_MS = 75_000;

  private final OnePartition cluster = new OnePartition();
  private final List<String> notes = new ArrayList<>();
  private Path root;

  @Override
  public TestedSystem up(Home home, Console console) throws IOException, InterruptedException {
    root = home.root();
    return cluster.up(home, console);
  }

  @Override
  public void prepare(CommandClient client) throws IOException, InterruptedException {
    cluster.prepare(client);
    Path folder = Files.createDirectories(root.resolve("faults/policy"));
    StringBuilder group = new StringBuilder();
    for (int i = 0; i < ACCOUNTS.size(); i++) {
      group.append(String.format("%s %d root %d%n", ACCOUNTS.get(i), 10 + i, 10 * (i + 1)));
    }
    Files.writeString(folder.resolve("sched_config"), SCHED_CONFIG);
    Files.writeString(folder.resolve("resource_group"), group);
    List<String> words = List.of("load", "default", folder.toString(), "--home", root.toString());
    try {
      if (new PolicyWord().run(words, new Console(System.err, false)) != 0) {
        throw new IOException("the policy of " + folder + " cannot be loaded");
      }
    } catch (UsageException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public List<String> victims() {
    return cluster.victims();
  }

  @Override
  public List<String> submit(JobPlan plan) {
    return List.of("-A", ACCOUNTS.get(plan.number() % ACCOUNTS.size()));
  }

  @Override
  public String move(JobPlan plan) {
    return cluster.move(plan);
  }

  @Override
  public Path write(LoadFolder folder, JobPlan plan) throws IOException {
    boolean lasts = plan.number() % LONG_EVERY == 0;
    return folder.write(plan, lasts ? LONG_MS : LEAST_MS + plan.runMs());
  }

  @Override
  public void finish(CommandClient client) {
    cluster.finish(client);
  }

  @Override
  public Optional<Map<String, Long>> charges(CommandClient client)
      throws IOException, InterruptedException {
    Map<String, Long> charged = charged(client);
    charged.forEach((account, seconds) -> notes.add(account + " was charged for " + seconds));
    return Optional.of(charged);
  }

  /** Seconds that accounts were charged for, by pbsfs. */
  public static Map<String, Long> charged(CommandClient client)
      throws IOException, InterruptedException {
    Map<String, Long> charged = new TreeMap<>();
    for (String line : client.must("pbsfs").split("\n")) {
      Matcher found = LINE.matcher(line);
      if (found.matches() && ACCOUNTS.contains(found.group(1))) {
        charged.put(found.group(1), Long.parseLong(found.group(2)) - NOTHING);
      }
    }
    return charged;
  }

  @Override
  public List<String> notes() {
    return List.copyOf(notes);
  }

  @Override
  public String words() {
    return "one queue, one node, and accounts that are charged for what their jobs use";
  }

  @Override
  public void close() {
    cluster.close();
  }
}
