package io.millrace.connectors.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.host.CommandHosts;
import io.millrace.connectors.bridge.system.OutsideCause;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideTag;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A real Slurm whose commands and files are reached by a real sshd, as an ordinary account. */
class SlurmSshIT extends SlurmContractIT {

  private PeerSshd sshd;
  private CommandRunner runner;

  @BeforeAll
  void connect() throws Exception {
    sshd = new PeerSshd();
    Optional<String> absent = sshd.up();
    absent.ifPresent(it -> System.err.println("NOT RUN: SlurmSshIT: " + it));
    assumeTrue(absent.isEmpty(), () -> absent.orElse(""));
    runner = CommandHosts.of(file());
  }

  @AfterAll
  void disconnect() throws Exception {
    if (runner != null) {
      runner.close();
    }
    if (sshd != null) {
      sshd.down();
    }
  }

  @Override
  List<String> keys() throws IOException {
    List<String> keys = new ArrayList<>(super.keys());
    keys.addAll(PeerSshd.keys());
    return keys;
  }

  @Override
  CommandRunner runner() {
    return runner;
  }

  /** What is under way goes on there, and what was broken off says nothing. */
  @Test
  void connectionsThatBreakOffAreMadeAnew() throws Exception {
    try (Site site = new Site(runner())) {
      List<OutsideTag> tags = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        tags.add(submit(site, "sleep 2; exit " + i));
        sshd.cut();
        site.bridge.step();
      }
      for (int i = 0; i < tags.size(); i++) {
        OutsideEnd end = site.end(tags.get(i));
        assertEquals(OutsideCause.EXITED, end.cause(), end::toString);
        assertEquals(i, end.status());
      }
    }
  }
}
