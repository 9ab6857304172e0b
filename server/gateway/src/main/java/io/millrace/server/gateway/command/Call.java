package io.millrace.server.gateway.command;

import io.millrace.schemas.common.CommandId;
import io.millrace.schemas.common.CommandMeta;
import io.millrace.schemas.common.Role;
import io.millrace.schemas.output.Reply;
import io.millrace.schemas.pbs.PbsError;
import io.millrace.schemas.state.Job;
import io.millrace.server.gateway.link.CommandIds;
import io.millrace.server.gateway.link.LinkException;
import io.millrace.server.gateway.link.LinkSettings;
import io.millrace.server.gateway.session.Invocation;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.avro.specific.SpecificRecord;

/** One invocation of a command at a site: who asks, what goes out, and the next command id. */
public final class Call {

  /** Who waits longer than this is told why. */
  private static final long NOTE_AFTER_MS = 2000;

  private static final long NOTE_AGAIN_MS = 500;

  /** Most interim lines that are kept for a client that does not read. */
  private static final int INTERIM_MAX = 1_000;

  /** Commands of one invocation that are sent before the first of them is answered. */
  private static final int AHEAD_MAX = 100;

  /** Variables that tell the client its gateway and credentials; they are not passed on to jobs. */
  public static final Set<String> NOT_FOR_JOBS =
      Set.of("MILLRACE_URL", "MILLRACE_TOKEN", "MILLRACE_TOKEN_FILE", CallersZone.VARIABLE);

  private final Invocation invocation;
  private final Site site;
  private final String name;
  private final List<String> args;

  /** Interim lines of shards, until the thread of the invocation sends them to the client. */
  private final List<String> interim = new ArrayList<>();

  /** The site as the caller may see it; null before its first use. */
  private Site seen;

  private String host;

  /** From when on a missing answer is told. */
  private long dueNanos;

  /** The caller's time zone; null before its first use. */
  private ZoneId zone;

  private int sent;

  /** Identity of what is asked: the invocation's, or the one that the user gave. */
  private final UUID base;

  /** The last command that went out; null before the first. */
  private CommandId last;

  private boolean repeated;
  private int answered;
  private boolean noted;

  /** A command of the caller, under the id of what he asks. */
  public Call(Invocation invocation, Site site, String name, List<String> args) {
    this(invocation, site, name, args, invocation.commandId());
  }

  /**
   * @param base identity of what is asked; under the same one the same is done once
   */
  Call(Invocation invocation, Site site, String name, List<String> args, UUID base) {
    this.invocation = invocation;
    this.site = site;
    this.name = name;
    this.args = args;
    this.base = base;
    this.repeated = invocation.repeated() || !base.equals(invocation.commandId());
  }

  /** A command of it went out before, from here or through another gateway. */
  public void repeats() {
    repeated = true;
  }

  /** Whether what fails now may be carried out all the same, because it went out before. */
  boolean isRepeated() {
    return repeated;
  }

  /** Identity of what is asked, the same when it is repeated. */
  public UUID commandId() {
    return base;
  }

  /** Whether a command was answered: what failed later is not all that was asked. */
  boolean hasAnswer() {
    return answered > 0;
  }

  public Invocation invocation() {
    return invocation;
  }

  /** The site, whose queries return only jobs that the caller may see. */
  public Site site() {
    if (seen == null) {
      seen = site.seenBy(invocation.user(), this::role);
    }
    return seen;
  }

  /**
   * The site with the jobs of all users, for computing limits and free amounts. Other users' jobs
   * that are read here must not be shown; their private parts are left out.
   */
  public Site wholeSite() {
    return site.withoutPrivateParts(invocation.user(), this::role);
  }

  /** Whether the caller may see a job. */
  public boolean sees(Job job) {
    return job.getSpec().getOwner().equals(invocation.user()) || Roles.seesAll(site, this::role);
  }

  /** The site's clock in the caller's time zone. */
  public Clock clock() {
    return site.clock().withZone(zone());
  }

  /** The caller's time zone, or the site's when that is not known here. */
  public ZoneId zone() {
    if (zone == null) {
      zone = CallersZone.of(invocation.environment()).orElse(site.clock().getZone());
    }
    return zone;
  }

