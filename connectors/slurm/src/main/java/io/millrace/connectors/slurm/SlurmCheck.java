package io.millrace.connectors.slurm;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ResourceCheck;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.OutsideHost;
import io.millrace.connectors.bridge.system.OutsideInventory;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks whether a Slurm cluster is as its file says, and can be used. */
final class SlurmCheck {

  private static final Pattern VERSION = Pattern.compile("slurm\\S* ([0-9]+\\.[0-9]+)\\S*");
  private static final Pattern NOW = Pattern.compile("sdiag output at .*\\(([0-9]{1,12})\\)");
  private static final String TESTED = "22.05";
  private static final int AGE_LEAST_S = 60;

  private final ClusterFile file;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final List<CheckLine> lines = new ArrayList<>();
  private final List<OutsideHost> hosts = new ArrayList<>();

  SlurmCheck(ClusterFile file, CommandRunner runner) {
    this.file = file;
    this.runner = runner;
    this.commands = file.commands(SlurmKeys.environment(file));
  }

  List<CheckLine> lines() throws InterruptedException {
    OutsideAnswer said = ask("scontrol", "show", "config");
    Map<String, String> settings = SlurmKeys.settings(said.out());
    if (!said.isGood() || !settings.containsKey("ClusterName")) {
      lines.add(
          CheckLine.wrong(
              "slurmctld does not answer: " + said.trouble(),
              "start it, or set 'slurm_conf' to its slurm.conf"));
      return lines;
    }
    version();
    cluster(settings.get("ClusterName"));
    clock();
    queue();
    tokens();
    accounting(settings);
    lines.addAll(new DatabaseCheck(file, runner).lines(settings));
    lines.addAll(new StartsCheck(file, runner.files()).lines(settings));
    settings(settings);
    hosts();
    if (file.managedQueue().isPresent()) {
      partition(file.managedQueue().get());
    }
    return lines;
  }

  /** Whether the scheduler starts nothing by itself on the hosts of the managed partition. */
  private void partition(String name) throws InterruptedException {
    OutsideAnswer said = ask("scontrol", "show", "partition", name);
    Map<String, String> fields = new LinkedHashMap<>();
    for (String word : said.out().strip().split("\\s+")) {
      fields.put(word.replaceFirst("=.*", ""), word.replaceFirst("[^=]*=", ""));
    }
    if (!said.isGood() || !name.equals(fields.get("PartitionName"))) {
      lines.add(
          CheckLine.wrong(
              "partition " + name + " cannot be read: " + said.trouble(),
              "make it in slurm.conf, or set 'queue' to the managed one"));
      return;
    }
    int before = lines.size();
    if (!"NO".equals(fields.get("Default"))) {
      lines.add(
          CheckLine.wrong(
              "partition " + name + " takes jobs that name no partition",
              "set Default=YES for another one in slurm.conf"));
    }
    if (fields.getOrDefault("AllocNodes", "ALL").equals("ALL")) {
      lines.add(
          CheckLine.wrong(
              "partition " + name + " takes jobs from all hosts",
              "set AllocNodes= to this host for it in slurm.conf"));
    }
    others(name);
    if (lines.size() == before) {
      lines.add(CheckLine.good("partition " + name + " has jobs from here only"));
    }
  }

  /** The hosts become nodes, and jobs go to a partition that is there. */
  private void hosts() throws InterruptedException {
    Told<OutsideInventory> told =
        SlurmHosts.read(ask("sinfo", "--json"), Optional.empty(), file.resources());
    if (told instanceof Told.Nothing<OutsideInventory> nothing) {
      lines.add(
          CheckLine.wrong("the hosts cannot be read: " + nothing.why(), "try 'sinfo --json'"));
      return;
    }
    OutsideInventory found = ((Told.Answered<OutsideInventory>) told).value();
    hosts.addAll(found.hosts());
    lines.add(CheckLine.good("hosts: " + hosts.size()));
    lines.addAll(
        ResourceCheck.lines(file, hosts, "set GresTypes and the nodes' Gres in slurm.conf"));
    Optional<String> queue = file.given("queue").filter(it -> !file.places());
    if (queue.isPresent() && !found.queues().contains(queue.get())) {
      lines.add(
          CheckLine.wrong(
              "there is no partition " + queue.get(),
              "set 'queue' to one of " + String.join(", ", found.queues())));
    }
  }

  /** A host of another partition has jobs that are not counted here. */
  private void others(String name) {
    for (OutsideHost host : hosts) {
      List<String> own = List.of(host.fields().getOrDefault("partitions", "").split(","));
      if (own.contains(name) && own.size() > 1) {
        lines.add(
            CheckLine.wrong(
                "host " + host.name() + " is in " + String.join(", ", own),
                "take it out of all partitions but " + name + " in slurm.conf"));
      }
    }
  }

  private OutsideAnswer ask(String program, String... arguments) throws InterruptedException {
    List<String> words = new ArrayList<>();
    words.add(file.program(program));
    words.addAll(List.of(arguments));
    return runner.run(commands.own(words));
  }

  private void version() throws InterruptedException {
    OutsideAnswer said = ask("sinfo", "-V");
    Matcher version = VERSION.matcher(said.out().strip());
    if (!said.isGood() || !version.matches()) {
      lines.add(
          CheckLine.wrong(
              "sinfo -V says no version: " + said.trouble(),
              "set 'commands' to the folder of Slurm's commands"));
    } else if (!version.group(1).equals(TESTED)) {
      lines.add(
          CheckLine.wrong(
              "Slurm is " + version.group(1) + ", which was never tried",
              "use " + TESTED + ", whose answers are known"));
    } else {
      lines.add(CheckLine.good("version: " + said.out().strip()));
    }
  }

