package io.millrace.server.campaigns.ask;

import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.NightQueue;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.oar.OarAsked;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.server.campaigns.core.PredictorWords;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.jdl.CampaignDocument;
import io.millrace.server.campaigns.jdl.CampaignDocument.TaskSupply;
import io.millrace.server.campaigns.jdl.JdlReader;
import io.millrace.server.campaigns.jdl.JdlRefused;
import io.millrace.server.campaigns.jdl.JdlText;
import io.millrace.server.gateway.command.Call;
import io.millrace.server.gateway.command.Failure;
import io.millrace.server.gateway.command.GetOpt;
import io.millrace.server.gateway.command.Roles;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.query.QueryException;
import io.millrace.server.gateway.request.JobOptions;
import io.millrace.server.gateway.request.JobProgram;
import io.millrace.server.gateway.request.NewJobBuilder;
import io.millrace.server.gateway.request.QsubOptions;
import io.millrace.server.gateway.request.SubmitQueue;
import io.millrace.server.gateway.request.SubmitSyntax;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Makes a campaign of its description: the job of a task once for each cluster, as qsub would. */
public final class CampaignSubmission {

  private static final String TEST_MODE = "test_mode";
  private static final String EXEC_FILE = "exec_file";
  private static final String EXEC_DIRECTORY = "exec_directory";

  private static final String WALLTIME = "walltime";
  private static final String RESOURCES = "resources";
  private static final String PROPERTIES = "properties";

  /** Bytes of a script: it is one argument of its shell, which has 131,072 at most. */
  private static final int SCRIPT_MAX = 100_000;

  private static final int PROCESSORS_MAX = 1_000_000;

  private final Call call;
  private final JdlSource source;
  private final boolean test;
  private final ClusterTypes types;
  private final NodeProperties properties;
  private final JdlText text = new JdlText();
  private final ParameterBlocks blocks = new ParameterBlocks();
  private final List<CampaignScript> scripts = new ArrayList<>();

  /** Variables with what an OAR is asked for in its own words, by queues. */
  private final Map<String, List<Attribute>> ownWords = new HashMap<>();

  /**
   * @param source opens the file of parameters
   * @param test whether it is a test whatever the description says
   */
  public CampaignSubmission(Call call, JdlSource source, boolean test) {
    this.call = call;
    this.source = source;
    this.test = test;
    this.types = new ClusterTypes(call.site());
    this.properties = new NodeProperties(call.site());
  }

  /**
   * What a text describes.
   *
   * @return the command, as the campaign server takes it
   * @throws JdlRefused when it describes no campaign
   * @throws IOException when it cannot be read
   */
  public SubmitCampaign command(InputStream description)
      throws JdlRefused, IOException, Failure, LinkException, QueryException, InterruptedException {
    checkCaller(call);
    CampaignDocument document = JdlReader.read(description, blocks::add, text);
    if (document.supply() == TaskSupply.FILE) {
      source.lines(document.paramFile().orElseThrow(), blocks::add);
    }
    List<CampaignCluster> clusters = new ArrayList<>();
    for (Map.Entry<String, Map<String, Object>> cluster : document.clusters().entrySet()) {
      clusters.add(
          distinct(
              cluster.getKey(),
              cluster(cluster.getKey(), cluster.getValue(), clusters.size()),
              clusters));
    }
    List<ParameterBlock> all = blocks.blocks();
    if (blocks.tooLong()) {
      throw tooLong();
    }
    if (text.tooLong()) {
      throw JdlRefused.at(
          "",
          "it is too long: beside its params it may have "
              + JdlText.CHARACTERS_MAX
              + " characters");
    }
    CampaignText kept = new CampaignText(ByteBuffer.wrap(text.packed()));
    boolean numbered = document.supply() == TaskSupply.NUMBER;
    int tasks = numbered ? Math.toIntExact(document.tasks()) : blocks.count();
    if (isTest(document)) {
      List<ParameterBlock> some = testBlocks(numbered, tasks, clusters.size(), all);
      return new SubmitCampaign(
          call.meta(), document.name(), clusters.size(), clusters, some, kept, true, scripts, null);
    }
    return new SubmitCampaign(
        call.meta(), document.name(), tasks, clusters, all, kept, false, scripts, null);
  }

  /** Shards take no job of root from the campaign server, whatever acl_roots says. */
  static void checkCaller(Call call) throws Failure {
    if (!Roles.maySubmit(call) || call.invocation().user().equals("root")) {
      throw call.failure(PbsError.BAD_UID);
    }
  }

  private static JdlRefused tooLong() {
    return JdlRefused.at("", ParameterBlocks.TOO_LONG);
  }

  /** A queue's tasks are counted by its name: two clusters that are one would each count all. */
  private static CampaignCluster distinct(
      String key, CampaignCluster cluster, List<CampaignCluster> before) throws JdlRefused {
    if (before.stream().anyMatch(it -> it.getName().equals(cluster.getName()))) {
      throw JdlRefused.at(
          JdlRefused.ofCluster(key),
          "is queue " + cluster.getName() + ", as another cluster of the campaign is");
    }
    return cluster;
  }