  /** Name of the command, as in its messages. */
  public String name() {
    return name;
  }

  public List<String> args() {
    return args;
  }

  public void out(String text) {
    invocation.out(text);
  }

  /** One line to standard error, with the command's name in front. */
  public void complain(String text) {
    invocation.err(name + ": " + text + "\n");
  }

  public GetOpt options(String known) {
    return GetOpt.parse(known, args, false, this::complain);
  }

  public Failure usage(String usage) {
    return new Failure(usage, 2);
  }

  /** An option that PBS knows and this command does not offer. */
  public Failure refused(String option, String why) {
    return new Failure(name + ": option " + option + " is not supported: " + why + "\n", 2);
  }

  public Failure failure(String text, int status) {
    return new Failure(name + ": " + text + "\n", status);
  }

  /** Refuses as PBS does: its text, its number as the exit status. */
  public Failure failure(PbsError error) {
    return failure(error.text(), error.exitStatus());
  }

  public Role role() {
    return Roles.of(site, invocation.user(), this::host);
  }

  /** Host from which the caller speaks: looked up once, when it is asked for first. */
  public String host() {
    if (host == null) {
      host = Roles.host(site, invocation);
    }
    return host;
  }

  /** Envelope of the invocation's next command. */
  public CommandMeta meta() {
    return meta(base, Integer.toString(sent++));
  }

  /** Envelope of a command whose id follows from a base of its own. */
  public CommandMeta meta(UUID base, String part) {
    return new CommandMeta(
        CommandIds.derive(base, invocation.user(), part),
        invocation.user(),
        invocation.group(),
        host(),
        role(),
        site.link().replyPlace(),
        0L);
  }

  /** Sends the invocation's next command and waits for the answer. */
  public Reply send(int shard, Function<CommandMeta, SpecificRecord> command)
      throws LinkException, InterruptedException {
    CommandMeta meta = meta();
    return await(sendAsync(shard, meta, command.apply(meta)));
  }

  /**
   * A command for a shard, which takes the envelope that it is given.
   *
   * @param part identifies it when the invocation is repeated; empty to use its position in the
   *     sequence
   */
  public record Addressed(int shard, String part, Function<CommandMeta, SpecificRecord> command) {
    public Addressed(int shard, Function<CommandMeta, SpecificRecord> command) {
      this(shard, "", command);
    }
  }

  /**
   * Results of commands that were sent together.
   *
   * @param replies in the order of the commands; empty where a shard gave no answer
   * @param failures why, by the place of the command in that order
   */
  public record CommandAnswers(
      List<Optional<Reply>> replies, SortedMap<Integer, LinkException> failures) {

    /** Of the first command that has no answer. */
    public Optional<LinkException> failure() {
      return failures.values().stream().findFirst();
    }
  }

  /**
   * Sends the invocation's next commands without waiting for each other's answers. Commands to one
   * shard are decided in their order; one that left a command unanswered is sent no more of them.
   */
  public CommandAnswers sendAll(List<Addressed> commands) throws InterruptedException {
    CommandsTogether together = new CommandsTogether();
    for (Addressed each : commands) {
      if (together.underWay.size() >= AHEAD_MAX) {
        together.land();
      }
      together.begin(each);
    }
    while (!together.underWay.isEmpty()) {
      together.land();
    }
    return new CommandAnswers(together.replies, together.failures);
  }

  /** Commands that were sent together, the first of which is answered first. */
  private final class CommandsTogether {

    private record SentCommand(int shard, CompletableFuture<Reply> reply) {}

    final Deque<SentCommand> underWay = new ArrayDeque<>();
    final List<Optional<Reply>> replies = new ArrayList<>();
    final SortedMap<Integer, LinkException> failures = new TreeMap<>();
    private final Map<Integer, LinkException> ofShards = new HashMap<>();

    void begin(Addressed each) throws InterruptedException {
      CommandMeta meta = each.part().isEmpty() ? meta() : meta(base, each.part());
      LinkException failure = ofShards.get(each.shard());
      underWay.add(
          new SentCommand(
              each.shard(),
              failure == null
                  ? sendAsync(each.shard(), meta, each.command().apply(meta))
                  : CompletableFuture.failedFuture(failure)));
    }

