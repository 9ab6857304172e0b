package io.millrace.connectors.bridge.ssh;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.far.FarFoldersContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Claims and exit files of runs behind an sshd. */
class SshFoldersTest extends FarFoldersContract {

  @TempDir Path keys;
  private EmbeddedSshd sshd;

  @Override
  protected CommandRunner open() throws Exception {
    sshd = new EmbeddedSshd(keys);
    return new SshRunner(sshd.terms());
  }

  @Override
  protected void away() throws Exception {
    sshd.stop();
  }

  @Override
  protected void back() throws Exception {
    sshd.start();
  }

  @Override
  protected void end() throws Exception {
    sshd.close();
  }
}
