package io.millrace.server.campaigns.command;

import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.common.Chunk;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.pbs.resources.RequestException;
import io.millrace.server.campaigns.core.ParameterBlocks;
import io.millrace.server.campaigns.jdl.CampaignDocument;
import io.millrace.server.campaigns.jdl.CampaignDocument.Supply;
import io.millrace.server.campaigns.jdl.JdlReader;
import io.millrace.server.campaigns.jdl.JdlRefused;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** {@code gridsub FILE}: the job of a task is made here, once for each cluster, as qsub would. */
final class CampaignSubmission {

  private static final String EXEC_FILE = "exec_file";
  private static final String EXEC_DIRECTORY = "exec_directory";

  /** Fields that say what is not carried out yet, with the value that changes nothing. */
  private static final Map<String, Object> NOT_YET =
      Map.of(
          "type", "best-effort",
          "properties", "",
          "prologue", "",
          "epilogue", "",
          "prologue_walltime", "",
          "epilogue_walltime", "",
          "test_mode", false,
          "temporal_grouping", false);

  private final Call call;
  private final JdlSource source;
  private final ParameterBlocks blocks = new ParameterBlocks();

  CampaignSubmission(Call call) {
    this.call = call;
    this.source = new JdlSource(call.invocation());
  }

  /** Submits a campaign; gives the exit status. */
  int run(String operand) throws Failure, LinkException, QueryException, InterruptedException {
    if (!Roles.maySubmit(call) || call.invocation().user().equals("root")) {
      // Shards take no job of root from the campaign server, whatever acl_roots says.
      throw call.failure(PbsError.BAD_UID);
    }
    CampaignDocument document = read(operand);
    List<CampaignCluster> clusters = new ArrayList<>();
    for (Map.Entry<String, Map<String, Object>> cluster : document.clusters().entrySet()) {
      clusters.add(cluster(cluster.getKey(), cluster.getValue()));
    }
    if (blocks.tooLong()) {
      throw call.failure(
          "the parameters are too long: 1,000 lines may have 4 MiB, and all of them 0.9 MiB"
              + " when compressed",
          1);
    }
    boolean numbered = document.supply() == Supply.NUMBER;
    int tasks = numbered ? Math.toIntExact(document.tasks()) : blocks.count();
    SubmitCampaign command =
        new SubmitCampaign(call.meta(), document.name(), tasks, clusters, blocks.blocks());
    Reply reply = new DoorCall(call).command(command);
    if (reply.getCode() != 0) {
      throw call.failure(String.join(" ", reply.getLines()), PbsError.exitStatus(reply.getCode()));
    }
    call.out("Campaign successfully submitted\nCAMPAIGN_ID=" + reply.getLines().get(0) + "\n");
    return 0;
  }

  private CampaignDocument read(String operand) throws Failure {
    try (InputStream text = source.open(operand)) {
      CampaignDocument document = JdlReader.read(text, blocks::add);
      if (document.supply() == Supply.ENDLESS) {
        throw call.failure("jobs_type desktop_computing is not carried out yet", 1);
      }
      if (document.supply() == Supply.FILE) {
        source.lines(document.paramFile().orElseThrow(), blocks::add);
      }
      return document;
    } catch (JdlRefused e) {
      StringBuilder all = new StringBuilder();
      e.faults().forEach(fault -> all.append(line(operand, fault.toString())));
      throw new Failure(all.toString(), 1);
    } catch (IOException e) {
      throw new Failure(line(operand, e.getMessage()), 1);
    }
  }

  private String line(String operand, String text) {
    return call.name() + ": " + JdlSource.name(operand) + ": " + text + "\n";
  }

  private CampaignCluster cluster(String name, Map<String, Object> settings)
      throws Failure, LinkException, QueryException, InterruptedException {
    for (Map.Entry<String, Object> field : NOT_YET.entrySet()) {
      Object value = settings.getOrDefault(field.getKey(), field.getValue());
      if (!value.equals(field.getValue())) {
        throw call.failure(
            "/clusters/" + name + ": " + field.getKey() + " is not carried out yet", 1);
      }
    }
    List<String> words = new ArrayList<>(List.of("-q", name));
    add(words, "-l", settings.get("resources"));
    add(words, "-P", settings.get("project"));
    if (settings.containsKey("walltime")) {
      add(words, "-l", "walltime=" + settings.get("walltime"));
    }
    GetOpt given =
        GetOpt.parse(SubmitSyntax.QSUB_LETTERS, words, false, text -> call.complain(text));
    JobOptions options = QsubOptions.of(call, given);
    SubmitQueue queue = SubmitQueue.of(call, options);
    String program = source.home(settings.get(EXEC_FILE).toString());
    try {
      NewJob job =
          new NewJobBuilder(call)
              .build(options, queue.name(), JobProgram.command(List.of(program)), List.of());
      CampaignCluster cluster = new CampaignCluster();
      cluster.setName(queue.name());
      cluster.setShard(queue.shard());
      cluster.setJob(job.getSpec());
      cluster.setProgram(program);
      cluster.setDirectory(source.home(settings.get(EXEC_DIRECTORY).toString()));
      cluster.setProcessors(processors(job));
      cluster.setMost(Math.toIntExact((Long) settings.getOrDefault("max_jobs", 0L)));
      cluster.setRefusal("");
      return cluster;
    } catch (RequestException e) {
      throw call.failure(
          "/clusters/" + name + ": " + e.getMessage(), PbsError.exitStatus(e.code()));
    }
  }

  private static void add(List<String> words, String option, Object value) {
    if (value != null) {
      words.add(option);
      words.add(value.toString());
    }
  }

  private static int processors(NewJob job) {
    long all = 0;
    for (Chunk chunk : job.getSpec().getRequest().getChunks()) {
      all += chunk.getCount() * chunk.getAmounts().getOrDefault("ncpus", 1L);
    }
    return Math.toIntExact(Math.max(1, all));
  }
}
