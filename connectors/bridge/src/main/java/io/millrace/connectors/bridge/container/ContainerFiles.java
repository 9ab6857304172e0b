package io.millrace.connectors.bridge.container;

import io.millrace.connectors.bridge.command.BareProgram;
import io.millrace.connectors.bridge.command.OutsideCommand;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.far.SftpOpening;
import io.millrace.connectors.bridge.files.FilesUnreached;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.Map;
import org.apache.sshd.sftp.client.SftpClient;

/** Files of a container: an sftp-server in it, which only reads, and is kept. */
final class ContainerFiles implements SftpOpening, AutoCloseable {

  private final ContainerTerms terms;
  private final ContainerLink link;
  private StreamSftp last;
  private boolean closed;

  ContainerFiles(ContainerTerms terms, ContainerLink link) {
    this.terms = terms;
    this.link = link;
  }

  @Override
  public SftpClient open() throws IOException, InterruptedException {
    RunningContainer at = link.get();
    OutsideCommand server =
        new OutsideCommand(
            List.of(terms.sftpServer(), "-R"), new byte[0], Map.of(), terms.limit(), 0);
    List<String> words = terms.exec(at, terms.account(), BareProgram.words(server));
    try {
      StreamSftp opened =
          new StreamSftp(
              ProcessRunner.start(
                  new OutsideCommand(words, new byte[0], Map.of(), terms.limit(), 0)),
              terms.limit());
      keep(opened);
      // Whom the name led to is known behind it only.
      if (terms.engine().bySudo() && !link.isSame(at)) {
        opened.close();
        link.drop(at);
        throw new FilesUnreached("container " + terms.container() + " was begun anew meanwhile");
      }
      return opened;
    } catch (InterruptedIOException | FilesUnreached e) {
      throw e;
    } catch (IOException e) {
      String why =
          "no files of container "
              + terms.container()
              + " by SFTP: "
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("").replace(';', ',')
              + "; install openssh-sftp-server in it, or see 'container_sftp'";
      if (link.isSame(at)) {
        throw new SftpAbsent(why, e);
      }
      link.drop(at);
      throw new FilesUnreached(why, e);
    }
  }

  private synchronized void keep(StreamSftp opened) throws FilesUnreached {
    last = opened;
    if (closed) {
      opened.close();
      throw new FilesUnreached("the connection as " + terms + " was closed");
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (last != null) {
      last.close();
    }
  }
}
