package io.millrace.ops.faults.sabotage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which orders an executor that is down has consumed, and so will not read again: those before the
 * position in its spool.
 *
 * @param next offset of the first order that it reads
 */
record TakenOrders(long next) {
  private static final String ORIGIN = "origin=";

  static TakenOrders of(Path spool) throws IOException {
    String position = Files.readString(spool.resolve("position")).strip();
    return new TakenOrders(Long.parseLong(position.substring(position.lastIndexOf(' ') + 1)));
  }

  /**
   * Whether the order for the run of this folder has been consumed. For an order that was not, only
   * the folder prevents a second start.
   */
  boolean cover(Path run) throws IOException {
    String request = Files.readString(run.resolve("request"), StandardCharsets.ISO_8859_1);
    for (String record : request.split("\0")) {
      if (record.startsWith(ORIGIN)) {
        String[] origin = record.substring(ORIGIN.length()).split(" ");
        return Long.parseLong(origin[1]) < next;
      }
    }
    return false;
  }
}