  private void cluster(String name) {
    String wanted = file.text(SlurmKeys.CLUSTER_NAME);
    lines.add(
        name.equals(wanted)
            ? CheckLine.good("cluster " + name)
            : CheckLine.wrong(
                "this is the cluster " + name + ", not " + wanted,
                "set 'slurm_conf' to that of " + wanted + ", or 'cluster_name = " + name + "'"));
  }

  private void clock() throws InterruptedException {
    OutsideAnswer said = ask("sdiag");
    Matcher now = NOW.matcher(said.out());
    if (!said.isGood() || !now.find()) {
      lines.add(
          CheckLine.wrong("sdiag says no time: " + said.trouble(), "allow sdiag to this account"));
      return;
    }
    long apart = Math.abs(Instant.now().getEpochSecond() - Long.parseLong(now.group(1)));
    lines.add(
        apart <= file.number("clock_skew_s")
            ? CheckLine.good("clock of slurmctld")
            : CheckLine.wrong(
                "the clock of slurmctld differs by " + apart + " s",
                "have both follow one clock (NTP), or raise 'clock_skew_s'"));
  }

  private void queue() throws InterruptedException {
    Told<List<OutsideJob>> told =
        SlurmQueue.read(
            SlurmKind.door(file, runner).ask(List.of("squeue", "--json")),
            file.resources(),
            cluster -> {});
    if (told instanceof Told.Answered<List<OutsideJob>> answer) {
      lines.add(CheckLine.good("queue: " + answer.value().size() + " jobs"));
    } else if (told instanceof Told.Nothing<List<OutsideJob>> nothing) {
      lines.add(
          CheckLine.wrong(
              "the queue cannot be read: ",
              nothing.why(),
              file.given(SlurmKeys.REST).isPresent()
                  ? "see 'rest' and 'tokens', and the log of slurmrestd"
                  : "try 'squeue --json'; it needs Slurm's serializer and openapi plugins"));
    }
  }

  /** Each account has a token that slurmrestd takes for a while yet. */
  private void tokens() {
    if (file.given(SlurmKind.TOKENS).isEmpty()) {
      return;
    }
    Path path = Path.of(file.text(SlurmKind.TOKENS));
    int before = lines.size();
    try {
      SlurmTokens tokens = SlurmTokens.read(path);
      for (String account : new TreeSet<>(file.users().values())) {
        String cure =
            "write a line " + account + ":TOKEN of 'scontrol token username=" + account + "'";
        if (!tokens.byAccount().containsKey(account)) {
          lines.add(CheckLine.wrong(path + " has no token of " + account, cure));
        } else if (tokens.end(account).filter(Instant.now()::isAfter).isPresent()) {
          lines.add(CheckLine.wrong("the token of " + account + " in " + path + " is over", cure));
        }
      }
    } catch (IOException e) {
      lines.add(CheckLine.wrong(e.getMessage(), "tokens are what 'scontrol token' prints"));
    }
    if (lines.size() == before) {
      lines.add(CheckLine.good("tokens of all accounts"));
    }
  }

  private void accounting(Map<String, String> settings) {
    String plugin = settings.getOrDefault("JobCompType", "");
    String place = settings.getOrDefault("JobCompLoc", "");
    Optional<String> given = file.given(SlurmKind.ACCOUNTING);
    if (given.isEmpty()) {
      lines.add(CheckLine.good("accounting: none; ends are read from the queue"));
    } else if (!plugin.equals("jobcomp/filetxt") || !place.equals(given.get())) {
      lines.add(
          CheckLine.wrong(
              "Slurm writes its job completions to " + place + " with " + plugin,
              "set JobCompType=jobcomp/filetxt and JobCompLoc="
                  + given.get()
                  + " in slurm.conf, or leave 'accounting' out"));
    } else if (!isReadable(Path.of(given.get()))) {
      lines.add(
          CheckLine.wrong(
              given.get() + " cannot be read", "give this account the right to read it"));
    } else {
      lines.add(CheckLine.good("accounting in " + given.get()));
    }
  }

  private boolean isReadable(Path path) {
    try {
      return runner.files().isReadable(path);
    } catch (IOException e) {
      return false;
    }
  }

  private void settings(Map<String, String> settings) {
    String age = settings.getOrDefault("MinJobAge", "").replace(" sec", "");
    if (age.matches("[0-9]{1,9}") && Long.parseLong(age) < AGE_LEAST_S) {
      lines.add(
          CheckLine.wrong(
              "MinJobAge is " + age + " s: ends can be forgotten before they are read",
              "set MinJobAge=300 in slurm.conf"));
    }
    if (SlurmName.hidesJobs(settings)) {
      lines.add(
          CheckLine.wrong(
              SlurmName.HIDDEN + ": runs would be missed while they live",
              "take jobs out of PrivateData in slurm.conf, then 'scontrol reconfigure'"));
    }
    // The largest index is one less.
    String array = settings.getOrDefault("MaxArraySize", "");
    if (array.matches("[0-9]{1,9}")
        && file.tasksMost() > 1
        && Long.parseLong(array) <= file.tasksMost()) {
      lines.add(
          CheckLine.wrong(
              "MaxArraySize is " + array + ": subjobs would go as jobs of their own",
              "set MaxArraySize=" + (file.tasksMost() + 1) + " or more in slurm.conf"));
    }
    if (settings.getOrDefault("AccountingStorageEnforce", "").contains("wckeys")) {
      lines.add(
          CheckLine.wrong(
              "Slurm takes only workload keys that it knows, and tags are none of them",
              "leave wckeys out of AccountingStorageEnforce"));
    }
  }
}
