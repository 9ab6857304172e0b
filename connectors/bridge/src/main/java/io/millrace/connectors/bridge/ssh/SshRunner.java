package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.command.BareProgram;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.OutsideAnswer;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.far.FarQuestions;
import io.millrace.connectors.bridge.far.SftpFiles;
import io.millrace.connectors.bridge.files.FilesUnreached;
import io.millrace.connectors.bridge.files.OutsideFiles;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Starts commands on another host, by one connection. */
public final class SshRunner implements CommandRunner {
  private final SshTerms terms;
  private final SshConnection connection;
  private final FarQuestions questions;
  private final SftpFiles files;

  /** Channels that are free for commands; one is for files. */
  private final Semaphore free;

  /** The one of a cluster; nothing is connected before the first command. */
  public static SshRunner of(ClusterFile file) {
    return new SshRunner(SshTerms.of(file));
  }

  SshRunner(SshTerms terms) {
    this.terms = terms;
    this.connection = new SshConnection(terms);
    this.questions =
        new FarQuestions(this, terms.account(), terms.place().toString(), terms.limit());
    this.files = new SftpFiles(connection, questions);
    this.free = new Semaphore(terms.channels() - 1, true);
  }

  @Override
  public OutsideAnswer run(OutsideCommand command) throws InterruptedException {
    long begin = System.nanoTime();
    String line = ShellLine.of(command.requireOwn());
    Optional<String> unfit = ShellLine.unfit(command, line);
    if (unfit.isPresent()) {
      return OutsideAnswer.notStarted(unfit.get(), begin);
    }
    if (!free.tryAcquire(command.limit().toMillis(), TimeUnit.MILLISECONDS)) {
      return OutsideAnswer.notStarted(
          "all channels to " + terms.place() + " are in use; see 'ssh_channels'", begin);
    }
    try {
      return BareProgram.understood(command, SshCommand.run(connection.session(), line, command));
    } catch (FilesUnreached e) {
      return OutsideAnswer.notStarted(e.getMessage(), begin);
    } finally {
      free.release();
    }
  }

  @Override
  public boolean isUnderWay(String account, String word) {
    return questions.isUnderWay(account, word);
  }

  @Override
  public Optional<String> unseen() throws InterruptedException {
    return questions.unseen();
  }

  @Override
  public OutsideFiles files() {
    return files;
  }

  @Override
  public void close() {
    connection.close();
  }
}
