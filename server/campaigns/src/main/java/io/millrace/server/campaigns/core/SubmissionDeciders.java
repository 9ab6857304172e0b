package io.millrace.server.campaigns.core;

import io.millrace.schedulers.campaigns.predictors.Predictors;
import io.millrace.schemas.Topics;
import io.millrace.schemas.campaign.AddTasks;
import io.millrace.schemas.campaign.Campaign;
import io.millrace.schemas.campaign.CampaignCluster;
import io.millrace.schemas.campaign.CampaignScript;
import io.millrace.schemas.campaign.CampaignSubmitted;
import io.millrace.schemas.campaign.CampaignText;
import io.millrace.schemas.campaign.ParameterBlock;
import io.millrace.schemas.campaign.SubmitCampaign;
import io.millrace.schemas.campaign.TaskStatus;
import io.millrace.schemas.campaign.TasksAdded;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.server.campaigns.core.admission.AdmissionDeciders;
import io.millrace.server.campaigns.core.lines.ParameterBlocks;
import io.millrace.server.campaigns.core.memory.KeptMemory;
import io.millrace.server.campaigns.core.standing.JobStanding;
import io.millrace.server.campaigns.core.table.CampaignKeys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/** Decides which campaigns are taken, and which further tasks of them; changes nothing. */
final class SubmissionDeciders {

  private static final int TASKS_MAX = 1_000_000;

  /** Campaigns that go on at a time, of all users: they are in memory. */
  static final int CAMPAIGNS_MAX = 1_200;

  /** So many of them may be of one owner. */
  static final int OWNED_MAX = 1_000;

  /** Places for those who have few: two owners could have all. */
  static final int FOR_FEW = 100;

  private static final int FEW = 10;

  /**
   * Bytes of memory for all their parameters and descriptions, compressed, and for what their
   * clusters and scripts say. An owner has half of what the others leave: there is some for the
   * next one.
   */
  static final long BYTES_MAX = 64L << 20;

  /**
   * Bytes of what its clusters say, and of its description. Each is a record of the state, which
   * may have {@link Topics#MESSAGE_BYTES_MAX}; that of the clusters gets ranges of tasks, too.
   */
  static final long RECORD_BYTES_MAX = Topics.COMMAND_BYTES_MAX / 2;

  private final CampaignState state;
  private final AdmissionDeciders admission;

  SubmissionDeciders(CampaignState state, AdmissionDeciders admission) {
    this.state = state;
    this.admission = admission;
  }

  private static void answer(CampaignOutcome outcome, CommandMeta meta, String line) {
    outcome.answer(new Reply(meta.getId(), 0, List.of(line), false));
  }

  private static void refuse(
      CampaignOutcome outcome, CommandMeta meta, PbsError error, String line) {
    outcome.answer(new Reply(meta.getId(), error.code(), List.of(line), false));
  }

  /** Decides a command; false for what is none of its. */
  boolean decide(SpecificRecord record, long nowMs, CampaignOutcome outcome) {
    if (record instanceof SubmitCampaign command) {
      decide(command, nowMs, outcome);
    } else if (record instanceof AddTasks command) {
      decide(command, nowMs, outcome);
    } else {
      return false;
    }
    return true;
  }

  private void decide(SubmitCampaign command, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    Optional<Long> known = state.madeBy(meta.getId());
    if (known.isPresent()) {
      answer(outcome, meta, Long.toString(known.get()));
      return;
    }
    String owner = meta.getPrincipal();
    String wrong = wrong(command, owner);
    if (!wrong.isEmpty()) {
      refuse(outcome, meta, PbsError.ILLEGAL_VALUE, wrong);
      return;
    }
    Optional<String> refusal = admission.refusal(command);
    if (refusal.isPresent()) {
      refuse(outcome, meta, PbsError.UNAUTHORIZED, refusal.get());
      return;
    }
    Campaign campaign = new Campaign();
    campaign.setId(state.nextId());
    campaign.setCause(meta.getId());
    campaign.setOwner(owner);
    campaign.setGroup(meta.getGroup());
    campaign.setName(command.getName());
    campaign.setSubmittedMs(nowMs);
    campaign.setEndedMs(-1L);
    campaign.setPausedMs(-1L);
    campaign.setTasks(command.getTasks());
    int numbered = command.getBlocks().isEmpty() ? command.getTasks() : 0;
    campaign.setNumbered(numbered);
    campaign.setLinesFrom(numbered);
    campaign.setLineBytes((int) KeptMemory.lines(command.getBlocks()));
    campaign.setKeptBytes(KeptMemory.of(command));
    campaign.setLately(List.of());
    campaign.setTest(command.getTest());
    campaign.setClusters(command.getClusters());
    campaign.setRanges(TaskRanges.fresh(command.getTasks()));
    for (CampaignScript script : command.getScripts()) {
      CampaignCluster cluster = campaign.getClusters().get(script.getCluster());
      if (script.getAfter()) {
        cluster.setEpilogue(TaskStatus.WAITING);
      } else {
        cluster.setPrologue(TaskStatus.WAITING);
      }
    }
    outcome.fact(
        new CampaignSubmitted(
            nowMs, campaign, command.getBlocks(), command.getText(), command.getScripts()));
    answer(outcome, meta, Long.toString(campaign.getId()));
  }

