package io.millrace.server.gateway;

import io.millrace.schemas.Topics;
import io.millrace.schemas.command.AttributeChange;
import io.millrace.schemas.command.AttributeOperation;
import io.millrace.schemas.command.ChangeObject;
import io.millrace.schemas.command.ChangeOperation;
import io.millrace.schemas.command.DeleteJob;
import io.millrace.schemas.command.NewJob;
import io.millrace.schemas.command.SubmitJobs;
import io.millrace.schemas.common.ClusterObject;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.ObjectKind;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.common.Script;
import io.millrace.schemas.output.Reply;
import io.millrace.server.gateway.command.Site;
import io.millrace.server.gateway.link.CommandIds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Commands without a command line, for programs that hold the gateway's Kafka principal. */
public final class GatewayCommands {

  private final Site site;
  private final String user;
  private final String group;
  private final Role role;

  /** Commands in the name of this user; the caller has verified who that is. */
  public GatewayCommands(Site site, String user, String group, Role role) {
    this.site = site;
    this.user = user;
    this.group = group;
    this.role = role;
  }

  /**
   * Submits jobs of one queue, all or none.
   *
   * @param jobs at most 100, all for the same queue
   * @param scripts texts of the scripts that the jobs name by hash
   * @return the job ids as lines, or a refusal
   * @throws InterruptedException while the window of unanswered commands is full
   */
  public CompletableFuture<Reply> submit(List<NewJob> jobs, List<Script> scripts)
      throws InterruptedException {
    return submit(jobs, scripts, Duration.ZERO);
  }

  /**
   * Submits jobs that run a command and need no script.
   *
   * @param patience so long it is repeated until it is answered
   */
  public CompletableFuture<Reply> submit(List<NewJob> jobs, Duration patience)
      throws InterruptedException {
    return submit(jobs, List.of(), patience);
  }

  private CompletableFuture<Reply> submit(
      List<NewJob> jobs, List<Script> scripts, Duration patience) throws InterruptedException {
    CommandMeta meta = meta();
    int shard = shardOf(jobs.get(0).getSpec().getQueue());
    return site.link()
        .send(user, shard, meta.getId(), new SubmitJobs(meta, scripts, jobs), line -> {}, patience);
  }

  /** Submits jobs that run a command and need no script. */
  public CompletableFuture<Reply> submit(List<NewJob> jobs) throws InterruptedException {
    return submit(jobs, List.of());
  }

  /** Deletes a job of this shard, or one that was born there. */
  public CompletableFuture<Reply> delete(int birthShard, String jobId) throws InterruptedException {
    CommandMeta meta = meta();
    return site.link()
        .send(
            user,
            birthShard,
            meta.getId(),
            new DeleteJob(meta, jobId, false, List.of(), false, false, false),
            line -> {},
            Duration.ZERO);
  }

  /**
   * Unsets an attribute of the server.
   *
   * @param patience so long it is repeated until it is answered
   */
  public CompletableFuture<Reply> unsetServer(String attribute, Duration patience)
      throws InterruptedException {
    CommandMeta meta = meta();
    String name = site.cluster().server().map(ClusterObject::getName).orElse("server");
    AttributeChange change = new AttributeChange(attribute, "", AttributeOperation.ASSIGN);
    return site.link()
        .send(
            user,
            Topics.ADMINISTRATIVE_SHARD,
            meta.getId(),
            new ChangeObject(meta, ChangeOperation.UNSET, ObjectKind.SERVER, name, List.of(change)),
            line -> {},
            patience);
  }

  /**
   * Sets attributes of the server together; an empty value unsets.
   *
   * @param patience so long it is repeated until it is answered
   */
  public CompletableFuture<Reply> setServer(Map<String, String> values, Duration patience)
      throws InterruptedException {
    String name = site.cluster().server().map(ClusterObject::getName).orElse("server");
    return set(ObjectKind.SERVER, name, values, patience);
  }

  /** Sets attributes of an object together, as {@link #setServer} does. */
  CompletableFuture<Reply> set(
      ObjectKind kind, String name, Map<String, String> values, Duration patience)
      throws InterruptedException {
    CommandMeta meta = meta();
    List<AttributeChange> changes = new ArrayList<>();
    values.forEach(
        (attribute, value) ->
            changes.add(new AttributeChange(attribute, value, AttributeOperation.ASSIGN)));
    return site.link()
        .send(
            user,
            Topics.ADMINISTRATIVE_SHARD,
            meta.getId(),
            new ChangeObject(meta, ChangeOperation.SET, kind, name, changes),
            line -> {},
            patience);
  }

  /** The shard in which the queue's jobs live. */
  public int shardOf(String queue) {
    return site.cluster()
        .find(ObjectKind.QUEUE, queue)
        .map((ClusterObject found) -> site.shardOf(found))
        .orElseThrow(() -> new IllegalArgumentException("unknown queue " + queue));
  }

  private CommandMeta meta() {
    return new CommandMeta(
        CommandIds.random(site.clock().millis()),
        user,
        group,
        site.host(),
        role,
        site.link().replyPlace(),
        0L);
  }
}
