package io.millrace.connectors.bridge.system;

import java.util.List;

/** Hosts of an outside system, and the names of its queues. */
public record OutsideInventory(List<OutsideHost> hosts, List<String> queues) {}
