package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.far.SftpSilence;
import java.io.IOException;
import java.time.Duration;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.util.buffer.Buffer;
import org.apache.sshd.sftp.client.SftpErrorDataHandler;
import org.apache.sshd.sftp.client.SftpVersionSelector;
import org.apache.sshd.sftp.client.impl.DefaultSftpClient;

/** An SFTP channel that does not wait for ever. */
final class LimitedSftp extends DefaultSftpClient {

  private final Duration limit;

  LimitedSftp(ClientSession session, Duration limit) throws IOException {
    super(session, SftpVersionSelector.MINIMUM, SftpErrorDataHandler.EMPTY);
    this.limit = limit;
  }

  /** The answer to a question; a channel without one in time is given up. */
  @Override
  public Buffer receive(int id) throws IOException {
    Buffer answer = receive(id, limit);
    if (answer == null) {
      getClientChannel().close(false);
      throw new SftpSilence(limit);
    }
    return answer;
  }
}
