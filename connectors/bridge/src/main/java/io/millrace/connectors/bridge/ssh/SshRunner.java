package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.files.OutsideFiles;
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

  private static final int LIST_MOST = 64 << 20;

  private final SshTerms terms;
  private final SshConnection connection;
  private final SftpFiles files;

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
   * By the list of processes there. Where that cannot be had one may be under way, as a command
   * goes on when its connection has broken off.
   */
  @Override
  public boolean isUnderWay(String account, String word) {
    OutsideCommand list =
        new OutsideCommand(FarProcesses.WORDS, new byte[0], Map.of(), terms.limit(), LIST_MOST);
    try {
      OutsideAnswer answer = run(list);
      if (answer.isGood()) {
        return new FarProcesses(terms.account()).has(answer.text().reader(), account, word);
      }
      log.warn("the processes of {} cannot be listed: {}", terms.place(), answer.trouble());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return true;
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
