package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.AccountCommands;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.system.Controlled;
import io.millrace.connectors.bridge.system.OutsideAction;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideId;
import io.millrace.connectors.bridge.system.OutsideJob;
import io.millrace.connectors.bridge.system.OutsideSubmission;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.bridge.system.OutsideTag;
import io.millrace.connectors.bridge.system.RunWrapper;
import io.millrace.connectors.bridge.system.Submitted;
import io.millrace.connectors.bridge.system.Told;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The cluster of a server of the PBS family, by its commands. */
public abstract class PbsFamilySystem implements OutsideSystem {

  /** So many jobs are asked for at one look, each with a command. */
  private static final int NUMBERS_AT_ONCE = 20;

  protected final ClusterFile file;
  protected final String server;
  private final CommandRunner runner;
  private final AccountCommands commands;
  private final PbsWords words;
  private final PbsAccounting accounting;
  private final Optional<PbsHookFile> hook;

  /**
   * @param words what its commands say
   * @param tagField field of an accounting record with the tag of a run
   * @param ends what an exit status says
   */
  protected PbsFamilySystem(
      ClusterFile file, CommandRunner runner, PbsWords words, String tagField, ExitMeaning ends) {
    this.file = file;
    this.runner = runner;
    this.words = words;
    this.commands = file.commands(Map.of());
    this.server = file.text(PbsFamilyKind.SERVER);
    this.accounting =
        new PbsAccounting(
            file.given(PbsFamilyKind.ACCOUNTING)
                .map(it -> new AccountingDays(runner.files(), Path.of(it))),
            server,
            tagField,
            ends);
    this.hook =
        file.given(PbsFamilyKind.HOOK_FILE)
            .map(it -> new PbsHookFile(runner.files(), Path.of(it), server));
  }

  /** The answer to a question that changes nothing. */
  protected final OutsideAnswer ask(List<String> command) throws InterruptedException {
    return runner.run(commands.own(command));
  }

  /**
   * Submits a job.
   *
   * @param tagOption option of qsub that takes the tag of a run
   * @param nodes what {@code -l} takes, each behind one, for the job's processors and hosts
   */
  protected final Submitted submit(OutsideSubmission order, String tagOption, List<String> nodes)
      throws InterruptedException {
    Optional<String> unnamed = order.amounts().unnamed(file.resources());
    if (unnamed.isPresent()) {
      return new Submitted.SubmissionRefused(unnamed.get());
    }
    List<String> command = PbsOrders.submission(file, order, tagOption, nodes);
    command.addAll(List.of("-q", order.place().queue().orElse("") + "@" + server));
    byte[] script = RunWrapper.of(file.text("spool"), order);
    return words.submitted(runner.run(commands.as(order.account(), command, script)), server);
  }

  @Override
  public final boolean isSubmitting(OutsideTag tag, String account) {
    return runner.isUnderWay(account, tag.toString());
  }

  @Override
  public Told<List<OutsideJob>> tagged() throws InterruptedException {
    return OutsideJob.ofCluster(snapshot(), file.name());
  }

  /** The command that shows a job, and the queue that its answer is. */
  protected abstract List<String> question(String number);

  protected abstract Told<List<OutsideJob>> jobs(OutsideAnswer answer);

  /**
   * In the account's name, since without {@code query_other_jobs} others are shown nothing of its
   * jobs; one by one, so that each answer says of one number whether the server knows it.
   */
  @Override
  public final Told<Map<OutsideId, Optional<OutsideJob>>> byNumber(
      String account, Collection<OutsideId> ids) throws InterruptedException {
    Map<OutsideId, Optional<OutsideJob>> said = new HashMap<>();
    for (OutsideId id : ids.stream().limit(NUMBERS_AT_ONCE).toList()) {
      String number = PbsOrders.number(id, server);
      OutsideAnswer answer = runner.run(commands.as(account, question(number), new byte[0]));
      if (PbsWords.isUnknown(answer, number)) {
        said.put(id, Optional.empty());
        continue;
      }
      Told<List<OutsideJob>> told = jobs(answer);
      if (told instanceof Told.Nothing<List<OutsideJob>> nothing) {
        return said.isEmpty()
            ? Told.nothing("as " + account + ": " + nothing.why())
            : Told.of(said);
      }
      if (told instanceof Told.Answered<List<OutsideJob>> one) {
        // An answer of no error that lacks the job says nothing.
        one.value().stream()
            .filter(it -> it.id().equals(id))
            .findFirst()
            .ifPresent(it -> said.put(id, Optional.of(it)));
      }
    }
    return Told.of(said);
  }

  @Override
  public boolean snapshotHasTags() {
    return true;
  }

  @Override
  public final Controlled control(OutsideId id, String account, OutsideAction action)
      throws InterruptedException {
    List<String> command = PbsOrders.control(file, id, server, action);
    return words.controlled(runner.run(commands.as(account, command, new byte[0])));
  }

  /** Its owner may make it shorter, and of a job that waits longer, too. */
  @Override
  public final Controlled limit(
      OutsideId id, OutsideSubmission order, long wallSeconds, boolean begun)
      throws InterruptedException {
    List<String> command = PbsOrders.limit(file, id, server, wallSeconds);
    return words.controlled(runner.run(commands.as(order.account(), command, new byte[0])));
  }

  @Override
  public final Controlled signal(OutsideId id, String account, int signal)
      throws InterruptedException {
    List<String> command = PbsOrders.signal(file, id, server, signal);
    return words.controlled(runner.run(commands.as(account, command, new byte[0])));
  }

  @Override
  public final Told<OutsideChanges> changes(String cursor) {
    return hook.isPresent()
        ? hook.get().changes(cursor, accounting::changes)
        : accounting.changes(PbsHookFile.without(cursor));
  }

  @Override
  public final boolean movesAreNumbered() {
    return true;
  }

  @Override
  public final boolean hasAccounting() {
    return accounting.days().isPresent();
  }

  @Override
  public final boolean recordsUsage() {
    return accounting.days().isPresent();
  }
}
