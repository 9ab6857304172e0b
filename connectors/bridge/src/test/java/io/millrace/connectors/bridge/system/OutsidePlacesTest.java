package io.millrace.connectors.bridge.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutsidePlacesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "vm | vm",
        "mr.q@Vm.site.org | vm",
        "n1,n2.site | n1 n2",
        "n[1-3,07] | n1 n2 n3 n07",
        "n[08-11] | n08 n09 n10 n11",
        "a[1-2],m,b[3] | a1 a2 m b3"
      })
  void hostsOfAPlace(String place, String hosts) {
    assertEquals(List.of(hosts.split(" ")), OutsidePlaces.hosts(place));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "n[", "n[1-", "n[2-1]", "n[1-999999999]", "n[]", "[1]", "n[x]", ",", "]"})
  void whatIsNoListHasNone(String place) {
    assertEquals(List.of(), OutsidePlaces.hosts(place));
  }

  @Test
  void manyRangesAreNoMoreHosts() {
    String place = "n[1-60000,1-60000]";
    assertEquals(List.of(), OutsidePlaces.hosts(place));
  }
}
