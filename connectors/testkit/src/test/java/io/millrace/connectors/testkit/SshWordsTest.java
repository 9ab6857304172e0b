package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.ssh.EmbeddedSshd;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two hundred hostile words on their way through the login shell of an account. */
class SshWordsTest {

  @TempDir Path folder;

  @Test
  void eachComesOutAsItIs() throws Exception {
    try (EmbeddedSshd sshd = new EmbeddedSshd(folder)) {
      SpokenWords.sayTo(folder, sshd.keys());
    }
  }
}
