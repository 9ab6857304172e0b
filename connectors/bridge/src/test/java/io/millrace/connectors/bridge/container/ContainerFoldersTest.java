package io.millrace.connectors.bridge.container;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.far.FarFoldersContract;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Claims and exit files of runs in a container, whose sftp-server is OpenSSH's own. */
class ContainerFoldersTest extends FarFoldersContract {

  @TempDir Path folder;
  private PlayedEngine engine;

  @Override
  protected CommandRunner open() throws Exception {
    assumeTrue(
        Files.isExecutable(PlayedEngine.SFTP_SERVER),
        "SKIPPED: there is no " + PlayedEngine.SFTP_SERVER + " here: openssh-sftp-server");
    engine = new PlayedEngine(folder);
    return engine.runner();
  }

  @Override
  protected void away() throws Exception {
    engine.ends();
  }

  @Override
  protected void back() throws Exception {
    engine.beginsAnew();
  }

  @Override
  protected void end() {
    // It has no process of its own.
  }
}
