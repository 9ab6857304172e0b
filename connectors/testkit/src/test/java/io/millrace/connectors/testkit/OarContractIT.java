package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.cluster.ClusterKey;
import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.bridge.command.CommandRunner;
import io.millrace.connectors.bridge.command.ProcessRunner;
import io.millrace.connectors.bridge.system.OutsideSystem;
import io.millrace.connectors.oar.OarDoor;
import io.millrace.connectors.oar.OarExchange;
import io.millrace.connectors.oar.OarKind;
import io.millrace.connectors.oar.OarSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** With a real OAR 2.5.9. Its requests go as commands do, so that they meet the same faults. */
class OarContractIT extends OutsideContract {

  private OarExchange door;
  private Path passwords;

  /** OAR, whose requests are commands. */
  private final class OarByCommands implements OutsideKind {
    private final OarKind oar = new OarKind();

    @Override
    public String name() {
      return oar.name();
    }

    @Override
    public List<ClusterKey> keys() {
      return oar.keys();
    }

    @Override
    public Optional<String> unfit(Map<String, String> values) {
      return oar.unfit(values);
    }

    @Override
    public OutsideSystem open(ClusterFile file, CommandRunner runner) {
      door = new OarDoor(file);
      return new OarSystem(file, runner, RequestsAsCommands.by(runner));
    }

    @Override
    public List<String> programs() {
      return oar.programs();
    }

    @Override
    public List<String> programsOfAccounts() {
      return oar.programsOfAccounts();
    }

    @Override
    public List<CheckLine> check(ClusterFile file, CommandRunner runner)
        throws InterruptedException {
      return oar.check(file, runner);
    }
  }

  @Override
  CommandRunner runner() {
    return RequestsAsCommands.to(request -> door.ask(request), new ProcessRunner());
  }

  @Override
  OutsideKind kind() {
    return new OarByCommands();
  }

  @Override
  String script() {
    return "oar.sh";
  }

  @Override
  List<String> keys() throws IOException {
    if (passwords == null) {
      passwords =
          Files.createTempFile(
              "millrace-oar",
              "",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(passwords, "mralice:mralice\n");
      passwords.toFile().deleteOnExit();
    }
    return List.of("url = http://127.0.0.1:6668/oarapi", "credentials = " + passwords);
  }

  @Override
  Set<String> submitting() {
    return Set.of(RequestsAsCommands.SUBMISSION);
  }
}
