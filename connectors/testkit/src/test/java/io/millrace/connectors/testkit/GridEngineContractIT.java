package io.millrace.connectors.testkit;

import io.millrace.connectors.bridge.cluster.OutsideKind;
import io.millrace.connectors.gridengine.SgeKind;
import java.util.List;
import java.util.Set;

class GridEngineContractIT extends OutsideContract {

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
        "reporting = /var/lib/gridengine/default/common/reporting");
  }

  @Override
  Set<String> submitting() {
    return Set.of("qsub", "/usr/bin/qsub");
  }
}
