package io.millrace.server.core.decision;

import io.millrace.schemas.common.Attribute;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.FactMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.state.Job;
import io.millrace.schemas.state.ShardState;
import io.millrace.server.core.state.Keys;
import io.millrace.server.core.state.ShardNumbers;
import io.millrace.server.core.state.View;

/** What a decider is given: the view, the shard's time, the command's envelope. */
public final class Context {
  /**
   * Facts that one command may have, its answer included; a larger effect goes on with Continue.
   */
  public static final int FACTS_MAX = 256;

  private final View view;
  private final long nowMs;
  private final CommandMeta meta;
  private final MessageIds ids;
  private final long recordMs;
  private long seq;

  public Context(View view, long nowMs, CommandMeta meta) {
    this(view, nowMs, meta, new MessageIds(meta, view.shard()));
  }

  public Context(View view, long nowMs, CommandMeta meta, MessageIds ids) {
    this(view, nowMs, meta, ids, nowMs);
  }

  /**
   * @param recordMs when the broker appended the command, which may be before the shard's time
   */
  public Context(View view, long nowMs, CommandMeta meta, MessageIds ids, long recordMs) {
    this.ids = ids;
    this.recordMs = recordMs;
    this.view = view;
    this.nowMs = nowMs;
    this.meta = meta;
    this.seq = numbers().getSeq();
  }

  public View view() {
    return view;
  }

  public long nowMs() {
    return nowMs;
  }

  public CommandMeta meta() {
    return meta;
  }

  /** Whether the broker appended the command after its deadline: its caller waits no more. */
  public boolean late() {
    return meta.getDeadlineMs() > 0 && recordMs > meta.getDeadlineMs();
  }

  public int shard() {
    return view.shard();
  }

  public ShardState numbers() {
    return ShardNumbers.of(view);
  }

  /** Envelope of the next fact of this decision. */
  public FactMeta stamp() {
    return new FactMeta(++seq, nowMs, meta.getId(), meta.getPrincipal());
  }

  /** Envelope of a message that this shard sends because of the command. */
  public CommandMeta asShard() {
    return new CommandMeta(
        ids.next(seq), "shard-" + view.shard(), "", meta.getHost(), Role.SHARD, -1, 0L);
  }

  /** The same for what the owner of a job asked for earlier, for this moment; he has no answer. */
  public CommandMeta asOwner(Job job) {
    String owner = job.getSpec().getOwner();
    String group = job.getSpec().getGroup();
    return new CommandMeta(
        ids.next(seq), owner, group, job.getSpec().getSubmitHost(), Role.USER, -1, 0L);
  }

  /** The job with this id if it is here and the id's server part, if any, is ours; else null. */
  public Job job(String jobId) {
    long number = Keys.jobNumber(jobId);
    Job job = number < 0 ? null : view.jobs().get(Keys.number(number));
    boolean ours = job != null && (jobId.indexOf('.') < 0 || jobId.equals(job.getId()));
    return ours ? job : null;
  }

  public boolean isManager() {
    return meta.getRole() == Role.MANAGER;
  }

  public boolean isOperator() {
    return meta.getRole() == Role.MANAGER || meta.getRole() == Role.OPERATOR;
  }

  /** Whether the campaign server asks, which acts on jobs with a campaign's tag only. */
  public boolean isCampaign() {
    return meta.getRole() == Role.CAMPAIGN;
  }

  /**
   * Owners act on their own jobs, operators and managers on all; the campaign server on its own
   * jobs of the owner for whom it asks.
   */
  public boolean mayActOn(Job job) {
    boolean own = job.getSpec().getOwner().equals(meta.getPrincipal());
    return isOperator() || own && (!isCampaign() || !job.getSpec().getCampaign().isEmpty());
  }

  /**
   * Whether the caller may suspend, resume or rerun the job: in PBS operators may, in Grid Engine
   * its owner, too.
   */
  public boolean mayInterrupt(Job job) {
    return job.getSpec().getGridEngine() == null ? isOperator() : mayActOn(job);
  }

  /** Value of an attribute of the server object, or the given one. */
  public String server(String attribute, String otherwise) {
    return attribute(
        view.objects().get(Keys.object(ObjectKind.SERVER, Keys.SERVER)), attribute, otherwise);
  }

  /** Name of the server, the part of a job id after the dot. */
  public String serverName() {
    return server("server_host", "server");
  }

  public static String attribute(ClusterObject object, String name, String otherwise) {
    if (object != null) {
      for (Attribute attribute : object.getAttributes()) {
        if (attribute.getName().equals(name)) {
          return attribute.getValue();
        }
      }
    }
    return otherwise;
  }
}