  private boolean isTest(CampaignDocument document) throws JdlRefused {
    boolean some = document.clusters().values().stream().anyMatch(it -> isTrue(it, TEST_MODE));
    for (Map.Entry<String, Map<String, Object>> cluster : document.clusters().entrySet()) {
      if (!test && some && !isTrue(cluster.getValue(), TEST_MODE)) {
        throw JdlRefused.at(
            JdlRefused.ofCluster(cluster.getKey()),
            "has no test_mode, as others have: a campaign is a test on all of its clusters or on"
                + " none");
      }
    }
    return test || some;
  }

  private static boolean isTrue(Map<String, Object> settings, String field) {
    return Boolean.TRUE.equals(settings.get(field));
  }

  /** The first lines, one for each cluster; where there are fewer lines they come again. */
  private static List<ParameterBlock> testBlocks(
      boolean numbered, int tasks, int clusters, List<ParameterBlock> all) throws JdlRefused {
    if (numbered && tasks >= clusters) {
      return List.of();
    }
    List<String> lines = numbered ? List.of() : ParameterBlocks.unpack(all.get(0));
    ParameterBlocks some = new ParameterBlocks();
    for (int i = 0; i < clusters; i++) {
      some.add(numbered ? Integer.toString(i % tasks) : lines.get(i % lines.size()));
    }
    List<ParameterBlock> lasting = some.blocks();
    if (some.tooLong()) {
      throw tooLong();
    }
    return lasting;
  }

  private CampaignCluster cluster(String name, Map<String, Object> settings, int index)
      throws JdlRefused, Failure, LinkException, QueryException, InterruptedException {
    String path = JdlRefused.ofCluster(name);
    try {
      for (boolean after : List.of(false, true)) {
        script(name, settings, index, after);
      }
      CampaignCluster cluster = cluster(path, settings, words(path, name, settings));
      type(path, settings, cluster);
      return cluster;
    } catch (RequestException e) {
      throw JdlRefused.at(path, e.getMessage());
    } catch (Failure e) {
      // PBS's words do not say of which cluster they are.
      String head = call.name() + ": ";
      if (e.status() == DoorCall.UNREACHABLE || !e.text().startsWith(head)) {
        throw e;
      }
      throw JdlRefused.at(path, e.text().substring(head.length()).strip());
    }
  }

  private void type(String path, Map<String, Object> settings, CampaignCluster cluster)
      throws JdlRefused,
          Failure,
          RequestException,
          LinkException,
          QueryException,
          InterruptedException {
    JobStanding type = ClusterTypes.of(settings);
    types.check(path, type, cluster.getName(), cluster.getJob().getRequest());
    cluster.setType(type.word());
    if (type == JobStanding.SEMI_BEST_EFFORT) {
      JobOptions options =
          options(words(path, types.nightQueue(path, cluster.getName()), settings));
      SubmitQueue queue = SubmitQueue.of(call, options);
      NewJob job = job(options, queue, cluster.getProgram());
      cluster.setNight(new NightQueue(queue.name(), queue.shard(), job.getSpec()));
    }
  }

  /** The words of a qsub to a queue. */
  private List<String> words(String path, String queue, Map<String, Object> settings)
      throws JdlRefused,
          Failure,
          RequestException,
          LinkException,
          QueryException,
          InterruptedException {
    List<String> words = new ArrayList<>(List.of("-q", queue));
    add(words, "-P", settings.get("project"));
    Map<String, Object> asked = settings;
    Object own = settings.get(RESOURCES);
    boolean oar = (own != null || settings.containsKey(PROPERTIES)) && properties.isOar(queue);
    if (oar) {
      asked = ofOar(path, queue, settings);
    }
    List<String> resources = new ArrayList<>();
    add(resources, "-l", asked.get(RESOURCES));
    if (settings.containsKey(WALLTIME)) {
      add(resources, "-l", "walltime=" + settings.get(WALLTIME));
    }
    Object shown = asked.get(PROPERTIES);
    if (shown != null) {
      Map<String, String> before = options(resources).resources();
      resources.clear();
      properties
          .asked(path, queue, shown.toString(), before)
          .forEach((name, value) -> add(resources, "-l", name + "=" + value));
    }
    words.addAll(resources);
    return words;
  }

  /** What is left to be said in PBS's words when an OAR is asked in its own. */
  private Map<String, Object> ofOar(String path, String queue, Map<String, Object> settings)
      throws JdlRefused, LinkException, InterruptedException {
    Map<String, Object> asked = new HashMap<>(settings);
    List<Attribute> own = new ArrayList<>();
    Object shown = asked.remove(PROPERTIES);
    if (shown != null) {
      String conditions = NodeProperties.ofOar(path, shown.toString());
      own.add(new Attribute(OarAsked.PROPERTIES, conditions));
    }
    String resources = asked.getOrDefault(RESOURCES, "").toString();
    int equals = Math.max(0, resources.indexOf('='));
    String first = resources.substring(0, equals);
    boolean known =
        first.isEmpty()
            || first.equals("select")
            || call.site().resources().find(first).isPresent();
    if (OarAsked.looksLike(resources) || !known) {
      try {
        asked.put(RESOURCES, "select=1:ncpus=" + OarAsked.processors(resources));
      } catch (IllegalArgumentException e) {
        throw JdlRefused.at(path, "resources: " + e.getMessage());
      }
      own.add(new Attribute(OarAsked.RESOURCES, resources));
    }
    ownWords.put(queue, own);
    return asked;
  }

