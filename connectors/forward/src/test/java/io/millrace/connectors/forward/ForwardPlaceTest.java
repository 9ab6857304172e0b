package io.millrace.connectors.forward;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.connectors.bridge.cluster.ClusterFile;
import io.millrace.connectors.bridge.system.OutsideSubmission.OutsidePlace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForwardPlaceTest {

  private static OutsidePlace place(String mode, String queue) {
    Map<String, String> values = Map.of("name", "c1", "mode", mode, "queue", "mr.q");
    return ForwardPlace.of(new ClusterFile(null, values, Map.of()), List.of("n1", "n2"), queue);
  }

  @Test
  void theModeSaysWhere() {
    assertEquals(new OutsidePlace(Optional.of("mr.q"), List.of()), place("forward", "c1"));
    assertEquals(new OutsidePlace(Optional.of("mr.q"), List.of("n1", "n2")), place("place", "c1"));
    assertEquals(
        new OutsidePlace(Optional.of("mr.c1.R7"), List.of("n1", "n2")), place("reserve", "R7"));
    assertEquals(
        "cluster c1 takes runs in reservations only",
        assertThrows(IllegalArgumentException.class, () -> place("reserve", "workq")).getMessage());
  }
}