  /** Why a new campaign is refused; empty when it is not. */
  private String wrong(SubmitCampaign command, String owner) {
    int tasks = command.getTasks();
    int blocks = command.getBlocks().size();
    int due = (tasks + ParameterBlocks.LINES - 1) / ParameterBlocks.LINES;
    if (tasks < 1 || tasks > TASKS_MAX || blocks != 0 && blocks != due) {
      return "a campaign has 1 to " + TASKS_MAX + " tasks";
    }
    List<CampaignCluster> clusters = command.getClusters();
    boolean sound = clusters.stream().allMatch(it -> it.getProcessors() > 0 && it.getShard() >= 0);
    if (clusters.isEmpty() || !sound) {
      return "a campaign names a cluster, whose tasks have processors";
    }
    if (clusters.stream().map(CampaignCluster::getName).distinct().count() < clusters.size()) {
      return "a campaign names a cluster once";
    }
    for (CampaignCluster cluster : clusters) {
      if (Predictors.find(cluster.getPredictor()).isEmpty()) {
        return "there is no predictor " + cluster.getPredictor();
      }
      if (JobStanding.find(cluster.getType()).isEmpty()) {
        return "there is no type " + cluster.getType();
      }
    }
    Set<String> sides = new HashSet<>();
    for (CampaignScript script : command.getScripts()) {
      if (script.getCluster() < 0 || script.getCluster() >= clusters.size()) {
        return "a script is for a cluster of its campaign";
      }
      if (!sides.add(script.getCluster() + " " + script.getAfter())) {
        return "a cluster has one prologue and one epilogue";
      }
    }
    if (command.getTest() && tasks != clusters.size()) {
      return "a test has a task for each cluster";
    }
    if (KeptMemory.bytes(clusters) > RECORD_BYTES_MAX) {
      return "it is too long: the jobs of its clusters may have " + RECORD_BYTES_MAX + " bytes";
    }
    for (CampaignScript script : command.getScripts()) {
      if (KeptMemory.bytes(script) > RECORD_BYTES_MAX) {
        return "it is too long: a script with its job may have " + RECORD_BYTES_MAX + " bytes";
      }
    }
    if (command.getText().getJson().remaining() > RECORD_BYTES_MAX) {
      return "it is too long: compressed it may have " + RECORD_BYTES_MAX + " bytes";
    }
    String noPlace = noPlace(owner);
    return noPlace.isEmpty() ? noRoom(KeptMemory.of(command), owner) : noPlace;
  }

  private List<Campaign> own(String owner) {
    return state.going().stream().filter(it -> it.getOwner().equals(owner)).toList();
  }

  /** Why one more campaign of an owner may not go on; empty when it may. */
  private String noPlace(String owner) {
    int own = own(owner).size();
    int going = state.going().size();
    if (own >= OWNED_MAX) {
      return own + " campaigns of " + owner + " go on, and no more may";
    }
    int most = own < FEW ? CAMPAIGNS_MAX : CAMPAIGNS_MAX - FOR_FEW;
    return going >= most ? going + " campaigns go on, and no more may" : "";
  }

  /** Why so many bytes more of an owner have no room; empty when they have. */
  private String noRoom(long more, String owner) {
    List<Campaign> going = state.going();
    List<Campaign> own = own(owner);
    long others = keptBytes(going) - keptBytes(own);
    long room = (BYTES_MAX - others) / 2;
    return keptBytes(own) + more > room
        ? "there is no room for it now: " + mib(room) + " those of " + owner + " may have"
        : "";
  }

  private static String mib(long bytes) {
    return (bytes >> 20) + " MiB of parameters, descriptions and jobs";
  }

  private static long keptBytes(List<Campaign> campaigns) {
    return campaigns.stream().mapToLong(Campaign::getKeptBytes).sum();
  }

