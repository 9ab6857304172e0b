package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideEnd;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * The accounting of a server, where it is read.
 *
 * @param folder with a file for each day; empty when it is not read
 * @param server whose jobs count
 * @param tag field with the tags
 * @param ends what an exit status says
 */
public record PbsAccounting(
    Optional<String> folder, String server, String tag, IntFunction<OutsideEnd> ends) {

  /** Whether the files of a folder can be read. */
  public static CheckLine check(String folder) {
    try {
      new AccountingDays(Path.of(folder)).read("");
      return CheckLine.good("accounting in " + folder);
    } catch (IOException e) {
      return CheckLine.wrong(
          folder + " cannot be read: " + e.getMessage(),
          "give this account the right to read it, or leave 'accounting' out");
    }
  }

  /** The ends since a cursor. */
  public Told<OutsideChanges> changes(String cursor) {
    if (folder.isEmpty()) {
      return Told.of(new OutsideChanges(List.of(), List.of(), cursor, true, false));
    }
    try {
      AccountingDays.AccountingDaysRead days =
          new AccountingDays(Path.of(folder.get())).read(cursor);
      List<OutsideRecord> records =
          days.read().lines().stream()
              .flatMap(it -> PbsRecord.record(it, server, tag, ends).stream())
              .toList();
      return Told.of(
          new OutsideChanges(
              records, List.of(), days.cursor(), days.read().atEnd(), days.read().gap()));
    } catch (IOException e) {
      return Told.nothing(folder.get() + ": " + e.getMessage());
    }
  }
}