  /** A script's job asks for what a task asks for; it may have a walltime of its own. */
  private void script(String name, Map<String, Object> settings, int index, boolean after)
      throws JdlRefused,
          Failure,
          RequestException,
          LinkException,
          QueryException,
          InterruptedException {
    String field = after ? "epilogue" : "prologue";
    String walltime = field + "_" + WALLTIME;
    List<?> lines = (List<?>) settings.getOrDefault(field, List.of());
    if (lines.isEmpty()) {
      if (settings.containsKey(walltime)) {
        throw JdlRefused.at(JdlRefused.ofCluster(name), walltime + " is for no " + field);
      }
      return;
    }
    StringBuilder script = new StringBuilder();
    for (Object line : lines) {
      String own = source.home(line.toString()).replace("{OAR_JOB_ID}", "$PBS_JOBID");
      script.append(own).append('\n');
    }
    if (script.toString().getBytes(StandardCharsets.UTF_8).length > SCRIPT_MAX) {
      throw JdlRefused.at(
          JdlRefused.ofCluster(name), field + " has more than " + SCRIPT_MAX + " bytes");
    }
    Map<String, Object> asked = new HashMap<>(settings);
    if (settings.containsKey(walltime)) {
      asked.put(WALLTIME, settings.get(walltime));
    }
    JobOptions options = options(words(JdlRefused.ofCluster(name), name, asked));
    SubmitQueue queue = SubmitQueue.of(call, options);
    scripts.add(
        CampaignScript.newBuilder()
            .setCluster(index)
            .setAfter(after)
            .setJob(job(options, queue, "/bin/sh").getSpec())
            .setText(script.toString())
            .build());
  }

  private JobOptions options(List<String> words)
      throws Failure, RequestException, LinkException, QueryException, InterruptedException {
    return QsubOptions.of(
        call, GetOpt.parse(SubmitSyntax.QSUB_LETTERS, words, false, text -> call.complain(text)));
  }

  private NewJob job(JobOptions options, SubmitQueue queue, String program)
      throws Failure, RequestException, LinkException, QueryException, InterruptedException {
    JobProgram command = JobProgram.command(List.of(program));
    NewJob job = new NewJobBuilder(call).build(options, queue.name(), command, List.of());
    List<Attribute> variables = new ArrayList<>(job.getSpec().getVariables());
    variables.addAll(ownWords.getOrDefault(queue.name(), List.of()));
    job.getSpec().setVariables(variables);
    return job;
  }

  private CampaignCluster cluster(String path, Map<String, Object> settings, List<String> words)
      throws JdlRefused,
          Failure,
          RequestException,
          LinkException,
          QueryException,
          InterruptedException {
    JobOptions options = options(words);
    SubmitQueue queue = SubmitQueue.of(call, options);
    String program = source.home(settings.get(EXEC_FILE).toString());
    NewJob job = job(options, queue, program);
    CampaignCluster cluster = new CampaignCluster();
    cluster.setName(queue.name());
    cluster.setShard(queue.shard());
    cluster.setJob(job.getSpec());
    cluster.setProgram(program);
    cluster.setDirectory(source.home(settings.get(EXEC_DIRECTORY).toString()));
    cluster.setProcessors(processors(path, job));
    cluster.setMost(Math.toIntExact((Long) settings.getOrDefault("max_jobs", 0L)));
    cluster.setRefusal("");
    cluster.setType(JobStanding.BEST_EFFORT.word());
    cluster.setPrologue(TaskStatus.DONE);
    cluster.setEpilogue(TaskStatus.DONE);
    Object predictor = settings.getOrDefault("predictor", PredictorWords.names().get(0));
    cluster.setPredictor(predictor.toString());
    cluster.setFinalize(isTrue(settings, "finalize"));
    cluster.setGrouping(isTrue(settings, "temporal_grouping"));
    return cluster;
  }

  private static void add(List<String> words, String option, Object value) {
    if (value != null) {
      words.add(option);
      words.add(value.toString());
    }
  }

  /** Processors of a task: chunks with their amounts have up to 19 digits each. */
  private static int processors(String path, NewJob job) throws JdlRefused {
    BigInteger all = BigInteger.ZERO;
    for (Chunk chunk : job.getSpec().getRequest().getChunks()) {
      long each = chunk.getAmounts().getOrDefault("ncpus", 1L);
      all = all.add(BigInteger.valueOf(each).multiply(BigInteger.valueOf(chunk.getCount())));
    }
    if (all.compareTo(BigInteger.valueOf(PROCESSORS_MAX)) > 0) {
      throw JdlRefused.at(
          path, "resources: a task has at most " + PROCESSORS_MAX + " processors, not " + all);
    }
    return Math.max(1, all.intValue());
  }
}
