package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.run.CircuitBreaker;
import io.millrace.connectors.bridge.system.Told;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts commands on another host, by one connection. */
final class SshRunner implements CommandRunner {
  private static final Logger log = LoggerFactory.getLogger(SshRunner.class);

  /** A word that no process has. */
  private static final String NOBODYS = "millrace.nobody";

  private static final int LIST_MOST = 64 << 20;

  private final SshTerms terms;
  private final SshConnection connection;
  private final SftpFiles files;

  private final CircuitBreaker listing = new CircuitBreaker(1);

  /** Why was said last that it is not told what is under way. */
  private volatile String said = "";

  /** Channels that are free for commands; one is for files. */
  private final Semaphore free;

  SshRunner(SshTerms terms) {
    this.terms = terms;
    this.connection = new SshConnection(terms);
    this.files = new SftpFiles(connection, terms.limit(), this);
    this.free = new Semaphore(terms.channels() - 1, true);
  }

  @Override
  public OutsideAnswer run(OutsideCommand command) throws InterruptedException {
    long begin = System.nanoTime();
    String line = ShellLine.of(command);
    Optional<String> unfit = ShellLine.unfit(command, line);
    if (unfit.isPresent()) {
      return SshAnswers.notStarted(unfit.get(), begin);
    }
    if (!free.tryAcquire(command.limit().toMillis(), TimeUnit.MILLISECONDS)) {
      return SshAnswers.notStarted(
          "all channels to " + terms.place() + " are in use; see 'ssh_channels'", begin);
    }
    try {
      return SshAnswers.understood(command, SshCommand.run(connection.session(), line, command));
    } catch (SshFault e) {
      return SshAnswers.notStarted(e.getMessage(), begin);
    } finally {
      free.release();
    }
  }

  /**
   * By the list of processes there. Where that cannot be had, or does not show all, one may be
   * under way, as a command goes on when its connection has broken off.
   */
  @Override
  public boolean isUnderWay(String account, String word) {
    try {
      return !Told.of(false).equals(lists(account, word));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return true;
    }
  }

  @Override
  public Optional<String> unseen() throws InterruptedException {
    return lists(terms.account(), NOBODYS) instanceof Told.Nothing<Boolean> nothing
        ? Optional.of(nothing.why())
        : Optional.empty();
  }

  /** Whether a process there has a word; a list that fails is asked for in pauses only. */
  private Told<Boolean> lists(String account, String word) throws InterruptedException {
    if (!listing.lets(Instant.now())) {
      return Told.nothing(listing.reason());
    }
    OutsideAnswer answer =
        run(
            new OutsideCommand(
                FarProcesses.WORDS, new byte[0], Map.of(), terms.limit(), LIST_MOST));
    if (!answer.isGood()) {
      String why =
          "the processes there cannot be listed: " + answer.trouble() + "; see /bin/ps there";
      listing.silent(why, Instant.now());
      return untold(why);
    }
    listing.answered();
    Told<Boolean> told =
        new FarProcesses(terms.account()).has(answer.text().reader(), account, word);
    return told instanceof Told.Nothing<Boolean> nothing ? untold(nothing.why()) : told;
  }

  private Told<Boolean> untold(String why) {
    if (!why.equals(said)) {
      log.warn("what is under way on {} cannot be told: {}", terms.place(), why);
    }
    said = why;
    return Told.nothing(why);
  }

  @Override
  public OutsideFiles files() {
    return files;
  }

  @Override
  public void close() {
    connection.close();
  }

  /** Names of accounts by their numbers, and back: a line of the directory there. */
  OutsideAnswer account(String nameOrNumber) throws InterruptedException {
    return run(
        new OutsideCommand(
            List.of("/usr/bin/getent", "passwd", nameOrNumber),
            new byte[0],
            Map.of(),
            terms.limit(),
            LIST_MOST));
  }

  /** What test says of a file. */
  OutsideAnswer test(String question, String file) throws InterruptedException {
    return run(
        new OutsideCommand(
            List.of("/usr/bin/test", question, file),
            new byte[0],
            Map.of(),
            terms.limit(),
            LIST_MOST));
  }
}
