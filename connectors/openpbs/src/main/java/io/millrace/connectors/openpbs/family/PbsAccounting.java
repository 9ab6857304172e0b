package io.millrace.connectors.openpbs.family;

import io.millrace.connectors.bridge.cluster.CheckLine;
import io.millrace.connectors.bridge.files.OutsideFiles;
import io.millrace.connectors.bridge.system.OutsideChanges;
import io.millrace.connectors.bridge.system.OutsideMove;
import io.millrace.connectors.bridge.system.OutsideRecord;
import io.millrace.connectors.bridge.system.Told;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The accounting of a server, where it is read.
 *
 * @param days the files of them; empty when they are not read
 * @param server whose jobs count
 * @param tag field with the tags
 * @param ends what an exit status says
 */
public record PbsAccounting(
    Optional<AccountingDays> days, String server, String tag, ExitMeaning ends) {

  /** Whether the files of a folder can be read. */
  public static CheckLine check(OutsideFiles files, String folder) {
    try {
      new AccountingDays(files, Path.of(folder)).read("");
      return CheckLine.good("accounting in " + folder);
    } catch (IOException e) {
      return CheckLine.wrong(
          folder + " cannot be read: " + e.getMessage(),
          "give this account the right to read it, or leave 'accounting' out");
    }
  }

  /** The ends since a cursor, and hints of begins. */
  public Told<OutsideChanges> changes(String cursor) {
    if (days.isEmpty()) {
      return Told.of(new OutsideChanges(List.of(), List.of(), cursor, true, false));
    }
    try {
      AccountingDays.AccountingDaysRead read = days.get().read(cursor);
      List<OutsideRecord> records =
          read.read().lines().stream()
              .flatMap(it -> PbsRecord.record(it, server, tag, ends).stream())
              .toList();
      List<OutsideMove> begins =
          read.read().lines().stream().flatMap(it -> PbsRecord.begin(it, server).stream()).toList();
      return Told.of(
          new OutsideChanges(
              records, begins, read.cursor(), read.read().atEnd(), read.read().gap()));
    } catch (IOException e) {
      return Told.nothing(days.get().folder() + ": " + e.getMessage());
    }
  }
}
