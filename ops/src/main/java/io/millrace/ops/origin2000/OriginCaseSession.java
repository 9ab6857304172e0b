package io.millrace.ops.origin2000;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.millrace.schedulers.dialects.origin2000.calendar.OriginHolidays;
import io.millrace.schedulers.dialects.origin2000.config.OriginConfig;
import io.millrace.schedulers.dialects.origin2000.config.OriginOption;
import io.millrace.schedulers.dialects.origin2000.plan.OriginMemory;
import io.millrace.schedulers.dialects.origin2000.plan.OriginRules;
import io.millrace.schedulers.dialects.origin2000.plan.OriginScheduler;
import io.millrace.schedulers.dialects.origin2000.state.OriginOutside;
import io.millrace.schedulers.dialects.origin2000.state.OriginReport;
import io.millrace.schedulers.dialects.origin2000.state.OriginView;
import io.millrace.schedulers.gridengine.language.options.ConfigurationRefused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Set;

/** A recorded session again: its changes and its cycles, with our scheduler. */
final class OriginCaseSession implements OriginOutside {

  private static final String DECAY_USAGE = "decay_usage";

  /** Commands of the server that run a cycle, and the one that reconfigures. */
  private static final Set<Integer> CYCLES = Set.of(1, 2, 3, 4, 5, 10);

  private static final int CONFIGURE = 7;

  private final OriginCase given;
  private final OriginFiles files;
  private final OriginCaseServer server;
  private final boolean usageFirst;
  private final OriginMemory memory;
  private OriginConfig config;
  private OriginHolidays holidays;

  /**
   * @param usageFirst whether past usage counts in the first cycle
   */
  OriginCaseSession(OriginCase given, boolean usageFirst) {
    this.given = given;
    this.usageFirst = usageFirst;
    files = new OriginFiles(given.folder());
    server = new OriginCaseServer(given.file(), given.state());
    memory = new OriginMemory(given.startedAt());
  }

  ObjectNode replay() throws IOException {
    ObjectNode root = CaseJson.MAPPER.createObjectNode();
    try {
      configure();
    } catch (ConfigurationRefused e) {
      root.putObject("init").put("ok", false).putArray("log").add(e.getMessage());
      return root;
    }
    root.putObject("init").put("ok", true);
    root.set("settings", OriginTexts.settings(config));
    ArrayNode cycles = root.putArray("cycles");
    for (JsonNode cycle : given.state().path("cycles")) {
      for (JsonNode change : cycle.path("before")) {
        change(change);
      }
      cycles.add(cycle(given.whole(cycle, "now"), (int) given.whole(cycle, "command")));
    }
    return root;
  }

  private void configure() throws IOException {
    config = OriginTexts.config(files, given.place());
    holidays = OriginTexts.holidays(files);
  }

  private void change(JsonNode change) throws IOException {
    switch (change.path("op").asText()) {
      case "replace_file" -> {
        String name = given.word(change, "to");
        files.replace(name, given.word(change, "from"));
        if (name.equals(OriginTexts.HOLIDAYS)) {
          holidays = OriginTexts.holidays(files);
        }
      }
      case "sighup" -> reconfigure();
      default -> server.change(change);
    }
  }

  private void reconfigure() throws IOException {
    configure();
    memory.reconfigure();
  }

  private ObjectNode cycle(long now, int command) throws IOException {
    ObjectNode told = CaseJson.MAPPER.createObjectNode();
    told.put("now", now).put("command", command);
    OriginCaseActions actions = new OriginCaseActions(server, now);
    if (command == CONFIGURE) {
      reconfigure();
    }
    if (CYCLES.contains(command)) {
      OriginReport report = pass(now);
      report.actions().forEach(actions::take);
      if (report.again()) {
        report = pass(now);
        report.actions().forEach(actions::take);
      }
      memory.cycleEnds();
      told.set("actions", actions.told());
      OriginReportJson.tell(told, report);
    }
    told.set("jobs_after", OriginReportJson.jobs(server));
    tellFiles(told.putObject("files"));
    return told;
  }

  private OriginReport pass(long now) throws IOException {
    String accounting = config.word(OriginOption.SCHED_ACCT_DIR).map(it -> it + "/").orElse("");
    OriginReport report =
        OriginScheduler.run(
            new OriginRules(config, given.place(), holidays, usageFirst),
            memory,
            this,
            new OriginView(
                now,
                server.jobs(now),
                server.queues(),
                server.hosts(),
                files.input(DECAY_USAGE),
                files.input(accounting + "allocations"),
                files.input(accounting + "current")));
    report.decayUsage().ifPresent(text -> files.write(DECAY_USAGE, text));
    report
        .dump()
        .ifPresent(
            text -> files.write(config.word(OriginOption.SORTED_JOB_DUMPFILE).orElseThrow(), text));
    return report;
  }

  private void tellFiles(ObjectNode told) throws IOException {
    files.read(DECAY_USAGE).ifPresent(text -> told.put(DECAY_USAGE, text));
    Optional<String> dump = config.word(OriginOption.SORTED_JOB_DUMPFILE);
    if (dump.isPresent()) {
      files.read(dump.get()).ifPresent(text -> told.put(dump.get(), text));
    }
  }

  @Override
  public Optional<String> dedicatedTimes(String name) {
    try {
      String command = config.word(OriginOption.DEDICATED_TIME_COMMAND).orElseThrow();
      return SiteProgram.output(files.place(command), name, given.folder());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean switchCounters(String host, String mode) {
    return OriginCaseActions.reply(server.host(host), mode).equals(OriginCaseActions.OKAY);
  }

  @Override
  public boolean starts(String job, String host) {
    return !OriginCaseServer.truth(server.job(job), "run_fails");
  }
}
