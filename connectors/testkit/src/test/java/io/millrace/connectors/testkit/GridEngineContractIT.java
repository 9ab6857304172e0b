package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.gridengine.SgeKind;
import java.util.List;
import java.util.Map;
import java.util.Set;

class GridEngineContractIT extends AdministeredContract {

  private static final String QUEUE = "mr.q";

  @Override
  OutsideKind kind() {
    return new SgeKind();
  }

  @Override
  String script() {
    return "gridengine.sh";
  }

  @Override
  List<String> keys() {
    return List.of(
        "sge_root = /var/lib/gridengine",
        "parallel_environment = mrsmp",
        "reporting = /var/lib/gridengine/default/common/reporting");
  }

  @Override
  Set<String> submitting() {
    return Set.of("qsub", "/usr/bin/qsub");
  }

  @Override
  List<String> words(AdministratorOrder order, long number) {
    String job = Long.toString(number);
    return switch (order) {
      case CANCEL -> List.of("/usr/bin/qdel", job);
      case HOLD -> List.of("/usr/bin/qhold", "-h", "o", job);
      case RELEASE -> List.of("/usr/bin/qrls", "-h", "o", job);
      case REQUEUE -> List.of("/usr/bin/qmod", "-f", "-rj", job);
      case SUSPEND -> List.of("/usr/bin/qmod", "-sq", QUEUE);
      case RESUME -> List.of("/usr/bin/qmod", "-usq", QUEUE);
      case CLOSE_QUEUE, DRAIN -> List.of("/usr/bin/qmod", "-d", QUEUE);
      case OPEN_QUEUE, UNDRAIN -> List.of("/usr/bin/qmod", "-e", QUEUE);
    };
  }

  @Override
  Map<String, String> administratorsEnvironment() {
    return Map.of("SGE_ROOT", "/var/lib/gridengine", "SGE_CELL", "default");
  }

  @Override
  boolean passesSignals() {
    return false;
  }
}