  /** Jobs of an owner run as him: nobody else adds some, whatever his role. */
  private void decide(AddTasks command, long nowMs, CampaignOutcome outcome) {
    CommandMeta meta = command.getMeta();
    long id = command.getCampaign();
    Campaign campaign = state.campaign(id).orElse(null);
    if (campaign == null) {
      refuse(outcome, meta, PbsError.UNKNOWN_JOB, "there is no campaign " + id);
      return;
    }
    if (!campaign.getOwner().equals(meta.getPrincipal())) {
      refuse(outcome, meta, PbsError.UNAUTHORIZED, "campaign " + id + " is not yours");
      return;
    }
    if (state.additions(id).contains(meta.getId())) {
      answer(outcome, meta, Long.toString(id));
      return;
    }
    String wrong = wrong(command, campaign);
    if (!wrong.isEmpty()) {
      refuse(outcome, meta, PbsError.ILLEGAL_VALUE, wrong);
      return;
    }
    if (command.getBeside() != ParameterBlocks.beside(campaign)) {
      refuse(outcome, meta, PbsError.TRY_AGAIN, "other jobs were added to campaign " + id);
      return;
    }
    AddedBlocks added = blocks(command, campaign);
    if (added.bytes() > ParameterBlocks.BYTES_MAX) {
      refuse(outcome, meta, PbsError.ILLEGAL_VALUE, ParameterBlocks.TOO_LONG);
      return;
    }
    long kept = KeptMemory.with(state.table(), campaign, (int) added.bytes());
    wrong = noRoom(campaign, kept);
    if (!wrong.isEmpty()) {
      refuse(outcome, meta, PbsError.ILLEGAL_VALUE, wrong);
      return;
    }
    Optional<String> refusal = admission.refusal(asSubmitted(command, campaign));
    if (refusal.isPresent()) {
      refuse(outcome, meta, PbsError.UNAUTHORIZED, refusal.get());
      return;
    }
    outcome.fact(
        TasksAdded.newBuilder()
            .setAtMs(nowMs)
            .setCampaign(id)
            .setOwner(campaign.getOwner())
            .setTasks(command.getTasks())
            .setFirstBlock(added.first())
            .setBlocks(added.blocks())
            .setLineBytes((int) added.bytes())
            .setKeptBytes(kept)
            .setCommand(meta.getId())
            .build());
    answer(outcome, meta, Long.toString(id));
  }

  /**
   * What a campaign's lines are with further ones.
   *
   * @param first number of the first of these blocks
   * @param bytes of all blocks of the campaign; more than there may be when one is too long
   */
  private record AddedBlocks(int first, List<ParameterBlock> blocks, long bytes) {}

  private AddedBlocks blocks(AddTasks command, Campaign campaign) {
    List<ParameterBlock> blocks = new ArrayList<>(command.getBlocks());
    int first = (campaign.getTasks() - campaign.getLinesFrom()) / ParameterBlocks.LINES;
    long bytes = campaign.getLineBytes();
    if (command.getBeside() > 0) {
      String key = CampaignKeys.block(campaign.getId(), first);
      ParameterBlock last = (ParameterBlock) state.table().get(key);
      Optional<ParameterBlock> joined = ParameterBlocks.joined(last, blocks.get(0));
      if (joined.isEmpty()) {
        return new AddedBlocks(first, blocks, Long.MAX_VALUE);
      }
      blocks.set(0, joined.get());
      bytes -= last.getLines().remaining();
    }
    return new AddedBlocks(first, blocks, bytes + KeptMemory.lines(blocks));
  }

  /** Why further tasks are refused, whatever their lines; empty when they are not. */
  private static String wrong(AddTasks command, Campaign campaign) {
    String name = "campaign " + campaign.getId();
    if (campaign.getCancelled()) {
      return name + " was deleted; submit another one";
    }
    if (campaign.getTest()) {
      return name + " is a test: it has one job on each of its clusters";
    }
    long tasks = (long) campaign.getTasks() + command.getTasks();
    if (command.getTasks() < 1 || tasks > TASKS_MAX) {
      return "a campaign has 1 to " + TASKS_MAX + " tasks; it would have " + tasks;
    }
    int lines = command.getBeside() + command.getTasks();
    int due = (lines + ParameterBlocks.LINES - 1) / ParameterBlocks.LINES;
    if (command.getBeside() < 0
        || command.getBeside() >= ParameterBlocks.LINES
        || command.getBlocks().size() != due) {
      return "its lines lie in other blocks than they should";
    }
    for (CampaignCluster cluster : campaign.getClusters()) {
      if (ScriptDeciders.isUnderWay(cluster.getEpilogue())) {
        return "the epilogue of "
            + name
            + " at "
            + cluster.getName()
            + " is under way or has failed; add jobs when it is over";
      }
    }
    return "";
  }

  private String noRoom(Campaign campaign, long kept) {
    boolean ended = campaign.getEndedMs() >= 0;
    String noPlace = ended ? noPlace(campaign.getOwner()) : "";
    long more = ended ? kept : kept - campaign.getKeptBytes();
    return noPlace.isEmpty() ? noRoom(more, campaign.getOwner()) : noPlace;
  }

  /** Rules are for the campaign as it would be: otherwise it would be submitted in two pieces. */
  private SubmitCampaign asSubmitted(AddTasks command, Campaign campaign) {
    List<CampaignScript> scripts = new ArrayList<>();
    for (int cluster = 0; cluster < campaign.getClusters().size(); cluster++) {
      state.script(campaign.getId(), cluster, false).ifPresent(scripts::add);
      state.script(campaign.getId(), cluster, true).ifPresent(scripts::add);
    }
    return new SubmitCampaign(
        command.getMeta(),
        campaign.getName(),
        campaign.getTasks() + command.getTasks(),
        campaign.getClusters(),
        List.of(),
        (CampaignText) state.table().get(CampaignKeys.text(campaign.getId())),
        campaign.getTest(),
        scripts,
        command.getGroups());
  }
}