    void land() throws InterruptedException {
      SentCommand first = underWay.remove();
      try {
        replies.add(Optional.of(await(first.reply)));
      } catch (LinkException e) {
        failures.put(replies.size(), e);
        ofShards.putIfAbsent(first.shard, e);
        replies.add(Optional.empty());
      }
    }
  }

  public CompletableFuture<Reply> sendAsync(int shard, CommandMeta meta, SpecificRecord command)
      throws InterruptedException {
    return sendAsync(shard, meta, command, patience());
  }

  /**
   * Sends a command whose answer may take long.
   *
   * @param patience how long to wait for it
   */
  public CompletableFuture<Reply> sendAsync(
      int shard, CommandMeta meta, SpecificRecord command, Duration patience)
      throws InterruptedException {
    if (last == null) {
      invocation.underWay(base);
    }
    last = meta.getId();
    return site.link().send(client(), shard, last, command, this::interim, patience);
  }

  /** The time to wait for shards: what the user told the client, if that is longer. */
  private Duration patience() {
    String seconds = invocation.environment().getOrDefault("MILLRACE_CLIENT_TIMEOUT_S", "");
    long wanted = seconds.matches("[0-9]{1,5}") ? Long.parseLong(seconds) : 0;
    return wanted > LinkSettings.ANSWER.toSeconds() ? Duration.ofSeconds(wanted) : Duration.ZERO;
  }

  public Reply await(CompletableFuture<Reply> reply) throws LinkException, InterruptedException {
    return await(reply, Duration.ZERO);
  }

  /**
   * Waits for an answer.
   *
   * @param asked how long the shard was asked to wait before it answers
   */
  public Reply await(CompletableFuture<Reply> reply, Duration asked)
      throws LinkException, InterruptedException {
    dueNanos = System.nanoTime() + asked.toNanos() + NOTE_AFTER_MS * 1_000_000;
    reply.whenComplete((answer, failure) -> wake());
    tellInterim(reply);
    try {
      Reply answer = reply.get();
      answered++;
      return answer;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LinkException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private String client() {
    return invocation.user() + "/" + base;
  }

  private void wake() {
    synchronized (interim) {
      interim.notifyAll();
    }
  }

  /**
   * Called by the thread that receives all replies of the gateway, which must never write to the
   * client.
   */
  private void interim(String line) {
    synchronized (interim) {
      if (interim.size() < INTERIM_MAX) {
        interim.add(line);
      }
      interim.notifyAll();
    }
  }

  /** Sends interim lines of shards to the client until the answer is there. */
  private void tellInterim(CompletableFuture<Reply> reply) throws InterruptedException {
    long noteNanos = System.nanoTime() + NOTE_AFTER_MS * 1_000_000;
    boolean done;
    do {
      List<String> lines;
      synchronized (interim) {
        long leftMs = (noteNanos - System.nanoTime()) / 1_000_000;
        while (interim.isEmpty() && !reply.isDone() && (noted || leftMs > 0)) {
          interim.wait(noted ? 0 : leftMs);
          leftMs = (noteNanos - System.nanoTime()) / 1_000_000;
        }
        done = reply.isDone();
        lines = List.copyOf(interim);
        interim.clear();
      }
      if (!noted && !done && lines.isEmpty()) {
        noteNanos = System.nanoTime() + NOTE_AGAIN_MS * 1_000_000;
        note();
      }
      noted |= !lines.isEmpty();
      lines.forEach(this::tell);
    } while (!done);
  }

  /** Says once why the outcome is open, if it is. */
  private void note() {
    String why = last == null ? "" : site.link().trouble(last, System.nanoTime() - dueNanos >= 0);
    noted = !why.isEmpty();
    if (noted) {
      invocation.note(name + ": waiting for the server: " + site.withRoom(why));
    }
  }

  /**
   * Shows an interim line at once at a terminal. Otherwise it is kept until the end, since an
   * invocation whose output was shown cannot be repeated.
   */
  private void tell(String line) {
    if (invocation.stdoutIsTerminal()) {
      invocation.streaming();
    }
    invocation.err(name + ": " + line + "\n");
  }
}
