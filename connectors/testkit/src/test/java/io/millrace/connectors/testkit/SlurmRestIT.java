package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.command.CommandRunner;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

/** The same by slurmrestd and tokens of accounts, in place of commands and sudo. */
class SlurmRestIT extends SlurmContractIT {

  private final LossyProxy proxy = new LossyProxy(16_820);

  SlurmRestIT() throws IOException {}

  @AfterAll
  void close() throws IOException {
    proxy.close();
  }

  @Override
  Map<String, String> environment() {
    return Map.of("MILLRACE_SLURM_REST", "1");
  }

  @Override
  List<String> keys() throws IOException {
    List<String> keys = new ArrayList<>(super.keys());
    keys.add("rest = http://127.0.0.1:" + proxy.port());
    keys.add("tokens = /var/spool/millrace-slurm/tokens");
    return keys;
  }

  @Override
  AnswerFaults faults() {
    proxy.loses(true);
    return new AnswerFaults() {
      @Override
      public CommandRunner runner() {
        return SlurmRestIT.this.runner();
      }

      @Override
      public int count() {
        proxy.loses(false);
        return proxy.lost();
      }
    };
  }

  /** slurmrestd lets nobody name hosts. */
  @Override
  List<String> named() {
    return List.of();
  }
}
