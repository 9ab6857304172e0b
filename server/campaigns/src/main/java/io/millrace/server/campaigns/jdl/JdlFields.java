package io.millrace.server.campaigns.jdl;

import io.millrace.server.campaigns.core.PredictorWords;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.jdl.JdlField.JdlFieldPlace;
import io.millrace.server.campaigns.jdl.ValueKind.Choice;
import io.millrace.server.campaigns.jdl.ValueKind.Clusters;
import io.millrace.server.campaigns.jdl.ValueKind.CountKind;
import io.millrace.server.campaigns.jdl.ValueKind.LinesKind;
import io.millrace.server.campaigns.jdl.ValueKind.PropertiesKind;
import io.millrace.server.campaigns.jdl.ValueKind.RefusedKind;
import io.millrace.server.campaigns.jdl.ValueKind.TasksKind;
import io.millrace.server.campaigns.jdl.ValueKind.TextKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The table of all fields. */
final class JdlFields {

  static final String NAME = "name";
  static final String CLUSTERS = "clusters";
  static final String PARAM_FILE = "param_file";
  static final String NB_JOBS = "nb_jobs";
  static final String PARAMS = "params";
  static final String JOBS_TYPE = "jobs_type";
  static final String EXEC_FILE = "exec_file";

  /** Fields that say which tasks there are; a campaign has exactly one of them. */
  static final List<String> SUPPLIES = List.of(PARAMS, PARAM_FILE, NB_JOBS);

  /** Tasks of a campaign. */
  static final int TASKS_MAX = 1_000_000;

  private static final int CLUSTERS_MAX = 1_000;
  private static final int COMMANDS_MAX = 1_000;
  private static final String TASKS_END =
      "each task is counted once, and a campaign ends; let nb_jobs say how often the same is run";
  private static final String FILES_STAY =
      "what a job writes stays where its program wrote it; have the epilogue copy it";

  private static final Map<String, JdlField> ALL = new LinkedHashMap<>();

  static {
    ofCampaign(NAME, new TextKind(TextRule.name()), null, "What its owner calls it.");
    ofCampaign(
        CLUSTERS,
        new Clusters(TextRule.name(), CLUSTERS_MAX),
        null,
        "Where its tasks run: names of clusters, each with an object of its own settings.");
    ofCampaign(
        PARAMS,
        new TasksKind(TextRule.line(), TASKS_MAX),
        null,
        "A line for each task: a word that names it, then arguments of the program.");
    ofCampaign(
        PARAM_FILE,
        new TextKind(TextRule.path("HOME")),
        null,
        "File with such lines, read with the rights of who submits.");
    ofCampaign(
        NB_JOBS,
        new CountKind(1, TASKS_MAX),
        null,
        "So many tasks, whose lines are the numbers from 0.");
    ofCampaign(
        JOBS_TYPE,
        new Choice(List.of("normal"), false, Map.of("desktop_computing", TASKS_END)),
        "normal",
        "A task for each line; the same one without end (desktop_computing) is not offered.");
    ofCluster(
        "type",
        new Choice(JobStanding.words(), false),
        JobStanding.words().get(0),
        "How its jobs stand beside those of local users, by day and by night.");
    ofCluster("walltime", new TextKind(TextRule.time()), null, "How long a task may run.");
    ofCluster(
        EXEC_FILE,
        new TextKind(TextRule.path("HOME", "CAMPAIGN_ID")),
        null,
        "Program of a task. Each cluster needs one, its own or the campaign's.");
    ofCluster(
        "exec_directory",
        new TextKind(TextRule.path("HOME", "CAMPAIGN_ID")),
        "{HOME}",
        "Folder in which it runs.");
    ofCluster(
        "resources",
        text(),
        null,
        "What a task asks for, as -l of qsub has it; outside it is translated. For an OAR also in"
            + " its own words, on one host.");
    ofCluster(
        "properties",
        new PropertiesKind(),
        null,
        "Which nodes will do. An OAR gets it as it is; a queue here takes NAME = 'VALUE' with AND.");
    ofCluster("project", text(), null, "On whose account.");
    ofCluster("prologue", commands(), null, "Commands before the first task on a cluster.");
    ofCluster("epilogue", commands(), null, "Commands after the last task on a cluster.");
    ofCluster(
        "prologue_walltime", new TextKind(TextRule.time()), null, "How long the prologue may run.");
    ofCluster(
        "epilogue_walltime", new TextKind(TextRule.time()), null, "How long the epilogue may run.");
    ofCluster(
        "test_mode",
        Choice.yesOrNo(),
        false,
        "One task on each cluster, before all other campaigns, and no more.");
    ofCluster(
        "max_jobs",
        new CountKind(1, TASKS_MAX),
        null,
        "Most tasks that are at the cluster at a time.");
    ofCluster(
        "predictor",
        new Choice(PredictorWords.names(), false),
        PredictorWords.names().get(0),
        "Who decides how many tasks are sent when.");
    ofCluster(
        "finalize",
        Choice.yesOrNo(),
        false,
        "When none of its tasks waits, its idle processors run those again that run longest.");
    ofCluster(
        "temporal_grouping",
        Choice.yesOrNo(),
        false,
        "Several short tasks may run in one job, one after another.");
    refused("dimensional_grouping", "a task is a job of its own; use temporal_grouping", "false");
    refused("checkpointing_type", "a task that is killed begins again from its start", "None");
    refused("output_gathering_method", FILES_STAY, "None");
    refused("output_file", FILES_STAY);
    refused("output_destination", FILES_STAY);
  }

  private JdlFields() {}

  /** In the order of the manual. */
  static List<JdlField> all() {
    return List.copyOf(ALL.values());
  }

  /** Fields that may stand in a cluster; in a campaign all may. */
  static List<JdlField> ofClusters() {
    return ALL.values().stream().filter(field -> field.place() == JdlFieldPlace.CLUSTER).toList();
  }

  static Optional<JdlField> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  private static ValueKind text() {
    return new TextKind(TextRule.line());
  }

  private static ValueKind commands() {
    return new LinesKind(TextRule.shellLine(), COMMANDS_MAX);
  }

  private static void ofCampaign(String name, ValueKind value, Object usual, String meaning) {
    add(new JdlField(name, JdlFieldPlace.CAMPAIGN, value, Optional.ofNullable(usual), meaning));
  }

  private static void ofCluster(String name, ValueKind value, Object usual, String meaning) {
    add(new JdlField(name, JdlFieldPlace.CLUSTER, value, Optional.ofNullable(usual), meaning));
  }

  private static void refused(String name, String hint, String... harmless) {
    ofCluster(name, new RefusedKind(List.of(harmless), hint), null, "Not offered: " + hint + ".");
  }

  private static void add(JdlField field) {
    ALL.put(field.name(), field);
  }
}
