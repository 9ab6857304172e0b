package io.millrace.connectors.bridge.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArrayIndexesTest {

  /** Of Grid Engine, of Slurm, and one that Slurm has cut. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ' ',
      value = {
        "3-7:1 3 true",
        "3-7:1 8 false",
        "3-7:2 4 false",
        "1,4-6,9 9 true",
        "1,4-6,9 7 false",
        "2-5%2 5 true",
        "2-5%2 6 false",
        "1,3,5,... 99 true"
      })
  void whatARangeCovers(String text, long index, boolean covers) {
    assertEquals(covers, ArrayIndexes.cover(text, index));
  }
}
