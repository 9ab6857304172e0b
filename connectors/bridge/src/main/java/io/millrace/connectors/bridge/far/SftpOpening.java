package io.millrace.connectors.bridge.far;

import io.millrace.connectors.bridge.files.FilesUnreached;
import java.io.IOException;
import org.apache.sshd.sftp.client.SftpClient;

/** Opens channels to the sftp-server of another host. */
public interface SftpOpening {

  /**
   * A channel, on which no question waits for ever: without an answer in time it throws {@link
   * SftpSilence} and is closed.
   *
   * @throws SftpAbsent when the host is reached, and has no files for us
   * @throws FilesUnreached when it is not reached
   */
  SftpClient open() throws IOException, InterruptedException;

  /** The host is reached, and no sftp-server there answers; the message has the cure. */
  final class SftpAbsent extends FilesUnreached {
    private static final long serialVersionUID = 1L;

    public SftpAbsent(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
